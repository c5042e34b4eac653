/* SPDX-License-Identifier: BSD-2-Clause */
/* Records that the processor itself writes into memory: what NetBurst and its successors share. */
#pragma once

#include "model/signals/signals.h"

/* The PEBS part of the DS management area, and the reset value of one counter. */
struct pebs_area {
	uint64_t base, index, maximum, threshold;
	uint64_t reset;
	unsigned word; /* of area and records: 8 bytes, or 4 */
};

/* Registers of a record, with words of 8 bytes and of 4. */
enum { PEBS_LEGACY_WORDS = 18, PEBS_WORDS_32 = 10 };

/* Reads the area at linear address ds, with words of that size; slot: of the reset value.  False:
 * not mapped. */
bool pebs_read_area(const struct machine *machine, uint64_t ds, unsigned slot, unsigned word,
		    struct pebs_area *area);
/* The registers, in the order of all records but adaptive ones; returns how many words. */
unsigned pebs_put_registers(uint64_t *record, const struct registers *registers);
/* Writes the record to the index, which goes on.  False: there is no room, or it is not mapped. */
bool pebs_write(const struct machine *machine, uint64_t ds, struct pebs_area *area,
		const uint64_t *record, unsigned words);
