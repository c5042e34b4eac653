/* SPDX-License-Identifier: BSD-2-Clause */
/* Each entry of the host or of its guest. */
#include "state.h"

/* QEMU's VMRUN does not load the interrupt shadow: behind one nothing comes from the machine at
 * this entry, and a virtual interrupt waits for the next one. */
static bool prepare_inner(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool shadow = v->int_state & INT_STATE_SHADOW;
	bool masking = nest.theirs->int_control & INT_MASKING;

	merge_intercepts(v, nest.theirs);
	nest.request_waits = shadow && v->int_control & INT_REQUEST;
	if (nest.request_waits)
		v->int_control &= ~INT_REQUEST;
	if (shadow)
		v->int_control |= INT_MASKING;
	return masking && !shadow && nest.outer->rflags & RFLAGS_IF;
}

bool nest_prepare(struct guest *g)
{
	if (g->nest.inside)
		return prepare_inner(g);
	if (g->nest.deaf) {
		g->vmcb->int_control |= INT_MASKING;
		g->vmcb->intercept |= INTERCEPT_NMI;
	}
	return false;
}

/* Are the segments of data such that the VMM's own are as good? */
static bool is_flat(const struct vmcb *v)
{
	return !v->ds.base && !v->es.base && !v->ss.base;
}

void nest_entered(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	if (!g->nest.inside)
		return;
	v->int_control |= nest.theirs->int_control & INT_MASKING;
	if (nest.request_waits)
		v->int_control |= INT_REQUEST;
	g->size = guest_code_size(g);
	g->nest.by_step =
		wants_plain_instructions(nest.theirs) || (g->size != CODE_64 && !is_flat(v));
}
