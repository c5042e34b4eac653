/* SPDX-License-Identifier: BSD-2-Clause */
/* What each way to ring 0 and back adds to counts of ring 3, of ring 0 and of both. */
#include "crossings.h"

#define GROUP "crossings", "privilege"
#define CROSSED                                                                                    \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: USR, OS; V. Weaver, D. Terpstra, S. "     \
	"Moore, ISPASS 2013; AMD, 2023: an instruction that changes the mode counts in the mode "  \
	"it goes to; SDM vol. 3B: USR, OS; ESCR"

enum rings { OF_RING_3, OF_RING_0, OF_BOTH, RINGS };
/* Crossings in a window: so many. */
static const unsigned crossings[] = {0, 1, 2, 4};
enum { WINDOWS = ARRAY_SIZE(crossings) };

/* ---- windows ---- */

static struct {
	const struct crossing *way;
	unsigned times;
	uint32_t open; /* it, as a bit */
} now;

static void load(void)
{
	uint8_t code[4 * CROSSING_CODE + 1];
	size_t size = 0;

	for (unsigned i = 0; i < now.times; i++)
		size += crossing_put(now.way, code + size, (uintptr_t)user_code + size);
	code[size++] = 0xc3; /* RET */
	user_code_load(code, size);
}

static void cross(void)
{
	crossings_open(now.open);
	user_call((asm_code *)(uintptr_t)user_code, 1, user_buffer(), 0);
	crossings_close();
}

/* Which exact event a counter counts: another one for each way. */
static unsigned event_for(const struct pmu *pmu, unsigned ctr, unsigned turn)
{
	static const unsigned events[] = {EV_INSTRUCTIONS, EV_BRANCHES, EV_NEAR_RETURNS};

	for (unsigned i = 0; i < ARRAY_SIZE(events); i++) {
		unsigned event = events[(turn + i) % ARRAY_SIZE(events)];

		if (pmu_can_count(pmu, ctr, event) && pmu_is_exact(pmu, event))
			return event;
	}
	return EV_NONE;
}

static bool fits(const struct pmu *pmu, const struct window *w, const struct slot *slot)
{
	if (slot->cfg.event == EV_NONE || pmu_is_deaf(pmu, slot->ctr, &slot->cfg))
		return false;
	for (unsigned i = 0; pmu->counting->conflict && i < w->n; i++)
		if (pmu->counting->conflict(pmu, w->c[i].ctr, &w->c[i].cfg, slot->ctr, &slot->cfg))
			return false;
	return true;
}

static struct window window_for(const struct pmu *pmu, enum rings rings, unsigned turn)
{
	struct window w = {.work.act = cross};

	for (unsigned ctr = 0; ctr < pmu->counters; ctr++) {
		struct slot slot = {.ctr = ctr,
				    .cfg = {.event = event_for(pmu, ctr, turn),
					    .user = rings != OF_RING_0,
					    .kernel = rings != OF_RING_3}};

		if (fits(pmu, &w, &slot))
			w.c[w.n++] = slot;
	}
	return w;
}

/* ---- counts ---- */

struct counts {
	unsigned event; /* EV_NONE: nothing was counted */
	uint64_t out[WINDOWS];
};
static struct counts counts[RINGS][PMU_COUNTERS_MAX];

/* What C code executes in ring 0 may be another number each time. */
static unsigned rings_known(void)
{
	return now.way->handler ? RINGS : OF_RING_3 + 1;
}

static void count_all(struct run *t, unsigned way)
{
	memset(counts, 0, sizeof(counts));
	now.way = crossing(way);
	now.open = UINT32_C(1) << way;
	for (unsigned i = 0; i < WINDOWS; i++) {
		now.times = crossings[i];
		load();
		for (unsigned rings = 0; rings < rings_known(); rings++) {
			struct window w = window_for(t->pmu, rings, way);

			window_run(t, &w);
			for (unsigned s = 0; s < w.n; s++) {
				counts[rings][w.c[s].ctr].event = w.c[s].cfg.event;
				counts[rings][w.c[s].ctr].out[i] = w.c[s].out;
			}
		}
	}
}

/* Each crossing adds as much as the first one; returns how much that is. */
static uint64_t check_alike(struct run *t, const struct counts *c)
{
	uint64_t each = c->out[1] - c->out[0];

	for (unsigned i = 2; i < WINDOWS; i++)
		CHECK_DIFFERENCE(t, c->out[i] - c->out[0], crossings[i] * each);
	return each;
}

/* In ring 0 a handler of so many instructions runs; what crosses, and what comes back, may count
 * there or not.  It has no branch but the last one, and no near return. */
static void check_ring_0(struct run *t, unsigned event, uint64_t each)
{
	const uint64_t handler = event == EV_INSTRUCTIONS ? now.way->handler : 1;

	if (event == EV_NEAR_RETURNS) {
		CHECK_COUNT(t, each, 0);
	} else {
		CHECK_COUNT_LEAST(t, each, handler - 1);
		CHECK_COUNT_MOST(t, each, handler + 1);
	}
}

/* Those on one side and those on the other are all. */
static void check_counter(struct run *t, unsigned ctr, bool published)
{
	const struct counts *of[RINGS];
	uint64_t each[RINGS];

	t->counter = ctr;
	for (unsigned rings = 0; rings < RINGS; rings++) {
		of[rings] = &counts[rings][ctr];
		each[rings] = check_alike(t, of[rings]);
	}
	if (of[OF_RING_0]->event)
		check_ring_0(t, of[OF_RING_0]->event, each[OF_RING_0]);
	/* The gate and a RET. */
	if (of[OF_RING_3]->event && published)
		CHECK_COUNT(t, each[OF_RING_3], now.way->returns * (of[OF_RING_3]->out[0] - 1));
	if (of[OF_RING_3]->event == of[OF_RING_0]->event &&
	    of[OF_RING_3]->event == of[OF_BOTH]->event)
		CHECK_COUNT(t, each[OF_RING_3] + each[OF_RING_0], each[OF_BOTH]);
}

TEST(each_way, "each way to ring 0 and back counts on both sides, each time alike",
     .clause = CROSSED, .needs = PMU_PRIVILEGE)
{
	const uint32_t published = crossings_published(t->pmu);

	for (unsigned way = 0; crossing(way) && !t->failed; way++) {
		if (!crossing_is_here(crossing(way)))
			continue;
		count_all(t, way);
		for (unsigned ctr = 0; ctr < t->pmu->counters && !t->failed; ctr++)
			check_counter(t, ctr, published >> way & 1);
		if (t->failed)
			report_diag("it crosses by %s", crossing(way)->name);
	}
}
