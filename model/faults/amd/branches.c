/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the stack of branch records, and of freezing, from Zen 4 on. */
#include "amd.h"

#undef MODELS
#define MODELS MODEL_PERFMON_V2

enum { FROM, TO };
#define OF_THE_STACK .counters = BIT(AMD_LBR)
#define ADDRESS      FIELD(56, 0)

static struct pmu_amd *amd(const struct point *at)
{
	return at->pmu;
}

/* ---- records ---- */

FAULT_BODY(v2_lbr_from_and_to_swapped, "*.lbr.from_to", "a record has From and To exchanged", lbr,
	   OF_THE_STACK)
{
	uint64_t differ = (at->record[FROM] ^ at->record[TO]) & ADDRESS;

	at->record[FROM] ^= differ;
	at->record[TO] ^= differ;
}

FAULT_DO(v2_lbr_to_loses_low_bits, "*.lbr.from_to", "To of a record has no bits 11:0", lbr,
	 at->record[TO] &= ~FIELD(11, 0), OF_THE_STACK);

FAULT_BODY(v2_lbr_misses_conditional, "*.lbr.from_to", "conditional branches leave no records",
	   branch)
{
	if (at->branch->class == INSN_JCC)
		at->passes = false;
}

FAULT_DO(v2_lbr_records_untaken, "*.lbr.untaken", "branches not taken leave records", untaken,
	 at->passes = true, OF_THE_STACK);
FAULT_DO(v2_lbr_half_as_deep, "*.lbr.depth", "a record is lost behind eight newer ones", lbr,
	 amd(at)->lbr[AMD_LBR_DEPTH / 2 - 1] = (struct amd_lbr){0}, OF_THE_STACK);
FAULT_DO(v2_lbr_last_entry_dead, "*.lbr.depth", "the last entry is never written", lbr,
	 amd(at)->lbr[AMD_LBR_DEPTH - 2] = amd(at)->lbr[AMD_LBR_DEPTH - 1], OF_THE_STACK);

/* ---- registers ---- */

FAULT(v2_lbr_stays_valid, "*.lbr.valid", "the valid flag of an entry cannot be cleared",
      KEEPS(AMD_LBR_TO, .set = BIT(63)));
FAULT(v2_lbr_entries_shared, "*.lbr.entries_hold", "To of entries 7 and 15 is one register",
      .address = answers_for, .arg = 7, .only = {.kind = AMD_LBR_TO, .number = 15});
FAULT(v2_lbr_from_bit_stuck, "*.lbr.entries_hold", "bit 33 of From cannot be set",
      KEEPS(AMD_LBR_FROM, .clear = BIT(33)));
FAULT(v2_lbr_select_bit_dead, "*.lbr.select_bits", "bit 7 of LastBranchStackSelect cannot be set",
      KEEPS(AMD_LBR_SELECT, .clear = BIT(7)));

/* ---- freezing ---- */

FAULT(v2_freeze_dead, "*.freeze.by_overflow", "DebugCtl bit 12 freezes no counters",
      ACTS(AMD_DEBUGCTL, .clear = DEBUGCTL_FREEZE_COUNTERS));
FAULT(v2_lbr_freeze_dead, "*.freeze.lbr", "DebugCtl bit 11 freezes no records",
      ACTS(AMD_DEBUGCTL, .clear = DEBUGCTL_FREEZE_LBR));
FAULT(v2_freezes_unasked, "*.freeze.by_overflow",
      "an interrupt freezes the counters whatever DebugCtl says",
      ACTS(AMD_DEBUGCTL, .set = DEBUGCTL_FREEZE_COUNTERS));
FAULT(v2_lbr_freezes_counters, "*.freeze.lbr", "DebugCtl bit 11 freezes the counters, too",
      ACTS(AMD_DEBUGCTL, .when = DEBUGCTL_FREEZE_LBR, .set = DEBUGCTL_FREEZE_COUNTERS));
FAULT_DO(v2_freezes_silently, "*.freeze.by_overflow",
	 "an overflow freezes without its interrupt enabled", status, amd_freeze(amd(at)));

static void never_frozen(struct point *at)
{
	at->frozen = false;
}

FAULT(v2_freeze_misses_counter_4, "*.freeze.by_overflow",
      "counter 4 counts while the counters are frozen", .runs = never_frozen, .counters = BIT(4));
FAULT(v2_lbr_never_frozen, "*.freeze.lbr", "branches are recorded while the records are frozen",
      .runs = never_frozen, .counters = BIT(AMD_LBR));
FAULT(v2_freeze_stays, "*.freeze.by_overflow", "the counters cannot be thawed",
      KEEPS(AMD_GLOBAL_STATUS_CLR, .clear = STATUS_COUNTERS_FROZEN));
FAULT(v2_thawed_by_acknowledging, "*.freeze.by_overflow",
      "clearing overflows of all counters thaws these",
      KEEPS(AMD_GLOBAL_STATUS_CLR, .when = FIELD(5, 0), .set = STATUS_COUNTERS_FROZEN));
FAULT(v2_software_freezes_both, "*.freeze.by_software",
      "software that freezes the records freezes the counters, too",
      KEEPS(AMD_GLOBAL_STATUS_SET, .when = STATUS_LBR_FROZEN, .set = STATUS_COUNTERS_FROZEN));

/* memory[0]: the overflow of counter 2 interrupts; forgotten by its freezing. */
static void note_counter_2(struct point *at)
{
	at->memory[0] = at->overflowed == BIT(2);
}

FAULT_BODY(v2_freeze_not_by_counter_2, "amd.2.freeze.by_overflow",
	   "the overflow of counter 2 freezes no counters", freeze, .requests = note_counter_2)
{
	if (at->memory[0])
		at->value &= ~DEBUGCTL_FREEZE_COUNTERS;
}

/* memory[0]: the records are to be frozen behind the interrupt's own branch. */
static void freezes_later(struct point *at)
{
	at->memory[0] = at->value & DEBUGCTL_FREEZE_LBR;
	at->value &= ~DEBUGCTL_FREEZE_LBR;
}

FAULT_BODY(v2_lbr_freezes_late, "*.freeze.lbr",
	   "the branch to the interrupt's handler is recorded before the records are frozen",
	   branch, .freeze = freezes_later)
{
	if (!at->memory[0] || at->branch->vector < 0)
		return;
	amd(at)->global_status |= STATUS_LBR_FROZEN;
	at->memory[0] = 0;
}
