/* SPDX-License-Identifier: BSD-2-Clause */
/* The management area of PEBS, and how a record gets into its buffer. */
#include "pebs.h"

enum { DS_PEBS = 0x20, DS_PEBS_INDEX = 0x28, DS_PEBS_RESET = 0x40 };

bool pebs_read_area(const struct machine *machine, uint64_t ds, unsigned slot,
		    struct pebs_area *area)
{
	return machine->read(machine->arg, ds + DS_PEBS, area, 4 * sizeof(uint64_t)) &&
	       machine->read(machine->arg, ds + DS_PEBS_RESET + 8 * slot, &area->reset,
			     sizeof(area->reset));
}

unsigned pebs_put_registers(uint64_t *record, const struct registers *registers)
{
	static const enum gpr order[] = {RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP};
	unsigned words = 0;

	record[words++] = registers->flags;
	record[words++] = registers->ip;
	for (unsigned i = 0; i < 8; i++)
		record[words++] = registers->gpr[order[i]];
	for (unsigned i = R8; i < GPRS; i++)
		record[words++] = registers->gpr[i];
	return words;
}

bool pebs_write(const struct machine *machine, uint64_t ds, struct pebs_area *area,
		const uint64_t *record, unsigned words)
{
	uint64_t size = 8 * words;

	if (area->index + size > area->maximum ||
	    !machine->write(machine->arg, area->index, record, size))
		return false;
	area->index += size;
	machine->write(machine->arg, ds + DS_PEBS_INDEX, &area->index, sizeof(area->index));
	return true;
}
