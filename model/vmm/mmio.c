/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to the pages that nested paging leaves out. */
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "operate.h"
#include "vmm.h"

#define FAULT_OF_WRITE BIT(1) /* of the exit's error code */
#define RFLAGS_DF      BIT(10)
#define PAGE_SIZE      4096u

static void decode(const struct guest *g, struct decoder *d)
{
	unsigned available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);

	decode_raw(d, code, available, g->size);
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

/* REP MOVS of dwords out of a device, by which Linux copies what is there. */
static bool is_copy(const struct guest *g, const struct decoder *d)
{
	return d->valid && !d->cut && !d->vex && d->map == MAP_ONE && d->opcode == 0xa5 && d->f3 &&
	       !d->operand16 && !d->address_prefix && !(d->rex & 8) &&
	       !(g->vmcb->rflags & RFLAGS_DF) && !(g->vmcb->exit_info_1 & FAULT_OF_WRITE);
}

/* Within a page. */
static bool copy(struct guest *g, uint64_t physical)
{
	const uint64_t dwords = guest_gpr(g, RCX);

	if (dwords > (PAGE_SIZE - physical % PAGE_SIZE) / 4)
		return false;
	for (uint64_t i = 0; i < dwords; i++) {
		uint32_t value;

		if (!read(g, physical + 4 * i, &value) ||
		    !guest_write(g, guest_gpr(g, RDI) + 4 * i, &value, sizeof(value)))
			return false;
	}
	guest_set_gpr(g, RSI, guest_gpr(g, RSI) + 4 * dwords);
	guest_set_gpr(g, RDI, guest_gpr(g, RDI) + 4 * dwords);
	guest_set_gpr(g, RCX, 0);
	return true;
}

/* MOV of 16 bits to a register, by which kernels read fields of capabilities. */
static bool is_half(const struct decoder *d)
{
	return d->valid && !d->cut && !d->vex && d->map == MAP_ONE && d->opcode == 0x8b &&
	       d->operand16 && !(d->rex & 8);
}

static bool take_half(struct guest *g, uint64_t physical, const struct decoder *d)
{
	const unsigned shift = 8 * (physical & 2);
	uint32_t value;

	if (physical & 1 || !read(g, physical & ~UINT64_C(3), &value))
		return false;
	guest_set_gpr(g, d->reg,
		      (guest_gpr(g, d->reg) & ~FIELD(15, 0)) | (value >> shift & FIELD(15, 0)));
	return true;
}

static bool operate(struct guest *g, uint64_t physical, const struct decoder *d)
{
	struct operation op;

	if (physical & 3 || !operation_of(g, d, &op) ||
	    !(op.wide ? access_wide(g, physical, &op) : access(g, physical, &op)))
		return false;
	/* What a task priority or another interrupt in service held back may come. */
	g->look |= operation_writes(&op);
	return true;
}

static bool emulate(struct guest *g, uint64_t physical, const struct decoder *d)
{
	if (is_half(d))
		return take_half(g, physical, d);
	return is_copy(g, d) && !(physical & 3) ? copy(g, physical) : operate(g, physical, d);
}

bool mmio_fault(struct guest *g)
{
	uint64_t physical = g->vmcb->exit_info_2;
	struct decoder d;

	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	decode(g, &d);
	if (!emulate(g, physical, &d))
		panic("an access to %llx at %llx, which is no MOV of 16 to 64 bits, no REP MOVS of "
		      "32 out of it, and no XCHG, TEST, or ADD to CMP of 32",
		      (unsigned long long)physical, (unsigned long long)g->vmcb->rip);
	return true;
}
