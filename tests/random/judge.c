/* SPDX-License-Identifier: BSD-2-Clause */
/* A program is counted, and so is a RET alone: what the program has more must be what it executes
 * more, as all around it is the same. */
#include "random.h"

#include "tests/crossings/crossings.h"

/* More than any processor retires in a clock. */
#define PER_CLOCK 16u

/* ---- windows ---- */

static struct {
	const struct payload *payload;
	enum ring ring;
	uint64_t turns;
	uint32_t ways;
} now;

/* Conditions depend on the buffer.  Where ring 0 is counted, this is, too, alike for both. */
static void run_now(void)
{
	image_prepare_buffer();
	crossings_open(now.ways);
	work_do(&(struct work){.payload = now.payload, .iterations = now.turns, .ring = now.ring});
	crossings_close();
}

static void count_payload(struct run *t, const struct trial *trial, const struct payload *payload,
			  struct window *w)
{
	now.payload = payload;
	now.ring = trial->ring;
	now.turns = image_now.turns;
	now.ways = image_now.ways;
	w->work = (struct work){.act = run_now};
	window_run(t, w);
	/* Nobody else does so where nobody was interrupted. */
	pmu_acknowledge(t->pmu, t->programmed);
}

/* Without interrupts, and without any carry. */
static struct window window_of_empty(const struct trial *trial)
{
	struct window w = trial->w;

	w.lvt = 0;
	for (unsigned i = 0; i < w.n; i++) {
		w.c[i].from = 0;
		w.c[i].cfg.interrupt = false;
	}
	return w;
}

/* ---- laws ---- */

struct seen {
	const struct slot *slot, *empty; /* with the program, and with the RET */
	uint64_t interrupts; /* that were taken */
	bool late; /* the last of them was taken behind the program */
};

/* What crossings add to a count of ring 0: the instructions of the handlers, and what crosses and
 * comes back, of which no manual says for all whether it counts there. */
static void add_handlers(const struct pmu_config *cfg, const struct truth *truth,
			 struct wrong *wrong)
{
	const uint64_t crossings = (uint64_t)truth->crossings;

	switch (cfg->event) {
	case EV_INSTRUCTIONS:
		wrong->least += (uint64_t)truth->handlers - (cfg->user ? 0 : crossings);
		wrong->most += (uint64_t)truth->handlers + (cfg->user ? 2 : 1) * crossings;
		break;
	case EV_BRANCHES:
	case EV_TAKEN_BRANCHES:
	case EV_NOT_TAKEN_BRANCHES:
	case EV_FAR_TRANSFERS:
		wrong->most += 2 * crossings;
		break;
	default:
		break;
	}
}

/* Each crossing and each interrupt comes back to ring 3 as the gate does: it adds as much there. */
static void bound_plain(struct run *t, const struct trial *trial, const struct truth *truth,
			const struct seen *seen, struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;
	const bool passes = trial->ring == RING_3 ? cfg->user : cfg->kernel;
	const uint64_t own = (uint64_t)truth_of_event(t->pmu, cfg->event, truth);
	const uint64_t of_ret = (uint64_t)truth_of_event(t->pmu, cfg->event, &truth_of_empty);
	const uint64_t mask = pmu_mask(t->pmu, seen->slot->ctr);
	const uint64_t gate = slot_counted(t, seen->empty) - (passes ? of_ret : 0);

	wrong->what = "a count";
	wrong->got = (slot_counted(t, seen->slot) - slot_counted(t, seen->empty)) & mask;
	wrong->most = passes ? (own - of_ret) & mask : 0;
	if (passes && !cfg->kernel)
		wrong->most += (uint64_t)truth->crossings * gate;
	wrong->least = wrong->most + (seen->interrupts - seen->late) * gate;
	wrong->most += seen->interrupts * gate;
	if (cfg->kernel && trial->ring == RING_3)
		add_handlers(cfg, truth, wrong);
}

/* A clock with c occurrences has c of them, and each time that it comes again it does so; and the
 * gate and each interrupt add one or two instructions. */
static void bound_threshold(struct run *t, const struct truth *truth, const struct seen *seen,
			    struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;
	const uint64_t events = (uint64_t)truth_of_event(t->pmu, cfg->event, truth);
	const unsigned known = t->pmu->events[cfg->event].max_per_clock;
	const unsigned width = known ? known : PER_CLOCK;
	const uint64_t hidden = counts_hidden(
		t, cfg,
		GATE_CHANGES * (1 + (unsigned)(seen->interrupts + (uint64_t)truth->crossings)));

	wrong->what = "a threshold";
	wrong->got = slot_counted(t, seen->slot);
	wrong->most =
		(events + 2 * (1 + seen->interrupts + (uint64_t)truth->crossings)) / cfg->at_least;
	if (cfg->at_least > 1 || !events)
		return;
	wrong->least = cfg->edge ? 1 : (events + width - 1) / width;
	wrong->least = wrong->least > hidden ? wrong->least - hidden : 0;
}

static bool is_within(const struct run *t, unsigned ctr, const struct wrong *wrong)
{
	uint64_t mask = pmu_mask(t->pmu, ctr);

	return ((wrong->got - wrong->least) & mask) <= ((wrong->most - wrong->least) & mask);
}

/* It interrupts once it has counted the period, and never else. */
static struct wrong judge_interrupts(const struct run *t, const struct trial *trial,
				     const struct window *w)
{
	const unsigned s = (unsigned)trial->interrupter;
	const uint64_t counted = slot_counted(t, &w->c[s]);
	const uint64_t all = t->log.count, own = t->log.per_counter[w->c[s].ctr];
	const bool due = counted > trial->period + unseen_by_interrupt(t);
	struct wrong wrong = {.what = "interrupts", .slot = s, .got = own, .least = due};

	wrong.most = counted + t->pmu->interrupt_after >= trial->period;
	if (own >= wrong.least && own <= wrong.most)
		wrong = (struct wrong){.what = "interrupts of no overflow",
				       .slot = s,
				       .got = all,
				       .least = own,
				       .most = own};
	/* By an erratum it may come again while it waits. */
	if (wrong.got == wrong.least || pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD))
		wrong.what = NULL;
	return wrong;
}

struct wrong trial_judge(struct run *t, const struct trial *trial, const struct truth *truth)
{
	struct window empty = window_of_empty(trial), w = trial->w;
	struct wrong wrong = {0};
	struct seen seen = {0};

	count_payload(t, trial, &payload_empty, &empty);
	count_payload(t, trial, &payload_drawn, &w);
	if (trial->interrupter != NO_SLOT) {
		seen.interrupts = t->log.count;
		seen.late = seen.interrupts && !taken_in_ring3(t);
		t->counter = w.c[trial->interrupter].ctr;
		wrong = judge_interrupts(t, trial, &w);
	}
	for (unsigned i = 0; !wrong.what && i < w.n; i++) {
		wrong = (struct wrong){.slot = i};
		seen.slot = &w.c[i];
		seen.empty = &empty.c[i];
		if (w.c[i].cfg.at_least)
			bound_threshold(t, truth, &seen, &wrong);
		else
			bound_plain(t, trial, truth, &seen, &wrong);
		if (is_within(t, w.c[i].ctr, &wrong))
			wrong.what = NULL;
	}
	return wrong;
}
