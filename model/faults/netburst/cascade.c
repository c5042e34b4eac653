/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst's cascading, plain and extended. */
#include "netburst.h"

static bool has_ovf(const struct point *at, unsigned ctr)
{
	return netburst(at)->ovf >> ctr & 1;
}

static bool cascades(const struct point *at, unsigned ctr)
{
	return ctr < 16 && netburst(at)->cccr[ctr].cascade;
}

/* The source of a plain cascade. */
static unsigned source_of(unsigned ctr)
{
	return ctr < 16 ? ctr ^ 2 : ctr - 2;
}

/* ---- cascade: the start ---- */

#define FLAG_DEAD(flag_, counters_) ACTS(NETBURST_CCCR, .clear = flag_), .counters = (counters_)

FAULT(cascade_dead, "*.cascade.every_pair", "CASCADE has no effect",
      ACTS(NETBURST_CCCR, .clear = CCCR_CASCADE));
FAULT(cascade_upwards_only, "*.cascade.every_pair",
      "a cascade works from the lower to the higher counter only", FLAG_DEAD(CCCR_CASCADE, 0x3333));
FAULT(cascade_to_16_dead, "*.cascade.every_pair", "counter 14 does not start counter 16",
      FLAG_DEAD(CCCR_CASCADE, BIT(16)));
FAULT_DO(cascade_at_once, "*.cascade.target_waits",
	 "a counter with CASCADE counts before its source has overflowed", runs,
	 at->enabled |= netburst(at)->cccr[at->ctr].cascade);
FAULT_DO(cascade_without_flag, "*.cascade.not_without_flag",
	 "an overflow starts the other counter though CASCADE is clear", runs,
	 at->enabled |= has_ovf(at, source_of(at->ctr)));

FAULT_BODY(cascade_from_pair_mate, "*.cascade.every_pair",
	   "the pair mate of the source starts the target", runs)
{
	if (netburst(at)->cccr[at->ctr].cascade && !at->set->enable)
		at->enabled = has_ovf(at, source_of(at->ctr) ^ 1);
}

FAULT_DO(cascade_16_from_12, "*.cascade.wrong_direction", "counter 12 starts counter 16", runs,
	 at->enabled |= netburst(at)->cccr[16].cascade && has_ovf(at, 12), .counters = BIT(16));
FAULT_DO(cascade_12_from_16, "*.cascade.wrong_direction",
	 "counter 16 starts counter 12 through CASCADE", runs,
	 at->enabled |= netburst(at)->cccr[12].cascade && has_ovf(at, 16), .counters = BIT(12));
FAULT(cascade_needs_overflow, "*.cascade.enabled_target", "CASCADE makes an enabled counter wait",
      ACTS(NETBURST_CCCR, .when = CCCR_CASCADE, .clear = CCCR_ENABLE));

/* memory: has counted since its CCCR was written. */
FAULT_BODY(cascade_loses_first, "*.cascade.example_200_400",
	   "the target of a cascade loses its first event", increment, .written = forgets,
	   .registers = BIT(NETBURST_CCCR))
{
	if (netburst(at)->cccr[at->ctr].cascade && !at->set->enable)
		misses_first(at);
}

FAULT_DO(cascade_clears_target, "*.cascade.example_200_400",
	 "the target of a cascade starts from 0, not from its preset", status,
	 at->counter[at->ctr ^ 2].value &= cascades(at, at->ctr ^ 2) ? 0 : at->mask,
	 .counters = FIELD(15, 0));
FAULT_DO(cascade_reloads_source, "*.cascade.source_goes_on",
	 "the source of a cascade is full again when it has overflowed", status,
	 at->counter[at->ctr].value |= cascades(at, at->ctr ^ 2) ? at->mask : 0);

/* ---- cascade: source and end ---- */

FAULT_DO(cascade_stops_source, "*.cascade.source_goes_on",
	 "the source of a cascade stops at its overflow", runs,
	 at->enabled &=
	 !has_ovf(at, at->ctr) || !cascades(at, at->ctr ^ 2) || cascades(at, at->ctr));

FAULT_BODY(cascade_outlives_source_ovf, "*.cascade.stop_by_source",
	   "the target of a cascade goes on when OVF of its source is cleared", written,
	   .registers = BIT(NETBURST_CCCR))
{
	unsigned target = (at->ctr ^ 2) % NETBURST_COUNTERS;

	if (at->old & CCCR_OVF && !has_ovf(at, at->ctr))
		at->counter[target].set.enable |= netburst(at)->cccr[target].cascade;
}

FAULT_DO(cascade_outlives_flag, "*.cascade.stop_by_target",
	 "the target of a cascade goes on when its CASCADE is cleared", written,
	 at->set->enable |=
	 at->old & CCCR_CASCADE && at->value & ~CCCR_OVF && has_ovf(at, source_of(at->ctr)),
	 .registers = BIT(NETBURST_CCCR));
/* As on silicon of model 2. */
FAULT_DO_ON(MODEL_WILLAMETTE | MODEL_PRESCOTT, cascade_interrupt_lost, "*.cascade.*",
	    "a counter that runs in a cascade does not interrupt (as model 2 does not)", requests,
	    at->requests &= at->set->enable);

/* ---- extended cascade ---- */

#define MODEL_XCASCADE (MODEL_NORTHWOOD | MODEL_PRESCOTT)

FAULT_ON(MODEL_XCASCADE, extended_12_dead, "*.xcascade.every_pair", "CASCNT4INTO0 has no effect",
	 FLAG_DEAD(CCCR_EXTENDED_CASCADE, BIT(12)));
FAULT_ON(MODEL_XCASCADE, extended_15_dead, "*.xcascade.every_pair", "CASCNT5INTO3 has no effect",
	 FLAG_DEAD(CCCR_EXTENDED_CASCADE, BIT(15)));
FAULT_ON(MODEL_XCASCADE, extended_16_dead, "*.xcascade.every_pair", "CASCNT5INTO4 has no effect",
	 FLAG_DEAD(CCCR_EXTENDED_CASCADE, BIT(16)));
FAULT_ON(MODEL_XCASCADE, extended_17_dead, "*.xcascade.every_pair", "CASCNT4INTO5 has no effect",
	 FLAG_DEAD(CCCR_EXTENDED_CASCADE, BIT(17)));
FAULT_ON(MODEL_XCASCADE, extended_needs_cascade, "*.xcascade.every_pair",
	 "the extended cascade works only if CASCADE is set as well",
	 ACTS(NETBURST_CCCR, .unless = CCCR_CASCADE, .clear = CCCR_EXTENDED_CASCADE));

FAULT_BODY_ON(MODEL_XCASCADE, extended_from_other_source, "*.xcascade.every_pair",
	      "counters 16 and 17 start each other's targets", runs)
{
	if (netburst(at)->cccr[at->ctr].extended_cascade && !at->set->enable)
		at->enabled = has_ovf(at, at->ctr == 12 || at->ctr == 17 ? 17 : 16);
}

FAULT_DO_ON(MODEL_XCASCADE, extended_in_14, "*.xcascade.reserved_elsewhere",
	    "bit 11 works in the CCCR of counter 14 too", kept,
	    at->value |= at->raw & CCCR_EXTENDED_CASCADE, .registers = BIT(NETBURST_CCCR),
	    .counters = BIT(14));
