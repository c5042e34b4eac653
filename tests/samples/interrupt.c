/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own: each record interrupts once. */
#include "own.h"

#define GROUP "samples", "access"

enum { ROUNDS = 8 };

static const char *not_interrupting(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_its_own(pmu, ctr);

	if (why || pmu->sampler->entry)
		return why;
	return "firmware has set up no entry of the local APIC for its interrupt";
}

#define INTERRUPT_TEST(name, claim)                                                                \
	TEST(name, claim, .clause = IBS, .needs = PMU_SAMPLER, .absent = not_interrupting)

/* Many periods, whatever they are of: the record stands, and there is no second one.  A tagged op
 * that is thrown away takes one more. */
enum { TURNS = 200 };

/* True: there was a record, and all its interrupts have come before the sampler is stopped: one
 * that comes behind the stop, of a tag that came to nothing, is lawful. */
static bool sampled(struct run *t, const struct pmu_sampling *what, uint32_t lvt)
{
	bool full;

	pmi_arm_sampler(t, lvt);
	CHECK_EQ(t, apic_read_extended(t->log.entry - 1) & (lvt | APIC_LVT_MASKED), lvt);
	full = own_run_open(t, what, known_mix, TURNS);
	if (full)
		pmi_settle();
	return full;
}

static void end(struct run *t)
{
	t->pmu->sampler->disarm(t->pmu);
	pmi_disarm(t);
}

/* What the interrupts of each of some records are. */
static void judge_each(struct run *t, uint32_t lvt, void (*judge)(struct run *t))
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const enum pmu_period of = (enum pmu_period)(sampler->periods & -sampler->periods);
	unsigned records = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct pmu_sampling what = {.of = of,
						  .period = sampler->shortest + i * sampler->step};

		if (sampled(t, &what, lvt)) {
			judge(t);
			records++;
		}
		end(t);
	}
	REQUIRE_IS(t, records, >, 0);
}

static void judge_one(struct run *t)
{
	CHECK_EQ(t, t->log.count, 1);
	CHECK_EQ(t, t->log.full, 1);
}

INTERRUPT_TEST(interrupts, "each record interrupts once, with the vector of its LVT entry")
{
	judge_each(t, VECTOR_PMI, judge_one);
}

INTERRUPT_TEST(interrupts_nmi, "each record raises one NMI, if its LVT entry says so")
{
	judge_each(t, APIC_LVT_MODE_NMI, judge_one);
}

static void judge_none(struct run *t)
{
	CHECK_EQ(t, t->log.count, 0);
}

INTERRUPT_TEST(masked, "no record interrupts while its LVT entry is masked")
{
	judge_each(t, VECTOR_PMI | APIC_LVT_MASKED, judge_none);
}
