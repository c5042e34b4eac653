/* SPDX-License-Identifier: BSD-2-Clause */
/* Two samplers of one core, with periods of their own, at the same time. */
#include "own.h"

#define GROUP "samples", "access"

/* Of the other one a period that is not over before this one is armed, and takes less than so many
 * turns of known_mix. */
enum { ROUNDS = 8, LONG = 1024, TURNS = LONG };

static const char *not_one_of_two(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_ops(pmu, ctr);

	if (why || pmu->sampler->entry)
		return why;
	return "firmware has set up no entry of the local APIC for its interrupt";
}

/* The one that interrupts through the same entry. */
static const struct pmu *other_of(struct run *t)
{
	for (unsigned i = 0; i < t->beside->count; i++) {
		const struct pmu *pmu = &t->beside->pmu[i];

		if (pmu != t->pmu && pmu->sampler && pmu->sampler->entry == t->pmu->sampler->entry)
			return pmu;
	}
	test_skip(t, "there is no other sampler with the same interrupt");
}

static struct pmu_sampling sampling_of(const struct pmu *pmu, uint64_t period)
{
	const uint32_t periods = pmu->sampler->periods;

	return (struct pmu_sampling){.of = (enum pmu_period)(periods & -periods), .period = period};
}

/* One interrupt can be for both records, if they come at once. */
static void check_both(struct run *t, const struct pmu *other)
{
	const struct pmu_sampling of_other = sampling_of(other, LONG),
				  what = sampling_of(t->pmu, t->pmu->sampler->shortest);

	pmi_arm_sampler(t, VECTOR_PMI);
	other->sampler->arm(other, &of_other);
	CHECK(t, own_run_open(t, &what, known_mix, TURNS));
	pmi_settle();
	CHECK_IS(t, t->log.count, >=, 1);
	CHECK_IS(t, t->log.count, <=, 2);
	CHECK_EQ(t, other->sampler->disarm(other), other->sampler->size);
	t->pmu->sampler->disarm(t->pmu);
	pmi_disarm(t);
}

TEST(both_at_once,
     "two samplers at once leave a record each, and interrupt for both, or once for each",
     .clause = IBS, .needs = PMU_SAMPLER, .absent = not_one_of_two)
{
	const struct pmu *other = other_of(t);

	for (unsigned i = 0; i < ROUNDS; i++)
		check_both(t, other);
}
