/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of real mode: AMD64 APM volume 2, 8.6. */
#include "deliver.h"

enum { REAL_LIMIT = 0xffff };
#define RFLAGS_AC BIT(18)

struct pointer {
	uint16_t offset, selector;
};

bool deliver_real(struct guest *g, unsigned vector)
{
	struct vmcb *v = g->vmcb;
	const uint16_t frame[] = {(uint16_t)v->rip, v->cs.selector, (uint16_t)v->rflags};
	uint16_t sp = (uint16_t)(v->rsp - sizeof(frame));
	struct pointer to;

	if (!deliver_read_gate(g, vector, &to, sizeof(to)) ||
	    !guest_write(g, v->ss.base + sp, frame, sizeof(frame)))
		return false;
	v->rsp = (v->rsp & ~UINT64_C(0xffff)) | sp;
	v->rflags &= ~(RFLAGS_IF | RFLAGS_TF | RFLAGS_AC | RFLAGS_RF);
	v->cs.selector = to.selector;
	v->cs.base = (uint64_t)to.selector << 4;
	v->cs.limit = REAL_LIMIT;
	v->rip = to.offset;
	return true;
}
