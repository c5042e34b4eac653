/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of long mode: AMD64 APM volume 2, 8.9. */
#include "deliver.h"

struct gate_64 {
	uint16_t offset_low, selector;
	uint8_t ist, type;
	uint16_t offset_middle;
	uint32_t offset_high, reserved;
};
_Static_assert(sizeof(struct gate_64) == 16, "64-bit gate");

#define GATE_IST FIELD(2, 0)

enum { TSS_RSP0 = 4, TSS_IST1 = 36 };

static bool read_gate(const struct guest *g, unsigned vector, struct gate *gate)
{
	struct gate_64 raw;

	if (!deliver_read_gate(g, vector, &raw, sizeof(raw)))
		return false;
	*gate = (struct gate){
		.offset = (uint64_t)raw.offset_high << 32 | (uint32_t)raw.offset_middle << 16 |
			  raw.offset_low,
		.selector = raw.selector,
		.type = raw.type,
		.ist = (uint8_t)(raw.ist & GATE_IST),
	};
	return true;
}

static bool find_stack(struct guest *g, struct entry *to)
{
	unsigned ist = to->gate.ist;
	unsigned slot = ist ? TSS_IST1 + 8 * (ist - 1) : TSS_RSP0 + 8 * to->cpl;

	if ((ist || to->cpl < g->vmcb->cpl) &&
	    !deliver_read_task(g, slot, &to->rsp, sizeof(to->rsp)))
		return false;
	to->rsp &= ~UINT64_C(15);
	if (to->cpl != g->vmcb->cpl)
		to->ss = (struct vmcb_segment){
			.selector = (uint16_t)to->cpl,
			.attributes = (uint16_t)field_put(SEGMENT_DPL, to->cpl),
		};
	return true;
}

const struct mode_layout deliver_64 = {
	.code = DESCRIPTOR_LONG,
	.word = 8,
	.pushes_stack = true,
	.read_gate = read_gate,
	.find_stack = find_stack,
};
