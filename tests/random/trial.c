/* SPDX-License-Identifier: BSD-2-Clause */
/* What counters count, where, from which values, and which of them interrupts. */
#include "random.h"

enum { TRIES = 6, LOWEST_BIT = 8 };

/* ---- what happens, by events ---- */

static bool is_quantity(const char *occasion, const char *quantity)
{
	while (*occasion && *occasion != '.')
		occasion++;
	return *occasion && !strcmp(occasion + 1, quantity);
}

static int64_t truth_of_own(const char *occasion, const struct truth *truth)
{
	if (occasion && is_quantity(occasion, "conditional"))
		return truth->conditional;
	return -1;
}

/* Coming back from a fault counts as an instruction and a branch: no more is published, but where
 * all that changes the ring counts in the ring that it goes to. */
static bool is_published(const struct pmu *pmu, unsigned event, const struct truth *truth)
{
	bool beyond = event == EV_TAKEN_BRANCHES || event == EV_NOT_TAKEN_BRANCHES ||
		      event == EV_FAR_TRANSFERS;

	return !beyond || pmu->features & PMU_TARGET_RING || !crossings_that_fault(truth->ways);
}

int64_t truth_of_event(const struct pmu *pmu, unsigned event, const struct truth *truth)
{
	if (!pmu->events[event].name || !is_published(pmu, event, truth))
		return -1;
	switch (event) {
	case EV_INSTRUCTIONS:
		return truth->instructions;
	case EV_BRANCHES:
		return truth->branches;
	case EV_TAKEN_BRANCHES:
		return truth->taken;
	case EV_NOT_TAKEN_BRANCHES:
		return truth->branches - truth->taken;
	case EV_NEAR_RETURNS:
		return truth->near_returns;
	case EV_FAR_TRANSFERS:
	case EV_INTERRUPTS:
		return 0; /* those of the program itself */
	default:
		return truth_of_own(pmu->events[event].occasion, truth);
	}
}

/* ---- one counter ---- */

static unsigned draw_event(const struct pmu *pmu, unsigned ctr, struct draw *draw,
			   const struct truth *truth)
{
	unsigned known[PMU_EVENTS_MAX], n = 0;

	FOR_EACH_EVENT (pmu, event)
		if (pmu_can_count(pmu, ctr, event) && !pmu->events[event].edition &&
		    (event == EV_CYCLES || truth_of_event(pmu, event, truth) >= 0))
			known[n++] = event;
	return n ? known[draw_below(draw, n)] : EV_NONE;
}

/* Half of them count the ring of the program alone, and a few of them none. */
static void draw_rings(struct draw *draw, struct pmu_config *cfg, enum ring ring, bool alone)
{
	unsigned which = alone ? 0 : draw_below(draw, 8);
	bool own = which < 6, other = which == 4 || which == 5 || which == 6;

	cfg->user = ring == RING_3 ? own : other;
	cfg->kernel = ring == RING_3 ? other : own;
}

static void draw_comparison(const struct run *t, struct draw *draw, struct slot *slot)
{
	const unsigned features = pmu_features(t->pmu, slot->ctr);

	if (!(features & PMU_THRESHOLD) || !pmu_is_exact(t->pmu, slot->cfg.event) ||
	    !draw_once_in(draw, 4))
		return;
	slot->cfg.at_least = 1 + draw_below(draw, t->pmu->max_threshold < 4 || draw_once_in(draw, 2)
							  ? t->pmu->max_threshold
							  : 4);
	slot->cfg.edge = features & PMU_EDGE && draw_once_in(draw, 2);
}

/* In the middle it carries into a bit, or goes round: an erratum is of carries in the clock in
 * which the counter stops. */
static void draw_start(const struct run *t, struct draw *draw, struct slot *slot, int64_t events)
{
	const unsigned width = t->pmu->counter[slot->ctr].width;
	const unsigned bit = LOWEST_BIT + draw_below(draw, width - LOWEST_BIT + 1);
	const uint64_t mask = pmu_mask(t->pmu, slot->ctr);
	const uint64_t from = ((mask >> (width - bit)) + 1 - (uint64_t)events / 2) & mask;

	if (events > 1 && draw_once_in(draw, 2) && pmu_can_write(t->pmu, slot->ctr, from))
		slot->from = from;
}

static struct slot draw_slot(const struct run *t, struct draw *draw, unsigned ctr, enum ring ring,
			     const struct truth *truth, bool alone)
{
	struct slot slot = {.ctr = ctr};

	slot.cfg.event = draw_event(t->pmu, ctr, draw, truth);
	if (slot.cfg.event == EV_NONE)
		return slot;
	draw_rings(draw, &slot.cfg, ring, alone);
	if (ring == RING_3 && slot.cfg.user && !slot.cfg.kernel)
		draw_comparison(t, draw, &slot);
	if (!slot.cfg.at_least)
		draw_start(t, draw, &slot, truth_of_event(t->pmu, slot.cfg.event, truth));
	return slot;
}

/* ---- all ---- */

static bool fits(const struct pmu *pmu, const struct window *w, const struct slot *slot)
{
	const struct pmu_counting *counting = pmu->counting;

	if (slot->cfg.event == EV_NONE || pmu_is_deaf(pmu, slot->ctr, &slot->cfg))
		return false;
	for (unsigned i = 0; counting->conflict && i < w->n; i++)
		if (counting->conflict(pmu, w->c[i].ctr, &w->c[i].cfg, slot->ctr, &slot->cfg))
			return false;
	return true;
}

static void add_slot(const struct run *t, struct draw *draw, struct trial *trial, unsigned ctr,
		     const struct truth *truth, bool alone)
{
	for (unsigned tries = 0; tries < TRIES; tries++) {
		struct slot slot = draw_slot(t, draw, ctr, trial->ring, truth, alone);

		if (!fits(t->pmu, &trial->w, &slot))
			continue;
		trial->w.c[trial->w.n++] = slot;
		return;
	}
}

bool takes_part(const struct window *w, unsigned ctr)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->c[i].ctr == ctr)
			return true;
	return false;
}

/* Three that any counters can have, or none; half of them with edges. */
static void draw_partition(const struct run *t, struct draw *draw, struct trial *trial)
{
	const unsigned most = t->pmu->max_threshold < 4 ? t->pmu->max_threshold : 4;
	const unsigned ctr = draw_below(draw, t->pmu->counters);
	struct window *w = &trial->w;

	w->n = PARTS;
	w->c[AT_LEAST].cfg = w->c[BELOW].cfg = gated(EV_INSTRUCTIONS);
	w->c[CLOCKS].cfg = gated(EV_CYCLES);
	w->c[AT_LEAST].cfg.at_least = w->c[BELOW].cfg.below = 1 + draw_below(draw, most);
	w->c[AT_LEAST].cfg.edge = w->c[BELOW].cfg.edge =
		pmu_features(t->pmu, ctr) & PMU_EDGE && draw_once_in(draw, 2);
	trial->partitions = pmu_features(t->pmu, ctr) & PMU_THRESHOLD &&
			    pmu_can_count(t->pmu, ctr, EV_INSTRUCTIONS) &&
			    !pmu_is_deaf(t->pmu, ctr, &w->c[AT_LEAST].cfg) &&
			    !window_unfit(t->pmu, ctr, w, draw_below(draw, 2));
	if (!trial->partitions)
		*w = (struct window){0};
}

/* Another one at the same event, if any counter that takes part can have it. */
static void draw_second(const struct run *t, struct trial *trial)
{
	const struct slot *first = &trial->w.c[trial->interrupter];

	for (unsigned i = trial->partitions ? PARTS : 0; i < trial->w.n; i++) {
		struct slot second = {.ctr = trial->w.c[i].ctr, .cfg = first->cfg};
		struct window others = trial->w;

		others.c[i] = others.c[--others.n];
		if ((int)i == trial->interrupter ||
		    !pmu_can_count(t->pmu, second.ctr, second.cfg.event) ||
		    !fits(t->pmu, &others, &second))
			continue;
		trial->w.c[i] = second;
		trial->second = (int)i;
		return;
	}
}

static bool may_interrupt(const struct pmu *pmu, unsigned event)
{
	return event == EV_CYCLES || pmu_is_exact(pmu, event);
}

/* One that counts plainly, and exactly, what the program does, or clocks. */
static void draw_interrupter(struct run *t, struct draw *draw, struct trial *trial)
{
	const unsigned first = draw_below(draw, trial->w.n);

	for (unsigned i = 0; i < trial->w.n; i++) {
		unsigned s = (first + i) % trial->w.n;
		const struct slot *slot = &trial->w.c[s];

		if (slot->cfg.at_least || slot->cfg.below ||
		    !may_interrupt(t->pmu, slot->cfg.event))
			continue;
		trial->interrupter = (int)s;
		/* In ring 0 the window ends in the write that stops the counter; and how many
		 * clocks there will be nobody knows. */
		trial->moment = trial->ring == RING_3 && slot->cfg.event != EV_CYCLES
					? draw_below(draw, MOMENTS)
					: SOMEWHERE;
		trial->share = draw_below(draw, 1 << 15);
		trial->lvt = draw_once_in(draw, 2) ? APIC_LVT_MODE_NMI : VECTOR_PMI;
		if (draw_once_in(draw, 3) && !pmu_effect(t->pmu, LOSES_INTERRUPTS))
			draw_second(t, trial);
		return;
	}
}

struct trial trial_draw(struct run *t, struct draw *draw, enum ring ring, bool filtered,
			const struct truth *truth)
{
	const unsigned all = PMU_INTERRUPT | PMU_USER_ALONE;
	const bool interrupts = (t->pmu->features & all) == all && draw_once_in(draw, 2);
	const unsigned first = draw_below(draw, t->pmu->counters);
	struct trial trial = {.ring = ring, .interrupter = NO_SLOT, .second = NO_SLOT};

	if (filtered && ring == RING_3 && t->pmu->counters >= PARTS && draw_once_in(draw, 4))
		draw_partition(t, draw, &trial);
	for (unsigned i = 0; i < t->pmu->counters; i++) {
		unsigned ctr = (first + i) % t->pmu->counters;

		if (!takes_part(&trial.w, ctr))
			add_slot(t, draw, &trial, ctr, truth, interrupts);
	}
	if (interrupts && trial.w.n)
		draw_interrupter(t, draw, &trial);
	trial.idle = draw->state;
	trial.rdpmc_ring = draw_once_in(draw, 2) ? RING_0 : RING_3;
	trial.level = ring;
	/* What comes back to them is published of ring 3 alone. */
	if (ring == RING_3 && !truth->ways && !interrupts)
		trial.level = (enum ring[]){RING_1, RING_2, RING_3}[draw_below(draw, 3)];
	return trial;
}
