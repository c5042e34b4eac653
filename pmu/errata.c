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

static bool applies(const struct erratum *erratum, uint32_t signature)
{
	return signature >= erratum->first && signature <= erratum->last;
}

void pmu_report_errata(void)
{
	uint32_t signature = cpuid(1, 0).eax;

	for (size_t i = 0; i < ARRAY_SIZE(amd_errata); i++)
		if (applies(&amd_errata[i], signature))
			report_header("erratum %s applies: %s (%s)", amd_errata[i].id,
				      amd_errata[i].effect, amd_errata[i].tests);
}
