/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processor: its life, and what it executes. */
#include "kernel/lib/string.h"
#include "state.h"

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

/* ---- clocks ---- */

HOT static void clock_passed(void *arg, const struct clock *clock)
{
	struct silicon *s = arg;
	unsigned requests =
		s->generated ? generated_clock(s->generated, s->core_ops, core_now(s)->pmu, clock)
			     : s->core_ops->clock(core_now(s)->pmu, clock);

	s->tally.clocks++;
	if (requests)
		silicon_request(s, LINE_COUNTERS, requests);
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
	unsigned n = s->core_ops->smi ? s->core_ops->smi(core_now(s)->pmu) : 0;

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

/* ---- life and execution ---- */

void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault)
{
	memset(s, 0, sizeof(*s));
	s->tally.digest = FNV_BASIS;
	s->profile = profile;
	s->ops = profile->pmus[0].ops;
	s->core_ops = s->ops->core;
	pipeline_reset(&core_now(s)->pipeline, &profile->retirement, clock_passed, s);
	s->fault = fault;
	s->generated = fault ? fault->generated : NULL;
	silicon_draw_latency(s);
	s->ops->reset(core_now(s)->pmu, profile->pmus[0].traits, fault);
	silicon_switch(s, &(struct threads){.state = {THREAD_ACTIVE}});
	silicon_reset_boxes(s);
}

void silicon_vary(struct silicon *s, uint32_t seed)
{
	pipeline_vary(&core_now(s)->pipeline, seed);
	silicon_draw_latency(s);
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
	return s->core_ops->counting(core_now(s)->pmu) || s->holds_request[0] ||
	       s->holds_request[1] || is_announced(s) || s->boxes_watch;
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
		silicon_age_requests(s);
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
	return s->core_ops->of_core || core_now(s)->pipeline.threads.now == 0;
}

void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl)
{
	silicon_age_requests(s);
	pipeline_deliver(&core_now(s)->pipeline, what, cpl);
}

void silicon_branched(struct silicon *s, const struct branch *branch)
{
	if (s->core_ops->branched && silicon_is_own_pmu(s))
		s->core_ops->branched(core_now(s)->pmu, branch);
}

HOT bool silicon_precise(const struct silicon *s)
{
	return core_is_precise(s);
}

HOT bool silicon_wants_assist(const struct silicon *s)
{
	return !s->idle && core_of(s)->wants_assist;
}

void silicon_assist(struct silicon *s, const struct machine *machine)
{
	silicon_request(s, LINE_COUNTERS, s->core_ops->assist(core_now(s)->pmu, machine));
	silicon_look_for_announcement(s);
	silicon_look_for_request(s);
}

bool silicon_writes_first(const struct silicon *s)
{
	return s->profile->retirement.writes_first;
}

bool silicon_counts_tsc(struct silicon *s)
{
	return s->core_ops->counts_tsc && s->core_ops->counts_tsc(core_now(s)->pmu);
}

uint64_t silicon_tsc_ticks(struct silicon *s)
{
	pipeline_close(&core_now(s)->pipeline);
	return s->core_ops->tsc_ticks(core_now(s)->pmu);
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
