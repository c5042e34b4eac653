/* SPDX-License-Identifier: BSD-2-Clause */
/* Front-end, execution and replay tagging. */
#include "tag.h"

#define GROUP     "tag", "power"
#define AT        "SDM vol. 3B, 18.15: At-Retirement Counting: "
#define FRONT_END AT "Tagging Mechanism for Front_end_event"
#define EXECUTION AT "Tagging Mechanism for Execution_event"

struct netburst_config nb_tagger(enum netburst_event_id event, unsigned tag_value)
{
	struct netburst_config cfg = nb_user(event, BIT(15));

	cfg.tag_enable = true;
	cfg.tag_value = tag_value;
	return cfg;
}

void nb_feed(struct window *w, unsigned feeder)
{
	if (feeder != NB_NO_FEEDER)
		nb_add(w, feeder, nb_user(NB_LOAD_PORT_REPLAY, BIT(1)));
}

uint64_t nb_tagged(struct run *t, const struct nb_tagging *tagging, unsigned half, unsigned ctr,
		   unsigned feeder)
{
	const struct payload *payload = payload_occasion(tagging->payload).payload;
	struct window w = nb_window(ctr, nb_user(tagging->downstream, tagging->mask),
				    in_ring3(payload, NB_TAG_ITERATIONS));

	nb_feed(&w, feeder);
	pmu_reset(t->pmu);
	nb_upstream(t, half, &tagging->upstream);
	window_difference(t, &w);
	return w.c[0].out;
}

/* Downstream on each counter that can, upstream in either half. */
static void check_tagged(struct run *t, const struct nb_tagging *tagging, int64_t each)
{
	const bool stores =
		tagging->upstream.event == NB_UOP_TYPE && tagging->upstream.mask == TAG_STORES;
	uint64_t want = (uint64_t)each * NB_TAG_ITERATIONS;

	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++)
		for (unsigned half = 0; half < 2; half++) {
			uint64_t got = nb_tagged(t, tagging, half, ctr, NB_FEEDER);

			/* A micro-op for the address and one for the data may both be tagged. */
			CHECK_EQ(t, got, stores && got > want ? 2 * want : want);
		}
}

static void check_rows(struct run *t, const struct nb_tagging *rows, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const unsigned failures = t->failures;

		check_tagged(t, &rows[i], (int64_t)payload_occasion(rows[i].payload).each);
		if (t->failures > failures)
			report_diag("tagging %u: %s", i, rows[i].payload);
	}
}

#define TAG_TEST(name, claim, clause_, ...)                                                        \
	NB_TEST(name, claim, .clause = clause_)                                                    \
	{                                                                                          \
		const struct nb_tagging rows[] = {__VA_ARGS__};                                    \
                                                                                                   \
		check_rows(t, rows, ARRAY_SIZE(rows));                                             \
	}

#define OF_TYPE(mask)          nb_user(NB_UOP_TYPE, mask), NB_FRONT_END_EVENT, NBOGUS0
#define BY_VALUE(event, value) nb_tagger(event, value), NB_EXECUTION_EVENT
#define MMX(value)             BY_VALUE(NB_64BIT_MMX_UOP, value)

TAG_TEST(front_end, "front_end_event counts the loads, or the stores, that uop_type tags",
	 FRONT_END, {OF_TYPE(TAG_LOADS), "memory.loads"}, {OF_TYPE(TAG_STORES), "memory.stores"},
	 {OF_TYPE(0), "memory"})

TAG_TEST(execution, "execution_event counts the micro-ops of the kind that the upstream ESCR tags",
	 EXECUTION, {MMX(1), NBOGUS0, "spaced.mmx"}, {MMX(1), NBOGUS0, "vector"},
	 {BY_VALUE(NB_X87_FP_UOP, 1), NBOGUS0, "vector.x87"},
	 {BY_VALUE(NB_PACKED_SP_UOP, 1), NBOGUS0, "vector.packed_single"})

static struct netburst_config disabled_tagger(void)
{
	struct netburst_config cfg = nb_tagger(NB_64BIT_MMX_UOP, 1);

	cfg.tag_enable = false;
	return cfg;
}

TAG_TEST(tag_values,
	 "each tag bit is counted by its own mask bit, a micro-op once however many match",
	 EXECUTION, {MMX(1), NBOGUS0, "spaced.mmx"}, {MMX(2), NBOGUS0, "spaced"},
	 {MMX(2), NBOGUS1, "spaced.mmx"}, {MMX(3), NBOGUS0 | NBOGUS1, "spaced.mmx"},
	 {MMX(8), BIT(3), "spaced.mmx"}, {MMX(4), BIT(2), "spaced.mmx"}, {MMX(4), BIT(3), "spaced"},
	 {MMX(0), FIELD(3, 0), "spaced"},
	 {disabled_tagger(), NB_EXECUTION_EVENT, NBOGUS0, "spaced"})

/* Each load of the payload is of another instruction. */
NB_TEST(instructions, "instr_retired tells instructions with a tag from those without",
	.clause = FRONT_END)
{
	const struct payload_counts *each = &payload_memory.per_iteration;
	struct nb_tagging tagging = {nb_user(NB_UOP_TYPE, TAG_LOADS), NB_INSTR_RETIRED, NBOGUSTAG,
				     "memory"};

	check_tagged(t, &tagging, each->loads);
	tagging.mask = NBOGUSNTAG;
	check_tagged(t, &tagging, each->instructions - each->loads);
}

/* ---- levels and processors ---- */

/* The loads of a window, which also has loads of ring 0 outside the payload: the upstream ESCR and
 * the counter have these flags. */
struct loads {
	struct netburst_config upstream, counted;
	enum ring ring;
	bool there, tagged; /* on the other processor; or nothing is tagged */
};

static void check_loads(struct run *t, const struct loads *l, unsigned half)
{
	struct netburst_config upstream = l->upstream, counted = l->counted;
	struct work work = in_ring(l->ring, &payload_memory, NB_TAG_ITERATIONS);
	uint64_t got, loads = (uint64_t)payload_memory.per_iteration.loads * NB_TAG_ITERATIONS;

	upstream.event = NB_UOP_TYPE;
	upstream.mask = TAG_LOADS;
	counted.event = NB_FRONT_END_EVENT;
	counted.mask = NBOGUS0;
	work.on_sibling = l->there;
	pmu_reset(t->pmu);
	nb_upstream(t, half, &upstream);
	got = nb_count(t, 12, counted, work);
	if (l->tagged)
		CHECK_IS(t, got, >=, loads);
	else
		CHECK_EQ(t, got, 0);
}

NB_TEST(levels, "uop_type tags at the levels that its own ESCR asks for", .clause = FRONT_END)
{
	static const struct loads rows[] = {
		{{.kernel = true}, {.kernel = true}, RING_0, false, true},
		{{.user = true}, {.kernel = true}, RING_0, false, false},
	};

	for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++)
		check_loads(t, &rows[i / 2], i % 2);
}

#define EITHER_RING                                                                                \
	{                                                                                          \
		.other_user = true, .other_kernel = true                                           \
	}

NB_TEST(of_other, "uop_type tags for the processor whose flags its own ESCR has",
	.clause = FRONT_END "; 18.16: T0_USR to T1_OS", .needs = PMU_HT)
{
	static const struct loads rows[] = {
		{{.other_user = true}, EITHER_RING, RING_3, true, true},
		{{.other_kernel = true}, EITHER_RING, RING_0, true, true},
		{{.user = true}, EITHER_RING, RING_3, true, false},
	};

	test_start_sibling(t);
	for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++)
		check_loads(t, &rows[i / 2], i % 2);
}

/* ---- replays ---- */

/* Enough that a miss is among them wherever the loads of before have left the caches. */
#define MISSES UINT64_C(64)

/* The runner's reset ends the tagging. */
static uint64_t replays(struct run *t, unsigned ctr, bool misses, bool loads)
{
	netburst_tag_replays(t->pmu, misses, loads);
	return nb_count(t, ctr, nb_user(NB_REPLAY_EVENT, NBOGUS0),
			in_ring3(&payload_misses, MISSES));
}

/* No manual promises that each load is replayed that misses, but some are.  The manuals differ on
 * whether UOP_TAG must be set at all. */
NB_TEST(replay,
	"replay_event counts loads that miss, once, if PEBS_ENABLE and PEBS_MATRIX_VERT say so",
	.clause = AT "Tagging Mechanism for Replay_event")
{
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		uint64_t both = replays(t, ctr, true, true);

		CHECK_IS(t, both, >, 0);
		CHECK_IS(t, both, <=, MISSES + (uint64_t)payload_misses.fixed.loads);
		CHECK_EQ(t, replays(t, ctr, true, false), 0);
		CHECK_EQ(t, replays(t, ctr, false, false), 0);
	}
}
