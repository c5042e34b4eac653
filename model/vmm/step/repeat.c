/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With TF set, a repeated string instruction traps behind each iteration, and RF is set in what is
 * pushed behind all but the last (Intel SDM vol. 3B, "Instruction-Breakpoint Exception Condition").
 * To QEMU 10 and 11 the last one is like the others: they trap at the instruction, with RF set, and
 * once more when they have seen that the count is 0.
 */
#include "step.h"

static bool is_64(const struct guest *g)
{
	return g->vmcb->cs.attributes & SEGMENT_LONG;
}

/* Is the count not 0?  The prefix 67h leaves the lower half of it. */
static bool has_count(const struct guest *g, const struct insn *insn)
{
	unsigned bits = (is_64(g) ? 64u : 32u) >> insn->address_prefix;

	return vmm_gpr[RCX] & UINT64_MAX >> (64 - bits);
}

void repeat_end(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	unsigned available;
	struct insn insn;
	const uint8_t *code;

	if (!(v->rflags & RFLAGS_RF))
		return;
	code = guest_code(g, v->rip, &available);
	insn_decode(code, available, is_64(g) ? CODE_64 : CODE_32, &insn);
	if (insn.class != INSN_REP_STRING || has_count(g, &insn))
		return;
	v->rip += insn.length;
	v->rflags &= ~RFLAGS_RF;
}
