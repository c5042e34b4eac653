/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting: what the assembler counted, to the last one, and only while a counter is enabled. */
#include "core.h"
#include "pmu/meters/meters.h"

#define GROUP "count", "privilege"
#define EVENTS                                                                                     \
	"AMD 22007 appendix D; BKDG/PPR of each family: PMCx0C0, 0C2, 0C4; SDM vol. 3B: "          \
	"events of each family"
#define CONTROL "AMD64 APM vol. 2, 13.2.1: PERF_CTL; SDM vol. 3B: CCCR"

/* Differences are exact, so few iterations say as much as many. */
static const uint64_t iterations = 6;

static void check_difference(struct run *t, const struct payload *payload,
			     const struct pmu_config *cfg, enum ring ring, int64_t each)
{
	uint64_t expected = iterations * (uint64_t)each, got;
	unsigned tries = tries_for(t, BIT(cfg->event));

	do
		got = count_difference(t, t->counter, *cfg, in_ring(ring, payload, iterations));
	while (got != expected && --tries);
	if (!CHECK_COUNT(t, got, expected))
		report_diag("payload %s in ring %d, %llu against %llu iterations", payload->name,
			    ring == RING_3 ? 3 : 0, (unsigned long long)(2 * iterations),
			    (unsigned long long)iterations);
}

/* Instructions that may count twice do so in both rings, or in none: one count in ring 3 tells. */
static int64_t each_here(struct run *t, const struct payload *payload, const struct pmu_config *cfg,
			 int64_t each)
{
	const uint64_t twice = event_twice(&t->pmu->events[cfg->event], payload);
	const uint64_t all = iterations * ((uint64_t)each + twice);

	if (!twice || count_difference(t, t->counter, *cfg, in_ring3(payload, iterations)) != all)
		return each;
	return each + (int64_t)twice;
}

/* Every payload whose counts are known, in both rings; less: what of it the event leaves out. */
static void check_event(struct run *t, const char *quantity, const char *less)
{
	struct pmu_config cfg = in_all_rings(t->test->counts);

	FOR_EACH_PAYLOAD (p) {
		int64_t each = (int64_t)(payload_does(p, quantity) - payload_does(p, less));

		if (!p->ordinary || payload_missing(p))
			continue;
		each = each_here(t, p, &cfg, each);
		check_difference(t, p, &cfg, RING_0, each);
		check_difference(t, p, &cfg, RING_3, each);
	}
}

#define COUNT_TEST(name, claim, event, quantity, less)                                             \
	TEST(name, claim, .clause = EVENTS, .per_counter = true, .counts = event, .exact = true)   \
	{                                                                                          \
		check_event(t, quantity, less);                                                    \
	}

COUNT_TEST(instructions, "retired instructions are counted exactly", EV_INSTRUCTIONS,
	   "instructions", "")
COUNT_TEST(branches, "retired branches, taken or not, are counted exactly", EV_BRANCHES, "branches",
	   "")
COUNT_TEST(taken_branches, "retired taken branches are counted exactly", EV_TAKEN_BRANCHES, "taken",
	   "")
COUNT_TEST(not_taken_branches, "retired branches not taken are counted exactly",
	   EV_NOT_TAKEN_BRANCHES, "branches", "taken")

/* ---- cycles ---- */

static bool aperf_present(void)
{
	uint64_t value;

	return cpuid_if_there(CPUID_POWER, 0).ecx & CPUID_6_ECX_EFFECTIVE &&
	       rdmsr_safe(MSR_APERF, &value) == FAULT_NONE;
}

/* An instruction retires in some clock, at most max_per_clock in one. */
static void check_clocks_suffice(struct run *t, uint64_t clocks, uint64_t instructions)
{
	unsigned max = t->pmu->events[EV_INSTRUCTIONS].max_per_clock;

	if (max)
		CHECK_IS(t, clocks * max, >=, instructions);
}

TEST(cycles, "clocks are enough for what retired in them, and APERF has seen them all",
     .clause = "AMD BKDG/PPR of each family: PMCx076; AMD64 APM vol. 2: APERF; SDM vol. 3B: "
	       "global_power_events",
     .per_counter = true, .counts = EV_CYCLES)
{
	bool aperf = aperf_present();

	const struct pmu_config cfg = gated(EV_CYCLES);

	FOR_EACH_PAYLOAD (p) {
		uint64_t before = aperf ? rdmsr(MSR_APERF) : 0, clocks;

		if (!p->ordinary || payload_missing(p))
			continue;
		clocks = count(t, t->counter, cfg, in_ring3(p, iterations));
		CHECK_IS(t, clocks, >, 0);
		check_clocks_suffice(t, clocks + clocks_hidden(t, &cfg, GATE_CHANGES),
				     (uint64_t)payload_total(p, iterations).instructions);
		/* APERF counts the same clocks, in ring 0 too; 0 where it stands still, as it
		 * does under some hypervisors. */
		if (aperf && rdmsr(MSR_APERF) != before)
			CHECK_IS(t, rdmsr(MSR_APERF) - before, >=, clocks);
	}
}

static void check_agree(struct run *t, struct window *w)
{
	const uint64_t hidden = clocks_hidden(t, &w->c[0].cfg, GATE_CHANGES);
	const struct payload *const payloads[] = {&payload_sub, &payload_mix};

	for (unsigned p = 0; p < ARRAY_SIZE(payloads); p++) {
		w->work = in_ring3(payloads[p], iterations);
		window_run(t, w);
		for (unsigned i = 1; i < w->n; i++)
			OF_COUNTER(t, w->c[i].ctr, CHECK_NEAR(t, w->c[i].out, w->c[0].out, hidden));
	}
}

TEST(counters_agree, "all counters on the same event of the same run have the same value",
     .clause = CONTROL, .needs = PMU_PRIVILEGE, .min_counters = 2)
{
	FOR_EACH_EVENT (t->pmu, event) {
		struct window w = window_of_all(t, gated(event)),
			      all = window_of_all(t, in_all_rings(event));

		check_agree(t, &w);
		/* Some are deaf to ring 3 alone. */
		if (all.n > w.n)
			check_agree(t, &all);
	}
}

/* ---- starting, stopping, wrapping ---- */

#define SOME_VALUE UINT64_C(0x34569abc)

static void run_payload(void)
{
	static uint64_t buffer[64];

	kernel_call(payload_mix.entry, iterations, buffer);
	kernel_call(payload_sub.entry, iterations, buffer);
}

/* All of a counter's event from SOME_VALUE on. */
static struct slot best_of(const struct pmu *pmu, unsigned ctr)
{
	return (struct slot){
		.ctr = ctr, .cfg = in_all_rings(telling_event(pmu, ctr)), .from = SOME_VALUE};
}

TEST(stopped_holds, "a stopped counter keeps its value, and counts on from it when started again",
     .clause = CONTROL, .per_counter = true)
{
	struct window w = {
		.n = 1, .c = {best_of(t->pmu, t->counter)}, .work = {.act = run_payload}};
	uint64_t stopped;

	window_run(t, &w);
	stopped = w.c[0].out;
	CHECK_IS(t, stopped, >, SOME_VALUE);
	run_payload();
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), stopped);
	window_go_on(t, &w);
	if (pmu_is_exact(t->pmu, w.c[0].cfg.event))
		CHECK_COUNT(t, w.c[0].out - stopped, stopped - SOME_VALUE);
	else
		CHECK_IS(t, w.c[0].out, >, stopped);
}

TEST(enable_gates, "a counter counts when it is enabled itself, not when others are",
     .clause = CONTROL, .per_counter = true)
{
	struct window w = {.n = t->pmu->counters, .work = {.act = run_payload}};

	for (unsigned i = 0; i < w.n; i++)
		w.c[i] = best_of(t->pmu, i);
	window_program(t, &w);
	run_payload();
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), SOME_VALUE);
	w.c[t->counter].waits = true;
	window_go_on(t, &w);
	CHECK_EQ(t, w.c[t->counter].out, SOME_VALUE);
	for (unsigned i = 0; i < w.n; i++) {
		w.c[i].waits = i != t->counter;
		w.c[i].from = 0;
	}
	window_again(t, &w);
	CHECK_EQ(t, counters_not_zero(t), BIT(t->counter));
}

static uint64_t count_from(struct run *t, uint64_t from)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter, .cfg = gated(EV_INSTRUCTIONS), .from = from}},
			   .work = in_ring3(&payload_mix, iterations)};

	window_run(t, &w);
	return w.c[0].out;
}

TEST(wraps, "a counter goes from all ones to zero and on, without losing an event",
     .clause = CONTROL, .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter), all = count_from(t, 0), half = all / 2;

	REQUIRE_IS(t, half, >, 0);
	CHECK_COUNT(t, count_from(t, mask + 1 - half), all - half);
	CHECK_COUNT(t, count_from(t, mask + 1 - all), 0);
	CHECK_COUNT(t, count_from(t, mask - all), mask);
	CHECK_COUNT(t, count_from(t, mask), all - 1);
}

TEST(select_keeps_count, "writing the select register leaves the count alone", .clause = CONTROL,
     .per_counter = true)
{
	struct window w = {.n = 1, .c = {best_of(t->pmu, t->counter)}};

	window_program(t, &w);
	FOR_EACH_EVENT (t->pmu, event) {
		struct pmu_config cfg = in_all_rings(event);

		if (!can_count(t, event))
			continue;
		pmu_program(t->pmu, t->counter, &cfg);
		CHECK_EQ(t, pmu_read(t->pmu, t->counter), SOME_VALUE);
	}
}

/* ---- unit mask, pin control ---- */

/* Three events: two, and the one whose unit mask has the bits of both. */
enum { ONE, OTHER, BOTH, EVENTS_OF_UNION };

static bool is_union(const struct pmu_event *one, const struct pmu_event *other,
		     const struct pmu_event *both)
{
	return one->code == both->code && other->code == both->code && one->unit_mask &&
	       one->unit_mask < other->unit_mask &&
	       one->unit_mask + other->unit_mask == both->unit_mask;
}

/* The first such events of the PMU's, which has some. */
static void find_union(const struct pmu_event *all, unsigned event[EVENTS_OF_UNION])
{
	for (event[BOTH] = EV_OWN; all[event[BOTH]].name; event[BOTH]++)
		for (event[OTHER] = EV_OWN; event[OTHER] < event[BOTH]; event[OTHER]++)
			for (event[ONE] = EV_OWN; event[ONE] < event[OTHER]; event[ONE]++)
				if (is_union(&all[event[ONE]], &all[event[OTHER]],
					     &all[event[BOTH]]))
					return;
}

/* No instruction is of both kinds. */
static void check_union(struct run *t, const unsigned event[EVENTS_OF_UNION])
{
	struct occasion occasion = payload_occasion(t->pmu->events[event[BOTH]].occasion);
	struct window w = {.n = EVENTS_OF_UNION, .work = in_ring3(occasion.payload, iterations)};

	for (unsigned i = 0; i < EVENTS_OF_UNION; i++)
		w.c[i].cfg = gated(event[i]);
	window_assign(t, &w, 0);
	window_run(t, &w);
	CHECK_COUNT(t, w.c[ONE].out + w.c[OTHER].out, w.c[BOTH].out);
}

TEST(unit_mask, "each unit-mask bit selects its own sub-event, and two select both",
     .clause = "AMD 22007 appendix D: event 20h; BKDG/PPR of each family: PMCx0CB",
     .needs = PMU_UNIT_MASK, .min_counters = 3, .per_counter = true)
{
	unsigned event[EVENTS_OF_UNION];
	const struct pmu_event *both;
	bool expected = false;

	find_union(t->pmu->events, event);
	both = &t->pmu->events[event[BOTH]];
	SKIP_IF(t, both->why->accuracy == PMU_UNCERTAIN, both->why->text);
	for (unsigned i = 0; i < EVENTS_OF_UNION; i++)
		expected |= event_check(t, &t->pmu->events[event[i]]);
	SKIP_IF(t, !expected, "only some editions of the guide have such events, and none counts");
	check_union(t, event);
}

TEST(pin_control, "driving a pin leaves the count as it is", .clause = "AMD 22007 appendix D: PC",
     .needs = PMU_PIN_CONTROL, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = in_all_rings(EV_INSTRUCTIONS);

	cfg.pin_control = true;
	check_difference(t, &payload_straight, &cfg, RING_0,
			 payload_straight.per_iteration.instructions);
	check_difference(t, &payload_straight, &cfg, RING_3,
			 payload_straight.per_iteration.instructions);
}
