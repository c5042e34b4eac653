/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of NetBurst's cascading, plain and extended. */
#include "model/pmu/netburst/hooks.h"

static bool has_ovf(const struct pmu_netburst *p, unsigned ctr)
{
	return p->ovf >> ctr & 1;
}

/* The source of a plain cascade. */
static unsigned source_of(unsigned ctr)
{
	return ctr < 16 ? ctr ^ 2 : ctr - 2;
}

/* ---- cascade: the start ---- */

static void cascade_dead(struct cccr *set)
{
	set->cascade = false;
}

static void cascade_upwards_only(struct cccr *set)
{
	set->cascade &= set->counter & 2 || set->counter >= 16;
}

static void cascade_to_16_dead(struct cccr *set)
{
	set->cascade &= set->counter != 16;
}

static bool cascade_at_once(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	return runs || p->counter[ctr].set.cascade;
}

static bool cascade_without_flag(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	return runs || has_ovf(p, source_of(ctr));
}

static bool cascade_from_pair_mate(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	const struct cccr *set = &p->counter[ctr].set;

	return set->cascade && !set->enable ? has_ovf(p, source_of(ctr) ^ 1) : runs;
}

static bool cascade_16_from_12(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	return runs || (ctr == 16 && p->counter[ctr].set.cascade && has_ovf(p, 12));
}

static bool cascade_12_from_16(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	return runs || (ctr == 12 && p->counter[ctr].set.cascade && has_ovf(p, 16));
}

static void cascade_needs_overflow(struct cccr *set)
{
	set->enable &= !set->cascade;
}

/* defect: has counted since its CCCR was written. */
static unsigned cascade_loses_first(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
				    unsigned amount)
{
	const struct cccr *set = &p->counter[ctr].set;

	(void)clock;
	if (!amount || !set->cascade || set->enable || p->defect[ctr])
		return amount;
	p->defect[ctr] = 1;
	return amount - 1;
}

static void forgets(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == REG_CCCR)
		p->defect[reg->number] = 0;
}

static void cascade_clears_target(struct pmu_netburst *p, unsigned ctr)
{
	if (ctr < 16 && p->counter[ctr ^ 2].set.cascade)
		p->counter[ctr ^ 2].value = 0;
}

static void cascade_reloads_source(struct pmu_netburst *p, unsigned ctr)
{
	if (ctr < 16 && p->counter[ctr ^ 2].set.cascade)
		p->counter[ctr].value = NETBURST_MASK;
}

/* ---- cascade: source and end ---- */

static bool cascade_stops_source(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	return runs && !(ctr < 16 && has_ovf(p, ctr) && p->counter[ctr ^ 2].set.cascade &&
			 !p->counter[ctr].set.cascade);
}

static void outlives_source_ovf(struct pmu_netburst *p, const struct netburst_reg *reg,
				uint64_t old)
{
	struct cccr *target = &p->counter[(reg->number ^ 2) % NETBURST_COUNTERS].set;

	if (reg->kind == REG_CCCR && old & CCCR_OVF && !has_ovf(p, reg->number))
		target->enable |= target->cascade;
}

static void outlives_flag(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	if (reg->kind != REG_CCCR || !(old & CCCR_CASCADE) || !p->counter[reg->number].cccr)
		return;
	p->counter[reg->number].set.enable |= has_ovf(p, source_of(reg->number));
}

/* As on silicon of model 2. */
static void cascade_interrupt_lost(struct pmu_netburst *p, unsigned ctr)
{
	if (!p->counter[ctr].set.enable)
		p->requested &= ~(UINT32_C(1) << ctr);
}

/* ---- extended cascade ---- */

static void extended_12_dead(struct cccr *set)
{
	set->extended_cascade &= set->counter != 12;
}

static void extended_15_dead(struct cccr *set)
{
	set->extended_cascade &= set->counter != 15;
}

static void extended_16_dead(struct cccr *set)
{
	set->extended_cascade &= set->counter != 16;
}

static void extended_17_dead(struct cccr *set)
{
	set->extended_cascade &= set->counter != 17;
}

static void extended_needs_cascade(struct cccr *set)
{
	set->extended_cascade &= set->cascade;
}

static bool extended_from_other_source(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	const struct cccr *set = &p->counter[ctr].set;

	if (!set->extended_cascade || set->enable)
		return runs;
	return has_ovf(p, ctr == 12 || ctr == 17 ? 17 : 16);
}

static uint64_t extended_in_14(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	return reg->kind == REG_CCCR && reg->number == 14 ? value | (raw & CCCR_EXTENDED_CASCADE)
							  : value;
}

#define EXTENDED (MODEL_NORTHWOOD | MODEL_PRESCOTT)

const struct fault faults_netburst_cascade[] = {
	NETBURST_FAULT(p4_cascade_dead, MODEL_NETBURST, "netburst.*.cascade.every_pair",
		       "CASCADE has no effect", .cccr = cascade_dead),
	NETBURST_FAULT(p4_cascade_upwards_only, MODEL_NETBURST, "netburst.*.cascade.every_pair",
		       "a cascade works from the lower to the higher counter only",
		       .cccr = cascade_upwards_only),
	NETBURST_FAULT(p4_cascade_to_16_dead, MODEL_NETBURST, "netburst.*.cascade.every_pair",
		       "counter 14 does not start counter 16", .cccr = cascade_to_16_dead),
	NETBURST_FAULT(p4_cascade_at_once, MODEL_NETBURST, "netburst.*.cascade.target_waits",
		       "a counter with CASCADE counts before its source has overflowed",
		       .runs = cascade_at_once),
	NETBURST_FAULT(p4_cascade_without_flag, MODEL_NETBURST,
		       "netburst.*.cascade.not_without_flag",
		       "an overflow starts the other counter though CASCADE is clear",
		       .runs = cascade_without_flag),
	NETBURST_FAULT(p4_cascade_from_pair_mate, MODEL_NETBURST, "netburst.*.cascade.every_pair",
		       "the pair mate of the source starts the target",
		       .runs = cascade_from_pair_mate),
	NETBURST_FAULT(p4_cascade_16_from_12, MODEL_NETBURST, "netburst.*.cascade.wrong_direction",
		       "counter 12 starts counter 16", .runs = cascade_16_from_12),
	NETBURST_FAULT(p4_cascade_12_from_16, MODEL_NETBURST, "netburst.*.cascade.wrong_direction",
		       "counter 16 starts counter 12 through CASCADE", .runs = cascade_12_from_16),
	NETBURST_FAULT(p4_cascade_needs_overflow, MODEL_NETBURST,
		       "netburst.*.cascade.enabled_target",
		       "a counter with CASCADE waits though it is enabled",
		       .cccr = cascade_needs_overflow),
	NETBURST_FAULT(p4_cascade_loses_first, MODEL_NETBURST, "netburst.*.cascade.example_200_400",
		       "the target of a cascade loses its first event",
		       .increment = cascade_loses_first, .written = forgets),
	NETBURST_FAULT(p4_cascade_clears_target, MODEL_NETBURST,
		       "netburst.*.cascade.example_200_400",
		       "the target of a cascade starts from 0, not from its preset",
		       .overflowed = cascade_clears_target),
	NETBURST_FAULT(p4_cascade_reloads_source, MODEL_NETBURST,
		       "netburst.*.cascade.source_goes_on",
		       "the source of a cascade is full again when it has overflowed",
		       .overflowed = cascade_reloads_source),
	NETBURST_FAULT(p4_cascade_stops_source, MODEL_NETBURST, "netburst.*.cascade.source_goes_on",
		       "the source of a cascade stops at its overflow",
		       .runs = cascade_stops_source),
	NETBURST_FAULT(p4_cascade_outlives_source_ovf, MODEL_NETBURST,
		       "netburst.*.cascade.stop_by_source",
		       "the target of a cascade goes on when OVF of its source is cleared",
		       .written = outlives_source_ovf),
	NETBURST_FAULT(p4_cascade_outlives_flag, MODEL_NETBURST,
		       "netburst.*.cascade.stop_by_target",
		       "the target of a cascade goes on when its CASCADE is cleared",
		       .written = outlives_flag),
	NETBURST_FAULT(p4_cascade_interrupt_lost, MODEL_WILLAMETTE | MODEL_PRESCOTT,
		       "netburst.*.cascade.*",
		       "a counter that runs in a cascade does not interrupt (as model 2 does not)",
		       .requested = cascade_interrupt_lost),
	NETBURST_FAULT(p4_extended_12_dead, EXTENDED, "netburst.*.xcascade.every_pair",
		       "CASCNT4INTO0 has no effect", .cccr = extended_12_dead),
	NETBURST_FAULT(p4_extended_15_dead, EXTENDED, "netburst.*.xcascade.every_pair",
		       "CASCNT5INTO3 has no effect", .cccr = extended_15_dead),
	NETBURST_FAULT(p4_extended_16_dead, EXTENDED, "netburst.*.xcascade.every_pair",
		       "CASCNT5INTO4 has no effect", .cccr = extended_16_dead),
	NETBURST_FAULT(p4_extended_17_dead, EXTENDED, "netburst.*.xcascade.every_pair",
		       "CASCNT4INTO5 has no effect", .cccr = extended_17_dead),
	NETBURST_FAULT(p4_extended_needs_cascade, EXTENDED, "netburst.*.xcascade.every_pair",
		       "the extended cascade works only if CASCADE is set as well",
		       .cccr = extended_needs_cascade),
	NETBURST_FAULT(p4_extended_from_other_source, EXTENDED, "netburst.*.xcascade.every_pair",
		       "counters 16 and 17 start each other's targets",
		       .runs = extended_from_other_source),
	NETBURST_FAULT(p4_extended_in_14, EXTENDED, "netburst.*.xcascade.reserved_elsewhere",
		       "bit 11 works in the CCCR of counter 14 too", .keep = extended_in_14),
	{0},
};
