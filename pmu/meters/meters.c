/* SPDX-License-Identifier: BSD-2-Clause */
/* The facet of meters, one by one. */
#include "meters.h"

void meters_add(struct pmu *pmu, const struct pmu_meter *meter)
{
	struct meters *state = pmu->state;

	if (state->meters.count == METERS_MAX)
		panic("no room for the meter %s", meter->name);
	state->meter[state->meters.count++] = *meter;
	state->meters.meter = state->meter;
	state->bank.saved = state->saved;
	pmu->bank = &state->bank;
	pmu->meters = &state->meters;
}
