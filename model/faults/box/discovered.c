/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of boxes whose unit masks say by themselves which transactions they count. */
#include "box.h"

/* Bits of the controls of slices: where a cache has the line, and where the opcode is to match. */
#define CODED_HIT   BIT(32)
#define CODED_MATCH BIT(51)

BOX_FAULT(coded_opcode_ignored, SLICES, "cha0.*.traffic.coded_inserts",
	  "a slice counts requests of all opcodes, whatever the unit mask says",
	  ACTS(UNCORE_CTL, .clear = CODED_MATCH));
BOX_FAULT(coded_miss_counts_hits, SLICES, "cha0.*.traffic.coded_inserts",
	  "a slice counts requests that hit as ones that miss", ACTS(UNCORE_CTL, .set = CODED_HIT));
BOX_FAULT(coded_extension_lost, SLICES, "cha0.*.access.control_holds",
	  "what extends the unit mask of counter 3 of a slice cannot be set",
	  KEEPS(UNCORE_CTL, .clear = FIELD(55, 32)), .counters = BIT(3));
