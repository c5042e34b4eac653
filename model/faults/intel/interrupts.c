/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of overflow of Intel's core counters and of the interrupt that it requests. */
#include "model/pmu/intel/hooks.h"

/* ---- when a counter overflows ---- */

static int64_t as_signed(const struct pmu_intel *p, uint64_t value)
{
	unsigned shift = 64 - p->traits->width;

	return (int64_t)(value << shift) >> shift;
}

static bool crosses(const struct pmu_intel *p, uint64_t old, unsigned amount, int64_t to)
{
	return as_signed(p, old) < to && as_signed(p, old) + (int64_t)amount >= to;
}

static bool overflow_at_one(struct pmu_intel *p, unsigned ctr, uint64_t old, unsigned amount,
			    bool carry)
{
	(void)ctr, (void)carry;
	return crosses(p, old, amount, 1);
}

static bool overflow_at_all_ones(struct pmu_intel *p, unsigned ctr, uint64_t old, unsigned amount,
				 bool carry)
{
	(void)ctr, (void)carry;
	return crosses(p, old, amount, -1);
}

static bool overflow_of_bit31(struct pmu_intel *p, unsigned ctr, uint64_t old, unsigned amount,
			      bool carry)
{
	(void)p, (void)ctr, (void)carry;
	return (uint64_t)(uint32_t)old + amount > UINT32_MAX;
}

static bool overflow_on_each_event(struct pmu_intel *p, unsigned ctr, uint64_t old, unsigned amount,
				   bool carry)
{
	(void)p, (void)ctr, (void)old, (void)amount, (void)carry;
	return true;
}

static bool overflow_of_counter0_only(struct pmu_intel *p, unsigned ctr, uint64_t old,
				      unsigned amount, bool carry)
{
	(void)p, (void)old, (void)amount;
	return carry && ctr == 0;
}

static bool overflow_changes_neighbour(struct pmu_intel *p, unsigned ctr, uint64_t old,
				       unsigned amount, bool carry)
{
	unsigned next = (ctr + 1) % p->traits->counters;

	(void)old, (void)amount;
	if (carry && ctr < INTEL_GENERAL)
		p->counter[next].value = intel_mask(p->traits) >> 1 & p->counter[next].value;
	return carry;
}

static uint64_t overflow_loses_events(const struct pmu_intel *p, unsigned ctr, uint64_t old,
				      uint64_t value)
{
	(void)p, (void)ctr;
	return value < old ? 0 : value;
}

static uint64_t overflow_counts_twice(const struct pmu_intel *p, unsigned ctr, uint64_t old,
				      uint64_t value)
{
	(void)p, (void)ctr;
	return value < old ? value + 1 : value;
}

static void int_stuck(struct intel_setting *set)
{
	set->interrupt = true;
}

/* ---- what becomes of the request ---- */

static unsigned every_second_lost(struct pmu_intel *p, const struct clock *clock,
				  uint64_t overflowed, unsigned requests)
{
	(void)clock, (void)overflowed;
	p->defect[0] += requests;
	return p->defect[0] & 1 ? requests : 0;
}

static unsigned two_at_once_lost(struct pmu_intel *p, const struct clock *clock,
				 uint64_t overflowed, unsigned requests)
{
	(void)p, (void)clock;
	return overflowed & (overflowed - 1) ? 0 : requests;
}

static unsigned lost_with_if_clear(struct pmu_intel *p, const struct clock *clock,
				   uint64_t overflowed, unsigned requests)
{
	(void)p, (void)overflowed;
	return clock->n[SIGNAL_MASKED_CYCLES] ? 0 : requests;
}

const struct fault faults_intel_interrupts[] = {
	INTEL_FAULT(overflow_at_one, MODEL_INTEL, "intel.*.overflow.one_short",
		    "a counter overflows when it reaches 1, not 0", .overflow = overflow_at_one),
	INTEL_FAULT(overflow_at_all_ones, MODEL_INTEL, "intel.*.overflow.one_short",
		    "a counter overflows one event before it wraps",
		    .overflow = overflow_at_all_ones),
	INTEL_FAULT(overflow_of_bit31, MODEL_V2, "intel.*.overflow.width_boundary",
		    "a carry out of bit 31 is taken for an overflow",
		    .overflow = overflow_of_bit31),
	INTEL_FAULT(overflow_on_each_event, MODEL_INTEL, "intel.*.overflow.one_short",
		    "each increment is taken for an overflow", .overflow = overflow_on_each_event),
	INTEL_FAULT(overflow_of_counter0_only, MODEL_INTEL, "intel.1.overflow.exact_period",
		    "only counter 0 ever overflows", .overflow = overflow_of_counter0_only),
	INTEL_FAULT(overflow_changes_neighbour, MODEL_INTEL, "intel.*.overflow.all_at_once",
		    "an overflow clears the top bit of the next counter",
		    .overflow = overflow_changes_neighbour),
	INTEL_FAULT(overflow_loses_events, MODEL_INTEL, "intel.*.overflow.beside_another",
		    "what a clock adds beyond an overflow is lost", .hold = overflow_loses_events),
	INTEL_FAULT(overflow_counts_twice, MODEL_INTEL, "intel.*.overflow.value_after",
		    "the event of the overflow counts twice", .hold = overflow_counts_twice),
	INTEL_FAULT(int_stuck, MODEL_INTEL, "intel.*.overflow.int_clear",
		    "an overflow interrupts though INT is clear", .setting = int_stuck),
	INTEL_FAULT(requests_every_second_lost, MODEL_INTEL, "intel.*.overflow.rearm",
		    "every second interrupt is lost", .requests = every_second_lost),
	INTEL_FAULT(requests_two_at_once_lost, MODEL_INTEL, "intel.*.overflow.all_at_once",
		    "two overflows in the same clock request no interrupt",
		    .requests = two_at_once_lost),
	INTEL_FAULT(requests_lost_with_if_clear, MODEL_INTEL, "intel.*.overflow.if_delays",
		    "an overflow while IF is clear requests no interrupt",
		    .requests = lost_with_if_clear),
	INTEL_FAULT(delivery_leaves_lvt_open, MODEL_INTEL, "intel.*.lvt.masked_by_delivery",
		    "delivery does not mask the LVT entry", .leaves_lvt = true),
	{0},
};
