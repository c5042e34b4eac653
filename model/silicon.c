/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processor: CPUID, the PMU register space, and the way of a PMI to the APIC. */
#include <stddef.h>

#include "bits.h"
#include "faults.h"
#include "pipeline.h"
#include "pmu_amd.h"
#include "profiles.h"
#include "silicon.h"
#include "string.h"

/* Slot 0 is the healthy request; slot 1 the echo that only a fault makes. */
enum { REQUESTS = 2, ECHO_LATENCY = 300 };

struct silicon {
	const struct profile *profile;
	struct pipeline pipeline;
	struct pmu_amd pmu;
	/* Instructions until request i is due, 0: no request, 1: due. */
	unsigned due_in[REQUESTS];
};

struct silicon silicon_cpu;

/* ---- interrupts ---- */

/* The LVT request is edge-like: while one is on its way, further ones merge with it. */
static void request(struct silicon *s, unsigned requests)
{
	if (requests > 0 && !s->due_in[0])
		s->due_in[0] = s->profile->pmi_latency + 1;
	if (requests > 1 && !s->due_in[1])
		s->due_in[1] = s->profile->pmi_latency + 1 + ECHO_LATENCY;
}

static void clock_passed(void *arg, const struct clock *clock)
{
	struct silicon *s = arg;

	request(s, pmu_amd_clock(&s->pmu, clock));
}

/* One instruction closer; a request made by this very instruction waits its full latency. */
static void age_requests(struct silicon *s)
{
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i] > 1)
			s->due_in[i]--;
}

void silicon_flush(struct silicon *s)
{
	pipeline_close(&s->pipeline);
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i])
			s->due_in[i] = 1;
}

unsigned silicon_take_pmi(struct silicon *s, bool *masks_lvt)
{
	unsigned due = 0;

	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i] == 1) {
			s->due_in[i] = 0;
			due++;
		}
	*masks_lvt = s->pmu.fault->masks_lvt;
	return due;
}

/* ---- life and execution ---- */

void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault)
{
	memset(s, 0, sizeof(*s));
	s->profile = profile;
	pipeline_reset(&s->pipeline, profile->width, clock_passed, s);
	pmu_amd_reset(&s->pmu, profile, fault ? fault : &fault_none);
}

bool silicon_counting(const struct silicon *s)
{
	return pmu_amd_counting(&s->pmu);
}

void silicon_retire(struct silicon *s, const struct insn *insn, unsigned cpl, bool taken,
		    bool iflag)
{
	age_requests(s);
	pipeline_retire(&s->pipeline, insn, cpl, taken, iflag);
}

void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl)
{
	age_requests(s);
	pipeline_deliver(&s->pipeline, what, cpl);
}

/* ---- registers ---- */

/* The PMU registers of every vendor: those of others must fault here, not read as 0. */
static const struct msr_range {
	uint32_t first, last;
} pmu_ranges[] = {
	{0x000000c1, 0x000000c8}, /* P6 and architectural counters */
	{0x00000186, 0x0000018d}, /* their event selects */
	{0x00000300, 0x000003e1}, /* NetBurst; fixed counters 309h, 345h, 38Dh-392h */
	{0x000003f1, 0x000003f1}, /* PEBS */
	{0x000004c1, 0x000004c8}, /* full-width architectural counters */
	{0xc0000300, 0xc0000303}, /* PerfMonV2 global registers */
	{0xc0010000, 0xc0010007}, /* K7 legacy */
	{0xc0010200, 0xc001021f}, /* extended core counters */
	{0xc0010230, 0xc001023f}, /* L2I, L3 */
	{0xc0010240, 0xc001025f}, /* NB, DF */
	{0xc0010800, 0xc00108ff}, /* UMC */
	{0xc0011030, 0xc001103f}, /* IBS */
};

bool silicon_intercepts_msr(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(pmu_ranges); i++)
		if (msr >= pmu_ranges[i].first && msr <= pmu_ranges[i].last)
			return true;
	return false;
}

enum access silicon_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	if (!silicon_intercepts_msr(msr))
		return ACCESS_NOT_MINE;
	pipeline_close(&s->pipeline);
	return pmu_amd_rdmsr(&s->pmu, msr, value);
}

enum access silicon_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	if (!silicon_intercepts_msr(msr))
		return ACCESS_NOT_MINE;
	pipeline_close(&s->pipeline);
	/* Nothing was reported while nothing counted, but WRMSR runs in ring 0 only. */
	s->pipeline.cpl = 0;
	return pmu_amd_wrmsr(&s->pmu, msr, value);
}

enum access silicon_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value)
{
	pipeline_close(&s->pipeline);
	return pmu_amd_rdpmc(&s->pmu, index, cpl, cr4_pce, value);
}

/* ---- CPUID ---- */

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
		r[2] = (r[2] & ~EXT1_ECX_PMU) | profile->pmu_features;
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
void silicon_cpuid(const struct silicon *s, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	(void)subleaf;
	if (leaf >= 0x80000000) {
		extended_leaf(s->profile, leaf, r);
	} else if (leaf >= 0x40000000) {
		zero(r);
		if (leaf == 0x40000000) {
			r[0] = leaf;
			r[1] = word("pmut");
			r[2] = word("est8");
			r[3] = word("6 mo");
		}
	} else {
		basic_leaf(s->profile, leaf, r);
	}
}
