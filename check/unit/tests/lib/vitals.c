/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that do not count as they should at all, and the tests that they hinder. */
#include "tests/lib/vitals.h"

#include "check/unit/tap.h"
#include "pmu/pmu.h"

static const struct pmu one = {.name = "one", .counters = 4}, other = {.name = "other"};

static bool hinders(uint64_t ctrs, uint64_t events)
{
	return vitals_hinder(&one, ctrs, events);
}

static void test_well(void)
{
	vitals_forget();
	vitals_note(&one, 2, VITAL_WELL);
	OK(!hinders(BIT(0) | BIT(2), ~UINT64_C(0)));
}

/* Every window with the counter; none without it, and none of another PMU. */
static void test_dead(void)
{
	static const enum vital found[] = {VITAL_DEAD, VITAL_SLOW};

	for (unsigned i = 0; i < ARRAY_SIZE(found); i++) {
		vitals_forget();
		vitals_note(&one, 2, found[i]);
		OK(vitals_of(&one, found[i]) == BIT(2));
		OK(hinders(BIT(2), 0));
		OK(hinders(BIT(1) | BIT(2), 0));
		OK(!hinders(BIT(0) | BIT(1) | BIT(3), 0));
		OK(!vitals_hinder(&other, BIT(2), 0));
	}
}

/* Those alone in which another counter runs. */
static void test_alone(void)
{
	vitals_forget();
	vitals_note(&one, 1, VITAL_ALONE);
	OK(!hinders(BIT(1), 0));
	OK(!hinders(BIT(0) | BIT(2), 0));
	OK(hinders(BIT(0) | BIT(1), 0));
}

static void test_event(void)
{
	vitals_forget();
	vitals_note_event(&one, EV_BRANCHES);
	OK(hinders(BIT(0), BIT(EV_BRANCHES) | BIT(EV_CYCLES)));
	OK(!hinders(BIT(0), BIT(EV_CYCLES)));
	OK(!vitals_hinder(&other, BIT(0), BIT(EV_BRANCHES)));
}

/* The last finding of a counter is what holds. */
static void test_again(void)
{
	vitals_forget();
	vitals_note(&one, 3, VITAL_DEAD);
	vitals_note(&one, 3, VITAL_ALONE);
	OK(!vitals_of(&one, VITAL_DEAD));
	vitals_note(&one, 3, VITAL_WELL);
	OK(!hinders(~UINT64_C(0), 0));
	vitals_note(&one, 3, VITAL_DEAD);
	vitals_forget();
	OK(!hinders(~UINT64_C(0), 0));
}

int main(void)
{
	test_well();
	test_dead();
	test_alone();
	test_event();
	test_again();
	return tap_end();
}
