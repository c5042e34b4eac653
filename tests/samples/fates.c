/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own beside counters of the same core: what becomes of each tag.
 */
#include "own.h"

#define GROUP "samples", "access"

/* Turns of known_mix in which there are many of the shortest periods. */
enum { ROUNDS = 20, TURNS = 200 };

ABSENT_UNLESS(not_told, pmu->sampler->fates,
	      "no counter is known to count what becomes of its tags")

static const struct pmu *core_of(struct run *t)
{
	for (unsigned i = 0; i < t->beside->count; i++) {
		const struct pmu *pmu = &t->beside->pmu[i];

		if (!pmu->ops->uncore && pmu->counters >= FATES && pmu->counting->select_all)
			return pmu;
	}
	test_skip(t, "there are no counters of the core for that");
}

static void watch(const struct pmu *core, const struct pmu_sampler *sampler)
{
	for (unsigned i = 0; i < FATES; i++)
		pmu_watch(core, i, &sampler->fates[i]);
}

/* A record stands, so that there is no other tag before it is taken. */
static bool sampled(struct run *t, unsigned round)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const struct pmu_sampling what = {
		.of = (enum pmu_period)(sampler->periods & -sampler->periods),
		.period = sampler->shortest + round * sampler->step};
	bool full = own_run(t, &what, known_mix, TURNS);

	sampler->disarm(t->pmu);
	return full;
}

static void check(struct run *t, const uint64_t count[FATES], unsigned records)
{
	REQUIRE_IS(t, records, >, 0);
	if (t->pmu->sampler->listed) {
		CHECK_EQ(t, count[FATE_RECORDED], records);
		CHECK_IS(t, count[FATE_RETIRED], <=, count[FATE_TAGGED]);
	}
	/* Nobody has seen this on silicon yet. */
	if (count[FATE_RETIRED] != count[FATE_FILTERED] + count[FATE_RECORDED])
		report_diag("those that retired are not those that were filtered or recorded");
}

/* Of those where a record came. */
TEST(fates, "counters of the core count each record once, by a part that lists their events",
     .clause = "Linux, pmu-events/arch/x86/amdzen6: event 1CFh", .needs = PMU_SAMPLER,
     .absent = not_told)
{
	const struct pmu *core = core_of(t);
	uint64_t count[FATES] = {0};
	unsigned records = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		watch(core, t->pmu->sampler);
		if (!sampled(t, round))
			continue;
		records++;
		for (unsigned i = 0; i < FATES; i++)
			count[i] += pmu_read(core, i);
	}
	report_diag(
		"of %u records: %llu tagged, %llu retired, %llu overtaken, %llu filtered, "
		"%llu recorded",
		records, (unsigned long long)count[FATE_TAGGED],
		(unsigned long long)count[FATE_RETIRED], (unsigned long long)count[FATE_OVERTAKEN],
		(unsigned long long)count[FATE_FILTERED], (unsigned long long)count[FATE_RECORDED]);
	check(t, count, records);
}
