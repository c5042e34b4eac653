/* SPDX-License-Identifier: BSD-2-Clause */
/* The management area of PEBS, and how a record gets into its buffer. */
#include "pebs.h"

/* In words; but reset values have 8 bytes each. */
enum { DS_PEBS = 4, DS_PEBS_INDEX = 5, DS_PEBS_RESET = 8 };

static bool read_word(const struct machine *machine, uint64_t from, unsigned word, uint64_t *value)
{
	*value = 0;
	return machine->read(machine->arg, from, value, word);
}

bool pebs_read_area(const struct machine *machine, uint64_t ds, unsigned slot, unsigned word,
		    struct pebs_area *area)
{
	uint64_t *const words[] = {&area->base, &area->index, &area->maximum, &area->threshold};

	area->word = word;
	for (unsigned i = 0; i < 4; i++)
		if (!read_word(machine, ds + (DS_PEBS + i) * word, word, words[i]))
			return false;
	return machine->read(machine->arg, ds + DS_PEBS_RESET * word + 8 * slot, &area->reset,
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
	if (area->index + (uint64_t)area->word * words > area->maximum)
		return false;
	for (unsigned i = 0; i < words; i++)
		if (!machine->write(machine->arg, area->index + (uint64_t)area->word * i,
				    &record[i], area->word))
			return false;
	area->index += (uint64_t)area->word * words;
	machine->write(machine->arg, ds + DS_PEBS_INDEX * area->word, &area->index, area->word);
	return true;
}
