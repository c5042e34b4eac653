/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a PMI from the PMU to the local APIC. */
#include "state.h"

enum { ECHO_LATENCY = 1000 }; /* instructions */
/* With a seed an interrupt may come up to this many instructions later. */
enum { LATENCY_SPREAD = 24 };

void silicon_draw_latency(struct silicon *s)
{
	s->latency = s->profile->pmi_latency + generated_delay(s->generated) +
		     pace_random(&core_now(s)->pipeline.pace, LATENCY_SPREAD);
}

static bool is_under_way(const struct silicon *s)
{
	for (unsigned i = 0; i < THREADS; i++)
		if (s->held_for[i] || s->holds_request[i])
			return true;
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i])
			return true;
	return false;
}

/* The LVT request is edge-like: while one is on its way, further ones merge with it. */
COLD void silicon_request(struct silicon *s, enum line line, unsigned requests)
{
	unsigned latency = s->latency, *due_in = &s->due_in[line * OF_EACH];

	if (requests > 0 && !due_in[0])
		due_in[0] = latency + 1;
	if (requests > 1 && !due_in[1])
		due_in[1] = latency + 1 + ECHO_LATENCY;
	if (requests)
		silicon_draw_latency(s);
	s->under_way = is_under_way(s);
}

void silicon_look_for_announcement(struct silicon *s)
{
	unsigned requests = silicon_boxes_requests(s);

	if (requests && (!s->core_ops->hears_boxes || s->core_ops->hears_boxes(core_now(s)->pmu)))
		silicon_request(s, LINE_COUNTERS, requests);
	if (s->core_ops->announces)
		silicon_request(s, LINE_SAMPLES,
				s->core_ops->announces(core_now(s)->pmu, &s->entry));
}

/* While a thread waits to be started, its local APIC takes nothing in. */
static bool is_started(struct silicon *s, unsigned thread)
{
	return core_now(s)->pipeline.threads.state[thread] != THREAD_WAITS_FOR_SIPI;
}

APART static void look_for_request(struct silicon *s)
{
	for (unsigned i = 0; i < THREADS; i++)
		s->holds_request[i] =
			is_started(s, i) &&
			generated_held(s->generated, s->core_ops->held_by(core_now(s)->pmu, i));
	s->under_way = is_under_way(s);
}

HOT void silicon_look_for_request(struct silicon *s)
{
	if (core_of(s)->holding || s->holds_request[0] || s->holds_request[1])
		look_for_request(s);
}

static void age_held(struct silicon *s, unsigned thread)
{
	if (!s->holds_request[thread] && s->held_for[thread]) {
		s->held_for[thread] = 0;
		silicon_draw_latency(s);
	}
	if (s->holds_request[thread] && s->held_for[thread] < s->latency)
		s->held_for[thread]++;
}

bool silicon_ages(const struct silicon *s)
{
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i])
			return true;
	for (unsigned i = 0; i < THREADS; i++)
		if (s->holds_request[i] ? s->held_for[i] < s->latency : s->held_for[i])
			return true;
	return false;
}

bool silicon_requests(const struct silicon *s)
{
	return s->under_way;
}

void silicon_age_requests(struct silicon *s)
{
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i] > 1)
			s->due_in[i]--;
	for (unsigned i = 0; i < THREADS; i++)
		age_held(s, i);
	s->under_way = is_under_way(s);
}

void silicon_flush(struct silicon *s)
{
	pipeline_close(&core_now(s)->pipeline);
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i])
			s->due_in[i] = 1;
	for (unsigned i = 0; i < THREADS; i++)
		s->held_for[i] = s->latency;
	s->under_way = is_under_way(s);
}

/* So many of the line's are due, and are no more. */
static unsigned take_due(struct silicon *s, enum line line)
{
	unsigned *due_in = &s->due_in[line * OF_EACH], due = 0;

	for (unsigned i = 0; i < OF_EACH; i++)
		if (due_in[i] == 1) {
			due_in[i] = 0;
			due++;
		}
	return due;
}

/* What is held interrupts once. */
static void stray(struct pmi *pmi)
{
	static bool held;

	company_interrupts(pmi->due + (pmi->held && !held));
	held = pmi->held;
	pmi->due = 0;
	pmi->held = false;
}

struct pmi silicon_take_pmi(struct silicon *s, unsigned thread)
{
	struct pmi pmi = {0};

	/* Clocks that are not counted yet make no request. */
	if (!s->under_way)
		return pmi;
	pmi.held = s->held_for[thread] >= s->latency && s->holds_request[thread];
	pmi.masks_lvt = s->core_ops->masks_lvt(core_now(s)->pmu);
	/* A PMU whose requests are not held has one thread. */
	if (thread == 0) {
		pmi.due = take_due(s, LINE_COUNTERS);
		pmi.announced = take_due(s, LINE_SAMPLES);
		pmi.entry = s->entry;
		pmi.masks_entry = core_masks_extended(core_of(s));
	}
	s->under_way = is_under_way(s);
	if (company_spoils(s, COMPANY_INTERRUPTS))
		stray(&pmi);
	return pmi;
}

uint32_t silicon_lvt(const struct silicon *s, uint32_t entry)
{
	uint64_t taken = s->fault ? twist(&s->fault->lvt, entry) : entry;

	for (unsigned i = 0; i < s->lawful_count; i++)
		taken = twist(&s->lawful[i]->lvt, taken);
	return (uint32_t)taken;
}

uint32_t silicon_extended_lvt(const struct silicon *s, uint32_t entry)
{
	return (uint32_t)(s->fault ? twist(&s->fault->extended_lvt, entry) : entry);
}

bool silicon_sees_entry(const struct silicon *s)
{
	return s->fault && s->fault->core && s->fault->core->sees_entry;
}

void silicon_show_entry(struct silicon *s, uint8_t vector, bool nmi)
{
	core_show_entry((struct core_pmu *)core_now(s)->pmu, vector, nmi);
}
