/* SPDX-License-Identifier: BSD-2-Clause */
/* Through the tables of long mode: AMD64 APM volume 2, 8.9. */
#include "deliver.h"

struct gate {
	uint16_t offset_low, selector;
	uint8_t ist, type; /* type: present, DPL, system type */
	uint16_t offset_middle;
	uint32_t offset_high, reserved;
};
_Static_assert(sizeof(struct gate) == 16, "64-bit gate");

#define GATE_IST FIELD(2, 0)

enum { TSS_RSP0 = 4, TSS_IST1 = 36 };

/* Where an event goes. */
struct entry {
	struct gate gate;
	unsigned cpl;
	uint64_t descriptor; /* of CS */
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
	return deliver_descriptor(g, to->gate.selector, &to->descriptor) &&
	       to->descriptor & DESCRIPTOR_LONG && deliver_level(g, to->descriptor, &to->cpl);
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
	deliver_enter(g, gate->selector, to->descriptor, to->cpl, field_get(GATE_TYPE, gate->type));
	v->rip = (uint64_t)gate->offset_high << 32 | (uint32_t)gate->offset_middle << 16 |
		 gate->offset_low;
	v->rsp = to->rsp;
}

bool deliver_64(struct guest *g, unsigned vector, const uint32_t *error)
{
	struct entry to = {0};

	if (!find_gate(g, vector, &to.gate) || !find_code_segment(g, &to) || !find_stack(g, &to) ||
	    !push_frame(g, &to, error))
		return false;
	enter(g, &to);
	return true;
}

bool deliver_64_caller(struct guest *g, unsigned vector, unsigned *cpl)
{
	struct gate gate;

	if (!find_gate(g, vector, &gate))
		return false;
	*cpl = (unsigned)field_get(GATE_DPL, gate.type);
	return true;
}
