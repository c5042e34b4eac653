/* SPDX-License-Identifier: BSD-2-Clause */
/* ESCR by ESCR: that its event, its mask and its privilege bits each decide what is counted. */
#include "netburst.h"

#define GROUP "event", "count"
#define ESCR  "SDM vol. 3B, 18.15: ESCR MSRs"

static const uint64_t iterations = 20;

/* TLBs, caches and traces.  Assumed: the trace cache is one of the internal caches that WBINVD
 * empties. */
static void forget_all(void)
{
	write_cr3(read_cr3());
	wbinvd();
}

static struct work work_of(const struct pmu_event *event, enum ring ring)
{
	return in_ring(ring, payload_occasion(event->occasion).payload, iterations);
}

/* The event with the mask and flags of cfg. */
static uint64_t count_work(struct run *t, unsigned ctr, const struct pmu_event *event,
			   struct netburst_config cfg, struct work work)
{
	const bool once = event_least(event, iterations) == 1;
	struct window w = nb_window(ctr, cfg, work);

	nb(&w.c[0])->event = event->code;
	window_program(t, &w);
	window_open(t, &w);
	/* An event that is to occur once in all does so if nothing is cached at first.  The caches
	 * and traces are those of the core; the other processor empties its TLB before each job. */
	if (once)
		forget_all();
	work_do(&w.work);
	window_close(t, &w);
	return w.c[0].out;
}

static uint64_t counted(struct run *t, unsigned ctr, const struct pmu_event *event,
			struct netburst_config cfg, enum ring ring)
{
	return count_work(t, ctr, event, cfg, work_of(event, ring));
}

/* The count while the other processor works, and this one waits in ring 0. */
static uint64_t counted_there(struct run *t, unsigned ctr, const struct pmu_event *event,
			      struct netburst_config cfg, enum ring ring)
{
	struct work work = work_of(event, ring);

	work.on_sibling = true;
	cfg.mask = event->unit_mask;
	return count_work(t, ctr, event, cfg, work);
}

/* False: an event of another group, or of another processor; or modes of the first of two logical
 * processors. */
static bool can_select(const struct run *t, unsigned ctr, const struct pmu_event *event)
{
	const struct netburst_config cfg = {.event = event->code, .mask = event->unit_mask};

	return !netburst_program(t->pmu, ctr, &cfg) &&
	       !(event->code == NB_TC_DELIVER_MODE && netburst(t->pmu)->thread);
}

static uint64_t count_of_user(struct run *t, unsigned ctr, const struct pmu_event *event)
{
	const struct netburst_config user = {.mask = event->unit_mask, .user = true};

	if (!can_select(t, ctr, event))
		return 0;
	return count_work(t, ctr, event, user, work_of(event, RING_3));
}

/* The first counter of each half of each group: the others have the same ESCRs. */
static bool is_first_of_half(unsigned ctr)
{
	return ctr % 2 == 0 && ctr < 16;
}

/* Firmware keeps the other processor in ring 0. */
static void check_other_flags(struct run *t, unsigned ctr, const struct pmu_event *event,
			      uint64_t least)
{
	struct netburst_config user = {.mask = event->unit_mask, .other_user = true};
	struct netburst_config kernel = {.mask = event->unit_mask, .other_kernel = true};

	if (!netburst_is_thread_independent(event->code)) {
		CHECK_EQ(t, counted(t, ctr, event, user, RING_3), 0);
		return;
	}
	CHECK_IS(t, counted(t, ctr, event, user, RING_3), >=, least);
	CHECK_IS(t, counted(t, ctr, event, kernel, RING_0), >=, least);
}

static void check_flags(struct run *t, unsigned ctr, const struct pmu_event *event)
{
	const uint64_t least = event_least(event, iterations);
	struct netburst_config kernel = {.mask = event->unit_mask, .kernel = true};
	struct netburst_config no_mask = {.user = true}, no_level = {.mask = event->unit_mask};

	CHECK_IS(t, count_of_user(t, ctr, event), >=, least);
	if (!is_first_of_half(ctr))
		return;
	CHECK_IS(t, counted(t, ctr, event, kernel, RING_0), >=, least);
	CHECK_EQ(t, counted(t, ctr, event, no_mask, RING_3), 0);
	CHECK_EQ(t, counted(t, ctr, event, no_level, RING_3), 0);
	CHECK_EQ(t, counted(t, ctr, event, no_level, RING_0), 0);
	if (t->pmu->features & PMU_HT)
		check_other_flags(t, ctr, event, least);
}

/* On one counter, each event that it can count and is expected to. */
static void check_each(struct run *t, unsigned ctr, const struct pmu_event *all,
		       void (*check)(struct run *t, unsigned ctr, const struct pmu_event *event))
{
	for (const struct pmu_event *event = all; event->name; event++) {
		unsigned failures = t->failures;

		if (can_select(t, ctr, event) &&
		    event_is_expected(t, all, event, iterations, count_of_user))
			check(t, ctr, event);
		if (t->failures > failures)
			report_diag("counter %u, event %s %s, payload %s", ctr,
				    netburst_event_name(event->code), event->name, event->occasion);
	}
}

NB_COUNTER_TEST(decides,
		"an event is counted with its mask bit, at the levels asked for, and not without",
		.clause = ESCR "; 18.16: TS and TI")
{
	check_each(t, t->counter, netburst_escr_events, check_flags);
}

static void check_there(struct run *t, unsigned ctr, const struct pmu_event *event)
{
	const uint64_t least = event_least(event, iterations);
	const struct netburst_config there_3 = {.other_user = true},
				     there_0 = {.other_kernel = true}, here_3 = {.user = true};

	if (netburst_is_thread_independent(event->code) || event->why->accuracy == PMU_UNCERTAIN)
		return;
	CHECK_IS(t, counted_there(t, ctr, event, there_3, RING_3), >=, least);
	CHECK_IS(t, counted_there(t, ctr, event, there_0, RING_0), >=, least);
	CHECK_EQ(t, counted_there(t, ctr, event, here_3, RING_3), 0);
}

NB_TEST(of_other, "the flags of the other processor, not those of this one, count its events",
	.clause = ESCR "; 18.16: T0_USR to T1_OS", .needs = PMU_HT)
{
	test_start_sibling(t);
	for (unsigned ctr = 0; ctr < t->pmu->counters; ctr++)
		if (is_first_of_half(ctr))
			check_each(t, ctr, netburst_escr_events, check_there);
}

static uint64_t completed(struct run *t, unsigned ctr, const struct payload *payload)
{
	struct window w =
		nb_window(ctr, nb_user(NB_INSTR_COMPLETED, BIT(0)), in_ring3(payload, iterations));

	window_difference(t, &w);
	return w.c[0].out;
}

ABSENT_UNLESS(none_completes, netburst_has_event(pmu, NB_INSTR_COMPLETED),
	      "there is no instr_completed")

/* Instructions that instr_retired may count twice are among them. */
NB_TEST(completed_once, "instr_completed counts each instruction once",
	.clause = "SDM vol. 3B, 19: instr_completed", .absent = none_completes)
{
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++)
		FOR_EACH_PAYLOAD (p) {
			if (!p->ordinary || payload_missing(p))
				continue;
			if (!CHECK_EQ(t, completed(t, ctr, p),
				      iterations * (uint64_t)p->per_iteration.instructions))
				report_diag("counter %u, payload %s", ctr, p->name);
		}
}

NB_COUNTER_TEST(uncacheable_splits,
		"if a counter counts accesses over the end of an uncacheable line, all do",
		.clause = "SDM vol. 3B, 19: memory_complete USC, ULC")
{
	SKIP_IF(t, !user_memory_use(USER_BUFFER_UNCACHEABLE), OTHER_PAT);
	check_each(t, t->counter, netburst_uncacheable_events, check_flags);
}

NB_TEST(uncacheable_code,
	"the ITLB is asked for uncacheable code where such code runs, and nowhere else",
	.clause = "SDM vol. 3B, 19: ITLB_reference HIT_UC")
{
	static const struct pmu_reason why = {PMU_AT_LEAST, "asked for each time"};
	const struct pmu_event hit = {.code = NB_ITLB_REFERENCE,
				      .unit_mask = BIT(2),
				      .why = &why,
				      .occasion = "straight.iterations"};

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		if (!can_select(t, c, &hit))
			continue;
		user_memory_use(USER_WRITE_BACK);
		CHECK_EQ(t, count_of_user(t, c, &hit), 0);
		SKIP_IF(t, !user_memory_use(USER_TEXT_UNCACHEABLE), OTHER_PAT);
		CHECK_IS(t, count_of_user(t, c, &hit), >, 0);
	}
}
