/* SPDX-License-Identifier: BSD-2-Clause */
/* The global registers of Intel's core PMU, and freezing on an interrupt. */
#include "intel.h"

#define MODEL_LEGACY (MODEL_CORE2 | MODEL_NEHALEM | MODEL_SANDY)

/* ---- IA32_PERF_GLOBAL_CTRL ---- */

FAULT_ON(MODEL_V2, global_ctrl_ignored, "*.global.gates_each",
	 "the global enable bits of general counters have no effect",
	 ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(31, 0)));
FAULT_ON(MODEL_V2, global_ctrl_misses_fixed, "*.global.gates_each",
	 "the global enable bits of fixed counters have no effect",
	 ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(63, 32)));

/* Haswell may: it is a lawful variation there. */
FAULT_BODY_ON(MODEL_V2 & ~MODEL_HASWELL, hsd143_fixed0_over_by_32, "*.fixed.equals_general",
	      "fixed counter 0 gains 32 when its global enable is set after its own (as errata "
	      "HSD143, HSM154)",
	      written, .registers = BIT(INTEL_GLOBAL_CTRL))
{
	if (at->value & ~at->old & BIT(32) && intel(at)->fixed_ctrl & (FIXED_EN_OS | FIXED_EN_USR))
		at->counter[INTEL_GENERAL].value += 32;
}

FAULT_DO_ON(MODEL_V2, global_ctrl_clear_stops_fixed0, "*.global.each_bit",
	    "clearing the global enable bit of counter 1 clears that of fixed counter 0", kept,
	    if (at->old & ~at->value & BIT(1)) at->value &= ~BIT(32),
	    .registers = BIT(INTEL_GLOBAL_CTRL));
FAULT_DO_ON(MODEL_V2, global_ctrl_clear_dead_while_others, "*.global.each_bit",
	    "the global enable bit of counter 1 is cleared together with all others only", kept,
	    if (at->value & at->old) at->value |= at->old & BIT(1),
	    .registers = BIT(INTEL_GLOBAL_CTRL));

/* memory[1]: counter 1 has been enabled in the clock before. */
static void loses_first_of_1(struct point *at)
{
	if (at->ctr != 1)
		return;
	if (!at->memory[1])
		at->amount = 0;
	at->memory[1] = intel_runs(at->pmu, 1);
}

FAULT_DO_ON(MODEL_V2, enable_of_1_lags, "*.global.same_clock",
	    "counter 1 starts a clock after the others", written, at->memory[1] &= at->value >> 1,
	    .increment = loses_first_of_1, .registers = BIT(INTEL_GLOBAL_CTRL));

/* ---- reserved bits, read-only registers ---- */

static void accepted(struct point *at)
{
	at->access = ACCESS_DONE;
}

#define TAKES_RESERVED(kind_) .refused = accepted, .registers = BIT(kind_)

FAULT_ON(MODELS_V2, global_ctrl_takes_reserved, "*.global.reserved_faults",
	 "IA32_PERF_GLOBAL_CTRL drops reserved bits", TAKES_RESERVED(INTEL_GLOBAL_CTRL));
FAULT_ON(MODELS_V2, fixed_ctrl_takes_reserved, "*.global.reserved_faults",
	 "IA32_FIXED_CTR_CTRL drops reserved bits", TAKES_RESERVED(INTEL_FIXED_CTR_CTRL));
FAULT_ON(MODELS_V2, evtsel_takes_reserved, "*.global.reserved_faults",
	 "a select register drops reserved bits", TAKES_RESERVED(INTEL_EVTSEL));
FAULT_ON(MODELS_V2, status_reset_takes_reserved, "*.global.reserved_faults",
	 "the status reset register drops reserved bits", TAKES_RESERVED(INTEL_STATUS_RESET));
FAULT_ON(MODELS_V2, status_is_writable, "*.global.reserved_faults",
	 "a write to the global status does not fault", TAKES_RESERVED(INTEL_GLOBAL_STATUS));
FAULT_ON(MODEL_SANDY_ON, over_wide_accepted, "*.access.counter_width",
	 "a full-width write of too many bits is cut short", TAKES_RESERVED(INTEL_A_PMC));
FAULT_ON(MODEL_V2, fixed_over_wide_accepted, "*.access.counter_width",
	 "a too wide write to a fixed counter is cut short", TAKES_RESERVED(INTEL_FIXED_CTR),
	 .as_lawful = "KVM does the same");

/* ---- status ---- */

FAULT_ON(MODEL_V2, status_of_neighbour, "*.status.only_the_overflowed",
	 "an overflow sets the status bit of the next counter", .status = of_next_counter);
FAULT_DO_ON(MODEL_V2, status_of_neighbour_too, "*.status.only_the_overflowed",
	    "an overflow also sets the next status bit", status, at->value |= at->value << 1);
FAULT_DO_ON(MODEL_V2, status_needs_int, "*.status.only_the_overflowed",
	    "an overflow sets its status bit only with the interrupt enabled", status,
	    at->value = at->overflowed);
FAULT_DO_ON(MODEL_V2, status_cleared_by_counter_write, "*.status.sticky_until_reset",
	    "a write to a counter clears its status bit", written,
	    intel(at)->status &= ~intel_bit(at->ctr),
	    .registers = BIT(INTEL_PMC) | BIT(INTEL_A_PMC));
FAULT_DO_ON(MODEL_V2, status_cleared_by_stop, "*.status.sticky_until_reset",
	    "stopping a counter clears its status bit", written,
	    intel(at)->status &= ~at->old | at->value, .registers = BIT(INTEL_GLOBAL_CTRL));
FAULT_DO_ON(MODEL_V2, status_cleared_by_start, "*.status.only_by_reset",
	    "enabling a counter globally clears its status bit", written,
	    intel(at)->status &= at->old | ~at->value, .registers = BIT(INTEL_GLOBAL_CTRL));
FAULT_DO_ON(MODEL_V2, status_set_by_fixed_write, "*.status.only_by_reset",
	    "a write to a fixed counter sets its status bit", written,
	    intel(at)->status |= intel_bit(at->ctr), .registers = BIT(INTEL_FIXED_CTR));
FAULT_DO_ON(MODEL_V4, status_set_replaces, "*.status.set_by_software",
	    "the bits that are set by software replace those that are", written,
	    if (at->value) intel(at)->status = at->value, .registers = BIT(INTEL_STATUS_SET));
FAULT_ON(MODEL_V2, status_reset_clears_all, "*.status.sticky_until_reset",
	 "clearing one status bit clears all",
	 KEEPS(INTEL_STATUS_RESET, .some = ~UINT64_C(0), .set = ~UINT64_C(0)));

/* Stopped while its status bit is set, a counter keeps that bit. */
FAULT_BODY_ON(MODEL_V2, aaj143_status_stuck_when_stopped, "*.status.sticky_until_reset",
	      "the status bit of a stopped counter cannot be cleared (as errata AAJ143, BV038)",
	      kept, .registers = BIT(INTEL_STATUS_RESET))
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!intel_runs(at->pmu, i))
			at->value &= ~intel_bit(i);
}

FAULT_ON(MODEL_V4, status_set_dead, "*.status.set_by_software",
	 "the status set register has no effect", KEEPS(INTEL_STATUS_SET, .clear = ~UINT64_C(0)));

FAULT_BODY_ON(MODEL_V4, status_set_clears_counters, "*.status.set_by_software",
	      "setting a status bit clears its counter", written,
	      .registers = BIT(INTEL_STATUS_SET))
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (intel(at)->status & intel_bit(i))
			at->counter[i].value = 0;
}

FAULT_ON(MODEL_V4, inuse_misses_fixed, "*.status.in_use", "fixed counters are never shown in use",
	 SHOWS(INTEL_GLOBAL_INUSE, .clear = FIELD(35, 32)));
FAULT_ON(MODEL_V4, inuse_pmi_bit_missing, "*.status.in_use",
	 "the interrupt is never shown as in use", SHOWS(INTEL_GLOBAL_INUSE, .clear = BIT(63)));
FAULT_DO_ON(MODEL_V4, inuse_is_global_ctrl, "*.status.in_use",
	    "counters that are globally enabled are shown as in use", shown,
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

FAULT_ON(MODEL_LEGACY, legacy_freeze_dead, "*.freeze.legacy", "Freeze_PerfMon_On_PMI has no effect",
	 ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI));
FAULT_DO_ON(MODEL_LEGACY, legacy_freeze_misses_fixed, "*.freeze.legacy",
	    "freezing leaves fixed counters enabled", freeze, keep_enabled(at, FIELD(34, 32)));
FAULT_DO_ON(MODEL_LEGACY, legacy_freeze_without_pmi, "*.freeze.legacy",
	    "an overflow freezes without its interrupt enabled", status, intel_freeze(intel(at)));
FAULT_ON(MODEL_V4, streamlined_freeze_dead, "*.freeze.streamlined",
	 "Freeze_PerfMon_On_PMI has no effect",
	 ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_PERFMON_ON_PMI));
FAULT_DO_ON(MODEL_V4, streamlined_freeze_is_legacy, "*.freeze.streamlined",
	    "freezing clears the global enable register instead of setting CTR_Frz", freeze,
	    keep_enabled(at, 0));
FAULT_DO_ON(MODEL_V4, streamlined_freeze_without_pmi, "*.freeze.streamlined",
	    "an overflow freezes without its interrupt enabled", status, intel_freeze(intel(at)));
FAULT_ON(MODEL_V4, streamlined_freeze_misses_fixed, "*.freeze.streamlined",
	 "fixed counters ignore CTR_Frz", .runs = never_frozen, .counters = FIXED_COUNTERS);
FAULT_ON(MODEL_ICELAKE, skl090_upper_counters_run_on, "*.freeze.streamlined",
	 "counters 4 to 7 count while CTR_Frz is set (as errata SKL090, KBL056)",
	 .runs = never_frozen, .counters = FIELD(7, 4));
FAULT_ON(MODEL_V4, ctr_frz_stays, "*.freeze.streamlined", "CTR_Frz cannot be cleared",
	 KEEPS(INTEL_STATUS_RESET, .clear = STATUS_CTR_FRZ));
FAULT_ON(MODEL_V4, streamlined_freeze_misses_fixed1, "*.freeze.streamlined",
	 "fixed counter 1 ignores CTR_Frz", .runs = never_frozen,
	 .counters = BIT(INTEL_GENERAL + 1));
FAULT_DO_ON(MODEL_LEGACY, legacy_freeze_misses_counter1, "*.freeze.legacy",
	    "freezing leaves counter 1 enabled", freeze, keep_enabled(at, BIT(1)));

/* memory[0]: what has just overflowed with its interrupt.  arg: the counter whose overflow alone
 * does not freeze. */
static void note_overflowed(struct point *at)
{
	at->memory[0] = at->overflowed;
}

static bool is_by_arg(const struct point *at)
{
	return at->memory[0] == intel_bit((unsigned)at->defect->arg);
}

static void freezes_no_counters(struct point *at)
{
	at->value &= is_by_arg(at) ? ~DEBUGCTL_FREEZE_PERFMON_ON_PMI : ~UINT64_C(0);
}

static void freezes_no_branches(struct point *at)
{
	at->value &= is_by_arg(at) ? ~DEBUGCTL_FREEZE_LBRS_ON_PMI : ~UINT64_C(0);
}

FAULT_ON(MODEL_V2, freeze_not_by_counter1, "*.freeze.by_each_counter",
	 "the overflow of counter 1 freezes no counters", .requests = note_overflowed,
	 .freeze = freezes_no_counters, .arg = 1);
FAULT_ON(MODEL_V2, freeze_not_by_fixed2, "*.freeze.by_each_counter",
	 "the overflow of fixed counter 2 freezes no counters", .requests = note_overflowed,
	 .freeze = freezes_no_counters, .arg = INTEL_GENERAL + 2);
FAULT_ON(MODEL_V2, lbr_freeze_not_by_fixed1, "*.freeze.by_each_counter",
	 "the overflow of fixed counter 1 freezes no branch records", .requests = note_overflowed,
	 .freeze = freezes_no_branches, .arg = INTEL_GENERAL + 1);
FAULT_DO_ON(MODEL_V2, freeze_by_silent_fixed0, "*.freeze.by_each_counter",
	    "an overflow of fixed counter 0 freezes without its interrupt enabled", status,
	    if (at->value & BIT(32) & ~at->overflowed) intel_freeze(intel(at)));

FAULT_ON(MODEL_V2 | MODEL_ARCH_LBR, lbrs_run_on, "*.freeze.lbr", "Freeze_LBRs_On_PMI has no effect",
	 ACTS(INTEL_DEBUGCTL, .clear = DEBUGCTL_FREEZE_LBRS_ON_PMI));

FAULT_BODY_ON(MODEL_V4, lbr_freeze_is_legacy, "*.freeze.lbr",
	      "freezing clears DEBUGCTL.LBR instead of setting LBR_Frz", freeze)
{
	if (at->value & DEBUGCTL_FREEZE_LBRS_ON_PMI)
		intel(at)->debugctl &= ~DEBUGCTL_LBR;
	at->value &= ~DEBUGCTL_FREEZE_LBRS_ON_PMI;
}

FAULT_ON(MODEL_V4 | MODEL_ARCH_LBR, lbr_frz_ignored, "*.freeze.lbr",
	 "branches are recorded while LBR_Frz is set", .runs = never_frozen,
	 .counters = BIT(INTEL_LBR));
FAULT_ON(MODEL_V4 | MODEL_ARCH_LBR, lbr_frz_not_by_software, "*.freeze.lbr_by_software",
	 "LBR_Frz cannot be set by software", KEEPS(INTEL_STATUS_SET, .clear = STATUS_LBR_FRZ));
FAULT_ON(MODEL_V4 | MODEL_ARCH_LBR, lbr_frz_stays, "*.freeze.lbr_by_software",
	 "LBR_Frz cannot be cleared", KEEPS(INTEL_STATUS_RESET, .clear = STATUS_LBR_FRZ));
FAULT_ON(MODEL_V4 | MODEL_ARCH_LBR, lbr_frz_cleared_with_ctr_frz, "*.freeze.lbr_by_software",
	 "clearing CTR_Frz clears LBR_Frz, too",
	 KEEPS(INTEL_STATUS_RESET, .when = STATUS_CTR_FRZ, .set = STATUS_LBR_FRZ));

/* ---- interrupts of the uncore ---- */

SEEDED(uncore_pmi_en_ignored, "uncore_pmi_en_ignored", MODEL_NEHALEM, "unc.*.interrupt.to_no_core",
       "the core hears the uncore's interrupts without bit 13 of DEBUGCTL",
       DEFECT(ACTS(INTEL_DEBUGCTL, .set = DEBUGCTL_UNCORE_PMI)));
