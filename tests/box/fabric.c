/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's data fabric: lines that are read from and written to memory, by instance of a channel. */
#include "box.h"

#define GROUP  "traffic", "count"
#define FABRIC "Linux, pmu-events/arch/x86/amdzen2 to amdzen5: data fabric; AMD PPR, 2.1.14"
#define ON_DF  .clause = FABRIC, .kinds = BOX_FABRIC
#define NO_MAP "which instances are the channels of this part's memory is not published"

/* Which instance is which channel, is published of these servers. */
static const struct {
	uint8_t family, first_model, last_model;
} servers[] = {
	{0x17, 0x30, 0x3f},
	{0x19, 0x00, 0x1f},
	{0x19, 0xa0, 0xaf},
	{0x1a, 0x00, 0x1f},
};

static bool is_server(void)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	for (unsigned i = 0; i < ARRAY_SIZE(servers); i++)
		if (cpu.family == servers[i].family && cpu.model >= servers[i].first_model &&
		    cpu.model <= servers[i].last_model)
			return true;
	return false;
}

/* ---- all channels, some at a time ---- */

/* The trial, whose first configuration counts on the instances from this one on. */
static uint64_t count_some(struct run *t, struct trial trial, unsigned first)
{
	uint64_t out[TRIAL_COUNTERS], sum = 0;

	for (unsigned i = 0; i < TRIAL_COUNTERS; i++) {
		trial.cfg[i] = trial.cfg[0];
		trial.cfg[i].instance = (uint8_t)(first + i);
	}
	trial_run(t, &trial, out);
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		sum += out[i];
	trial_end(t, &trial);
	return sum;
}

/* Counters take the instances in turn, the first one from so many on. */
static uint64_t count_all(struct run *t, const struct trial *trial)
{
	uint64_t sum = 0;

	for (unsigned first = 0; first < kind_of(t)->instances; first += TRIAL_COUNTERS)
		sum += count_some(t, *trial, first);
	return sum;
}

/* Devices, and other processors, add to them.  With each counter once. */
static void check_lines(struct run *t, struct trial *trial)
{
	uint64_t sum = count_all(t, trial);

	report_diag("%llu of %u lines", (unsigned long long)sum, MEMORY_LINES);
	SKIP_IF(t, sum + TRAFFIC_SLACK < MEMORY_LINES && !is_server(), NO_MAP);
	for (;; sum = count_all(t, trial)) {
		CHECK_IS(t, sum + TRAFFIC_SLACK, >=, MEMORY_LINES);
		trial->first += TRIAL_COUNTERS;
		if (trial->first >= t->pmu->counters)
			break;
	}
}

/* Before PerfMonV2 no unit mask of reads alone is published. */
static struct box_config requests_of(const struct run *t, enum box_event_id event)
{
	if (!box_event(kind_of(t), event))
		event = FABRIC_REQUESTS;
	return (struct box_config){.event = (uint8_t)event};
}

BOX_TEST(reads, "the channels together count each line that is read from memory", ON_DF)
{
	struct trial loaded = {LOADED, .cfg = {requests_of(t, FABRIC_READS)}};

	check_lines(t, &loaded);
}

BOX_TEST(writes, "the channels together count each line that is streamed to memory", ON_DF)
{
	struct trial streamed = {STREAMED, .cfg = {requests_of(t, FABRIC_WRITES)}};

	check_lines(t, &streamed);
}

/* Counters count on one instance each, in a circle from this one on; adds to seen[], by counters,
 * where they have counted so many or more. */
static void see_line(struct run *t, unsigned first, box_load *load, uint64_t many, uint8_t seen[])
{
	struct all_counters all = {.from = 0};

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		all.cfg[c] = requests_of(t, FABRIC_READS);
		all.cfg[c].instance = (uint8_t)((first + c) % kind_of(t)->instances);
	}
	trial_all(t, &all, load);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		seen[c] = (uint8_t)(seen[c] + (all.out[c] >= many));
}

/* How many instances have counted so many, each of them on one counter. */
static unsigned instances_with(struct run *t, box_load *load, uint64_t many)
{
	const unsigned instances = kind_of(t)->instances;
	uint8_t seen[BOX_COUNTERS_MAX] = {0};
	unsigned n = 0;

	for (unsigned first = 0; first < instances; first += t->pmu->counters)
		see_line(t, first, load, many, seen);
	for (unsigned c = 0; c < t->pmu->counters && c < instances; c++)
		n += seen[c];
	return n;
}

/* Half of the times: what else goes to its channel is rarer.  Each counter counts on each instance
 * once. */
BOX_TEST(channels, "a line lies in one channel, by whose instance alone it is counted", ON_DF)
{
	uint8_t seen[BOX_COUNTERS_MAX] = {0};
	unsigned with;

	memory_clean();
	with = instances_with(t, repeat_timed, MEMORY_REPEAT / 2);
	SKIP_IF(t, !with && !is_server(), NO_MAP);
	SKIP_IF(t, instances_with(t, wait_as_long, MEMORY_REPEAT / 4), OTHERS_TOO);
	CHECK_EQ(t, with, 1);
	for (unsigned first = 0; first < kind_of(t)->instances; first++)
		see_line(t, first, memory_repeat, MEMORY_REPEAT / 2, seen);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		OF_COUNTER(t, c, CHECK_EQ(t, seen[c], 1));
}

/* ---- whose memory it is ---- */

ABSENT_UNLESS(why_no_sockets, box_event(box_of(pmu)->kind, FABRIC_READS_HERE),
	      "before PerfMonV2 the sockets are not told apart")

/* In windows that hold each other: the whole first, and last. */
static void check_sockets(struct run *t, unsigned instance, uint8_t first)
{
	const struct box_config all = {.event = FABRIC_READS, .instance = (uint8_t)instance},
				here = {.event = FABRIC_READS_HERE, .instance = (uint8_t)instance},
				elsewhere = {.event = FABRIC_READS_ELSEWHERE,
					     .instance = (uint8_t)instance};
	const struct trial trials[] = {
		{LOADED, .first = first, .nested = true, .cfg = {all, here, elsewhere},
		 .law = {{{1, -1, -1}, AT_LEAST(0)}}},
		{LOADED, .first = first, .nested = true, .cfg = {here, elsewhere, all},
		 .law = {{{1, 1, -1}, AT_LEAST(0)}}}};

	judge_all(t, trials, ARRAY_SIZE(trials));
}

BOX_TEST(sockets, "what is read is of this socket's memory or of another's", ON_DF,
	 .absent = why_no_sockets)
{
	for (unsigned instance = 0; instance < kind_of(t)->instances; instance++)
		check_sockets(t, instance, (uint8_t)(instance % t->pmu->counters));
}
