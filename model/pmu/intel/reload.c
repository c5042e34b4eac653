/* SPDX-License-Identifier: BSD-2-Clause */
/* Auto counter reload: an overflow gives other counters, or its own, a value to go on from. */
#include "intel.h"

uint64_t intel_sources(const struct pmu_intel *p, unsigned ctr)
{
	return core_acting(&p->core, INTEL_CFG_B, ctr, p->reload[ctr].sources);
}

uint64_t intel_cfg_c(const struct pmu_intel *p, unsigned ctr)
{
	return core_acting(&p->core, INTEL_CFG_C, ctr, p->reload[ctr].value);
}

/* Counters that these overflows reload.  The value is of 32 bits, and goes on upwards as its last
 * one. */
static void reload(struct pmu_intel *p, unsigned ctr, uint64_t overflowed)
{
	struct point at = core_point(&p->core, ctr);

	at.overflowed = overflowed & intel_sources(p, ctr);
	at.value = (uint64_t)(int32_t)(uint32_t)intel_cfg_c(p, ctr) & p->core.mask;
	at.old = p->core.counter[ctr].value;
	REACH(&at, p->core.active, reload);
	if (at.overflowed)
		p->core.counter[ctr].value = at.value & p->core.mask;
}

uint64_t intel_reload(struct pmu_intel *p, uint64_t overflowed)
{
	struct point at = core_point(&p->core, NO_COUNTER);

	at.overflowed = overflowed;
	at.value = overflowed;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++) {
		if (!(p->traits->reloaded & intel_bit(i)))
			continue;
		reload(p, i, overflowed);
		/* One that reloads itself leaves no trace of that. */
		if (intel_sources(p, i) & intel_bit(i))
			at.value &= ~intel_bit(i);
	}
	REACH(&at, p->core.active, reloads_itself);
	return at.value;
}
