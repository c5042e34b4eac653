/* SPDX-License-Identifier: BSD-2-Clause */
/* Exits of the host and of its guest, and what is due behind one. */
#include "model/vmm/step/step.h"
#include "state.h"

static void keep_nmi(struct guest *g)
{
	if (vmm_take_interrupt(WAIT_NMI) != VECTOR_NMI)
		return;
	g->nest.nmi = g->nest.due = true;
}

/* The instruction at RIP, which is done. */
static void pass(struct guest *g, const struct insn *insn)
{
	if (g->stepping)
		step_count(g);
	g->vmcb->rip += insn->length;
	if (g->stepping)
		step_settle(g);
}

/* QEMU 7.2 ends itself at a write to CR8 where interrupts are virtual, so it is done here. */
static void write_cr8(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	const struct insn *insn = step_insn(g);
	unsigned available;
	const uint8_t *code = guest_code(g, v->rip, &available);
	struct decoder d;

	decode_raw(&d, code, available, g->size);
	v->int_control = (v->int_control & ~INT_TPR) | (guest_gpr(g, d.rm) & INT_TPR);
	pass(g, insn);
}

/* HLT by which the inner guest is to halt the processor ends at once: the interrupts that it waits
 * for are its host's. */
static void go_on_halted(struct guest *g)
{
	pass(g, step_insn(g));
	g->look = true;
}

static void take_virtual(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	v->int_control &= ~INT_REQUEST;
	deliver(g, (unsigned)field_get(INT_VECTOR, v->int_control), 0, DELIVERY_HARDWARE);
}

/* An exit of the inner guest that its host has not asked for. */
static bool inner_exit(struct guest *g)
{
	switch (g->vmcb->exit_code) {
	case EXIT_WRITE_CR8:
		write_cr8(g);
		return true;
	case EXIT_VINTR:
		take_virtual(g);
		return true;
	case EXIT_HLT:
		go_on_halted(g);
		return true;
	default:
		return false;
	}
}

bool nest_exit(struct guest *g)
{
	uint64_t code = g->vmcb->exit_code;

	if (code == EXIT_NMI && (g->nest.inside || g->nest.deaf)) {
		keep_nmi(g);
		return true;
	}
	if (!g->nest.inside || (g->stepping && code == EXIT_EXCEPTION + VECTOR_DB))
		return false;
	if (!wants_exit(nest.theirs, g->vmcb, (uint32_t)vmm_gpr[RCX]))
		return inner_exit(g);
	nest_leave(g);
	return true;
}

/* ---- what is due ---- */

/* As EXITINTINFO has it.  INT n is executed once more instead. */
static uint32_t event_of(const struct refused *r)
{
	switch (r->cause) {
	case DELIVERY_SOFTWARE:
		return 0;
	case DELIVERY_EXCEPTION:
		return EVENT_VALID | EVENT_EXCEPTION | r->vector |
		       (vector_has_error(r->vector) ? EVENT_HAS_ERROR : 0);
	default:
		return EVENT_VALID | (r->vector == VECTOR_NMI ? EVENT_NMI : 0) | r->vector;
	}
}

static void leave_for_page(struct guest *g, const struct refused *r)
{
	g->vmcb->exit_int_info = nest.event ? nest.event : event_of(r);
	g->vmcb->exit_int_error = r->error;
	nest_leave_with(g, EXIT_EXCEPTION + VECTOR_PF, guest_fault.error, guest_fault.linear);
}

static void refuse(struct guest *g)
{
	struct refused refused = g->nest.refused;

	g->nest.refused.why = REFUSED_NOTHING;
	g->vmcb->exit_int_info = 0;
	switch (refused.why) {
	case REFUSED_NOTHING:
		break;
	case REFUSED_FOR_HOST:
		nest_leave_with(g, EXIT_EXCEPTION + refused.vector, refused.error, 0);
		break;
	case REFUSED_FOR_PAGE:
		leave_for_page(g, &refused);
		break;
	case REFUSED_FOR_GOOD:
		nest_leave_with(g, EXIT_SHUTDOWN, 0, 0);
		break;
	}
}

static void settle_nmi(struct guest *g)
{
	if (g->nest.inside && nest.theirs->intercept & INTERCEPT_NMI) {
		g->vmcb->exit_int_info = 0;
		nest_leave_with(g, EXIT_NMI, 0, 0);
	} else if (!g->nest.deaf) {
		g->nest.nmi = false;
		deliver(g, VECTOR_NMI, 0, DELIVERY_HARDWARE);
	}
}

void nest_settle(struct guest *g)
{
	g->nest.due = false;
	refuse(g);
	nest.event = 0;
	if (g->nest.nmi)
		settle_nmi(g);
}
