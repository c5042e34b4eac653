/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the pair of branch records, from K8 on. */
#include "amd.h"

#undef MODELS
#define MODELS (MODEL_AMD & ~MODEL_K7)

enum { FROM, TO, EXCEPTION_FROM, EXCEPTION_TO };
#define OF_THE_PAIR .counters = BIT(AMD_PAIR)

static const struct amd_pair *old(const struct point *at)
{
	return &((const struct pmu_amd *)at->pmu)->pair;
}

static bool is_delivered(const struct point *at)
{
	return at->branch->vector >= 0;
}

static void put(uint64_t *record, const struct amd_lbr *lbr)
{
	record[FROM] = lbr->from;
	record[TO] = lbr->to;
}

/* ---- branches ---- */

FAULT(pair_from_and_to_swapped, "*.pair.branch", "the last branch has From and To exchanged",
      .lbr = record_swaps, .arg = FROM, OF_THE_PAIR);
FAULT_DO(pair_to_stuck, "*.pair.branch", "LastBranchToIP never changes", lbr,
	 at->record[TO] = old(at)->branch.to, OF_THE_PAIR);
FAULT_DO(pair_to_loses_low_bits, "*.pair.branch", "LastBranchToIP has no bits 3:0", lbr,
	 at->record[TO] &= ~FIELD(3, 0), OF_THE_PAIR);

FAULT_BODY(pair_misses_returns, "*.pair.branch", "returns are not recorded", lbr, OF_THE_PAIR)
{
	if (at->branch->class == INSN_RET)
		put(at->record, &old(at)->branch);
}

FAULT_DO(pair_each_is_exception, "*.pair.branch",
	 "each branch saves the one before it as that before an exception", lbr,
	 put(at->record + EXCEPTION_FROM, &old(at)->branch), OF_THE_PAIR);
FAULT_DO(pair_records_untaken, "*.pair.untaken", "branches not taken are recorded", untaken,
	 at->passes = true, OF_THE_PAIR);

/* memory[AMD_PAIR]: branches that are still to be recorded while bit 0 is clear. */
static void runs_on(struct point *at)
{
	if (at->ctr == AMD_PAIR)
		at->enabled |= at->memory[AMD_PAIR] != 0;
}

static void counts_down(struct point *at)
{
	if (at->ctr == AMD_PAIR && at->memory[AMD_PAIR])
		at->memory[AMD_PAIR]--;
}

FAULT_DO(pair_runs_on, "*.pair.stopped",
	 "a thousand branches are recorded behind the write that clears DebugCtl bit 0", written,
	 at->memory[AMD_PAIR] = at->old & DEBUGCTL_LBR && !(at->value & DEBUGCTL_LBR) ? 1000 : 0,
	 .runs = runs_on, .lbr = counts_down, .registers = BIT(AMD_DEBUGCTL));

/* ---- exceptions ---- */

FAULT_DO(pair_saves_no_branch, "*.pair.exception",
	 "an exception does not save the branch before it", lbr,
	 put(at->record + EXCEPTION_FROM, &old(at)->exception), OF_THE_PAIR);

FAULT_BODY(pair_saves_too_late, "*.pair.exception",
	   "an exception saves itself as the branch before it", lbr, OF_THE_PAIR)
{
	if (is_delivered(at)) {
		at->record[EXCEPTION_FROM] = at->record[FROM];
		at->record[EXCEPTION_TO] = at->record[TO];
	}
}

FAULT_BODY(pair_misses_exceptions, "*.pair.exception",
	   "an exception saves the branch before it, and is not recorded", lbr, OF_THE_PAIR)
{
	if (is_delivered(at))
		put(at->record, &old(at)->branch);
}

FAULT_BODY(pair_exception_from_next, "*.pair.exception",
	   "an exception is recorded as from behind its instruction of two bytes", lbr, OF_THE_PAIR)
{
	if (is_delivered(at))
		at->record[FROM] += 2;
}

/* ---- registers ---- */

FAULT_DO(pair_takes_writes, "*.pair.read_only", "LastBranchFromIP and LastBranchToIP are written",
	 refused, at->access = ACCESS_DONE, .registers = BIT(AMD_LAST_BRANCH));
FAULT_DO(pair_takes_exception, "*.pair.read_only", "the last branch before an exception is written",
	 refused, at->access = ACCESS_DONE, .registers = BIT(AMD_LAST_EXCEPTION));
