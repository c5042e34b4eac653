/* SPDX-License-Identifier: BSD-2-Clause */
/* The axes of modes, and which of their levels can come together. */
#include "mode.h"

/* ---- levels ---- */

/* The events that the counter under test counts. */
static struct {
	unsigned event[8];
	uint8_t n;
} events;

/* One axis, so that each ring with each privilege filter meets each kind of interrupt.  Both rings
 * stand between each of them. */
static const struct {
	enum ring ring;
	bool user, kernel;
} where[] = {{RING_3, true, false}, {RING_3, true, true}, {RING_3, false, true},
	     {RING_0, false, true}, {RING_0, true, true}, {RING_0, true, false}};

enum { ALL_IN_RING_0 = 4 };

#define LARGEST 0xffffu /* the largest threshold that there is */
enum { TWO = 2 }; /* the level of at least two */
static const struct {
	unsigned at_least, below;
} comparison[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0},      {LARGEST, 0},
		  {0, 1}, {0, 2}, {0, 3}, {0, LARGEST}};

static unsigned threshold(const struct pmu *pmu, unsigned level)
{
	return level == LARGEST ? pmu->max_threshold : level;
}

struct mode mode_of(const struct pmu *pmu, const uint8_t *level)
{
	struct mode mode = {
		.at = level,
		.ring = where[level[WHERE]].ring,
		.cfg = {.event = events.event[level[EVENT]],
			.at_least = threshold(pmu, comparison[level[COMPARISON]].at_least),
			.below = threshold(pmu, comparison[level[COMPARISON]].below),
			.edge = level[EDGE],
			.user = where[level[WHERE]].user,
			.kernel = where[level[WHERE]].kernel},
		.plain = !level[COMPARISON] && !level[EDGE],
	};

	mode.passes = mode.ring == RING_3 ? mode.cfg.user : mode.cfg.kernel;
	mode.gated = mode.ring == RING_3 && !mode.cfg.kernel &&
		     (!mode.cfg.below || pmu->features & PMU_INVERT_FILTERED);
	mode.event = mode_event(pmu, mode.cfg.event);
	mode.each = mode_expect(&mode);
	return mode;
}

/* The counter under test is the last one: where they open one after the other, its window is inside
 * of its twin's, and holds the same instructions whether it has one or not. */
struct window mode_window(const struct run *t, const struct mode *mode)
{
	unsigned last = mode->at[COMPANY] != ALONE;
	struct window w = {.nested = !(t->pmu->features & PMU_ATOMIC_START),
			   .twice = mode->at[PAST] == WRITTEN_TWICE,
			   .renamed = mode->at[PAST] == OTHER_NAME,
			   .n = last + 1};

	w.c[0].cfg = w.c[last].cfg = mode->cfg;
	if (mode->at[COMPANY] == ONE_THAT_WRAPPED)
		w.c[0].cfg = in_all_rings(mode->cfg.event);
	if (mode->at[COMPANY] == OPPOSITE)
		w.c[0].cfg = (struct pmu_config){.event = mode->cfg.event,
						 .user = !mode->cfg.user,
						 .kernel = !mode->cfg.kernel};
	w.c[last].ctr = t->counter;
	w.c[last].cfg.interrupt = mode->at[INTERRUPT] != NO_INTERRUPT;
	if (mode->at[COMPANY] == TWIN_OVERFLOWS)
		w.c[0].cfg.interrupt =
			w.c[last].cfg.interrupt && !pmu_effect(t->pmu, LOSES_INTERRUPTS);
	return w;
}

/* An inverted counter may count the clocks of rings that it filters out, by some manuals and some
 * errata: nothing is known of how many these are. */
static bool is_judged(const struct run *t, const struct mode *mode)
{
	const struct pmu_config *cfg = &mode->cfg;
	bool filtered = !cfg->user || !cfg->kernel;

	if (!cfg->below || !filtered)
		return true;
	if (!mode->passes || pmu_effect(t->pmu, INVERSE_COUNTS_OTHER_RING))
		return false;
	return cfg->event != EV_CYCLES || t->pmu->features & PMU_INVERT_FILTERED;
}

/* A select that is written while its counter runs may clear the overflow that it tells of. */
static bool is_overwritten(const struct mode *mode)
{
	return (mode->at[PAST] == WRITTEN_TWICE || mode->at[PAST] == OTHER_NAME) &&
	       mode->cfg.kernel && (mode->at[START] == BEFORE_WRAP || mode->at[COMPANY] > OPPOSITE);
}

/* May its past be so?  Nothing is beside counters that are all in use. */
static bool has_past(const struct pmu *pmu, const struct window *w, unsigned ctr, uint8_t past)
{
	switch (past) {
	case INTERRUPTED:
		return pmu->features & PMU_INTERRUPT;
	case OTHER_NAME:
		return pmu->counter[ctr].ctl_alias.space != REG_NONE;
	case NEIGHBOUR_WRITTEN:
		return window_neighbour(pmu, w);
	default:
		return true;
	}
}

static bool is_possible(const void *arg, const uint8_t *level)
{
	const struct run *t = arg;
	const struct pmu *pmu = t->pmu;
	struct mode mode = mode_of(pmu, level);
	struct window w = mode_window(t, &mode);

	if (!mode.plain && !(pmu_features(pmu, t->counter) & PMU_THRESHOLD))
		return false;
	if (pmu_is_deaf(pmu, t->counter, &mode.cfg) || is_overwritten(&mode))
		return false;
	if (level[COMPANY] == OPPOSITE && mode.cfg.user == mode.cfg.kernel)
		return false;
	if (mode.cfg.at_least > pmu->max_threshold || mode.cfg.below > pmu->max_threshold)
		return false;
	return is_judged(t, &mode) && !window_unfit(pmu, t->counter, &w, w.n - 1) &&
	       has_past(pmu, &w, t->counter, level[PAST]);
}

struct base {
	uint8_t level[COVER_AXES];
};

static void add_base(struct cover *cover, bool there, struct base base)
{
	if (there)
		memcpy(cover->base[cover->bases++], base.level, sizeof(base.level));
}

struct cover mode_array(const struct run *t)
{
	const uint8_t clocks = events.n - 1; /* mostly: they come last */
	const bool interrupts = t->pmu->features & PMU_INTERRUPT;
	struct cover cover = {
		.axes = AXES,
		.levels = {[WHERE] = ARRAY_SIZE(where),
			   [COMPARISON] = ARRAY_SIZE(comparison),
			   [EDGE] = 2,
			   [INTERRUPT] = interrupts ? INTERRUPTS : 1,
			   [START] = STARTS,
			   [COMPANY] = COMPANIES,
			   [PAST] = PASTS,
			   [EVENT] = events.n},
		.is_possible = is_possible,
	};

	/* Through the gate, exact to the last event. */
	add_base(&cover, true, (struct base){{0}});
	/* Whose condition never holds. */
	add_base(&cover, true, (struct base){{[COMPARISON] = TWO, [EVENT] = clocks}});
	/* Beside a twin that one write starts and stops with it, exact to the last clock. */
	add_base(&cover, t->pmu->features & PMU_ATOMIC_START,
		 (struct base){{[WHERE] = ALL_IN_RING_0, [COMPANY] = TWIN, [EVENT] = clocks}});
	/* That interrupts. */
	add_base(&cover, interrupts,
		 (struct base){{[INTERRUPT] = BY_VECTOR, [START] = BEFORE_WRAP}});
	return cover;
}

/* ---- events ---- */

static bool is_suitable(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	return pmu_can_count(pmu, ctr, event) &&
	       (event == EV_CYCLES || mode_event(pmu, event).each);
}

const char *mode_no_event(const struct pmu *pmu, unsigned ctr)
{
	FOR_EACH_EVENT (pmu, event)
		if (is_suitable(pmu, ctr, event))
			return NULL;
	return "the counter can count no event that is known well enough";
}

static void choose_event(struct run *t, unsigned event, uint64_t iterations)
{
	if (events.n < ARRAY_SIZE(events.event) && is_suitable(t->pmu, t->counter, event) &&
	    count(t, t->counter, in_all_rings(event), in_ring3(&payload_apart, iterations)))
		events.event[events.n++] = event;
}

/* Clocks, which are never known exactly, come last: level 0 of the axis is the plainest. */
unsigned mode_choose_events(struct run *t, uint64_t iterations)
{
	events.n = 0;
	FOR_EACH_EVENT (t->pmu, event)
		if (event != EV_CYCLES)
			choose_event(t, event, iterations);
	choose_event(t, EV_CYCLES, iterations);
	return events.n;
}
