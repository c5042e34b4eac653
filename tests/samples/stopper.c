/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own that an MSR beside their control stops. */
#include "own.h"

#define GROUP "samples", "access"

/* Turns of known_mix in which there are many of the shortest periods, whatever they are of. */
enum { MANY = 1000 };
/* Of anything, and more than KNOWN_STRAIGHT, but for clocks. */
enum { LONG = 16384 };

ABSENT_UNLESS(not_stopped, pmu->sampler->stopper, "nothing but its control stops this sampler")

static void check_stopper(struct run *t, uint64_t expected)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;

	CHECK_EQ(t, rdmsr(sampler->stopper) & sampler->stops, expected);
}

static void put(struct run *t, uint64_t value)
{
	wrmsr(t->pmu->sampler->stopper, value);
	check_stopper(t, value);
}

/* Armed while it is stopped. */
static void check_stopped(struct run *t, const struct pmu_sampling *what)
{
	put(t, t->pmu->sampler->stops);
	CHECK(t, !own_run(t, what, known_mix, MANY));
	CHECK_EQ(t, t->pmu->sampler->disarm(t->pmu), 0);
	put(t, 0);
}

/* A tagged op that is thrown away takes another period. */
static void check_started(struct run *t, const struct pmu_sampling *what)
{
	CHECK(t, own_run_started(t, what, known_mix, MANY) ||
			 own_run_started(t, what, known_mix, MANY));
	t->pmu->sampler->disarm(t->pmu);
}

/* Stopped in the middle of a period, unless that has been over by then, of clocks. */
static void check_stops(struct run *t, enum pmu_period of)
{
	const struct pmu_sampling what = {.of = of, .period = LONG};

	if (!own_run_started(t, &what, known_nops(KNOWN_STRAIGHT), 0)) {
		kernel_call(payload_branches.entry, LONG, user_buffer());
		CHECK_EQ(t, t->pmu->sampler->disarm(t->pmu), 0);
	}
	t->pmu->sampler->disarm(t->pmu);
}

TEST(stopper, "a sampler takes samples while it is both armed and not stopped by another MSR",
     .clause = "Linux 28063f05f38b: IbsOpCtl2, IbsFetchCtl2", .needs = PMU_SAMPLER,
     .absent = not_stopped)
{
	for (uint32_t left = t->pmu->sampler->periods; left; left &= left - 1) {
		const struct pmu_sampling what = {.of = (enum pmu_period)(left & -left),
						  .period = t->pmu->sampler->shortest};

		check_stopped(t, &what);
		check_started(t, &what);
		check_stops(t, what.of);
	}
}
