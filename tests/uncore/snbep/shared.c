/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of uncore boxes share. */
#include "snbep.h"

#define WINDOW_US 50u

void wait_a_window(void)
{
	machine_delay_us(WINDOW_US);
}

static void prepare(const struct pmu *pmu)
{
	snbep_freeze(pmu);
	for (unsigned c = 0; c < pmu->counters; c++)
		snbep_put(pmu, pmu->counter[c].ctl.address, 0);
}

static void put(const struct pmu *pmu, const struct slot *slot, bool enabled)
{
	uint32_t ctl = snbep_encode(snbep_box(pmu)->kind, &slot->box);

	snbep_put(pmu, pmu->counter[slot->ctr].ctl.address,
		  enabled && !slot->waits ? ctl : ctl & ~(uint32_t)CTL_EN);
}

/* Without a box control register counters are enabled and disabled one by one. */
static bool is_gated(const struct pmu *pmu)
{
	return snbep_box(pmu)->kind->box_ctl;
}

static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	put(pmu, slot, is_gated(pmu));
	return NULL;
}

static void open_box(const struct pmu *pmu, const struct window *w)
{
	snbep_run(pmu);
	for (unsigned i = 0; !is_gated(pmu) && i < w->n; i++)
		put(pmu, &w->c[i], true);
}

static void close_box(const struct pmu *pmu, const struct window *w)
{
	snbep_freeze(pmu);
	for (unsigned i = w->n; !is_gated(pmu) && i-- > 0;)
		put(pmu, &w->c[i], false);
}

#define BOX_OPS .program = program, .open = open_box, .close = close_box, .box = snbep_pmu
const struct window_ops box_ops = {BOX_OPS, .prepare = prepare};
const struct window_ops box_ops_from_reset = {BOX_OPS, .prepare = snbep_reset};

struct window box_window(const struct run *t, unsigned first, unsigned n,
			 const struct snbep_config *cfg, box_load *load)
{
	struct window w = {.ops = &box_ops, .n = n, .work = {.act = load}};

	for (unsigned i = 0; i < n; i++)
		w.c[i] = (struct slot){.ctr = (first + i) % t->pmu->counters, .box = cfg[i]};
	return w;
}

struct window box_count(struct run *t, unsigned first, unsigned n, const struct snbep_config *cfg,
			box_load *load)
{
	struct window w = box_window(t, first, n, cfg, load);

	window_run(t, &w);
	return w;
}

struct window box_clocks(const struct run *t)
{
	struct snbep_config clocks[SNBEP_COUNTERS_MAX];

	for (unsigned c = 0; c < t->pmu->counters; c++)
		clocks[c] = clock_of(t);
	return box_window(t, 0, t->pmu->counters, clocks, wait_a_window);
}

void box_start(const struct pmu *pmu, struct snbep_config cfg)
{
	snbep_reset(pmu);
	snbep_put(pmu, pmu->counter[0].ctl.address, snbep_encode(snbep_box(pmu)->kind, &cfg));
	snbep_run(pmu);
}
