/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of overflow and of the interrupt that it requests. */
#include "model/pmu/amd/hooks.h"

/* ---- when a counter overflows ---- */

/* Carry out of the low bits, by adding amount. */
static bool carries(uint64_t old, unsigned amount, unsigned bits)
{
	return ((old & (BIT(bits) - 1)) + amount) >> bits;
}

static int64_t as_signed(uint64_t value)
{
	return (int64_t)(value << (64 - COUNTER_BITS)) >> (64 - COUNTER_BITS);
}

static bool crosses(uint64_t old, unsigned amount, int64_t to)
{
	return as_signed(old) < to && as_signed(old) + (int64_t)amount >= to;
}

static bool pmi_late_by_one(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
			    bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return crosses(old, amount, 1);
}

static bool pmi_early_by_one(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
			     bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return crosses(old, amount, -1);
}

static bool pmi_on_carry_into_31(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
				 bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return carries(old, amount, 31);
}

static bool pmi_on_carry_into_47(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
				 bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return carries(old, amount, 47);
}

static bool pmi_every_increment(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
				bool carry)
{
	(void)p, (void)ctr, (void)old, (void)amount, (void)carry;
	return true;
}

static bool pmi_from_counters_0_and_1_only(struct pmu_amd *p, unsigned ctr, uint64_t old,
					   unsigned amount, bool carry)
{
	(void)p, (void)old, (void)amount;
	return carry && ctr < 2;
}

static bool overflow_clears_neighbours_top(struct pmu_amd *p, unsigned ctr, uint64_t old,
					   unsigned amount, bool carry)
{
	(void)old, (void)amount;
	if (carry)
		p->counter[(ctr + 1) % p->traits->counters].value &= ~BIT(COUNTER_BITS - 1);
	return carry;
}

/* defect: overflowed, until the counter is written. */
static bool overflow_freezes(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
			     bool carry)
{
	(void)old, (void)amount;
	p->defect[ctr] |= carry;
	return carry;
}

static unsigned frozen(struct pmu_amd *p, unsigned ctr, const struct clock *clock, unsigned amount)
{
	(void)clock;
	return p->defect[ctr] ? 0 : amount;
}

static void thaw(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	(void)old;
	if (!reg->select)
		p->defect[reg->counter] = 0;
}

static void pmi_without_int(struct setting *set)
{
	set->interrupt = true;
}

/* ---- what becomes of the request ---- */

static unsigned pmi_every_second_lost(struct pmu_amd *p, const struct clock *clock,
				      uint64_t overflowed, unsigned requests)
{
	(void)clock, (void)overflowed;
	p->defect[0] += requests;
	return p->defect[0] & 1 ? requests : 0;
}

static unsigned pmi_doubled(struct pmu_amd *p, const struct clock *clock, uint64_t overflowed,
			    unsigned requests)
{
	(void)p, (void)clock, (void)overflowed;
	return 2 * requests;
}

static unsigned pmi_lost_when_two(struct pmu_amd *p, const struct clock *clock, uint64_t overflowed,
				  unsigned requests)
{
	(void)p, (void)clock;
	return overflowed & (overflowed - 1) ? 0 : requests;
}

static unsigned pmi_lost_with_if_clear(struct pmu_amd *p, const struct clock *clock,
				       uint64_t overflowed, unsigned requests)
{
	(void)p, (void)overflowed;
	return clock->n[SIGNAL_MASKED_CYCLES] ? 0 : requests;
}

static bool interrupts(const struct setting *set)
{
	return set->enable && set->interrupt;
}

/* AMD erratum 1023: with two or more interrupting counters only the first request is made, until
 * a select register is written. */
static unsigned pmi_stops_after_first(struct pmu_amd *p, const struct clock *clock,
				      uint64_t overflowed, unsigned requests)
{
	unsigned interrupting = 0;

	(void)clock, (void)overflowed;
	for (unsigned i = 0; i < p->traits->counters; i++)
		interrupting += interrupts(&p->counter[i].set);
	if (interrupting > 1 && p->defect[0])
		return 0;
	p->defect[0] |= requests;
	return requests;
}

static void forget_first(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	(void)old;
	if (reg->select)
		p->defect[0] = 0;
}

const struct fault faults_amd_interrupts[] = {
	FAULT(pmi_late_by_one, MODEL_AMD, "*.overflow.one_short",
	      "the interrupt is requested when the counter reaches 1, not 0",
	      .overflow = pmi_late_by_one),
	FAULT(pmi_early_by_one, MODEL_AMD, "*.overflow.one_short",
	      "the interrupt is requested when the counter is full, one event before it wraps",
	      .overflow = pmi_early_by_one),
	FAULT(pmi_on_carry_into_31, MODEL_AMD, "*.overflow.width_boundary",
	      "a carry into bit 31 requests an interrupt", .overflow = pmi_on_carry_into_31),
	FAULT(pmi_on_carry_into_47, MODEL_AMD, "*.overflow.width_boundary",
	      "a carry into bit 47 requests an interrupt", .overflow = pmi_on_carry_into_47),
	FAULT(pmi_every_increment, MODEL_AMD, "*.overflow.one_short",
	      "every increment requests an interrupt", .overflow = pmi_every_increment),
	FAULT(pmi_from_counters_0_and_1_only, MODEL_AMD, "amd.2.overflow.skid",
	      "counters 2 and up never interrupt", .overflow = pmi_from_counters_0_and_1_only),
	FAULT(overflow_clears_neighbours_top, MODEL_AMD, "*.overflow.right_counter",
	      "an overflow makes the next counter look overflowed",
	      .overflow = overflow_clears_neighbours_top),
	FAULT(overflow_freezes, MODEL_AMD, "*.overflow.value_after",
	      "a counter stops at its overflow until it is written", .overflow = overflow_freezes,
	      .increment = frozen, .written = thaw),
	FAULT(pmi_without_int, MODEL_AMD, "*.overflow.int_clear",
	      "an overflow interrupts though INT is clear", .setting = pmi_without_int),
	FAULT(pmi_every_second_lost, MODEL_AMD, "*.overflow.exact_period",
	      "every second interrupt is lost", .requests = pmi_every_second_lost),
	FAULT(pmi_doubled, MODEL_AMD, "*.overflow.exact_period",
	      "every interrupt comes a second time later", .requests = pmi_doubled),
	FAULT(pmi_lost_when_two, MODEL_AMD, "*.overflow.all_at_once",
	      "two overflows in the same clock request no interrupt",
	      .requests = pmi_lost_when_two),
	FAULT(pmi_lost_with_if_clear, MODEL_AMD, "*.overflow.if_delays",
	      "an overflow while IF is clear requests no interrupt",
	      .requests = pmi_lost_with_if_clear),
	FAULT(pmi_stops_after_first, MODEL_AMD, "*.overflow.all_at_once",
	      "with two interrupting counters interrupts stop after the first (as erratum 1023)",
	      .requests = pmi_stops_after_first, .written = forget_first),
	FAULT(pmi_masks_lvt, MODEL_AMD, "*.overflow.rearm",
	      "delivery masks the LVT entry, as on Intel", .masks_lvt = true),
	{0},
};
