/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to the pages that nested paging leaves out. */
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "operate.h"
#include "vmm.h"

static bool decode(const struct guest *g, struct operation *op)
{
	struct decoder d;
	unsigned available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);

	decode_raw(&d, code, available, g->size);
	return operation_of(g, &d, op);
}

static bool write(uint64_t physical, uint32_t value)
{
	return pci_write(physical, value) || silicon_window_write(&silicon_cpu, physical, value) ||
	       second_apic_write(physical, value) || apic_page_write(physical, value);
}

static bool read(const struct guest *g, uint64_t physical, uint32_t *value)
{
	if (time_is_own() && physical == apic_find_base() + APIC_TIMER_COUNT) {
		*value = time_apic_count(g);
		return true;
	}
	return pci_read(physical, value) || silicon_window_read(&silicon_cpu, physical, value) ||
	       second_apic_read(physical, value) || apic_page_read(physical, value);
}

/* False: nothing is at this address. */
static bool access(struct guest *g, uint64_t physical, const struct operation *op)
{
	uint32_t value = 0, result;

	if (operation_reads(op) && !read(g, physical, &value))
		return false;
	result = operation_do(op, g, value);
	return !operation_writes(op) || write(physical, result);
}

static bool access_wide(struct guest *g, uint64_t physical, const struct operation *op)
{
	const uint64_t value = guest_gpr(g, op->reg);
	uint32_t low, high;

	if (!op->to_register)
		return write(physical, (uint32_t)value) &&
		       write(physical + 4, (uint32_t)(value >> 32));
	if (!read(g, physical, &low) || !read(g, physical + 4, &high))
		return false;
	guest_set_gpr(g, op->reg, (uint64_t)high << 32 | low);
	return true;
}

bool mmio_fault(struct guest *g)
{
	uint64_t physical = g->vmcb->exit_info_2;
	struct operation op;

	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	if (physical & 3 || !decode(g, &op) ||
	    !(op.wide ? access_wide(g, physical, &op) : access(g, physical, &op)))
		panic("an access to %llx at %llx, which is no MOV of 32 or 64 bits, and no XCHG, "
		      "TEST, or ADD to CMP of 32",
		      (unsigned long long)physical, (unsigned long long)g->vmcb->rip);
	/* What a task priority or another interrupt in service held back may come. */
	g->look |= operation_writes(&op);
	return true;
}
