/* SPDX-License-Identifier: BSD-2-Clause */
/* Front-end, execution and replay tagging. */
#include "tag.h"

#define GROUP     "tag"
#define AT        "Intel SDM vol. 3B, 18.15: At-Retirement Counting: "
#define EXECUTION AT "Tagging Mechanism for Execution_event"

struct netburst_config nb_mmx_tagger(unsigned tag_value)
{
	return (struct netburst_config){.event = NB_64BIT_MMX_UOP,
					.mask = BIT(15),
					.user = true,
					.tag_enable = true,
					.tag_value = tag_value};
}

struct netburst_config nb_feed(void)
{
	return (struct netburst_config){.event = NB_LOAD_PORT_REPLAY, .mask = BIT(1), .user = true};
}

uint64_t nb_tagged(struct run *t, const struct nb_tagging *tagging, unsigned ctr,
		   const struct payload *payload)
{
	struct netburst_config cfg = {.event = tagging->downstream ? tagging->downstream
								   : NB_EXECUTION_EVENT,
				      .mask = (unsigned)tagging->mask,
				      .user = true};
	struct window w = nb_window(ctr, cfg, in_ring3(payload, NB_TAG_ITERATIONS));

	if (tagging->feeder != NB_NO_FEEDER)
		w.c[w.n++] = (struct slot){.ctr = tagging->feeder, .nb = nb_feed()};
	nb_upstream(t, tagging->half, &tagging->upstream);
	window_difference(t, &w);
	return w.c[0].out;
}

/* Downstream on each counter that can, upstream in either half; each: per iteration.  twice: a
 * micro-op for the address and one for the data of a store may both be tagged. */
static void check_tagged(struct run *t, const struct nb_tagging *tagging,
			 const struct payload *payload, uint64_t each, bool twice)
{
	struct nb_tagging either = *tagging;
	uint64_t want = each * NB_TAG_ITERATIONS;

	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++)
		for (either.half = 0; either.half < 2; either.half++) {
			uint64_t got;

			pmu_reset(t->pmu);
			got = nb_tagged(t, &either, ctr, payload);
			CHECK_EQ(t, got, twice && got > want ? 2 * want : want);
		}
}

NB_TEST(front_end, "front_end_event counts the loads, or the stores, that uop_type tags",
	.clause = AT "Tagging Mechanism for Front_end_event")
{
	const struct payload_counts *each = &payload_memory.per_iteration;
	struct nb_tagging tagging = {
		.upstream = {.event = NB_UOP_TYPE, .mask = BIT(1), .user = true},
		.downstream = NB_FRONT_END_EVENT,
		.mask = NBOGUS0,
		.feeder = NB_NO_FEEDER,
	};

	check_tagged(t, &tagging, &payload_memory, (uint64_t)each->loads, false);
	tagging.upstream.mask = BIT(2);
	check_tagged(t, &tagging, &payload_memory, (uint64_t)each->stores, true);
	tagging.upstream.mask = 0;
	check_tagged(t, &tagging, &payload_memory, 0, false);
}

/* Loads of ring 0, of which the window has more than the payload's. */
static uint64_t kernel_loads(struct run *t, unsigned half, struct netburst_config upstream)
{
	const struct netburst_config tagged = {
		.event = NB_FRONT_END_EVENT, .mask = NBOGUS0, .kernel = true};

	pmu_reset(t->pmu);
	nb_upstream(t, half, &upstream);
	return nb_count(t, 12, tagged, in_ring0(&payload_memory, NB_TAG_ITERATIONS));
}

NB_TEST(levels, "uop_type tags at the levels that its own ESCR asks for",
	.clause = AT "Tagging Mechanism for Front_end_event")
{
	const uint64_t loads = (uint64_t)payload_memory.per_iteration.loads * NB_TAG_ITERATIONS;
	struct netburst_config kernel = {.event = NB_UOP_TYPE, .mask = BIT(1), .kernel = true};
	struct netburst_config user = {.event = NB_UOP_TYPE, .mask = BIT(1), .user = true};

	for (unsigned half = 0; half < 2; half++) {
		CHECK(t, kernel_loads(t, half, kernel) >= loads);
		CHECK_EQ(t, kernel_loads(t, half, user), 0);
	}
}

/* Loads of the other processor, of which the window has more than the payload's. */
static uint64_t loads_there(struct run *t, unsigned half, struct netburst_config upstream,
			    enum ring ring)
{
	const struct netburst_config tagged = {.event = NB_FRONT_END_EVENT,
					       .mask = NBOGUS0,
					       .other_user = true,
					       .other_kernel = true};
	struct work loads = in_ring(ring, &payload_memory, NB_TAG_ITERATIONS);

	upstream.event = NB_UOP_TYPE;
	upstream.mask = BIT(1);
	loads.on_sibling = true;
	pmu_reset(t->pmu);
	nb_upstream(t, half, &upstream);
	return nb_count(t, 12, tagged, loads);
}

NB_TEST(of_other, "uop_type tags for the processor whose flags its own ESCR has",
	.clause = AT "Tagging Mechanism for Front_end_event; 18.16: T0_USR to T1_OS",
	.needs = PMU_HT)
{
	const uint64_t loads = (uint64_t)payload_memory.per_iteration.loads * NB_TAG_ITERATIONS;
	const struct netburst_config there_3 = {.other_user = true},
				     there_0 = {.other_kernel = true};
	const struct netburst_config here_3 = {.user = true};

	test_start_sibling(t);
	for (unsigned half = 0; half < 2; half++) {
		CHECK(t, loads_there(t, half, there_3, RING_3) >= loads);
		CHECK(t, loads_there(t, half, there_0, RING_0) >= loads);
		CHECK_EQ(t, loads_there(t, half, here_3, RING_3), 0);
	}
}

/* Each load of the payload is of another instruction. */
NB_TEST(instructions, "instr_retired tells instructions with a tag from those without",
	.clause = AT "Tagging Mechanism for Front_end_event")
{
	const struct payload_counts *each = &payload_memory.per_iteration;
	struct nb_tagging tagging = {
		.upstream = {.event = NB_UOP_TYPE, .mask = BIT(1), .user = true},
		.downstream = NB_INSTR_RETIRED,
		.mask = NBOGUSTAG,
		.feeder = NB_NO_FEEDER,
	};

	check_tagged(t, &tagging, &payload_memory, (uint64_t)each->loads, false);
	tagging.mask = NBOGUSNTAG;
	check_tagged(t, &tagging, &payload_memory, (uint64_t)(each->instructions - each->loads),
		     false);
}

NB_TEST(execution, "execution_event counts the micro-ops of the kind that the upstream ESCR tags",
	.clause = EXECUTION)
{
	struct nb_tagging tagging = {
		.upstream = nb_mmx_tagger(1), .mask = NBOGUS0, .feeder = NB_FEEDER};

	check_tagged(t, &tagging, &payload_spaced, 1, false);
	check_tagged(t, &tagging, &payload_vector, 0, false);
	/* As tests/payloads/vector.asm has them. */
	tagging.upstream.event = NB_X87_FP_UOP;
	check_tagged(t, &tagging, &payload_vector, 2, false);
	tagging.upstream.event = NB_PACKED_SP_UOP;
	check_tagged(t, &tagging, &payload_vector, 3, false);
}

NB_TEST(tag_values,
	"each tag bit is counted by its own mask bit, a micro-op once however many match",
	.clause = EXECUTION)
{
	static const struct {
		unsigned tag_value;
		uint64_t mask;
		unsigned each;
	} cases[] = {
		{1, NBOGUS0, 1}, {2, NBOGUS0, 0}, {2, NBOGUS1, 1}, {3, NBOGUS0 | NBOGUS1, 1},
		{8, BIT(3), 1},  {4, BIT(2), 1},  {4, BIT(3), 0},  {0, FIELD(3, 0), 0},
	};
	struct nb_tagging tagging = {.feeder = NB_FEEDER};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		tagging.upstream = nb_mmx_tagger(cases[i].tag_value);
		tagging.mask = cases[i].mask;
		check_tagged(t, &tagging, &payload_spaced, cases[i].each, false);
	}
	tagging.upstream = nb_mmx_tagger(1);
	tagging.upstream.tag_enable = false;
	tagging.mask = NBOGUS0;
	check_tagged(t, &tagging, &payload_spaced, 0, false);
}

#define LOAD_MISSES (PEBS_ENABLE_UOP_TAG | BIT(0)) /* of the first-level cache */
#define LOADS       BIT(0)

/* The runner's reset puts both registers back. */
/* Enough that a miss is among them wherever the loads of before have left the caches. */
#define MISSES UINT64_C(64)

static uint64_t replays(struct run *t, unsigned ctr, uint64_t enable, uint64_t matrix)
{
	const struct netburst_config replayed = {
		.event = NB_REPLAY_EVENT, .mask = NBOGUS0, .user = true};

	wrmsr(MSR_PEBS_MATRIX_VERT, matrix);
	wrmsr(MSR_PEBS_ENABLE, enable);
	return nb_count(t, ctr, replayed, in_ring3(&payload_misses, MISSES));
}

/* That each load is replayed that misses is the way of the processor, and no promise: some are.
 * Whether UOP_TAG must be set at all is told differently in different places. */
NB_TEST(replay,
	"replay_event counts loads that miss, once, if PEBS_ENABLE and PEBS_MATRIX_VERT say so",
	.clause = AT "Tagging Mechanism for Replay_event")
{
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		uint64_t both = replays(t, ctr, LOAD_MISSES, LOADS);

		CHECK(t, both > 0 && both <= MISSES + (uint64_t)payload_misses.fixed.loads);
		CHECK_EQ(t, replays(t, ctr, LOAD_MISSES, 0), 0);
		CHECK_EQ(t, replays(t, ctr, 0, 0), 0);
	}
}
