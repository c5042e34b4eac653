/* SPDX-License-Identifier: BSD-2-Clause */
/* The global registers of Intel's core PMU, and freezing on an interrupt. */
#include "intel.h"

#define MODEL_LEGACY (MODEL_CORE2 | MODEL_NEHALEM | MODEL_SANDY)

/* ---- IA32_PERF_GLOBAL_CTRL ---- */

INTEL_FAULT(global_ctrl_ignored, MODEL_V2, "*.global.gates_each",
	    "the global enable bits of general counters have no effect",
	    ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(31, 0)));
INTEL_FAULT(global_ctrl_misses_fixed, MODEL_V2, "*.global.gates_each",
	    "the global enable bits of fixed counters have no effect",
	    ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(63, 32)));

INTEL_FAULT_BODY(hsd143_fixed0_over_by_32, MODEL_V2, "*.fixed.equals_general",
		 "fixed counter 0 gains 32 when its global enable is set after its own (as errata "
		 "HSD143, HSM154)",
		 written, .registers = BIT(INTEL_GLOBAL_CTRL))
{
	if (at->value & ~at->old & BIT(32) && intel(at)->fixed_ctrl & (FIXED_EN_OS | FIXED_EN_USR))
		at->counter[INTEL_GENERAL].value += 32;
}

/* memory[1]: counter 1 has been enabled in the clock before. */
static void loses_first_of_1(struct point *at)
{
	if (at->ctr != 1)
		return;
	if (!at->memory[1])
		at->amount = 0;
	at->memory[1] = intel_runs(at->pmu, 1);
}

INTEL_FAULT_DO(enable_of_1_lags, MODEL_V2, "*.global.same_clock",
	       "counter 1 starts a clock later than the others", written,
	       at->memory[1] &= at->value >> 1, .increment = loses_first_of_1,
	       .registers = BIT(INTEL_GLOBAL_CTRL));

/* ---- reserved bits, read-only registers ---- */

static void accepted(struct point *at)
{
	at->access = ACCESS_DONE;
}

#define TAKES_RESERVED(kind_) .refused = accepted, .registers = BIT(kind_)

INTEL_FAULT(global_ctrl_takes_reserved, MODEL_V2, "*.global.reserved_faults",
	    "reserved bits of the global enable register are dropped",
	    TAKES_RESERVED(INTEL_GLOBAL_CTRL));
INTEL_FAULT(fixed_ctrl_takes_reserved, MODEL_V2, "*.global.reserved_faults",
	    "reserved bits of the fixed counters' control are dropped",
	    TAKES_RESERVED(INTEL_FIXED_CTR_CTRL));
INTEL_FAULT(evtsel_takes_reserved, MODEL_V2, "*.global.reserved_faults",
	    "reserved bits of a select register are dropped", TAKES_RESERVED(INTEL_EVTSEL));
INTEL_FAULT(status_reset_takes_reserved, MODEL_V2, "*.global.reserved_faults",
	    "reserved bits of the status reset register are dropped",
	    TAKES_RESERVED(INTEL_STATUS_RESET));
INTEL_FAULT(status_is_writable, MODEL_V2, "*.global.reserved_faults",
	    "a write to the global status register does not fault",
	    TAKES_RESERVED(INTEL_GLOBAL_STATUS));
INTEL_FAULT(over_wide_accepted, MODEL_SANDY_ON, "*.access.counter_width",
	    "a full-width write of too many bits is cut short", TAKES_RESERVED(INTEL_A_PMC));
INTEL_FAULT(fixed_over_wide_accepted, MODEL_V2, "*.access.counter_width",
	    "a write of too many bits to a fixed counter is cut short",
	    TAKES_RESERVED(INTEL_FIXED_CTR));

/* ---- status ---- */

INTEL_FAULT(status_of_neighbour, MODEL_V2, "*.status.only_the_overflowed",
	    "an overflow sets the status bit of the next counter", .status = of_next_counter);
INTEL_FAULT_DO(status_of_neighbour_too, MODEL_V2, "*.status.only_the_overflowed",
	       "an overflow also sets the status bit of the next counter", status,
	       at->value |= at->value << 1);
INTEL_FAULT_DO(status_needs_int, MODEL_V2, "*.status.only_the_overflowed",
	       "an overflow sets its status bit only with the interrupt enabled", status,
	       at->value = at->overflowed);
INTEL_FAULT_DO(status_cleared_by_counter_write, MODEL_V2, "*.status.sticky_until_reset",
	       "a write to a counter clears its status bit", written,
	       intel(at)->status &= ~intel_bit(at->ctr),
	       .registers = BIT(INTEL_PMC) | BIT(INTEL_A_PMC));
INTEL_FAULT_DO(status_cleared_by_stop, MODEL_V2, "*.status.sticky_until_reset",
	       "stopping a counter clears its status bit", written,
	       intel(at)->status &= ~at->old | at->value, .registers = BIT(INTEL_GLOBAL_CTRL));
INTEL_FAULT(status_reset_clears_all, MODEL_V2, "*.status.sticky_until_reset",
	    "clearing one status bit clears all",
	    KEEPS(INTEL_STATUS_RESET, .some = ~UINT64_C(0), .set = ~UINT64_C(0)));

/* Stopped while its status bit is set, a counter keeps that bit. */
INTEL_FAULT_BODY(aaj143_status_stuck_when_stopped, MODEL_V2, "*.status.sticky_until_reset",
		 "the status bit of a stopped counter cannot be cleared (as errata AAJ143, BV038)",
		 kept, .registers = BIT(INTEL_STATUS_RESET))
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!intel_runs(at->pmu, i))
			at->value &= ~intel_bit(i);
}

INTEL_FAULT(status_set_dead, MODEL_V4, "*.status.set_by_software",
	    "the status set register has no effect",
	    KEEPS(INTEL_STATUS_SET, .clear = ~UINT64_C(0)));

INTEL_FAULT_BODY(status_set_clears_counters, MODEL_V4, "*.status.set_by_software",
		 "setting a status bit clears its counter", written,
		 .registers = BIT(INTEL_STATUS_SET))
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (intel(at)->status & intel_bit(i))
			at->counter[i].value = 0;
}

INTEL_FAULT(inuse_misses_fixed, MODEL_V4, "*.status.in_use",
	    "fixed counters are never shown as in use",
	    SHOWS(INTEL_GLOBAL_INUSE, .clear = FIELD(35, 32)));
INTEL_FAULT(inuse_pmi_bit_missing, MODEL_V4, "*.status.in_use",
	    "the interrupt is never shown as in use", SHOWS(INTEL_GLOBAL_INUSE, .clear = BIT(63)));
INTEL_FAULT_DO(inuse_is_global_ctrl, MODEL_V4, "*.status.in_use",
	       "what is globally enabled is shown as in use", shown,
	       at->value = intel(at)->global_ctrl, .registers = BIT(INTEL_GLOBAL_INUSE));

/* ---- freezing ---- */

static void never_frozen(struct point *at)
{
	at->frozen = false;
}

/* Instead of all that a healthy one does to freeze the counters. */
static void keep_enabled(struct point *at, uint64_t counters)
{
	if (at->value & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
		intel(at)->global_ctrl &= counters;
	at->value &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

INTEL_FAULT(legacy_freeze_dead, MODEL_LEGACY, "*.freeze.legacy",
	    "Freeze_PerfMon_On_PMI has no effect",
	    ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI));
INTEL_FAULT_DO(legacy_freeze_misses_fixed, MODEL_LEGACY, "*.freeze.legacy",
	       "freezing leaves fixed counters enabled", freeze, keep_enabled(at, FIELD(34, 32)));
INTEL_FAULT_DO(legacy_freeze_without_pmi, MODEL_LEGACY, "*.freeze.legacy",
	       "an overflow freezes though its interrupt is not enabled", status,
	       intel_freeze(intel(at)));
INTEL_FAULT(streamlined_freeze_dead, MODEL_V4, "*.freeze.streamlined",
	    "Freeze_PerfMon_On_PMI has no effect",
	    ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI));
INTEL_FAULT_DO(streamlined_freeze_is_legacy, MODEL_V4, "*.freeze.streamlined",
	       "freezing clears the global enable register instead of setting CTR_Frz", freeze,
	       keep_enabled(at, 0));
INTEL_FAULT_DO(streamlined_freeze_without_pmi, MODEL_V4, "*.freeze.streamlined",
	       "an overflow freezes though its interrupt is not enabled", status,
	       intel_freeze(intel(at)));
INTEL_FAULT(streamlined_freeze_misses_fixed, MODEL_V4, "*.freeze.streamlined",
	    "fixed counters count while CTR_Frz is set", .runs = never_frozen,
	    .counters = FIXED_COUNTERS);
INTEL_FAULT(skl090_upper_counters_run_on, MODEL_ICELAKE, "*.freeze.streamlined",
	    "counters 4 to 7 count while CTR_Frz is set (as errata SKL090, KBL056)",
	    .runs = never_frozen, .counters = FIELD(7, 4));
INTEL_FAULT(ctr_frz_stays, MODEL_V4, "*.freeze.streamlined", "CTR_Frz cannot be cleared",
	    KEEPS(INTEL_STATUS_RESET, .clear = STATUS_CTR_FRZ));
INTEL_FAULT(lbrs_run_on, MODEL_V2, "*.freeze.lbr", "Freeze_LBRs_On_PMI has no effect",
	    ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_LBRS_ON_PMI));

INTEL_FAULT_BODY(lbr_freeze_is_legacy, MODEL_V4, "*.freeze.lbr",
		 "freezing clears DEBUGCTL.LBR instead of setting LBR_Frz", freeze)
{
	if (at->value & DEBUGCTL_FREEZE_LBRS_ON_PMI)
		intel(at)->debugctl &= ~DEBUGCTL_LBR;
	at->value &= ~DEBUGCTL_FREEZE_LBRS_ON_PMI;
}

INTEL_FAULT(lbr_frz_ignored, MODEL_V4, "*.freeze.lbr", "branches are recorded while LBR_Frz is set",
	    .runs = never_frozen, .counters = BIT(INTEL_LBR));
