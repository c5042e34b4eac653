/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID of the modelled processors.  Vendor, family and PMU are the modelled processor's; all else
 * (long mode, APIC, MTRR, SSE, even AVX) stays as the processor underneath has it, since a real K7
 * or Willamette could not run a 64-bit image at all.  A 32-bit program finds that taken out.
 */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"
#include "state.h"

#define ALL UINT32_C(0xffffffff)

/* Bits 3 MONITOR, 5 VMX, 6 SMX of leaf 1 ECX, which no model has, and 2 DTES64, 4 DS-CPL, 15 PDCM,
 * which few have; 21 DS, 28 HTT of its EDX. */
#define LEAF1_EBX_LOGICAL    (uint32_t) FIELD(23, 16)
#define LEAF1_EBX_APIC_ID    (uint32_t) FIELD(31, 24)
#define LEAF1_ECX_NEVER      (uint32_t)(BIT(3) | BIT(5) | BIT(6))
#define LEAF1_ECX_DS         (uint32_t)(BIT(2) | BIT(4))
#define LEAF1_ECX_PDCM       (uint32_t) BIT(15)
#define LEAF1_ECX_HYPERVISOR (uint32_t) BIT(31)
#define LEAF1_EDX_DS         (uint32_t) BIT(21)
#define LEAF1_EDX_HTT        (uint32_t) BIT(28)
#define LEAF6_ECX_APERF      (uint32_t) BIT(0)
#define LEAF_FEATURES        0x7
/* HLE, RTM; TSX_FORCE_ABORT, hybrid, architectural LBR. */
#define LEAF7_EBX_TSX    (uint32_t)(BIT(4) | BIT(11))
#define LEAF7_EDX_HYBRID (uint32_t) BIT(15)
#define LEAF7_EDX_PMU    (uint32_t)(BIT(13) | LEAF7_EDX_HYBRID | BIT(19))
#define LEAF_TOPOLOGY    0xb
#define LEAFB_ECX_LEVEL  (uint32_t) FIELD(7, 0)
#define LEAFB_ECX_TYPE   (uint32_t) FIELD(15, 8)
#define LEAFB_TYPE_CORE  2
#define LEAF_XSAVE       0xd
#define LEAF_CORE        0x1a

/* What a leaf keeps of the processor underneath, and what it has instead. */
struct rule {
	uint32_t leaf, keep[4], set[4];
};

static void apply(const struct rule *rule, uint32_t leaf, uint32_t r[4])
{
	while (rule->leaf != leaf && rule->leaf != ALL)
		rule++;
	for (unsigned i = 0; i < 4; i++)
		r[i] = (r[i] & rule->keep[i]) | rule->set[i];
}

static uint32_t word(const char *text)
{
	uint32_t value;

	memcpy(&value, text, sizeof(value));
	return value;
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

/* ---- AMD ---- */

/* 2 SVM, 3 ExtApicSpace, 10 IBS, 13 WDT, 15 LWP, 22-24 and 27, 28: counters, TOPOEXT, PTSC. */
#define EXT1_ECX_PMU                                                                               \
	(uint32_t)(BIT(2) | BIT(3) | BIT(10) | BIT(13) | BIT(15) | FIELD(24, 22) | BIT(27) |       \
		   BIT(28))
#define EXT7_EDX_EFF_FREQ (uint32_t) BIT(10)
#define EXT8_EBX_PMU      (uint32_t)(BIT(1) | BIT(31)) /* IRPERF, branch sampling */
#define PERFMON_V2        0x80000022

static void amd(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	const struct amd_traits *traits = profile->pmus[0].traits;
	const uint32_t *perfmon = traits->perfmon;
	uint32_t last = traits->global && r[0] < PERFMON_V2 ? PERFMON_V2 : r[0];
	const struct rule rules[] = {
		{0x0, {ALL, 0, 0, 0}, {0, word("Auth"), word("cAMD"), word("enti")}},
		{0x1,
		 {0, ALL, ~(LEAF1_ECX_NEVER | LEAF1_ECX_PDCM), ~LEAF1_EDX_DS},
		 {profile->signature, 0, LEAF1_ECX_HYPERVISOR, 0}},
		{0x6, {ALL, ALL, ~LEAF6_ECX_APERF, ALL}, {0}},
		{0xa, {0}, {0}}, /* Intel's architectural PMU */
		{0x80000000, {0, ALL, ALL, ALL}, {last}},
		{0x80000001,
		 {0, ALL, ~EXT1_ECX_PMU, ALL},
		 {profile->signature, 0, traits->features, 0}},
		{0x80000007, {ALL, ALL, ALL, ~EXT7_EDX_EFF_FREQ}, {0}},
		{0x80000008, {ALL, ~EXT8_EBX_PMU, ALL, ALL}, {0}},
		{0x8000000a, {0}, {0}}, /* SVM */
		{0x8000001b, {0}, {traits->ibs, 0, 0, 0}},
		{0x8000001c, {0}, {0}}, /* LWP */
		{PERFMON_V2, {0}, {perfmon[0], perfmon[1], perfmon[2], 0}},
		{ALL, {ALL, ALL, ALL, ALL}, {0}},
	};

	if (is_brand(leaf))
		brand(profile, leaf, r);
	else
		apply(rules, leaf, r);
}

/* ---- Intel ---- */

/* SYSCALL, NX, 1 GiB pages, RDTSCP, long mode. */
#define EXT1_EDX_INTEL     (uint32_t)(BIT(11) | BIT(20) | BIT(26) | BIT(27) | BIT(29))
#define EXT1_ECX_LAHF      (uint32_t) BIT(0)
#define EXT8_EAX_ADDRESSES (uint32_t) FIELD(15, 0)
#define EXTENDED_LEAVES    0x80000008

/* What the models of Intel differ in. */
struct features {
	uint32_t basic_leaves;
	bool two_threads, ds, pdcm, hybrid;
	uint32_t ecx_ds;
	uint32_t core; /* leaf 1AH EAX: type and model */
	const uint32_t *perfmon;
};

/* Threads and cores: one core in all.  ECX has the subleaf, EDX the APIC ID. */
static void topology(bool two, uint32_t r[4])
{
	uint32_t level = r[2] & LEAFB_ECX_LEVEL;

	r[0] = level < 2 && two ? 1 : 0;
	r[1] = level < 2 ? 1 + two : 0;
	r[2] = level | (level < 2 ? (level + 1) << 8 : 0);
}

/* Of those behind XSAVE's the processor underneath has none, or has others. */
static void late_leaf(const struct features *f, uint32_t leaf, uint32_t r[4])
{
	memset(r, 0, 4 * sizeof(*r));
	if (leaf == LEAF_CORE)
		r[0] = f->core;
}

static void basic_leaf(const struct profile *profile, const struct features *f, uint32_t leaf,
		       uint32_t subleaf, uint32_t r[4])
{
	const uint32_t *perfmon = f->perfmon;
	uint32_t logical = (uint32_t)field_put(LEAF1_EBX_LOGICAL, f->two_threads ? 2 : 1);
	uint32_t ecx = LEAF1_ECX_HYPERVISOR | (f->pdcm ? LEAF1_ECX_PDCM : 0) | f->ecx_ds;
	uint32_t edx = (f->ds ? LEAF1_EDX_DS : 0) | (f->two_threads ? LEAF1_EDX_HTT : 0);
	uint32_t hybrid = f->hybrid && subleaf == 0 ? LEAF7_EDX_HYBRID : 0;
	const struct rule rules[] = {
		{0x0, {0}, {f->basic_leaves, word("Genu"), word("ntel"), word("ineI")}},
		{0x1,
		 {0, ~LEAF1_EBX_LOGICAL, ~(LEAF1_ECX_NEVER | LEAF1_ECX_DS | LEAF1_ECX_PDCM),
		  ~(LEAF1_EDX_DS | LEAF1_EDX_HTT)},
		 {profile->signature, logical, ecx, edx}},
		{0x2, {0}, {0x665b5001, 0, 0, 0x007a7040}}, /* caches and TLBs, as descriptors */
		{0x3, {0}, {0}}, /* serial number */
		{0x5, {0}, {0}}, /* MONITOR */
		{0x6, {ALL, ALL, ~LEAF6_ECX_APERF, ALL}, {0}},
		{LEAF_FEATURES, {ALL, ~LEAF7_EBX_TSX, ALL, ~LEAF7_EDX_PMU}, {0, 0, 0, hybrid}},
		{0xa, {0}, {perfmon[0], perfmon[1], perfmon[2], perfmon[3]}},
		{ALL, {ALL, ALL, ALL, ALL}, {0}},
	};

	if (leaf == LEAF_TOPOLOGY)
		topology(f->two_threads, r);
	else if (leaf > LEAF_XSAVE)
		late_leaf(f, leaf, r);
	else
		apply(rules, leaf, r);
}

static void intel(const struct profile *profile, const struct features *f, uint32_t leaf,
		  uint32_t subleaf, uint32_t r[4])
{
	static const struct rule extended[] = {
		{0x80000000, {0}, {EXTENDED_LEAVES}},
		{0x80000001, {0, 0, EXT1_ECX_LAHF, EXT1_EDX_INTEL}, {0}},
		{0x80000008, {EXT8_EAX_ADDRESSES, 0, 0, 0}, {0}},
		{ALL, {0}, {0}},
	};

	if (is_brand(leaf))
		brand(profile, leaf, r);
	else if (leaf >= 0x80000000)
		apply(extended, leaf, r);
	else /* above the maximum: the data of the highest one */
		basic_leaf(profile, f, leaf < f->basic_leaves ? leaf : f->basic_leaves, subleaf, r);
}

/* Here also a leaf above the extended ones returns the data of the highest basic one. */
static void netburst(const struct profile *profile, uint32_t leaf, uint32_t r[4])
{
	static const uint32_t none[4];
	const struct netburst_traits *traits = profile->pmus[0].traits;
	const struct features features = {.basic_leaves = traits->basic_leaves,
					  .two_threads = traits->hyper_threading,
					  .ds = true,
					  .ecx_ds = traits->dtes64 ? LEAF1_ECX_DS : 0,
					  .perfmon = none};

	intel(profile, &features, leaf > EXTENDED_LEAVES ? traits->basic_leaves : leaf, 0, r);
}

static void architectural(const struct profile *profile, uint32_t leaf, uint32_t subleaf,
			  uint32_t r[4])
{
	const struct intel_traits *traits = profile->pmus[0].traits;
	const struct features features = {.basic_leaves = traits->basic_leaves,
					  .two_threads = traits->hyper_threading,
					  .ds = traits->pebs_counters,
					  .pdcm = traits->capabilities,
					  .hybrid = traits->hybrid,
					  .ecx_ds = traits->pebs_counters ? LEAF1_ECX_DS : 0,
					  .core = traits->core,
					  .perfmon = traits->perfmon};

	intel(profile, &features, leaf, subleaf, r);
}

void cpuid_answer(const struct profile *profile, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	const struct pmu_ops *core = profile->pmus[0].ops;

	if (core == &pmu_amd_ops)
		amd(profile, leaf, r);
	else if (core == &pmu_netburst_ops)
		netburst(profile, leaf, r);
	else
		architectural(profile, leaf, subleaf, r);
}

void cpuid_take_out(const struct cpuid_32 *own, uint32_t leaf, uint32_t r[4])
{
	const struct rule rules[] = {
		{0x0, {0, ALL, ALL, ALL}, {own->last_basic}},
		{0x1, {ALL, ALL, LEAF1_ECX_HYPERVISOR, own->edx}, {0}},
		{0x2, {ALL, ALL, ALL, ALL}, {0}},
		{0x80000000, {0, ALL, ALL, ALL}, {own->last_extended}},
		{0x80000001, {ALL, ALL, 0, own->extended_edx}, {0}},
		{ALL, {0}, {0}},
	};

	if (!is_brand(leaf))
		apply(rules, leaf, r);
}

bool cpuid_has_two_threads(const struct profile *profile)
{
	uint32_t r[4] = {0};

	cpuid_answer(profile, 1, 0, r);
	return r[3] & LEAF1_EDX_HTT;
}

/* ---- one of several ---- */

/* Bits of an APIC ID that n of a kind need. */
static unsigned id_bits(unsigned n)
{
	return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

static unsigned package_shift(const struct profile *profile, const struct seat *seat)
{
	return id_bits(seat->cores) + cpuid_has_two_threads(profile);
}

uint32_t silicon_apic_id(const struct profile *profile, const struct seat *seat, unsigned thread)
{
	return seat->package << package_shift(profile, seat) |
	       seat->core << cpuid_has_two_threads(profile) | thread;
}

/* Does leaf 1AH say which kind of core it is? */
static bool has_kind(const struct profile *profile)
{
	uint32_t r[4] = {0};

	cpuid_answer(profile, 0, 0, r);
	if (r[0] < LEAF_CORE)
		return false;
	cpuid_answer(profile, LEAF_CORE, 0, r);
	return r[0];
}

void cpuid_seat(const struct profile *profile, const struct seat *seat, unsigned thread,
		uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	uint32_t id = silicon_apic_id(profile, seat, thread);

	if (leaf == LEAF_FEATURES && subleaf == 0 && seat->hybrid && has_kind(profile))
		r[3] |= LEAF7_EDX_HYBRID;
	if (leaf == 1)
		r[1] = (r[1] & ~LEAF1_EBX_APIC_ID) | (uint32_t)field_put(LEAF1_EBX_APIC_ID, id);
	if (leaf != LEAF_TOPOLOGY || !r[2]) /* there is none */
		return;
	if (field_get(LEAFB_ECX_TYPE, r[2]) == LEAFB_TYPE_CORE) {
		r[0] = package_shift(profile, seat);
		r[1] *= seat->cores ? seat->cores : 1;
	}
	r[3] = id;
}
