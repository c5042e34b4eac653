/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to the pages that nested paging leaves out. */
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

struct move {
	bool writes;
	uint32_t value; /* written */
	unsigned reg; /* read into */
};

static uint32_t immediate(const struct decoder *d)
{
	const uint8_t *at = d->bytes + d->at - 4;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool find_move(const struct guest *g, const struct decoder *d, struct move *move)
{
	switch (d->opcode) {
	case 0xa1:
		*move = (struct move){.reg = RAX};
		return true;
	case 0xa3:
		*move = (struct move){.writes = true, .value = (uint32_t)g->vmcb->rax};
		return true;
	case 0x8b:
		*move = (struct move){.reg = d->reg};
		return true;
	case 0x89:
		*move = (struct move){.writes = true, .value = (uint32_t)guest_gpr(g, d->reg)};
		return true;
	case 0xc7:
		*move = (struct move){.writes = true, .value = immediate(d)};
		return true;
	default:
		return false;
	}
}

/* A MOV of 32 bits, the only thing that anybody accesses registers with. */
static bool decode(const struct guest *g, struct move *move)
{
	struct decoder d;
	unsigned available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);

	decode_raw(&d, code, available, g->size);
	return !d.cut && d.valid && !d.vex && d.map == MAP_ONE && !(d.rex & 8) && !d.operand16 &&
	       find_move(g, &d, move);
}

static bool write(uint64_t physical, uint32_t value)
{
	return pci_write(physical, value) || second_apic_write(physical, value);
}

static bool read(const struct guest *g, uint64_t physical, uint32_t *value)
{
	if (time_is_own() && physical == apic_find_base() + APIC_TIMER_COUNT) {
		*value = time_apic_count(g);
		return true;
	}
	return pci_read(physical, value) || second_apic_read(physical, value);
}

bool mmio_fault(struct guest *g)
{
	uint64_t physical = g->vmcb->exit_info_2;
	struct move move;
	uint32_t value = 0;

	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	if (physical & 3 || !decode(g, &move) ||
	    !(move.writes ? write(physical, move.value) : read(g, physical, &value)))
		panic("an access to %llx at %llx, which is no MOV of 32 bits",
		      (unsigned long long)physical, (unsigned long long)g->vmcb->rip);
	if (!move.writes)
		guest_set_gpr(g, move.reg, value);
	return true;
}
