/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's tables, of both sizes of gates. */
#include "deliver.h"

bool deliver_read_gate(const struct guest *g, unsigned vector, void *gate, size_t size)
{
	const struct vmcb_segment *idtr = &g->vmcb->idtr;

	return size * vector + size - 1 <= idtr->limit &&
	       guest_read(g, idtr->base + size * vector, gate, size);
}

bool deliver_read_task(struct guest *g, unsigned offset, void *to, size_t size)
{
	__asm__ volatile("vmsave" : : "a"(g->extra) : "memory");
	return guest_read(g, g->extra->tr.base + offset, to, size);
}

bool deliver_descriptor(const struct guest *g, uint16_t selector, uint64_t *descriptor)
{
	const struct vmcb_segment *gdtr = &g->vmcb->gdtr;
	uint16_t index = selector & SELECTOR_INDEX;

	return index && index + 7u <= gdtr->limit &&
	       guest_read(g, gdtr->base + index, descriptor, sizeof(*descriptor)) &&
	       *descriptor & DESCRIPTOR_PRESENT;
}
