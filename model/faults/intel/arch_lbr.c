/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural last branch records: those of a model's own have most of their faults, too. */
#include "intel.h"

#undef MODELS
#define MODELS MODEL_ARCH_LBR

enum { FROM, TO, INFO };
enum { LAST = INTEL_LBR_DEPTH - 1 };

#define INFO_CYCLES FIELD(15, 0)
#define INFO_TYPE   FIELD(59, 56)
#define ENTRIES     .registers = BIT(INTEL_LBR_FROM) | BIT(INTEL_LBR_TO) | BIT(INTEL_LBR_INFO)

/* ---- IA32_LBR_CTL ---- */

#define CTL(name_, test_, says_, ...)                                                              \
	FAULT(arch_lbr_##name_, test_, says_, ACTS(INTEL_ARCH_LBR_CTL, __VA_ARGS__))

CTL(calls_inverted, "*.lbr.each_kind", "bit 19 of IA32_LBR_CTL keeps its branches out",
    .flip = BIT(19));
CTL(jumps_need_conditional, "*.lbr.each_kind", "bit 17 of IA32_LBR_CTL acts only beside bit 16",
    .unless = BIT(16), .clear = BIT(17));
CTL(all_if_none, "*.lbr.filter", "without a kind all are recorded", .unless = FIELD(22, 16),
    .set = FIELD(22, 16));
CTL(never_a_stack, "*.lbr.call_stack", "CALL_STACK has no effect", .clear = LBR_CTL_CALL_STACK);
FAULT(arch_lbr_rings_swapped, "*.lbr.filter", "OS captures ring 3, and USR ring 0",
      EXCHANGES(INTEL_ARCH_LBR_CTL, BIT(1), BIT(2)));
FAULT(arch_lbr_ctl_bit_dead, "*.lbr.control_bits", "bit 18 of IA32_LBR_CTL cannot be set",
      KEEPS(INTEL_ARCH_LBR_CTL, .clear = BIT(18)));

static void takes(struct point *at)
{
	at->access = ACCESS_DONE;
}

FAULT(arch_lbr_ctl_takes_reserved, "*.lbr.control_bits", "IA32_LBR_CTL drops reserved bits",
      .refused = takes, .registers = BIT(INTEL_ARCH_LBR_CTL));

FAULT_DO(arch_lbr_ctl_clears_newest, "*.lbr.control_keeps_entries",
	 "a write of IA32_LBR_CTL clears entry 0", written, intel(at)->lbr[0].from = 0,
	 .registers = BIT(INTEL_ARCH_LBR_CTL));

/* ---- IA32_LBR_DEPTH ---- */

FAULT(arch_lbr_depth_ignored, "*.lbr.beyond_depth", "there are 32 entries whatever the depth",
      ACTS(INTEL_ARCH_LBR_DEPTH, .clear = FIELD(5, 0), .set = 32));
FAULT(arch_lbr_depth_stuck, "*.lbr.depth_values", "IA32_LBR_DEPTH keeps 32 whatever is written",
      KEEPS(INTEL_ARCH_LBR_DEPTH, .clear = FIELD(5, 0), .set = 32));
FAULT(arch_lbr_depth_16_is_8, "*.lbr.depth", "a depth of 16 acts as 8",
      ACTS(INTEL_ARCH_LBR_DEPTH, .when = 16, .clear = 16, .set = 8));

FAULT_BODY(arch_lbr_depth_refuses_16, "*.lbr.depth_values", "a depth of 16 raises #GP", refused,
	   .registers = BIT(INTEL_ARCH_LBR_DEPTH))
{
	if (at->raw == 16)
		at->access = ACCESS_GP;
}

FAULT_BODY(arch_lbr_depth_takes_24, "*.lbr.depth_values",
	   "a depth of 24 is taken though leaf 1CH has none", refused,
	   .registers = BIT(INTEL_ARCH_LBR_DEPTH))
{
	if (at->raw == 24)
		at->access = ACCESS_DONE;
}

FAULT_BODY(arch_lbr_depth_faults_late, "*.lbr.depth_values",
	   "an illegal depth clears the entries before it raises #GP", refused,
	   .registers = BIT(INTEL_ARCH_LBR_DEPTH))
{
	if (at->access == ACCESS_GP)
		intel_lbr_write_depth(intel(at), at->old);
}

/* memory: an entry that is to outlive the write. */
static void note_first(struct point *at)
{
	const struct intel_lbr *first = &intel(at)->lbr[0];

	at->memory[FROM] = first->from;
	at->memory[TO] = first->to;
	at->memory[INFO] = first->info;
}

FAULT_DO(arch_lbr_depth_leaves_newest, "*.lbr.depth_wipes",
	 "a write of IA32_LBR_DEPTH leaves entry 0", written,
	 intel(at)->lbr[0] = ((struct intel_lbr){at->memory[FROM], at->memory[TO],
						 at->memory[INFO]}),
	 .kept = note_first, .registers = BIT(INTEL_ARCH_LBR_DEPTH));
FAULT_BODY(arch_lbr_same_depth_leaves_info, "*.lbr.depth_wipes",
	   "a write of the same depth leaves INFO of entry 0", written, .kept = note_first,
	   .registers = BIT(INTEL_ARCH_LBR_DEPTH))
{
	if (at->value == at->old)
		intel(at)->lbr[0].info = at->memory[INFO];
}

FAULT(arch_lbr_beyond_depth, "*.lbr.beyond_depth", "entries beyond the depth can be accessed",
      ACTS(INTEL_ARCH_LBR_DEPTH, .when = 8, .set = 16, .clear = 8));

/* ---- the stack ---- */

FAULT_DO(arch_lbr_order_reversed, "*.lbr.from_to", "entry 0 is the oldest one", address,
	 at->reg.number = intel_lbr_depth(intel(at)) - 1 - at->reg.number, ENTRIES);
FAULT_DO(arch_lbr_order_shifted, "*.lbr.from_to", "the newest record is in entry 1", address,
	 at->reg.number = (at->reg.number + intel_lbr_depth(intel(at)) - 1) %
			  intel_lbr_depth(intel(at)),
	 ENTRIES);
FAULT_DO(arch_lbr_half_as_deep, "*.lbr.depth", "a record is lost behind sixteen newer ones", lbr,
	 intel(at)->lbr[INTEL_LBR_DEPTH / 2 - 1] = ((struct intel_lbr){0, 0, 0}));
FAULT_DO(arch_lbr_last_entry_dead, "*.lbr.depth", "entry 31 is never written", lbr,
	 intel(at)->lbr[LAST - 1] = intel(at)->lbr[LAST]);
FAULT(arch_lbr_entries_shared, "*.lbr.entries_hold", "TO of entries 7 and 15 is one register",
      .address = answers_for, .arg = 7, .only = {.kind = INTEL_LBR_TO, .number = 15});
FAULT(arch_lbr_from_bit_stuck, "*.lbr.entries_hold", "bit 33 of FROM cannot be set",
      KEEPS(INTEL_LBR_FROM, .clear = BIT(33)));

/* ---- records ---- */

FAULT_BODY(arch_lbr_tells_source, "*.lbr.filter",
	   "a record tells where in a ring that is left out a branch was", lbr)
{
	at->record[FROM] = at->branch->from;
}

static void set_type(struct point *at, uint64_t type)
{
	at->record[INFO] = (at->record[INFO] & ~INFO_TYPE) | field_put(INFO_TYPE, type);
}

FAULT_DO(arch_lbr_types_0, "*.lbr.each_kind", "each record has type 0", lbr, set_type(at, 0));
FAULT_BODY(arch_lbr_indirect_is_direct, "*.lbr.each_kind",
	   "an indirect jump is recorded with the type of a direct one", lbr)
{
	if (at->branch->class == INSN_JMP && at->branch->indirect)
		set_type(at, 2);
}
FAULT_BODY(arch_lbr_interrupt_is_call, "*.lbr.interrupt",
	   "an interrupt is recorded with the type of a call", lbr)
{
	if (at->branch->vector > 0x81)
		set_type(at, 4);
}

static void set_cycles(struct point *at, uint64_t cycles)
{
	at->record[INFO] = (at->record[INFO] & ~INFO_CYCLES) | field_put(INFO_CYCLES, cycles);
}

FAULT_DO(arch_lbr_cycles_stuck, "*.lbr.clocks", "each record tells of 20 clocks", lbr,
	 set_cycles(at, 20));
FAULT_DO(arch_lbr_cycles_wrap, "*.lbr.clocks", "clocks are cut to 16 bits", lbr,
	 if (field_get(INFO_CYCLES, at->record[INFO]) == 0xffff) set_cycles(at, 0x7a05));
FAULT_DO(arch_lbr_cycles_quartered, "*.lbr.clocks", "clocks are those of the bus, four to one", lbr,
	 set_cycles(at, field_get(INFO_CYCLES, at->record[INFO]) / 4));

FAULT_BODY(arch_lbr_cycles_doubled, "*.lbr.clocks", "clocks are counted twice", lbr)
{
	uint64_t twice = 2 * field_get(INFO_CYCLES, at->record[INFO]);

	set_cycles(at, twice < 0xffff ? twice : 0xffff);
}

static void restarts_clocks(struct point *at)
{
	intel(at)->lbr_clock = intel(at)->clocks;
}

FAULT(arch_lbr_cycles_of_filtered, "*.lbr.clocks",
      "clocks begin anew at a branch that is filtered out", .branch = restarts_clocks);
FAULT_DO(arch_lbr_all_mispredicted, "*.lbr.predicted", "each record says it was mispredicted", lbr,
	 at->record[INFO] |= LBR_INFO_MISSED);

/* ---- CPUID ---- */

enum { EAX, EBX, ECX, EDX };

static const struct cpuid_lie xsave_16 = {
	.leaf = 0xd, .subleaf = 15, .clear[EAX] = UINT32_MAX, .set[EAX] = 40 + 24 * 16};
static const struct cpuid_lie xss_16 = {
	.leaf = 0xd, .subleaf = 1, .set[ECX] = BIT(15), .next = &xsave_16};
SEEDED(arch_lbr_xsave_too_small, "arch_lbr_xsave_too_small", MODEL_ARCH_LBR,
       "intel.*.lbr.xsave_size", "CPUID 0DH has room for the state of 16 entries alone",
       .cpuid = &xss_16);

/* ---- events in records ---- */

#define LOGS (MODEL_LIONCOVE | MODEL_SKYMONT | MODEL_ARCH_PEBS)

FAULT_DO_ON(LOGS, lbr_logs_nothing, "*.lbr.event_log", "branch records have no events", lbr,
	    at->record[2] &= ~FIELD(39, 32));
FAULT_DO_ON(LOGS, lbr_logs_of_next, "*.lbr.event_log",
	    "events of a counter are logged as those of the next one", lbr,
	    at->record[2] = (at->record[2] & ~FIELD(39, 32)) |
			    field_put(FIELD(39, 32), field_get(FIELD(37, 32), at->record[2]) << 2));
FAULT_DO_ON(LOGS, lbr_logs_one_more, "*.lbr.event_log",
	    "a record has an event of counter 0 too many, up to three", lbr,
	    at->record[2] += field_get(FIELD(33, 32), at->record[2]) < 3 ? BIT(32) : 0);
FAULT_ON(LOGS, lbr_logs_all, "*.lbr.event_log", "counters log whether they are asked to or not",
	 ACTS(INTEL_EVTSEL, .set = SELECT_LBR_LOG));
