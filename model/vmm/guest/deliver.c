/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts and exceptions delivered by hand.  The processor's own delivery clears RFLAGS.TF, and
 * with it the VMM would lose the guest until the next exit.
 */
#include "deliver.h"

#include "kernel/lib/string.h"

#define ERROR_IDT BIT(1) /* of a selector error code: it is an index into the IDT */

static const struct mode_layout *layout_of(const struct guest *g)
{
	return g->vmcb->efer & EFER_LMA ? &deliver_64 : &deliver_32;
}

/* ---- the steps of a delivery ---- */

static bool find_gate(const struct guest *g, unsigned vector, struct gate *gate)
{
	uint64_t type;

	if (!layout_of(g)->read_gate(g, vector, gate) || !(gate->type & GATE_PRESENT))
		return false;
	type = field_get(GATE_TYPE, gate->type);
	return type == GATE_INTERRUPT || type == GATE_TRAP;
}

/* Where to load it leads: not to a level that is less privileged. */
static bool find_level(const struct guest *g, struct entry *to)
{
	to->cpl = to->descriptor & DESCRIPTOR_CONFORMING
			  ? g->vmcb->cpl
			  : (unsigned)field_get(DESCRIPTOR_DPL, to->descriptor);
	return to->cpl <= g->vmcb->cpl;
}

static bool find_code_segment(const struct guest *g, struct entry *to)
{
	return deliver_descriptor(g, to->gate.selector, &to->descriptor) &&
	       to->descriptor & layout_of(g)->code && find_level(g, to);
}

/* The frame shows the guest's own TF, as RFLAGS of the VMCB does outside a step. */
static bool push_frame(struct guest *g, struct entry *to, const uint32_t *error)
{
	const struct vmcb *v = g->vmcb;
	const struct mode_layout *layout = layout_of(g);
	const uint64_t frame[] = {
		error ? *error : 0, v->rip, v->cs.selector, v->rflags, v->rsp, v->ss.selector,
	};
	unsigned skipped = error ? 0 : 1;
	unsigned end = layout->pushes_stack || to->cpl != v->cpl ? ARRAY_SIZE(frame) : 4;
	size_t size = layout->word * (end - skipped);
	uint8_t bytes[sizeof(frame)];

	for (unsigned i = skipped; i < end; i++)
		memcpy(bytes + layout->word * (i - skipped), &frame[i], layout->word);
	to->rsp -= size;
	return guest_write(g, to->rsp, bytes, size);
}

static void enter(struct guest *g, const struct entry *to)
{
	struct vmcb *v = g->vmcb;

	v->cs = (struct vmcb_segment){
		.selector = (uint16_t)((to->gate.selector & ~3u) | to->cpl),
		.attributes = segment_attributes(to->descriptor),
		.limit = 0xffffffff,
	};
	v->ss = to->ss;
	v->cpl = (uint8_t)to->cpl;
	v->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF | RFLAGS_VM);
	if (field_get(GATE_TYPE, to->gate.type) == GATE_INTERRUPT)
		v->rflags &= ~RFLAGS_IF;
	v->rip = to->gate.offset;
	v->rsp = to->rsp;
}

/* error: NULL: there is none.  False: the guest's tables do not lead to a handler; no register has
 * changed. */
static bool try_deliver(struct guest *g, unsigned vector, const uint32_t *error)
{
	struct entry to = {.rsp = g->vmcb->rsp, .ss = g->vmcb->ss};

	guest_fault.found = false;
	if (!(g->vmcb->cr0 & CR0_PE))
		return deliver_real(g, vector);
	if (!find_gate(g, vector, &to.gate) || !find_code_segment(g, &to) ||
	    !layout_of(g)->find_stack(g, &to) || !push_frame(g, &to, error))
		return false;
	enter(g, &to);
	return true;
}

/* ---- what is delivered ---- */

/* before: the privilege level, ahead of it. */
static void report_branch(const struct guest *g, uint64_t from, unsigned vector, unsigned before)
{
	struct branch branch = {
		.class = INSN_INT,
		.vector = (int)vector,
		.from = from,
		.to = g->vmcb->rip,
		.cpl = g->vmcb->cpl,
		.before = before,
	};

	silicon_branched(&silicon_cpu, &branch);
}

static bool is_hosts(const struct guest *g, unsigned vector)
{
	return g->nest.exceptions >> vector & 1;
}

/* Does the host of an inner guest see the event first?  tried: it could not be delivered. */
static bool is_refused(struct guest *g, const struct refused *event, bool tried)
{
	struct refused *r = &g->nest.refused;

	if (!g->nest.inside)
		return false;
	*r = *event;
	if (!tried && event->cause == DELIVERY_EXCEPTION && is_hosts(g, event->vector))
		r->why = REFUSED_FOR_HOST;
	else if (tried && guest_fault.found)
		r->why = REFUSED_FOR_PAGE;
	if (r->why)
		g->look = g->nest.due = true;
	return r->why;
}

static void shut_down(struct guest *g, unsigned vector)
{
	if (!g->nest.inside)
		panic("the guest shut down: vector %u at %llx", vector,
		      (unsigned long long)g->vmcb->rip);
	g->nest.refused.why = REFUSED_FOR_GOOD;
	g->look = g->nest.due = true;
}

/* A handler that cannot be entered is a double fault at once: the contributory faults in between
 * would meet the same tables. */
static void deliver_from(struct guest *g, uint64_t from, unsigned vector, uint32_t error,
			 enum delivery cause)
{
	bool has_error = cause == DELIVERY_EXCEPTION && vector_has_error(vector);
	const struct refused event = {.vector = vector, .error = error, .cause = cause};
	const unsigned before = g->vmcb->cpl;
	uint32_t none = 0;

	if (is_refused(g, &event, false))
		return;
	if (!try_deliver(g, vector, has_error ? &error : NULL)) {
		if (is_refused(g, &event, true))
			return;
		if (!try_deliver(g, VECTOR_DF, &none)) {
			shut_down(g, vector);
			return;
		}
		cause = DELIVERY_EXCEPTION;
	}
	if (cause == DELIVERY_HARDWARE && vector == VECTOR_NMI)
		cause = DELIVERY_NMI;
	report_branch(g, from, vector, before);
	silicon_delivered(&silicon_cpu, cause, g->vmcb->cpl);
}

void deliver(struct guest *g, unsigned vector, uint32_t error, enum delivery cause)
{
	deliver_from(g, g->vmcb->rip, vector, error, cause);
}

/* The privilege check comes first: its fault is at the INT instruction, not behind it. */
void deliver_int(struct guest *g, unsigned vector, uint64_t next_rip)
{
	struct gate gate;
	uint64_t rip;

	if (find_gate(g, vector, &gate) && field_get(GATE_DPL, gate.type) < g->vmcb->cpl) {
		deliver(g, VECTOR_GP, (uint32_t)(8 * vector | ERROR_IDT), DELIVERY_EXCEPTION);
		return;
	}
	rip = g->vmcb->rip;
	g->vmcb->rip = next_rip;
	deliver_from(g, rip, vector, 0, DELIVERY_SOFTWARE);
	if (g->nest.refused.why)
		g->vmcb->rip = rip;
}

/* Gates of 16 bits are of 16-bit code alone. */
bool deliver_is_possible(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;

	if (v->efer & EFER_LMA || !(v->cr0 & CR0_PE))
		return true;
	return !(v->rflags & RFLAGS_VM) && guest_code_size(g) == CODE_32 && !v->ss.base &&
	       v->ss.attributes & SEGMENT_BIG;
}
