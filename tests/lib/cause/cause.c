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
static struct ledger_groups known;

void cause_begin(void)
{
	memset(ledgers, 0, sizeof(ledgers));
	memset(&events, 0, sizeof(events));
	memset(&groups, 0, sizeof(groups));
	memset(&known, 0, sizeof(known));
}

/* ---- names ---- */

static unsigned place_of(const char *const *name, unsigned count, const char *wanted)
{
	unsigned i = 0;

	/* Nearly always it is the very text. */
	while (i < count && name[i] != wanted)
		i++;
	if (i < count)
		return i;
	for (i = 0; i < count && strcmp(name[i], wanted) != 0;)
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

/* The first one is of all results; the last one takes what has no room. */
static struct ledger *ledger_of(const char *pmu)
{
	unsigned i = 1;

	while (i < LEDGERS - 1 && *ledgers[i].owner && strcmp(ledgers[i].owner, pmu) != 0)
		i++;
	fmt_print(ledgers[i].owner, sizeof(ledgers[i].owner), "%s", pmu);
	return &ledgers[i];
}

/* Tests of everything, of counting, of what is dead altogether, and of what registers keep. */
static void know_group(unsigned group, const char *name, const char *after)
{
	unsigned below = after ? place_of(groups.name, groups.count, after) : LIST_MAX;

	known.below[group] = BIT(group) | (below < groups.count ? known.below[below] : 0);
	if (!strcmp(name, "modes") || !strcmp(name, "rare"))
		known.vague |= BIT(group);
	if (!strcmp(name, "count") || !strcmp(name, "privilege"))
		known.general |= BIT(group);
	if (!strcmp(name, "count"))
		known.plain |= BIT(group);
	if (!strcmp(name, "alive"))
		known.nameless |= BIT(group);
	if (!strcmp(name, "access"))
		known.storing |= BIT(group);
}

void cause_note(const struct cause_result *result)
{
	unsigned group = place_of(groups.name, groups.count, result->group);

	if (group == LIST_MAX)
		return;
	if (group == groups.count) {
		know_group(group, result->group, result->after);
		groups.name[groups.count++] = result->group;
	}
	ledger_note(&ledgers[0], &known, result, group);
	if (result->pmu)
		ledger_note(ledger_of(result->pmu), &known, result, group);
}

/* ---- the report ---- */

static const char *const modes[TRAITS] = {
	[TRAIT_EDGE] = "edge",
	[TRAIT_THRESHOLD] = "threshold",
	[TRAIT_INVERSION] = "inversion",
	[TRAIT_USER] = "USR",
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
	[TRAIT_LONG] = "long window",
	[TRAIT_CASCADE] = "cascade",
	[TRAIT_FORCE_OVF] = "FORCE_OVF",
	[TRAIT_TAG] = "tag",
	[TRAIT_OFF] = "not enabled",
	[TRAIT_FAULT] = "#GP",
};

static size_t print_thing(char *line, size_t size, unsigned thing)
{
	if (thing >= FIRST_GROUP)
		return fmt_print(line, size, ", group %s", groups.name[thing - FIRST_GROUP]);
	if (thing < ARRAY_SIZE(modes))
		return fmt_print(line, size, ", %s", modes[thing]);
	return fmt_print(line, size, ", event %s", events.name[thing - FIRST_EVENT]);
}

static size_t print_bits(char *line, size_t size, uint64_t bits)
{
	unsigned low = lowest_bit(bits), high = low;

	while (high < 63 && bits >> (high + 1) & 1)
		high++;
	if (high == low)
		return fmt_print(line, size, ", bit %u", low);
	return fmt_print(line, size, ", bits %u:%u", high, low);
}

static const char *host_of(const struct cause *cause)
{
	for (unsigned i = 0; i < cause->things; i++)
		if (cause->thing[i] == TRAIT_FAULT)
			return "; most likely the host ignores what it should refuse";
	return "";
}

static void report(const struct ledger *ledger, const struct cause *cause, bool is_guest)
{
	const uint32_t counters = cause->counter >= 0 ? UINT32_C(1) << cause->counter : cause->dead;
	char line[400];
	size_t length = 0;

	for (unsigned i = 0; i < cause->things; i++)
		length += print_thing(line + length, sizeof(line) - length, cause->thing[i]);
	if (cause->bits)
		length += print_bits(line + length, sizeof(line) - length, cause->bits);
	for (uint32_t left = counters; left; left &= left - 1)
		length += fmt_print(line + length, sizeof(line) - length, ", counter %u",
				    lowest_bit(left));
	if (cause->all_counters)
		fmt_print(line + length, sizeof(line) - length, ", all counters");
	report_header("cause: %s: %s: in %u of %u failures%s, and in %u of %u that passed%s",
		      *ledger->owner ? ledger->owner : "all", line + 2, cause->failed,
		      ledger->failed, cause->failed < ledger->failed ? cause->others : "",
		      cause->passed, ledger->passed, is_guest ? host_of(cause) : "");
}

static bool report_common(const struct ledger *ledger, bool is_guest)
{
	struct cause cause;
	bool found = ledger_find(ledger, &known, &cause);

	if (found)
		report(ledger, &cause, is_guest);
	return found;
}

/* Of one PMU, what its failures have in common says more than what all have; where those of the PMU
 * with most of them have nothing, the others may be but its victims.  A box that alone has
 * failures is named, whatever they have in common. */
void cause_report(bool is_guest)
{
	unsigned failing = 0, lines = 0;
	const struct ledger *worst = &ledgers[1];

	for (unsigned i = 1; i < LEDGERS; i++) {
		failing += ledgers[i].failed != 0;
		if (ledgers[i].failed > worst->failed)
			worst = &ledgers[i];
	}
	if (failing != 1 && report_common(&ledgers[0], is_guest))
		return;
	if (report_common(worst, is_guest))
		lines++;
	for (unsigned i = 1; i < LEDGERS && lines && lines < CAUSE_LINES; i++)
		if (&ledgers[i] != worst)
			lines += report_common(&ledgers[i], is_guest);
	if (!lines && failing == 1 && worst->passed < ledgers[0].passed / 2)
		report_header("cause: %s alone: in %u of %u failures, and in %u of %u that passed",
			      worst->owner, worst->failed, ledgers[0].failed, worst->passed,
			      ledgers[0].passed);
}
