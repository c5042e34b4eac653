/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processor: its life, what it executes, and the way of a PMI to the APIC. */
#include "kernel/lib/string.h"
#include "state.h"

enum { ECHO_LATENCY = 1000 }; /* instructions */
/* With a seed an interrupt may come up to this many instructions later. */
enum { LATENCY_SPREAD = 24 };

struct silicon silicon_cpu LARGE;
static struct silicon parked LARGE;

/* ---- the tally ---- */

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x00000100000001b3)

void silicon_digest(struct silicon *s, uint64_t value)
{
	for (unsigned i = 0; i < sizeof(value); i++)
		s->tally.digest = (s->tally.digest ^ (value >> 8 * i & 0xff)) * FNV_PRIME;
}

void silicon_raised(struct silicon *s)
{
	silicon_digest(s, s->tally.retired - s->accessed);
}

struct silicon_tally silicon_tally(struct silicon *s)
{
	return s->tally;
}

/* ---- interrupts ---- */

static void draw_latency(struct silicon *s)
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
COLD static void request(struct silicon *s, enum line line, unsigned requests)
{
	unsigned latency = s->latency, *due_in = &s->due_in[line * OF_EACH];

	if (requests > 0 && !due_in[0])
		due_in[0] = latency + 1;
	if (requests > 1 && !due_in[1])
		due_in[1] = latency + 1 + ECHO_LATENCY;
	if (requests)
		draw_latency(s);
	s->under_way = is_under_way(s);
}

void silicon_look_for_announcement(struct silicon *s)
{
	unsigned requests = silicon_boxes_requests(s);

	if (requests && (!s->ops->hears_boxes || s->ops->hears_boxes(core_now(s)->pmu)))
		request(s, LINE_COUNTERS, requests);
	if (s->ops->announces)
		request(s, LINE_SAMPLES, s->ops->announces(core_now(s)->pmu, &s->entry));
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
			generated_held(s->generated, s->ops->held_by(core_now(s)->pmu, i));
	s->under_way = is_under_way(s);
}

HOT void silicon_look_for_request(struct silicon *s)
{
	if (core_of(s)->holding || s->holds_request[0] || s->holds_request[1])
		look_for_request(s);
}

HOT static void clock_passed(void *arg, const struct clock *clock)
{
	struct silicon *s = arg;
	unsigned requests = s->generated
				    ? generated_clock(s->generated, s->ops, core_now(s)->pmu, clock)
				    : s->ops->clock(core_now(s)->pmu, clock);

	s->tally.clocks++;
	if (requests)
		request(s, LINE_COUNTERS, requests);
	silicon_look_for_request(s);
}

/* A clock in which an instruction retires. */
static void pass_one(struct silicon *s, unsigned cpl, bool of_smi)
{
	struct clock clock = {.cpl = cpl};

	clock.n[SIGNAL_CYCLES] = clock.n[SIGNAL_INSTRUCTIONS] = 1;
	clock.n[SIGNAL_SMIS] = of_smi;
	clock_passed(s, &clock);
}

void silicon_smi(struct silicon *s)
{
	unsigned n = s->ops->smi ? s->ops->smi(core_now(s)->pmu) : 0;

	for (unsigned i = 0; i < n; i++)
		pass_one(s, 0, i == 0);
}

/* Of ring 3. */
void silicon_count_foreign(struct silicon *s, uint64_t instructions)
{
	if (s->idle)
		return;
	pipeline_close(&core_now(s)->pipeline);
	while (instructions--)
		pass_one(s, 3, false);
}

void silicon_request(struct silicon *s, unsigned requests)
{
	request(s, LINE_COUNTERS, requests);
}

static void age_held(struct silicon *s, unsigned thread)
{
	if (!s->holds_request[thread] && s->held_for[thread]) {
		s->held_for[thread] = 0;
		draw_latency(s);
	}
	if (s->holds_request[thread] && s->held_for[thread] < s->latency)
		s->held_for[thread]++;
}

/* Does an instruction change what is known of requests?  Not while one is held that has come. */
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

/* One instruction closer; a request made by this very instruction waits its full latency. */
static void age_requests(struct silicon *s)
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
	pmi.masks_lvt = s->ops->masks_lvt(core_now(s)->pmu);
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

/* ---- life and execution ---- */

void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault)
{
	memset(s, 0, sizeof(*s));
	s->tally.digest = FNV_BASIS;
	s->profile = profile;
	s->ops = profile->pmus[0].ops;
	pipeline_reset(&core_now(s)->pipeline, &profile->retirement, clock_passed, s);
	s->fault = fault;
	s->generated = fault ? fault->generated : NULL;
	draw_latency(s);
	s->ops->reset(core_now(s)->pmu, profile->pmus[0].traits, fault);
	silicon_switch(s, &(struct threads){.state = {THREAD_ACTIVE}});
	silicon_reset_boxes(s);
}

void silicon_vary(struct silicon *s, uint32_t seed)
{
	pipeline_vary(&core_now(s)->pipeline, seed);
	draw_latency(s);
}

void silicon_deviate(struct silicon *s, const struct fault *lawful)
{
	s->lawful[s->lawful_count++] = lawful;
	if (lawful->boxes)
		silicon_deviate_boxes(s, lawful->boxes);
	if (!lawful->core)
		return;
	s->ops->deviate(core_now(s)->pmu, lawful->core);
	s->ignores_msrs |= lawful->core->ignores_msrs;
	s->locks_svm |= lawful->core->locks_svm;
}

void silicon_seat(struct silicon *s, const struct seat *seat)
{
	s->seat = *seat;
}

void silicon_park(const struct silicon *s)
{
	parked = *s;
}

void silicon_join(struct silicon *s)
{
	silicon_share_boxes(s, &parked);
}

void silicon_unpark(struct silicon *s)
{
	silicon_share_boxes(&parked, s);
	*s = parked;
}

/* An engine that has its sample does not run, and its interrupt comes all the same in its time. */
static bool is_announced(const struct silicon *s)
{
	const unsigned *due_in = &s->due_in[LINE_SAMPLES * OF_EACH];

	return due_in[0] || due_in[1];
}

bool silicon_counting(struct silicon *s)
{
	return s->ops->counting(core_now(s)->pmu) || s->holds_request[0] || s->holds_request[1] ||
	       is_announced(s) || s->boxes_watch;
}

void silicon_switch(struct silicon *s, const struct threads *threads)
{
	pipeline_switch(&core_now(s)->pipeline, threads);
	silicon_look_for_request(s);
}

HOT PAGED bool silicon_retire(struct silicon *s, const struct insn *insn, unsigned cpl, bool taken,
			      bool iflag)
{
	bool was_under_way = s->under_way;

	tally_retired(s, 1, !was_under_way && s->idle);
	if (was_under_way)
		age_requests(s);
	else if (s->idle)
		return false;
	if (s->watches_hierarchy)
		hierarchy_fetch(&core_now(s)->pipeline.hierarchy, insn);
	pipeline_retire(&core_now(s)->pipeline, insn, cpl, taken, iflag);
	/* The record is of the very instruction that makes the event. */
	if (silicon_precise(s))
		pipeline_close(&core_now(s)->pipeline);
	return was_under_way || s->under_way || silicon_precise(s);
}

bool silicon_mispredicted(struct silicon *s)
{
	return s->watches_bogus && core_now(s)->pipeline.mispredicted;
}

bool silicon_discard(struct silicon *s, const struct insn *insn)
{
	return pipeline_discard(&core_now(s)->pipeline, insn);
}

bool silicon_is_own_pmu(struct silicon *s)
{
	return s->ops->of_core || core_now(s)->pipeline.threads.now == 0;
}

void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl)
{
	age_requests(s);
	pipeline_deliver(&core_now(s)->pipeline, what, cpl);
}

void silicon_branched(struct silicon *s, const struct branch *branch)
{
	if (s->ops->branched && silicon_is_own_pmu(s))
		s->ops->branched(core_now(s)->pmu, branch);
}

HOT bool silicon_precise(const struct silicon *s)
{
	return !s->idle && core_of(s)->precise;
}

HOT bool silicon_wants_assist(const struct silicon *s)
{
	return !s->idle && core_of(s)->wants_assist;
}

void silicon_assist(struct silicon *s, const struct machine *machine)
{
	request(s, LINE_COUNTERS, s->ops->assist(core_now(s)->pmu, machine));
	silicon_look_for_announcement(s);
	silicon_look_for_request(s);
}

bool silicon_writes_first(const struct silicon *s)
{
	return s->profile->retirement.writes_first;
}

bool silicon_counts_tsc(struct silicon *s)
{
	return s->ops->counts_tsc && s->ops->counts_tsc(core_now(s)->pmu);
}

uint64_t silicon_tsc_ticks(struct silicon *s)
{
	pipeline_close(&core_now(s)->pipeline);
	return s->ops->tsc_ticks(core_now(s)->pmu);
}

bool silicon_watches_memory(const struct silicon *s)
{
	return s->boxes_watch || s->watches_hierarchy;
}

void silicon_fetches(struct silicon *s, bool uncacheable)
{
	s->settled.pipeline.hierarchy.uncacheable_code = uncacheable;
}

static uint64_t boxes_memory(struct silicon *s, const struct memory_access *access)
{
	uint64_t until = silicon_boxes_memory(s, access);

	silicon_look_for_announcement(s);
	return until;
}

uint64_t silicon_memory(struct silicon *s, const struct memory_access *access)
{
	if (s->watches_hierarchy)
		hierarchy_access(&s->settled.pipeline.hierarchy, access);
	return s->boxes_watch ? boxes_memory(s, access) : 0;
}
