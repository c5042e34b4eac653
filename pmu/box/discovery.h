/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of discovery, in which a die tells which boxes it has and where: one in memory for each
 * die, behind a BAR of a PCI function that has a capability for it.  Linux, uncore_discovery.c, and
 * Intel PCM; no manual has it.
 */
#pragma once

#include "box.h"

enum unit_space { UNIT_MSR, UNIT_MEMORY, UNIT_PCI, UNIT_SPACES };

struct box_unit {
	uint16_t type, id;
	uint8_t space; /* enum unit_space */
	uint8_t counters, width; /* width: of a counter, in bits */
	uint8_t ctl, ctr; /* of the first control and counter, from the box control on */
	uint64_t base; /* of that: MSR, physical address, or as UNIT_FUNCTION and UNIT_OFFSET say */
};
/* PCI: bus, device and function as PCI_FUNCTION() has them; and the place in it. */
#define UNIT_FUNCTION FIELD(27, 12)
#define UNIT_OFFSET   FIELD(11, 0)

/* Entries of a table, the global one first, have so many quadwords each. */
struct box_table {
	const volatile uint64_t *entries;
	unsigned stride, units;
};

/* Reads the global entry, of three quadwords.  NULL, or what is wrong with it. */
const char *box_read_table(struct box_table *table, const volatile uint64_t *entries);

/* Reads unit number i of table->units.  False: the entry is empty, which is lawful; or *why. */
bool box_read_unit(const struct box_table *table, unsigned i, struct box_unit *unit,
		   const char **why);
