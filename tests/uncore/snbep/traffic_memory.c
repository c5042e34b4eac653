/* SPDX-License-Identifier: BSD-2-Clause */
/* A known number of lines read from and written to memory, as the memory channels and the home
 * agents of all sockets count them. */
#include "traffic.h"

#define GROUP    "traffic"
#define CHANNELS "Intel 327043-001, 2.5: iMC events CAS_COUNT, RPQ_INSERTS, WPQ_INSERTS"
#define HOME     "Intel 327043-001, 2.4: HA events REQUESTS, IMC_WRITES, ADDR_OPC_MATCH"

#define ON_CHANNELS                                                                                \
	.kind = SNBEP_IMC, .n = 4,                                                                 \
	.cfg = {{IMC_CAS_COUNT_RD}, {IMC_CAS_COUNT_WR}, {IMC_RPQ_INSERTS}, {IMC_WPQ_INSERTS}}
enum { RD, WR, RPQ, WPQ };

static const struct traffic reads = {ON_CHANNELS, .prepare = memory_clean, .load = memory_load};
static const struct traffic writes = {ON_CHANNELS, .prepare = memory_clean,
				      .load = memory_write_back};
static const struct traffic streams = {ON_CHANNELS, .prepare = memory_clean, .load = memory_stream};

/* Channels in lockstep move halves of each line together, and so all count it: seen on one line
 * that is read again and again. */
static uint64_t channels_per_line(struct run *t)
{
	const struct traffic one_line = {ON_CHANNELS, .prepare = memory_clean,
					 .load = memory_repeat};
	const struct pmu *pmu;
	uint64_t channels = 0;

	traffic_run(t, &one_line);
	for (unsigned i = 0; (pmu = traffic_box(&one_line, &i));)
		channels += pmu_read(pmu, RD) > MEMORY_REPEAT / 2;
	if (channels > 1)
		report_diag("%llu channels in lockstep", (unsigned long long)channels);
	return channels ? channels : 1;
}

static bool some_hidden(uint32_t kind)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->silent && pmu->kinds & kind)
			return true;
	return false;
}

/* A sum over all boxes of the kind; some of it is out of sight if one of them is. */
static void check_about(struct run *t, uint32_t kind, const char *what, uint64_t got, uint64_t want)
{
	if (is_about(got, want))
		return;
	tell(what, got, want);
	if (got < want && some_hidden(kind))
		test_cannot_judge(t, "lines are missing that a hidden box may have counted");
	else
		CHECK(t, is_about(got, want));
}

static void check_lines(struct run *t, const struct traffic *traffic, uint64_t rd, uint64_t wr)
{
	uint64_t channels = channels_per_line(t);
	struct window w = traffic_sums(t, traffic);

	check_about(t, SNBEP_IMC, "read", w.c[RD].out, rd * channels);
	check_about(t, SNBEP_IMC, "written", w.c[WR].out, wr * channels);
}

SNBEP_TEST(cas_reads, "each line loaded that no cache has is one read of DRAM, and no write",
	   .clause = CHANNELS, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	check_lines(t, &reads, MEMORY_LINES, 0);
}

SNBEP_TEST(cas_writes, "each line stored to and flushed is one read and one write of DRAM",
	   .clause = CHANNELS, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	check_lines(t, &writes, MEMORY_LINES, MEMORY_LINES);
}

SNBEP_TEST(streamed_writes, "each line streamed past the caches is one write of DRAM, and no read",
	   .clause = CHANNELS, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	check_lines(t, &streams, 0, MEMORY_LINES);
}

/* 1 %: what is queued when the window opens or closes, and reads to fill up partial writes. */
#define QUEUE_SLACK (MEMORY_LINES / 100)

static bool within(uint64_t a, uint64_t b, uint64_t slack)
{
	return a <= b + slack && b <= a + slack;
}

SNBEP_TEST(queue_inserts, "what enters the read or write queue of a channel leaves as a CAS",
	   .clause = CHANNELS, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	struct window w = traffic_sums(t, &writes);

	if (!CHECK(t, within(w.c[RPQ].out, w.c[RD].out, QUEUE_SLACK)))
		tell("RPQ_INSERTS", w.c[RPQ].out, w.c[RD].out);
	if (!CHECK(t, within(w.c[WPQ].out, w.c[WR].out, QUEUE_SLACK)))
		tell("WPQ_INSERTS", w.c[WPQ].out, w.c[WR].out);
}

/* Interleaving is over all channels, or over those that a region of memory is on; each gets as
 * much. 1 % of all lines: what disturbs does not come evenly. */
SNBEP_TEST(channels_share, "the channels that memory is interleaved over get as many lines each",
	   .clause = CHANNELS, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	uint64_t share[SNBEP_BOXES_MAX], sum = 0, ways = 0;
	const struct pmu *pmu;
	unsigned n = 0;

	traffic_run(t, &reads);
	for (unsigned i = 0; (pmu = traffic_box(&reads, &i)); n++) {
		share[n] = pmu_read(pmu, RD);
		ways += share[n] > QUEUE_SLACK;
		sum += share[n];
	}
	check_about(t, SNBEP_IMC, "all channels", sum, MEMORY_LINES * channels_per_line(t));
	REQUIRE(t, ways > 0);
	for (unsigned i = 0; i < n; i++)
		if (share[i] > QUEUE_SLACK && !CHECK(t, within(share[i], sum / ways, QUEUE_SLACK)))
			tell("a channel's lines", share[i], sum / ways);
}

/* ---- home agents ---- */

#define AT_HOME                                                                                    \
	.kind = SNBEP_HA, .n = 4,                                                                  \
	.cfg = {{HA_REQUESTS_READS},                                                               \
		{HA_REQUESTS_WRITES},                                                              \
		{HA_IMC_WRITES_FULL},                                                              \
		{HA_IMC_WRITES_PARTIAL}}
enum { READS, WRITES, FULL, PARTIAL };

static const struct traffic home_reads = {AT_HOME, .prepare = memory_clean, .load = memory_load};
static const struct traffic home_writes = {AT_HOME, .prepare = memory_clean,
					   .load = memory_write_back};
static const struct traffic home_streams = {AT_HOME, .prepare = memory_clean,
					    .load = memory_stream};

SNBEP_TEST(requests, "the home agents take a read for each line loaded, a write for each flushed",
	   .clause = HOME, .kinds = SNBEP_FIRST(SNBEP_HA))
{
	struct window w = traffic_sums(t, &home_reads);

	check_about(t, SNBEP_HA, "READS", w.c[READS].out, MEMORY_LINES);
	check_about(t, SNBEP_HA, "WRITES", w.c[WRITES].out, 0);
	w = traffic_sums(t, &home_writes);
	check_about(t, SNBEP_HA, "WRITES", w.c[WRITES].out, MEMORY_LINES);
}

SNBEP_TEST(imc_writes, "each whole line streamed is one full write from home agent to channel",
	   .clause = HOME, .kinds = SNBEP_FIRST(SNBEP_HA))
{
	struct window w = traffic_sums(t, &home_streams);

	check_about(t, SNBEP_HA, "FULL", w.c[FULL].out, MEMORY_LINES);
	check_about(t, SNBEP_HA, "PARTIAL", w.c[PARTIAL].out, 0);
}

SNBEP_TEST(reads_match_cas, "home agents and channels count the same reads", .clause = HOME,
	   .kinds = SNBEP_FIRST(SNBEP_HA))
{
	uint64_t channels = channels_per_line(t), cas = traffic_once(t, &reads);

	check_about(t, SNBEP_IMC, "CAS_COUNT.RD", cas, traffic_once(t, &home_reads) * channels);
}

/* Reads of the first line, by all home agents, with the filters on this address and opcode. */
static uint64_t matches_of(struct run *t, struct snbep_config cfg, uint64_t address,
			   uint32_t opcode, box_load *prepare)
{
	const struct traffic traffic = {
		.kind = SNBEP_HA,
		.n = 1,
		.cfg = {cfg},
		.filter = {(uint32_t)(address & HA_ADDRMATCH0_FIELDS), (uint32_t)(address >> 32),
			   opcode},
		.prepare = prepare,
		.load = memory_repeat,
	};

	return traffic_once(t, &traffic);
}

static uint64_t matches(struct run *t, uint64_t address, box_load *prepare)
{
	const struct snbep_config cfg = {HA_ADDR_OPC_MATCH_ADDR};

	return matches_of(t, cfg, address, 0, prepare);
}

#define ADDRESS_MAX FIELD(45, 0)

/* Twice: its snoop responses may be counted with the reads.  What is at an address that differs in
 * one bit may be read by others, though hardly as often. */
SNBEP_TEST(address_match, "the address filter finds each read of its line, and none of another",
	   .clause = HOME, .kinds = SNBEP_FIRST(SNBEP_HA))
{
	uint64_t line = memory_first_line(), got = matches(t, line, memory_clean);

	if (!CHECK(t, got >= MEMORY_REPEAT && got <= 2 * MEMORY_REPEAT))
		tell("matches", got, MEMORY_REPEAT);
	for (uint64_t bit = LINE_SIZE; bit <= ADDRESS_MAX; bit *= 2)
		CHECK(t, matches(t, line ^ bit, NULL) < MEMORY_REPEAT);
}

/* Half of them: what else may have to do with the line is rarer. */
static bool is_opcode(struct run *t, uint32_t opcode)
{
	const struct snbep_config cfg = {HA_ADDR_OPC_MATCH_FILT};

	return matches_of(t, cfg, memory_first_line(), opcode, NULL) > MEMORY_REPEAT / 2;
}

/* How opcodes are coded is not documented for this part, but a read has one.  That one bit makes a
 * snoop response of it is unlikely: those are of another class. */
SNBEP_TEST(opcode_match,
	   "the opcode filter finds reads of a line by one number, and by none close to it",
	   .clause = HOME, .kinds = SNBEP_FIRST(SNBEP_HA))
{
	uint32_t opcode = 0;

	memory_clean();
	while (opcode < HA_OPCODEMATCH_FIELDS && !is_opcode(t, opcode))
		opcode++;
	REQUIRE(t, is_opcode(t, opcode));
	for (uint32_t bit = 1; bit < HA_OPCODEMATCH_FIELDS; bit *= 2)
		CHECK(t, !is_opcode(t, opcode ^ bit));
}
