/* SPDX-License-Identifier: BSD-2-Clause */
/* The step at hand, for step.c and shortcut.c. */
#ifndef VMM_STEPPING_H
#define VMM_STEPPING_H

#include "native.h"

/* The instruction under way, and what it may change of the state before it. */
struct under_way {
	const struct insn *insn;
	const struct plan *plan;
	const uint8_t *code;
	uint64_t rip, dr6;
	bool iflag;
	bool tf; /* the guest's own: it expects #DB after this instruction */
	bool shadow; /* STI or MOV SS went before */
	bool loaded; /* what follows is of the instruction at RIP */
	bool look; /* an interrupt may be pending: enter the guest, whatever the instruction */
	bool device; /* it stores to what is no RAM, so perhaps the EOI */
	unsigned unseen; /* instructions since the guest could last take an interrupt */
};
extern struct under_way under_way;

/* ---- step.c ---- */

/* Looks at the instruction at rip, which is under way now. */
void step_load(struct guest *g, uint64_t rip);
/* Sends what PMIs are due. */
void step_raise_due(void);

/* ---- shortcut.c ---- */

/* True: the instruction under way is done, without the guest. */
bool step_shortcut(struct guest *g);

/* ---- discard.c ---- */

/* The branch under way, which has retired, was mispredicted: reports what lies on its other path.
 */
void step_discard(const struct guest *g);

#endif
