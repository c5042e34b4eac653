/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata of Intel cores that a test may meet: reported, without effect on any outcome. */
#include <stddef.h>

#include "intel.h"
#include "kernel/console/report.h"
#include "kernel/lib/bits.h"

#define PART(part) (UINT32_C(1) << INTEL_##part)
#define TO_IVY     (PART(NEHALEM) | PART(SANDY_BRIDGE) | PART(IVY_BRIDGE))

/* Specification updates, by the prefix: AE Core Duo, AG and AR Core 2, AAJ Nehalem, BJ Sandy
 * Bridge, BV Ivy Bridge, HSD Haswell, BDD Broadwell, SKL Skylake. */
static const struct {
	const char *id, *effect;
	uint32_t parts;
	const char *tests; /* glob of those that may see it */
} errata[] = {
	{"AG69, AR63, AR64", "PEBS interrupts late, ignores USR and OS, tells only when frozen",
	 PART(CORE2), "pebs.*"},
	{"AAJ091", "a general counter may count clocks or nothing", PART(NEHALEM), "*"},
	{"AAJ107, BJ136, HSD140, BDD058", "retired instructions may be miscounted", TO_IVY,
	 "count.*,privilege.*,overflow.*,fixed.*"},
	{"AAJ143, BJ058, BV038", "a status bit of a counter stopped as it overflows may stick",
	 TO_IVY, "status.*,overflow.*"},
	{"HSD073", "INV counts clocks of the other ring", PART(IVY_BRIDGE), "invert.*"},
	{"HSD091, BDM038", "an interrupt repeats until its status bit is cleared", PART(IVY_BRIDGE),
	 "lvt.*"},
	{"HSD143", "fixed counter 0 may be 32 too high", PART(IVY_BRIDGE), "fixed.*,global.*"},
	{"HSD167, BDD111, SKL120", "EventingIP may be wrong", PART(IVY_BRIDGE) | PART(SKYLAKE),
	 "pebs.*"},
	{"BJ094, SKL186", "the newest branch record may be wrong when frozen",
	 PART(SANDY_BRIDGE) | PART(SKYLAKE), "freeze.lbr"},
};

void intel_report_errata(void)
{
	struct intel_cpu cpu;

	if (!intel_identify(&cpu))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(errata); i++)
		if (errata[i].parts >> cpu.part & 1)
			report_header("errata %s may apply: %s (%s)", errata[i].id,
				      errata[i].effect, errata[i].tests);
}
