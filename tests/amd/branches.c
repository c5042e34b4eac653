/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the stack of branch records from Zen 4 on. */
#include "amd.h"

#define GROUP "lbr", "access"
#define STACK "AMD64 APM vol. 2, 13.1.1: last branch stack registers"

#define STACK_TEST(name, claim)                                                                    \
	TEST(name, claim, .clause = STACK, .driver = &pmu_amd_v2, .needs = PMU_BRANCHES)

/* Bits that every part has: an address of 48 bits, which is not negative. */
static const uint64_t patterns[] = {UINT64_C(0x2aaaaaaaaaaa), UINT64_C(0x555555555554)};

/* Each register gets a value of its own. */
static uint64_t value_of(uint64_t pattern, uint32_t msr)
{
	return pattern ^ (msr & 0xff) << 1;
}

static void fill(const struct pmu *pmu, uint64_t pattern)
{
	for (unsigned i = 0; i < 2 * pmu->branches->entries; i++) {
		uint32_t msr = MSR_LAST_BRANCH_STACK_FROM(0) + i;

		wrmsr(msr, value_of(pattern, msr));
	}
}

STACK_TEST(entries_hold, "while nothing is recorded each entry keeps what is written to it")
{
	for (size_t n = 0; n < ARRAY_SIZE(patterns); n++) {
		fill(t->pmu, patterns[n]);
		kernel_call(payload_branches.entry, t->pmu->branches->entries, user_buffer());
		for (unsigned i = 0; i < 2 * t->pmu->branches->entries; i++) {
			uint32_t msr = MSR_LAST_BRANCH_STACK_FROM(0) + i;

			CHECK_EQ(t, rdmsr(msr), value_of(patterns[n], msr));
		}
	}
	t->pmu->branches->clear(t->pmu);
}

STACK_TEST(select_bits, "LastBranchStackSelect reads back what was written, bit by bit")
{
	for (unsigned bit = 0; bit < 9; bit++) {
		wrmsr(MSR_LAST_BRANCH_STACK_SELECT, BIT(bit));
		CHECK_EQ(t, rdmsr(MSR_LAST_BRANCH_STACK_SELECT), BIT(bit));
	}
	wrmsr(MSR_LAST_BRANCH_STACK_SELECT, 0);
}

/* Each record has its flag, and one that has made room is gone. */
STACK_TEST(valid, "an entry is valid once a branch was recorded in it, and a cleared one is not")
{
	unsigned valid = 0;

	t->pmu->branches->clear(t->pmu);
	for (unsigned i = 0; i < t->pmu->branches->entries; i++)
		valid += rdmsr(MSR_LAST_BRANCH_STACK_TO(i)) >> 62 != 0;
	CHECK_EQ(t, valid, 0);
	wrmsr(MSR_DEBUG_EXTN_CTL, DEBUG_EXTN_CTL_LBRS);
	kernel_call(payload_branches.entry, t->pmu->branches->entries, user_buffer());
	wrmsr(MSR_DEBUG_EXTN_CTL, 0);
	for (unsigned i = 0; i < t->pmu->branches->entries; i++)
		valid += rdmsr(MSR_LAST_BRANCH_STACK_TO(i)) >> 62 != 0;
	CHECK_EQ(t, valid, t->pmu->branches->entries);
	t->pmu->branches->clear(t->pmu);
}
