/* SPDX-License-Identifier: BSD-2-Clause */
/* What windows are programmed for, so that the report can say what failures have in common. */
#include "test.h"

struct traits slot_traits(const struct pmu *pmu, const struct slot *slot)
{
	const struct pmu_config *cfg = &slot->cfg;
	const struct pmu_event *event = &pmu->events[cfg->event];

	return (struct traits){
		.events = cause_event(event->name),
		.modes = trait_if(cfg->edge, TRAIT_EDGE) |
			 trait_if(cfg->at_least, TRAIT_THRESHOLD) |
			 trait_if(cfg->below, TRAIT_INVERSION) |
			 traits_of_rings(cfg->user, cfg->kernel) |
			 trait_if(event->unit_mask, TRAIT_UNIT_MASK),
	};
}

/* Whatever its configuration is in terms of. */
static struct traits plain_traits(const struct pmu *pmu, const struct slot *slot)
{
	return (struct traits){
		.counters = UINT32_C(1) << slot->ctr,
		.modes = trait_if(pmu->counter[slot->ctr].fixed, TRAIT_FIXED) |
			 trait_if(slot->from > pmu_mask(pmu, slot->ctr) / 2, TRAIT_OVERFLOW) |
			 trait_if(slot->rearm_from || slot->rearm_by, TRAIT_REARM),
	};
}

static struct traits traits_of_slot(const struct pmu *pmu, const struct window *w,
				    const struct slot *slot)
{
	struct traits traits = plain_traits(pmu, slot), more = {0};

	if (w->ops && w->ops->traits)
		more = w->ops->traits(pmu, slot);
	else if (!w->ops || !w->ops->program)
		more = slot_traits(pmu, slot);
	traits_add(&traits, &more);
	traits.modes |= trait_if(slot->waits && !(traits.modes & BIT(TRAIT_CASCADE)), TRAIT_OFF);
	return traits;
}

enum { LONG = 1 << 16 };

static bool is_long(const struct work *work)
{
	return work->payload &&
	       work->iterations * (uint64_t)work->payload->per_iteration.instructions > LONG;
}

/* By the window itself, or by its test. */
static bool is_held(const struct window *w)
{
	return w->held || !(read_rflags() & RFLAGS_IF);
}

struct traits window_traits(const struct pmu *pmu, const struct window *w)
{
	static const uint8_t rings[] = {
		[RING_0] = TRAIT_RING_0, [RING_1] = TRAIT_RING_1, [RING_2] = TRAIT_RING_2};
	bool is_below = w->work.payload && w->work.ring != RING_3;
	struct traits all = {.modes = trait_if(is_below, rings[is_below ? w->work.ring : RING_0]) |
				      trait_if(w->work.on_sibling, TRAIT_OTHER_THREAD) |
				      trait_if(is_long(&w->work), TRAIT_LONG) |
				      trait_if(is_held(w), TRAIT_HELD)};

	for (unsigned i = 0; i < w->n; i++) {
		const struct traits more = traits_of_slot(pmu, w, &w->c[i]);

		traits_add(&all, &more);
	}
	return all;
}
