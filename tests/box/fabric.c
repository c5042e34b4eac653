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

struct channels {
	uint64_t sum;
	unsigned many; /* channels that have counted so many or more */
};

/* The trial, whose first configuration counts on the instances from this one on. */
static void count_some(struct run *t, struct trial trial, unsigned first, uint64_t many,
		       struct channels *c)
{
	uint64_t out[TRIAL_COUNTERS];

	for (unsigned i = 0; i < TRIAL_COUNTERS; i++) {
		trial.cfg[i] = trial.cfg[0];
		trial.cfg[i].instance = (uint8_t)(first + i);
	}
	trial_run(t, &trial, out);
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++) {
		c->sum += out[i];
		c->many += out[i] >= many;
	}
}

/* Counters take the instances in turn, the first one from so many on. */
static struct channels count_all(struct run *t, const struct trial *trial, uint64_t many)
{
	struct channels c = {0};

	for (unsigned first = 0; first < kind_of(t)->instances; first += TRIAL_COUNTERS)
		count_some(t, *trial, first, many, &c);
	return c;
}

/* Devices, and other processors, add to them.  With each counter once. */
static void check_lines(struct run *t, struct trial *trial)
{
	uint64_t sum = count_all(t, trial, 0).sum;

	report_diag("%llu of %u lines", (unsigned long long)sum, MEMORY_LINES);
	SKIP_IF(t, sum + TRAFFIC_SLACK < MEMORY_LINES && !is_server(), NO_MAP);
	for (;; sum = count_all(t, trial, 0).sum) {
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

/* Half of the times: what else goes to its channel is rarer. */
BOX_TEST(channels, "a line lies in one channel, by whose instance alone it is counted", ON_DF)
{
	struct trial one_line = {.cfg = {requests_of(t, FABRIC_READS)},
				 .prepare = memory_clean,
				 .load = repeat_timed};
	struct channels c = count_all(t, &one_line, MEMORY_REPEAT / 2);

	SKIP_IF(t, !c.many && !is_server(), NO_MAP);
	one_line.load = wait_as_long;
	SKIP_IF(t, count_all(t, &one_line, MEMORY_REPEAT / 4).many, OTHERS_TOO);
	CHECK_EQ(t, c.many, 1);
	one_line.load = memory_repeat;
	for (one_line.first = 1; one_line.first < t->pmu->counters; one_line.first++)
		CHECK_EQ(t, count_all(t, &one_line, MEMORY_REPEAT / 2).many, 1);
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
