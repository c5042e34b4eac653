/* SPDX-License-Identifier: BSD-2-Clause */
/* The watching counter beside a failed test, and what it says of the failure. */
#include "tests/lib/watch.h"

#include "check/unit/tap.h"

static const struct pmu_event event = {.name = "witness"};
static const struct pmu_overcount with = {"A", NULL, &event, 0}, without = {"B", NULL, NULL, 1};

/* The meaning of a failed test in which every failed check was of these events. */
static enum meaning of(const struct pmu_overcount *published, struct watch witness)
{
	const struct run t = {.failed = true, .overcount = published};

	return watch_judge(&t, &witness);
}

/* Nothing is published of some of the events on this part. */
static void test_unpublished(void)
{
	const struct watch counted = {.told = true, .count = 1, .kept = 1};
	const struct run both = {.failed = true, .overcount = &with, .plain = true};

	OK(of(NULL, counted) == MEANS_FAILURE);
	OK(of(NULL, (struct watch){0}) == MEANS_FAILURE);
	OK(watch_judge(&both, &counted) == MEANS_FAILURE);
}

/* Only what it counts in windows matters; 0 says nothing if its counter has been taken. */
static void test_witness(void)
{
	OK(of(&with, (struct watch){.told = true}) == MEANS_FAILURE);
	OK(of(&with, (struct watch){.told = true, .count = 1}) == MEANS_FAILURE);
	OK(of(&with, (struct watch){.told = true, .count = 1, .kept = 1}) == MEANS_ERRATUM);
	OK(of(&with, (struct watch){.count = 1, .kept = 1}) == MEANS_ERRATUM);
	OK(of(&with, (struct watch){.count = 1}) == MEANS_NOTHING);
}

/* Nothing tells: never an erratum. */
static void test_no_witness(void)
{
	OK(of(&without, (struct watch){.told = true, .count = 1, .kept = 1}) == MEANS_NOTHING);
	OK(of(&without, (struct watch){0}) == MEANS_NOTHING);
}

int main(void)
{
	test_unpublished();
	test_witness();
	test_no_witness();
	return tap_end();
}
