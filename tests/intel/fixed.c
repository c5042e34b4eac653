/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's fixed counters: one event each, and four bits of IA32_FIXED_CTR_CTRL to control them. */
#include "intel.h"

#define GROUP          "fixed", "count"
#define FIXED_CTR_CTRL "SDM vol. 3B, 20.2.2: IA32_FIXED_CTR_CTRL"

static const struct payload *const payload = &payload_chain;
static const uint64_t iterations = 100;

ABSENT_IF(no_fixed, intel_general(pmu) == pmu->counters, "this PMU has no fixed counters")

/* From one write of the global register to the next: the same window to the clock. */
static bool check_equal(struct run *t, unsigned fixed, enum ring ring)
{
	struct pmu_config cfg = in_all_rings(first_event(t->pmu, fixed));
	struct window w = {.n = 2,
			   .c = {{.cfg = cfg}, {.ctr = fixed, .cfg = cfg}},
			   .work = in_ring(ring, payload, iterations)};
	unsigned *general = &w.c[0].ctr;

	while (*general < intel_general(t->pmu) && !pmu_can_count(t->pmu, *general, cfg.event))
		++*general;
	if (*general == intel_general(t->pmu))
		return false;
	check_at_once(t, &w);
	return true;
}

INTEL_TEST(equals_general, "a fixed counter counts what a general one counts of the same event",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL, .absent = no_fixed)
{
	bool compared = false;

	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++) {
		compared |= check_equal(t, c, RING_0);
		compared |= check_equal(t, c, RING_3);
	}
	SKIP_IF(t, !compared, "no fixed counter has an event that general ones can count");
}

static void check_field(struct run *t, unsigned fixed, bool kernel, bool user)
{
	static const enum ring others[] = {RING_1, RING_2, RING_3};
	struct pmu_config cfg = {
		.event = first_event(t->pmu, fixed), .user = user, .kernel = kernel};

	/* The window in ring 0 never leaves it; those in other rings begin and end in ring 0. */
	CHECK_EQ(t, count(t, fixed, cfg, in_ring0(payload, iterations)) > 0, kernel);
	for (unsigned i = 0; i < ARRAY_SIZE(others); i++)
		CHECK_EQ(t, count(t, fixed, cfg, in_ring(others[i], payload, iterations)) > 0,
			 kernel || user);
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++)
		if (c != fixed)
			CHECK_EQ(t, pmu_read(t->pmu, c), 0);
}

INTEL_TEST(enable_field,
	   "0, 1, 2, 3 in the enable field: off, ring 0, rings 1 to 3, all; and no neighbour",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL, .absent = no_fixed)
{
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++) {
		pmu_reset(t->pmu);
		/* Opened, so that a field that hits its neighbour shows. */
		pmu_start(t->pmu, all_counters(t->pmu));
		for (unsigned field = 0; field < 4; field++)
			check_field(t, c, field & 1, field & 2);
	}
}

/* ---- reference clocks ---- */

/* Long enough that a step is no more than 0.25 % of the ticks of any TSC. */
#define RATE_US 200u
/* With each clock of the bus come as many reference clocks as the multiplier says: 255 at most. */
#define STEP  510u
#define TRIES 5u

/* It is read while it runs: the accesses that start and stop a counter may take so long that almost
 * any rate would do. */
struct looked_at {
	const struct pmu *pmu;
	unsigned ctr;
	uint64_t *seen; /* at both ends */
};

static void look(const void *of, bool open)
{
	const struct looked_at *l = of;

	l->seen[!open] = pmu_read(l->pmu, l->ctr);
}

static bool is_tsc_rate(const struct span *s)
{
	return may_be_rate(s, 1u << 20, 1u << 20, STEP);
}

/* A hypervisor and system management stop the counter but not the TSC; nothing makes it faster. */
static bool may_have_stopped(const struct span *s)
{
	return s->count < s->inner;
}

#define REFERENCE  2u /* of IA32_FIXED_CTR2 */

#define BUS_CLOCKS 0x013cu /* of general counter 0: CPU_CLK_UNHALTED.BUS, architectural */

static void program_bus_clocks(struct run *t)
{
	wrmsr(MSR_IA32_PERFEVTSEL(0), BUS_CLOCKS | PERFEVTSEL_USR | PERFEVTSEL_OS | PERFEVTSEL_EN);
	pmu_write(t->pmu, 0, 0);
	t->programmed |= BIT(0);
}

/* The rate of counter fixed against the TSC; *to_bus: against clocks of the bus; NULL: not wanted.
 */
static struct span measure_rate(struct run *t, unsigned fixed, struct span *to_bus)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = fixed, .cfg = in_all_rings(first_event(t->pmu, fixed))}}};
	uint64_t seen[2], bus;
	const struct looked_at counter = {t->pmu, fixed, seen};
	struct bracket b = {.of = &counter, .now = bracket_tsc, .gate = look};

	window_program(t, &w);
	if (to_bus)
		program_bus_clocks(t);
	pmu_start(t->pmu, t->programmed);
	brackets_run(&b, 1, RATE_US);
	pmu_stop(t->pmu, t->programmed);
	if (to_bus) {
		bus = pmu_read(t->pmu, 0);
		*to_bus = (struct span){bus - !!bus, bus + 1, pmu_read(t->pmu, fixed)};
	}
	return bracket_span(&b, seen[1] - seen[0]);
}

static unsigned reference_counter(const struct pmu *pmu)
{
	unsigned fixed = intel_alone(pmu, 0) ? pmu->counters : intel_general(pmu);

	while (fixed < pmu->counters && intel_fixed_index(pmu, fixed) != REFERENCE)
		fixed++;
	return fixed;
}

ABSENT_IF(no_reference, reference_counter(pmu) == pmu->counters, "no counter of reference clocks")

/* Twice the ratio of a clock to that of the bus: five bits, and one for a half, of MSR_PERF_STATUS
 * (SDM vol. 4, table 2-3). */
#define TWICE_RATIO_MAX 63u

/* A bracket that was held up is too wide to tell a faster counter from one that is not: then again.
 */
static struct span measure_faster(struct run *t, unsigned fixed, struct span *to_bus)
{
	struct span s = measure_rate(t, fixed, to_bus);

	for (unsigned i = 1; i < TRIES && s.count <= s.outer; i++)
		s = measure_rate(t, fixed, to_bus);
	return s;
}

/* By an erratum: the TSC follows the bus by the ratio that the firmware has set, and the counter by
 * the processor's own, which is higher. */
static bool is_maximum_ratio(struct run *t, unsigned fixed)
{
	struct span to_bus, s = measure_faster(t, fixed, &to_bus);
	unsigned twice = 2;

	report_span("reference clocks, in clocks of the bus", &to_bus);
	while (twice <= TWICE_RATIO_MAX && !may_be_rate(&to_bus, twice, 2, STEP))
		twice++;
	return twice <= TWICE_RATIO_MAX && s.count > s.outer;
}

INTEL_TEST(reference_rate, "reference clocks tick as fast as the TSC",
	   .clause = "SDM vol. 3B, 20.2.2, table 20-2: CPU_CLK_UNHALTED.REF_TSC",
	   .needs = PMU_GLOBAL, .absent = no_reference)
{
	unsigned fixed = reference_counter(t->pmu);
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, REFERENCE_AT_MAXIMUM_RATIO);
	struct span s;

	s = measure_rate(t, fixed, NULL);
	for (unsigned i = 1; i < TRIES && !is_tsc_rate(&s) && may_have_stopped(&s); i++)
		s = measure_rate(t, fixed, NULL);
	if (!is_tsc_rate(&s) && erratum && is_maximum_ratio(t, fixed))
		test_known(t, erratum->id);
	if (!CHECK(t, is_tsc_rate(&s)))
		report_span("reference clocks, in ticks of the TSC", &s);
}

/* ---- interrupts ---- */

/* beside: a select of another counter is written while it runs. */
static void check_interrupt(struct run *t, unsigned fixed, bool interrupt, bool beside)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = fixed,
				  .cfg = gated(first_event(t->pmu, fixed)),
				  .from = preset_for(t, 40)}},
			   .work = in_ring3(payload, iterations),
			   .lvt = VECTOR_PMI};

	w.c[0].cfg.interrupt = interrupt;
	w.beside = beside ? window_neighbour(t->pmu, &w) : NULL;
	window_run(t, &w);
	CHECK_EQ(t, t->log.count, interrupt);
	CHECK_EQ(t, t->log.per_counter[fixed], interrupt);
	/* The handler has acknowledged it. */
	CHECK_EQ(t, pmu_overflowed(t->pmu, BIT(fixed)), interrupt ? 0 : BIT(fixed));
}

enum { TWICE = 2, MOST_ITERATIONS = 1u << 16 };

/* Armed again by the handler, whose own instructions are counted in ring 0. */
static uint64_t interrupts_in(struct run *t, unsigned fixed, enum ring ring, uint64_t n)
{
	struct pmu_config cfg = {.event = first_event(t->pmu, fixed),
				 .user = ring == RING_3,
				 .kernel = ring == RING_0,
				 .interrupt = true};
	struct window w = {.n = 1,
			   .c = {{.ctr = fixed, .cfg = cfg, .from = preset_for(t, 40)}},
			   .work = in_ring(ring, payload, n),
			   .lvt = VECTOR_PMI};

	if (ring == RING_3)
		w.c[0].rearm_from = w.c[0].from;
	w.due = (unsigned)n; /* how many is not known */
	window_run(t, &w);
	return t->log.per_counter[fixed];
}

/* In ring 3 alone it has overflowed since its start when it does so again.  Nobody says how late an
 * interrupt may be: until two have come. */
static void check_rings(struct run *t, unsigned fixed)
{
	uint64_t interrupts = 0;

	for (uint64_t n = iterations; interrupts < TWICE && n <= MOST_ITERATIONS; n *= 4)
		interrupts = interrupts_in(t, fixed, RING_3, n);
	CHECK_IS(t, interrupts, >=, TWICE);
	CHECK_EQ(t, interrupts_in(t, fixed, RING_0, iterations), 1);
}

INTEL_TEST(interrupt,
	   "a fixed counter interrupts when its PMI bit is set, in each ring and again, else "
	   "overflows silently",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL | PMU_INTERRUPT, .absent = no_fixed)
{
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++) {
		check_interrupt(t, c, true, false);
		check_interrupt(t, c, true, true);
		/* Last: its overflow stays in the status. */
		check_interrupt(t, c, false, false);
		check_rings(t, c);
	}
}
