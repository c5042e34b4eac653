/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters do not count as they should at all. */
#include "vitals.h"

#include "kernel/console/console.h"
#include "pmu/pmu.h"

/* What each means for the tests that need the counter, in the report, and in a guest by
 * docs/hypervisors.md. */
static const struct {
	const char *hinders, *says, *of_host;
} rows[] = {
	[VITAL_DEAD] = {"a counter that it needs counts nothing: alive.counts", "count nothing",
			"has taken them, as its NMI watchdog does"},
	[VITAL_SLOW] = {"a counter that it needs counts far too few: alive.counts",
			"count far too few", "shares them with others"},
	[VITAL_ALONE] = {"a counter that it needs counts nothing beside another: alive.counts",
			 "count nothing beside others", "has fewer counters to lend than it shows"},
};
#define VITALS ARRAY_SIZE(rows)

/* PMUs in a core of which something was found. */
#define PATIENTS 4u
static struct {
	const struct pmu *pmu; /* NULL: no more */
	uint64_t found[VITALS];
	uint64_t events; /* that no counter counts */
} patients[PATIENTS + 1];

void vitals_forget(void)
{
	memset(patients, 0, sizeof(patients));
}

static unsigned number_of(const struct pmu *pmu)
{
	unsigned i = 0;

	while (i < PATIENTS && patients[i].pmu && patients[i].pmu != pmu)
		i++;
	return i;
}

static unsigned admit(const struct pmu *pmu)
{
	unsigned i = number_of(pmu);

	if (i == PATIENTS)
		panic("more than %u PMUs in a core", PATIENTS);
	patients[i].pmu = pmu;
	return i;
}

void vitals_note(const struct pmu *pmu, unsigned ctr, enum vital found)
{
	unsigned i = admit(pmu);

	for (unsigned v = 0; v < VITALS; v++)
		patients[i].found[v] &= ~BIT(ctr);
	patients[i].found[found] |= BIT(ctr);
}

uint64_t vitals_of(const struct pmu *pmu, enum vital found)
{
	return patients[number_of(pmu)].found[found];
}

void vitals_note_event(const struct pmu *pmu, unsigned event)
{
	patients[admit(pmu)].events |= BIT(event);
}

uint64_t vitals_events(const struct pmu *pmu)
{
	return patients[number_of(pmu)].events;
}

const char *vitals_hinder(const struct pmu *pmu, uint64_t ctrs, uint64_t events)
{
	const bool together = ctrs & (ctrs - 1);

	for (enum vital v = VITAL_DEAD; v < VITALS; v++)
		if (ctrs & vitals_of(pmu, v) && (v != VITAL_ALONE || together))
			return rows[v].hinders;
	return events & vitals_events(pmu)
		       ? "no counter counts an event that it needs: alive.events"
		       : NULL;
}

/* ---- the report ---- */

static void report_row(const struct pmu *pmu, enum vital v, bool is_guest)
{
	char names[160];
	size_t length = 0;

	for (unsigned c = 0; c < pmu->counters; c++)
		if (vitals_of(pmu, v) >> c & 1)
			length += fmt_print(names + length, sizeof(names) - length, " %u", c);
	if (!length)
		return;
	report_header("alive: %s: these counters %s:%s%s%s", pmu->name, rows[v].says, names,
		      is_guest ? "; most likely the host " : "", is_guest ? rows[v].of_host : "");
}

static void report_events(const struct pmu *pmu, bool is_guest)
{
	for (unsigned event = 0; event < PMU_EVENTS_MAX; event++)
		if (vitals_events(pmu) >> event & 1)
			report_header("alive: %s: no counter counts %s%s", pmu->name,
				      pmu->events[event].name,
				      is_guest ? "; most likely the host filters events" : "");
}

void vitals_report(const struct pmu *pmu, bool is_guest)
{
	for (enum vital v = VITAL_DEAD; v < VITALS; v++)
		report_row(pmu, v, is_guest);
	report_events(pmu, is_guest);
}
