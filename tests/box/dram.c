/* SPDX-License-Identifier: BSD-2-Clause */
/* A known number of lines read from and written to memory, as the memory channels and the home
 * agents of all sockets count them. */
#include "box.h"

#define GROUP    "traffic", "count"
#define CHANNELS "uncore guide, 2.5: iMC events CAS_COUNT, RPQ_INSERTS, WPQ_INSERTS"
#define HOME     "uncore guide, 2.4: HA events REQUESTS, IMC_WRITES, ADDR_OPC_MATCH"
#define ON_IMC   .kinds = BOX_FIRST(BOX_CHANNEL)
#define ON_HA    .kinds = BOX_FIRST(BOX_HOME)

/* ---- channels ---- */

#define CAS .disturbed = true, .cfg = {{.event = CHANNEL_READS}, {.event = CHANNEL_WRITES}}

TRIALS(cas_reads, "each line loaded that no cache has is one read of DRAM, and no write",
       (.clause = CHANNELS, ON_IMC), {LOADED, CAS})

TRIALS(cas_writes, "each line stored to and flushed is one read and one write of DRAM",
       (.clause = CHANNELS, ON_IMC), {FLUSHED, CAS})

TRIALS(streamed_writes, "each line streamed past the caches is one write of DRAM, and no read",
       (.clause = CHANNELS, ON_IMC), {STREAMED, CAS})

/* 1 %: what is queued when the window opens or closes, and reads to fill up partial writes. */
#define QUEUE_SLACK ((int32_t)MEMORY_LINES / 100)

TRIALS(queue_inserts,
       "each request that enters the read or write queue of a channel leaves as a CAS",
       (.clause = CHANNELS, ON_IMC),
       {FLUSHED, .disturbed = true,
	.cfg = {{.event = CHANNEL_READS},
		{.event = CHANNEL_READ_INSERTS},
		{.event = CHANNEL_WRITES},
		{.event = CHANNEL_WRITE_INSERTS}},
	.law = {{{1, -1}, WITHIN(0, QUEUE_SLACK)}, {{0, 0, 1, -1}, WITHIN(0, QUEUE_SLACK)}}})

/* Interleaving is over all channels, or over those that a region of memory is on; each gets as
 * much. 1 % of all lines: what disturbs does not come evenly. */
BOX_TEST(channels_share, "the channels that memory is interleaved over get as many lines each",
	 .clause = CHANNELS, ON_IMC)
{
	static const struct trial reads = {LOADED, CAS};
	int32_t lines = (int32_t)MEMORY_LINES * channels_per_line(t), ways = 0;
	uint64_t sum = trial_count(t, &reads);
	const struct pmu *channel;

	check_sum(t, BOX_CHANNEL, "all channels", sum, (struct law){ABOUT(lines)});
	for (unsigned i = 0; (channel = trial_box(t, &reads, &i));)
		ways += pmu_read(channel, 0) > QUEUE_SLACK;
	REQUIRE(t, ways > 0);
	for (unsigned i = 0; (channel = trial_box(t, &reads, &i));)
		if (pmu_read(channel, 0) > QUEUE_SLACK)
			check_sum(t, 0, channel->name, pmu_read(channel, 0),
				  (struct law){WITHIN((int32_t)sum / ways, QUEUE_SLACK)});
}

/* ---- home agents ---- */

#define REQUESTS .disturbed = true, .cfg = {{.event = HOME_READS}, {.event = HOME_WRITES}}

TRIALS(requests, "the home agents take a read for each line loaded, a write for each flushed",
       (.clause = HOME, ON_HA), {LOADED, REQUESTS}, {FLUSHED, REQUESTS})

TRIALS(imc_writes, "each whole line streamed is one full write from home agent to channel",
       (.clause = HOME, ON_HA),
       {STREAMED, .disturbed = true,
	.cfg = {{.event = HOME_WRITES_FULL}, {.event = HOME_WRITES_PARTIAL}}})

BOX_TEST(reads_match_cas, "home agents and channels count the same reads", .clause = HOME, ON_HA)
{
	static const struct trial cas = {LOADED, CAS, .all = BOX_CHANNEL},
				  requests = {LOADED, REQUESTS};
	int32_t lines = (int32_t)trial_count(t, &requests) * channels_per_line(t);

	check_sum(t, BOX_CHANNEL, "CAS_COUNT.RD", trial_count(t, &cas), (struct law){ABOUT(lines)});
}

/* What lets this address and opcode through. */
static struct trial_filters of_line(uint64_t address, uint32_t opcode)
{
	return (struct trial_filters){
		.reg = {(uint32_t)(address & ~UINT64_C(0x3f)), (uint32_t)(address >> 32), opcode}};
}

#define ADDRESS_MAX FIELD(45, 0)

/* Twice: its snoop responses may be counted with the reads.  A line whose address differs in one
 * bit may be read by others, though hardly as often. */
BOX_TEST(address_match, "the address filter finds each read of its line, and none of another",
	 .clause = HOME, ON_HA)
{
	struct trial_filters filters = of_line(memory_first_line(), 0);
	struct trial trial = {.cfg = {{.event = HOME_ADDRESS}},
			      .filters = &filters,
			      .prepare = memory_clean,
			      .load = memory_repeat,
			      .law = {{{1}, .n = MEMORY_REPEAT, .above = MEMORY_REPEAT}}};

	judge(t, &trial);
	trial.prepare = NULL;
	trial.law[0] = (struct law){{1}, AT_MOST(MEMORY_REPEAT - 1)};
	for (uint64_t bit = LINE_SIZE; bit <= ADDRESS_MAX; bit *= 2) {
		filters = of_line(memory_first_line() ^ bit, 0);
		judge(t, &trial);
	}
}

#define OPCODES FIELD(5, 0)

/* Half of them: what else may have to do with the line is rarer. */
static bool is_opcode(struct run *t, uint32_t opcode)
{
	const struct trial_filters filters = of_line(memory_first_line(), opcode);
	const struct trial trial = {.cfg = {{.event = HOME_ADDRESS_AND_OPCODE}},
				    .filters = &filters,
				    .load = memory_repeat};

	return trial_count(t, &trial) > MEMORY_REPEAT / 2;
}

/* The coding of opcodes is not documented for this part, but a read has one.  One bit hardly makes
 * a snoop response of it: these are of another class. */
BOX_TEST(opcode_match,
	 "the opcode filter finds reads of a line by one number, and by none close to it",
	 .clause = HOME, ON_HA)
{
	uint32_t opcode = 0;

	memory_clean();
	while (opcode < OPCODES && !is_opcode(t, opcode))
		opcode++;
	REQUIRE(t, is_opcode(t, opcode));
	for (uint32_t bit = 1; bit < OPCODES; bit *= 2)
		CHECK(t, !is_opcode(t, opcode ^ bit));
}

/* ---- regions of memory, as home agents tell them apart ---- */

#define REGIONS 8u /* that have a bit in the unit mask of TAD_REQUESTS_G0 */

/* Each counter on each region once: regions with the reads of a line of the place, by counter. */
static void find_regions(struct run *t, uint8_t place, uint32_t regions[TRIAL_COUNTERS])
{
	/* The line need not be flushed before. */
	struct trial trial = {.place = place, .load = memory_repeat};
	const struct pmu *pmu;

	for (unsigned turn = 0; turn < REGIONS; turn++) {
		for (unsigned c = 0; c < TRIAL_COUNTERS; c++)
			trial.cfg[c] = (struct box_config){
				.event = HOME_REGION, .bit = (uint8_t)(1 + (turn + c) % REGIONS)};
		trial_run(t, &trial, (uint64_t[TRIAL_COUNTERS]){0});
		for (unsigned i = 0; (pmu = trial_box(t, &trial, &i));)
			for (unsigned c = 0; c < TRIAL_COUNTERS; c++)
				if (pmu_read(pmu, c) > MEMORY_REPEAT / 2)
					regions[c] |= (uint32_t)BIT((turn + c) % REGIONS);
	}
}

/* There may be more regions than this event has, up to 12: a line of those is in none here. */
BOX_TEST(regions, "a line lies in one region of memory, which all counters agree on",
	 .clause = "uncore guide, 2.4: HA event TAD_REQUESTS_G0", ON_HA)
{
	uint32_t seen = 0;

	for (uint8_t i = 0; i < MACHINE_PLACES; i++) {
		uint32_t regions[TRIAL_COUNTERS] = {0};

		if (!machine_place(i))
			continue;
		find_regions(t, (uint8_t)(i + 1), regions);
		CHECK(t, !(regions[0] & (regions[0] - 1)));
		for (unsigned c = 1; c < TRIAL_COUNTERS; c++)
			CHECK_EQ(t, regions[c], regions[0]);
		seen |= regions[0];
	}
	SKIP_IF(t, !seen, "no block of memory lies in a region that the event knows");
	report_diag("regions: %x", seen);
}
