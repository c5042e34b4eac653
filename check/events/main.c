/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the drivers' tables of events with libpfm4's. */
#include <stdarg.h>

#include "check/unit/tap.h"
#include "events.h"

void check(bool ok, const char *format, ...)
{
	char what[300];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	tap_ok(ok, what, __LINE__);
}

/* ---- code and unit mask ---- */

static void check_same(const struct fact *fact, bool known, uint64_t code)
{
	unsigned long long theirs = code & fact->fields;

	if (known)
		check(theirs == fact->code, "%s: %s: table %llx, libpfm4 %llx", fact->pmu,
		      fact->name, (unsigned long long)fact->code, theirs);
	else
		check(false, "%s: %s: not in libpfm4 by this name, nor listed", fact->pmu,
		      fact->name);
}

/* A newer library may have come to the manual's spelling. */
static void check_spelled(const struct fact *fact, const struct spelling *spelling)
{
	uint64_t code = 0;
	bool needed = !library_encode(fact->pmu, fact->theirs, &code) ||
		      (code & fact->fields) != fact->code;
	bool known = library_encode(fact->pmu, spelling->theirs, &code);

	check_same(fact, known || (!needed && library_is_newer()), code);
	check(needed || library_is_newer(), "%s: %s: in libpfm4 as %s alone (%s)", fact->pmu,
	      fact->name, spelling->theirs, spelling->why);
}

static void check_lacking(const struct fact *fact, const struct lacking *lacking)
{
	bool has = library_has_code(fact->pmu, fact->fields, fact->code);

	check(fact->code == lacking->code, "%s: %s: table %llx, %s %llx", fact->pmu, fact->name,
	      (unsigned long long)fact->code, lacking->source, (unsigned long long)lacking->code);
	check(!has || library_is_newer(), "%s: %s: libpfm4 lacks it", fact->pmu, fact->name);
}

static void check_code(const struct fact *fact)
{
	const struct spelling *spelling = listed_spelling(fact);
	const struct lacking *lacking = listed_lacking(fact);
	uint64_t code = 0;
	bool known;

	if (lacking && spelling) {
		check(false, "%s: %s: listed twice", fact->pmu, fact->name);
	} else if (lacking) {
		check_lacking(fact, lacking);
	} else if (spelling) {
		check_spelled(fact, spelling);
	} else {
		known = library_encode(fact->pmu, fact->theirs, &code);
		check_same(fact, known, code);
	}
}

/* ---- counters ---- */

static void check_counters(const struct fact *fact)
{
	const struct counting *counting = listed_counting(fact);
	uint32_t counters = counting ? counting->counters : ALL_COUNTERS;
	uint32_t fixed = counting ? counting->fixed : 0;
	uint32_t told = *fact->fixed_name ? library_fixed(fact->pmu, fact->fixed_name) : 0;

	check(fact->counters == counters && fact->fixed == fixed,
	      "%s: %s: table: counters %x, fixed %x; %s: %x, %x", fact->pmu, fact->name,
	      fact->counters, fact->fixed, counting ? counting->source : "not listed", counters,
	      fixed);
	if (told)
		check(fact->fixed == told, "%s: %s: table: fixed %x, libpfm4: %x", fact->pmu,
		      fact->name, fact->fixed, told);
}

/* ---- all ---- */

static const char *compared[100];
static unsigned compared_count;

static bool was_compared(const char *pmu)
{
	for (unsigned i = 0; i < compared_count; i++)
		if (!strcmp(compared[i], pmu))
			return true;
	return false;
}

void check_fact(const struct fact *fact)
{
	if (!was_compared(fact->pmu))
		compared[compared_count++] = fact->pmu;
	check_code(fact);
	if (fact->counters || fact->fixed)
		check_counters(fact);
}

static void check_compared(const char *pmu)
{
	check(was_compared(pmu) || listed_apart(pmu) || library_is_newer(),
	      "%s: a table is compared with it", pmu);
}

int main(void)
{
	if (!library_begin()) {
		printf("Bail out! libpfm4 cannot be initialised\n");
		return 2;
	}
	check_amd();
	check_intel();
	check_netburst();
	library_each_pmu(check_compared);
	listed_end();
	return tap_end();
}
