/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of the report's header that are about PMUs. */
#include "header.h"

#include "fold.h"
#include "tests/lib/test.h"

static void report_running(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (pmu->running_at_entry & BIT(c))
			report_header("pmu %s: counter %u was running at entry: CTL[%x] = %016llx",
				      pmu->name, c, pmu_number(pmu->counter[c].ctl),
				      (unsigned long long)pmu_saved_ctl(pmu, c));
}

static void report_errata(const struct pmu *pmu)
{
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (pmu_erratum_applies(pmu, e))
			report_header("erratum %s applies: %s (%s)", e->id, e->what, e->tests);
}

static void report_counters(const struct pmu *pmu)
{
	if (pmu->counters)
		report_header("pmu %s: %s, %u counters of %u bits; %s", pmu->name, pmu->ops->title,
			      pmu->counters, pmu->counter[0].width, pmu->ops->manual);
	else
		report_header("pmu %s: %s, no counters; %s", pmu->name, pmu->ops->title,
			      pmu->ops->manual);
}

static void report_like(const struct pmu_set *found, const struct pmu *pmu)
{
	unsigned n = fold_count(found, pmu);

	if (n)
		report_header("pmu %s: %u more like it, with one result each", pmu->name, n);
}

void report_pmu(const struct pmu_set *found, const struct pmu *pmu)
{
	if (pmu->silent) {
		report_header("pmu %s: %s", pmu->name, pmu->silent);
		return;
	}
	if (!pmu->like)
		report_counters(pmu);
	report_like(found, pmu);
	for (unsigned i = 0; i < ARRAY_SIZE(pmu->notes); i++)
		if (pmu->notes[i])
			report_header("pmu %s: %s", pmu->name, pmu->notes[i]);
	report_running(pmu);
	if (pmu->idle)
		report_header("pmu %s: %s", pmu->name, pmu->idle);
	if (!pmu->like)
		report_errata(pmu);
}

void report_driver_absent(const struct pmu_set *found, const struct pmu_ops *ops)
{
	/* No processor has boxes of two parts. */
	for (unsigned i = 0; i < found->count; i++)
		if (found->pmu[i].ops == ops || (found->pmu[i].box && ops->uncore))
			return;
	if (ops == found->boxless.ops)
		report_header("not here: %s: %s", ops->title, found->boxless.why);
	else
		report_header("not here: %s: only on %s", ops->title, ops->processors);
}
