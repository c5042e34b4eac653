/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of 32-bit protected mode: Intel SDM volume 3A, 6.11 and 6.12.  Gates of 16 bits,
 * virtual-8086 mode and local descriptor tables are left out: nothing that counts uses them. */
#include "deliver.h"

struct gate_32 {
	uint16_t offset_low, selector;
	uint8_t reserved, type;
	uint16_t offset_high;
};
_Static_assert(sizeof(struct gate_32) == 8, "32-bit gate");

/* The task-state segment has a stack for each level below 3. */
struct stack {
	uint32_t esp, ss;
};
enum { TSS_STACKS = 4 };

static bool read_gate(const struct guest *g, unsigned vector, struct gate *gate)
{
	struct gate_32 raw;

	if (!deliver_read_gate(g, vector, &raw, sizeof(raw)))
		return false;
	if (raw.type & GATE_PRESENT && field_get(GATE_TYPE, raw.type) == GATE_TASK)
		panic("vector %u at %llx goes through a task gate, which the model has not while "
		      "something counts",
		      vector, (unsigned long long)g->vmcb->rip);
	*gate = (struct gate){
		.offset = (uint32_t)raw.offset_high << 16 | raw.offset_low,
		.selector = raw.selector,
		.type = raw.type,
	};
	return true;
}

static bool find_stack(struct guest *g, struct entry *to)
{
	struct stack stack;
	uint64_t data;

	if (to->cpl == g->vmcb->cpl)
		return true;
	if (!deliver_read_task(g, (unsigned)(TSS_STACKS + sizeof(stack) * to->cpl), &stack,
			       sizeof(stack)) ||
	    !deliver_descriptor(g, (uint16_t)stack.ss, &data))
		return false;
	to->rsp = stack.esp;
	to->ss = (struct vmcb_segment){
		.selector = (uint16_t)stack.ss,
		.attributes = segment_attributes(data),
		.limit = 0xffffffff,
	};
	return true;
}

const struct mode_layout deliver_32 = {
	.code = DESCRIPTOR_BIG,
	.word = 4,
	.read_gate = read_gate,
	.find_stack = find_stack,
};
