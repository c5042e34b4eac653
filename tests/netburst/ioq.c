/* SPDX-License-Identifier: BSD-2-Clause */
/* Transactions on the front side bus: which way, to what type of memory, and whose. */
#include "netburst.h"

#define GROUP "bus"
#define CLAUSE                                                                                     \
	"Intel SDM vol. 3B, 19: IOQ_allocation, IOQ_active_entries; Intel 248966, table B-1: Bus " \
	"Metrics"

#define REQ_A0    BIT(0) /* of the request type: the default */
#define ALL_READ  BIT(5)
#define ALL_WRITE BIT(6)
#define MEM_UC    BIT(7)
#define MEM_WC    BIT(8)
#define MEM_WT    BIT(9)
#define MEM_WP    BIT(10)
#define MEM_WB    BIT(11)
#define MEM_TYPES FIELD(11, 7)
#define OWN       BIT(13)
#define OTHER     BIT(14)
#define PREFETCH  BIT(15)

#define REQUESTS  UINT64_C(64)
/* So many in one window, and in another one of the same length none, is no chance. */
#define MANY_OTHERS 8u

static void read_lines(void)
{
	payload_misses.entry(REQUESTS, user_buffer());
}

/* Not a line of the bus: time for others. */
static void wait_a_while(void)
{
	payload_chain.entry(10 * REQUESTS, user_buffer());
}

static void prefetch_lines(void)
{
	payload_prefetches.entry(REQUESTS, user_buffer());
}

/* Each store finds its line flushed, and it is flushed again. */
static void write_lines(void)
{
	payload_store_misses.entry(REQUESTS, user_buffer());
}

static void stream_lines(void)
{
	payload_streams.entry(REQUESTS, user_buffer());
}

static void read_uncacheable(void)
{
	for (uint64_t i = 0; i < REQUESTS; i++)
		machine_read_io_apic();
}

/* IOQ_allocation on counter 0, and on counter 2 if there is an ESCR for it; there
 * IOQ_active_entries, which needs the other one, if active. */
struct place {
	unsigned ctr;
	bool active;
};

static uint64_t count_requests(struct run *t, const struct place *place, uint64_t mask,
			       void (*cause)(void))
{
	struct netburst_config cfg = {.event = NB_IOQ_ALLOCATION,
				      .mask = (unsigned)mask,
				      .kernel = true,
				      .compare = true,
				      .edge = true};
	struct window w = {NB_WINDOW, .n = place->ctr ? 2 : 1,
			   .c = {{.ctr = 0, .nb = cfg}, {.ctr = place->ctr, .nb = cfg}},
			   .work = {.act = cause}};

	if (place->active)
		w.c[1].nb = (struct netburst_config){
			.event = NB_IOQ_ACTIVE_ENTRIES, .mask = (unsigned)mask, .kernel = true};
	window_run(t, &w);
	return w.c[w.n - 1].out;
}

/* Half: some may be under way together, and an entry is active for many clocks. */
static void check_many(struct run *t, const struct place *place, uint64_t mask, void (*cause)(void))
{
	uint64_t n = count_requests(t, place, mask, cause);

	if (!CHECK(t, n >= REQUESTS / 2))
		report_diag("counter %u, mask %llx: %llu", place->ctr, (unsigned long long)mask,
			    (unsigned long long)n);
}

/* Than with mask; others' requests are few. */
static void check_fewer(struct run *t, const struct place *place, uint64_t mask, uint64_t other,
			void (*cause)(void))
{
	uint64_t n = count_requests(t, place, mask, cause);
	uint64_t few = count_requests(t, place, other, cause);

	if (!CHECK(t, few <= n / 2))
		report_diag("counter %u: mask %llx: %llu, mask %llx: %llu", place->ctr,
			    (unsigned long long)mask, (unsigned long long)n,
			    (unsigned long long)other, (unsigned long long)few);
}

/* On models 0 and 1 direction or type are enough, and with a direction no type matters; later both
 * are needed. */
static uint64_t mask_of(const struct run *t, uint64_t direction, uint64_t type)
{
	return REQ_A0 | direction | OWN | (netburst(t->pmu)->model < 2 ? 0 : type);
}

static void check_types(struct run *t, const struct place *place, uint64_t direction, uint64_t type,
			void (*cause)(void))
{
	uint64_t with = netburst(t->pmu)->model < 2 ? OWN : REQ_A0 | direction | OWN;

	check_many(t, place, with | type, cause);
	for (uint64_t others = MEM_TYPES & ~type; others; others &= others - 1)
		check_fewer(t, place, with | type, with | (others & -others), cause);
}

static void check_reads(struct run *t, const struct place *place, uint64_t type,
			void (*cause)(void))
{
	uint64_t mask = mask_of(t, ALL_READ, type);

	check_many(t, place, mask, cause);
	check_fewer(t, place, mask, mask ^ (ALL_READ | ALL_WRITE), cause);
	check_fewer(t, place, mask, mask ^ (OWN | OTHER), cause);
	check_types(t, place, ALL_READ, type, cause);
}

static void check_writes(struct run *t, const struct place *place)
{
	check_many(t, place, mask_of(t, ALL_WRITE, MEM_WB), write_lines);
}

/* Wherever the two events can be counted. */
static const struct place places[] = {{0, false}, {2, false}, {2, true}};

static bool can_place(const struct run *t, const struct place *place)
{
	const struct netburst_config cfg = {.event = place->active ? NB_IOQ_ACTIVE_ENTRIES
								   : NB_IOQ_ALLOCATION};

	return !netburst_program(t->pmu, place->ctr, &cfg);
}

static void check_places(struct run *t, void (*check)(struct run *t, const struct place *place))
{
	for (unsigned i = 0; i < ARRAY_SIZE(places); i++)
		if (can_place(t, &places[i]))
			check(t, &places[i]);
}

static void check_line_reads(struct run *t, const struct place *place)
{
	check_reads(t, place, MEM_WB, read_lines);
}

static void check_write_through_reads(struct run *t, const struct place *place)
{
	check_reads(t, place, MEM_WT, read_lines);
}

static void check_write_protected_reads(struct run *t, const struct place *place)
{
	check_reads(t, place, MEM_WP, read_lines);
}

static void check_prefetches(struct run *t, const struct place *place)
{
	uint64_t mask = mask_of(t, ALL_READ, MEM_WB);

	check_many(t, place, mask | PREFETCH, prefetch_lines);
	check_fewer(t, place, mask | PREFETCH, mask, prefetch_lines);
}

static void check_uncacheable_reads(struct run *t, const struct place *place)
{
	check_reads(t, place, MEM_UC, read_uncacheable);
}

static void check_streams(struct run *t, const struct place *place)
{
	check_types(t, place, ALL_WRITE, MEM_WC, stream_lines);
}

/* Are streamed lines write-combining on the bus?  No manual says; but all counters must agree. */
static void check_streams_if_any(struct run *t)
{
	static const struct place first = {0, false}, second = {2, false};
	const struct netburst_config cfg = {.event = NB_IOQ_ALLOCATION};
	uint64_t mask = mask_of(t, ALL_WRITE, MEM_WC), n = 0;

	if (netburst(t->pmu)->model < 2)
		mask = MEM_WC | OWN;
	n += count_requests(t, &first, mask, stream_lines);
	if (!netburst_program(t->pmu, second.ctr, &cfg))
		n += count_requests(t, &second, mask, stream_lines);
	if (n)
		check_places(t, check_streams);
}

static void need_event(struct run *t)
{
	SKIP_IF(t, !netburst_has_event(t->pmu, NB_IOQ_ALLOCATION),
		"this model has no IOQ_allocation");
}

NB_TEST(transactions, "lines read and written back are transactions of their direction and type",
	.clause = CLAUSE)
{
	need_event(t);
	check_places(t, check_line_reads);
	check_places(t, check_writes);
	check_streams_if_any(t);
}

NB_TEST(uncacheable_transactions, "reads of an I/O APIC are transactions to uncacheable memory",
	.clause = CLAUSE)
{
	need_event(t);
	SKIP_IF(t, !machine_read_io_apic(), "no I/O APIC is listed in the ACPI tables");
	check_places(t, check_uncacheable_reads);
}

/* With the buffer in memory of that type. */
static void check_memory(struct run *t, enum user_memory memory,
			 void (*check)(struct run *t, const struct place *place))
{
	need_event(t);
	SKIP_IF(t, !user_memory_use(memory), OTHER_PAT);
	check_places(t, check);
}

NB_TEST(write_through_transactions,
	"reads of lines of write-through memory are transactions of that type", .clause = CLAUSE)
{
	check_memory(t, USER_BUFFER_WRITE_THROUGH, check_write_through_reads);
}

NB_TEST(write_protected_transactions,
	"reads of lines of write-protected memory are transactions of that type", .clause = CLAUSE)
{
	check_memory(t, USER_BUFFER_WRITE_PROTECTED, check_write_protected_reads);
}

NB_TEST(prefetches, "lines prefetched are transactions that the mask must ask for",
	.clause = CLAUSE)
{
	need_event(t);
	check_places(t, check_prefetches);
}

/* What devices do is up to them. */
NB_TEST(others, "if one counter counts many reads by other agents, all count some",
	.clause = CLAUSE)
{
	const uint64_t mask = (mask_of(t, ALL_READ, MEM_WB) & ~OWN) | OTHER;
	uint64_t n[ARRAY_SIZE(places)] = {0}, most = 0;

	need_event(t);
	for (unsigned i = 0; i < ARRAY_SIZE(places); i++) {
		if (can_place(t, &places[i]))
			n[i] = count_requests(t, &places[i], mask, wait_a_while);
		if (n[i] > most)
			most = n[i];
	}
	for (unsigned i = 0; most >= MANY_OTHERS && i < ARRAY_SIZE(places); i++)
		CHECK(t, n[i] > 0 || !can_place(t, &places[i]));
}
