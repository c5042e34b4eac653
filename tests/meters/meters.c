/* SPDX-License-Identifier: BSD-2-Clause */
/* Meters, read again and again while this processor executes. */
#include "meters.h"

#define GROUP "meters", ""

enum { WINDOW_MS = 50, METERS_MAX = 9 };

static uint64_t read(struct run *t, const struct pmu_meter *meter)
{
	uint64_t value = 0;

	if (meter->reg.space != REG_MSR)
		return pmu_get(meter->reg);
	CHECK_RDMSR(t, pmu_number(meter->reg), &value, FAULT_NONE);
	return value;
}

/* By how much it has advanced in between, modulo its width. */
static uint64_t since(const struct pmu_meter *meter, uint64_t from, uint64_t to)
{
	return (to - from) & (~UINT64_C(0) >> (64 - meter->width));
}

/* One reading behind another of all meters, for a window of so many ticks of the TSC as it returns;
 * look() is called with two neighbours, unless it is NULL. */
static uint64_t watch(struct run *t, uint64_t first[METERS_MAX], uint64_t last[METERS_MAX],
		      void (*look)(struct run *t, const struct pmu_meter *meter, uint64_t from,
				   uint64_t to))
{
	const struct pmu_meters *meters = t->pmu->meters;
	const uint64_t start = rdtsc();

	REQUIRE(t, meters->count <= METERS_MAX);
	for (unsigned i = 0; i < meters->count; i++)
		first[i] = last[i] = read(t, &meters->meter[i]);
	while (rdtsc() - start < WINDOW_MS * machine_tsc_per_ms())
		for (unsigned i = 0; i < meters->count; i++) {
			uint64_t now = read(t, &meters->meter[i]);

			if (look)
				look(t, &meters->meter[i], last[i], now);
			last[i] = now;
		}
	return rdtsc() - start;
}

static void look_at_width(struct run *t, const struct pmu_meter *meter, uint64_t from, uint64_t to)
{
	(void)from;
	REQUIRE(t, to == since(meter, 0, to));
}

ABSENT_IF(of_all_bits,
	  pmu->meters && pmu->meters->meter->width == 8 * pmu->meters->meter->reg.bytes,
	  "these meters have no bits above their width")

TEST(in_width, "a meter reads without a fault, and 0 in the bits above its width", .clause = METERS,
     .needs = PMU_METERS, .absent = of_all_bits)
{
	uint64_t first[METERS_MAX], last[METERS_MAX];

	watch(t, first, last, look_at_width);
}

/* What lies ahead by more than half of its range lies behind. */
static void look_forward(struct run *t, const struct pmu_meter *meter, uint64_t from, uint64_t to)
{
	REQUIRE_IS(t, since(meter, from, to), <, UINT64_C(1) << (meter->width - 1));
}

TEST(forward, "a meter that is read again and again never goes back", .clause = METERS,
     .needs = PMU_METERS)
{
	uint64_t first[METERS_MAX], last[METERS_MAX];

	watch(t, first, last, look_forward);
}

static const char *none_moves(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	for (unsigned i = 0; pmu->meters && i < pmu->meters->count; i++)
		if (pmu->meters->meter[i].moves)
			return NULL;
	return "nothing that goes on by itself is metered here";
}

TEST(moves, "what the executing processor takes is metered while it executes", .clause = METERS,
     .needs = PMU_METERS, .absent = none_moves)
{
	uint64_t first[METERS_MAX], last[METERS_MAX];

	watch(t, first, last, NULL);
	for (unsigned i = 0; i < t->pmu->meters->count; i++)
		if (t->pmu->meters->meter[i].moves)
			CHECK(t, last[i] != first[i]);
}

/* An update that was due ahead of the window may come in it. */
static uint64_t bound(const struct pmu_meter *meter, uint64_t ticks)
{
	if (meter->by_tsc)
		return ticks * meter->most;
	return (ticks / machine_tsc_per_ms() + 1 + meter->updated_ms) * meter->most;
}

TEST(bounded, "a meter advances by no more than a machine can take, or run", .clause = METERS,
     .needs = PMU_METERS)
{
	uint64_t first[METERS_MAX], last[METERS_MAX];
	const uint64_t ticks = watch(t, first, last, NULL);

	for (unsigned i = 0; i < t->pmu->meters->count; i++) {
		const struct pmu_meter *meter = &t->pmu->meters->meter[i];

		CHECK_IS(t, since(meter, first[i], last[i]), <=, bound(meter, ticks));
	}
}

ABSENT_UNLESS(no_second, pmu->meters && pmu->meters->meter->second.space != REG_NONE,
	      "these meters have no second names")

/* What goes on by itself lies between the readings around it. */
TEST(second_names, "a meter's read-only name shows the same register",
     .clause = "AMD PPR for family 17h model 31h, MSRC000_00E7, MSRC000_00E8", .needs = PMU_METERS,
     .absent = no_second)
{
	for (unsigned i = 0; i < t->pmu->meters->count; i++) {
		const struct pmu_meter *meter = &t->pmu->meters->meter[i];
		uint64_t before = read(t, meter), value = 0;

		CHECK_RDMSR(t, pmu_number(meter->second), &value, FAULT_NONE);
		CHECK_IS(t, since(meter, before, value), <=, since(meter, before, read(t, meter)));
	}
}
