/* SPDX-License-Identifier: BSD-2-Clause */
/* The windows of a mode, and those of it alone, which many rows are compared with. */
#include "mode.h"

/* ---- a window ---- */

/* 0: there can be no interrupt. */
static uint32_t lvt_of(const struct run *t, const struct window *w, enum mode_interrupt interrupt)
{
	bool can = t->pmu->features & PMU_INTERRUPT;

	for (unsigned i = 0; can && i < w->n; i++)
		if (w->c[i].cfg.interrupt || w->c[i].from)
			return interrupt == BY_NMI ? APIC_LVT_MODE_NMI : VECTOR_PMI;
	return 0;
}

/* A million is more than all that happens. */
static uint64_t start_of(const struct run *t, enum mode_start start, uint64_t period)
{
	if (start == FROM_ZERO)
		return 0;
	return preset_for(t, start == FROM_AFAR ? 1u << 20 : period);
}

struct mode_seen mode_see(struct run *t, const struct mode *mode, uint64_t iterations,
			  uint64_t period)
{
	struct window w = mode_window(t, mode);
	struct slot *mine = &w.c[w.n - 1], *twin = &w.c[0];

	window_assign(t, &w, w.n - 1);
	if (mode->company == TWIN_OVERFLOWS)
		twin->from = preset_for(t, period);
	if (mode->company == ONE_THAT_WRAPPED)
		twin->from = preset_for(t, 1);
	mine->from = start_of(t, mode->start, period);
	w.work = in_ring(mode->ring, &payload_apart, iterations);
	w.lvt = lvt_of(t, &w, mode->interrupt);
	/* A handler's instructions would be counted. */
	w.held = mode->ring == RING_0;
	window_run(t, &w);
	/* Nobody else does so where nobody was interrupted. */
	pmu_acknowledge(t->pmu, t->programmed);
	return (struct mode_seen){
		.iterations = iterations,
		.count = slot_counted(t, mine),
		.twin = slot_counted(t, twin),
		.interrupts = w.lvt ? t->log.per_counter[t->counter] : 0,
		.all_interrupts = w.lvt ? t->log.count : 0,
		.last_in_ring3 = w.lvt && taken_in_ring3(t),
	};
}

bool mode_is_gated(const struct run *t, const struct mode *mode)
{
	return mode->ring == RING_3 && !mode->cfg.kernel &&
	       (!mode->cfg.below || t->pmu->features & PMU_INVERT_FILTERED);
}

/* ---- what was counted alone ---- */

static struct known {
	struct mode mode;
	struct mode_seen seen;
} known[128];
static unsigned known_count;

void mode_forget(void)
{
	known_count = 0;
}

/* Nothing else of a mode that is alone differs from 0. */
static bool is_same(const struct mode *a, const struct mode *b)
{
	return a->ring == b->ring && a->company == b->company && a->past == b->past &&
	       a->cfg.event == b->cfg.event && a->cfg.at_least == b->cfg.at_least &&
	       a->cfg.below == b->cfg.below && a->cfg.edge == b->cfg.edge &&
	       a->cfg.user == b->cfg.user && a->cfg.kernel == b->cfg.kernel;
}

static const struct known *find(const struct mode *mode, uint64_t iterations)
{
	for (unsigned i = 0; i < known_count; i++)
		if (known[i].seen.iterations == iterations && is_same(&known[i].mode, mode))
			return &known[i];
	return NULL;
}

static struct mode_seen see_once(struct run *t, const struct mode *mode, uint64_t iterations)
{
	const struct known *before = find(mode, iterations);
	struct mode_seen seen;

	if (before)
		return before->seen;
	seen = mode_see(t, mode, iterations, 0);
	if (known_count < ARRAY_SIZE(known))
		known[known_count++] = (struct known){*mode, seen};
	return seen;
}

struct mode_seen mode_alone(struct run *t, const struct mode *mode, bool plain, uint64_t iterations)
{
	struct mode alone = {.ring = mode->ring, .cfg = mode->cfg};

	if (mode->company != ALONE && !mode_is_gated(t, mode))
		alone.company = TWIN;
	if (mode->past == WRITTEN_TWICE && !mode_is_gated(t, mode))
		alone.past = WRITTEN_TWICE;
	if (plain)
		alone.cfg.at_least = alone.cfg.below = alone.cfg.edge = 0;
	return see_once(t, &alone, iterations);
}
