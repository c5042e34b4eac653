/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's last branch records: the stack, its filter and its freezing. */
#include "intel.h"
#include "model/pmu/branches.h"

#define SELECT_CALL_STACK BIT(9) /* of MSR_LBR_SELECT */

/* A bit of FROM in formats 3 and 4; the flag itself is not modelled. */
#define FORMAT_MISPREDICTED BIT(63)
#define INFO_CYCLES_MAX     UINT64_C(0xffff)

enum { FORMAT_EIP_FLAGS = 3, FORMAT_EIP_FLAGS_TSX = 4 };

/* ---- the filter ---- */

/* On some parts the bits of jumps keep calls and returns out, too. */
static uint64_t dropped_by_jumps(const struct branch *branch)
{
	if (branch->class == INSN_CALL)
		return branch->indirect ? BRANCHES_IND_JMP : BRANCHES_REL_JMP;
	return branch->class == INSN_RET ? BRANCHES_IND_JMP : 0;
}

static bool passes_filter(const struct pmu_intel *p, const struct branch *branch)
{
	uint64_t bits = branches_kind(branch) | branches_ring(branch);
	struct point at = core_point(&p->core, INTEL_LBR);

	if (p->traits->lbr.jump_bits_drop_calls)
		bits |= dropped_by_jumps(branch);
	at.branch = branch;
	at.value = bits;
	at.raw = intel_lbr_is_architectural(p->traits) ? intel_lbr_left_out(p) : p->lbr_select;
	at.passes = !(at.raw & bits);
	REACH(&at, p->core.active, branch);
	return at.passes;
}

/* ---- the stack ---- */

bool intel_lbr_is_call_stack(const struct pmu_intel *p)
{
	if (intel_lbr_is_architectural(p->traits))
		return intel_lbr_ctl(p) & LBR_CTL_CALL_STACK;
	return p->lbr_select & SELECT_CALL_STACK;
}

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

	if (intel_lbr_is_architectural(p->traits))
		return intel_lbr_record(p, branch, entry.info);
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
	const bool ring = !intel_lbr_is_architectural(p->traits);
	struct intel_lbr entry = entry_of(p, branch);
	struct point at = core_point(&p->core, INTEL_LBR);

	if (ring)
		p->lbr_tos = (p->lbr_tos + 1) % p->traits->lbr.depth;
	at.branch = branch;
	at.record = &entry.from;
	REACH(&at, p->core.active, lbr);
	if (ring)
		p->lbr[p->lbr_tos] = entry;
	else
		intel_lbr_push(p, &entry);
	p->lbr_inserts++;
}

static void pop(struct pmu_intel *p)
{
	if (intel_lbr_is_architectural(p->traits)) {
		intel_lbr_pop(p);
		return;
	}
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

/* The last branch before an event, of those that are recorded. */
static void keep_last(struct pmu_intel *p, const struct branch *branch)
{
	if (branch->vector >= 0 && !p->traits->version) {
		p->last_int[0] = (uint32_t)branch->from;
		p->last_int[1] = (uint32_t)branch->to;
	}
	if (branch->vector >= 0 && intel_lbr_is_architectural(p->traits) &&
	    intel_runs(p, INTEL_LBR))
		p->ler = p->lbr[0];
}

/* #DB is not recorded, and ends recording. */
void intel_branched(void *pmu, const struct branch *branch)
{
	struct pmu_intel *p = pmu;

	if (branch->vector == VECTOR_DEBUG) {
		p->debugctl &= ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
		p->lbr_ctl &= ~LBR_CTL_EN;
		return;
	}
	keep_last(p, branch);
	if (!intel_runs(p, INTEL_LBR) || !branches_come(&p->core, INTEL_LBR, branch) ||
	    !passes_filter(p, branch))
		return;
	if (intel_lbr_is_call_stack(p))
		keep_call_stack(p, branch);
	else
		push(p, branch);
}
