/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of the last branches: which are taken, and the filter, whose bits are the same in Intel's
 * MSR_LBR_SELECT and AMD's LBR_SELECT. */
#pragma once

#include "kernel/lib/bits.h"
#include "model/signals/signals.h"
#include "pmu.h"

/* What a set bit keeps out. */
#define BRANCHES_CPL_EQ_0  BIT(0)
#define BRANCHES_CPL_NEQ_0 BIT(1)
#define BRANCHES_JCC       BIT(2)
#define BRANCHES_REL_CALL  BIT(3)
#define BRANCHES_IND_CALL  BIT(4)
#define BRANCHES_RETURN    BIT(5)
#define BRANCHES_IND_JMP   BIT(6)
#define BRANCHES_REL_JMP   BIT(7)
#define BRANCHES_FAR       BIT(8)

#define VECTOR_DEBUG       1

/* The bit of its kind. */
static inline uint64_t branches_kind(const struct branch *branch)
{
	switch (branch->class) {
	case INSN_JCC:
		return BRANCHES_JCC;
	case INSN_JMP:
		return branch->indirect ? BRANCHES_IND_JMP : BRANCHES_REL_JMP;
	case INSN_CALL:
		return branch->indirect ? BRANCHES_IND_CALL : BRANCHES_REL_CALL;
	case INSN_RET:
		return BRANCHES_RETURN;
	default:
		return BRANCHES_FAR;
	}
}

/* The bit of the ring in which it ends: the level before does not count. */
static inline uint64_t branches_ring(const struct branch *branch)
{
	return branch->cpl == 0 ? BRANCHES_CPL_EQ_0 : BRANCHES_CPL_NEQ_0;
}

/* Does it come to the records that ctr stands for?  One that was not taken does by a defect alone.
 */
static inline bool branches_come(const struct core_pmu *core, unsigned ctr,
				 const struct branch *branch)
{
	struct point at = core_point(core, ctr);

	at.branch = branch;
	at.passes = !branch->untaken;
	if (branch->untaken)
		REACH(&at, core->active, untaken);
	return at.passes;
}
