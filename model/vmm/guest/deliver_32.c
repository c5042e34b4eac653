/* SPDX-License-Identifier: BSD-2-Clause */
/* Through the tables of 32-bit protected mode: Intel SDM volume 3A, 6.11 and 6.12.  Gates of 16
 * bits, virtual-8086 mode and local descriptor tables are left out: nothing that counts uses them.
 */
#include "deliver.h"

struct gate {
	uint16_t offset_low, selector;
	uint8_t reserved, type; /* type: present, DPL, system type */
	uint16_t offset_high;
};
_Static_assert(sizeof(struct gate) == 8, "32-bit gate");

/* The task-state segment has a stack for each level below 3. */
struct stack {
	uint32_t esp, ss;
};
enum { TSS_STACKS = 4 };

/* Where an event goes. */
struct entry {
	struct gate gate;
	unsigned cpl;
	uint64_t code, data; /* descriptors of CS, and of SS if the level changes */
	struct stack stack; /* before the frame */
};

static bool find_gate(struct guest *g, unsigned vector, struct gate *gate)
{
	const struct vmcb_segment *idtr = &g->vmcb->idtr;
	uint64_t type;

	if (8 * vector + 7 > idtr->limit ||
	    !guest_read(g, idtr->base + 8 * vector, gate, sizeof(*gate)) ||
	    !(gate->type & GATE_PRESENT))
		return false;
	type = field_get(GATE_TYPE, gate->type);
	if (type == GATE_TASK)
		panic("vector %u at %llx goes through a task gate, which the model has not while "
		      "something counts",
		      vector, (unsigned long long)g->vmcb->rip);
	return type == GATE_INTERRUPT || type == GATE_TRAP;
}

static bool find_code_segment(struct guest *g, struct entry *to)
{
	return deliver_descriptor(g, to->gate.selector, &to->code) && to->code & DESCRIPTOR_BIG &&
	       deliver_level(g, to->code, &to->cpl);
}

static bool find_stack(struct guest *g, struct entry *to)
{
	to->stack = (struct stack){(uint32_t)g->vmcb->rsp, g->vmcb->ss.selector};
	if (to->cpl == g->vmcb->cpl)
		return true;
	__asm__ volatile("vmsave" : : "a"(g->extra) : "memory");
	return guest_read(g, g->extra->tr.base + TSS_STACKS + sizeof(to->stack) * to->cpl,
			  &to->stack, sizeof(to->stack)) &&
	       deliver_descriptor(g, (uint16_t)to->stack.ss, &to->data);
}

/* The frame shows the guest's own TF, as RFLAGS of the VMCB does outside a step. */
static bool push_frame(struct guest *g, struct entry *to, const uint32_t *error)
{
	const struct vmcb *v = g->vmcb;
	uint32_t frame[6] = {
		error ? *error : 0,  (uint32_t)v->rip, v->cs.selector,
		(uint32_t)v->rflags, (uint32_t)v->rsp, v->ss.selector,
	};
	unsigned skipped = error ? 0 : 1, end = to->cpl == v->cpl ? 4 : 6;

	to->stack.esp -= 4 * (end - skipped);
	return guest_write(g, to->stack.esp, frame + skipped, 4 * (end - skipped));
}

static void enter(struct guest *g, const struct entry *to)
{
	struct vmcb *v = g->vmcb;

	if (to->cpl != v->cpl)
		v->ss = (struct vmcb_segment){
			.selector = (uint16_t)to->stack.ss,
			.attributes = segment_attributes(to->data),
			.limit = 0xffffffff,
		};
	deliver_enter(g, to->gate.selector, to->code, to->cpl, field_get(GATE_TYPE, to->gate.type));
	v->rip = (uint32_t)to->gate.offset_high << 16 | to->gate.offset_low;
	v->rsp = to->stack.esp;
}

bool deliver_32(struct guest *g, unsigned vector, const uint32_t *error)
{
	struct entry to = {0};

	if (!find_gate(g, vector, &to.gate) || !find_code_segment(g, &to) || !find_stack(g, &to) ||
	    !push_frame(g, &to, error))
		return false;
	enter(g, &to);
	return true;
}

bool deliver_32_caller(struct guest *g, unsigned vector, unsigned *cpl)
{
	struct gate gate;

	if (!find_gate(g, vector, &gate))
		return false;
	*cpl = (unsigned)field_get(GATE_DPL, gate.type);
	return true;
}
