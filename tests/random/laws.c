/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts are to be: a program is counted, and so is a RET alone.  What the program has more
 * must be what it executes more, as all around it is the same. */
#include "random.h"

/* More than any processor retires in a clock; and than any count here. */
#define PER_CLOCK 16u
#define NO_BOUND  (UINT64_C(1) << 30)

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
	case EV_INTERRUPTS:
		wrong->most += crossings;
		break;
	default:
		break;
	}
	if (truth->in_c)
		wrong->most += NO_BOUND;
}

/* And to one of ring 3: what the gate adds there, for each return; or what each adds by itself. */
static uint64_t of_crossings(const struct run *t, const struct truth *truth,
			     const struct seen *seen, uint64_t gate)
{
	const uint32_t published = crossings_published(t->pmu);
	uint64_t sum = 0;

	for (unsigned i = 0; crossing(i); i++)
		sum += truth->times[i] *
		       (published >> i & 1 ? crossing(i)->returns * gate : seen->crossed[i]);
	return sum;
}

/* Each interrupt comes back to ring 3 as the gate does: it adds as much there. */
static void bound_exact(struct run *t, const struct truth *truth, const struct seen *seen,
			bool passes, struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;
	const uint64_t own = (uint64_t)truth_of_event(t->pmu, cfg->event, truth);
	const uint64_t of_ret = (uint64_t)truth_of_event(t->pmu, cfg->event, &truth_of_empty);
	const uint64_t mask = pmu_mask(t->pmu, seen->slot->ctr);
	const uint64_t gate = slot_counted(t, seen->empty) - (passes ? of_ret : 0);

	wrong->got = (slot_counted(t, seen->slot) - slot_counted(t, seen->empty)) & mask;
	wrong->most = passes ? (own - of_ret) & mask : 0;
	if (passes && !cfg->kernel)
		wrong->most += of_crossings(t, truth, seen, gate);
	wrong->least = wrong->most + (seen->interrupts - seen->late) * gate;
	wrong->most += seen->interrupts * gate;
	if (cfg->kernel && seen->ring == RING_3)
		add_handlers(cfg, truth, wrong);
}

static unsigned width_of(const struct pmu *pmu)
{
	unsigned known = pmu->events[EV_INSTRUCTIONS].max_per_clock;

	return known ? known : PER_CLOCK;
}

/* No more retires in a clock than that. */
uint64_t least_clocks(const struct run *t, const struct pmu_config *cfg, const struct truth *truth,
		      unsigned back)
{
	const uint64_t hidden = counts_hidden(t, cfg, GATE_CHANGES * back);
	const uint64_t least = (uint64_t)truth->instructions / width_of(t->pmu);

	return least > hidden ? least - hidden : 0;
}

static void bound_clocks(struct run *t, const struct truth *truth, const struct seen *seen,
			 bool passes, struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;

	wrong->got = slot_counted(t, seen->slot);
	wrong->least = passes ? least_clocks(t, cfg, truth, 1 + (unsigned)truth->crossings) : 0;
	wrong->most = passes || cfg->kernel ? NO_BOUND : 0;
}

/* Others may be counted, too. */
static void bound_below(struct run *t, const struct truth *truth, const struct seen *seen,
			bool passes, struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;

	wrong->got = slot_counted(t, seen->slot);
	wrong->least = passes ? (uint64_t)truth_of_event(t->pmu, cfg->event, truth) : 0;
	wrong->most = passes || cfg->kernel || seen->ring == RING_3 ? NO_BOUND : 0;
}

/* A clock with c occurrences has c of them, and each time that it comes again it does so; and the
 * gate, crossings and interrupts add one or two instructions each. */
static void bound_threshold(struct run *t, const struct truth *truth, const struct seen *seen,
			    struct wrong *wrong)
{
	const struct pmu_config *cfg = &seen->slot->cfg;
	const uint64_t events = (uint64_t)truth_of_event(t->pmu, cfg->event, truth);
	const uint64_t known = t->pmu->events[cfg->event].max_per_clock;
	const uint64_t width = known ? known : PER_CLOCK;
	const uint64_t back = 1 + seen->interrupts + (uint64_t)truth->crossings;
	const uint64_t hidden = counts_hidden(t, cfg, GATE_CHANGES * (unsigned)back);

	wrong->what = "a threshold";
	wrong->got = slot_counted(t, seen->slot);
	wrong->most = (events + 2 * back) / cfg->at_least;
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

struct wrong law_of_slot(struct run *t, const struct truth *truth, const struct seen *seen)
{
	const struct pmu_config *cfg = &seen->slot->cfg;
	const bool passes = seen->ring == RING_3 ? cfg->user : cfg->kernel;
	struct wrong wrong = {.what = "a count", .is_count = true};

	if (cfg->at_least)
		bound_threshold(t, truth, seen, &wrong);
	else if (cfg->event == EV_CYCLES)
		bound_clocks(t, truth, seen, passes, &wrong);
	else if (pmu_is_exact(t->pmu, cfg->event))
		bound_exact(t, truth, seen, passes, &wrong);
	else
		bound_below(t, truth, seen, passes, &wrong);
	if (is_within(t, seen->slot->ctr, &wrong))
		wrong.what = NULL;
	return wrong;
}

/* Both conditions begin by turns.  No manual says what an inverted one was before the window, nor
 * while another ring was in it. */
static struct wrong law_of_turns(const struct run *t, const struct window *w, uint64_t changes)
{
	const uint64_t begins = slot_counted(t, &w->c[AT_LEAST]);
	const uint64_t slack = 1 + changes + edges_hidden(t, (unsigned)changes);
	struct wrong wrong = {.what = "edges of a condition and of its opposite",
			      .slot = BELOW,
			      .got = slot_counted(t, &w->c[BELOW]),
			      .least = begins > slack ? begins - slack : 0,
			      .most = begins + slack};

	if (wrong.got >= wrong.least && wrong.got <= wrong.most)
		wrong.what = NULL;
	return wrong;
}

struct wrong law_of_partition(struct run *t, const struct window *w, uint64_t changes)
{
	const uint64_t clocks = slot_counted(t, &w->c[CLOCKS]);
	const uint64_t hidden = clocks_hidden(t, &w->c[CLOCKS].cfg, (unsigned)changes);
	struct wrong wrong = {.what = "the sum of what is below the threshold and what is not",
			      .slot = BELOW,
			      .got = slot_counted(t, &w->c[AT_LEAST]) +
				     slot_counted(t, &w->c[BELOW]),
			      .least = clocks > hidden ? clocks - hidden : 0,
			      .most = clocks + hidden};

	if (w->c[AT_LEAST].cfg.edge)
		return law_of_turns(t, w, changes);
	if (wrong.got >= wrong.least && wrong.got <= wrong.most)
		wrong.what = NULL;
	return wrong;
}
