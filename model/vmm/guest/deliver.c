/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts and exceptions delivered by hand.  The processor's own delivery clears RFLAGS.TF, and
 * with it the VMM would lose the guest until the next exit.
 */
#include "deliver.h"

#define ERROR_IDT BIT(1) /* of a selector error code: it is an index into the IDT */

bool deliver_descriptor(const struct guest *g, uint16_t selector, uint64_t *descriptor)
{
	const struct vmcb_segment *gdtr = &g->vmcb->gdtr;
	uint16_t index = selector & SELECTOR_INDEX;

	return index && index + 7u <= gdtr->limit &&
	       guest_read(g, gdtr->base + index, descriptor, sizeof(*descriptor)) &&
	       *descriptor & DESCRIPTOR_PRESENT;
}

bool deliver_level(const struct guest *g, uint64_t descriptor, unsigned *cpl)
{
	*cpl = descriptor & DESCRIPTOR_CONFORMING ? g->vmcb->cpl
						  : (unsigned)field_get(DESCRIPTOR_DPL, descriptor);
	return *cpl <= g->vmcb->cpl;
}

void deliver_enter(struct guest *g, uint16_t selector, uint64_t descriptor, unsigned cpl,
		   uint64_t type)
{
	struct vmcb *v = g->vmcb;

	v->cs = (struct vmcb_segment){
		.selector = (uint16_t)((selector & ~3u) | cpl),
		.attributes = segment_attributes(descriptor),
		.limit = 0xffffffff,
	};
	v->cpl = (uint8_t)cpl;
	v->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF | RFLAGS_VM);
	if (type == GATE_INTERRUPT)
		v->rflags &= ~RFLAGS_IF;
}

static bool is_long(const struct guest *g)
{
	return g->vmcb->efer & EFER_LMA;
}

static bool try_deliver(struct guest *g, unsigned vector, const uint32_t *error)
{
	return is_long(g) ? deliver_64(g, vector, error) : deliver_32(g, vector, error);
}

/* The level that may call the gate by INT; false: there is no such gate. */
static bool find_caller(struct guest *g, unsigned vector, unsigned *cpl)
{
	return is_long(g) ? deliver_64_caller(g, vector, cpl) : deliver_32_caller(g, vector, cpl);
}

static void report_branch(const struct guest *g, uint64_t from, unsigned vector)
{
	struct branch branch = {INSN_INT, false, (int)vector, from, g->vmcb->rip, g->vmcb->cpl};

	silicon_branched(&silicon_cpu, &branch);
}

/* A handler that cannot be entered is a double fault at once: the contributory faults in between
 * would meet the same tables. */
static void deliver_from(struct guest *g, uint64_t from, unsigned vector, uint32_t error,
			 enum delivery cause)
{
	bool has_error = cause == DELIVERY_EXCEPTION && vector_has_error(vector);
	uint64_t rip = g->vmcb->rip;
	uint32_t none = 0;

	if (!try_deliver(g, vector, has_error ? &error : NULL)) {
		if (!try_deliver(g, VECTOR_DF, &none))
			panic("the guest shut down: vector %u at %llx", vector,
			      (unsigned long long)rip);
		cause = DELIVERY_EXCEPTION;
	}
	if (cause == DELIVERY_HARDWARE && vector == VECTOR_NMI)
		cause = DELIVERY_NMI;
	report_branch(g, from, vector);
	silicon_delivered(&silicon_cpu, cause, g->vmcb->cpl);
}

void deliver(struct guest *g, unsigned vector, uint32_t error, enum delivery cause)
{
	deliver_from(g, g->vmcb->rip, vector, error, cause);
}

/* The privilege check comes first: its fault is at the INT instruction, not behind it. */
void deliver_int(struct guest *g, unsigned vector, uint64_t next_rip)
{
	unsigned caller;
	uint64_t rip;

	if (find_caller(g, vector, &caller) && caller < g->vmcb->cpl) {
		deliver(g, VECTOR_GP, (uint32_t)(8 * vector | ERROR_IDT), DELIVERY_EXCEPTION);
		return;
	}
	rip = g->vmcb->rip;
	g->vmcb->rip = next_rip;
	deliver_from(g, rip, vector, 0, DELIVERY_SOFTWARE);
}
