/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks of devices: what counts by itself in them, beside what counters are told to count. */
#include "box.h"

#define FREE "uncore guide, 2.4: IIO free-running counters"

ABSENT_UNLESS(why_no_meters, pmu->meters, "nothing counts by itself in such a box")

#define ON_METERS .clause = FREE, .kinds = BOX_IO, .absent = why_no_meters

/* ---- freezing ---- */

#define GROUP "freeze", "count"

BOX_TEST(meters_go_on, "box control does not stop what counts by itself", ON_METERS)
{
	const struct pmu_meter *clocks = t->pmu->meters->meter;
	uint64_t before;

	SKIP_IF(t, !clocks->moves, "RDMSR of the meter of clocks raises an exception");
	t->pmu->box->freeze(t->pmu);
	before = pmu_get(clocks->reg);
	wait_a_window();
	CHECK(t, pmu_get(clocks->reg) != before);
}

/* ---- traffic ---- */

#undef GROUP
#define GROUP      "traffic", "count"

#define WINDOW_US  2000u
#define METERS     9u
#define SOME       1000u /* dwords in a window, of which 1 % is more than those under way */
#define UNDER_WAY  64u /* a transfer of 256 bytes */
#define TOO_LITTLE "devices write too little to memory here"

static void read_meters(const struct run *t, uint64_t *values)
{
	const struct pmu_meters *meters = t->pmu->meters;

	for (unsigned i = 0; i < meters->count && i < METERS; i++)
		values[i] = pmu_get(meters->meter[i].reg);
}

/* Dwords that a meter counts as one. */
static uint64_t unit_of(const struct run *t)
{
	return kind_of(t)->meter_dwords ? kind_of(t)->meter_dwords : 1;
}

/* What has gone to memory in between, by all ports, in dwords. */
static uint64_t gone_in(const struct run *t, const uint64_t *from, const uint64_t *to)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < t->pmu->meters->count && i < METERS; i++) {
		const struct pmu_meter *meter = &t->pmu->meters->meter[i];

		if (meter->of == METERED_INWARD)
			sum += (to[i] - from[i]) & FIELD(meter->width - 1, 0);
	}
	return sum * unit_of(t);
}

/* The counter is open for less than from the first readings to the last ones, and for more than
 * between the others.  Of coarse meters each port may have a part of one over; and what they make
 * of writes of less than one no source says, which few writes may all be. */
BOX_TEST(meters, "what devices write to memory a counter and the meters of all ports count alike",
	 ON_METERS)
{
	const struct box_config written = {.event = IO_DATA_WRITTEN};
	uint64_t first[METERS], opened[METERS], closing[METERS], last[METERS], count, slack;

	SKIP_IF(t, box_lacks(kind_of(t), &written), box_lacks(kind_of(t), &written));
	box_reset(t->pmu);
	box_select(t->pmu, 0, &written);
	read_meters(t, first);
	box_run(t->pmu);
	read_meters(t, opened);
	machine_delay_us(WINDOW_US);
	read_meters(t, closing);
	box_freeze(t->pmu);
	read_meters(t, last);
	count = pmu_read(t->pmu, 0);
	SKIP_IF(t, unit_of(t) > 1 && count < SOME, TOO_LITTLE);
	slack = count / 100 + UNDER_WAY + METERS * (unit_of(t) - 1);
	CHECK_IS(t, count + slack, >=, gone_in(t, opened, closing));
	CHECK_IS(t, count, <=, gone_in(t, first, last) + slack);
	SKIP_IF(t, count < SOME, TOO_LITTLE);
}
