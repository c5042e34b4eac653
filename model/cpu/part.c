/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers of the modelled processor that belong to none of its PMUs, and of which the processor
 * underneath has none, or others.  The processor underneath reads registers that it does not know
 * as 0, and forgets what is written there.
 */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/pmu/amd/amd.h"
#include "state.h"

#define MSR_BIOS_SIGN_ID     0x0000008bu
#define MSR_PLATFORM_INFO    0x000000ceu
#define PLATFORM_INFO_RATIO  FIELD(15, 8) /* of the TSC to the base clock */
#define PLATFORM_INFO_LOWEST FIELD(47, 40)
#define MSR_MPERF            0x000000e7u
#define MSR_APERF            0x000000e8u
#define MSR_MPERF_RO         0xc00000e7u
#define MSR_APERF_RO         0xc00000e8u
#define MSR_IRPERF           0xc00000e9u
#define MSR_HWCR             0xc0010015u
#define MSR_VM_CR            0xc0010114u
#define VM_CR_LOCK           BIT(3)
#define VM_CR_SVMDIS         BIT(4)

#define LEAF_POWER           0x6u
#define APERF_MPERF          BIT(0) /* of its ECX */
#define LEAF_POWER_AMD       0x80000007u
#define EFFECTIVE_FREQUENCY  BIT(10) /* of its EDX: read-only ones */
#define LEAF_ADDRESSES_AMD   0x80000008u
#define INSTRUCTIONS_RETIRED BIT(1) /* of its EBX: IRPERF */

/* MSRs that the processor underneath may have: of how long it slept, of how much energy it took,
 * and of boxes of clients.  A model has the meters of energy of its part, and none of the others.
 */
static const struct msr_range hidden[] = {
	{0x000003f8, 0x000003fe}, /* residencies of the package and the core, C3 to C7 */
	{0x00000606, 0x00000606}, /* MSR_RAPL_POWER_UNIT */
	{0x0000060a, 0x0000060d}, /* C2 of the package, and what it is woken by */
	{0x00000610, 0x00000665}, /* RAPL; residencies C8 to C10, C1 */
	{0x00000700, 0x0000077f}, /* slices of the last-level cache */
	{0x00000e00, 0x00000eff}, /* their global registers from Skylake on */
	{0x00002000, 0x00002fff}, /* all of these from Alder Lake on */
	{0xc0010280, 0xc0010281}, /* PTSC */
	{0xc0010299, 0xc001029b}, /* RAPL */
};

static bool is_hidden(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (msr >= hidden[i].first && msr <= hidden[i].last)
			return true;
	return false;
}

static bool is_frequency(uint32_t msr)
{
	return msr == MSR_MPERF || msr == MSR_APERF || msr == MSR_MPERF_RO || msr == MSR_APERF_RO;
}

/* The count of all instructions, and the register that switches it on. */
static bool is_irperf(uint32_t msr)
{
	return msr == MSR_IRPERF || msr == MSR_HWCR;
}

bool silicon_is_part_msr(uint32_t msr)
{
	return msr == MSR_BIOS_SIGN_ID || msr == MSR_PLATFORM_INFO || msr == MSR_VM_CR ||
	       is_frequency(msr) || is_irperf(msr) || is_hidden(msr);
}

/* The second pair is AMD's, and says so in a leaf of its own. */
static bool has_frequency(const struct profile *profile, uint32_t msr)
{
	bool read_only = msr == MSR_MPERF_RO || msr == MSR_APERF_RO;
	const struct cpuid_leaf *leaf =
		cpuid_find(profile, read_only ? LEAF_POWER_AMD : LEAF_POWER, 0);

	return leaf && (read_only ? leaf->r[3] & EFFECTIVE_FREQUENCY : leaf->r[2] & APERF_MPERF);
}

static bool has_irperf(const struct profile *profile)
{
	const struct cpuid_leaf *leaf = cpuid_find(profile, LEAF_ADDRESSES_AMD, 0);

	return cpuid_is_amd(profile) && leaf && leaf->r[1] & INSTRUCTIONS_RETIRED;
}

/* Does it go on by itself, or is it IRPERF's switch? */
static bool has_moving(const struct profile *profile, uint32_t msr)
{
	return (is_irperf(msr) && has_irperf(profile)) ||
	       (is_frequency(msr) && has_frequency(profile, msr));
}

/* HWCR without that switch is left to the processor underneath. */
static bool is_mine(const struct silicon *s, uint32_t msr)
{
	return silicon_is_part_msr(msr) && (msr != MSR_HWCR || has_irperf(s->profile));
}

static bool has_svm(const struct profile *profile)
{
	return cpuid_is_amd(profile) &&
	       ((const struct amd_traits *)profile->pmus[0].traits)->features & AMD_SVM;
}

/* The upper half is Intel's, the lower AMD's. */
static uint64_t signature(const struct profile *profile)
{
	return (uint64_t)profile->microcode << (cpuid_is_amd(profile) ? 0 : 32);
}

/* The base clock nearest to what the TSC of this machine makes of it. */
static uint64_t platform_info(const struct silicon *s)
{
	uint64_t ratio = (s->tsc_hz + s->profile->base_clock / 2) / s->profile->base_clock;

	return field_put(PLATFORM_INFO_RATIO, ratio) | field_put(PLATFORM_INFO_LOWEST, ratio);
}

enum access part_rdmsr(const struct silicon *s, uint32_t msr, uint64_t *value)
{
	*value = 0;
	if (!is_mine(s, msr))
		return ACCESS_NOT_MINE;
	if (msr == MSR_BIOS_SIGN_ID)
		*value = signature(s->profile);
	else if (msr == MSR_PLATFORM_INFO && s->profile->base_clock)
		*value = platform_info(s);
	else if (msr == MSR_VM_CR && has_svm(s->profile))
		/* Unless it is lent, firmware has switched it off for good. */
		*value = silicon_lends_svm(s) ? 0 : VM_CR_LOCK | VM_CR_SVMDIS;
	else if (!has_moving(s->profile, msr) && !energy_rdmsr(s, msr, value))
		return ACCESS_GP;
	return ACCESS_DONE;
}

/* Intel's signature is filled again by CPUID leaf 1. */
enum access part_wrmsr(const struct silicon *s, uint32_t msr)
{
	if (!is_mine(s, msr))
		return ACCESS_NOT_MINE;
	if (msr != MSR_MPERF_RO && msr != MSR_APERF_RO && has_moving(s->profile, msr))
		return ACCESS_DONE;
	return msr == MSR_BIOS_SIGN_ID && !cpuid_is_amd(s->profile) ? ACCESS_DONE : ACCESS_GP;
}

/* ---- the leaves of CPUID that tell of its clocks ---- */

#define LEAF_CRYSTAL     0x15
#define LEAF_FREQUENCIES 0x16
/* The machine's local APIC counts ticks of 1 GHz, and software takes its clock for the crystal.
 * Linux computes the rate of the TSC in 32 bits, which more than this of a ratio would overflow. */
#define CRYSTAL_HZ   UINT32_C(1000000000)
#define CRYSTAL_PART 1000u
#define MHZ          UINT64_C(1000000)

void part_cpuid(const struct silicon *s, uint32_t leaf, uint32_t r[4])
{
	uint32_t mhz = (uint32_t)((s->tsc_hz + MHZ / 2) / MHZ);
	const uint32_t crystal[4] = {CRYSTAL_PART, mhz, CRYSTAL_HZ, 0};
	const uint32_t frequencies[4] = {mhz, mhz, (uint32_t)(s->profile->base_clock / MHZ), 0};

	if (!cpuid_find(s->profile, leaf, 0))
		return;
	if (leaf == LEAF_CRYSTAL)
		memcpy(r, crystal, sizeof(crystal));
	else if (leaf == LEAF_FREQUENCIES)
		memcpy(r, frequencies, sizeof(frequencies));
}
