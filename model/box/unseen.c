/* SPDX-License-Identifier: BSD-2-Clause */
/* Which bits of the uncore's registers are documented to do something. */
#include "box.h"

/* Bits of the control register that events of the counter have in their number and unit mask. */
struct used {
	uint64_t bits;
	bool codes; /* some unit mask is a code, of which each bit matters */
	bool threads; /* some event is of a thread */
};

static bool is_filtered(const struct uncore_event *event)
{
	return event->counting == COUNTS_LOOKUP || event->counting == COUNTS_TOR_INSERTS ||
	       event->counting == COUNTS_TOR_OCCUPANCY;
}

static struct used used_by(const struct uncore_traits *traits, unsigned ctr)
{
	struct used used = {0};

	for (const struct uncore_event *event = traits->events; event->counters; event++) {
		if (!(event->counters >> ctr & 1))
			continue;
		used.bits |= field_put(CTL_EV_SEL, event->code & 0xff) |
			     field_put(CTL_UMASK, event->umask);
		used.codes |= event->counting == COUNTS_TOR_INSERTS ||
			      event->counting == COUNTS_TOR_OCCUPANCY;
		used.threads |= is_filtered(event);
	}
	/* With EV_SEL_OCCUPANCY the PCU has other fields. */
	if (traits->kind == UNCORE_PCU)
		used.bits |= EV_SEL_OCCUPANCY | CTL_OCC_SEL;
	return used;
}

static const char *unseen_in_control(const struct uncore_traits *traits, unsigned ctr, uint64_t bit,
				     bool inverted)
{
	struct used used = used_by(traits, ctr);

	if (bit == CTL_TID_EN && !used.threads)
		return "no event of this counter is documented to be of a thread";
	if (bit & CTL_EV_SEL && !(used.bits & bit) && !inverted)
		return "no documented event of this counter has this bit in its event select";
	if (bit & CTL_UMASK && !(used.bits & bit) && !(inverted && used.codes))
		return "no documented event of this counter has this bit in its unit mask";
	return NULL;
}

const char *uncore_unseen(const struct uncore_traits *traits, struct reg_id reg, uint64_t bit,
			  bool inverted)
{
	if (reg.kind == UNCORE_CTL && reg.number != UNCORE_FIXED)
		return unseen_in_control(traits, reg.number, bit, inverted);
	if (reg.kind != UNCORE_FILTER)
		return NULL;
	if (traits->kind == UNCORE_CBO && bit & FILTER_NID &&
	    bit >= field_put(FILTER_NID, 1u << UNCORE_SOCKETS))
		return "no request has a third node as its target where there are two sockets";
	if (traits->kind == UNCORE_QPI && bit & (reg.number % 2 ? MATCH_HIGH_RNID : MATCH_LOW_RNID))
		return "whether RNID takes part in the matching is not documented";
	if (traits->kind == UNCORE_HA && reg.number == FILTER_OPCODEMATCH && inverted)
		return "how the opcodes of home agents are coded is not documented for this part: "
		       "another number is as good";
	return NULL;
}
