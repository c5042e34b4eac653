/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that no other group counts, each for a bit of its code that no other event has set. */
#include "core.h"

#define GROUP "sub_event"

/* Each occurs so often per iteration, as the payload's source has it; 0: once at least in all. */
static const struct stimulus {
	enum pmu_event_id event;
	const struct payload *payload;
	unsigned each, iterations;
} stimuli[] = {
	{EV_SEGMENT_LOADS, &payload_segments, 14, 6}, /* does a far return count? */
	{EV_CS_LOADS, &payload_segments, 1, 6},
	{EV_SS_LOADS, &payload_segments, 2, 6},
	{EV_DS_LOADS, &payload_segments, 3, 6},
	{EV_FS_LOADS, &payload_segments, 4, 6},
	{EV_GS_LOADS, &payload_segments, 5, 6},
	{EV_SSE, &payload_kinds, 11, 6},
	{EV_INDIRECT_BRANCHES, &payload_calls, 1, 6},
	{EV_SSE_PACKED, &payload_kinds, 3, 6},
	{EV_SSE_SCALAR, &payload_kinds, 5, 6},
	{EV_SSE_DOUBLE, &payload_kinds, 5, 6},
	{EV_SSE_PACKED_DOUBLE, &payload_kinds, 2, 6},
	{EV_SSE_SCALAR_DOUBLE, &payload_kinds, 3, 6},
	{EV_SSE_INTEGER, &payload_kinds, 3, 6},
	{EV_SIMD_ARITHMETIC, &payload_kinds, 3, 6},
	{EV_MMX_MULTIPLY, &payload_mmx, 1, 6},
	{EV_MMX_SHIFT, &payload_mmx, 2, 6},
	{EV_MMX_PACK, &payload_mmx, 3, 6},
	{EV_MMX_UNPACK, &payload_mmx, 4, 6},
	{EV_MMX_LOGICAL, &payload_mmx, 5, 6},
	{EV_MMX_ARITHMETIC, &payload_mmx, 6, 6},
	{EV_X87, &payload_vector, 2, 6},
	/* Not each: that a line flushed is not back before it is used, no manual promises. */
	{EV_L2_STORES, &payload_store_misses, 0, 40},
	{EV_L2_READS, &payload_misses, 0, 40},
	{EV_L2_MISSES, &payload_misses, 0, 40},
	{EV_L2_CODE_READS, &payload_code_misses, 0, 40},
	{EV_L2_READ_MODIFY_WRITES, &payload_store_misses, 0, 40},
	{EV_OFFCORE_REQUESTS, &payload_misses, 0, 40},
	{EV_CACHEABLE_REQUESTS, &payload_misses, 0, 40},
	{EV_STREAMED_LINES, &payload_streams, 0, 40},
	{EV_OP_CACHE, &payload_straight, 0, 40},
	{EV_TO_OP_CACHE, &payload_code_misses, 0, 40},
	{EV_PACKED_FP, &payload_kinds, 3, 6},
};

/* Of the window, the ways into ring 3 and out of it included: some may load segments, too. */
static uint64_t count_all(struct run *t, unsigned ctr, const struct stimulus *s)
{
	return count(t, ctr, gated(s->event), in_ring3(s->payload, s->iterations));
}

static bool counts_nowhere(struct run *t, const struct stimulus *s)
{
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (pmu_can_count(t->pmu, c, s->event) && count_all(t, c, s))
			return false;
	return true;
}

/* Does a line that is written whole count?  Does CLFLUSH of code throw it out of the op cache?
 * Which writes to the second-level cache have to read first?  No manual says; but all counters
 * must agree. */
static bool is_uncertain(enum pmu_event_id event)
{
	return event == EV_STREAMED_LINES || event == EV_TO_OP_CACHE ||
	       event == EV_L2_READ_MODIFY_WRITES;
}

/* One that counts also what does not retire has a lower bound only. */
static bool check_stimulus(struct run *t, const struct stimulus *s)
{
	const struct pmu_event *event = &t->pmu->events[s->event];
	uint64_t least = s->each ? (uint64_t)s->each * s->iterations : 1;

	if (event->exact)
		return CHECK_EQ(t,
				count_difference(t, t->counter, gated(s->event),
						 in_ring3(s->payload, s->iterations)),
				least);
	if (is_uncertain(s->event) && counts_nowhere(t, s))
		return true;
	return CHECK(t, count_all(t, t->counter, s) >= least);
}

/* Not every edition of a manual has some of them: do they count at all? */
static bool all_silent(struct run *t)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++) {
		if (!pmu_can_count(t->pmu, t->counter, stimuli[i].event))
			continue;
		if (!t->pmu->events[stimuli[i].event].optional)
			return false;
		sum += count_all(t, t->counter, &stimuli[i]);
	}
	return !sum;
}

TEST(occurs, "an event selected by one bit of event or unit mask counts whenever it occurs",
     .clause = "AMD 22007 appendix D, 26094: events 20h, 65h; AMD 55803: PMCx060, 063, 064, "
	       "0CB, 28A; AMD 55898: PMCx28F; AMD 55901: PMCx00A; "
	       "Intel SDM vol. 3B: events of each family",
     .needs = PMU_SELECT | PMU_PRIVILEGE, .per_counter = true)
{
	SKIP_IF(t, all_silent(t), "no such event is documented here, or none counts");
	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++) {
		if (!pmu_can_count(t->pmu, t->counter, stimuli[i].event))
			continue;
		if (!check_stimulus(t, &stimuli[i]))
			report_diag("event %s, payload %s", t->pmu->events[stimuli[i].event].name,
				    stimuli[i].payload->name);
	}
}
