/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts in how many results of each PMU each thing was, of the failed and of the passed. */
#include "cause.h"

#include "kernel/console/console.h"
#include "kernel/lib/lib.h"
#include "ledger.h"

static struct ledger ledgers[LEDGERS];
static struct {
	const char *name[LIST_MAX];
	unsigned count;
} events, groups;

void cause_begin(void)
{
	memset(ledgers, 0, sizeof(ledgers));
	memset(&events, 0, sizeof(events));
	memset(&groups, 0, sizeof(groups));
}

/* ---- names ---- */

static unsigned place_of(const char *const *name, unsigned count, const char *wanted)
{
	unsigned i = 0;

	while (i < count && name[i] != wanted && strcmp(name[i], wanted) != 0)
		i++;
	return i;
}

uint64_t cause_event(const char *name)
{
	unsigned i = name ? place_of(events.name, events.count, name) : LIST_MAX;

	if (i == LIST_MAX)
		return 0;
	if (i == events.count)
		events.name[events.count++] = name;
	return BIT(i);
}

/* ---- results ---- */

/* The name without the numbers of a box and its socket. */
static size_t stem(const char *pmu)
{
	size_t length = 0;

	while (pmu[length] && memcmp(pmu + length, "-s", 2) != 0)
		length++;
	while (length && pmu[length - 1] >= '0' && pmu[length - 1] <= '9')
		length--;
	return length;
}

/* The first one is of all results; the last one takes what has no room. */
static struct ledger *ledger_of(const char *pmu)
{
	char owner[sizeof(ledgers->owner)];
	unsigned i = 1;

	fmt_print(owner, sizeof(owner), "%s", pmu);
	owner[stem(owner)] = '\0';
	while (i < LEDGERS - 1 && *ledgers[i].owner && strcmp(ledgers[i].owner, owner) != 0)
		i++;
	memcpy(ledgers[i].owner, owner, sizeof(owner));
	return &ledgers[i];
}

void cause_note(const struct cause_result *result)
{
	unsigned group = place_of(groups.name, groups.count, result->group);

	if (group == LIST_MAX)
		return;
	if (group == groups.count)
		groups.name[groups.count++] = result->group;
	ledger_note(&ledgers[0], result, group);
	if (result->pmu)
		ledger_note(ledger_of(result->pmu), result, group);
}

/* ---- the report ---- */

static const char *const modes[TRAITS] = {
	[TRAIT_EDGE] = "edge",
	[TRAIT_THRESHOLD] = "threshold",
	[TRAIT_INVERSION] = "inversion",
	[TRAIT_KERNEL] = "OS",
	[TRAIT_KERNEL_ALONE] = "OS alone",
	[TRAIT_USER_ALONE] = "USR alone",
	[TRAIT_BOTH_RINGS] = "USR and OS",
	[TRAIT_NO_RING] = "neither USR nor OS",
	[TRAIT_UNIT_MASK] = "unit mask",
	[TRAIT_FIXED] = "fixed counter",
	[TRAIT_OVERFLOW] = "overflow",
	[TRAIT_REARM] = "preset by the handler",
	[TRAIT_INTERRUPT] = "interrupt",
	[TRAIT_NMI] = "NMI",
	[TRAIT_HELD] = "interrupts held",
	[TRAIT_RING_0] = "ring 0",
	[TRAIT_RING_1] = "ring 1",
	[TRAIT_RING_2] = "ring 2",
	[TRAIT_OTHER_THREAD] = "other thread",
	[TRAIT_CASCADE] = "cascade",
	[TRAIT_FORCE_OVF] = "FORCE_OVF",
	[TRAIT_TAG] = "tag",
};

static uint64_t vague_groups(void)
{
	uint64_t vague = 0;

	for (unsigned i = 0; i < groups.count; i++)
		if (!strcmp(groups.name[i], "modes") || !strcmp(groups.name[i], "rare"))
			vague |= BIT(i);
	return vague;
}

static size_t print_thing(char *line, size_t size, unsigned thing)
{
	if (thing >= FIRST_GROUP)
		return fmt_print(line, size, ", group %s", groups.name[thing - FIRST_GROUP]);
	if (thing < ARRAY_SIZE(modes))
		return fmt_print(line, size, ", %s", modes[thing]);
	return fmt_print(line, size, ", event %s", events.name[thing - FIRST_EVENT]);
}

static void report(const struct ledger *ledger, const struct cause *cause)
{
	char line[400];
	size_t length = 0;

	for (unsigned i = 0; i < cause->things; i++)
		length += print_thing(line + length, sizeof(line) - length, cause->thing[i]);
	if (cause->counter >= 0)
		length += fmt_print(line + length, sizeof(line) - length, ", counter %d",
				    cause->counter);
	if (cause->all_counters)
		fmt_print(line + length, sizeof(line) - length, ", all counters");
	report_header("cause: %s: %s: in %u of %u failures, and in %u of %u that passed",
		      *ledger->owner ? ledger->owner : "all", line + 2, ledger->failed,
		      ledger->failed, cause->passed, ledger->passed);
}

static bool report_common(const struct ledger *ledger)
{
	struct cause cause;
	bool found = ledger_find(ledger, vague_groups(), &cause);

	if (found)
		report(ledger, &cause);
	return found;
}

/* Of one PMU, what its failures have in common says more than what all have. */
void cause_report(void)
{
	unsigned failing = 0, lines = 0;

	for (unsigned i = 1; i < LEDGERS; i++)
		failing += ledgers[i].failed != 0;
	if (failing != 1 && report_common(&ledgers[0]))
		return;
	for (unsigned i = 1; i < LEDGERS && lines < CAUSE_LINES; i++)
		lines += report_common(&ledgers[i]);
}
