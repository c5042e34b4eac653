/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata of AMD processors that a test may meet. */
#include "amd.h"

/* AMD revision guides 51810, 53072 (16h), 55449 (17h 00-0F), 56323 (17h 30-3F), 56683 (19h). */
const struct pmu_erratum amd_errata[] = {
	{"794", "clocks may count while halted", 0x00700f00, 0x00730fff, "count.cycles"},
	{"795", "a counter disabled in the clock of a carry into bit 32 loses its low half",
	 0x00700f00, 0x00730fff, "overflow.*"},
	{"990", "FP and MMX events may overcount", 0x00800f00, 0x00800fff, "count.unit_mask"},
	{"1023", "interrupts may stop with two or more interrupting counters", 0x00800f11,
	 0x00800f11, "overflow.all_at_once"},
	{"1291", "retired instructions and branches may overcount", 0x00830f00, 0x00830fff,
	 "count.*,privilege.*,overflow.*"},
	{"1292", "retired instructions and branches may overcount", 0x00a00f00, 0x00a00fff,
	 "count.*,privilege.*,overflow.*"},
	{0},
};
