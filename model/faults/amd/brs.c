/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of branch sampling (BRS) of Zen 3, which takes no others. */
#include "amd.h"

#undef MODELS
#define MODELS MODEL_ZEN3

enum { FROM };
#define OF_BRS .counters = BIT(AMD_BRS)

static struct pmu_amd *amd(const struct point *at)
{
	return at->pmu;
}

/* ---- records ---- */

/* memory[AMD_BRS]: how many branches there have been. */
FAULT_BODY(brs_loses_a_record, "*.brs.full", "each eleventh branch is not recorded", lbr, OF_BRS)
{
	if (++at->memory[AMD_BRS] % 11 == 0)
		at->passes = false;
}

FAULT_DO(brs_newest_first, "*.brs.full", "the newest record is entry 0", lbr,
	 at->n = AMD_LBR_DEPTH - 1 - at->n, OF_BRS);
FAULT_DO(brs_ends_with_15, "*.brs.full", "recording ends with 15 branches", lbr, at->value = 15,
	 OF_BRS);
FAULT_DO(brs_last_entry_dead, "*.brs.full", "entry 15 is never written", lbr,
	 if (at->n == AMD_LBR_DEPTH - 1) at->record[0] = at->record[1] = 0, OF_BRS);
FAULT_DO(brs_never_ends, "*.brs.full", "recording goes on, over the oldest ones", lbr,
	 at->value = UINT64_MAX, OF_BRS);
FAULT(brs_from_and_to_swapped, "*.brs.full", "a record has From and To exchanged",
      .lbr = record_swaps, .arg = FROM, OF_BRS);
FAULT_DO(brs_records_untaken, "*.brs.full", "branches not taken are recorded", untaken,
	 at->passes = true, OF_BRS);
FAULT_DO(brs_records_at_once, "*.brs.overflow", "recording does not wait for an overflow", runs,
	 at->enabled |= (amd(at)->brs.config & BRS_ENABLE) != 0, OF_BRS);
FAULT(brs_off_dead, "*.brs.disabled", "bit 2 of DebugExtnCfg cannot be cleared",
      KEEPS(AMD_BRS_CONFIG, .set = BRS_ENABLE));

/* ---- the interrupt ---- */

FAULT_DO(brs_interrupts_early, "*.brs.stopped", "the interrupt does not wait for the last record",
	 announce, at->requests = 1, OF_BRS);
FAULT_DO(brs_keeps_interrupt, "*.brs.stopped",
	 "recording that is stopped early does not let its interrupt go", written,
	 amd(at)->brs.due = 0, .registers = BIT(AMD_BRS_CONFIG));
FAULT(brs_stop_forgets, "*.brs.full",
      "a write that clears bit 2 of DebugExtnCfg clears bits 5 and 19:16",
      KEEPS(AMD_BRS_CONFIG, .unless = BRS_ENABLE, .clear = BRS_VALID | BRS_NEXT));
