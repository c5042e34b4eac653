/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of Intel's processors with P6 or architectural counters. */
#include "cpuid.h"
#include "kernel/lib/string.h"
#include "model/pmu/intel/intel.h"
#include "silicon.h"

/* Bits 2 DTES64, 4 DS-CPL, 15 PDCM of leaf 1 ECX, beside what none of the models has. */
#define LEAF1_ECX_DS         (uint32_t)(BIT(2) | BIT(4))
#define LEAF1_ECX_PDCM       (uint32_t) BIT(15)
#define LEAF1_ECX_HIDDEN     (uint32_t)(BIT(3) | BIT(5) | BIT(6))
#define LEAF1_ECX_HYPERVISOR (uint32_t) BIT(31)
#define LEAF1_EBX_LOGICAL    (uint32_t) FIELD(23, 16)
#define LEAF1_EDX_DS         (uint32_t) BIT(21)
#define LEAF1_EDX_HTT        (uint32_t) BIT(28)
#define LEAFB_ECX_LEVEL      (uint32_t) FIELD(7, 0)
/* HLE, RTM; TSX_FORCE_ABORT, hybrid, architectural LBR. */
#define LEAF7_EBX_TSX (uint32_t)(BIT(4) | BIT(11))
#define LEAF7_EDX_PMU (uint32_t)(BIT(13) | BIT(15) | BIT(19))

static const struct intel_traits *intel(const struct profile *profile)
{
	return profile->pmus[0].traits;
}

static uint32_t with(uint32_t word, uint32_t bits, bool set)
{
	return set ? word | bits : word & ~bits;
}

static void leaf_1(const struct profile *profile, uint32_t r[4])
{
	const struct intel_traits *traits = intel(profile);
	bool ds = traits->pebs_counters;

	r[0] = profile->signature;
	r[1] = (r[1] & ~LEAF1_EBX_LOGICAL) |
	       (uint32_t)field_put(LEAF1_EBX_LOGICAL, traits->hyper_threading ? 2 : 1);
	r[2] = with(r[2] & ~LEAF1_ECX_HIDDEN, LEAF1_ECX_DS, ds) | LEAF1_ECX_HYPERVISOR;
	r[2] = with(r[2], LEAF1_ECX_PDCM, traits->capabilities);
	r[3] = with(r[3], LEAF1_EDX_DS, ds);
	r[3] = with(r[3], LEAF1_EDX_HTT, traits->hyper_threading);
}

/* Threads and cores: one core in all.  ECX has the subleaf, EDX the APIC ID. */
static void topology(bool two, uint32_t r[4])
{
	uint32_t level = r[2] & LEAFB_ECX_LEVEL;

	r[0] = level < 2 && two ? 1 : 0;
	r[1] = level < 2 ? 1 + two : 0;
	r[2] = level | (level < 2 ? (level + 1) << 8 : 0);
}

static void basic_leaf(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	switch (leaf) {
	case 0x0:
		cpuid_intel_vendor(intel(profile)->basic_leaves, r);
		break;
	case 0x1:
		leaf_1(profile, r);
		break;
	case 0x2: /* caches and TLBs, as descriptors */
		memset(r, 0, 4 * sizeof(*r));
		r[0] = 0x665b5001;
		r[3] = 0x007a7040;
		break;
	case 0x3: /* serial number */
	case 0x5: /* MONITOR */
		memset(r, 0, 4 * sizeof(*r));
		break;
	case 0x6: /* APERF/MPERF */
		r[2] &= ~(uint32_t)BIT(0);
		break;
	case 0x7:
		r[1] &= ~LEAF7_EBX_TSX;
		r[3] &= ~LEAF7_EDX_PMU;
		break;
	case 0xb:
		topology(intel(profile)->hyper_threading, r);
		break;
	case 0xa:
		memcpy(r, intel(profile)->perfmon, 4 * sizeof(*r));
		break;
	default:
		break;
	}
}

/* A leaf above the maximum returns the data of the highest basic one. */
void cpuid_core(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	uint32_t last = intel(profile)->basic_leaves;

	if (leaf >= 0x80000000)
		cpuid_intel_extended(profile, leaf, r);
	else
		basic_leaf(profile, leaf < last ? leaf : last, r);
}

/* It is what CPUID says. */
bool silicon_has_two_threads(const struct profile *profile)
{
	uint32_t r[4] = {0};

	profile->cpuid(profile, 1, r);
	return r[3] & LEAF1_EDX_HTT;
}
