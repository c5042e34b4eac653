/* SPDX-License-Identifier: BSD-2-Clause */
/* Which bits of CCCRs and ESCRs are documented to do something. */
#include "netburst.h"

static bool is_documented(const struct netburst_traits *traits, unsigned escr)
{
	uint32_t selects, mask;

	netburst_documented(traits, escr, &selects, &mask);
	return mask;
}

/* Bits of the select field that lead to a documented ESCR. */
static uint64_t used_selects(const struct netburst_traits *traits, unsigned ctr)
{
	uint64_t bits = 0;

	for (unsigned select = 0; select < 8; select++) {
		int escr = netburst_route(ctr, select);

		if (escr >= 0 && is_documented(traits, (unsigned)escr))
			bits |= field_put(CCCR_ESCR_SELECT, select);
	}
	return bits;
}

static const char *unseen_in_cccr(const struct netburst_traits *traits, unsigned ctr, uint64_t bit,
				  bool inverted)
{
	/* Its higher bit. */
	if (bit & CCCR_ACTIVE_THREAD && bit > field_put(CCCR_ACTIVE_THREAD, 1) &&
	    !traits->hyper_threading)
		return "without Hyper-Threading the field for the active thread is reserved";
	if (bit & CCCR_ESCR_SELECT && !(used_selects(traits, ctr) & bit) && !inverted)
		return "no documented ESCR of this counter has this bit in its select";
	return NULL;
}

static const char *unseen_in_escr(const struct netburst_traits *traits, unsigned escr, uint64_t bit,
				  bool inverted)
{
	uint32_t selects, mask;

	netburst_documented(traits, escr, &selects, &mask);
	if (!mask)
		return "no manual documents an event of this ESCR: what it counts is undefined";
	if (bit & (ESCR_TAG_ENABLE | ESCR_TAG_VALUE) && !netburst_tags(escr))
		return "tag enable and tag value are documented for the upstream ESCRs of "
		       "execution_event alone";
	if (bit & ESCR_EVENT_SELECT && !(field_put(ESCR_EVENT_SELECT, selects) & bit) && !inverted)
		return "no documented event of this ESCR has this bit in its select";
	if (bit & ESCR_EVENT_MASK && !(field_put(ESCR_EVENT_MASK, mask) & bit))
		return "no documented event of this ESCR has this bit in its mask";
	return NULL;
}

const char *netburst_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			    bool inverted)
{
	if (reg->counter >= 0)
		return unseen_in_cccr(traits, (unsigned)reg->counter, bit, inverted);
	return unseen_in_escr(traits, reg->address - MSR_NETBURST_ESCR, bit, inverted);
}
