/* SPDX-License-Identifier: BSD-2-Clause */
/* A known number of lines that one core loads or stores to, as the cache slices of its socket count
 * them: inserts into the table of requests (TOR) and lookups. */
#include "box.h"

#define GROUP     "traffic", "count"
#define SLICES    .kinds = BOX_FIRST(BOX_SLICE)
#define TOR       "uncore guide, 2.3: CBo events TOR_INSERTS, TOR_OCCUPANCY; filter opc, nid"
#define LOOKUP    "uncore guide, 2.3: CBo event LLC_LOOKUP; filter state"

#define STATE_I   0x01u /* a miss */
#define ALL_NODES UINT64_C(0xff)

ABSENT_IF(why_own_lines, box_of(pmu)->kind->own_lines,
	  "the last-level cache need not have the lines that cores have")
ABSENT_IF(why_clusters, box_of(pmu)->kind->clusters,
	  "where a socket is split into clusters some slices get no lines")
ABSENT_UNLESS(why_no_nodes, box_filters(box_of(pmu)->kind)->nodes.mask,
	      "slices here tell no nodes apart")
ABSENT_UNLESS(why_no_threads, box_filters(box_of(pmu)->kind)->thread.mask,
	      "which number in the filter is which thread is not documented for this part")
ABSENT_UNLESS(why_no_home, box_event(box_of(pmu)->kind, SLICE_MEMORY_READS),
	      "slices of this part are no homes")

static const struct trial_filters only_drd = {.request = DRD}, only_rfo = {.request = RFO},
				  any_state = {.states = ALL_STATES};

TRIALS(tor_inserts, "each line loaded that no cache has is one DRd request, and no RFO",
       (.clause = TOR, SLICES),
       {LOADED, .disturbed = true, .filters = &only_drd, .cfg = {{.event = SLICE_OF_OPCODE}}},
       {LOADED, .filters = &only_rfo, COUNTS(.event = SLICE_OF_OPCODE, ABOUT(0))})

/* Above all no prefetch, RFO or write-back, whose codes differ in one bit from the load's. */
BOX_TEST(opcodes, "a request is matched by its own opcode alone, in each of its bits",
	 .clause = TOR, SLICES)
{
	for (uint16_t bit = 1; bit <= field_max(box_filters(kind_of(t))->opcode.mask); bit *= 2) {
		const struct trial trial = {LOADED, FILTERS(.request = DRD, .flipped = bit),
					    COUNTS(.event = SLICE_OF_OPCODE, ABOUT(0))};

		judge(t, &trial);
	}
}

TRIALS(tor_misses, "a request misses if no cache has the line, else it does not",
       (.clause = TOR, SLICES),
       {LOADED, .disturbed = true, .filters = &only_drd,
	.cfg = {{.event = SLICE_MISSES_OF_OPCODE}}},
       {LOADED, COUNTS(.event = SLICE_MISSES, .n = MEMORY_LINES, .below = TRAFFIC_SLACK,
		       .above = NO_LIMIT)},
       {.prepare = memory_load,
	.load = memory_load,
	.filters = &only_drd,
	COUNTS(.event = SLICE_MISSES_OF_OPCODE, ABOUT(0))})

TRIALS(rfo, "each line stored to that no cache has is one RFO request", (.clause = TOR, SLICES),
       {STORED, .disturbed = true, .filters = &only_rfo, .cfg = {{.event = SLICE_OF_OPCODE}}})

ABSENT_UNLESS(why_not_coded, box_event(box_of(pmu)->kind, SLICE_STORES),
	      "filters of this part say which requests are counted")

TRIALS(coded_inserts,
       "each line that no cache has is one request of its kind, a load or an RFO, and misses",
       (.clause = TOR, SLICES, .absent = why_not_coded),
       {LOADED, .disturbed = true, .cfg = {{.event = SLICE_LOADS}}},
       {LOADED, .disturbed = true, .cfg = {{.event = SLICE_LOADS_MISSED}}},
       {LOADED, .disturbed = true, .cfg = {{.event = SLICE_STORES}}},
       {STORED, .disturbed = true, .cfg = {{.event = SLICE_STORES}}},
       {STORED, .disturbed = true, .cfg = {{.event = SLICE_LOADS}}},
       {LOADED, COUNTS(.event = SLICE_MISSES, .n = MEMORY_LINES, .below = TRAFFIC_SLACK,
		       .above = NO_LIMIT)},
       {.prepare = memory_load, .load = memory_load, COUNTS(.event = SLICE_LOADS_MISSED, ABOUT(0))})

/* ---- lookups ---- */

/* A request that has to be tried again looks up again. */
#define LOOKED_UP(lines, slack) .n = (lines), .below = (slack), .above = (lines)
#define READS_IN(states_, ...)                                                                     \
	{                                                                                          \
		LOADED, FILTERS(.states = (states_)),                                              \
			COUNTS(.event = SLICE_READ_LOOKUPS, __VA_ARGS__)                           \
	}

TRIALS(lookups, "each line loaded is looked up, and one that no cache has is found in state I",
       (.clause = LOOKUP, SLICES, .absent = why_own_lines),
       READS_IN(ALL_STATES, LOOKED_UP(MEMORY_LINES, TRAFFIC_SLACK)),
       READS_IN(STATE_I, LOOKED_UP(MEMORY_LINES, TRAFFIC_SLACK)),
       READS_IN(ALL_STATES & ~STATE_I, ABOUT(0)))

/* The caches of cores may be looked up beside it. */
TRIALS(line_lookups, "each line loaded that no cache has is looked up", (.clause = LOOKUP, SLICES),
       READS_IN(ALL_STATES, .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT))

TRIALS(lookup_needs_state, "without a state in the filter no lookup is counted",
       (.clause = LOOKUP, SLICES), READS_IN(0, EXACTLY(0)))

TRIALS(lookup_needs_bit0, "without bit 0 of the unit mask no lookup is counted",
       (.clause = LOOKUP, SLICES),
       {LOADED, .filters = &any_state, COUNTS(.event = SLICE_NO_LOOKUPS, EXACTLY(0))})

/* ---- lines that the LLC has, and the core no longer ---- */

/* All lines but those that the core may have kept. */
#define LEFT .n = MEMORY_MANY, .below = MEMORY_CORE, .above = NO_LIMIT

/* Requests under way as the window opens, looked up before it. */
#define UNDER_WAY 16

/* Filled once, the LLC keeps the lines.  Loaded, they are found as the window before has left them;
 * stored to, only after they have been stored to again.  Which state that is is the protocol's
 * business. */
static void check_states(struct run *t, box_load *fill, box_load *again)
{
	/* In each slice what is inserted as a load has been looked up, and found in some state. */
	const struct trial looked_up = {
		.cfg = {{.event = SLICE_READ_LOOKUPS}, {.event = SLICE_OF_OPCODE}},
		FILTERS(.request = DRD, .states = ALL_STATES),
		.prepare = fill,
		.load = memory_load_many,
		.law = {{{1, -1}, AT_LEAST(-UNDER_WAY)}, {{0, 1}, LEFT}},
		.each = 0x1,
	};
	struct trial_filters state_alone = {0};
	const struct trial in_state = {.filters = &state_alone,
				       .cfg = {{.event = SLICE_READ_LOOKUPS}},
				       .prepare = again,
				       .load = memory_load_many};
	uint64_t sum = 0;

	judge(t, &looked_up);
	for (uint64_t state = 1; state <= field_max(box_filters(kind_of(t))->states.mask);
	     state *= 2) {
		state_alone.states = (uint16_t)state;
		sum += trial_count(t, &in_state);
	}
	check_sum(t, BOX_SLICE, "lookups by state", sum,
		  (struct law){LOOKED_UP(MEMORY_MANY, MEMORY_CORE)});
}

BOX_TEST(lookup_states, "each lookup finds its line in one state, clean or dirty as it may be",
	 .clause = LOOKUP, SLICES, .absent = why_own_lines)
{
	check_states(t, memory_fill, NULL);
	check_states(t, memory_fill_dirty, memory_store_many);
}

#define STORED_MANY .prepare = memory_flush_many, .load = memory_store_many
TRIALS(write_backs, "each line stored to that leaves the core's caches is written to the LLC",
       (.clause = TOR, SLICES, .absent = why_own_lines),
       {STORED_MANY, COUNTS(.event = SLICE_WRITE_BACKS, LEFT)},
       {STORED_MANY, .filters = &any_state, COUNTS(.event = SLICE_WRITE_LOOKUPS, LEFT)})

/* The first half of many lines stored to: of them the core has kept no more than its other room. */
TRIALS(write_aliases, "a line streamed past the caches is an alias if one of them has it dirty",
       (.clause = "uncore guide, 2.3: CBo event MISC: WC_ALIASING", SLICES,
	.absent = why_own_lines),
       {.prepare = memory_clean, .load = memory_stream, COUNTS(.event = SLICE_ALIASES, ABOUT(0))},
       {.prepare = memory_fill_dirty, .load = memory_stream, COUNTS(.event = SLICE_ALIASES, LEFT)})

/* ---- occupancy ---- */

/* Where nobody says how many there is room for, any number may be held. */
BOX_TEST(tor_occupancy, "the table holds one request or more, up to its room, while it holds any",
	 .clause = TOR, SLICES)
{
	const int8_t most = (int8_t)kind_of(t)->most;
	struct trial trial = {
		LOADED,
		.cfg = {{.event = SLICE_HELD}, {.event = SLICE_HELD_BY_0, .at_least = 1}},
		.law = {{{0, 1}, AT_LEAST(1)}, {{1, -1}, AT_LEAST(-TOR_LAG)}},
		.each = kind_of(t)->clusters ? 0xe : 0xf,
	};

	if (most) {
		trial.cfg[2] = (struct box_config){.event = SLICE_HELD_BY_0,
						   .at_least = (uint16_t)(most + 1)};
		trial.law[2] = (struct law){{1, (int8_t)-most}, AT_MOST(most * TOR_LAG)};
		trial.law[3] = (struct law){{0, 0, 1}, EXACTLY(0)};
	}
	judge(t, &trial);
}

/* ---- slices and nodes ---- */

/* 10 %: the specification's 5 % are of a million lines, of which the hash spreads as many as it
 * happens to; of 4096 a slice of eight gets 512. */
BOX_TEST(slices_share, "the hash spreads lines evenly over the slices", .clause = TOR, SLICES,
	 .absent = why_clusters)
{
	static const struct trial trial = {LOADED, .filters = &only_drd,
					   .cfg = {{.event = SLICE_OF_OPCODE}}};
	const struct pmu *slice;
	int32_t n = 0;
	uint16_t mean;

	trial_run(t, &trial, (uint64_t[TRIAL_COUNTERS]){0});
	for (unsigned i = 0; (slice = trial_box(t, &trial, &i));)
		n += !slice->idle;
	REQUIRE(t, n > 0);
	mean = (uint16_t)((int32_t)MEMORY_LINES / n);
	for (unsigned i = 0; (slice = trial_box(t, &trial, &i));)
		if (!slice->idle)
			check_sum(t, BOX_SLICE, slice->name, pmu_read(slice, 0),
				  (struct law){WITHIN(mean, (uint16_t)(mean / 10))});
}

static uint64_t to_nodes(struct run *t, uint8_t place, uint64_t nodes)
{
	const struct trial trial = {LOADED, .place = place,
				    FILTERS(.request = DRD, .nodes = (uint16_t)nodes),
				    .cfg = {{.event = SLICE_MISSES_OF_NODE}}};

	return trial_count(t, &trial);
}

/* Configuration space shows all sockets, unless all of it is hidden. */
static bool is_only_socket(const struct pmu *pmu)
{
	const struct pmu *other;
	bool shown = false;

	for (unsigned i = 0; (other = box_pmu(i)); i++) {
		if (box_of(other)->socket != box_of(pmu)->socket)
			return false;
		shown |= other->of_all_packages;
	}
	return shown;
}

/* The program's own memory may be another socket's, or interleaved over them, so that only the sum
 * is certain, and that a node which is not there gets nothing. */
BOX_TEST(nid_filter, "the node filter finds each miss at the one node or at the others",
	 .clause = TOR, SLICES, .absent = why_no_nodes)
{
	uint64_t own = BIT(box_of(t->pmu)->node), here = to_nodes(t, 0, own);
	uint64_t elsewhere = to_nodes(t, 0, ALL_NODES & ~own);

	check_sum(t, BOX_SLICE, "to all nodes", here + elsewhere,
		  (struct law){ABOUT(MEMORY_LINES)});
	if (is_only_socket(t->pmu))
		check_sum(t, BOX_SLICE, "to other nodes", elsewhere, (struct law){ABOUT(0)});
	CHECK_EQ(t, to_nodes(t, 0, 0), 0);
}

BOX_TEST(remote_node, "lines of another socket are misses to a node that is not this one's",
	 .clause = "uncore guide, 2.3: CBo event TOR_INSERTS; filter nid", SLICES,
	 .absent = why_no_nodes)
{
	uint8_t place = remote_place(t);
	uint64_t own = BIT(box_of(t->pmu)->node), sum = 0;

	for (uint64_t node = 1; node <= ALL_NODES; node *= 2)
		if (node != own)
			sum += to_nodes(t, place, node);
	check_sum(t, BOX_SLICE, "to other nodes", sum, (struct law){ABOUT(MEMORY_LINES)});
	check_sum(t, BOX_SLICE, "to this node", to_nodes(t, place, own), (struct law){ABOUT(0)});
}

/* 5 %: the specification's figure.  The program's memory may be another socket's, or interleaved.
 */
BOX_TEST(memory_reads, "each line loaded that no cache has is read from memory by its home",
	 .clause = "uncore guide, 2.2: CHA event IMC_READS_COUNT", SLICES, .absent = why_no_home)
{
	struct trial trial = {LOADED, COUNTS(.event = SLICE_MEMORY_READS,
					     WITHIN(MEMORY_LINES, MEMORY_LINES / 20))};

	if (!is_only_socket(t->pmu))
		trial.law[0].below = NO_LIMIT;
	judge(t, &trial);
}

/* ---- threads ---- */

/* The thread of some requests is the filter's, on counter ctr; the other counts all of them.
 * Half of them: what others have to do with a slice in so short a time is far less. */
static struct trial of_thread(unsigned ctr, const struct trial_filters *thread, bool passes)
{
	struct trial trial = {
		.cfg = {{.event = SLICE_MISSES}, {.event = SLICE_MISSES}},
		.filters = thread,
		.load = memory_load_slowly,
		.law = {{.n = passes}},
		.each = 0x1,
	};

	trial.cfg[ctr].thread = true;
	trial.law[0].by[ctr] = 2;
	trial.law[0].by[!ctr] = -1;
	*(passes ? &trial.law[0].above : &trial.law[0].below) = NO_LIMIT;
	return trial;
}

/* The numbers, as bits, by which the first slice lets the requests of this thread through. */
static uint64_t find_numbers(struct run *t)
{
	uint64_t numbers = 0;

	for (uint32_t tid = 0; tid <= field_max(box_filters(kind_of(t))->thread.mask); tid++) {
		const struct trial_filters thread = {.thread = (uint16_t)tid};
		const struct trial trial = of_thread(0, &thread, true);

		trial_run(t, &trial, (uint64_t[TRIAL_COUNTERS]){0});
		numbers |= (uint64_t)(2 * pmu_read(t->pmu, 0) > pmu_read(t->pmu, 1)) << tid;
	}
	return numbers;
}

/* How cores are numbered is not documented, but a thread has one number.  From it, others differ in
 * each bit. */
BOX_TEST(tid_filter, "the thread filter lets a thread's requests through by its own number alone",
	 .clause = "uncore guide, 2.3: CBo events TOR_INSERTS; tid_en; filter tid", SLICES,
	 .absent = why_no_threads)
{
	uint64_t numbers = find_numbers(t), most = field_max(box_filters(kind_of(t))->thread.mask);
	uint32_t own;

	REQUIRE(t, numbers && !(numbers & (numbers - 1)));
	own = lowest_bit(numbers);
	for (unsigned ctr = 0; ctr < 2; ctr++) {
		for (uint32_t other = 0; other <= most; other = other ? 2 * other : 1) {
			const struct trial_filters thread = {.thread = (uint16_t)(own ^ other)};
			const struct trial trial = of_thread(ctr, &thread, !other);

			judge(t, &trial);
		}
	}
}
