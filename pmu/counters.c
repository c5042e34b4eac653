/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of counters, and configurations that they cannot have, for all PMUs.  No access to a
 * register. */
#include "pmu.h"

#define ABILITY(name, member, ...) | (pmu->member ? (unsigned)PMU_##name : 0)

unsigned pmu_abilities(const struct pmu *pmu)
{
	return pmu->features PMU_FACETS(ABILITY);
}

unsigned pmu_features(const struct pmu *pmu, unsigned ctr)
{
	const struct pmu_counter *c = &pmu->counter[ctr];
	unsigned lacks = c->fixed ? PMU_BY_SELECT : 0;

	if (pmu_effect_on(pmu, DEAF_TO_USER_ALONE, ctr))
		lacks |= PMU_USER_ALONE;
	return pmu_abilities(pmu) & ~lacks;
}

static const char *impossible(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	unsigned features = pmu_features(pmu, ctr);

	if (!pmu->events[cfg->event].name)
		return "this PMU has no such event";
	if (!pmu_can_count(pmu, ctr, cfg->event))
		return "this counter cannot count the event";
	if (pmu_is_deaf(pmu, ctr, cfg))
		return pmu_why_missing(PMU_USER_ALONE);
	if (cfg->at_least && cfg->below)
		return "a counter compares one way only";
	if (cfg->pin_control && !(features & PMU_PIN_CONTROL))
		return "this counter has no pin control";
	if ((cfg->at_least || cfg->below || cfg->edge) && !(features & PMU_SELECT))
		return "a fixed counter has neither threshold nor edge";
	return NULL;
}

const char *pmu_program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const char *why = impossible(pmu, ctr, cfg);

	return why ? why : pmu->counting->program(pmu, ctr, cfg);
}

bool pmu_can_write(const struct pmu *pmu, unsigned ctr, uint64_t value)
{
	const struct pmu_counter *c = &pmu->counter[ctr];
	unsigned shift = 64u - (c->strict ? c->width : c->write_bits);

	return ((uint64_t)((int64_t)(value << shift) >> shift) & pmu_mask(pmu, ctr)) == value;
}

uint64_t pmu_global_bits(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t bits = 0;

	for (uint64_t left = ctrs; left; left &= left - 1)
		bits |= pmu_global_bit(pmu, lowest_bit(left));
	return bits;
}

void pmu_take_event(struct pmu_event *events, enum pmu_event_id id, const struct pmu_event *event)
{
	unsigned place = id;

	while (place >= EV_OWN && events[place].name)
		place++;
	if (place >= PMU_EVENTS_MAX - 1)
		panic("more events than there is room for");
	events[place] = *event;
}
