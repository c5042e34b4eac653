/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With TF set, a repeated string instruction traps behind each iteration, and RF is set in what is
 * pushed behind all but the last (Intel SDM vol. 3B, "Instruction-Breakpoint Exception Condition").
 * To QEMU 10 and 11 the last one is like the others: they trap at the instruction, with RF set, and
 * once more when they have seen that the count is 0.
 */
#include "step.h"

/* Is the count not 0?  It is as long as addresses are. */
static bool has_count(enum code_size size, const struct insn *insn)
{
	unsigned bits = (size == CODE_64 ? 64u : 32u) >> insn->address_prefix;

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
	code = guest_code(g, guest_code_address(g, v->rip), &available);
	insn_decode(code, available, guest_code_size(g), &insn);
	if (insn.class != INSN_REP_STRING || has_count(guest_code_size(g), &insn))
		return;
	v->rip += insn.length;
	v->rflags &= ~RFLAGS_RF;
}
