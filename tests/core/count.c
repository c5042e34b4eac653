/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting: what the assembler counted, to the last one, and only while a counter is enabled. */
#include "core.h"

#define GROUP "count"
#define EVENTS                                                                                     \
	"AMD 22007 appendix D; BKDG/PPR of each family: PMCx0C0, 0C2, 0C4; Intel SDM vol. 3B: "    \
	"events of each family"
#define CONTROL                 "AMD64 APM vol. 2, 13.2.1: PERF_CTL; Intel SDM vol. 3B: CCCR"

#define MSR_APERF               0xe8u
#define CPUID_6_ECX_APERF_MPERF BIT(0)

/* Differences are exact, so few iterations say as much as many. */
static const uint64_t iterations = 6;

static void check_difference(struct run *t, const struct payload *payload,
			     const struct pmu_config *cfg, enum ring ring, int64_t each)
{
	uint64_t expected = iterations * (uint64_t)each;

	if (!CHECK_EQ(t, count_difference(t, t->counter, *cfg, in_ring(ring, payload, iterations)),
		      expected))
		report_diag("payload %s in ring %d, %llu against %llu iterations", payload->name,
			    ring == RING_3 ? 3 : 0, (unsigned long long)(2 * iterations),
			    (unsigned long long)iterations);
}

typedef int64_t per_iteration(const struct payload *payload);

/* Every payload, in both rings. */
static void check_event(struct run *t, enum pmu_event_id event, per_iteration *each)
{
	const struct pmu_event *e = &t->pmu->events[event];
	struct pmu_config cfg = everywhere(event);

	SKIP_IF(t, !e->exact, e->reason);
	FOR_EACH_PAYLOAD (p)
		if (p->ordinary) {
			check_difference(t, p, &cfg, RING_0, each(p));
			check_difference(t, p, &cfg, RING_3, each(p));
		}
}

static int64_t each_instructions(const struct payload *payload)
{
	return payload->per_iteration.instructions;
}

static int64_t each_branches(const struct payload *payload)
{
	return payload->per_iteration.branches;
}

static int64_t each_taken(const struct payload *payload)
{
	return payload->per_iteration.taken;
}

TEST(instructions, "retired instructions are counted exactly", .clause = EVENTS,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	check_event(t, EV_INSTRUCTIONS, each_instructions);
}

TEST(branches, "retired branches, taken or not, are counted exactly", .clause = EVENTS,
     .per_counter = true, .counts = EV_BRANCHES)
{
	check_event(t, EV_BRANCHES, each_branches);
}

TEST(taken_branches, "retired taken branches are counted exactly", .clause = EVENTS,
     .per_counter = true, .counts = EV_TAKEN_BRANCHES)
{
	check_event(t, EV_TAKEN_BRANCHES, each_taken);
}

static int64_t each_not_taken(const struct payload *payload)
{
	return payload->per_iteration.branches - payload->per_iteration.taken;
}

TEST(not_taken_branches, "retired branches not taken are counted exactly", .clause = EVENTS,
     .per_counter = true, .counts = EV_NOT_TAKEN_BRANCHES)
{
	check_event(t, EV_NOT_TAKEN_BRANCHES, each_not_taken);
}

/* ---- cycles ---- */

static bool aperf_present(void)
{
	uint64_t value;

	return cpuid(0, 0).eax >= 6 && cpuid(6, 0).ecx & CPUID_6_ECX_APERF_MPERF &&
	       rdmsr_safe(MSR_APERF, &value) == FAULT_NONE;
}

/* An instruction retires in some clock, at most max_per_clock in one. */
static void check_clocks_suffice(struct run *t, uint64_t clocks, uint64_t instructions)
{
	unsigned max = t->pmu->events[EV_INSTRUCTIONS].max_per_clock;

	CHECK(t, clocks > 0);
	if (max)
		CHECK(t, clocks * max >= instructions);
}

TEST(cycles, "clocks are enough for what retired in them, and APERF has seen them all",
     .clause = "AMD BKDG/PPR of each family: PMCx076; AMD64 APM vol. 2: APERF; Intel SDM vol. 3B: "
	       "global_power_events",
     .per_counter = true, .counts = EV_CYCLES)
{
	bool aperf = aperf_present();

	FOR_EACH_PAYLOAD (p) {
		uint64_t before = aperf ? rdmsr(MSR_APERF) : 0, clocks;

		if (!p->ordinary)
			continue;
		clocks = count(t, t->counter, gated(EV_CYCLES), in_ring3(p, iterations));
		check_clocks_suffice(t, clocks,
				     (uint64_t)payload_total(p, iterations).instructions);
		/* APERF counts the same clocks, those of ring 0 too; 0 where it stands still, as it
		 * does under some hypervisors. */
		if (aperf && rdmsr(MSR_APERF) != before)
			CHECK(t, rdmsr(MSR_APERF) - before >= clocks);
	}
}

static void check_agree(struct run *t, struct window *w, const struct payload *payload)
{
	w->work = in_ring3(payload, iterations);
	window_run(t, w);
	for (unsigned i = 1; i < w->n; i++)
		CHECK_EQ(t, w->c[i].out, w->c[0].out);
}

TEST(counters_agree, "all counters on the same event of the same run have the same value",
     .clause = CONTROL, .needs = PMU_PRIVILEGE, .min_counters = 2)
{
	for (unsigned event = EV_CYCLES; event < EV_COUNT; event++) {
		struct window w = window_of_all(t, gated((enum pmu_event_id)event));

		check_agree(t, &w, &payload_sub);
		check_agree(t, &w, &payload_mix);
	}
}

/* ---- starting, stopping, wrapping ---- */

#define SOME_VALUE UINT64_C(0x34569abc)

static uint64_t read_counter(const struct run *t)
{
	return pmu_read(t->pmu, t->counter);
}

static void run_payload(void)
{
	static uint64_t buffer[64];

	payload_mix.entry(iterations, buffer);
	payload_sub.entry(iterations, buffer);
}

/* Not inlined: every window must execute the same instructions around the payload. */
static __attribute__((noinline)) void run_enabled(const struct pmu *pmu, uint64_t ctrs)
{
	pmu_start(pmu, ctrs);
	run_payload();
	pmu_stop(pmu, ctrs);
}

/* The event that a counter shows best that it counts: an exact one if it can count any. */
static enum pmu_event_id event_of(const struct pmu *pmu, unsigned ctr)
{
	unsigned best = EV_NONE;

	for (unsigned event = EV_COUNT - 1; event > EV_NONE; event--)
		if (pmu_can_count(pmu, ctr, (enum pmu_event_id)event) &&
		    !pmu->events[event].optional &&
		    (!best || pmu->events[event].exact || !pmu->events[best].exact))
			best = event;
	return (enum pmu_event_id)best;
}

/* A counter programmed to count all of its event from SOME_VALUE, disabled. */
static void prepare(struct run *t, unsigned ctr)
{
	struct pmu_config cfg = everywhere(event_of(t->pmu, ctr));

	pmu_program(t->pmu, ctr, &cfg);
	pmu_write(t->pmu, ctr, SOME_VALUE);
	t->programmed |= BIT(ctr);
}

TEST(stopped_holds, "a stopped counter keeps its value, and counts on from it when started again",
     .clause = CONTROL, .per_counter = true)
{
	const struct pmu *pmu = t->pmu;
	uint64_t stopped;

	prepare(t, t->counter);
	run_enabled(pmu, BIT(t->counter));
	stopped = read_counter(t);
	CHECK(t, stopped > SOME_VALUE);
	run_payload();
	CHECK_EQ(t, read_counter(t), stopped);
	run_enabled(pmu, BIT(t->counter));
	if (pmu->events[event_of(pmu, t->counter)].exact)
		CHECK_EQ(t, read_counter(t) - stopped, stopped - SOME_VALUE);
	else
		CHECK(t, read_counter(t) > stopped);
}

TEST(enable_gates, "a counter counts when it is enabled itself, not when others are",
     .clause = CONTROL, .per_counter = true)
{
	const struct pmu *pmu = t->pmu;
	uint64_t others = (BIT(pmu->counters) - 1) & ~BIT(t->counter);

	for (unsigned i = 0; i < pmu->counters; i++)
		prepare(t, i);
	run_payload();
	CHECK_EQ(t, read_counter(t), SOME_VALUE);
	run_enabled(pmu, others);
	CHECK_EQ(t, read_counter(t), SOME_VALUE);
	for (unsigned i = 0; i < pmu->counters; i++)
		pmu_write(pmu, i, 0);
	run_enabled(pmu, BIT(t->counter));
	for (unsigned i = 0; i < pmu->counters; i++)
		CHECK(t, (pmu_read(pmu, i) != 0) == (i == t->counter));
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

	REQUIRE(t, half > 0);
	CHECK_EQ(t, count_from(t, mask + 1 - half), all - half);
	CHECK_EQ(t, count_from(t, mask + 1 - all), 0);
	CHECK_EQ(t, count_from(t, mask - all), mask);
	CHECK_EQ(t, count_from(t, mask), all - 1);
}

TEST(select_keeps_count, "writing the select register leaves the count alone", .clause = CONTROL,
     .per_counter = true)
{
	const struct pmu *pmu = t->pmu;

	prepare(t, t->counter);
	for (unsigned event = EV_CYCLES; event < EV_COUNT; event++) {
		struct pmu_config cfg = everywhere((enum pmu_event_id)event);

		if (!can_count(t, cfg.event))
			continue;
		pmu_program(pmu, t->counter, &cfg);
		CHECK_EQ(t, read_counter(t), SOME_VALUE);
	}
}

/* ---- unit mask, pin control ---- */

/* The union of the sub-events of one run is their sum: no instruction is of both kinds. */
static void check_union(struct run *t)
{
	struct window w = {.n = 3,
			   .c = {{.cfg = gated(EV_SUB_A)},
				 {.cfg = gated(EV_SUB_B)},
				 {.cfg = gated(EV_SUB_BOTH)}},
			   .work = in_ring3(&payload_sub, iterations)};

	window_assign(t, &w, 0);
	window_run(t, &w);
	CHECK_EQ(t, w.c[0].out + w.c[1].out, w.c[2].out);
}

static uint64_t count_sub(struct run *t, enum pmu_event_id event)
{
	return count_difference(t, t->counter, everywhere(event),
				in_ring3(&payload_sub, iterations));
}

TEST(unit_mask, "each unit-mask bit selects its own sub-event, and two select both",
     .clause = "AMD 22007 appendix D: event 20h; BKDG/PPR of each family: PMCx0CB",
     .needs = PMU_UNIT_MASK, .min_counters = 3, .per_counter = true)
{
	const struct pmu_event *event = &t->pmu->events[EV_SUB_BOTH];
	uint64_t a = count_sub(t, EV_SUB_A), b = count_sub(t, EV_SUB_B);
	uint64_t both = count_sub(t, EV_SUB_BOTH);

	SKIP_IF(t, event->optional && !a && !b && !both, event->reason);
	check_union(t);
	if (!event->exact)
		return;
	/* As tests/payloads/sub.asm has them. */
	CHECK_EQ(t, a, 2 * iterations);
	CHECK_EQ(t, b, 3 * iterations);
	CHECK_EQ(t, both, 5 * iterations);
}

TEST(pin_control, "driving a pin leaves the count as it is", .clause = "AMD 22007 appendix D: PC",
     .needs = PMU_PIN_CONTROL, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = everywhere(EV_INSTRUCTIONS);

	cfg.pin_control = true;
	check_difference(t, &payload_straight, &cfg, RING_0,
			 payload_straight.per_iteration.instructions);
	check_difference(t, &payload_straight, &cfg, RING_3,
			 payload_straight.per_iteration.instructions);
}
