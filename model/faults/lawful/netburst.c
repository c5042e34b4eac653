/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations that were measured on processors with NetBurst's counters. */
#include "model/pmu/netburst/netburst.h"
#include "lawful.h"

enum { CRU_ESCR0 = 0x18, INSTR_RETIRED = 0x02 };

/* Measured on a Pentium D alone; what the others do is not known, so each model may.  See
 * counts_twice() of model/decode/insn.c. */
LAWFUL(MODEL_NETBURST, pentium_d_counts_twice, NULL,
       "instr_retired counts SFENCE, MFENCE, EMMS and some others twice", .occurrences = counts_too,
       .event = NETBURST_EVENT(CRU_ESCR0, INSTR_RETIRED), .arg = SIGNAL_TWICE);
