/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata of NetBurst processors that a test may meet. */
#include "netburst.h"

/* Intel specification updates 249199 (N) and of the Xeon MP (O); what has no number there names
 * its source.  Errata about DS buffers and bus events are left out: they concern no test. */
#define CASCADE_PMI "(SDM 253669)", "a counter started by a cascade does not interrupt"

const struct pmu_erratum netburst_errata[] = {
	{"N15/O8", "a counter written while its event occurs may be 2^32 too high", 0xf00, 0xf2f,
	 .tests = "access.*,overflow.*"},
	{"N17/O9", "a counter stopped in the clock of a carry into bit 32 is 2^32 too low", 0xf00,
	 0xf2f, .tests = "overflow.*"},
	{CASCADE_PMI, 0xf0a, 0xf0f, .tests = "cascade.*,xcascade.*"},
	{CASCADE_PMI, 0xf1a, 0xf1f, .tests = "cascade.*,xcascade.*"},
	{CASCADE_PMI, 0xf20, 0xf2f, .tests = "cascade.*,xcascade.*"},
	{"(Linux p4.c)", "counter 1 may not start", 0xf00, 0xf6f, .tests = "netburst.1.*"},
	{0},
};
