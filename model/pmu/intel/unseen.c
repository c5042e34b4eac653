/* SPDX-License-Identifier: BSD-2-Clause */
/* Which bits of Intel's control registers are documented to do something. */
#include "intel.h"

enum { FIXED_CTR_CTRL = 0x38d };

#define ALONE "by its CPUID the core has one thread, to which AnyThread adds none"

/* Bits of event select and unit mask that some event of the counter has. */
static uint64_t used(const struct intel_traits *traits, unsigned ctr)
{
	uint64_t bits = 0;

	for (const struct intel_event *event = intel_event_table; event->code; event++)
		if (intel_has_event(traits, event, ctr))
			bits |= event->code;
	return bits;
}

static const char *unseen_in_select(const struct intel_traits *traits, unsigned ctr, uint64_t bit,
				    bool inverted)
{
	if (bit == SELECT_PC)
		return "pin control drives a pin, which no software sees";
	if (bit == SELECT_ANY && !traits->hyper_threading)
		return ALONE;
	if (bit == SELECT_EN && !traits->version && ctr)
		return "EN of both counters is that of PerfEvtSel0";
	if (bit & SELECT_CODE && !(used(traits, ctr) & bit) && !inverted)
		return "no documented event has this bit in its number or unit mask";
	return NULL;
}

const char *intel_unseen(const void *traits_, const struct pmu_register *reg, uint64_t bit,
			 bool inverted)
{
	const struct intel_traits *traits = traits_;

	if (reg->counter >= 0)
		return unseen_in_select(traits, (unsigned)reg->counter, bit, inverted);
	for (unsigned i = 0; i < traits->fixed; i++)
		if (reg->address == FIXED_CTR_CTRL && bit == FIXED_ANY << 4 * i &&
		    !traits->hyper_threading)
			return ALONE;
	return NULL;
}
