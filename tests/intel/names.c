/* SPDX-License-Identifier: BSD-2-Clause */
/* Version 6 has a block of registers for each counter: new names of registers that have old ones.
 */
#include "intel.h"

#define GROUP "access", "alive"
#define NAMES                                                                                      \
	"SDM vol. 4, IA32_PMC_GPn_CTR, IA32_PMC_GPn_CFG_A, IA32_PMC_FXi_CTR; Linux, "              \
	"kvm/pmu_intel.c"

ABSENT_UNLESS(has_one_name, intel(pmu)->cpu.new_names, "counters have one name in this version")

struct names {
	uint32_t old, new;
};

enum { NAMES_MAX = 2 * INTEL_OLD_NAMES + INTEL_FIXED_MAX };

/* Of general counters above 7 no old name is documented. */
static unsigned all_names(const struct pmu *pmu, struct names *names)
{
	unsigned count = 0;

	for (unsigned c = 0; c < pmu->counters; c++) {
		const struct pmu_counter *counter = &pmu->counter[c];
		const uint32_t ctr = pmu_number(counter->ctr);
		unsigned n = counter->global_bit;

		if (counter->fixed) {
			n -= GLOBAL_FIXED_FIRST;
			names[count++] = (struct names){ctr, MSR_IA32_PMC_FX_CTR(n)};
		} else if (n < INTEL_OLD_NAMES) {
			names[count++] = (struct names){ctr, MSR_IA32_PMC_GP_CTR(n)};
			names[count++] =
				(struct names){MSR_IA32_PERFEVTSEL(n), MSR_IA32_PMC_GP_CFG_A(n)};
		}
	}
	return count;
}

/* Of an event select these are event and unit mask, and enable nothing. */
static uint64_t pattern(unsigned i, unsigned first)
{
	return (first + i) * UINT64_C(0x0101);
}

INTEL_TEST(second_names, "the old and the new name of a counter or a select are one register",
	   .clause = NAMES, .absent = has_one_name)
{
	struct names names[NAMES_MAX];
	unsigned count = all_names(t->pmu, names);

	for (unsigned i = 0; i < count; i++)
		wrmsr(names[i].new, pattern(i, 1));
	for (unsigned i = 0; i < count; i++) {
		CHECK_EQ(t, rdmsr(names[i].new), pattern(i, 1));
		CHECK_EQ(t, rdmsr(names[i].old), pattern(i, 1));
	}
	for (unsigned i = 0; i < count; i++)
		wrmsr(names[i].old, pattern(i, 0x80));
	for (unsigned i = 0; i < count; i++) {
		CHECK_EQ(t, rdmsr(names[i].old), pattern(i, 0x80));
		CHECK_EQ(t, rdmsr(names[i].new), pattern(i, 0x80));
	}
}

static uint32_t new_name(const struct pmu_counter *c)
{
	return c->fixed ? MSR_IA32_PMC_FX_CTR(c->global_bit - GLOBAL_FIXED_FIRST)
			: MSR_IA32_PMC_GP_CTR(c->global_bit);
}

INTEL_TEST(second_width, "a new name takes all bits of its counter, and refuses a value with more",
	   .clause = NAMES, .per_counter = true, .absent = has_one_name)
{
	const uint64_t mask = pmu_mask(t->pmu, t->counter);
	const uint32_t name = new_name(&t->pmu->counter[t->counter]);

	wrmsr(name, mask - 4);
	CHECK_EQ(t, rdmsr(name), mask - 4);
	CHECK_WRMSR(t, name, mask + 1, FAULT_GP);
	CHECK_WRMSR(t, name, ~UINT64_C(0), FAULT_GP);
	CHECK_EQ(t, rdmsr(name), mask - 4);
	wrmsr(name, 0x80000000u);
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), 0x80000000u);
}
