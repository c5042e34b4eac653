/* SPDX-License-Identifier: BSD-2-Clause */
/* RDPMC user disable, which is documented and which no known part has: what a part does that has
 * it, as hooks. */
#include "intel.h"

const struct cpuid_lie intel_tells_of_disable = {.leaf = 0x23, .set = {0, BIT(2)}};

/* Of a fixed counter it is bit 33 + 4 * i of IA32_FIXED_CTR_CTRL. */
static uint64_t disable_bits(const struct point *at)
{
	uint64_t bits = 0;

	if (at->reg.kind == INTEL_EVTSEL)
		return BIT(37);
	if (at->reg.kind != INTEL_FIXED_CTR_CTRL)
		return 0;
	for (unsigned i = 0; i < INTEL_FIXED; i++)
		if (intel(at)->traits->fixed >> i & 1)
			bits |= BIT(33 + 4 * i);
	return bits;
}

void intel_takes_disable(struct point *at)
{
	uint64_t bits = disable_bits(at);

	if (at->raw & bits &&
	    !(at->raw & ~(bits | core_range(&intel(at)->core, at->reg.kind)->writable)))
		at->access = ACCESS_DONE;
}

void intel_keeps_disable(struct point *at)
{
	at->value |= at->raw & disable_bits(at);
}

void intel_hides(struct point *at)
{
	const uint32_t fixed = at->index - UINT32_C(0x40000000);
	uint64_t hidden;

	if (at->access != ACCESS_DONE || at->cpl == 0)
		return;
	hidden = fixed < INTEL_FIXED ? intel(at)->fixed_ctrl >> (33 + 4 * fixed)
				     : at->counter[at->index].control >> 37;
	if (hidden & 1)
		at->value = 0;
}
