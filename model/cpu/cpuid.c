/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID of the modelled processors, by the profile's table.  Features are there if both the part
 * and the processor underneath have them.  Parts without 64-bit mode could not run a 64-bit image
 * at all: to such an image they have the features of the processor underneath.  A 32-bit program
 * finds them as they are.
 */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"
#include "state.h"

#define ALL UINT32_C(0xffffffff)

enum { EAX, EBX, ECX, EDX };

/* Bits 3 MONITOR, 5 VMX, 6 SMX of leaf 1 ECX, which no model has, and 2 DTES64, 4 DS-CPL, 15 PDCM,
 * which few have; 21 DS of its EDX. */
#define LEAF1_ECX_DS         (uint32_t)(BIT(2) | BIT(4))
#define LEAF1_ECX_PDCM       (uint32_t) BIT(15)
#define LEAF1_ECX_NEVER      (uint32_t)(BIT(3) | BIT(5) | BIT(6))
#define LEAF1_ECX_HYPERVISOR (uint32_t) BIT(31)
#define LEAF1_EDX_DS         (uint32_t) BIT(21)
/* HLE, RTM; TSX_FORCE_ABORT, hybrid, architectural LBRs. */
#define LEAF7_EBX_TSX    (uint32_t)(BIT(4) | BIT(11))
#define LEAF7_EDX_HYBRID (uint32_t) BIT(15)
#define LEAF7_EDX_LBR    (uint32_t) BIT(19)
#define LEAF7_EDX_PMU    (uint32_t)(BIT(13) | LEAF7_EDX_HYBRID | LEAF7_EDX_LBR)
/* MPX and AVX-512, PKU, AMX: features with a state of their own. */
#define LEAF7_EBX_STATE (uint32_t)(BIT(14) | BIT(16))
#define LEAF7_ECX_STATE (uint32_t) BIT(3)
#define LEAF7_EDX_STATE (uint32_t) BIT(24)
/* 2 SVM, 3 ExtApicSpace, 10 IBS, 13 WDT, 15 LWP, 22-24 and 27, 28: counters, TOPOEXT, PTSC. */
#define EXT1_ECX_PMU                                                                               \
	(uint32_t)(BIT(2) | BIT(3) | BIT(10) | BIT(13) | BIT(15) | FIELD(24, 22) | BIT(27) |       \
		   BIT(28))
#define EXT1_ECX_LAHF      (uint32_t) BIT(0)
#define EXT1_EDX_LONG_MODE (uint32_t) BIT(29)
/* SYSCALL, NX, 1 GiB pages, RDTSCP, long mode. */
#define EXT1_EDX_INTEL     (uint32_t)(BIT(11) | BIT(20) | BIT(26) | BIT(27) | EXT1_EDX_LONG_MODE)
#define EXT7_EDX_OWN       (uint32_t)(BIT(10) | BIT(14)) /* EffFreqRO, RAPL */
#define EXT8_EAX_ADDRESSES (uint32_t) FIELD(15, 0)
#define EXT8_EBX_IRPERF    (uint32_t) BIT(1)
#define EXT8_EBX_BRS       (uint32_t) BIT(31) /* branch sampling */
#define PERFMON_V2         0x80000022

/* ---- the tables ---- */

/* Leaves that stand before the part's own, to a 64-bit image that the part could not run. */
static const struct cpuid_leaf amd_in_64_bits[] = {
	{0x0, 0, {0xd, 0x68747541, 0x444d4163, 0x69746e65}},
	{0x1, 0, {0, 0x800, ALL, ALL}},
	{0x6, 0, {ALL}},
	{0x7, 0, {0, ALL & ~LEAF7_EBX_STATE, ALL & ~LEAF7_ECX_STATE, ALL & ~LEAF7_EDX_STATE}},
	{0xd, 0, {0x7}}, /* x87, SSE and AVX alone */
	{0xd, 1, {ALL}},
	{0xd, 2, {ALL}},
	{0x80000000, 0, {0x80000008, 0x68747541, 0x444d4163, 0x69746e65}},
	{0x80000001, 0, {0, 0, ALL, ALL}},
	{.leaf = CPUID_END},
};

static const struct cpuid_leaf intel_in_64_bits[] = {
	{0x1, 0, {0, 0x800, ALL, ALL}},
	{0x80000000, 0, {0x80000008}},
	{0x80000001, 0, {0, 0, EXT1_ECX_LAHF, EXT1_EDX_INTEL}},
	{.leaf = CPUID_END},
};

/* Other leaves answer whatever is in ECX. */
static bool has_subleaves(uint32_t leaf)
{
	return leaf == 0x4 || leaf == 0x7 || leaf == 0xb || leaf == 0xd || leaf == 0x18 ||
	       leaf == 0x1f || leaf == 0x23 || leaf == 0x8000001d || leaf == 0x80000026;
}

/* NULL: it is not in the table. */
static const struct cpuid_leaf *find(const struct cpuid_leaf *entry, uint32_t leaf,
				     uint32_t subleaf)
{
	if (!has_subleaves(leaf))
		subleaf = 0;
	for (; entry->leaf != CPUID_END; entry++)
		if (entry->leaf == leaf && entry->subleaf == subleaf)
			return entry;
	return NULL;
}

const struct cpuid_leaf *cpuid_find(const struct profile *profile, uint32_t leaf, uint32_t subleaf)
{
	const struct cpuid_leaf *entry = NULL;

	for (unsigned i = 0; !entry && profile->leaves[i]; i++)
		entry = find(profile->leaves[i], leaf, subleaf);
	return entry;
}

bool cpuid_is_amd(const struct profile *profile)
{
	return profile->pmus[0].ops == &pmu_amd_ops;
}

bool cpuid_is_32(const struct profile *profile)
{
	const struct cpuid_leaf *entry = cpuid_find(profile, 0x80000001, 0);

	return !entry || !(entry->r[EDX] & EXT1_EDX_LONG_MODE);
}

/* As cpuid_find(); but unless it is to be the part's own, as a 64-bit image sees it. */
static const struct cpuid_leaf *find_in(const struct profile *profile, bool own, uint32_t leaf,
					uint32_t subleaf)
{
	const struct cpuid_leaf *entry = NULL;

	if (!own && cpuid_is_32(profile))
		entry = find(cpuid_is_amd(profile) ? amd_in_64_bits : intel_in_64_bits, leaf,
			     subleaf);
	return entry ? entry : cpuid_find(profile, leaf, subleaf);
}

/* ---- what the table and the processor underneath make together ---- */

/* Bits that both must have, and those of the processor underneath alone.  The rest is the part's.
 */
static const struct rule {
	uint32_t leaf;
	uint32_t both[4], machine[4];
} rules[] = {
	{0x1, {0, 0, ALL, ALL}, {0}},
	{0x6, {ALL}, {0}},
	{0x7, {0, ALL, ALL, ALL}, {0}},
	{0xd, {ALL}, {0, ALL, ALL, ALL}},
	{0x80000001, {0, 0, ALL, ALL}, {0}},
	{0x80000007, {0, ALL, 0, ALL}, {0}},
	{0x80000008, {0, ALL}, {EXT8_EAX_ADDRESSES}},
};

static const struct rule *find_rule(uint32_t leaf)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].leaf == leaf)
			return &rules[i];
	return NULL;
}

static void combine(const struct cpuid_leaf *entry, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	static const uint32_t none[4];
	const uint32_t *part = entry ? entry->r : none;
	const struct rule *rule = find_rule(leaf);

	if (leaf == 0xd && subleaf >= 2 && entry)
		return; /* sizes, by how the processor underneath lays them out */
	for (unsigned i = 0; i < 4; i++) {
		uint32_t both = rule ? rule->both[i] : 0;
		uint32_t machine = rule && (entry || leaf != 0xd) ? rule->machine[i] : 0;

		r[i] = (r[i] & machine) | (part[i] & ~both & ~machine) | (part[i] & both & r[i]);
	}
}

/* Leaves 8000_0002 to 8000_0004. */
static bool is_brand(uint32_t leaf)
{
	return leaf >= 0x80000002 && leaf <= 0x80000004;
}

static void brand(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	char text[48] = {0};

	memcpy(text, profile->brand, strlen(profile->brand));
	memcpy(r, text + 16 * (leaf - 0x80000002), 16);
}

/* ---- of the PMU ---- */

static void change(uint32_t *word, uint32_t clear, uint32_t set)
{
	*word = (*word & ~clear) | set;
}

static void amd(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	const struct amd_traits *traits = profile->pmus[0].traits;
	const struct cpuid_leaf *entry = cpuid_find(profile, leaf, 0);

	switch (leaf) {
	case 0x1:
		change(&r[ECX], LEAF1_ECX_NEVER | LEAF1_ECX_PDCM, 0);
		change(&r[EDX], LEAF1_EDX_DS, 0);
		break;
	case 0x80000001:
		r[EAX] = profile->signature;
		change(&r[ECX], EXT1_ECX_PMU, traits->features);
		break;
	case 0x80000007:
		change(&r[EDX], EXT7_EDX_OWN, entry ? entry->r[EDX] & EXT7_EDX_OWN : 0);
		break;
	case 0x80000008:
		change(&r[EBX], EXT8_EBX_BRS | EXT8_EBX_IRPERF,
		       (entry ? entry->r[EBX] & EXT8_EBX_IRPERF : 0) |
			       (traits->brs ? EXT8_EBX_BRS : 0));
		break;
	case PERFMON_V2:
		memcpy(r, traits->perfmon, sizeof(traits->perfmon));
		break;
	}
}

/* Features in which the PMUs of Intel differ. */
struct features {
	bool ds, dtes64, pdcm, lbr;
	uint32_t perfmon[4];
};

static struct features features_of(const struct profile *profile)
{
	const struct netburst_traits *netburst = profile->pmus[0].traits;
	const struct intel_traits *t = profile->pmus[0].traits;
	struct features features;

	if (profile->pmus[0].ops == &pmu_netburst_ops)
		return (struct features){.ds = true, .dtes64 = netburst->dtes64};
	features = (struct features){
		.ds = t->pebs_counters || t->debug_store,
		.dtes64 = t->pebs_counters || t->debug_store,
		.pdcm = t->capabilities,
		.lbr = intel_lbr_is_architectural(t),
	};
	memcpy(features.perfmon, t->perfmon, sizeof(features.perfmon));
	return features;
}

static void intel(const struct profile *profile, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	const struct features f = features_of(profile);
	const struct cpuid_leaf *entry = cpuid_find(profile, leaf, subleaf);

	switch (leaf) {
	case 0x1:
		change(&r[ECX], LEAF1_ECX_NEVER | LEAF1_ECX_DS | LEAF1_ECX_PDCM,
		       (f.dtes64 ? LEAF1_ECX_DS : 0) | (f.pdcm ? LEAF1_ECX_PDCM : 0));
		change(&r[EDX], LEAF1_EDX_DS, f.ds ? LEAF1_EDX_DS : 0);
		break;
	case 0x7:
		change(&r[EBX], LEAF7_EBX_TSX, 0);
		change(&r[EDX], LEAF7_EDX_PMU,
		       (entry ? entry->r[EDX] & LEAF7_EDX_HYBRID : 0) |
			       (f.lbr ? LEAF7_EDX_LBR : 0));
		break;
	case 0xa:
		memcpy(r, f.perfmon, sizeof(f.perfmon));
		break;
	}
}

/* ---- answers ---- */

/* Is the leaf above the last one of its kind? */
static bool is_beyond(const struct profile *profile, bool own, uint32_t leaf)
{
	const struct cpuid_leaf *last = find_in(profile, own, leaf & BIT(31), 0);

	return !last || leaf > last->r[EAX];
}

uint32_t cpuid_stands_for(const struct profile *profile, bool own, uint32_t leaf)
{
	if (cpuid_is_amd(profile) || !is_beyond(profile, own, leaf))
		return leaf;
	return find_in(profile, own, 0, 0)->r[EAX];
}

void cpuid_answer(const struct profile *profile, bool own, uint32_t leaf, uint32_t subleaf,
		  uint32_t r[4])
{
	leaf = cpuid_stands_for(profile, own, leaf);
	if (is_brand(leaf)) {
		brand(profile, leaf, r);
		return;
	}
	combine(find_in(profile, own, leaf, subleaf), leaf, subleaf, r);
	if (leaf == 0x1) {
		r[EAX] = profile->signature;
		r[ECX] |= LEAF1_ECX_HYPERVISOR;
	}
	if (!cpuid_is_amd(profile))
		intel(profile, leaf, subleaf, r);
	else if (is_beyond(profile, own, leaf))
		memset(r, 0, 4 * sizeof(*r));
	else
		amd(profile, leaf, r);
}
