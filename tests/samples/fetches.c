/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own: what a record says of a fetch. */
#include "own.h"

#define GROUP "samples", "access"

enum { ROUNDS = 20, FEW = ROUNDS / 4, LINE = 64 };

static const char *not_of_fetches(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_its_own(pmu, ctr);

	if (why || pmu->sampler->periods & PERIOD_FETCHES)
		return why;
	return "this sampler does not count fetches";
}

/* The line behind the code is fetched ahead, too. */
static bool is_fetched(const struct pmu_sample *sample)
{
	uint64_t from = (uintptr_t)known_first / LINE * LINE;

	return sample->linear >= from && sample->linear < (uintptr_t)known_end + 2 * LINE;
}

static unsigned misplaced;

/* Our page tables map each page to itself. */
static void judge(struct run *t, const struct pmu_sample *sample)
{
	bool right = !(sample->has & SAMPLE_LINEAR) || is_fetched(sample);

	if (sample->has & SAMPLE_PHYSICAL)
		right &= sample->physical == sample->linear;
	if (!right && pmu_effect(t->pmu, FETCH_MISPLACED))
		misplaced++;
	else
		CHECK(t, right);
}

/* A turn goes elsewhere four times, and so is several fetches. */
static bool is_sampled(struct run *t, const struct pmu_sampling *what)
{
	return own_run(t, what, known_mix, (unsigned)what->period);
}

TEST(fetched, "a record is of a fetch of code that was executed, with its address in memory",
     .clause = IBS, .needs = PMU_SAMPLER, .absent = not_of_fetches)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	unsigned told = 0;

	misplaced = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct pmu_sampling what = {.of = PERIOD_FETCHES,
						  .period = sampler->shortest + i * sampler->step,
						  .random = i % 2 && sampler->randomizes};
		unsigned failures = t->failures;
		struct pmu_sample sample;

		REQUIRE(t, is_sampled(t, &what) || is_sampled(t, &what));
		sample = own_take(t);
		judge(t, &sample);
		told += sample.has & SAMPLE_PHYSICAL ? 1 : 0;
		own_describe(t, failures);
	}
	CHECK_IS(t, told, >, 0);
	CHECK_IS(t, misplaced, <=, FEW);
	if (misplaced && misplaced <= FEW)
		test_known(t, pmu_effect(t->pmu, FETCH_MISPLACED)->id);
}
