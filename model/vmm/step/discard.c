/* SPDX-License-Identifier: BSD-2-Clause */
/* What a processor begins on the wrong path of a mispredicted branch. */
#include "stepping.h"

/* Instructions that it begins before it knows better. */
enum { DISCARDED_MOST = 8 };

void step_discard(const struct guest *g)
{
	uint64_t next = under_way.rip + under_way.insn->length;
	uint64_t target = (uint64_t)under_way.plan->displacement;
	uint64_t rip = g->vmcb->rip == next ? target : next;

	if (under_way.plan->kind != PLAN_JCC)
		return;
	for (unsigned i = 0; i < DISCARDED_MOST; i++) {
		unsigned available;
		const uint8_t *code = guest_code(g, rip, &available);
		struct insn insn;

		insn_decode(code, available, &insn);
		if (!silicon_discard(&silicon_cpu, &insn))
			return;
		rip += insn.length;
	}
}
