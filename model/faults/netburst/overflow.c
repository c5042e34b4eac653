/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of overflow on NetBurst: OVF, its interrupt, FORCE_OVF. */
#include "model/pmu/netburst/hooks.h"

static uint32_t bit(unsigned ctr)
{
	return UINT32_C(1) << ctr;
}

/* ---- OVF ---- */

static bool ovf_never(struct pmu_netburst *p, unsigned ctr, uint64_t old, unsigned amount,
		      bool carry)
{
	(void)p, (void)ctr, (void)old, (void)amount, (void)carry;
	return false;
}

static int64_t as_signed(uint64_t value)
{
	return (int64_t)(value << (64 - NETBURST_BITS)) >> (64 - NETBURST_BITS);
}

static bool crosses(uint64_t old, unsigned amount, int64_t to)
{
	return as_signed(old) < to && as_signed(old) + (int64_t)amount >= to;
}

static bool ovf_early(struct pmu_netburst *p, unsigned ctr, uint64_t old, unsigned amount,
		      bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return crosses(old, amount, -1);
}

static bool ovf_on_carry_into_31(struct pmu_netburst *p, unsigned ctr, uint64_t old,
				 unsigned amount, bool carry)
{
	(void)p, (void)ctr;
	return carry || ((old & FIELD(30, 0)) + amount) >> 31;
}

static bool ovf_on_carry_into_39(struct pmu_netburst *p, unsigned ctr, uint64_t old,
				 unsigned amount, bool carry)
{
	(void)p, (void)ctr;
	return carry || ((old & FIELD(38, 0)) + amount) >> 39;
}

static void ovf_cleared_by_reading(struct pmu_netburst *p, const struct netburst_reg *reg)
{
	if (reg->kind == REG_CCCR)
		p->ovf &= ~bit(reg->number);
}

static void ovf_on_neighbour(struct pmu_netburst *p, unsigned ctr)
{
	p->ovf &= ~bit(ctr);
	p->ovf |= bit(ctr ^ 1);
}

static void ovf_stays(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	if (reg->kind == REG_CCCR && old & CCCR_OVF)
		p->ovf |= bit(reg->number);
}

static void ovf_cleared_by_one(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == REG_CCCR)
		p->ovf &= ~bit(reg->number);
}

static void requests_cancel_out(struct pmu_netburst *p, unsigned ctr)
{
	if (p->requested & ~bit(ctr))
		p->requested = 0;
}

/* defect: overflowed, until the counter is written. */
static void stops_at_overflow(struct pmu_netburst *p, unsigned ctr)
{
	p->defect[ctr] = 1;
}

static unsigned stopped(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			unsigned amount)
{
	(void)clock;
	return p->defect[ctr] ? 0 : amount;
}

static void goes_on(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == REG_COUNTER)
		p->defect[reg->number] = 0;
}

/* ---- the interrupt ---- */

static void pmi_on_overflow(struct pmu_netburst *p, unsigned ctr)
{
	p->requested |= p->armed & bit(ctr);
	p->armed &= ~bit(ctr);
}

/* defect: one event has passed since the overflow. */
static void pmi_late_by_one(struct pmu_netburst *p, unsigned ctr)
{
	p->defect[ctr] ^= 1;
	if (p->defect[ctr]) {
		p->requested &= ~bit(ctr);
		p->armed |= bit(ctr);
	}
}

static void pmi_every_second_lost(struct pmu_netburst *p, unsigned ctr)
{
	p->defect[0] ^= 1;
	if (!p->defect[0])
		p->requested &= ~bit(ctr);
}

static void pmi_doubled(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	if (reg->kind == REG_CCCR && old & CCCR_OVF && !(p->ovf & bit(reg->number)))
		p->pulses = 2;
}

/* defect: has made a request, which the first write to the CCCR does not withdraw. */
static void note_request(struct pmu_netburst *p, unsigned ctr)
{
	p->defect[ctr] = 1;
}

static void keep_request(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	if (reg->kind != REG_CCCR || !(old & CCCR_OVF) || p->ovf & bit(reg->number))
		return;
	if (p->defect[reg->number])
		p->requested |= bit(reg->number);
	p->defect[reg->number] = 0;
}

static void pmi_without_flag(struct cccr *set)
{
	set->ovf_pmi_t0 = true;
}

static void pmi_flag_dead(struct cccr *set)
{
	set->ovf_pmi_t0 = false;
}

static unsigned pmi_lost_with_if_clear(struct pmu_netburst *p, unsigned ctr,
				       const struct clock *clock, unsigned amount)
{
	if (amount && clock->n[SIGNAL_MASKED_CYCLES])
		p->armed &= ~bit(ctr);
	return amount;
}

static void pmi_from_upper_half_lost(struct pmu_netburst *p, unsigned ctr)
{
	if (ctr & 2 || ctr == 17)
		p->requested &= ~bit(ctr);
}

/* ---- FORCE_OVF ---- */

static void force_ovf_ignored(struct cccr *set)
{
	set->force_ovf = false;
}

/* defect: increments since ENABLE was set. */
static bool force_ovf_first_only(struct pmu_netburst *p, unsigned ctr, uint64_t old,
				 unsigned amount, bool carry)
{
	if (!p->counter[ctr].set.force_ovf)
		return carry;
	return p->defect[ctr]++ == 0 || old + amount > NETBURST_MASK;
}

static bool force_ovf_every_fourth(struct pmu_netburst *p, unsigned ctr, uint64_t old,
				   unsigned amount, bool carry)
{
	if (!p->counter[ctr].set.force_ovf)
		return carry;
	return p->defect[ctr]++ % 4 == 0 || old + amount > NETBURST_MASK;
}

static void forgets_increments(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	if (reg->kind == REG_CCCR && !(old & CCCR_ENABLE))
		p->defect[reg->number] = 0;
}

static void force_ovf_interrupts(struct cccr *set)
{
	set->ovf_pmi_t0 |= set->force_ovf;
}

const struct fault faults_netburst_overflow[] = {
	NETBURST_FAULT(p4_ovf_never, MODEL_NETBURST, "netburst.*.ovf.sticky", "OVF is never set",
		       .overflow = ovf_never),
	NETBURST_FAULT(p4_ovf_early, MODEL_NETBURST, "netburst.*.ovf.pmi_on_next_event",
		       "OVF is set when the counter is full, one event before it wraps",
		       .overflow = ovf_early),
	NETBURST_FAULT(p4_ovf_on_carry_into_31, MODEL_NETBURST,
		       "netburst.*.overflow.width_boundary", "a carry into bit 31 sets OVF",
		       .overflow = ovf_on_carry_into_31),
	NETBURST_FAULT(p4_ovf_on_carry_into_39, MODEL_NETBURST,
		       "netburst.*.overflow.width_boundary", "a carry into bit 39 sets OVF",
		       .overflow = ovf_on_carry_into_39),
	NETBURST_FAULT(p4_ovf_cleared_by_reading, MODEL_NETBURST, "netburst.*.ovf.sticky",
		       "reading a CCCR clears its OVF", .was_read = ovf_cleared_by_reading),
	NETBURST_FAULT(p4_ovf_on_neighbour, MODEL_NETBURST, "netburst.*.overflow.right_counter",
		       "OVF is set in the CCCR of the pair mate", .overflowed = ovf_on_neighbour),
	NETBURST_FAULT(p4_ovf_stays, MODEL_NETBURST, "netburst.*.ovf.cleared_by_writing",
		       "writing 0 to OVF does not clear it", .written = ovf_stays),
	NETBURST_FAULT(p4_ovf_cleared_by_one, MODEL_NETBURST, "netburst.*.ovf.write_back_keeps",
		       "writing 1 to OVF clears it", .written = ovf_cleared_by_one),
	NETBURST_FAULT(p4_requests_cancel_out, MODEL_NETBURST, "netburst.*.overflow.all_at_once",
		       "a request is lost, and with it those of all others, if another stands",
		       .requested = requests_cancel_out),
	NETBURST_FAULT(p4_stops_at_overflow, MODEL_NETBURST, "netburst.*.overflow.value_after",
		       "a counter stops at its overflow until it is written",
		       .overflowed = stops_at_overflow, .increment = stopped, .written = goes_on),
	NETBURST_FAULT(p4_pmi_on_overflow, MODEL_NETBURST, "netburst.*.ovf.pmi_on_next_event",
		       "the interrupt is requested by the overflow, not by the event after it",
		       .overflowed = pmi_on_overflow),
	NETBURST_FAULT(p4_pmi_late_by_one, MODEL_NETBURST, "netburst.*.ovf.pmi_on_next_event",
		       "the interrupt is requested by the second event after the overflow",
		       .requested = pmi_late_by_one),
	NETBURST_FAULT(p4_pmi_every_second_lost, MODEL_NETBURST, "netburst.*.overflow.exact_period",
		       "every second interrupt is lost", .requested = pmi_every_second_lost),
	NETBURST_FAULT(p4_pmi_doubled, MODEL_NETBURST, "netburst.*.overflow.exact_period",
		       "every interrupt comes again when OVF has been cleared",
		       .written = pmi_doubled),
	NETBURST_FAULT(p4_pmi_without_flag, MODEL_NETBURST, "netburst.*.ovf.no_pmi_without_flag",
		       "an overflow interrupts though OVF_PMI is clear", .cccr = pmi_without_flag),
	NETBURST_FAULT(p4_pmi_flag_dead, MODEL_NETBURST, "netburst.*.overflow.exact_period",
		       "OVF_PMI has no effect: nothing interrupts", .cccr = pmi_flag_dead),
	NETBURST_FAULT(p4_pmi_lost_with_if_clear, MODEL_NETBURST, "netburst.*.overflow.if_delays",
		       "no interrupt is requested while IF is clear",
		       .increment = pmi_lost_with_if_clear),
	NETBURST_FAULT(p4_pmi_from_upper_half_lost, MODEL_NETBURST,
		       "netburst.14.overflow.exact_period",
		       "counters on the ESCR1 side never interrupt",
		       .requested = pmi_from_upper_half_lost),
	NETBURST_FAULT(p4_lvt_not_masked, MODEL_NETBURST, "netburst.*.ovf.lvt_is_masked",
		       "delivery does not mask the LVT entry, and a request is not held",
		       .leaves_lvt = true, .pulses = true),
	NETBURST_FAULT(p4_request_outlives_ovf, MODEL_NETBURST, "netburst.*.ovf.held_while_masked",
		       "a request stands though OVF has been cleared", .requested = note_request,
		       .written = keep_request),
	NETBURST_FAULT(p4_force_ovf_ignored, MODEL_NETBURST, "netburst.*.force_ovf.sets_ovf",
		       "FORCE_OVF has no effect", .cccr = force_ovf_ignored),
	NETBURST_FAULT(p4_force_ovf_first_only, MODEL_NETBURST,
		       "netburst.*.force_ovf.every_increment",
		       "FORCE_OVF overflows at the first increment only",
		       .overflow = force_ovf_first_only, .written = forgets_increments),
	NETBURST_FAULT(p4_force_ovf_every_fourth, MODEL_NETBURST,
		       "netburst.*.force_ovf.every_increment",
		       "FORCE_OVF overflows at every fourth increment",
		       .overflow = force_ovf_every_fourth, .written = forgets_increments),
	NETBURST_FAULT(p4_force_ovf_interrupts, MODEL_NETBURST,
		       "netburst.*.force_ovf.no_interrupt_without_pmi",
		       "FORCE_OVF interrupts though OVF_PMI is clear",
		       .cccr = force_ovf_interrupts),
	{0},
};
