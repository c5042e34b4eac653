/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that nothing stops at once: their counters open and close one after the other, so that a
 * window holds the next one, and whatever others do meanwhile is counted by the outer one, too. */
#include "box.h"

#define GROUP   "count", "privilege"
#define SELECTS "AMD PPR, 2.1.14 and 2.1.15: enable, event and unit mask of L3, DF and UMC counters"
#define UNGATED                                                                                    \
	(BOX_CACHE | BOX_L2 | BOX_FABRIC | BOX_CONTROLLER | BOX_NORTHBRIDGE | BOX_CORE_SLICE |     \
	 BOX_ARBITER)
#define ON_EACH .clause = SELECTS, .kinds = UNGATED, .per_counter = true

/* ---- what a box can be made to count ---- */

#define BEFORE 3u /* events before a carry; a window has more */
#define WAYS   16u /* lines of a window that one channel of memory gets, of so many at most */

struct stimulus {
	struct box_config cfg;
	box_load *load, *prepare; /* of many; of few there is no prepare */
	box_load *few;
};

static uint64_t try_it(struct run *t, const struct stimulus *s)
{
	const struct trial trial = {.cfg = {s->cfg}, .load = s->few};

	return trial_count(t, &trial);
}

/* An instance of the fabric that gets lines of memory. */
static struct stimulus find_instance(struct run *t, struct stimulus s)
{
	const struct box_kind *kind = kind_of(t);

	s.cfg.event = box_event(kind, FABRIC_READS) ? FABRIC_READS : FABRIC_REQUESTS;
	while (s.cfg.instance < kind->instances && try_it(t, &s) < MEMORY_FEW / WAYS)
		s.cfg.instance++;
	SKIP_IF(t, s.cfg.instance == kind->instances, "no instance that is known gets lines here");
	return s;
}

/* Clocks where they are counted; else some channels have no memory. */
static struct stimulus of_controller(struct run *t, struct stimulus s)
{
	if (!t->pmu->idle)
		return (struct stimulus){{CLOCKS}, wait_a_window, NULL, wait_a_window};
	s.cfg.event = CONTROLLER_READS;
	SKIP_IF(t, try_it(t, &s) < MEMORY_FEW / WAYS, "a channel without clock and traffic");
	return s;
}

/* Lookups, or, where no event is documented, clocks: each has fewer than the largest threshold. */
static struct stimulus of_slice(const struct run *t, struct stimulus s)
{
	s.cfg.event = CORE_LOOKUPS;
	if (!box_event(kind_of(t), CORE_LOOKUPS))
		s = (struct stimulus){{.row = 1, .below = (uint8_t)t->pmu->max_threshold},
				      wait_a_window,
				      NULL,
				      wait_a_window};
	return s;
}

static struct stimulus stimulus_of(struct run *t)
{
	struct stimulus s = {.load = memory_load, .prepare = memory_clean, .few = memory_burst};

	switch (kind_of(t)->role) {
	case BOX_CORE_SLICE:
		return of_slice(t, s);
	case BOX_ARBITER:
		s.cfg.event = REQUESTS_TRACKED;
		return s;
	case BOX_CACHE:
		s.cfg.event = CACHE_LOOKUPS;
		return s;
	case BOX_L2:
		s.cfg.event = L2_REQUESTS;
		return s;
	case BOX_FABRIC:
		return find_instance(t, s);
	case BOX_CONTROLLER:
		return of_controller(t, s);
	default:
		s.cfg.event = NODE_DRAM;
		return s;
	}
}

/* ---- the tests ---- */

/* Only the counter under test is enabled, and then only the next one. */
BOX_TEST(enable_alone, "a counter counts if its enable bit is set, and else stands still", ON_EACH)
{
	const struct stimulus s = stimulus_of(t);
	struct trial trial = {.cfg = {s.cfg, s.cfg}, .load = s.few};

	for (unsigned on = 0; on < 2; on++) {
		trial.off = on ? 0x1 : 0x2;
		trial.law[0] = (struct law){AT_LEAST(MEMORY_FEW / WAYS)};
		trial.law[1] = (struct law){EXACTLY(0)};
		trial.law[0].by[on] = trial.law[1].by[!on] = 1;
		judge(t, &trial);
	}
}

/* Of clocks an outer counter has many more, and one too many of the inner one would not be seen. */
static void compare_reads(struct run *t)
{
	const struct box_config reads = {.event = CONTROLLER_READS};
	const struct trial trial = {LOADED, .first = (uint8_t)(t->pmu->counters - 1),
				    .nested = true, .cfg = {reads, reads, reads},
				    .law = {{{1, -1}, AT_LEAST(0)}, {{0, 1, -1}, AT_LEAST(0)}}};

	judge(t, &trial);
}

/* The counter under test holds the next one, and is held by the one before it. */
BOX_TEST(counters_agree, "of two counters on the same event the outer one counts no less", ON_EACH)
{
	const struct stimulus s = stimulus_of(t);
	const struct trial trial = {
		.first = (uint8_t)(t->pmu->counters - 1),
		.nested = true,
		.cfg = {s.cfg, s.cfg, s.cfg},
		.prepare = s.prepare,
		.load = s.load,
		.law = {{{1, -1}, AT_LEAST(0)},
			{{0, 1, -1}, AT_LEAST(0)},
			{{0, 1}, AT_LEAST(MEMORY_FEW / WAYS)},
			{{0, 0, 1}, AT_LEAST(MEMORY_FEW / WAYS)}},
	};

	judge(t, &trial);
	if (kind_of(t)->role == BOX_CONTROLLER)
		compare_reads(t);
}

/* What goes on in a window is less by far. */
#define FEW (1 << 30)

/* All counters carry into the same bit; each holds the next. */
static void check_carry(struct run *t, const uint64_t out[])
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		OF_COUNTER(t, c, CHECK_IS(t, out[c], >, BEFORE));
		OF_COUNTER(t, c, CHECK_IS(t, out[c], <=, FEW));
		if (c)
			OF_COUNTER(t, c, CHECK_IS(t, out[c - 1], >=, out[c]));
	}
}

BOX_TEST(carries, "each counter carries into each of its bits", .clause = SELECTS, .kinds = UNGATED)
{
	const struct stimulus s = stimulus_of(t);
	struct all_counters all = {.programmed = false};

	for (unsigned c = 0; c < t->pmu->counters; c++)
		all.cfg[c] = s.cfg;
	for (unsigned bit = 2; bit < t->pmu->counter[0].width; bit++) {
		all.from = BIT(bit) - BEFORE;
		trial_all(t, &all, s.few);
		check_carry(t, all.out);
	}
}

/* What happens above it no source says for sure. */
BOX_TEST(top, "a counter that counts beyond its largest value stops there, or goes on from 0",
	 .clause = SELECTS, .kinds = UNGATED)
{
	const struct stimulus s = stimulus_of(t);
	const struct trial trial = {
		.cfg = {s.cfg}, .load = s.few, .from = pmu_mask(t->pmu, 0) - BEFORE};
	uint64_t value;

	trial_run(t, &trial, (uint64_t[TRIAL_COUNTERS]){0});
	value = pmu_get(t->pmu->counter[0].ctr);
	if (pmu_read(t->pmu, 0) != pmu_mask(t->pmu, 0))
		CHECK_IS(t, pmu_read(t->pmu, 0), <, FEW);
	report_diag("behind its largest value the counter reads %llx", (unsigned long long)value);
}
