/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of another socket, as the QPI links between the sockets count its lines. */
#include "traffic.h"

#define GROUP   "traffic"
#define FLITS   "Intel 327043-001, 2.7: QPI events RxL_FLITS_G0, RxL_FLITS_G1"
#define PACKETS "Intel 327043-001, 2.7, 2.10: QPI event CTO_COUNT; match and mask registers"

#define ALONE   "no block of memory is found that is all another socket's"

/* ---- where memory is ---- */

/* MSRs are those of the socket that this program runs on. */
static unsigned own_socket(void)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_CBO)
			return snbep_box(pmu)->socket;
	return 0;
}

/* Reads that the home agents of other sockets take. */
static uint64_t taken_elsewhere(struct run *t, uint64_t place, box_load *load)
{
	const struct traffic reads = {
		.kind = SNBEP_HA,
		.n = 1,
		.cfg = {{HA_REQUESTS_READS}},
		.place = place,
		.prepare = memory_clean,
		.load = load,
	};
	const struct pmu *pmu;
	uint64_t sum = 0;

	traffic_run(t, &reads);
	for (unsigned i = 0; (pmu = traffic_box(&reads, &i));)
		if (snbep_box(pmu)->socket != own_socket())
			sum += pmu_read(pmu, 0);
	return sum;
}

/* Not where memory is interleaved over the sockets. */
static bool is_remote(struct run *t, uint64_t place)
{
	return taken_elsewhere(t, place, memory_repeat) >= MEMORY_REPEAT &&
	       is_about(taken_elsewhere(t, place, memory_load), MEMORY_LINES);
}

/* Looked for once: it takes a while, and memory stays where it is. */
static uint64_t find_remote_place(struct run *t)
{
	static bool looked;
	static uint64_t place;

	for (unsigned i = 0; !looked && !place && i < MACHINE_PLACES; i++)
		if (machine_place(i) && is_remote(t, machine_place(i)))
			place = machine_place(i);
	looked = true;
	return place;
}

/* ---- flits ---- */

#define DATA_FLITS 8u /* of a line */

enum { DATA, NON_DATA, HOM_REQ, DRS_DATA, DRS_HEADER, DRS, EVENTS };
static const struct snbep_config flits[EVENTS] = {
	[DATA] = {QPI_RXL_FLITS_G0_DATA},
	[NON_DATA] = {QPI_RXL_FLITS_G0_NON_DATA},
	[HOM_REQ] = {QPI_RXL_FLITS_G1_HOM_REQ},
	[DRS_DATA] = {QPI_RXL_FLITS_G1_DRS_DATA},
	[DRS_HEADER] = {QPI_RXL_FLITS_G1_DRS_HEADER},
	[DRS] = {QPI_RXL_FLITS_G1_DRS},
};

/* Each counter on each event once: what all ports together receive on counter c of event e. */
static void count_flits(struct run *t, uint64_t place, uint64_t sum[EVENTS][SNBEP_COUNTERS_MAX])
{
	struct traffic traffic = {
		.kind = SNBEP_QPI,
		.n = SNBEP_COUNTERS_MAX,
		.place = place,
		.prepare = memory_clean,
		.load = memory_load,
	};

	for (unsigned turn = 0; turn < EVENTS; turn++) {
		struct window w;

		for (unsigned c = 0; c < traffic.n; c++)
			traffic.cfg[c] = flits[(turn + c) % EVENTS];
		w = traffic_sums(t, &traffic);
		for (unsigned c = 0; c < traffic.n; c++)
			sum[(turn + c) % EVENTS][c] = w.c[c].out;
	}
}

/* A port that is hidden, unless it is not there, keeps its share to itself. */
static bool port_hidden(void)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_QPI && pmu->silent)
			return true;
	return false;
}

static void check(struct run *t, const char *what, uint64_t got, uint64_t want, bool ok)
{
	if (ok)
		return;
	tell(what, got, want);
	if (got < want && port_hidden())
		test_cannot_judge(t, "a port is hidden that may have carried lines");
	else
		CHECK(t, ok);
}

static void check_lines(struct run *t, const char *what, uint64_t got, uint64_t want)
{
	check(t, what, got, want, is_about(got, want));
}

static void check_at_least(struct run *t, const char *what, uint64_t got, uint64_t want,
			   unsigned slack)
{
	check(t, what, got, want, got + slack >= want);
}

/* Headers are one flit, or three where the platform uses long ones.  What else the sockets have to
 * say, snoops and their responses, is in NON_DATA alone. */
SNBEP_TEST(remote_reads, "a line of another socket is a request, a header and 8 flits of data",
	   .clause = FLITS, .kinds = SNBEP_FIRST(SNBEP_QPI))
{
	uint64_t place = find_remote_place(t), sum[EVENTS][SNBEP_COUNTERS_MAX];

	SKIP_IF(t, !place, ALONE);
	count_flits(t, place, sum);
	for (unsigned c = 0; c < SNBEP_COUNTERS_MAX; c++) {
		unsigned header = is_about(sum[DRS_HEADER][c], 3 * MEMORY_LINES) ? 3 : 1;

		check_lines(t, "DRS_DATA", sum[DRS_DATA][c] / DATA_FLITS, MEMORY_LINES);
		check_lines(t, "DATA", sum[DATA][c] / DATA_FLITS, MEMORY_LINES);
		check_lines(t, "DRS_NONDATA", sum[DRS_HEADER][c] / header, MEMORY_LINES);
		check_lines(t, "DRS", sum[DRS][c] / (DATA_FLITS + header), MEMORY_LINES);
		check_lines(t, "HOM_REQ", sum[HOM_REQ][c], MEMORY_LINES);
		check_at_least(t, "NON_DATA", sum[NON_DATA][c], 2 * MEMORY_LINES,
			       2 * TRAFFIC_SLACK);
	}
}

/* ---- stalls ---- */

/* Nobody can make them happen; where they do, all counters of a port see them. */
SNBEP_TEST(stalls_agree, "counters of a port count the same stalls, whatever the reason",
	   .clause = "Intel 327043-001, 2.7: QPI event RxL_STALLS", .kinds = SNBEP_FIRST(SNBEP_QPI))
{
	struct traffic traffic = {
		.kind = SNBEP_QPI,
		.n = SNBEP_COUNTERS_MAX,
		.place = find_remote_place(t),
		.load = memory_burst,
	};
	const struct pmu *port;

	SKIP_IF(t, !traffic.place, ALONE);
	for (unsigned reason = 1; reason < 0x100; reason *= 2) {
		for (unsigned c = 0; c < traffic.n; c++)
			traffic.cfg[c] = (struct snbep_config){SNBEP_EVENT(0x35, (uint8_t)reason)};
		traffic_run(t, &traffic);
		for (unsigned i = 0; (port = traffic_box(&traffic, &i));)
			for (unsigned c = 1; c < traffic.n; c++)
				CHECK_EQ(t, pmu_read(port, c), pmu_read(port, 0));
	}
}

/* ---- packets ---- */

/* Header fields; MATCH1 above MATCH0.  Whether RNID takes part is not documented. */
#define HEADER_CLASS FIELD(12, 9)
#define HEADER_HOM0  0u
#define HEADER_DRS   14u
#define HEADER_NONE  5u /* of no class */
#define HEADER_BITS  (FIELD(17, 3) | FIELD(51, 48)) /* DNID, class, opcode, VNW; RDS */

/* Packets by port. */
struct packets {
	unsigned ports;
	const struct pmu *port[SNBEP_BOXES_MAX];
	uint64_t n[SNBEP_BOXES_MAX];
};

/* Of a burst of lines the packets whose header is match where mask has bits.  All counters of a
 * port have the same registers. */
static struct packets count_packets(struct run *t, uint64_t place, uint64_t match, uint64_t mask)
{
	const struct traffic traffic = {
		.kind = SNBEP_QPI,
		.n = SNBEP_COUNTERS_MAX,
		.cfg = {{QPI_CTO_COUNT}, {QPI_CTO_COUNT}, {QPI_CTO_COUNT}, {QPI_CTO_COUNT}},
		.filter = {(uint32_t)match, (uint32_t)(match >> 32), (uint32_t)mask,
			   (uint32_t)(mask >> 32)},
		.place = place,
		.load = memory_burst,
	};
	struct packets packets = {0};
	const struct pmu *pmu;

	traffic_run(t, &traffic);
	for (unsigned i = 0; (pmu = traffic_box(&traffic, &i)); packets.ports++) {
		packets.port[packets.ports] = pmu;
		packets.n[packets.ports] = pmu_read(pmu, 0);
		for (unsigned c = 1; c < traffic.n; c++)
			CHECK_EQ(t, pmu_read(pmu, c), packets.n[packets.ports]);
	}
	return packets;
}

/* An eighth: a bit decides over all or none of the lines, others' packets are few. */
#define PACKET_SLACK (MEMORY_FEW / 8)

/* The data responses that a port gets, with a header bit, without it, whichever it is. */
struct responses {
	uint64_t bit;
	struct packets ones, zeros, all;
};

static struct responses count_responses(struct run *t, uint64_t place, uint64_t bit)
{
	uint64_t match = field_put(HEADER_CLASS, HEADER_DRS) & ~bit, mask = HEADER_CLASS & ~bit;

	return (struct responses){bit, count_packets(t, place, match | bit, mask | bit),
				  count_packets(t, place, match, mask | bit),
				  count_packets(t, place, match, mask)};
}

static void tell_port(const struct responses *r, unsigned i)
{
	report_diag("%s: header bit %u: %llu set, %llu clear, %llu in all", r->all.port[i]->name,
		    (unsigned)__builtin_ctzll(r->bit), (unsigned long long)r->ones.n[i],
		    (unsigned long long)r->zeros.n[i], (unsigned long long)r->all.n[i]);
}

static void check_either(struct run *t, const struct responses *r, unsigned i)
{
	uint64_t either = r->ones.n[i] + r->zeros.n[i], all = r->all.n[i];

	if (!CHECK(t, either <= all + PACKET_SLACK && all <= either + PACKET_SLACK))
		tell_port(r, i);
}

/* The ports of a socket carry lines in turn, so that the headers are of the same kind. */
static void check_pair(struct run *t, const struct responses *r, unsigned i, unsigned j)
{
	bool set[] = {r->ones.n[i] > r->zeros.n[i], r->ones.n[j] > r->zeros.n[j]};

	if (snbep_box(r->all.port[i])->socket != snbep_box(r->all.port[j])->socket ||
	    r->all.n[i] <= PACKET_SLACK || r->all.n[j] <= PACKET_SLACK)
		return;
	if (!CHECK_EQ(t, set[0], set[1])) {
		tell_port(r, i);
		tell_port(r, j);
	}
}

static void check_bit(struct run *t, uint64_t place, uint64_t bit)
{
	struct responses r = count_responses(t, place, bit);

	for (unsigned i = 0; i < r.all.ports; i++) {
		check_either(t, &r, i);
		for (unsigned j = 0; j < i; j++)
			check_pair(t, &r, i, j);
	}
}

static uint64_t sum_packets(struct run *t, uint64_t place, uint64_t class, uint64_t mask)
{
	struct packets packets = count_packets(t, place, field_put(HEADER_CLASS, class), mask);
	uint64_t sum = 0;

	for (unsigned i = 0; i < packets.ports; i++)
		sum += packets.n[i];
	return sum;
}

static void check_packets(struct run *t, uint64_t place, uint64_t class, uint64_t mask,
			  unsigned want)
{
	check_at_least(t, "packets", sum_packets(t, place, class, mask), want, PACKET_SLACK);
}

static const char *why_unmatched(void)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_QPI && !pmu->silent && snbep_box(pmu)->no_match)
			return snbep_box(pmu)->no_match;
	return NULL;
}

SNBEP_TEST(packets, "of data responses each is matched with a header bit or without it, never both",
	   .clause = PACKETS, .kinds = SNBEP_FIRST(SNBEP_QPI))
{
	uint64_t place = find_remote_place(t);

	SKIP_IF(t, !place || why_unmatched(), place ? why_unmatched() : ALONE);
	check_packets(t, place, HEADER_DRS, HEADER_CLASS, MEMORY_FEW);
	check_packets(t, place, HEADER_HOM0, HEADER_CLASS, MEMORY_FEW);
	check_packets(t, place, 0, 0, 2 * MEMORY_FEW);
	CHECK_EQ(t, sum_packets(t, place, HEADER_NONE, HEADER_CLASS), 0);
	for (uint64_t left = HEADER_BITS; left; left &= left - 1)
		check_bit(t, place, left & -left);
}

/* ---- target nodes ---- */

#define NODES 8u /* bits of the field nid */

/* Misses on lines of the place, by the node that the filter of all slices names. */
static uint64_t misses_to(struct run *t, uint64_t place, unsigned node)
{
	const struct traffic traffic = {
		.kind = SNBEP_CBO,
		.n = 1,
		.cfg = {{CBO_TOR_INSERTS_NID_MISS}},
		.filter = {(uint32_t)(field_put(CBO_FILTER_OPC, CBO_OPC_DRD) |
				      field_put(CBO_FILTER_NID, BIT(node)))},
		.place = place,
		.prepare = memory_clean,
		.load = memory_load,
	};

	return traffic_once(t, &traffic);
}

SNBEP_TEST(remote_node, "lines of another socket are misses to a node that is not this one's",
	   .clause = "Intel 327043-001, 2.3: CBo event TOR_INSERTS; filter nid",
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	uint64_t place = find_remote_place(t), here, sum = 0;

	SKIP_IF(t, !place, ALONE);
	here = misses_to(t, place, snbep_box(t->pmu)->node);
	for (unsigned node = 0; node < NODES; node++)
		if (node != snbep_box(t->pmu)->node)
			sum += misses_to(t, place, node);
	check_lines(t, "to other nodes", sum, MEMORY_LINES);
	check_lines(t, "to this node", here, 0);
}
