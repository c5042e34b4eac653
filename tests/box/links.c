/* SPDX-License-Identifier: BSD-2-Clause */
/* The QPI ports: what they count without help, and memory of another socket, whose lines go through
 * them. */
#include "box.h"

#define GROUP   "traffic", "count"
#define LINK    "uncore guide, 2.7: QPI events"
#define FLITS   "uncore guide, 2.7: QPI events RxL_FLITS_G0, RxL_FLITS_G1"
#define PACKETS "uncore guide, 2.7, 2.10: QPI event CTO_COUNT; match and mask registers"
#define PORTS   .kinds = BOX_FIRST(BOX_LINK), .absent = why_no_messages

ABSENT_UNLESS(why_no_messages, box_event(box_of(pmu)->kind, LINK_DATA_IN),
	      "such a link does not tell flits of lines from others")

/* ---- one port ---- */

/* A flit has 80 bits, and 20 lanes move 8 bits in a clock. */
#define FLITS_PER_CLOCK 2

/* In L0 a flit is sent in every slot, an idle one if there is nothing to say; a link that saves
 * power sends fewer. */
BOX_TEST(flits, "idle, data and other flits fill the two slots of a clock", .clause = LINK,
	 .kinds = BOX_LINK, .counts = EV_CYCLES, .absent = why_no_messages)
{
	static const struct trial kinds = {
		.cfg = {{.event = LINK_IDLE},
			{.event = LINK_DATA},
			{.event = LINK_NON_DATA},
			{CLOCKS}},
		.law = {{{1, 1, 1, -FLITS_PER_CLOCK}, AT_MOST(0)}},
	};
	static const struct trial slots = {
		.cfg = {{.event = LINK_FLITS}, {CLOCKS}, {.event = LINK_FULL_POWER}},
	};
	uint64_t out[TRIAL_COUNTERS];

	judge(t, &kinds);
	trial_run(t, &slots, out);
	if (out[1] == out[2])
		CHECK_EQ(t, out[0], FLITS_PER_CLOCK * out[1]);
	else
		report_diag("not always in L0: %llu of %llu clocks", (unsigned long long)out[2],
			    (unsigned long long)out[1]);
}

/* The rate of a link depends on both its ends. */
BOX_TEST(clocks, "the clock of a link in use goes on", .clause = LINK, .kinds = BOX_LINK,
	 .counts = EV_CYCLES)
{
	static const struct trial trial = {.cfg = {{CLOCKS}}};
	uint64_t tsc = rdtsc(), clocks = trial_count(t, &trial);

	CHECK_IS(t, clocks, >, 0);
	tsc = rdtsc() - tsc;
	report_diag("%s: clock of %llu or more kHz", t->pmu->name,
		    (unsigned long long)(clocks * machine_tsc_per_ms() / tsc));
}

/* ---- where memory is ---- */

/* MSRs belong to the socket that this program runs on. */
static unsigned own_socket(void)
{
	const struct pmu *slice = find_box(BOX_SLICE);

	return slice ? box_of(slice)->socket : 0;
}

/* Reads that the home agents of other sockets take. */
static uint64_t taken_elsewhere(struct run *t, uint8_t place, box_load *load)
{
	const struct trial reads = {
		.all = BOX_HOME,
		.cfg = {{.event = HOME_READS}},
		.place = place,
		.prepare = memory_clean,
		.load = load,
	};
	const struct pmu *home;
	uint64_t sum = 0;

	trial_run(t, &reads, (uint64_t[TRIAL_COUNTERS]){0});
	for (unsigned i = 0; (home = trial_box(t, &reads, &i));)
		if (box_of(home)->socket != own_socket())
			sum += pmu_read(home, 0);
	return sum;
}

/* Not where memory is interleaved over the sockets. */
static bool is_remote(struct run *t, uint8_t place)
{
	return taken_elsewhere(t, place, memory_repeat) >= MEMORY_REPEAT &&
	       is_about(taken_elsewhere(t, place, memory_load), MEMORY_LINES);
}

static uint8_t find_remote_place(struct run *t)
{
	for (uint8_t place = 1; place <= MACHINE_PLACES; place++)
		if (machine_place(place - 1u) && is_remote(t, place))
			return place;
	return 0;
}

/* Looked for once from each socket: it takes a while, and memory stays where it is. */
uint8_t remote_place(struct run *t)
{
	static unsigned looked_from = ~0u;
	static uint8_t place;

	if (looked_from != own_socket())
		place = find_remote_place(t);
	looked_from = own_socket();
	SKIP_IF(t, !place, "no block of memory is found that is all another socket's");
	return place;
}

/* ---- flits ---- */

#define DATA_FLITS 8 /* of a line */
#define ROWS_MAX   8u

/* Events of which the rows say how many a line makes, and what came of MEMORY_LINES lines. */
struct flits {
	unsigned n;
	const struct box_event *row[ROWS_MAX];
	uint64_t sum[ROWS_MAX][TRIAL_COUNTERS];
};

/* Each counter on each event once. */
static void count_flits(struct run *t, uint8_t place, struct flits *flits)
{
	struct trial trial = {LOADED, .place = place};
	uint64_t out[TRIAL_COUNTERS];

	for (const struct box_event *row = kind_of(t)->events; row->name; row++)
		if (row->per_line[LINE_LOADED] && flits->n < ROWS_MAX)
			flits->row[flits->n++] = row;
	for (unsigned turn = 0; turn < flits->n; turn++) {
		for (unsigned c = 0; c < TRIAL_COUNTERS; c++)
			trial.cfg[c].event = flits->row[(turn + c) % flits->n]->is;
		trial_sums(t, &trial, out);
		for (unsigned c = 0; c < TRIAL_COUNTERS; c++)
			flits->sum[(turn + c) % flits->n][c] = out[c];
	}
}

/* Flits of a header: one, or three where the platform uses long ones. */
static unsigned header_flits(const struct flits *flits, unsigned ctr)
{
	for (unsigned i = 0; i < flits->n; i++)
		if (flits->row[i]->is == LINK_RESPONSE_HEADERS_IN &&
		    is_about(flits->sum[i][ctr], 3 * MEMORY_LINES))
			return 3;
	return 1;
}

/* All ports together have counted n of MEMORY_LINES lines. */
static void check_flits(struct run *t, const struct box_event *row, unsigned header, uint64_t n)
{
	unsigned of_line = (unsigned)row->per_line[LINE_LOADED] + row->headers * (header - 1);
	struct law want = {ABOUT(MEMORY_LINES)};

	if (row->or_more)
		want.above = NO_LIMIT;
	check_sum(t, BOX_LINK, row->name, n / of_line, want);
}

BOX_TEST(remote_reads, "a line of another socket is a request, a header and 8 flits of data",
	 .clause = FLITS, PORTS)
{
	uint8_t place = remote_place(t);
	struct flits flits = {0};

	count_flits(t, place, &flits);
	for (unsigned c = 0; c < TRIAL_COUNTERS; c++)
		for (unsigned i = 0; i < flits.n; i++)
			check_flits(t, flits.row[i], header_flits(&flits, c), flits.sum[i][c]);
}

/* A window may open in the midst of a line that somebody else has asked for. */
BOX_TEST(
	data_edges,
	"a port that has data now and then begins to have some, no more often than in a clock each",
	.clause = THRESHOLDS "; 2.7: RxL_FLITS_G0", PORTS)
{
	enum { BEGINS, WITH, FLITS_THEN };
	struct trial trial = {
		.place = remote_place(t),
		.prepare = memory_clean,
		.load = memory_load,
		.law = {{{MANY, -1}, AT_LEAST(0), .below = DATA_FLITS},
			{{1, -1}, AT_MOST(0)},
			{{0, 1, -1}, AT_MOST(0)}},
		.each = 0x7,
	};

	for (unsigned i = BEGINS; i <= FLITS_THEN; i++)
		trial.cfg[i] = (struct box_config){.event = LINK_DATA_IN};
	trial.cfg[BEGINS].at_least = trial.cfg[WITH].at_least = 1;
	trial.cfg[BEGINS].edge = true;
	for (; trial.first < TRIAL_COUNTERS; trial.first++)
		judge(t, &trial);
}

/* ---- stalls ---- */

/* Nobody can make them happen; where they do, all counters of a port see them. */
BOX_TEST(stalls_agree, "counters of a port count the same stalls, whatever the reason",
	 .clause = "uncore guide, 2.7: QPI event RxL_STALLS", PORTS)
{
	uint8_t place = remote_place(t);

	for (uint8_t reason = 1; reason <= 8; reason++) {
		const struct trial trial = {.place = place,
					    .load = memory_burst,
					    ON_ALL(.event = LINK_STALLS, .bit = reason),
					    .law = {ALIKE},
					    .each = 0x7};

		judge(t, &trial);
	}
}

/* ---- packets ---- */

/* Header fields; MATCH1 above MATCH0.  Whether RNID takes part is not documented. */
#define HEADER_CLASS FIELD(12, 9)
#define HEADER_HOM0  0u
#define HEADER_DRS   14u
#define HEADER_NONE  5u /* of no class */
#define HEADER_BITS  (FIELD(17, 3) | FIELD(51, 48)) /* DNID, class, opcode, VNW; RDS */

#define PORTS_MAX    16u /* of four sockets: the platforms' sum */

/* Packets by port. */
struct packets {
	unsigned ports;
	const struct pmu *port[PORTS_MAX];
	uint64_t n[PORTS_MAX], sum;
};

/* Counts those packets of a burst of lines whose header is match where mask has bits.  All counters
 * of a port have the same registers. */
static struct packets count_packets(struct run *t, uint8_t place, uint64_t match, uint64_t mask)
{
	const struct trial trial = {
		ON_ALL(.event = LINK_PACKETS),
		.law = {ALIKE},
		.each = 0x7,
		FILTERS(.reg = {(uint32_t)match, (uint32_t)(match >> 32), (uint32_t)mask,
				(uint32_t)(mask >> 32)}),
		.place = place,
		.load = memory_burst,
	};
	struct packets packets = {0};
	const struct pmu *pmu;

	judge(t, &trial);
	for (unsigned i = 0; (pmu = trial_box(t, &trial, &i)); packets.ports++) {
		packets.port[packets.ports] = pmu;
		packets.n[packets.ports] = pmu_read(pmu, 0);
		packets.sum += packets.n[packets.ports];
	}
	return packets;
}

/* An eighth: a bit decides over all or none of the lines, others' packets are few. */
#define PACKET_SLACK (MEMORY_FEW / 8)

/* The ports of a socket carry lines in turn, so that the headers are of the same kind. */
static bool is_pair(const struct packets *all, unsigned i, unsigned j)
{
	return box_of(all->port[i])->socket == box_of(all->port[j])->socket &&
	       all->n[i] > PACKET_SLACK && all->n[j] > PACKET_SLACK;
}

/* The data responses that a port gets, with a header bit, without it, whichever it is. */
static void check_bit(struct run *t, uint8_t place, uint64_t bit)
{
	uint64_t match = field_put(HEADER_CLASS, HEADER_DRS) & ~bit, mask = HEADER_CLASS & ~bit;
	struct packets ones = count_packets(t, place, match | bit, mask | bit);
	struct packets zeros = count_packets(t, place, match, mask | bit);
	struct packets all = count_packets(t, place, match, mask);
	unsigned failures = t->failures;

	for (unsigned i = 0; i < all.ports; i++) {
		check_sum(t, 0, all.port[i]->name, ones.n[i] + zeros.n[i],
			  (struct law){WITHIN((int32_t)all.n[i], PACKET_SLACK)});
		for (unsigned j = 0; j < i; j++)
			if (is_pair(&all, i, j))
				CHECK_EQ(t, ones.n[i] > zeros.n[i], ones.n[j] > zeros.n[j]);
	}
	for (unsigned i = 0; t->failures > failures && i < all.ports; i++)
		report_diag("%s: header bit %u: %llu set, %llu clear, %llu in all",
			    all.port[i]->name, field_shift(bit), (unsigned long long)ones.n[i],
			    (unsigned long long)zeros.n[i], (unsigned long long)all.n[i]);
}

static void check_packets(struct run *t, uint8_t place, uint64_t class, uint64_t mask,
			  struct law want)
{
	struct packets packets = count_packets(t, place, field_put(HEADER_CLASS, class), mask);

	check_sum(t, BOX_LINK, "packets", packets.sum, want);
}

static const char *why_unmatched(void)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = box_pmu(i)); i++)
		if (pmu->kinds & BOX_LINK && !pmu->silent && box_of(pmu)->no_filter)
			return box_of(pmu)->no_filter;
	return NULL;
}

#define OR_MORE(n_) .n = (n_), .below = PACKET_SLACK, .above = NO_LIMIT

BOX_TEST(packets, "of data responses each is matched with a header bit or without it, never both",
	 .clause = PACKETS, PORTS)
{
	uint8_t place = remote_place(t);

	SKIP_IF(t, why_unmatched(), why_unmatched());
	check_packets(t, place, HEADER_DRS, HEADER_CLASS, (struct law){OR_MORE(MEMORY_FEW)});
	check_packets(t, place, HEADER_HOM0, HEADER_CLASS, (struct law){OR_MORE(MEMORY_FEW)});
	check_packets(t, place, 0, 0, (struct law){OR_MORE(2 * MEMORY_FEW)});
	check_packets(t, place, HEADER_NONE, HEADER_CLASS, (struct law){EXACTLY(0)});
	for (uint64_t left = HEADER_BITS; left; left &= left - 1)
		check_bit(t, place, left & -left);
}
