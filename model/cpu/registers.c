/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processor, as software sees it: CPUID, and the registers of PMUs. */

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "state.h"

static void digest_read(struct silicon *s, uint32_t where, uint64_t value)
{
	silicon_digest(s, where);
	silicon_digest(s, value);
}

/* ---- registers ---- */

/* The core PMU registers of every vendor.  Where the PMU has none, the processor underneath may
 * have those that are shared.  History is what the processor writes by itself. */
static const struct core_range {
	struct msr_range msrs;
	enum { SHARED = 1, HISTORY = 2 } is; /* any of them */
} core_ranges[] = {
	{{0x00000034, 0x00000034}, HISTORY}, /* MSR_SMI_COUNT */
	{{0x00000040, 0x00000047}, SHARED | HISTORY}, /* Core 2: last branches, from */
	{{0x00000060, 0x00000067}, SHARED | HISTORY}, /* and to */
	{{0x000000c1, 0x000000c8}, 0}, /* P6 and architectural counters */
	{{0x0000010f, 0x0000010f}, 0}, /* MSR_TSX_FORCE_ABORT */
	{{0x00000186, 0x0000018d}, 0}, /* their event selects */
	{{0x000001a0, 0x000001a0}, SHARED}, /* IA32_MISC_ENABLE */
	{{0x000001a6, 0x000001a7}, SHARED}, /* MSR_OFFCORE_RSP */
	{{0x000001c8, 0x000001c8}, SHARED}, /* MSR_LBR_SELECT */
	{{0x000001c9, 0x000001c9}, SHARED | HISTORY}, /* MSR_LASTBRANCH_TOS */
	{{0x000001d9, 0x000001d9}, SHARED}, /* IA32_DEBUGCTL */
	{{0x000001db, 0x000001de}, SHARED | HISTORY}, /* P6: last branch, last interrupt */
	{{0x000001e0, 0x000001e0}, SHARED | HISTORY}, /* more about the branch before an event */
	{{0x00000300, 0x000003f2}, 0}, /* NetBurst; fixed counters 309h, 345h, 38Dh-392h; PEBS */
	{{0x000003f4, 0x000003f5}, 0}, /* architectural PEBS: IA32_PEBS_BASE, IA32_PEBS_INDEX */
	{{0x000003f6, 0x000003f7}, SHARED}, /* MSR_PEBS_LD_LAT_THRESHOLD and the like */
	{{0x000004c1, 0x000004c8}, 0}, /* full-width architectural counters */
	{{0x00000600, 0x00000600}, SHARED}, /* IA32_DS_AREA */
	{{0x00000680, 0x0000069f}, SHARED | HISTORY}, /* last branches: from, */
	{{0x000006c0, 0x000006df}, SHARED | HISTORY}, /* to, */
	{{0x00000dc0, 0x00000ddf}, SHARED | HISTORY}, /* and more about the last branches */
	{{0x00001200, 0x0000121f}, HISTORY}, /* architectural: more about the last branches */
	{{0x000014ce, 0x000014cf}, 0}, /* how they are recorded, */
	{{0x00001500, 0x0000151f}, HISTORY}, /* from, */
	{{0x00001600, 0x0000161f}, HISTORY}, /* and to */
	{{0x00001900, 0x0000199b}, 0}, /* version 6: a block for each counter */
	{{0xc000010e, 0xc000010f}, 0}, /* AMD's stack of branches: its filter and its switch, */
	{{0xc0000300, 0xc0000303}, 0}, /* PerfMonV2 global registers */
	{{0xc0010000, 0xc0010007}, 0}, /* K7 legacy */
	{{0xc0010200, 0xc001021f}, 0}, /* extended core counters */
	{{0xc0010230, 0xc001023f}, 0}, /* L2I, L3 */
	{{0xc0010240, 0xc001025f}, 0}, /* NB, DF */
	{{0xc0010300, 0xc001031f}, HISTORY}, /* and its records */
	{{0xc0010800, 0xc00108ff}, 0}, /* UMC */
	{{0xc0011030, 0xc0011030}, 0}, /* IBS: of fetches, */
	{{0xc0011031, 0xc0011032}, HISTORY},
	{{0xc0011033, 0xc0011033}, 0}, /* of ops, */
	{{0xc0011034, 0xc0011039}, HISTORY},
	{{0xc001103a, 0xc001103a}, 0}, /* its interrupt, */
	{{0xc001103b, 0xc001103d}, HISTORY},
	{{0xc001103e, 0xc001103f}, 0}, /* and later controls */
};

/* NULL: no register of a core PMU. */
AT_EXIT static const struct core_range *find_range(uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_ranges); i++)
		if (msr >= core_ranges[i].msrs.first && msr <= core_ranges[i].msrs.last)
			return &core_ranges[i];
	return NULL;
}

const struct msr_range *silicon_msr_range(unsigned index)
{
	if (index < ARRAY_SIZE(core_ranges))
		return &core_ranges[index].msrs;
	return silicon_boxes_range(index - (unsigned)ARRAY_SIZE(core_ranges));
}

bool silicon_intercepts_msr(uint32_t msr)
{
	return find_range(msr) || silicon_boxes_intercept_msr(msr) || silicon_is_part_msr(msr);
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

/* And in a block of version 6, where it has one there. */
static uint32_t block_name(uint32_t msr)
{
	if (msr >= 0x4c1 && msr <= 0x4c8)
		return 0x1900 + 4 * (msr - 0x4c1);
	return msr >= 0x309 && msr <= 0x30f ? 0x1980 + 4 * (msr - 0x309) : msr;
}

bool silicon_advances(struct silicon *s, uint32_t msr)
{
	const struct core_range *range = find_range(msr);
	struct pmu_register reg;

	if ((range && range->is & HISTORY) || silicon_boxes_advance(s, msr))
		return true;
	for (unsigned i = 0; s->ops->register_at(core_now(s)->pmu, i, &reg); i++)
		if (reg.cells &&
		    (reg.address == msr || other_name(reg.address) == msr ||
		     block_name(reg.address) == msr) &&
		    s->core_ops->enabled(core_now(s)->pmu, (unsigned)reg.counter))
			return true;
	return false;
}

/* The registers of other vendors must fault here, not read as 0. */
static enum access settle(const struct core_range *range, enum access access)
{
	return access == ACCESS_NOT_MINE && !(range->is & SHARED) ? ACCESS_GP : access;
}

AT_EXIT static enum access read_msr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	const struct core_range *range = find_range(msr);
	enum access access = silicon_boxes_rdmsr(s, msr, value);

	if (access != ACCESS_NOT_MINE) {
		silicon_look_for_announcement(s);
		return access;
	}
	if (client_has(s, msr)) {
		*value = client_rdmsr(s, msr);
		return ACCESS_DONE;
	}
	if (!range)
		return part_rdmsr(s, msr, value);
	pipeline_close(&core_now(s)->pipeline);
	s->accessed = s->tally.retired;
	access = s->ops->rdmsr(core_now(s)->pmu, msr, value);
	silicon_look_for_request(s);
	/* The shared ones hold addresses, which depend on where the program lies. */
	if (access == ACCESS_DONE && !(range->is & SHARED))
		digest_read(s, msr, *value);
	return settle(range, access);
}

/* Something else may count, now that the PMU was told something. */
AT_EXIT static void look_anew(struct silicon *s)
{
	s->watches_hierarchy =
		s->core_ops->watches_hierarchy && s->core_ops->watches_hierarchy(core_now(s)->pmu);
	hierarchy_tell_memory(&s->settled.pipeline.hierarchy,
			      s->core_ops->watches_northbridge &&
				      s->core_ops->watches_northbridge(core_now(s)->pmu));
	s->watches_bogus =
		s->core_ops->watches_bogus && s->core_ops->watches_bogus(core_now(s)->pmu);
	s->steadiness = NOT_TRIED;
	s->idle = !s->watches_hierarchy && !s->core_ops->counting(core_now(s)->pmu);
	silicon_look_for_request(s);
}

void silicon_enter_world(struct silicon *s, enum world world)
{
	if (!s->core_ops->enter_world)
		return;
	pipeline_close(&core_now(s)->pipeline);
	s->core_ops->enter_world(core_now(s)->pmu, world);
	look_anew(s);
}

bool silicon_counts_guests(struct silicon *s)
{
	return s->core_ops->counts_guests && s->core_ops->counts_guests(core_now(s)->pmu);
}

AT_EXIT static enum access write_msr(struct silicon *s, uint32_t msr, uint64_t value)
{
	const struct core_range *range = find_range(msr);
	enum access access = silicon_boxes_wrmsr(s, msr, value);
	bool was_counting;

	if (access != ACCESS_NOT_MINE) {
		silicon_look_for_announcement(s);
		return access;
	}
	if (client_has(s, msr))
		return client_wrmsr(s, msr, value);
	if (!range)
		return part_wrmsr(s, msr);
	pipeline_close(&core_now(s)->pipeline);
	s->accessed = s->tally.retired;
	/* Nothing was reported while nothing counted, but WRMSR runs in ring 0 only. */
	core_now(s)->pipeline.cpl = 0;
	was_counting = s->core_ops->counting(core_now(s)->pmu);
	access = s->ops->wrmsr(core_now(s)->pmu, msr, value);
	if (was_counting && !s->core_ops->counting(core_now(s)->pmu) &&
	    company_spoils(s, COMPANY_STOPS))
		company_writes(msr, value);
	silicon_look_for_announcement(s);
	look_anew(s);
	return settle(range, access);
}

AT_EXIT enum access silicon_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	enum access access = read_msr(s, msr, value);

	if (access != ACCESS_GP || !s->ignores_msrs)
		return access;
	*value = 0;
	return ACCESS_DONE;
}

/* A hypervisor that ignores writes to unknown MSRs does so unless the register can be read: then it
 * is there, and refuses the value. */
AT_EXIT enum access silicon_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	enum access access = write_msr(s, msr, value);

	if (access != ACCESS_GP || !s->ignores_msrs)
		return access;
	return read_msr(s, msr, &value) == ACCESS_GP ? ACCESS_DONE : ACCESS_GP;
}

enum access silicon_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value)
{
	enum access access;

	pipeline_close(&core_now(s)->pipeline);
	s->accessed = s->tally.retired;
	access = s->ops->rdpmc(core_now(s)->pmu, index, cpl, cr4_pce, value);
	if (access != ACCESS_DONE)
		return silicon_boxes_rdpmc(s, index, cpl, cr4_pce, value);
	digest_read(s, index, *value);
	return access;
}

/* ---- CPUID ---- */

/* Has the leaf subleaves?  Only leaves that defects know are asked for; others answer whatever is
 * in ECX. */
static bool has_subleaves(uint32_t leaf)
{
	return leaf == 0x7 || leaf == 0x23;
}

/* Changes what CPUID says of this leaf. */
static void lie(const struct cpuid_lie *lie, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	for (; lie; lie = lie->next)
		if (lie->leaf == leaf && (lie->subleaf == subleaf || !has_subleaves(leaf)))
			for (unsigned i = 0; i < 4; i++)
				r[i] = (r[i] & ~lie->clear[i]) | lie->set[i];
}

static bool is_hypervisors(uint32_t leaf)
{
	return leaf >> 28 == 4;
}

static void hypervisor(uint32_t leaf, uint32_t r[4])
{
	static const char name[] = "pmutest86 mo"; /* EBX, ECX, EDX */

	memset(r, 0, 4 * sizeof(*r));
	if (leaf == 0x40000000) {
		r[0] = leaf;
		memcpy(r + 1, name, 3 * sizeof(*r));
	}
}

uint32_t silicon_cpuid_leaf(const struct silicon *s, uint32_t leaf)
{
	return is_hypervisors(leaf) ? leaf : cpuid_stands_for(s->profile, s->own, leaf);
}

void silicon_cpuid(struct silicon *s, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	uint32_t answering = silicon_cpuid_leaf(s, leaf);

	if (is_hypervisors(leaf))
		hypervisor(leaf, r);
	else
		cpuid_answer(s->profile, s->own, answering, subleaf, r);
	features_lend(s, answering, r);
	part_cpuid(s, answering, r);
	cpuid_seat(s->profile, &s->seat, core_now(s)->pipeline.threads.now, answering, subleaf, r);
	if (s->fault)
		lie(s->fault->cpuid, leaf, subleaf, r);
	for (unsigned i = 0; i < s->lawful_count; i++)
		lie(s->lawful[i]->cpuid, leaf, subleaf, r);
}
