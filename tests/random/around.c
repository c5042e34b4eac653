/* SPDX-License-Identifier: BSD-2-Clause */
/* What a window leaves beside its counts: counters that were not to run, overflow flags, and other
 * ways to read a counter. */
#include "random.h"

/* ---- counters that do not take part ---- */

static uint64_t idle_number(struct draw *draw)
{
	return (uint64_t)draw_below(draw, 1u << 31) << 33 ^
	       (uint64_t)draw_below(draw, 1u << 31) << 16 ^ draw_below(draw, 1u << 31);
}

static uint64_t idle_value(const struct run *t, unsigned ctr, struct draw *draw)
{
	const uint64_t value = idle_number(draw) & pmu_mask(t->pmu, ctr);

	return pmu_can_write(t->pmu, ctr, value) ? value : value & FIELD(30, 0);
}

/* Without the enable bit, and with a quarter of the others: all ones, by which a counter of AMD is
 * joined to its neighbour, never come.  A control that reaches beyond its counter stays 0: that of
 * NetBurst by a cascade, and the one that enables both counters. */
static uint64_t idle_select(const struct run *t, unsigned ctr, struct draw *draw)
{
	const uint64_t bits = idle_number(draw) & idle_number(draw);
	const bool reaches = t->pmu->counting->conflict || t->pmu->features & PMU_SINGLE_ENABLE;

	if (reaches || !(pmu_features(t->pmu, ctr) & PMU_SELECT))
		return 0;
	return bits & t->pmu->ctl_writable & ~t->pmu->ctl_enable;
}

/* Calls use() with each, and with what its registers are to hold. */
static struct wrong each_idle(struct run *t, const struct trial *trial,
			      struct wrong (*use)(struct run *t, unsigned ctr, uint64_t select,
						  uint64_t value))
{
	struct draw draw = {trial->idle};
	struct wrong wrong = {0};

	for (unsigned ctr = 0; !wrong.what && ctr < t->pmu->counters; ctr++) {
		const uint64_t value = idle_value(t, ctr, &draw);
		const uint64_t select = idle_select(t, ctr, &draw);

		if (!takes_part(&trial->w, ctr))
			wrong = use(t, ctr, select, value);
	}
	return wrong;
}

static struct wrong fill(struct run *t, unsigned ctr, uint64_t select, uint64_t value)
{
	if (pmu_features(t->pmu, ctr) & PMU_SELECT)
		pmu_put(t->pmu, t->pmu->counter[ctr].ctl, select);
	pmu_write(t->pmu, ctr, value);
	return (struct wrong){0};
}

static struct wrong compare(struct run *t, unsigned ctr, uint64_t select, uint64_t value)
{
	const struct pmu_reg ctl = t->pmu->counter[ctr].ctl;
	struct wrong wrong = {.got = pmu_read(t->pmu, ctr), .least = value, .most = value};

	if (wrong.got != value) {
		wrong.what = "a counter that does not take part";
	} else if (select) {
		wrong.got = pmu_get(ctl) & t->pmu->ctl_writable;
		wrong.least = wrong.most = select;
		if (wrong.got != select && !test_misread(t, pmu_number(ctl)))
			wrong.what = "the control of a counter that does not take part";
	}
	return wrong;
}

void idle_fill(struct run *t, const struct trial *trial)
{
	each_idle(t, trial, fill);
}

struct wrong idle_judge(struct run *t, const struct trial *trial)
{
	return each_idle(t, trial, compare);
}

/* ---- flags ---- */

/* Those that went round, and no others, where there are flags. */
struct wrong judge_flags(const struct run *t, const struct window *w, uint64_t flagged)
{
	struct wrong wrong = {.what = "overflow flags", .got = flagged};

	for (unsigned i = 0; i < w->n; i++)
		if (w->c[i].out < w->c[i].from)
			wrong.least |= BIT(w->c[i].ctr);
	wrong.most = wrong.least;
	if (pmu_effect(t->pmu, FLAG_STAYS))
		wrong.got &= wrong.least;
	if (!t->pmu->counting->flagged || wrong.got == wrong.least)
		wrong.what = NULL;
	return wrong;
}

/* ---- names ---- */

static uint64_t read_by_rdpmc(uint32_t index, enum ring ring)
{
	uint64_t value;

	if (ring == RING_0)
		return rdpmc_safe(index, &value) == FAULT_NONE ? value : ~UINT64_C(0);
	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	return user_call(user_rdpmc, index, NULL, 0);
}

/* A second name shows the same, and so does RDPMC in any ring. */
struct wrong judge_names(const struct run *t, const struct trial *trial, const struct window *w)
{
	struct wrong wrong = {0};

	for (unsigned i = 0; !wrong.what && i < w->n; i++) {
		const struct pmu_counter *ctr = &t->pmu->counter[w->c[i].ctr];
		uint64_t mask = pmu_mask(t->pmu, w->c[i].ctr);

		wrong = (struct wrong){.slot = i, .least = w->c[i].out, .most = w->c[i].out};
		wrong.got = read_by_rdpmc(ctr->rdpmc, trial->rdpmc_ring) & mask;
		if (wrong.got != wrong.least) {
			wrong.what = "RDPMC";
		} else if (ctr->ctr_alias.space != REG_NONE) {
			wrong.got = pmu_get(ctr->ctr_alias) & mask;
			wrong.what = wrong.got != wrong.least ? "the second name" : NULL;
		}
	}
	return wrong;
}
