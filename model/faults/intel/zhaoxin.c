/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in the counters of Zhaoxin, which are Intel's with less said of them. */
#include "intel.h"

#define ZX_FAULT(name_, test_, says_, ...)                                                         \
	SEEDED(zx_##name_, "zx_" #name_, MODEL_ZHAOXIN, "zhaoxin." test_, says_,                   \
	       DEFECT(__VA_ARGS__))
#define ZX_FAULT_DO(name_, test_, says_, hook_, statement_, ...)                                   \
	HOOK(zx_##name_, statement_)                                                               \
	ZX_FAULT(name_, test_, says_, .hook_ = do_zx_##name_, __VA_ARGS__)

#define BOTH_LEVELS  (SELECT_USR | SELECT_OS)
#define INSTRUCTIONS INTEL_EVENT(SIGNAL_INSTRUCTIONS)
#define CYCLES       INTEL_EVENT(SIGNAL_CYCLES)

/* ---- access ---- */

ZX_FAULT(event_bit7_lost, "*.access.control_bits", "bit 7 of a select register is always 0",
	 KEEPS(INTEL_EVTSEL, .clear = BIT(7)));
ZX_FAULT(select_of_0, "*.access.no_aliasing", "the select register of counter 1 is that of 0",
	 .address = answers_for, .registers = BIT(INTEL_EVTSEL), .counters = BIT(1), .arg = 0);
ZX_FAULT(counter_bit47_dead, "*.access.counter_bits", "bit 47 of a counter is always 0",
	 HOLDS(.clear = BIT(47)));
ZX_FAULT_DO(rdpmc_low32, "*.access.rdpmc_equals_rdmsr", "RDPMC returns bits 31:0 only", rdpmc,
	    at->value &= UINT32_MAX);
ZX_FAULT_DO(rdpmc_never_in_ring3, "*.access.rdpmc_ring3",
	    "ring 3 may not use RDPMC though CR4.PCE is set", rdpmc,
	    at->access = at->cpl ? ACCESS_GP : at->access);

/* ---- what is counted ---- */

ZX_FAULT(clocks_are_3ch, "*.count.*", "event 82h counts nothing", .increment = counts_nothing,
	 .event = CYCLES, .counters = FIELD(INTEL_GENERAL - 1, 0));
ZX_FAULT(fixed0_counts_uops, "*.fixed.equals_general", "fixed counter 0 counts micro-ops",
	 .occurrences = counts_instead, .arg = SIGNAL_UOPS, .counters = BIT(INTEL_GENERAL));
ZX_FAULT(fixed1_misses_idle_clocks, "*.fixed.equals_general",
	 "fixed counter 1 counts only clocks that retire something",
	 .occurrences = counts_only_when, .arg = SIGNAL_INSTRUCTIONS,
	 .counters = BIT(INTEL_GENERAL + 1));
ZX_FAULT(counter3_loses_one_in, "*.count.counters_agree", "counter 3 loses one of 8 events",
	 .increment = loses_one_in, .arg = 8, .counters = BIT(3));
ZX_FAULT(instructions_lost, "*.modes.*,*.count.*,*.privilege.*",
	 "every second instruction is not counted", .increment = loses_one_in,
	 .event = INSTRUCTIONS, .arg = 2);
ZX_FAULT_DO(carry_into_32_lost, "*.overflow.width_boundary", "a carry out of bit 31 is lost", hold,
	    at->value = (at->old & ~FIELD(31, 0)) | (at->value & FIELD(31, 0)));

/* ---- rings ---- */

ZX_FAULT(usr_dead, "*.privilege.user_only", "USR has no effect: ring 3 never counts",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_USR));
ZX_FAULT(os_dead, "*.privilege.kernel_only", "OS has no effect: ring 0 never counts",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_OS));
ZX_FAULT(usr_counts_ring0, "*.privilege.user_only", "USR counts ring 0 too",
	 ACTS(INTEL_EVTSEL, .when = SELECT_USR, .set = SELECT_OS));
ZX_FAULT(no_level_is_both, "*.privilege.neither", "with USR and OS clear everything counts",
	 ACTS(INTEL_EVTSEL, .unless = BOTH_LEVELS, .set = BOTH_LEVELS));
ZX_FAULT(fixed_enable_swapped, "*.fixed.enable_field",
	 "1 enables a fixed counter for ring 3, 2 for ring 0",
	 EXCHANGES(INTEL_EVTSEL, SELECT_USR, SELECT_OS), .counters = FIXED_COUNTERS);

/* ---- global enable, status ---- */

ZX_FAULT(global_ctrl_ignored, "*.global.gates_each",
	 "the global enable bits of general counters have no effect",
	 ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(31, 0)));
ZX_FAULT(global_ctrl_misses_fixed, "*.global.gates_each",
	 "the global enable bits of fixed counters have no effect",
	 ACTS(INTEL_GLOBAL_CTRL, .set = FIELD(63, 32)));
ZX_FAULT(status_of_neighbour, "*.status.only_the_overflowed",
	 "an overflow sets the status bit of the next counter", .status = of_next_counter);
ZX_FAULT_DO(status_needs_int, "*.status.only_the_overflowed",
	    "an overflow sets its status bit only with the interrupt enabled", status,
	    at->value = at->overflowed);
ZX_FAULT(status_reset_clears_all, "*.status.sticky_until_reset",
	 "clearing one status bit clears all",
	 KEEPS(INTEL_STATUS_RESET, .some = ~UINT64_C(0), .set = ~UINT64_C(0)));
ZX_FAULT(status_reset_dead, "*.status.sticky_until_reset", "no status bit can be cleared",
	 KEEPS(INTEL_STATUS_RESET, .clear = ~UINT64_C(0)));

/* ---- interrupts ---- */

ZX_FAULT(int_dead, "*.overflow.*", "INT has no effect: no interrupt comes",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_INT), .counters = FIELD(INTEL_GENERAL - 1, 0));
ZX_FAULT(fixed_pmi_dead, "*.fixed.interrupt", "fixed counters never interrupt",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_INT), .counters = FIXED_COUNTERS);
ZX_FAULT(every_second_lost, "*.overflow.*", "every second interrupt is lost",
	 .requests = every_second_lost);
ZX_FAULT(never_overflows, "*.overflow.*", "counter 2 never overflows", .overflow = never_overflows,
	 .counters = BIT(2));
ZX_FAULT(delivery_leaves_lvt_open, "*.lvt.masked_by_delivery",
	 "delivery does not mask the LVT entry", .flips_lvt_mask = true);
