/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processors. */
#include "bits.h"
#include "pmu_amd.h"
#include "profiles.h"
#include "silicon.h"
#include "string.h"

static uint32_t word(const char *text)
{
	uint32_t value;

	memcpy(&value, text, sizeof(value));
	return value;
}

/* Bits 3 MONITOR, 5 VMX, 6 SMX, 15 PDCM of leaf 1 ECX; 21 DS of its EDX. */
#define LEAF1_ECX_HIDDEN     (uint32_t)(BIT(3) | BIT(5) | BIT(6) | BIT(15))
#define LEAF1_ECX_HYPERVISOR (uint32_t) BIT(31)
#define LEAF1_EDX_HIDDEN     (uint32_t) BIT(21)
/* 2 SVM, 3 ExtApicSpace, 10 IBS, 13 WDT, 15 LWP, 22-24 and 27, 28: counters, TOPOEXT, PTSC. */
#define EXT1_ECX_PMU                                                                               \
	(uint32_t)(BIT(2) | BIT(3) | BIT(10) | BIT(13) | BIT(15) | FIELD(24, 22) | BIT(27) |       \
		   BIT(28))

static void zero(uint32_t r[4])
{
	r[0] = r[1] = r[2] = r[3] = 0;
}

static void basic_leaf(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	switch (leaf) {
	case 0x0:
		r[1] = word("Auth");
		r[3] = word("enti");
		r[2] = word("cAMD");
		break;
	case 0x1:
		r[0] = profile->signature;
		r[2] = (r[2] & ~LEAF1_ECX_HIDDEN) | LEAF1_ECX_HYPERVISOR;
		r[3] &= ~LEAF1_EDX_HIDDEN;
		break;
	case 0x6: /* APERF/MPERF */
		r[2] &= ~(uint32_t)BIT(0);
		break;
	case 0xa: /* Intel's architectural PMU */
		zero(r);
		break;
	default:
		break;
	}
}

static void extended_leaf(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	char brand[48] = {0};

	switch (leaf) {
	case 0x80000001:
		r[0] = profile->signature;
		r[2] = (r[2] & ~EXT1_ECX_PMU) | profile->amd->features;
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		memcpy(brand, profile->brand, strlen(profile->brand));
		memcpy(r, brand + 16 * (leaf - 0x80000002), 16);
		break;
	case 0x80000007: /* EffFreqRO */
		r[3] &= ~(uint32_t)BIT(10);
		break;
	case 0x80000008: /* IRPERF, branch sampling */
		r[1] &= ~(uint32_t)(BIT(1) | BIT(31));
		break;
	case 0x8000000a: /* SVM */
	case 0x8000001b: /* IBS */
	case 0x8000001c: /* LWP */
	case 0x80000022: /* PerfMonV2 */
		zero(r);
		break;
	default:
		break;
	}
}

/*
 * Vendor, family and PMU are the modelled processor's; all else (long mode, APIC, MTRR, SSE, even
 * AVX) stays that of the processor underneath, since a real K7 could not run a 64-bit image at all.
 */
void cpuid_amd(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	if (leaf >= 0x80000000)
		extended_leaf(profile, leaf, r);
	else
		basic_leaf(profile, leaf, r);
}
