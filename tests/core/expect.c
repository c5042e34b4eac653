/* SPDX-License-Identifier: BSD-2-Clause */
/* Bounds that follow from a mode for its counts, on any silicon. */
#include "mode.h"

/* Divisions an iteration: each has clocks without any retirement ahead of it, and some with one
 * behind it. */
static uint64_t divisions(void)
{
	return payload_does(&payload_apart, "branches");
}

/* ---- events ---- */

/* Places in struct payload_counts; 0 is that of the instructions. */
#define PLACE(member) (offsetof(struct payload_counts, member) / sizeof(int64_t))

/* The text behind the dot of an occasion; NULL: there is none. */
static const char *quantity_of(const char *occasion)
{
	while (occasion && *occasion)
		if (*occasion++ == '.')
			return occasion;
	return NULL;
}

struct mode_event mode_event(const struct pmu *pmu, unsigned event)
{
	static const size_t generic[EV_OWN] = {[EV_BRANCHES] = PLACE(branches),
					       [EV_TAKEN_BRANCHES] = PLACE(taken),
					       [EV_NEAR_RETURNS] = PLACE(near_returns)};
	const struct pmu_event *row = &pmu->events[event];
	struct mode_event e = {.event = event};

	if (!row->name)
		return e;
	e.exact = row->why->accuracy == PMU_EXACT;
	if (event == EV_INSTRUCTIONS || (event < EV_OWN && generic[event])) {
		e.once = (uint64_t)payload_apart.fixed.all[generic[event]];
		e.each = (uint64_t)payload_apart.per_iteration.all[generic[event]];
	} else if (event >= EV_OWN && quantity_of(row->occasion)) {
		e.each = payload_does(&payload_apart, quantity_of(row->occasion));
		/* It may be part of what an instruction does that stands outside of the loop. */
		e.exact &= event < EV_OWN;
	}
	return e;
}

/* ---- bounds ---- */

static struct mode_bounds exactly(uint64_t n)
{
	return (struct mode_bounds){.exact = true, .least = n, .most = n, .share = 1};
}

static struct mode_bounds between(uint64_t least, uint64_t most)
{
	return (struct mode_bounds){.least = least, .most = most, .share = 1};
}

/* An event that occurs in every clock.  Clocks around the payload vary: those of ring 0. */
static struct mode_bounds always(const struct mode *mode)
{
	const struct pmu_config *cfg = &mode->cfg;
	bool is_true = cfg->below ? cfg->below > 1 : cfg->at_least <= 1;

	/* A condition that lasts does not begin again. */
	if (!is_true || cfg->edge || (!mode->passes && !cfg->kernel))
		return exactly(0);
	return between(mode->passes ? divisions() : 0, MODE_NO_BOUND);
}

/* One that occurs at most once in a clock, with an empty clock before and behind it. */
static struct mode_bounds single(const struct pmu_config *cfg, uint64_t each)
{
	if (cfg->at_least > 1)
		return exactly(0);
	if (!cfg->below || (cfg->edge && cfg->below == 1))
		return exactly(each);
	return cfg->edge ? exactly(0) : between(divisions(), MODE_NO_BOUND);
}

/* Some in a clock, then none: how many in a clock is the pipeline's affair. */
static struct mode_bounds bursts(const struct pmu_config *cfg, uint64_t each)
{
	unsigned c = cfg->below ? cfg->below : cfg->at_least;
	struct mode_bounds bounds = between(c <= 1 ? divisions() : 0, each);

	if (c == 0 && !cfg->edge)
		return exactly(each);
	if (cfg->below && !cfg->edge)
		return between(divisions(), MODE_NO_BOUND);
	/* A clock with c occurrences takes c of them; so does each time that it comes again. */
	bounds.share = c ? c : 1;
	return bounds;
}

struct mode_bounds mode_expect(const struct mode *mode)
{
	const struct mode_event *event = &mode->event;
	struct mode_bounds bounds;

	if (event->event == EV_CYCLES)
		return always(mode);
	if (!mode->passes)
		return exactly(0);
	if (event->event == EV_INSTRUCTIONS)
		bounds = bursts(&mode->cfg, event->each);
	else
		bounds = single(&mode->cfg, event->each);
	return event->exact ? bounds : between(bounds.least, MODE_NO_BOUND);
}
