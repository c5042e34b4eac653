/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts and exceptions delivered by hand.  The processor's own delivery clears RFLAGS.TF, and
 * with it the VMM would lose the guest until the next exit.
 */
#include "guest.h"

struct gate {
	uint16_t offset_low, selector;
	uint8_t ist, type; /* type: present, DPL, system type */
	uint16_t offset_middle;
	uint32_t offset_high, reserved;
};
_Static_assert(sizeof(struct gate) == 16, "64-bit gate");

#define GATE_IST     FIELD(2, 0)
#define GATE_PRESENT BIT(7)
#define GATE_DPL     FIELD(6, 5)
#define GATE_TYPE    FIELD(4, 0)

enum { GATE_INTERRUPT = 14, GATE_TRAP = 15 };

#define DESCRIPTOR_PRESENT    BIT(47)
#define DESCRIPTOR_DPL        FIELD(46, 45)
#define DESCRIPTOR_CONFORMING BIT(42)
#define DESCRIPTOR_LONG       BIT(53)

enum { TSS_RSP0 = 4, TSS_IST1 = 36 };

#define ERROR_IDT      BIT(1) /* of a selector error code: it is an index into the IDT */
#define SELECTOR_INDEX (uint16_t) FIELD(15, 3)

/* Where an event goes. */
struct entry {
	struct gate gate;
	unsigned cpl;
	uint16_t attributes; /* of CS, as the VMCB has them */
	uint64_t rsp; /* before the frame */
};

static bool find_gate(struct guest *g, unsigned vector, struct gate *gate)
{
	const struct vmcb_segment *idtr = &g->vmcb->idtr;
	uint64_t type;

	if (16 * vector + 15 > idtr->limit ||
	    !guest_read(g, idtr->base + 16 * vector, gate, sizeof(*gate)))
		return false;
	type = field_get(GATE_TYPE, gate->type);
	return gate->type & GATE_PRESENT && (type == GATE_INTERRUPT || type == GATE_TRAP);
}

static bool find_code_segment(struct guest *g, struct entry *to)
{
	const struct vmcb_segment *gdtr = &g->vmcb->gdtr;
	uint16_t index = to->gate.selector & SELECTOR_INDEX;
	uint64_t descriptor;

	if (!index || index + 7u > gdtr->limit ||
	    !guest_read(g, gdtr->base + index, &descriptor, sizeof(descriptor)))
		return false;
	if (!(descriptor & DESCRIPTOR_PRESENT) || !(descriptor & DESCRIPTOR_LONG))
		return false;
	to->cpl = descriptor & DESCRIPTOR_CONFORMING
			  ? g->vmcb->cpl
			  : (unsigned)field_get(DESCRIPTOR_DPL, descriptor);
	to->attributes = segment_attributes(descriptor);
	return to->cpl <= g->vmcb->cpl;
}

static bool find_stack(struct guest *g, struct entry *to)
{
	unsigned ist = to->gate.ist & (unsigned)GATE_IST;
	uint64_t slot;

	to->rsp = g->vmcb->rsp;
	if (ist || to->cpl < g->vmcb->cpl) {
		__asm__ volatile("vmsave" : : "a"(g->extra) : "memory");
		slot = ist ? TSS_IST1 + 8 * (ist - 1) : TSS_RSP0 + 8 * to->cpl;
		if (!guest_read(g, g->extra->tr.base + slot, &to->rsp, sizeof(to->rsp)))
			return false;
	}
	to->rsp &= ~UINT64_C(15);
	return true;
}

/* The frame shows the guest's own TF, as RFLAGS of the VMCB does outside a step. */
static bool push_frame(struct guest *g, struct entry *to, const uint32_t *error)
{
	const struct vmcb *v = g->vmcb;
	uint64_t frame[6] = {
		error ? *error : 0, v->rip, v->cs.selector, v->rflags, v->rsp, v->ss.selector,
	};
	unsigned skipped = error ? 0 : 1;

	to->rsp -= 8 * (6 - skipped);
	return guest_write(g, to->rsp, frame + skipped, 8 * (6 - skipped));
}

static void enter(struct guest *g, const struct entry *to)
{
	struct vmcb *v = g->vmcb;
	const struct gate *gate = &to->gate;

	if (to->cpl != v->cpl)
		v->ss = (struct vmcb_segment){
			.selector = (uint16_t)to->cpl,
			.attributes = (uint16_t)field_put(SEGMENT_DPL, to->cpl),
		};
	v->cs = (struct vmcb_segment){
		.selector = (uint16_t)((gate->selector & ~3u) | to->cpl),
		.attributes = to->attributes,
		.limit = 0xffffffff,
	};
	v->cpl = (uint8_t)to->cpl;
	v->rip = (uint64_t)gate->offset_high << 32 | (uint32_t)gate->offset_middle << 16 |
		 gate->offset_low;
	v->rsp = to->rsp;
	v->rflags &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF | RFLAGS_VM);
	if (field_get(GATE_TYPE, gate->type) == GATE_INTERRUPT)
		v->rflags &= ~RFLAGS_IF;
}

static bool try_deliver(struct guest *g, unsigned vector, const uint32_t *error)
{
	struct entry to = {0};

	if (!find_gate(g, vector, &to.gate) || !find_code_segment(g, &to) || !find_stack(g, &to) ||
	    !push_frame(g, &to, error))
		return false;
	enter(g, &to);
	return true;
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
	struct gate gate;
	uint64_t rip;

	if (find_gate(g, vector, &gate) && field_get(GATE_DPL, gate.type) < g->vmcb->cpl) {
		deliver(g, VECTOR_GP, (uint32_t)(8 * vector | ERROR_IDT), DELIVERY_EXCEPTION);
		return;
	}
	rip = g->vmcb->rip;
	g->vmcb->rip = next_rip;
	deliver_from(g, rip, vector, 0, DELIVERY_SOFTWARE);
}
