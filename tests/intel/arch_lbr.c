/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of architectural last-branch records: which values they take, and what clears them.
 */
#include "intel.h"

#define GROUP "lbr", "access"
#define DEPTH "SDM vol. 3B, 19.1: IA32_LBR_CTL, IA32_LBR_DEPTH"
#define XSAVE "SDM vol. 1, 13.5.12: XSAVE-managed architectural LBR state"

/* Larger than any depth that leaf 1CH can promise. */
#define ENTRIES_END 72u

ABSENT_UNLESS(not_architectural, pmu->branches && pmu->branches->sizes,
	      "its branch records are those of its model")

#define ARCH_LBR_TEST(name, claim, clause_)                                                        \
	INTEL_TEST(name, claim, .clause = clause_, .needs = PMU_BRANCHES,                          \
		   .absent = not_architectural)

static bool is_legal(const struct run *t, uint64_t depth)
{
	return depth && depth % 8 == 0 && depth < ENTRIES_END &&
	       t->pmu->branches->sizes >> (depth / 8 - 1) & 1;
}

/* As many branches as there is room for, and some more. */
static void fill(struct run *t, unsigned entries)
{
	struct pmu_branching what = all_branches;

	what.entries = entries;
	branches_start(t, &what);
	kernel_call(payload_branches.entry, 2 * entries, user_buffer());
	t->pmu->branches->stop(t->pmu);
}

/* How many of these entries have something in one of their registers. */
static unsigned entries_not_zero(unsigned entries)
{
	unsigned n = 0;

	for (unsigned k = 0; k < entries; k++)
		n += (rdmsr(MSR_IA32_LBR_FROM_IP(k)) | rdmsr(MSR_IA32_LBR_TO_IP(k)) |
		      rdmsr(MSR_IA32_LBR_INFO(k))) != 0;
	return n;
}

/* ---- depth ---- */

/* Of the depth this is now. */
static void check_illegal(struct run *t, uint64_t now, uint64_t depth)
{
	CHECK_WRMSR(t, MSR_IA32_LBR_DEPTH, depth, FAULT_GP);
	CHECK_EQ(t, rdmsr(MSR_IA32_LBR_DEPTH), now);
	CHECK_EQ(t, branches_recorded(t->pmu), now);
}

ARCH_LBR_TEST(depth_values,
	      "IA32_LBR_DEPTH takes the depths of leaf 1CH, and any other raises #GP and changes "
	      "nothing",
	      DEPTH)
{
	const unsigned entries = t->pmu->branches->entries;

	fill(t, entries);
	for (uint64_t depth = 0; depth < ENTRIES_END; depth++)
		if (!is_legal(t, depth))
			check_illegal(t, entries, depth);
	for (unsigned bit = 7; bit < 64; bit++)
		check_illegal(t, entries, BIT(bit) | entries);
	for (uint64_t depth = 0; depth < ENTRIES_END; depth++) {
		if (!is_legal(t, depth))
			continue;
		CHECK_WRMSR(t, MSR_IA32_LBR_DEPTH, depth, FAULT_NONE);
		CHECK_EQ(t, rdmsr(MSR_IA32_LBR_DEPTH), depth);
	}
}

ARCH_LBR_TEST(depth_wipes, "a write of IA32_LBR_DEPTH, of the same value too, clears all entries",
	      DEPTH)
{
	for (uint64_t depth = 0; depth < ENTRIES_END; depth++) {
		if (!is_legal(t, depth))
			continue;
		fill(t, (unsigned)depth);
		CHECK_EQ(t, entries_not_zero((unsigned)depth), depth);
		wrmsr(MSR_IA32_LBR_DEPTH, depth);
		CHECK_EQ(t, entries_not_zero((unsigned)depth), 0);
		fill(t, (unsigned)depth);
		wrmsr(MSR_IA32_LBR_DEPTH, t->pmu->branches->entries);
		CHECK_EQ(t, entries_not_zero(t->pmu->branches->entries), 0);
	}
}

/* KVM may be told to ignore accesses to what is not there: Linux, kvm_msr_ignored_check(). */
static void check_entry(struct run *t, uint32_t msr, bool there)
{
	const long fault = there ? FAULT_NONE : FAULT_GP;
	uint64_t value;

	if (!there && test_in_kvm())
		return;
	CHECK_RDMSR(t, msr, &value, fault);
	CHECK_WRMSR(t, msr, 0, fault);
}

ARCH_LBR_TEST(beyond_depth, "the registers of entries from the depth on raise #GP, and no others",
	      DEPTH)
{
	for (uint64_t depth = 0; depth < ENTRIES_END; depth++) {
		if (!is_legal(t, depth))
			continue;
		wrmsr(MSR_IA32_LBR_DEPTH, depth);
		for (unsigned k = 0; k < t->pmu->branches->entries; k++) {
			check_entry(t, MSR_IA32_LBR_FROM_IP(k), k < depth);
			check_entry(t, MSR_IA32_LBR_TO_IP(k), k < depth);
			check_entry(t, MSR_IA32_LBR_INFO(k), k < depth);
		}
	}
}

/* ---- control ---- */

ARCH_LBR_TEST(control_bits,
	      "IA32_LBR_CTL keeps the bits of leaf 1CH one by one, and a reserved one raises #GP",
	      DEPTH)
{
	const uint64_t has = intel_arch_lbr_control(&intel(t->pmu)->cpu);

	for (uint64_t left = has & ~LBR_CTL_EN; left; left &= left - 1) {
		wrmsr(MSR_IA32_LBR_CTL, left & -left);
		CHECK_EQ(t, rdmsr(MSR_IA32_LBR_CTL), left & -left);
	}
	wrmsr(MSR_IA32_LBR_CTL, 0);
	check_bits_fault(t, MSR_IA32_LBR_CTL, ~has);
}

ARCH_LBR_TEST(control_keeps_entries, "no write of IA32_LBR_CTL changes an entry", DEPTH)
{
	const struct pmu_branches *branches = t->pmu->branches;
	const unsigned entries = branches->entries;
	struct pmu_branch first;

	fill(t, entries);
	first = branches->read(t->pmu, 0);
	wrmsr(MSR_IA32_LBR_CTL, LBR_CTL_EN);
	wrmsr(MSR_IA32_LBR_CTL, 0);
	CHECK_EQ(t, branches_recorded(t->pmu), entries);
	CHECK_EQ(t, branches->read(t->pmu, 0).from, first.from);
	CHECK_EQ(t, branches->read(t->pmu, 0).to, first.to);
}

/* ---- entries ---- */

/* Bits that every part has: an address of 48 bits, which is not negative. */
static const uint64_t patterns[] = {UINT64_C(0x2aaaaaaaaaaa), UINT64_C(0x555555555554)};

/* Each register gets a value of its own. */
static uint64_t value_of(uint64_t pattern, uint32_t msr)
{
	return pattern ^ (msr & 0xfff) << 1;
}

static void check_hold(struct run *t, uint64_t pattern)
{
	const unsigned entries = t->pmu->branches->entries;

	for (unsigned k = 0; k < entries; k++) {
		wrmsr(MSR_IA32_LBR_FROM_IP(k), value_of(pattern, MSR_IA32_LBR_FROM_IP(k)));
		wrmsr(MSR_IA32_LBR_TO_IP(k), value_of(pattern, MSR_IA32_LBR_TO_IP(k)));
		wrmsr(MSR_IA32_LBR_INFO(k), value_of(pattern, k) & LBR_INFO_CYC_CNT);
	}
	kernel_call(payload_branches.entry, entries, user_buffer());
	for (unsigned k = 0; k < entries; k++) {
		CHECK_EQ(t, rdmsr(MSR_IA32_LBR_FROM_IP(k)),
			 value_of(pattern, MSR_IA32_LBR_FROM_IP(k)));
		CHECK_EQ(t, rdmsr(MSR_IA32_LBR_TO_IP(k)), value_of(pattern, MSR_IA32_LBR_TO_IP(k)));
		CHECK_EQ(t, rdmsr(MSR_IA32_LBR_INFO(k)), value_of(pattern, k) & LBR_INFO_CYC_CNT);
	}
}

ARCH_LBR_TEST(entries_hold, "while nothing is recorded each entry keeps what is written to it",
	      DEPTH)
{
	for (size_t n = 0; n < ARRAY_SIZE(patterns); n++)
		check_hold(t, patterns[n]);
	t->pmu->branches->clear(t->pmu);
}

/* ---- XSAVE ---- */

#define XSS_LBR         15u
#define LBR_STATE_FIXED 40u /* bytes: control, depth, and the last branch before an event */
#define LBR_STATE_ENTRY 24u

ABSENT_UNLESS(no_xsave,
	      pmu->branches && pmu->branches->sizes && cpuid_if_there(0xd, 1).ecx >> XSS_LBR & 1,
	      "by CPUID 0DH XSAVES does not save branch records")

INTEL_TEST(xsave_size,
	   "the state that XSAVES saves of branch records has room for the most of them",
	   .clause = XSAVE, .needs = PMU_BRANCHES, .absent = no_xsave)
{
	CHECK_EQ(t, cpuid(0xd, XSS_LBR).eax,
		 LBR_STATE_FIXED + LBR_STATE_ENTRY * t->pmu->branches->entries);
}
