/* SPDX-License-Identifier: BSD-2-Clause */
/* PERF_METRICS, and the slots that it shares out. */
#include "intel.h"

#undef MODELS
#define MODELS (MODEL_ICELAKE | MODEL_GOLDENCOVE | MODEL_LIONCOVE | MODEL_COUGARCOVE)

#define SLOTS  .counters = BIT(INTEL_SLOTS_COUNTER)
#define SHARES .registers = BIT(INTEL_PERF_METRICS)

/* ---- slots ---- */

FAULT_DO(slots_of_a_narrow_core, "*.metrics.slots_per_clock", "a clock has four slots", increment,
	 at->amount = at->amount ? 4 : 0, SLOTS);
FAULT(slots_lost, "*.metrics.slots_per_clock", "one of 512 slots is lost",
      .increment = loses_one_in, .arg = 512, SLOTS);

/* ---- the register ---- */

FAULT(metrics_bit_dead, "*.metrics.written", "bit 9 of PERF_METRICS cannot be set",
      KEEPS(INTEL_PERF_METRICS, .clear = BIT(9)));
FAULT(metrics_never_empty, "*.metrics.written", "PERF_METRICS cannot be cleared",
      KEEPS(INTEL_PERF_METRICS, .set = BIT(0)));
FAULT_DO(metrics_not_by_rdpmc, "*.metrics.rdpmc", "RDPMC reads the lower three shares alone", rdpmc,
	 if (at->index == UINT32_C(0x20000000)) at->value &= FIELD(23, 0));
FAULT_DO(metrics_refuse_rdpmc, "*.metrics.rdpmc", "RDPMC of PERF_METRICS faults", rdpmc,
	 if (at->index == UINT32_C(0x20000000)) at->access = ACCESS_GP);
FAULT_DO_ON(MODEL_GRACEMONT, metrics_enabled_without, "*.global.reserved_faults",
	    "IA32_PERF_GLOBAL_CTRL takes the bit of PERF_METRICS, which an E-core lacks", refused,
	    if (at->raw == BIT(48)) at->access = ACCESS_DONE, .registers = BIT(INTEL_GLOBAL_CTRL));

/* ---- RDPMC that empties them ---- */

#define CLEARING (MODEL_LIONCOVE | MODEL_COUGARCOVE)

FAULT_ON(CLEARING, metrics_clear_dead, "*.metrics.cleared", "RDPMC never empties PERF_METRICS",
	 ACTS(INTEL_FIXED_CTR_CTRL, .clear = FIXED_METRICS_CLEAR));
FAULT_ON(CLEARING, metrics_clear_unasked, "*.metrics.cleared",
	 "RDPMC of PERF_METRICS empties them without being told to",
	 ACTS(INTEL_FIXED_CTR_CTRL, .set = FIXED_METRICS_CLEAR));
FAULT_DO_ON(CLEARING, metrics_clear_slots_alone, "*.metrics.cleared",
	    "RDPMC of PERF_METRICS empties the counter of slots alone", rdpmc,
	    if (at->index == UINT32_C(0x20000000)) intel(at)->metrics.written = at->value);
FAULT_DO_ON(CLEARING, metrics_cleared_first, "*.metrics.cleared",
	    "RDPMC that empties PERF_METRICS reads 0", rdpmc,
	    if (at->index == UINT32_C(0x20000000) && intel(at)->fixed_ctrl & FIXED_METRICS_CLEAR)
		    at->value = 0);

/* ---- enables ---- */

FAULT(metrics_run_always, "*.metrics.enables", "shares go on with their enable bit clear",
      ACTS(INTEL_GLOBAL_CTRL, .set = GLOBAL_CTRL_METRICS));
FAULT(metrics_never_run, "*.metrics.enables", "the enable bit of PERF_METRICS has no effect",
      ACTS(INTEL_GLOBAL_CTRL, .clear = GLOBAL_CTRL_METRICS));
FAULT(metrics_stop_alone, "*.metrics.enables", "shares read 0 while they are stopped",
      .shown = twisted, SHARES, .twist = {.clear = ~UINT64_C(0)});
FAULT_DO(metrics_of_stopped, "*.metrics.enables", "shares go on while they are read", shown,
	 intel(at)->metrics.slots[0] += intel(at)->metrics.passed / 16, SHARES);

/* ---- shares ---- */

#define SHOWN_FAULT(name_, says_, statement_)                                                      \
	FAULT_DO(metrics_##name_, "*.metrics.shares", says_, shown, if (at->value) statement_,     \
		 SHARES)

SHOWN_FAULT(sum_short, "the shares of level 1 are short of 255 by five", at->value -= BIT(0) * 5);
SHOWN_FAULT(share_missing, "slots lost ahead of the core are in no share",
	    at->value &= ~FIELD(23, 16));
SHOWN_FAULT(share_halved, "what retires has half of its share",
	    at->value = (at->value & ~FIELD(7, 0)) | (at->value & FIELD(7, 0)) / 2);
FAULT_DO_ON(MODEL_GOLDENCOVE, metrics_part_too_large, "*.metrics.shares",
	    "heavy operations have a larger share than all that retires", shown,
	    if (at->value) at->value |= FIELD(39, 32), SHARES);
FAULT_DO_ON(MODEL_GOLDENCOVE, metrics_parts_swapped, "*.metrics.shares",
	    "the parts of the frontend and of bad speculation are exchanged", shown,
	    at->value = (at->value & ~FIELD(55, 40)) | (at->value & FIELD(47, 40)) << 8 |
			(at->value & FIELD(55, 48)) >> 8,
	    SHARES);
