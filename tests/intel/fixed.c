/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's fixed counters: one event each, and four bits of IA32_FIXED_CTR_CTRL to control them. */
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/cpu.h"
#include "kernel/trap.h"
#include "kernel/user.h"
#include "window.h"

#define GROUP          "fixed"
#define FIXED_CTR_CTRL "Intel SDM vol. 3B, 20.2.2: IA32_FIXED_CTR_CTRL"

static const struct payload *const payload = &payload_chain;
static const uint64_t iterations = 100;

static const char none[] = "this PMU has no fixed counters";

static uint64_t window(struct run *t, unsigned ctr, const struct pmu_config *cfg, enum ring ring)
{
	uint64_t out;

	measure(t, 1, &ctr, cfg, NULL, payload, iterations, ring, &out);
	return out;
}

/* From one write of the global register to the next: the same window to the clock. */
static bool check_equal(struct run *t, unsigned fixed, enum ring ring)
{
	struct pmu_config cfg = {.event = first_event(t->pmu, fixed), .user = true, .kernel = true};
	const struct pmu_config both[] = {cfg, cfg};
	unsigned ctr[] = {fixed, 0};
	uint64_t out[2];

	while (ctr[1] < intel_general(t->pmu) && !pmu_can_count(t->pmu, ctr[1], cfg.event))
		ctr[1]++;
	if (ctr[1] == intel_general(t->pmu))
		return false;
	measure(t, 2, ctr, both, NULL, payload, iterations, ring, out);
	CHECK(t, out[0] > 0);
	CHECK_EQ(t, out[0], out[1]);
	return true;
}

INTEL_TEST(equals_general, "a fixed counter counts what a general one counts of the same event",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL)
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
	struct pmu_config cfg = {
		.event = first_event(t->pmu, fixed), .user = user, .kernel = kernel};

	/* The window in ring 0 never leaves it; the one in ring 3 begins and ends in ring 0. */
	CHECK_EQ(t, window(t, fixed, &cfg, RING_0) > 0, kernel);
	CHECK_EQ(t, window(t, fixed, &cfg, RING_3) > 0, kernel || user);
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++)
		if (c != fixed)
			CHECK_EQ(t, pmu_read(t->pmu, c), 0);
}

INTEL_TEST(enable_field,
	   "0, 1, 2, 3 in the enable field: off, ring 0, ring 3, both; and no neighbour",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL)
{
	SKIP_IF(t, intel_general(t->pmu) == t->pmu->counters, none);
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++) {
		pmu_reset(t->pmu);
		/* Opened, so that a field that hits its neighbour shows. */
		pmu_start(t->pmu, BIT(t->pmu->counters) - 1);
		for (unsigned field = 0; field < 4; field++)
			check_field(t, c, field & 1, field & 2);
	}
}

/* ---- reference clocks ---- */

/* The TSC must have ticked so often: a few steps are little against it. */
#define RATE_TICKS 300000u
/* Reference clocks come with those of the bus, as many at once as its multiplier says: 255 at most.
 */
#define STEP 510u
/* 0.5 %: the clock of the bus may be spread, that of the TSC need not be. */
#define SPREAD 200u
#define TRIES  5u

struct rate {
	uint64_t inner, outer, count;
};

static struct rate measure_rate(struct run *t, unsigned fixed)
{
	const struct pmu_config cfg = {.event = EV_REFERENCE_CYCLES, .user = true, .kernel = true};
	uint64_t before, open, close, after;

	measure_program(t, fixed, &cfg, 0);
	t->programmed = BIT(fixed);
	before = rdtsc();
	pmu_start(t->pmu, BIT(fixed));
	open = rdtsc();
	do
		payload->entry(1000, user_buffer());
	while ((close = rdtsc()) - open < RATE_TICKS);
	pmu_stop(t->pmu, BIT(fixed));
	after = rdtsc();
	return (struct rate){close - open, after - before, pmu_read(t->pmu, fixed)};
}

static bool is_slow(const struct rate *r)
{
	return r->count + STEP < r->inner - r->inner / SPREAD;
}

/* Several times: a hypervisor and system management stop the counter but not the TSC. */
INTEL_TEST(reference_rate, "reference clocks tick as fast as the TSC",
	   .clause = "Intel SDM vol. 3B, 20.2.2, table 20-2: CPU_CLK_UNHALTED.REF_TSC",
	   .needs = PMU_GLOBAL)
{
	unsigned fixed = intel_general(t->pmu);
	struct rate r;

	while (fixed < t->pmu->counters && !pmu_can_count(t->pmu, fixed, EV_REFERENCE_CYCLES))
		fixed++;
	SKIP_IF(t, fixed == t->pmu->counters, "no counter of reference clocks");
	r = measure_rate(t, fixed);
	for (unsigned i = 1; i < TRIES && is_slow(&r); i++)
		r = measure_rate(t, fixed);
	if (!CHECK(t, !is_slow(&r)) || !CHECK(t, r.count <= r.outer + r.outer / SPREAD + STEP))
		report_diag("%llu reference clocks in %llu to %llu ticks of the TSC",
			    (unsigned long long)r.count, (unsigned long long)r.inner,
			    (unsigned long long)r.outer);
}

/* ---- interrupts ---- */

static void check_interrupt(struct run *t, unsigned fixed, bool interrupt)
{
	struct pmu_config cfg = gated(first_event(t->pmu, fixed));
	struct pmi_log log = {0};

	cfg.interrupt = interrupt;
	t->counter = fixed;
	shoot(t, &cfg, minus(t, 40), payload, iterations, VECTOR_PMI, &log);
	CHECK_EQ(t, log.count, interrupt);
	CHECK_EQ(t, log.per_counter[fixed], interrupt);
	/* The handler has acknowledged it. */
	CHECK_EQ(t, pmu_overflowed(t->pmu, BIT(fixed)), interrupt ? 0 : BIT(fixed));
}

INTEL_TEST(interrupt, "a fixed counter interrupts when its PMI bit is set, else overflows silently",
	   .clause = FIXED_CTR_CTRL, .needs = PMU_GLOBAL | PMU_INTERRUPT)
{
	SKIP_IF(t, intel_general(t->pmu) == t->pmu->counters, none);
	for (unsigned c = intel_general(t->pmu); c < t->pmu->counters; c++) {
		check_interrupt(t, c, true);
		check_interrupt(t, c, false);
	}
}
