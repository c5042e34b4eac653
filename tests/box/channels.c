/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of memory channels that count a line. */
#include "box.h"

static uint64_t took; /* TSC ticks, the last time */

void repeat_timed(void)
{
	uint64_t from = rdtsc();

	memory_repeat();
	took = rdtsc() - from;
}

void wait_as_long(void)
{
	uint64_t from = rdtsc();

	while (rdtsc() - from < took)
		cpu_pause();
}

/* Channels in lockstep move halves of each line together, and so all count it: seen on one line
 * that is read again and again. */
int32_t channels_per_line(struct run *t)
{
	static const struct trial one_line = {
		.cfg = {{.event = CHANNEL_READS}, {.event = CHANNEL_WRITES}},
		.all = BOX_CHANNEL,
		.prepare = memory_clean,
		.load = memory_repeat};
	const struct pmu *channel;
	int32_t channels = 0;

	trial_run(t, &one_line, (uint64_t[TRIAL_COUNTERS]){0});
	for (unsigned i = 0; (channel = trial_box(t, &one_line, &i));)
		channels += pmu_read(channel, 0) > MEMORY_REPEAT / 2;
	if (channels > 1)
		report_diag("%d channels in lockstep", channels);
	return channels ? channels : 1;
}
