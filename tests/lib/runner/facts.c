/* SPDX-License-Identifier: BSD-2-Clause */
/* The facts of a report that the battery knows beforehand.  A PMU's have its name, which says of
 * which processor it is; so no key comes twice. */
#include "facts.h"

#include "plan.h"

/* More than the names of all errata of any processor take. */
#define ERRATA_SIZE 256u

static void report_counters(const struct pmu *pmu)
{
	unsigned fixed = 0;

	if (!pmu->counters)
		return;
	for (unsigned c = 0; c < pmu->counters; c++)
		fixed += pmu->counter[c].fixed;
	report_fact(pmu->name, "counters", "%u", pmu->counters);
	report_fact(pmu->name, "fixed", "%u", fixed);
	report_fact(pmu->name, "width", "%u", pmu->counter[0].width);
}

static void report_errata(const struct pmu *pmu)
{
	char all[ERRATA_SIZE] = "";
	size_t length = 0;

	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (pmu_erratum_applies(pmu, e) && length < sizeof(all))
			length += fmt_print(all + length, sizeof(all) - length, "%s%s",
					    length ? ", " : "", e->id);
	if (length)
		report_fact(pmu->name, "errata", "%s", all);
}

static void report_pmu(const struct pmu *pmu)
{
	if (pmu->like) {
		report_fact(pmu->name, "like", "%s", pmu->like->name);
		return;
	}
	report_fact(pmu->name, "driver", "%s", pmu->ops->name);
	if (pmu->box)
		report_fact(pmu->name, "box", "yes");
	if (pmu->silent) {
		report_fact(pmu->name, "silent", "%s", pmu->silent);
		return;
	}
	report_counters(pmu);
	report_errata(pmu);
}

void report_battery_facts(const struct pmu_set *found, const struct battery *battery)
{
	const char *who = battery->processor ? battery->processor : "cpu";

	if (battery->part != BATTERY_BOXES)
		identify_facts(who, battery->cpu);
	if (battery->part != BATTERY_BOXES && battery->all_facts)
		identify_leaves(who, battery->cpu);
	for (unsigned i = 0; i < found->count; i++)
		if (plan_covers(battery, &found->pmu[i]))
			report_pmu(&found->pmu[i]);
}
