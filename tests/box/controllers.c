/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's memory controllers: CAS commands for lines that are read and written, and their clock. */
#include "box.h"

#define GROUP  "traffic", "count"
#define UMC    "AMD PPR of family 19h model 11h, 2.1.14: UMC performance monitor counters"
#define ON_UMC .clause = UMC, .kinds = BOX_FIRST(BOX_CONTROLLER)

/* Devices, and other processors, add to them. */
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT

TRIALS(reads, "the controllers together count a read for each line that is loaded", (ON_UMC),
       {LOADED, .around = true, COUNTS(.event = CONTROLLER_READS, ALL_LINES)})

TRIALS(writes, "the controllers together count a write for each line that is streamed", (ON_UMC),
       {STREAMED, .around = true, COUNTS(.event = CONTROLLER_WRITES, ALL_LINES)})

/* In windows that hold each other: the whole first, and last. */
TRIALS(commands, "of each controller each CAS command is of a read or of a write", (ON_UMC),
       {FLUSHED, .around = true, .nested = true,
	.cfg = {{.event = CONTROLLER_ALL},
		{.event = CONTROLLER_READS},
		{.event = CONTROLLER_WRITES}},
	.law = {{{1, -1, -1}, AT_LEAST(0)}}, .each = 0x1},
       {FLUSHED, .around = true, .nested = true,
	.cfg = {{.event = CONTROLLER_READS},
		{.event = CONTROLLER_WRITES},
		{.event = CONTROLLER_ALL}},
	.law = {{{1, 1, -1}, AT_LEAST(0)}}, .each = 0x1})

/* Refresh closes all pages each few microseconds. */
TRIALS(pages, "where lines are read pages are opened and closed, and data move", (ON_UMC),
       {LOADED, .around = true, COUNTS(.event = CONTROLLER_OPENS, AT_LEAST(1))},
       {LOADED, .around = true, COUNTS(.event = CONTROLLER_CLOSES, AT_LEAST(1))},
       {LOADED, .around = true, COUNTS(.event = CONTROLLER_DATA, AT_LEAST(1))})

/* How many controllers count so many reads of the load. */
static unsigned count_channels(struct run *t, box_load *load, uint64_t many)
{
	const struct trial trial = {
		.cfg = {{.event = CONTROLLER_READS}}, .prepare = memory_clean, .load = load};
	const struct pmu *channel;
	unsigned n = 0;

	trial_run(t, &trial, (uint64_t[TRIAL_COUNTERS]){0});
	for (unsigned i = 0; (channel = trial_box(t, &trial, &i));)
		n += pmu_read(channel, 0) >= many;
	return n;
}

/* Half of the times: what else goes to its channel is rarer. */
BOX_TEST(channels, "a line lies in one channel, whose controller alone counts it", ON_UMC)
{
	unsigned channels = count_channels(t, repeat_timed, MEMORY_REPEAT / 2);

	SKIP_IF(t, count_channels(t, wait_as_long, MEMORY_REPEAT / 4), OTHERS_TOO);
	CHECK_EQ(t, channels, 1);
}
