/* SPDX-License-Identifier: BSD-2-Clause */
/* What a failed test means, by the counter that watched beside it. */
#include "tests/lib/watch.h"

#include "check/unit/tap.h"

static const struct pmu_event event = {.name = "witness"};
static const struct pmu_overcount with = {"A", NULL, false, &event},
				  without = {"B", NULL, false, NULL};

static enum meaning of(const struct pmu_overcount *published, bool not_high, bool told,
		       uint64_t count)
{
	const struct run t = {.failed = true, .not_high = not_high};
	const struct watch witness = {.event = &event, .told = told, .count = count};

	return watch_judge(&t, published, &witness);
}

/* Nothing is published of these events on this part. */
static void test_unpublished(void)
{
	OK(of(NULL, false, true, 1) == MEANS_FAILURE);
	OK(of(NULL, false, false, 0) == MEANS_FAILURE);
}

/* Only a count that is too high is an erratum's, and only where the witness says so. */
static void test_witness(void)
{
	OK(of(&with, false, true, 0) == MEANS_FAILURE);
	OK(of(&with, true, true, 0) == MEANS_FAILURE);
	OK(of(&with, false, true, 1) == MEANS_ERRATUM);
	OK(of(&with, true, true, 1) == MEANS_NOTHING);
	OK(of(&with, false, false, 1) == MEANS_NOTHING);
}

/* Nothing tells: never an erratum. */
static void test_no_witness(void)
{
	OK(of(&without, false, true, 1) == MEANS_NOTHING);
	OK(of(&without, false, false, 0) == MEANS_NOTHING);
}

int main(void)
{
	test_unpublished();
	test_witness();
	test_no_witness();
	return tap_end();
}
