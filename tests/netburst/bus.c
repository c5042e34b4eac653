/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests in the bus sequence unit (BSQ): their mask has fields, not bits that each count
 * something. */
#include "netburst.h"

#define GROUP          "bus"

#define REQ_TYPE0      BIT(0)
#define REQ_TYPE1      BIT(1)
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

/* All fields but the order, of which no source tells for reads of memory. */
#define FIELDS                                                                                     \
	(REQ_TYPE0 | REQ_TYPE1 | REQ_LEN0 | REQ_LEN1 | REQ_IO_TYPE | REQ_LOCK_TYPE |               \
	 REQ_CACHE_TYPE | REQ_SPLIT_TYPE | REQ_DEM_TYPE | MEM_TYPE)

#define REQUESTS UINT64_C(64)

static void read_lines(void)
{
	payload_misses.entry(REQUESTS, user_buffer());
}

/* Such a read does not get to the bus, but here it does: Intel 248966, appendix B. */
static void read_apic(void)
{
	for (uint64_t i = 0; i < REQUESTS; i++)
		apic_read_lvtpc();
}

/* BSQ_allocation counts with BSU_ESCR0 only, bsq_active_entries with BSU_ESCR1, and needs the
 * other. */
struct requests {
	uint64_t allocated, active;
};

static struct requests count_requests(struct run *t, uint64_t mask, void (*cause)(void))
{
	struct window w = {
		NB_WINDOW,
		.n = 2,
		.c = {{.ctr = 0,
		       .nb = {.event = NB_BSQ_ALLOCATION, .mask = (unsigned)mask, .kernel = true}},
		      {.ctr = 2,
		       .nb = {.event = NB_BSQ_ACTIVE_ENTRIES,
			      .mask = (unsigned)mask,
			      .kernel = true}}},
		.work = {.act = cause},
	};

	window_run(t, &w);
	return (struct requests){w.c[0].out, w.c[1].out};
}

static void tell(uint64_t mask, const struct requests *n)
{
	report_diag("mask %llx: %llu allocated, %llu active", (unsigned long long)mask,
		    (unsigned long long)n->allocated, (unsigned long long)n->active);
}

/* A mask with one bit more is that of another kind of request, of which there are few, or of none.
 * Half: some may be merged with what is there already, and one may be active for many clocks. */
static void check_fields(struct run *t, uint64_t mask, void (*cause)(void))
{
	const struct requests n = count_requests(t, mask, cause);

	if (!CHECK(t, n.allocated >= REQUESTS / 2) || !CHECK(t, n.active >= REQUESTS / 2))
		tell(mask, &n);
	for (uint64_t others = FIELDS & ~mask; others; others &= others - 1) {
		const uint64_t other = mask | (others & -others);
		const struct requests few = count_requests(t, other, cause);

		if (!CHECK(t, few.allocated <= n.allocated / 2) ||
		    !CHECK(t, few.active <= n.active / 2))
			tell(other, &few);
	}
}

static bool is_silent(struct run *t, uint64_t mask, void (*cause)(void))
{
	struct requests n = count_requests(t, mask, cause);

	return !n.allocated && !n.active;
}

NB_TEST(line_reads, "a read of a line counts by the mask of all its fields, and by no other",
	.clause = "Intel SDM vol. 3B, 19: BSQ_allocation, bsq_active_entries")
{
	const uint64_t read = REQ_LEN0 | REQ_LEN1 | REQ_CACHE_TYPE | REQ_DEM_TYPE | MEM_TYPE_WB;
	const uint64_t order = is_silent(t, read, read_lines) ? REQ_ORD_TYPE : 0;

	check_fields(t, read | order, read_lines);
}

/* Assumed: uncacheable requests are ordered. */
NB_TEST(uncacheable_reads, "a read of the local APIC is one chunk, uncacheable and ordered",
	.clause = "Intel SDM vol. 3B, 19: BSQ_allocation, bsq_active_entries")
{
	const uint64_t read = REQ_LEN0 | REQ_DEM_TYPE | REQ_ORD_TYPE;

	SKIP_IF(t, apic_is_x2apic(), "in x2APIC mode the local APIC is not read from memory");
	check_fields(t, read, read_apic);
}
