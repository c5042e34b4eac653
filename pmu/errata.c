/* SPDX-License-Identifier: BSD-2-Clause */
/* Errata told from one another by the processor's signature. */
#include "errata.h"

#include "kernel/console/report.h"
#include "kernel/cpu.h"

void errata_report(const struct erratum *errata, size_t count)
{
	uint32_t signature = cpuid(1, 0).eax;

	for (size_t i = 0; i < count; i++)
		if (signature >= errata[i].first && signature <= errata[i].last)
			report_header("erratum %s applies: %s (%s)", errata[i].id, errata[i].effect,
				      errata[i].tests);
}
