/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of the same code on equal processors, which must agree to the last one. */
#include "alike.h"

#include "attempt.h"

#define ITERATIONS 6u

/* Counts of the first processor of each kind. */
static struct counts {
	bool taken; /* it may have failed to come so far */
	unsigned processor;
	uint64_t value[PMU_COUNTERS_MAX][EV_OWN]; /* of each counter and generic event */
} first[BATTERY_KINDS];

static const struct battery *current;

/* In both rings, without what it takes to call it. */
static uint64_t count_here(struct run *t, unsigned ctr, unsigned event)
{
	return count_difference(t, ctr, in_all_rings(event), in_ring3(&payload_mix, ITERATIONS)) +
	       count_difference(t, ctr, in_all_rings(event), in_ring0(&payload_mix, ITERATIONS));
}

static void take(struct run *t, unsigned ctr, unsigned event)
{
	struct counts *counts = &first[current->kind];
	uint64_t *value = &counts->value[ctr][event], got = count_here(t, ctr, event);

	if (!current->gathered)
		*value = got;
	else if (!CHECK_EQ(t, got, *value))
		report_diag("counter %u, %s: %llu on processor %u, and %llu on processor %u", ctr,
			    t->pmu->events[event].name, (unsigned long long)got, current->number,
			    (unsigned long long)*value, counts->processor);
}

static void take_all(struct run *t)
{
	struct counts *counts = &first[current->kind];

	SKIP_IF(t, current->gathered && !counts->taken,
		"the first processor of its kind has counted nothing to compare with");
	if (!current->gathered)
		counts->processor = current->number;
	for (unsigned c = 0; c < t->pmu->counters; c++)
		for (unsigned event = EV_CYCLES; event < EV_OWN; event++)
			if (pmu_can_count(t->pmu, c, event) && pmu_is_exact(t->pmu, event))
				take(t, c, event);
	counts->taken = true;
}

/* Not of the battery: alone it has nothing to compare. */
static const struct test counts_alike = {
	.id = CLAIMS("counts_alike", "a processor counts what an equal one counts"),
	.group = GROUPS("cpu", ""),
	.clause = "events that this program takes as exact: see count.*",
	.body = take_all,
};

void alike(const struct pmu *pmu, const struct battery *battery,
	   void (*settle)(const struct pmu *pmu))
{
	const struct run t = {.test = &counts_alike, .pmu = pmu};
	char id[80];

	current = battery;
	fmt_print(id, sizeof(id), "%s.-.cpu.counts_alike", pmu->name);
	if (!battery->gathered)
		report_gather();
	attempt(&t, id, battery, settle);
	if (!battery->gathered)
		report_forget();
}
