/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processor: CPUID, the PMU register space, and the way of a PMI to the APIC. */
#include <stddef.h>

#include "bits.h"
#include "core_pmu.h"
#include "generated.h"
#include "string.h"
#include "uncore.h"

/* Slot 0 is the healthy request; slot 1 the echo that only a fault makes. */
enum { REQUESTS = 2, ECHO_LATENCY = 1000 };
/* With a seed the interrupt may be so many instructions later. */
enum { LATENCY_SPREAD = 24 };

struct silicon {
	const struct profile *profile;
	const struct fault *fault; /* NULL where healthy */
	struct pipeline pipeline;
	struct generated generated;
	struct generated *twist; /* it, or NULL */
	const struct core_pmu_ops *ops;
	_Alignas(uint64_t) uint8_t pmu[CORE_PMU_STATE]; /* what ops work on */
	unsigned latency; /* instructions from the next request to its interrupt */
	/* Instructions until request i is due, 0: no request, 1: due. */
	unsigned due_in[REQUESTS];
	unsigned held_for; /* instructions since a held request was made */
	struct silicon_tally tally;
	uint64_t accessed; /* tally.retired at the last access to a register */
	struct uncore uncore;
};

struct silicon silicon_cpu;

/* ---- the tally ---- */

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x00000100000001b3)

static void digest(struct silicon *s, uint64_t value)
{
	for (unsigned i = 0; i < sizeof(value); i++)
		s->tally.digest = (s->tally.digest ^ (value >> 8 * i & 0xff)) * FNV_PRIME;
}

static void digest_read(struct silicon *s, uint32_t where, uint64_t value)
{
	digest(s, where);
	digest(s, value);
}

void silicon_raised(struct silicon *s)
{
	digest(s, s->tally.retired - s->accessed);
}

struct silicon_tally silicon_tally(const struct silicon *s)
{
	return s->tally;
}

/* ---- interrupts ---- */

static void draw_latency(struct silicon *s)
{
	s->latency = s->profile->pmi_latency + generated_delay(s->twist) +
		     pipeline_random(&s->pipeline, LATENCY_SPREAD);
}

/* The LVT request is edge-like: while one is on its way, further ones merge with it. */
static void request(struct silicon *s, unsigned requests)
{
	unsigned latency = s->latency;

	if (requests > 0 && !s->due_in[0])
		s->due_in[0] = latency + 1;
	if (requests > 1 && !s->due_in[1])
		s->due_in[1] = latency + 1 + ECHO_LATENCY;
	if (requests)
		draw_latency(s);
}

static void clock_passed(void *arg, const struct clock *clock)
{
	struct silicon *s = arg;
	unsigned requests;

	generated_before(s->twist, s->ops, s->pmu);
	requests = s->ops->clock(s->pmu, clock);
	request(s, generated_after(s->twist, s->ops, s->pmu, requests));
}

static bool holds_request(const struct silicon *s)
{
	return generated_held(s->twist, s->ops->held_by(s->pmu));
}

/* One instruction closer; a request made by this very instruction waits its full latency. */
static void age_requests(struct silicon *s)
{
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i] > 1)
			s->due_in[i]--;
	if (!holds_request(s) && s->held_for) {
		s->held_for = 0;
		draw_latency(s);
	}
	if (!holds_request(s))
		return;
	if (s->held_for < s->latency)
		s->held_for++;
}

void silicon_flush(struct silicon *s)
{
	pipeline_close(&s->pipeline);
	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i])
			s->due_in[i] = 1;
	s->held_for = s->latency;
}

struct pmi silicon_take_pmi(struct silicon *s)
{
	struct pmi pmi = {
		.held = s->held_for >= s->latency && holds_request(s),
		.masks_lvt = s->ops->masks_lvt(s->pmu),
		.lvt = s->fault ? s->fault->lvt : NULL,
	};

	for (unsigned i = 0; i < REQUESTS; i++)
		if (s->due_in[i] == 1) {
			s->due_in[i] = 0;
			pmi.due++;
		}
	return pmi;
}

/* ---- life and execution ---- */

void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault)
{
	memset(s, 0, sizeof(*s));
	s->tally.digest = FNV_BASIS;
	s->profile = profile;
	s->ops = profile->pmu;
	pipeline_reset(&s->pipeline, &profile->retirement, clock_passed, s);
	s->fault = fault;
	if (fault && fault->generated) {
		s->generated = *fault->generated;
		s->twist = &s->generated;
	}
	draw_latency(s);
	s->ops->reset(s->pmu, profile, fault);
	uncore_reset(&s->uncore, profile->uncore, fault);
	if (s->twist)
		s->ops->rdmsr(s->pmu, s->twist->msr, &s->twist->shadow);
}

void silicon_vary(struct silicon *s, uint32_t seed)
{
	pipeline_vary(&s->pipeline, seed);
	draw_latency(s);
}

bool silicon_counting(const struct silicon *s)
{
	return s->ops->counting(s->pmu) || holds_request(s) || s->uncore.watching;
}

void silicon_retire(struct silicon *s, const struct insn *insn, unsigned cpl, bool taken,
		    bool iflag)
{
	s->tally.retired++;
	age_requests(s);
	pipeline_retire(&s->pipeline, insn, cpl, taken, iflag);
	/* The record is of the very instruction that makes the event. */
	if (silicon_precise(s))
		pipeline_close(&s->pipeline);
}

void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl)
{
	age_requests(s);
	pipeline_deliver(&s->pipeline, what, cpl);
}

void silicon_branched(struct silicon *s, const struct branch *branch)
{
	if (s->ops->branched)
		s->ops->branched(s->pmu, branch);
}

bool silicon_precise(const struct silicon *s)
{
	return s->ops->precise && s->ops->precise(s->pmu);
}

bool silicon_wants_assist(const struct silicon *s)
{
	return s->ops->wants_assist && s->ops->wants_assist(s->pmu);
}

void silicon_assist(struct silicon *s, const struct machine *machine)
{
	request(s, s->ops->assist(s->pmu, machine));
}

bool silicon_writes_first(const struct silicon *s)
{
	return s->profile->retirement.writes_first;
}

/* ---- registers ---- */

/* The PMU registers of every vendor.  SHARED: where the PMU has none, the processor underneath may
 * have them; UNCORE: no register of a core. */
static const struct msr_range {
	uint32_t first, last;
	enum { CORE, SHARED, UNCORE } owner;
} pmu_ranges[] = {
	{0x00000034, 0x00000034, CORE}, /* MSR_SMI_COUNT */
	{0x00000040, 0x00000047, SHARED}, /* Core 2: last branches, from */
	{0x00000060, 0x00000067, SHARED}, /* and to */
	{0x000000c1, 0x000000c8, CORE}, /* P6 and architectural counters */
	{0x00000186, 0x0000018d, CORE}, /* their event selects */
	{0x000001a0, 0x000001a0, SHARED}, /* IA32_MISC_ENABLE */
	{0x000001a4, 0x000001a4, UNCORE}, /* MSR_MISC_FEATURE_CONTROL */
	{0x000001a6, 0x000001a7, SHARED}, /* MSR_OFFCORE_RSP */
	{0x000001c8, 0x000001c9, SHARED}, /* MSR_LBR_SELECT, MSR_LASTBRANCH_TOS */
	{0x000001d9, 0x000001d9, SHARED}, /* IA32_DEBUGCTL */
	{0x000001db, 0x000001de, SHARED}, /* P6: last branch, last interrupt */
	{0x00000300, 0x000003f2, CORE}, /* NetBurst; fixed counters 309h, 345h, 38Dh-392h; PEBS */
	{0x000003f6, 0x000003f7, SHARED}, /* MSR_PEBS_LD_LAT_THRESHOLD and the like */
	{0x000003fc, 0x000003fd, UNCORE}, /* residencies that the PCU counts */
	{0x000004c1, 0x000004c8, CORE}, /* full-width architectural counters */
	{0x00000600, 0x00000600, SHARED}, /* IA32_DS_AREA */
	{0x00000680, 0x0000069f, SHARED}, /* last branches: from, */
	{0x000006c0, 0x000006df, SHARED}, /* to, */
	{0x00000c00, 0x00000dbf, UNCORE}, /* UBox, PCU, CBo */
	{0x00000dc0, 0x00000ddf, SHARED}, /* and more about the last branches */
	{0x00000de0, 0x00000dff, UNCORE}, /* CBo */
	{0xc0000300, 0xc0000303, CORE}, /* PerfMonV2 global registers */
	{0xc0010000, 0xc0010007, CORE}, /* K7 legacy */
	{0xc0010200, 0xc001021f, CORE}, /* extended core counters */
	{0xc0010230, 0xc001023f, CORE}, /* L2I, L3 */
	{0xc0010240, 0xc001025f, CORE}, /* NB, DF */
	{0xc0010800, 0xc00108ff, CORE}, /* UMC */
	{0xc0011030, 0xc001103f, CORE}, /* IBS */
};

static const struct msr_range *find_range(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(pmu_ranges); i++)
		if (msr >= pmu_ranges[i].first && msr <= pmu_ranges[i].last)
			return &pmu_ranges[i];
	return NULL;
}

bool silicon_intercepts_msr(uint32_t msr)
{
	return find_range(msr);
}

bool silicon_msr_range(unsigned index, uint32_t *first, uint32_t *last)
{
	if (index >= ARRAY_SIZE(pmu_ranges))
		return false;
	*first = pmu_ranges[index].first;
	*last = pmu_ranges[index].last;
	return true;
}

/* The other name of the register that a counter has by msr, where it has two; else msr itself. */
static uint32_t other_name(uint32_t msr)
{
	if (msr >= 0x4c1 && msr <= 0x4c8)
		return msr - 0x4c1 + 0xc1;
	if (msr >= 0xc0010201 && msr <= 0xc0010207)
		return (msr - 0xc0010201) / 2 + 0xc0010004;
	return msr;
}

/* History: MSR_SMI_COUNT, and records of branches, MSR_LASTBRANCH_* and the like. */
static bool is_record(uint32_t msr)
{
	static const uint32_t ranges[][2] = {{0x34, 0x34},   {0x40, 0x47},   {0x60, 0x67},
					     {0x1c9, 0x1c9}, {0x1db, 0x1de}, {0x680, 0x69f},
					     {0x6c0, 0x6df}, {0xdc0, 0xddf}};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (msr >= ranges[i][0] && msr <= ranges[i][1])
			return true;
	return false;
}

bool silicon_advances(const struct silicon *s, uint32_t msr)
{
	struct core_register reg;

	if (is_record(msr) || (s->uncore.present && uncore_is_clock(msr)))
		return true;
	for (unsigned i = 0; s->ops->register_at(s->pmu, i, &reg); i++)
		if (reg.cells && (reg.msr == msr || other_name(reg.msr) == msr) &&
		    s->ops->enabled(s->pmu, (unsigned)reg.counter))
			return true;
	return false;
}

bool silicon_all_count(const struct silicon *s)
{
	struct core_register reg;

	for (unsigned i = 0; s->ops->register_at(s->pmu, i, &reg); i++)
		if (reg.cells && !s->ops->enabled(s->pmu, (unsigned)reg.counter))
			return false;
	return true;
}

void silicon_smi(struct silicon *s)
{
	if (s->ops->smi)
		s->ops->smi(s->pmu);
}

/* The registers of other vendors must fault here, not read as 0. */
static enum access settle(const struct msr_range *range, enum access access)
{
	return access == ACCESS_NOT_MINE && range->owner == CORE ? ACCESS_GP : access;
}

enum access silicon_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	const struct msr_range *range = find_range(msr);
	enum access access;

	access = s->uncore.present ? uncore_rdmsr(&s->uncore, msr, value) : ACCESS_NOT_MINE;
	if (!range || range->owner == UNCORE || access != ACCESS_NOT_MINE)
		return access;
	pipeline_close(&s->pipeline);
	s->accessed = s->tally.retired;
	access = s->ops->rdmsr(s->pmu, generated_address(s->twist, msr), value);
	if (access == ACCESS_DONE)
		*value = generated_read(s->twist, msr, *value);
	/* The shared ones hold addresses, which are others wherever the program lies. */
	if (access == ACCESS_DONE && range->owner == CORE)
		digest_read(s, msr, *value);
	return settle(range, access);
}

enum access silicon_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	const struct msr_range *range = find_range(msr);
	enum access access;

	access = s->uncore.present ? uncore_wrmsr(&s->uncore, msr, value) : ACCESS_NOT_MINE;
	if (!range || range->owner == UNCORE || access != ACCESS_NOT_MINE)
		return access;
	pipeline_close(&s->pipeline);
	s->accessed = s->tally.retired;
	/* Nothing was reported while nothing counted, but WRMSR runs in ring 0 only. */
	s->pipeline.cpl = 0;
	generated_before(s->twist, s->ops, s->pmu);
	access = s->ops->wrmsr(s->pmu, generated_address(s->twist, msr),
			       generated_write(s->twist, msr, value));
	generated_written(s->twist, s->ops, s->pmu);
	return settle(range, access);
}

enum access silicon_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value)
{
	enum access access;

	pipeline_close(&s->pipeline);
	s->accessed = s->tally.retired;
	access = s->ops->rdpmc(s->pmu, index, cpl, cr4_pce, value);
	if (access == ACCESS_DONE)
		digest_read(s, index, *value);
	return access;
}

/* ---- the uncore ---- */

void silicon_configure_uncore(struct silicon *s, const struct uncore_config *config)
{
	uncore_configure(&s->uncore, config);
}

bool silicon_has_uncore(const struct silicon *s)
{
	return s->uncore.present;
}

void silicon_set_tsc(struct silicon *s, uint64_t tsc)
{
	s->uncore.now = tsc;
}

bool silicon_pci_read(struct silicon *s, const struct pci_access *access, uint32_t *value)
{
	return uncore_pci_read(&s->uncore, access, value);
}

bool silicon_pci_write(struct silicon *s, const struct pci_access *access, uint32_t value)
{
	return uncore_pci_write(&s->uncore, access, value);
}

bool silicon_is_foreign_msr(const struct silicon *s, uint32_t msr)
{
	return !s->uncore.present && uncore_is_listed_msr(msr);
}

bool silicon_is_foreign_bus(const struct silicon *s, uint8_t bus)
{
	return !s->uncore.present && uncore_is_bus(bus);
}

bool silicon_is_uncore_bus(uint8_t bus)
{
	return uncore_is_bus(bus);
}

bool silicon_watches_memory(const struct silicon *s)
{
	return s->uncore.watching;
}

uint64_t silicon_memory(struct silicon *s, const struct memory_access *access)
{
	if (access->kind == MEMORY_FENCE) {
		uncore_flush_buffers(&s->uncore);
		return uncore_drain(&s->uncore);
	}
	uncore_access(&s->uncore, access);
	return s->uncore.memory.busy_until;
}

/* ---- CPUID ---- */

void silicon_cpuid(const struct silicon *s, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	static const char hypervisor[12] = "pmutest86 mo";

	(void)subleaf;
	if (leaf < 0x40000000 || leaf >= 0x80000000) {
		s->profile->cpuid(s->profile, leaf, r);
		if (s->fault && s->fault->cpuid)
			s->fault->cpuid(leaf, r);
		return;
	}
	memset(r, 0, 4 * sizeof(*r));
	if (leaf == 0x40000000) {
		r[0] = leaf;
		memcpy(r + 1, hypervisor, sizeof(hypervisor));
	}
}
