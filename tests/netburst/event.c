/* SPDX-License-Identifier: BSD-2-Clause */
/* ESCR by ESCR: that its event, its mask and its privilege bits each decide what is counted. */
#include "netburst.h"

#define GROUP "event"
#define ESCR  "Intel SDM vol. 3B, 18.15: ESCR MSRs"

static const uint64_t iterations = 20;

/* Modes of the first logical processor, whatever the other one is in. */
#define DELIVERS FIELD(2, 0) /* DD, DB, DI */
#define BUILDS   FIELD(5, 3) /* BD, BB, BI */

/* What an iteration does at least so often, whatever is speculative or predicted; 0 times: once in
 * all, if TLBs and caches are empty at first. */
static const struct sure {
	enum netburst_event_id event;
	unsigned mask, times;
	const struct payload *payload;
} sure[] = {
	{NB_GLOBAL_POWER_EVENTS, BIT(0), 1, &payload_chain},
	{NB_FSB_DATA_ACTIVITY, BIT(0), 1, &payload_awkward},
	{NB_FSB_DATA_ACTIVITY, BIT(1), 0, &payload_awkward},
	{NB_FSB_DATA_ACTIVITY, BIT(3), 0, &payload_store_misses},
	{NB_FSB_DATA_ACTIVITY, BIT(4), 0, &payload_awkward},
	{NB_BSQ_CACHE_REFERENCE, BIT(8), 0, &payload_awkward},
	{NB_PAGE_WALK_TYPE, BIT(0), 0, &payload_awkward},
	{NB_PAGE_WALK_TYPE, BIT(1), 0, &payload_awkward},
	{NB_ITLB_REFERENCE, BIT(0), 0, &payload_awkward},
	{NB_ITLB_REFERENCE, BIT(1), 0, &payload_awkward},
	{NB_BPU_FETCH_REQUEST, BIT(0), 0, &payload_awkward},
	{NB_MOB_LOAD_REPLAY, BIT(4), 1, &payload_awkward},
	{NB_WC_BUFFER, BIT(0), 1, &payload_awkward},
	{NB_WC_BUFFER, BIT(1), 1, &payload_awkward},
	{NB_MEMORY_COMPLETE, BIT(0), 1, &payload_awkward},
	{NB_MEMORY_COMPLETE, BIT(1), 2, &payload_awkward},
	{NB_LOAD_PORT_REPLAY, BIT(1), 1, &payload_awkward},
	{NB_STORE_PORT_REPLAY, BIT(1), 2, &payload_awkward},
	{NB_TC_DELIVER_MODE, DELIVERS, 1, &payload_straight},
	{NB_TC_DELIVER_MODE, BUILDS, 0, &payload_straight},
	{NB_UOP_QUEUE_WRITES, BIT(0), 0, &payload_straight},
	{NB_RETIRED_BRANCH_TYPE, BIT(1), 1, &payload_branches},
	{NB_RETIRED_BRANCH_TYPE, BIT(2), 1, &payload_calls},
	{NB_RETIRED_BRANCH_TYPE, BIT(3), 1, &payload_calls},
	{NB_RETIRED_BRANCH_TYPE, BIT(4), 1, &payload_calls},
	{NB_UOP_QUEUE_WRITES, BIT(0) | BIT(1), 1, &payload_straight},
	{NB_UOP_QUEUE_WRITES, BIT(2), 1, &payload_kinds},
	{NB_TC_MS_XFER, BIT(0), 1, &payload_kinds},
	{NB_PACKED_SP_UOP, BIT(15), 1, &payload_kinds},
	{NB_PACKED_DP_UOP, BIT(15), 2, &payload_kinds},
	{NB_SCALAR_SP_UOP, BIT(15), 2, &payload_kinds},
	{NB_SCALAR_DP_UOP, BIT(15), 3, &payload_kinds},
	{NB_128BIT_MMX_UOP, BIT(15), 3, &payload_kinds},
	{NB_64BIT_MMX_UOP, BIT(15), 1, &payload_spaced},
	{NB_X87_FP_UOP, BIT(15), 1, &payload_vector},
	{NB_INSTR_RETIRED, BIT(0), 1, &payload_straight},
	{NB_UOPS_RETIRED, BIT(0), 1, &payload_straight},
	{NB_INSTR_COMPLETED, BIT(0), 1, &payload_straight},
	{NB_BRANCH_RETIRED, 0xf, 1, &payload_branches},
};

/* Not in every edition of the manual: it counts on all counters, or on none. */
static const struct sure in_some_editions[] = {
	{NB_RETIRED_BRANCH_TYPE, BIT(0), 1, &payload_branches},
	{NB_X87_SIMD_MOVES_UOP, BIT(3), 2, &payload_moves},
	{NB_X87_SIMD_MOVES_UOP, BIT(4), 1, &payload_moves},
	{NB_RESOURCE_STALL, BIT(5), 0, &payload_stores},
};

/* What causes it is not certain: where it is frequent on one counter, it occurs on all. */
static const struct sure uncertain[] = {
	{NB_MOB_LOAD_REPLAY, BIT(1), 0, &payload_replays},
	{NB_MOB_LOAD_REPLAY, BIT(3), 0, &payload_replays},
	{NB_MOB_LOAD_REPLAY, BIT(5), 0, &payload_replays},
	{NB_TC_MISC, BIT(4), 0, &payload_code_misses},
	{NB_FSB_DATA_ACTIVITY, BIT(2), 0, &payload_awkward},
	{NB_MEMORY_CANCEL, BIT(2), 0, &payload_stores},
	{NB_MEMORY_CANCEL, BIT(3), 0, &payload_aliases},
};

/* USC and ULC, which one table names and none describes.  Of uncacheable memory: */
static const struct sure uncacheable[] = {
	{NB_MEMORY_COMPLETE, BIT(2), 0, &payload_awkward},
	{NB_MEMORY_COMPLETE, BIT(3), 0, &payload_awkward},
};

/* TLBs, caches and traces.  Assumed: the trace cache is one of the internal caches that WBINVD
 * empties. */
static void forget_all(void)
{
	write_cr3(read_cr3());
	wbinvd();
}

static uint64_t counted(struct run *t, const struct sure *s, struct netburst_config cfg,
			enum ring ring)
{
	struct window w = nb_window(t->counter, cfg, in_ring(ring, s->payload, iterations));

	w.c[0].nb.event = s->event;
	window_program(t, &w);
	window_open(t, &w);
	if (!s->times)
		forget_all();
	work_do(&w.work);
	window_close(t, &w);
	return w.c[0].out;
}

/* TI in the manual's list: of the core, which both logical processors share. */
static bool is_thread_independent(enum netburst_event_id event)
{
	switch (event) {
	case NB_FSB_DATA_ACTIVITY:
	case NB_PAGE_WALK_TYPE:
	case NB_TC_DELIVER_MODE:
	case NB_WC_BUFFER:
	case NB_PACKED_SP_UOP:
	case NB_PACKED_DP_UOP:
	case NB_SCALAR_SP_UOP:
	case NB_SCALAR_DP_UOP:
	case NB_128BIT_MMX_UOP:
	case NB_64BIT_MMX_UOP:
	case NB_X87_FP_UOP:
	case NB_X87_SIMD_MOVES_UOP:
		return true;
	default:
		return false;
	}
}

/* Firmware keeps the other processor in ring 0. */
static void check_other_flags(struct run *t, const struct sure *s, uint64_t least)
{
	struct netburst_config user = {.mask = s->mask, .other_user = true};
	struct netburst_config kernel = {.mask = s->mask, .other_kernel = true};

	if (!is_thread_independent(s->event)) {
		CHECK_EQ(t, counted(t, s, user, RING_3), 0);
		return;
	}
	CHECK(t, counted(t, s, user, RING_3) >= least);
	CHECK(t, counted(t, s, kernel, RING_0) >= least);
}

/* On some counter, so often at least. */
static bool counts_somewhere(struct run *t, const struct sure *s, uint64_t least)
{
	const struct netburst_config asked = {.event = s->event, .mask = s->mask, .user = true};
	const unsigned under_test = t->counter;
	bool counts = false;

	for (t->counter = 0; t->counter < t->pmu->counters && !counts; t->counter++)
		counts = !netburst_program(t->pmu, t->counter, &asked) &&
			 counted(t, s, asked, RING_3) >= least;
	t->counter = under_test;
	return counts;
}

/* Of each half of each group: the others have the same ESCRs. */
static bool is_first_of_half(unsigned ctr)
{
	return ctr % 2 == 0 && ctr < 16;
}

static void check_event(struct run *t, const struct sure *s)
{
	const uint64_t least = s->times ? s->times * iterations : 1;
	struct netburst_config user = {.mask = s->mask, .user = true};
	struct netburst_config kernel = {.mask = s->mask, .kernel = true};
	struct netburst_config asked = {.event = s->event, .mask = s->mask};
	struct netburst_config no_mask = {.user = true}, no_level = {.mask = s->mask};

	if (netburst_program(t->pmu, t->counter, &asked))
		return; /* an event of another group, or of another CPU */
	/* The masks above are those of the first one's modes. */
	if (s->event == NB_TC_DELIVER_MODE && netburst(t->pmu)->thread)
		return;
	CHECK(t, counted(t, s, user, RING_3) >= least);
	if (!is_first_of_half(t->counter))
		return;
	CHECK(t, counted(t, s, kernel, RING_0) >= least);
	CHECK_EQ(t, counted(t, s, no_mask, RING_3), 0);
	CHECK_EQ(t, counted(t, s, no_level, RING_3), 0);
	CHECK_EQ(t, counted(t, s, no_level, RING_0), 0);
	if (t->pmu->features & PMU_HT)
		check_other_flags(t, s, least);
}

/* Where it is frequent on some counter, it is on this one. */
static void check_if_frequent(struct run *t, const struct sure *s)
{
	if (counts_somewhere(t, s, iterations / 2))
		check_event(t, s);
}

NB_COUNTER_TEST(decides,
		"an event is counted with its mask bit, at the levels asked for, and not without",
		.clause = ESCR "; 18.16: TS and TI")
{
	for (unsigned i = 0; i < ARRAY_SIZE(sure); i++)
		check_event(t, &sure[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(in_some_editions); i++)
		if (counts_somewhere(t, &in_some_editions[i], 1))
			check_event(t, &in_some_editions[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(uncertain); i++)
		check_if_frequent(t, &uncertain[i]);
}

/* What the other processor does, while this one waits in ring 0. */
static uint64_t counted_there(struct run *t, const struct sure *s, struct netburst_config cfg,
			      enum ring ring)
{
	struct window w = nb_window(t->counter, cfg, in_ring(ring, s->payload, iterations));

	w.work.on_sibling = true;
	w.c[0].nb.event = s->event;
	w.c[0].nb.mask = s->mask;
	window_program(t, &w);
	window_open(t, &w);
	/* The caches and traces are those of the core; its TLB it empties before each job. */
	if (!s->times)
		forget_all();
	work_do(&w.work);
	window_close(t, &w);
	return w.c[0].out;
}

static void check_event_there(struct run *t, const struct sure *s)
{
	const uint64_t least = s->times ? s->times * iterations : 1;
	const struct netburst_config there_3 = {.other_user = true},
				     there_0 = {.other_kernel = true};
	const struct netburst_config asked = {.event = s->event, .mask = s->mask};

	if (netburst_program(t->pmu, t->counter, &asked) || is_thread_independent(s->event))
		return;
	CHECK(t, counted_there(t, s, there_3, RING_3) >= least);
	CHECK(t, counted_there(t, s, there_0, RING_0) >= least);
	CHECK_EQ(t, counted_there(t, s, (struct netburst_config){.user = true}, RING_3), 0);
}

static void check_counter_there(struct run *t)
{
	for (unsigned i = 0; i < ARRAY_SIZE(sure); i++)
		check_event_there(t, &sure[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(in_some_editions); i++)
		if (counts_somewhere(t, &in_some_editions[i], 1))
			check_event_there(t, &in_some_editions[i]);
}

NB_TEST(of_other,
	"an event of the other processor is counted by that one's flags, not by this one's",
	.clause = ESCR "; 18.16: T0_USR to T1_OS", .needs = PMU_HT)
{
	test_start_sibling(t);
	for (t->counter = 0; t->counter < t->pmu->counters; t->counter++)
		if (is_first_of_half(t->counter))
			check_counter_there(t);
}

NB_COUNTER_TEST(uncacheable_splits,
		"if a counter counts accesses over the end of an uncacheable line, all do",
		.clause = "Intel SDM vol. 3B, 19: memory_complete USC, ULC")
{
	SKIP_IF(t, !user_memory_use(USER_BUFFER_UNCACHEABLE), OTHER_PAT);
	for (unsigned i = 0; i < ARRAY_SIZE(uncacheable); i++)
		check_if_frequent(t, &uncacheable[i]);
}

static void check_uncacheable_code(struct run *t)
{
	const struct sure hit = {NB_ITLB_REFERENCE, BIT(2), 1, &payload_straight};
	const struct netburst_config user = {.mask = hit.mask, .user = true};

	user_memory_use(USER_WRITE_BACK);
	CHECK_EQ(t, counted(t, &hit, user, RING_3), 0);
	SKIP_IF(t, !user_memory_use(USER_TEXT_UNCACHEABLE), OTHER_PAT);
	CHECK(t, counted(t, &hit, user, RING_3) > 0);
}

NB_TEST(uncacheable_code,
	"the ITLB is asked for uncacheable code where such code runs, and nowhere else",
	.clause = "Intel SDM vol. 3B, 19: ITLB_reference HIT_UC")
{
	const struct netburst_config asked = {.event = NB_ITLB_REFERENCE, .mask = BIT(2)};

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		t->counter = c;
		if (!netburst_program(t->pmu, c, &asked))
			check_uncacheable_code(t);
	}
}
