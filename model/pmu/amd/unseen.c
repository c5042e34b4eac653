/* SPDX-License-Identifier: BSD-2-Clause */
/* Which bits of AMD's event select registers are documented to do something. */
#include "amd.h"

#define NO_EVENT "no documented event has this bit in its number"
#define NO_UNIT  "no documented event has this bit in its unit mask"

/* Bits of event select and unit mask that some event has; unit masks that are codes need all. */
static uint64_t used(const struct amd_traits *traits, bool *has_codes)
{
	uint64_t bits = 0;

	*has_codes = false;
	for (const struct amd_event *event = traits->events; event->code; event++) {
		uint64_t units = (BIT(event->sub_events) - 1) << event->first_bit;

		*has_codes |= event->all_code;
		bits |= field_put(SELECT_EVENT, event->code & 0xff) |
			field_put(SELECT_EVENT_HIGH, event->code >> 8) |
			field_put(SELECT_UNIT_MASK, event->all_code ? event->all_code : units);
	}
	return bits;
}

const char *amd_unseen(const void *traits_, const struct pmu_register *reg, uint64_t bit,
		       bool inverted)
{
	const struct amd_traits *traits = traits_;
	bool has_codes;
	uint64_t bits = used(traits, &has_codes);

	if (reg->counter < 0)
		return NULL;
	if (bit == SELECT_PC)
		return "pin control drives a pin, which no software sees";
	if (bit & SELECT_UNIT_MASK && !(bits & bit) && !(inverted && has_codes))
		return NO_UNIT;
	if (inverted)
		return NULL;
	if (bit & (SELECT_EVENT | SELECT_EVENT_HIGH) && !(bits & bit))
		return NO_EVENT;
	if (bit & SELECT_CMASK && field_get(SELECT_CMASK, bit) > traits->threshold_most)
		return "the manual documents lower thresholds only";
	return NULL;
}
