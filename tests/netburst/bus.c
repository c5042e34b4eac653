/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests on their way to memory: in the bus sequence unit (BSQ), whose masks have fields, and as
 * transactions on the front side bus (IOQ): which way, to what type of memory, and whose. */
#include "netburst.h"

#define GROUP "bus", "event"

/* An event for each request, and one for each clock of each that is under way, which needs the
 * other. */
struct queue {
	enum netburst_event_id allocation, active;
	bool edges; /* of the first */
};
static const struct queue ioq = {NB_IOQ_ALLOCATION, NB_IOQ_ACTIVE_ENTRIES, true};
static const struct queue bsq = {NB_BSQ_ALLOCATION, NB_BSQ_ACTIVE_ENTRIES, false};

/* ---- what causes requests ---- */

#define REQUESTS UINT64_C(64)

static struct work lines_of(const struct payload *payload)
{
	return in_ring0(payload, REQUESTS / payload_does(payload, "lines"));
}

static void read_io_apic(void)
{
	for (uint64_t i = 0; i < REQUESTS; i++)
		machine_read_io_apic();
}

/* A read of the local APIC does not get to the bus, but to the BSQ: Intel 248966, appendix B. */
static void read_local_apic(void)
{
	for (uint64_t i = 0; i < REQUESTS; i++)
		apic_read_lvtpc();
}

/* ---- how they are counted ---- */

/* Counter 0 has the allocation event.  Counter 2 has it, too, if there is an ESCR for it, or the
 * other event. */
enum way { FIRST, SECOND, ACTIVE, WAYS };

static struct slot slot_at(const struct queue *q, enum way way, uint64_t mask)
{
	const bool edge = q->edges && way != ACTIVE;

	return nb_slot(way == FIRST ? 0 : 2,
		       (struct netburst_config){
			       .event = way == ACTIVE ? q->active : q->allocation,
			       .mask = (unsigned)mask,
			       .kernel = true,
			       .compare = edge,
			       .edge = edge,
		       });
}

static bool has_way(const struct run *t, const struct queue *q, enum way way)
{
	struct slot slot = slot_at(q, way, 0);

	return !netburst_program(t->pmu, slot.ctr, nb(&slot));
}

static uint64_t count_requests(struct run *t, const struct queue *q, enum way way, uint64_t mask,
			       struct work work)
{
	struct window w = {NB_WINDOW, .n = 1, .c = {slot_at(q, FIRST, mask)}, .work = work};

	if (way != FIRST)
		w.c[w.n++] = slot_at(q, way, mask);
	window_run(t, &w);
	return w.c[w.n - 1].out;
}

/* Half: some may be under way together, and each may be active for many clocks. */
static void check_many(struct run *t, const struct queue *q, uint64_t mask, struct work work)
{
	for (enum way way = FIRST; way < WAYS; way++)
		if (has_way(t, q, way) &&
		    !CHECK_IS(t, count_requests(t, q, way, mask, work), >=, REQUESTS / 2))
			report_diag("mask %llx", (unsigned long long)mask);
}

/* Fewer than with mask: others make few such requests. */
static void check_fewer(struct run *t, const struct queue *q, uint64_t mask, uint64_t other,
			struct work work)
{
	for (enum way way = FIRST; way < WAYS; way++) {
		uint64_t n, few;

		if (!has_way(t, q, way))
			continue;
		n = count_requests(t, q, way, mask, work);
		few = count_requests(t, q, way, other, work);
		if (!CHECK_IS(t, few, <=, n / 2))
			report_diag("mask %llx: %llu, mask %llx: %llu", (unsigned long long)mask,
				    (unsigned long long)n, (unsigned long long)other,
				    (unsigned long long)few);
	}
}

/* ---- BSQ ---- */

#define BSQ            "SDM vol. 3B, 19: BSQ_allocation, bsq_active_entries"

#define REQ_TYPE       FIELD(1, 0)
#define REQ_LEN0       BIT(2)
#define REQ_LEN1       BIT(3)
#define REQ_IO_TYPE    BIT(5)
#define REQ_LOCK_TYPE  BIT(6)
#define REQ_CACHE_TYPE BIT(7)
#define REQ_SPLIT_TYPE BIT(8)
#define REQ_DEM_TYPE   BIT(9)
#define REQ_ORD_TYPE   BIT(10)
#define MEM_TYPE_WB    (UINT64_C(6) << 11)
#define MEM_TYPE       FIELD(13, 11)

/* All but the order, of which no source tells for reads of memory. */
#define FIELDS                                                                                     \
	(REQ_TYPE | REQ_LEN0 | REQ_LEN1 | REQ_IO_TYPE | REQ_LOCK_TYPE | REQ_CACHE_TYPE |           \
	 REQ_SPLIT_TYPE | REQ_DEM_TYPE | MEM_TYPE)

/* A mask with one bit more stands for another kind of request, which is rare, or for none.
 */
static void check_fields(struct run *t, uint64_t mask, struct work work)
{
	check_many(t, &bsq, mask, work);
	for (uint64_t others = FIELDS & ~mask; others; others &= others - 1)
		check_fewer(t, &bsq, mask, mask | (others & -others), work);
}

NB_TEST(line_reads, "a read of a line counts by the mask of all its fields, and by no other",
	.clause = BSQ)
{
	const struct work read = lines_of(&payload_misses);
	uint64_t mask = REQ_LEN0 | REQ_LEN1 | REQ_CACHE_TYPE | REQ_DEM_TYPE | MEM_TYPE_WB;

	if (!count_requests(t, &bsq, FIRST, mask, read) &&
	    !count_requests(t, &bsq, ACTIVE, mask, read))
		mask |= REQ_ORD_TYPE;
	check_fields(t, mask, read);
}

/* Assumed: uncacheable requests are ordered. */
NB_TEST(uncacheable_reads, "a read of the local APIC is one chunk, uncacheable and ordered",
	.clause = BSQ)
{
	SKIP_IF(t, apic_is_x2apic(), "in x2APIC mode the local APIC is not read from memory");
	check_fields(t, REQ_LEN0 | REQ_DEM_TYPE | REQ_ORD_TYPE,
		     (struct work){.act = read_local_apic});
}

/* ---- IOQ ---- */

#define IOQ                                                                                        \
	"SDM vol. 3B, 19: IOQ_allocation, IOQ_active_entries; Intel 248966, table B-1: Bus "       \
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

/* On models 0 and 1 direction or type are enough, and with a direction no type matters; later both
 * are needed. */
static bool either_suffices(const struct run *t)
{
	return netburst(t->pmu)->model < 2;
}

static uint64_t mask_of(const struct run *t, uint64_t direction, uint64_t type)
{
	return REQ_A0 | direction | OWN | (either_suffices(t) ? 0 : type);
}

static void check_types(struct run *t, uint64_t direction, uint64_t type, struct work work)
{
	const uint64_t with = either_suffices(t) ? OWN : REQ_A0 | direction | OWN;

	check_many(t, &ioq, with | type, work);
	for (uint64_t others = MEM_TYPES & ~type; others; others &= others - 1)
		check_fewer(t, &ioq, with | type, with | (others & -others), work);
}

static void check_reads(struct run *t, uint64_t type, struct work work)
{
	const uint64_t mask = mask_of(t, ALL_READ, type);

	check_many(t, &ioq, mask, work);
	check_fewer(t, &ioq, mask, mask ^ (ALL_READ | ALL_WRITE), work);
	check_fewer(t, &ioq, mask, mask ^ (OWN | OTHER), work);
	check_types(t, ALL_READ, type, work);
}

/* Are streamed lines write-combining on the bus?  No manual says; but all counters must agree. */
static void check_streams(struct run *t)
{
	const uint64_t mask = either_suffices(t) ? MEM_WC | OWN : mask_of(t, ALL_WRITE, MEM_WC);
	const struct work streams = lines_of(&payload_streams);
	uint64_t n = 0;

	for (enum way way = FIRST; way <= SECOND; way++)
		if (has_way(t, &ioq, way))
			n += count_requests(t, &ioq, way, mask, streams);
	if (n)
		check_types(t, ALL_WRITE, MEM_WC, streams);
}

ABSENT_UNLESS(no_queue, netburst_has_event(pmu, NB_IOQ_ALLOCATION),
	      "this model has no IOQ_allocation")

/* Each store finds its line flushed, and it is flushed again. */
NB_TEST(transactions, "lines read and written back are transactions of their direction and type",
	.clause = IOQ, .absent = no_queue)
{
	check_reads(t, MEM_WB, lines_of(&payload_misses));
	check_many(t, &ioq, mask_of(t, ALL_WRITE, MEM_WB), lines_of(&payload_store_misses));
	check_streams(t);
}

NB_TEST(uncacheable_transactions, "reads of an I/O APIC are transactions to uncacheable memory",
	.clause = IOQ, .absent = no_queue)
{
	SKIP_IF(t, !machine_read_io_apic(), "no I/O APIC is listed in the ACPI tables");
	check_reads(t, MEM_UC, (struct work){.act = read_io_apic});
}

NB_TEST(write_through_transactions,
	"reads of lines of write-through memory are transactions of that type", .clause = IOQ,
	.absent = no_queue)
{
	SKIP_IF(t, !user_memory_use(USER_BUFFER_WRITE_THROUGH), OTHER_PAT);
	check_reads(t, MEM_WT, lines_of(&payload_misses));
}

NB_TEST(write_protected_transactions,
	"reads of lines of write-protected memory are transactions of that type", .clause = IOQ,
	.absent = no_queue)
{
	SKIP_IF(t, !user_memory_use(USER_BUFFER_WRITE_PROTECTED), OTHER_PAT);
	check_reads(t, MEM_WP, lines_of(&payload_misses));
}

NB_TEST(prefetches, "lines prefetched are transactions that the mask must ask for", .clause = IOQ,
	.absent = no_queue)
{
	const uint64_t mask = mask_of(t, ALL_READ, MEM_WB);

	check_many(t, &ioq, mask | PREFETCH, lines_of(&payload_prefetches));
	check_fewer(t, &ioq, mask | PREFETCH, mask, lines_of(&payload_prefetches));
}

/* Devices read when they like; but so many reads in one window, and none in another one of the same
 * length, are no chance. */
#define MANY_OTHERS 8u

NB_TEST(others, "if one counter counts many reads by other agents, all count some", .clause = IOQ,
	.absent = no_queue)
{
	const uint64_t mask = (mask_of(t, ALL_READ, MEM_WB) & ~OWN) | OTHER;
	const struct work wait = in_ring0(&payload_chain, 10 * REQUESTS);
	uint64_t n[WAYS] = {0}, most = 0;

	for (enum way way = FIRST; way < WAYS; way++) {
		if (has_way(t, &ioq, way))
			n[way] = count_requests(t, &ioq, way, mask, wait);
		if (n[way] > most)
			most = n[way];
	}
	for (enum way way = FIRST; most >= MANY_OTHERS && way < WAYS; way++)
		if (has_way(t, &ioq, way))
			CHECK_IS(t, n[way], >, 0);
}
