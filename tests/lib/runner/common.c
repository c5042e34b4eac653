/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that several processors have in common: what one has written there, the others read. */
#include "common.h"

#include "attempt.h"
#include "plan.h"

/* A value for each counter of the machine: a row of each box's. */
#define MARKS 64u

static uint64_t mark_of(const struct pmu_set *found, const struct pmu *box, unsigned ctr)
{
	return (uint64_t)(box - found->pmu + 1) * MARKS + ctr;
}

static const struct pmu_set *marked;
static uint32_t holds[PMUS_MAX]; /* counters that hold their marks, as bits */

static bool is_marked(const struct pmu *pmu)
{
	return pmu->common && !pmu->silent;
}

static uint32_t mark(const struct pmu_set *found, struct pmu *box)
{
	uint32_t held = 0;

	pmu_save(box);
	pmu_reset(box);
	for (unsigned c = 0; c < box->counters; c++)
		pmu_write(box, c, mark_of(found, box, c));
	for (unsigned c = 0; c < box->counters; c++)
		held |= (uint32_t)(pmu_read(box, c) == mark_of(found, box, c)) << c;
	return held;
}

void common_mark(struct pmu_set *found)
{
	for (unsigned i = 0; i < found->count; i++)
		if (is_marked(&found->pmu[i]))
			holds[i] = mark(found, &found->pmu[i]);
	marked = found;
}

void common_unmark(const struct pmu_set *found)
{
	for (unsigned i = 0; i < found->count; i++)
		if (is_marked(&found->pmu[i])) {
			pmu_reset(&found->pmu[i]);
			pmu_restore(&found->pmu[i]);
		}
}

/* What does not hold a value is for other tests to report. */
static void compare(struct run *t)
{
	const uint32_t held = holds[t->pmu - marked->pmu];

	SKIP_IF(t, !held, "none of its counters holds a value while it stands still");
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (held >> c & 1)
			CHECK_EQ(t, pmu_read(t->pmu, c), mark_of(marked, t->pmu, c));
}

/* Not of the battery: alone a processor has nothing in common. */
static const struct test same_counters = {
	.id = CLAIMS("same_counters", "the counters of a box are the same ones for all processors "
				      "that have it in common"),
	.group = GROUPS("box", ""),
	.clause = "AMD PPR, 2.1.14: shared by a complex, a die; uncore guide, 1.1: by a package",
	.body = compare,
};

static bool is_common(const struct pmu *pmu, const struct battery *battery,
		      const struct cpu_seat *here)
{
	return is_marked(pmu) && seat_is_common(battery->first, here, pmu->common);
}

static void name_result(char *id, size_t size, const char *who)
{
	fmt_print(id, size, "%s.-.%s.%s", who, same_counters.group, same_counters.id);
}

unsigned common_count(const struct pmu_set *found, const struct battery *battery)
{
	struct cpu_seat here;
	char id[64];
	unsigned boxes = 0;

	seat_find(&here);
	for (unsigned i = 0; i < found->count; i++)
		boxes += is_common(&found->pmu[i], battery, &here);
	name_result(id, sizeof(id), battery->processor);
	return boxes && plan_selects(&same_counters, id, battery->filter, false);
}

/* The marks stay: other processors look for them, too. */
static void leave(const struct pmu *pmu)
{
	(void)pmu;
}

void common_compare(const struct pmu_set *found, const struct battery *battery)
{
	struct cpu_seat here;
	char id[64];

	seat_find(&here);
	for (unsigned i = 0; i < found->count; i++) {
		const struct run t = {.test = &same_counters, .pmu = &found->pmu[i]};

		if (!is_common(t.pmu, battery, &here))
			continue;
		name_result(id, sizeof(id), t.pmu->name);
		attempt(&t, id, battery, leave);
	}
}
