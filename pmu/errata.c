/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata that may make a test fail on a processor that is as its maker left it.  They
 * are reported, and change no outcome: a seeded or real defect must not hide behind one. */
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "cpu.h"
#include "pmu.h"
#include "report.h"

struct erratum {
	const char *id, *effect;
	uint32_t first, last; /* CPUID 1 EAX, family, model and stepping */
	const char *tests; /* glob of those that may see it */
};

/* AMD revision guides 51810, 53072 (16h), 55449 (17h 00-0F), 56323 (17h 30-3F), 56683 (19h). */
static const struct erratum amd_errata[] = {
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
};

/* Intel specification updates 249199 (N) and of the Xeon MP (O); what has no number there names
 * its source.  Of those about DS buffers and bus events none concerns what is tested. */
#define CASCADE_PMI "(SDM 253669)", "a counter started by a cascade does not interrupt"

static const struct erratum netburst_errata[] = {
	{"N15/O8", "a counter written while its event occurs may be 2^32 too high", 0xf00, 0xf2f,
	 "access.*,overflow.*"},
	{"N17/O9", "a counter stopped in the clock of a carry into bit 32 is 2^32 too low", 0xf00,
	 0xf2f, "overflow.*"},
	{CASCADE_PMI, 0xf0a, 0xf0f, "cascade.*,xcascade.*"},
	{CASCADE_PMI, 0xf1a, 0xf1f, "cascade.*,xcascade.*"},
	{CASCADE_PMI, 0xf20, 0xf2f, "cascade.*,xcascade.*"},
	{"(Linux p4.c)", "counter 1 may not start", 0xf00, 0xf6f, "netburst.1.*"},
};

/* Signatures of family 0Fh are AMD's as well. */
static bool vendor_is_intel(void)
{
	return cpuid(0, 0).ebx == 0x756e6547;
}

static void report_those_of(const struct erratum *errata, size_t count)
{
	uint32_t signature = cpuid(1, 0).eax;

	for (size_t i = 0; i < count; i++)
		if (signature >= errata[i].first && signature <= errata[i].last)
			report_header("erratum %s applies: %s (%s)", errata[i].id, errata[i].effect,
				      errata[i].tests);
}

void pmu_report_errata(void)
{
	if (vendor_is_intel())
		report_those_of(netburst_errata, ARRAY_SIZE(netburst_errata));
	else
		report_those_of(amd_errata, ARRAY_SIZE(amd_errata));
}
