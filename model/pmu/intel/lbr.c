/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's last branch records: the stack, its filter and its freezing. */
#include "intel.h"

/* MSR_LBR_SELECT: what a set bit keeps out of the stack. */
#define SELECT_CPL_EQ_0   BIT(0)
#define SELECT_CPL_NEQ_0  BIT(1)
#define SELECT_JCC        BIT(2)
#define SELECT_REL_CALL   BIT(3)
#define SELECT_IND_CALL   BIT(4)
#define SELECT_RETURN     BIT(5)
#define SELECT_IND_JMP    BIT(6)
#define SELECT_REL_JMP    BIT(7)
#define SELECT_FAR        BIT(8)
#define SELECT_CALL_STACK BIT(9)

/* A bit of FROM in formats 3 and 4; the flag itself is not modelled. */
#define FORMAT_MISPREDICTED BIT(63)
#define INFO_CYCLES_MAX     UINT64_C(0xffff)

enum { FORMAT_EIP_FLAGS = 3, FORMAT_EIP_FLAGS_TSX = 4, VECTOR_DEBUG = 1 };

/* ---- the filter ---- */

static uint64_t type_bits(const struct intel_lbr_traits *lbr, const struct branch *branch)
{
	bool drop = lbr->jump_bits_drop_calls;

	switch (branch->class) {
	case INSN_JCC:
		return SELECT_JCC;
	case INSN_JMP:
		return branch->indirect ? SELECT_IND_JMP : SELECT_REL_JMP;
	case INSN_CALL:
		if (branch->indirect)
			return SELECT_IND_CALL | (drop ? SELECT_IND_JMP : 0);
		return SELECT_REL_CALL | (drop ? SELECT_REL_JMP : 0);
	case INSN_RET:
		return SELECT_RETURN | (drop ? SELECT_IND_JMP : 0);
	default:
		return SELECT_FAR;
	}
}

/* Only the level after the branch counts. */
static bool passes_filter(const struct pmu_intel *p, const struct branch *branch)
{
	uint64_t bits = type_bits(&p->traits->lbr, branch);
	struct point at = core_point(&p->core, INTEL_LBR);

	bits |= branch->cpl == 0 ? SELECT_CPL_EQ_0 : SELECT_CPL_NEQ_0;
	at.branch = branch;
	at.value = bits;
	at.passes = !(p->lbr_select & bits);
	REACH(&at, p->core.active, branch);
	return at.passes;
}

/* ---- the stack ---- */

static uint64_t cycles_since_last(struct pmu_intel *p)
{
	uint64_t cycles = p->clocks - p->lbr_clock;

	p->lbr_clock = p->clocks;
	return cycles < INFO_CYCLES_MAX ? cycles : INFO_CYCLES_MAX;
}

static struct intel_lbr entry_of(struct pmu_intel *p, const struct branch *branch)
{
	uint64_t format = field_get(CAPS_LBR_FMT, p->traits->capabilities);
	struct intel_lbr entry = {branch->from, branch->to, cycles_since_last(p)};

	if (!p->traits->version) { /* offsets in the code segment */
		entry.from = (uint32_t)entry.from;
		entry.to = (uint32_t)entry.to;
	}
	if (format == FORMAT_EIP_FLAGS || format == FORMAT_EIP_FLAGS_TSX)
		entry.from &= ~FORMAT_MISPREDICTED;
	return entry;
}

static void push(struct pmu_intel *p, const struct branch *branch)
{
	struct intel_lbr entry = entry_of(p, branch);
	struct point at = core_point(&p->core, INTEL_LBR);

	p->lbr_tos = (p->lbr_tos + 1) % p->traits->lbr.depth;
	at.branch = branch;
	at.record = &entry.from;
	REACH(&at, p->core.active, lbr);
	p->lbr[p->lbr_tos] = entry;
	p->lbr_inserts++;
}

static void pop(struct pmu_intel *p)
{
	p->lbr[p->lbr_tos] = (struct intel_lbr){0, 0, 0};
	p->lbr_tos = (p->lbr_tos + p->traits->lbr.depth - 1) % p->traits->lbr.depth;
}

/* A call to the next instruction only asks where it is; 5 bytes are the length of such a one. */
static bool is_zero_length_call(const struct branch *branch)
{
	return branch->class == INSN_CALL && branch->to == branch->from + 5;
}

static void keep_call_stack(struct pmu_intel *p, const struct branch *branch)
{
	if (branch->class == INSN_RET)
		pop(p);
	else if (!is_zero_length_call(branch))
		push(p, branch);
}

/* #DB is not recorded, and ends recording. */
void intel_branched(void *pmu, const struct branch *branch)
{
	struct pmu_intel *p = pmu;

	if (branch->vector == VECTOR_DEBUG) {
		p->debugctl &= ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
		return;
	}
	if (branch->vector >= 0 && !p->traits->version) {
		p->last_int[0] = (uint32_t)branch->from;
		p->last_int[1] = (uint32_t)branch->to;
	}
	if (!intel_runs(p, INTEL_LBR) || !passes_filter(p, branch))
		return;
	if (p->lbr_select & SELECT_CALL_STACK)
		keep_call_stack(p, branch);
	else
		push(p, branch);
}
