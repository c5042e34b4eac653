/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID of the modelled processors.  Vendor, family and PMU are the modelled processor's; all else
 * (long mode, APIC, MTRR, SSE, even AVX) stays that of the processor underneath, since a real K7
 * or Willamette could not run a 64-bit image at all.
 */
#include "cpuid.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/netburst/netburst.h"

/* Bits 3 MONITOR, 5 VMX, 6 SMX, 15 PDCM of leaf 1 ECX; 21 DS of its EDX. */
#define LEAF1_ECX_HIDDEN     (uint32_t)(BIT(3) | BIT(5) | BIT(6) | BIT(15))
#define LEAF1_ECX_HYPERVISOR (uint32_t) BIT(31)
#define LEAF1_EDX_DS         (uint32_t) BIT(21)
/* 2 SVM, 3 ExtApicSpace, 10 IBS, 13 WDT, 15 LWP, 22-24 and 27, 28: counters, TOPOEXT, PTSC. */
#define EXT1_ECX_PMU                                                                               \
	(uint32_t)(BIT(2) | BIT(3) | BIT(10) | BIT(13) | BIT(15) | FIELD(24, 22) | BIT(27) |       \
		   BIT(28))

/* ---- what all have ---- */

static uint32_t word(const char *text)
{
	uint32_t value;

	memcpy(&value, text, sizeof(value));
	return value;
}

static void zero(uint32_t r[4])
{
	r[0] = r[1] = r[2] = r[3] = 0;
}

/* Leaves 8000_0002 to 8000_0004. */
static void brand(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	char text[48] = {0};

	memcpy(text, profile->brand, strlen(profile->brand));
	memcpy(r, text + 16 * (leaf - 0x80000002), 16);
}

/* ---- AMD ---- */

static const struct amd_traits *amd(const struct profile *profile)
{
	return profile->pmus[0].traits;
}

static void amd_basic_leaf(const struct profile *profile, uint32_t leaf, uint32_t r[4])
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
		r[3] &= ~LEAF1_EDX_DS;
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

void cpuid_amd(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	if (leaf < 0x80000000)
		amd_basic_leaf(profile, leaf, r);
	switch (leaf) {
	case 0x80000000:
		if (amd(profile)->global && r[0] < 0x80000022)
			r[0] = 0x80000022;
		break;
	case 0x80000001:
		r[0] = profile->signature;
		r[2] = (r[2] & ~EXT1_ECX_PMU) | amd(profile)->features;
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		brand(profile, leaf, r);
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
		zero(r);
		break;
	case 0x80000022: /* PerfMonV2, NumPerfCtrCore */
		zero(r);
		r[0] = amd(profile)->global;
		r[1] = amd(profile)->global ? amd(profile)->counters : 0;
		break;
	default:
		break;
	}
}

/* ---- Intel, NetBurst ---- */

static const struct netburst_traits *netburst(const struct profile *profile)
{
	return profile->pmus[0].traits;
}

/* Beside those: 2 DTES64, 4 DS-CPL. */
#define NETBURST_ECX_HIDDEN (LEAF1_ECX_HIDDEN | (uint32_t)(BIT(2) | BIT(4)))
#define LEAF1_EBX_LOGICAL   (uint32_t) FIELD(23, 16)
#define LEAF1_EDX_HTT       (uint32_t) BIT(28)
/* SYSCALL, NX, 1 GiB pages, RDTSCP, long mode. */
#define EXT1_EDX_INTEL  (uint32_t)(BIT(11) | BIT(20) | BIT(26) | BIT(27) | BIT(29))
#define EXT1_ECX_LAHF   (uint32_t) BIT(0)
#define EXTENDED_LEAVES 0x80000008

static void intel_leaf_1(const struct profile *profile, uint32_t r[4])
{
	bool two = netburst(profile)->hyper_threading;

	r[0] = profile->signature;
	r[1] = (r[1] & ~LEAF1_EBX_LOGICAL) | (uint32_t)field_put(LEAF1_EBX_LOGICAL, two ? 2 : 1);
	r[2] = (r[2] & ~NETBURST_ECX_HIDDEN) | LEAF1_ECX_HYPERVISOR;
	r[3] = (r[3] & ~LEAF1_EDX_HTT) | LEAF1_EDX_DS | (two ? LEAF1_EDX_HTT : 0);
}

void cpuid_intel_vendor(uint32_t basic_leaves, uint32_t r[4])
{
	r[0] = basic_leaves;
	r[1] = word("Genu");
	r[3] = word("ineI");
	r[2] = word("ntel");
}

static void intel_basic_leaf(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	switch (leaf) {
	case 0x0:
		cpuid_intel_vendor(netburst(profile)->basic_leaves, r);
		break;
	case 0x1:
		intel_leaf_1(profile, r);
		break;
	case 0x2: /* caches and TLBs, as descriptors */
		zero(r);
		r[0] = 0x665b5001;
		r[3] = 0x007a7040;
		break;
	case 0x3: /* serial number */
	case 0x5: /* MONITOR */
		zero(r);
		break;
	default:
		break;
	}
}

void cpuid_intel_extended(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	switch (leaf) {
	case 0x80000000:
		zero(r);
		r[0] = EXTENDED_LEAVES;
		break;
	case 0x80000001:
		r[0] = r[1] = 0;
		r[2] &= EXT1_ECX_LAHF;
		r[3] &= EXT1_EDX_INTEL;
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		brand(profile, leaf, r);
		break;
	case 0x80000008:
		r[0] &= (uint32_t)FIELD(15, 0); /* address sizes */
		r[1] = r[2] = r[3] = 0;
		break;
	default:
		zero(r);
		break;
	}
}

/* A leaf above either maximum returns the data of the highest basic one. */
void cpuid_intel(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	uint32_t last = netburst(profile)->basic_leaves;

	if (leaf >= 0x80000000 && leaf <= EXTENDED_LEAVES)
		cpuid_intel_extended(profile, leaf, r);
	else
		intel_basic_leaf(profile, leaf < last ? leaf : last, r);
}
