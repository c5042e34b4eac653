/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the Intel core PMU: which there are, what each takes, where it keeps its value.
 */
#include "intel.h"
#include "kernel/lib/string.h"

#define ANY_VALUE ~UINT64_C(0)

/* ---- which bits there are ---- */

uint64_t intel_counter_bits(const struct intel_traits *traits)
{
	return (BIT(traits->counters) - 1) | (uint64_t)traits->fixed << 32;
}

static uint64_t fixed_ctrl_bits(const struct intel_traits *traits)
{
	uint64_t one = FIXED_EN_OS | FIXED_EN_USR | FIXED_PMI, bits = 0;

	if (traits->select_bits & SELECT_ANY)
		one |= FIXED_ANY;
	if (traits->capabilities & CAPS_PEBS_BASELINE)
		one |= BIT(32);
	for (unsigned i = 0; traits->fixed >> i; i++)
		bits |= traits->fixed >> i & 1 ? one << 4 * i : 0;
	return traits->capabilities & CAPS_METRICS_CLEAR ? bits | FIXED_METRICS_CLEAR : bits;
}

/* The bits that OVF_CTRL, or STATUS_RESET, clears. */
static uint64_t status_bits(const struct intel_traits *traits)
{
	uint64_t bits = intel_counter_bits(traits) | STATUS_COND_CHGD;

	if (traits->pebs_counters)
		bits |= STATUS_OVF_BUFFER;
	if (traits->recorded)
		bits |= STATUS_OVF_PEBS;
	if (traits->metrics)
		bits |= STATUS_OVF_METRICS;
	if (traits->version >= 3)
		bits |= STATUS_OVF_UNCORE;
	if (traits->version >= 4)
		bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ;
	return bits;
}

static uint64_t pebs_enable_bits(const struct intel_traits *traits)
{
	uint64_t bits = traits->pebs_counters;

	/* From version 5 on the upper half belongs to fixed counters. */
	if (traits->load_latency && traits->version < 5)
		bits |= traits->pebs_counters << 32;
	return traits->precise_store ? bits | BIT(63) : bits;
}

/* Values of counters, and PERF_METRICS, came with format 6. */
static uint64_t data_cfg_bits(const struct intel_traits *traits)
{
	const uint64_t counters = intel_counter_bits(traits);
	uint64_t bits = FIELD(2, 0);

	if (traits->lbr.depth)
		bits |= FIELD(31, 24) | BIT(3);
	if (field_get(CAPS_PEBS_FMT, traits->capabilities) < 6)
		return bits;
	bits |= BIT(4) | counters << 32 | (uint64_t)traits->fixed << 48;
	return traits->metrics ? bits | BIT(5) : bits;
}

/* ---- which registers there are ---- */

#define HELD_AT(member_, stride_) CORE_CELLS(struct pmu_intel, member_, stride_)
#define HELD(member_)             HELD_AT(member_, sizeof(uint64_t))
#define BRANCHES(member_)         HELD_AT(lbr[0].member_, sizeof(struct intel_lbr))
#define LER(member_)              HELD_AT(ler.member_, sizeof(uint64_t))
#define RELOAD(member_)           HELD_AT(reload[0].member_, sizeof(struct intel_reload))

/* In all rings, retired instructions. */
#define RUNS      (SELECT_USR | SELECT_OS | SELECT_EN | field_put(SELECT_CODE, 0x00c0))
#define ALL_FIXED UINT64_C(0x3333333)

/* From version 6 on: a block of four registers for each counter. */
#define GENERAL_BLOCKS   0x1900u
#define FIXED_BLOCKS     0x1980u
#define BLOCK(first_, i) ((first_) + 4 * (i))
#define IN_BLOCKS        .gap = 3

struct layout {
	struct register_range range[CORE_RANGES];
	size_t count;
};

static void add(struct layout *l, const struct register_range *ranges, size_t count)
{
	memcpy(&l->range[l->count], ranges, count * sizeof(*ranges));
	l->count += count;
}

/* Select registers and values, each perhaps by a second name. */
static void add_counters(const struct pmu_intel *p, struct layout *l)
{
	const struct intel_traits *t = p->traits;
	bool full_width = t->capabilities & CAPS_FW_WRITE;
	uint64_t cfg_c = FIELD(31, 0) | t->cfg_c;
	unsigned old = t->counters < INTEL_OLD_NAMES ? t->counters : INTEL_OLD_NAMES;
	unsigned more = t->counters - old, renamed = t->new_names ? old : 0;
	unsigned fixed = t->version >= 2 ? INTEL_FIXED : 0, blocks = t->new_names ? fixed : 0;
	const struct register_range ranges[] = {
		{INTEL_EVTSEL, 0x186, old, CORE_CONTROLS, t->select_bits, .runs = RUNS},
		{INTEL_EVTSEL, BLOCK(GENERAL_BLOCKS, INTEL_OLD_NAMES) + 1, more, CORE_CONTROLS,
		 t->select_bits, .runs = RUNS, .number = INTEL_OLD_NAMES, IN_BLOCKS},
		{INTEL_EVTSEL, GENERAL_BLOCKS + 1, renamed, CORE_CONTROLS, t->select_bits,
		 .alias = true, IN_BLOCKS},
		{INTEL_A_PMC, 0x4c1, full_width ? old : 0, CORE_VALUES, p->core.mask},
		{INTEL_A_PMC, BLOCK(GENERAL_BLOCKS, INTEL_OLD_NAMES), more, CORE_VALUES,
		 p->core.mask, .number = INTEL_OLD_NAMES, IN_BLOCKS},
		{INTEL_A_PMC, GENERAL_BLOCKS, renamed, CORE_VALUES, p->core.mask, .alias = true,
		 IN_BLOCKS},
		{INTEL_PMC, 0x0c1, old, CORE_VALUES, ANY_VALUE, .alias = full_width},
		{INTEL_FIXED_CTR, 0x309, fixed, CORE_VALUES, p->core.mask, .number = INTEL_GENERAL},
		{INTEL_FIXED_CTR, FIXED_BLOCKS, blocks, CORE_VALUES, p->core.mask,
		 .number = INTEL_GENERAL, .alias = true, IN_BLOCKS},
		{INTEL_CFG_B, GENERAL_BLOCKS + 2, renamed, RELOAD(sources), t->reloading,
		 IN_BLOCKS},
		{INTEL_CFG_B, FIXED_BLOCKS + 2, blocks, RELOAD(sources), t->reloading,
		 .number = INTEL_GENERAL, IN_BLOCKS},
		{INTEL_CFG_C, GENERAL_BLOCKS + 3, renamed, RELOAD(value), cfg_c, IN_BLOCKS},
		{INTEL_CFG_C, BLOCK(GENERAL_BLOCKS, INTEL_OLD_NAMES) + 3, more, RELOAD(value),
		 cfg_c, .number = INTEL_OLD_NAMES, IN_BLOCKS},
		{INTEL_CFG_C, FIXED_BLOCKS + 3, blocks, RELOAD(value), cfg_c,
		 .number = INTEL_GENERAL, IN_BLOCKS},
	};

	add(l, ranges, ARRAY_SIZE(ranges));
}

/* Of all counters together, and what else is there. */
static void add_shared(const struct pmu_intel *p, struct layout *l)
{
	const struct intel_traits *t = p->traits;
	bool v2 = t->version >= 2, v4 = t->version >= 4, pebs = t->pebs_counters;
	bool baseline = t->capabilities & CAPS_PEBS_BASELINE;
	uint64_t status = status_bits(t), counters = intel_counter_bits(t);
	const struct register_range ranges[] = {
		{INTEL_FIXED_CTR_CTRL, 0x38d, v2, HELD(fixed_ctrl), fixed_ctrl_bits(t),
		 .runs = fixed_ctrl_bits(t) & ALL_FIXED},
		{INTEL_GLOBAL_STATUS, 0x38e, v2, HELD(status), ANY_VALUE, .read_only = true},
		{INTEL_GLOBAL_CTRL, 0x38f, v2, HELD(global_ctrl),
		 counters | (t->metrics ? GLOBAL_CTRL_METRICS : 0), .runs = counters},
		{INTEL_STATUS_RESET, 0x390, v2, CORE_COMMAND, status},
		{INTEL_STATUS_SET, 0x391, v4, CORE_COMMAND, status & ~STATUS_COND_CHGD},
		{INTEL_GLOBAL_INUSE, 0x392, v4, CORE_COMMAND, .read_only = true},
		{INTEL_PEBS_BASE, 0x3f4, t->recorded != 0, HELD(pebs.base), PEBS_BASE_BITS},
		{INTEL_PEBS_INDEX, 0x3f5, t->recorded != 0, HELD(pebs.index), PEBS_INDEX_BITS},
		{INTEL_PEBS_ENABLE, 0x3f1, pebs, HELD(pebs.enable), pebs_enable_bits(t)},
		{INTEL_PEBS_DATA_CFG, 0x3f2, baseline, HELD(pebs.data_cfg), data_cfg_bits(t)},
		{INTEL_LD_LAT_THRESHOLD, 0x3f6, t->load_latency, HELD(ld_lat), FIELD(15, 0)},
		{INTEL_FRONTEND, 0x3f7, t->frontend, HELD(frontend), FIELD(22, 0)},
		{INTEL_OFFCORE_RSP, 0x1a6, t->offcore_registers, HELD(offcore[0]), ANY_VALUE},
		{INTEL_DS_AREA, 0x600, pebs, HELD(pebs.ds_area), ANY_VALUE},
		{INTEL_PERF_CAPABILITIES, 0x345, t->capabilities != 0, HELD(capabilities),
		 .read_only = true},
		{INTEL_MISC_ENABLE, 0x1a0, t->version != 0, HELD(misc_enable), ANY_VALUE},
		{INTEL_DEBUGCTL, 0x1d9, 1, HELD(debugctl), t->debugctl_bits},
		{INTEL_FORCE_ABORT, 0x10f, t->force_abort, HELD(force_abort), FIELD(1, 0)},
		{INTEL_SMI_COUNT, 0x034, t->version >= 3, HELD(smi_count), .read_only = true},
		{INTEL_PERF_METRICS, 0x329, t->metrics != 0, CORE_COMMAND,
		 t->metrics == INTEL_METRICS ? ANY_VALUE : FIELD(31, 0)},
	};

	add(l, ranges, ARRAY_SIZE(ranges));
}

static void add_branches(const struct pmu_intel *p, struct layout *l)
{
	const struct intel_traits *t = p->traits;
	const struct intel_lbr_traits *lbr = &t->lbr;
	bool architectural = intel_lbr_is_architectural(t);
	const struct register_range ranges[] = {
		{INTEL_LBR_SELECT, 0x1c8, lbr->select_bits != 0, HELD(lbr_select),
		 lbr->select_bits},
		/* Writable where there is a filter. */
		{INTEL_LBR_TOS, 0x1c9, lbr->has_tos, HELD(lbr_tos), lbr->depth - 1,
		 .read_only = !lbr->select_bits},
		{INTEL_LBR_FROM, lbr->from, lbr->depth, BRANCHES(from), ANY_VALUE,
		 .read_only = !t->version},
		{INTEL_LBR_TO, lbr->to, lbr->depth, BRANCHES(to), ANY_VALUE,
		 .read_only = !t->version},
		{INTEL_LBR_INFO, lbr->info, lbr->info ? lbr->depth : 0, BRANCHES(info),
		 architectural ? LBR_INFO_BITS : FIELD(63, 61) | FIELD(15, 0)},
		{INTEL_ARCH_LBR_CTL, 0x14ce, architectural, HELD(lbr_ctl), LBR_CTL_BITS},
		{INTEL_ARCH_LBR_DEPTH, 0x14cf, architectural, HELD(lbr_depth), ANY_VALUE},
		{INTEL_LER, 0x1dd, architectural ? 2 : 0, LER(from), ANY_VALUE},
		{INTEL_LER_INFO, 0x1e0, architectural, LER(info), LBR_INFO_BITS},
		{INTEL_LASTINT, 0x1dd, t->version ? 0 : 2, HELD(last_int), .read_only = true},
	};

	add(l, ranges, ARRAY_SIZE(ranges));
}

void intel_lay_out(struct pmu_intel *p)
{
	struct layout l = {.count = 0};

	add_counters(p, &l);
	add_shared(p, &l);
	add_branches(p, &l);
	core_lay_out(&p->core, l.range, l.count);
}

/* ---- which bits are documented to do something ---- */

enum { FIXED_CTR_CTRL = 0x38d, ANY_OF_FIXED = 0x4444 };
#define ENTRIES_ABOVE_32 FIELD(31, 29)

#define ALONE            "by its CPUID the core has one thread, to which AnyThread adds none"

/* Bits of event select and unit mask that some event of the counter has. */
static uint64_t used(const struct intel_traits *traits, unsigned ctr)
{
	uint64_t code = 0;

	for (const struct intel_event *event = intel_event_table; event->code; event++)
		if (intel_has_event(traits, event, ctr))
			code |= event->code;
	return (code & SELECT_CODE) | field_put(SELECT_UNIT_MASK_2, code >> 16);
}

static const char *unseen_in_select(const struct intel_traits *traits, unsigned ctr, uint64_t bit,
				    bool inverted)
{
	if (bit == SELECT_PC)
		return "pin control drives a pin, which no software sees";
	if (bit == SELECT_ANY && !traits->hyper_threading)
		return ALONE;
	if (bit == SELECT_EN && !traits->version && ctr)
		return "both counters have their EN in PerfEvtSel0";
	if (bit & (SELECT_CODE | SELECT_UNIT_MASK_2) && !(used(traits, ctr) & bit) && !inverted)
		return "no documented event has this bit in its number or unit mask";
	return NULL;
}

const char *intel_unseen(const void *traits_, const struct pmu_register *reg, uint64_t bit,
			 bool inverted)
{
	const struct intel_traits *traits = traits_;

	if (reg->reg.kind == INTEL_CFG_C && bit & FIELD(6, 0))
		return "no manual says how soon behind an overflow a counter goes on from its "
		       "value";
	if (reg->reg.kind == INTEL_PEBS_ENABLE && bit & ~traits->pebs_counters)
		return "no test samples latencies of loads, or stores";
	if (reg->reg.kind == INTEL_PEBS_DATA_CFG && bit & ENTRIES_ABOVE_32 && !inverted)
		return "there are no more than 32 branch records";
	if (reg->counter >= 0)
		return unseen_in_select(traits, (unsigned)reg->counter, bit, inverted);
	if (reg->address == FIXED_CTR_CTRL && bit & ANY_OF_FIXED && !traits->hyper_threading)
		return ALONE;
	return NULL;
}
