/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of boxes whose unit masks say by themselves which transactions they count. */
#include "box.h"

/* A bit of the controls of slices: the opcode is to match. */
#define CODED_MATCH BIT(51)
enum { CAS_COUNT = 0x05 };

BOX_FAULT(coded_opcode_ignored, SLICES, "cha0.*.traffic.coded_inserts",
	  "a slice counts requests of all opcodes, whatever the unit mask says",
	  ACTS(UNCORE_CTL, .clear = CODED_MATCH));
BOX_FAULT(coded_extension_lost, SLICES, "cha0.*.access.control_holds",
	  "what extends the unit mask of counter 3 of a slice cannot be set",
	  KEEPS(UNCORE_CTL, .clear = FIELD(55, 32)), .counters = BIT(3));
BOX_FAULT_DO(half_1_deaf, CHANNELS, "imc0.*.traffic.cas_reads",
	     "a channel counts no commands of its second half", occurrences,
	     at->n = signal(at, CHANNEL_HALF) ? 0 : at->n, .event = CAS_COUNT);
