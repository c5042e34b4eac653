/* SPDX-License-Identifier: BSD-2-Clause */
/* A known number of lines loaded or stored to by one core, as the cache slices of its socket count
 * them: inserts into the table of requests (TOR) and lookups. */
#include "traffic.h"

#define GROUP       "traffic"
#define TOR         "Intel 327043-001, 2.3: CBo events TOR_INSERTS, TOR_OCCUPANCY; filter opc, nid"
#define LOOKUP      "Intel 327043-001, 2.3: CBo event LLC_LOOKUP; filter state"

#define ALL_STATES  UINT64_C(0x1f)
#define STATE_I     UINT64_C(0x01) /* a miss */
#define ALL_NODES   UINT64_C(0xff)
#define TOR_ENTRIES 20u

static struct traffic on_slices(struct snbep_config cfg, uint64_t filter)
{
	return (struct traffic){.kind = SNBEP_CBO,
				.n = 1,
				.cfg = {cfg},
				.filter = {(uint32_t)filter},
				.prepare = memory_clean,
				.load = memory_load};
}

static void check_slices(struct run *t, const struct traffic *traffic, uint64_t want)
{
	uint64_t got = want ? traffic_sum(t, traffic) : traffic_once(t, traffic);

	if (!CHECK(t, is_about(got, want)))
		tell("slices", got, want);
}

static uint64_t opcode(uint64_t opc)
{
	return field_put(CBO_FILTER_OPC, opc);
}

SNBEP_TEST(tor_inserts, "each line loaded that no cache has is one DRd request, and no RFO",
	   .clause = TOR, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_OPCODE};
	struct traffic drd = on_slices(cfg, opcode(CBO_OPC_DRD));
	struct traffic none = on_slices(cfg, opcode(CBO_OPC_RFO));

	check_slices(t, &drd, MEMORY_LINES);
	check_slices(t, &none, 0);
}

/* Above all no prefetch, RFO or write-back: codes that differ in one bit from that of a load. */
SNBEP_TEST(opcodes, "a request is matched by its own opcode alone, in each of the nine bits",
	   .clause = TOR, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_OPCODE};

	for (uint64_t bit = 1; bit <= field_max(CBO_FILTER_OPC); bit *= 2) {
		struct traffic other = on_slices(cfg, opcode(CBO_OPC_DRD ^ bit));

		check_slices(t, &other, 0);
	}
}

SNBEP_TEST(tor_misses, "a request misses if no cache has the line, else it does not", .clause = TOR,
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_MISS};
	struct traffic drd = on_slices(cfg, opcode(CBO_OPC_DRD));

	check_slices(t, &drd, MEMORY_LINES);
	drd.prepare = memory_load;
	check_slices(t, &drd, 0);
}

SNBEP_TEST(rfo, "each line stored to that no cache has is one RFO request", .clause = TOR,
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_OPCODE};
	struct traffic rfo = on_slices(cfg, opcode(CBO_OPC_RFO));

	rfo.load = memory_store;
	check_slices(t, &rfo, MEMORY_LINES);
}

/* ---- lookups ---- */

static uint64_t lookups_in(struct run *t, uint64_t states)
{
	const struct snbep_config cfg = {CBO_LLC_LOOKUP_DATA_READ};
	struct traffic traffic = on_slices(cfg, field_put(CBO_FILTER_STATE, states));

	return traffic_once(t, &traffic);
}

/* A request that has to be tried again looks up again. */
static void check_lookups(struct run *t, uint64_t got)
{
	if (!CHECK(t, got + TRAFFIC_SLACK >= MEMORY_LINES && got <= 2 * MEMORY_LINES))
		tell("lookups", got, MEMORY_LINES);
}

SNBEP_TEST(lookups, "each line loaded is looked up, and one that no cache has is found in state I",
	   .clause = LOOKUP, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	uint64_t hits;

	check_lookups(t, lookups_in(t, ALL_STATES));
	check_lookups(t, lookups_in(t, STATE_I));
	hits = lookups_in(t, ALL_STATES & ~STATE_I);
	if (!CHECK(t, is_about(hits, 0)))
		tell("found in other states", hits, 0);
}

SNBEP_TEST(lookup_needs_state, "without a state in the filter no lookup is counted",
	   .clause = LOOKUP, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	CHECK_EQ(t, lookups_in(t, 0), 0);
}

SNBEP_TEST(lookup_needs_bit0, "without bit 0 of the unit mask no lookup is counted",
	   .clause = LOOKUP, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_LLC_LOOKUP_WITHOUT_BIT0};
	struct traffic traffic = on_slices(cfg, field_put(CBO_FILTER_STATE, ALL_STATES));

	CHECK_EQ(t, traffic_once(t, &traffic), 0);
}

/* ---- lines that the LLC has, and the core no longer ---- */

/* All lines but those that the core may have kept. */
static void check_left(struct run *t, const char *what, uint64_t got)
{
	if (!CHECK(t, got >= MEMORY_MANY - MEMORY_CORE))
		tell(what, got, MEMORY_MANY);
}

static uint64_t lookups_of_many(struct run *t, box_load *prepare, uint64_t states)
{
	const struct snbep_config cfg = {CBO_LLC_LOOKUP_DATA_READ};
	struct traffic traffic = on_slices(cfg, field_put(CBO_FILTER_STATE, states));

	traffic.prepare = prepare;
	traffic.load = memory_load_many;
	return traffic_once(t, &traffic);
}

/* Requests under way as the window opens, looked up before it. */
#define UNDER_WAY 16u

/* In each slice: what is inserted as a load has been looked up, and found in some state. */
static void check_looked_up(struct run *t, box_load *prepare)
{
	const struct traffic traffic = {
		.kind = SNBEP_CBO,
		.n = 2,
		.cfg = {{CBO_LLC_LOOKUP_DATA_READ}, {CBO_TOR_INSERTS_OPCODE}},
		.filter = {(uint32_t)(CBO_FILTER_STATE | opcode(CBO_OPC_DRD))},
		.prepare = prepare,
		.load = memory_load_many,
	};
	const struct pmu *slice;
	uint64_t sum = 0;

	traffic_run(t, &traffic);
	for (unsigned i = 0; (slice = traffic_box(&traffic, &i));) {
		uint64_t lookups = pmu_read(slice, 0), loads = pmu_read(slice, 1);

		if (!CHECK(t, lookups + UNDER_WAY >= loads))
			tell(slice->name, lookups, loads);
		sum += loads;
	}
	check_left(t, "loads", sum);
}

/* Filled once, the LLC keeps the lines.  Loaded, they are found as the window before has left them;
 * stored to, only after they have been again.  Which state that is is the protocol's business.
 * Twice: a request that has to be tried again looks up again. */
static void check_states(struct run *t, box_load *fill, box_load *again)
{
	uint64_t sum = 0;

	check_looked_up(t, fill);
	for (uint64_t state = 1; state <= ALL_STATES; state *= 2)
		sum += lookups_of_many(t, again, state);
	check_left(t, "lookups by state", sum);
	CHECK(t, sum <= 2 * MEMORY_MANY);
}

SNBEP_TEST(lookup_states, "each lookup finds its line in one state, clean or dirty as it may be",
	   .clause = LOOKUP, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	check_states(t, memory_fill, NULL);
	check_states(t, memory_fill_dirty, memory_store_many);
}

SNBEP_TEST(write_backs, "each line stored to that leaves the core's caches is written to the LLC",
	   .clause = TOR, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config wb = {CBO_TOR_INSERTS_WB}, write = {CBO_LLC_LOOKUP_WRITE};
	struct traffic inserts = on_slices(wb, 0);
	struct traffic lookups = on_slices(write, field_put(CBO_FILTER_STATE, ALL_STATES));

	inserts.prepare = lookups.prepare = memory_flush_many;
	inserts.load = lookups.load = memory_store_many;
	check_left(t, "inserts", traffic_once(t, &inserts));
	check_left(t, "lookups", traffic_once(t, &lookups));
}

/* The first half of many lines stored to: of them the core has kept no more than its other room. */
SNBEP_TEST(write_aliases, "a line streamed past the caches is an alias if one of them has it dirty",
	   .clause = "Intel 327043-001, 2.3: CBo event MISC: WC_ALIASING",
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_MISC_WC_ALIASING};
	struct traffic streams = on_slices(cfg, 0);
	uint64_t got;

	streams.load = memory_stream;
	check_slices(t, &streams, 0);
	streams.prepare = memory_fill_dirty;
	got = traffic_once(t, &streams);
	if (!CHECK(t, got + MEMORY_CORE >= MEMORY_MANY))
		tell("aliases", got, MEMORY_LINES);
}

/* ---- occupancy ---- */

/* Counter 0's number reaches the others some clocks later, by an entry or more each. */
#define LAG 16u

SNBEP_TEST(tor_occupancy, "the table holds 1 to 20 requests in the clocks in which it holds any",
	   .clause = TOR, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	static const struct traffic traffic = {
		.kind = SNBEP_CBO,
		.n = 3,
		.cfg = {{CBO_TOR_OCCUPANCY_ALL},
			{CBO_COUNTER0_OCCUPANCY, .at_least = 1},
			{CBO_COUNTER0_OCCUPANCY, .at_least = TOR_ENTRIES + 1}},
		.prepare = memory_clean,
		.load = memory_load,
	};
	const struct pmu *slice;

	traffic_run(t, &traffic);
	for (unsigned i = 0; (slice = traffic_box(&traffic, &i));) {
		uint64_t all = pmu_read(slice, 0), any = pmu_read(slice, 1);

		if (!CHECK(t, all + LAG >= any && all <= TOR_ENTRIES * (any + LAG) && any > 0))
			tell(slice->name, all, any);
		CHECK_EQ(t, pmu_read(slice, 2), 0);
	}
}

/* ---- filters and slices ---- */

/* 10 %: the specification's 5 % are of a million lines, of which the hash spreads as many as it
 * happens to; of 4096 a slice of eight gets 512. */
SNBEP_TEST(slices_share, "the hash spreads lines evenly over the slices", .clause = TOR,
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_OPCODE};
	const struct traffic traffic = on_slices(cfg, opcode(CBO_OPC_DRD));
	uint64_t share[SNBEP_BOXES_MAX], mean;
	const struct pmu *pmu;
	unsigned n = 0;

	traffic_run(t, &traffic);
	for (unsigned i = 0; (pmu = traffic_box(&traffic, &i));)
		if (!pmu->idle)
			share[n++] = pmu_read(pmu, 0);
	REQUIRE(t, n > 0);
	mean = MEMORY_LINES / n;
	for (unsigned i = 0; i < n; i++)
		if (!CHECK(t, share[i] >= mean - mean / 10 && share[i] <= mean + mean / 10))
			tell("a slice's lines", share[i], mean);
}

static uint64_t to_nodes(struct run *t, uint64_t nodes)
{
	const struct snbep_config cfg = {CBO_TOR_INSERTS_NID_MISS};
	const struct traffic traffic =
		on_slices(cfg, opcode(CBO_OPC_DRD) | field_put(CBO_FILTER_NID, nodes));

	return traffic_once(t, &traffic);
}

/* Memory may be interleaved over the sockets, so that only the sum is certain, and that a node
 * which is not there gets nothing. */
SNBEP_TEST(nid_filter, "the node filter finds each miss at the one node or at the others",
	   .clause = TOR, .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	uint64_t own = BIT(snbep_box(t->pmu)->node), here = to_nodes(t, own);
	uint64_t elsewhere = to_nodes(t, ALL_NODES & ~own);

	if (!CHECK(t, is_about(here + elsewhere, MEMORY_LINES)))
		tell("to all nodes", here + elsewhere, MEMORY_LINES);
	CHECK(t, here > elsewhere || is_about(here, elsewhere));
	CHECK_EQ(t, to_nodes(t, 0), 0);
}
