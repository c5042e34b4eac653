/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of fixed counters and of the global registers. */
#include "model/pmu/intel/hooks.h"

static bool is_fixed(unsigned ctr)
{
	return ctr >= INTEL_GENERAL;
}

/* ---- fixed counters ---- */

static unsigned fixed0_counts_uops(const struct intel_setting *set, const struct clock *clock,
				   unsigned n)
{
	return set->counter == INTEL_GENERAL ? clock->n[SIGNAL_UOPS] : n;
}

static unsigned fixed1_misses_idle_clocks(const struct intel_setting *set,
					  const struct clock *clock, unsigned n)
{
	return set->counter == INTEL_GENERAL + 1 ? clock->n[SIGNAL_INSTRUCTIONS] > 0 : n;
}

static unsigned fixed2_counts_bus_clocks(struct pmu_intel *p, unsigned ctr,
					 const struct clock *clock, unsigned amount)
{
	(void)clock;
	return ctr == INTEL_GENERAL + 2 ? amount && p->clocks % 8 == 1 : amount;
}

static unsigned fixed2_multiplied_twice(struct pmu_intel *p, unsigned ctr,
					const struct clock *clock, unsigned amount)
{
	(void)p;
	(void)clock;
	return ctr == INTEL_GENERAL + 2 ? 8 * amount : amount;
}

static void hsd143_fixed0_over_by_32(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old)
{
	if (reg->kind == INTEL_GLOBAL_CTRL && p->global_ctrl & ~old & BIT(32) &&
	    p->fixed_ctrl & (FIXED_EN_OS | FIXED_EN_USR))
		p->counter[INTEL_GENERAL].value += 32;
}

static void fixed_enable_is_both(struct intel_setting *set)
{
	if (is_fixed(set->counter) && (set->os || set->user))
		set->os = set->user = true;
}

static void fixed_enable_swapped(struct intel_setting *set)
{
	bool os = set->os;

	if (!is_fixed(set->counter))
		return;
	set->os = set->user;
	set->user = os;
}

static void fixed_counts_when_off(struct intel_setting *set)
{
	if (is_fixed(set->counter) && !set->os && !set->user)
		set->os = set->user = true;
}

static void fixed_pmi_dead(struct intel_setting *set)
{
	set->interrupt &= !is_fixed(set->counter);
}

static void fixed_pmi_stuck(struct intel_setting *set)
{
	set->interrupt |= is_fixed(set->counter);
}

/* ---- IA32_PERF_GLOBAL_CTRL ---- */

static bool global_ctrl_ignored(const struct pmu_intel *p, unsigned ctr, bool counts)
{
	return counts || (p->counter[ctr].set.enable && !is_fixed(ctr));
}

static bool global_ctrl_misses_fixed(const struct pmu_intel *p, unsigned ctr, bool counts)
{
	return counts || (is_fixed(ctr) && p->counter[ctr].set.enable);
}

/* Counter 1 misses the first clock after its global enable. */
static unsigned enable_of_1_lags(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
				 unsigned amount)
{
	bool first = !p->defect[1];

	(void)clock;
	if (ctr != 1)
		return amount;
	p->defect[1] = intel_counts(p, ctr);
	return first ? 0 : amount;
}

static void forget_first_clock(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == INTEL_GLOBAL_CTRL && !(p->global_ctrl & 2))
		p->defect[1] = 0;
}

static bool global_ctrl_takes_reserved(const struct pmu_intel *p, const struct intel_reg *reg,
				       uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_GLOBAL_CTRL;
}

static uint64_t drop_reserved(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	return reg->kind == INTEL_PMC ? value : value & intel_writable(p, reg);
}

static bool fixed_ctrl_takes_reserved(const struct pmu_intel *p, const struct intel_reg *reg,
				      uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_FIXED_CTR_CTRL;
}

static bool evtsel_takes_reserved(const struct pmu_intel *p, const struct intel_reg *reg,
				  uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_EVTSEL;
}

static bool status_reset_takes_reserved(const struct pmu_intel *p, const struct intel_reg *reg,
					uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_STATUS_RESET;
}

static bool status_is_writable(const struct pmu_intel *p, const struct intel_reg *reg,
			       uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_GLOBAL_STATUS;
}

/* ---- status ---- */

static uint64_t status_of_neighbour(struct pmu_intel *p, uint64_t overflowed)
{
	return overflowed << 1 & intel_counter_bits(p->traits);
}

static uint64_t status_of_neighbour_too(struct pmu_intel *p, uint64_t overflowed)
{
	return (overflowed | overflowed << 1) & intel_counter_bits(p->traits);
}

static uint64_t status_needs_int(struct pmu_intel *p, uint64_t overflowed)
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!p->counter[i].set.interrupt)
			overflowed &= ~intel_bit(i);
	return overflowed;
}

static void status_cleared_by_counter_write(struct pmu_intel *p, const struct intel_reg *reg,
					    uint64_t old)
{
	(void)old;
	if (reg->kind == INTEL_PMC || reg->kind == INTEL_A_PMC)
		p->status &= ~intel_bit(reg->number);
}

static void status_cleared_by_stop(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old)
{
	if (reg->kind == INTEL_GLOBAL_CTRL)
		p->status &= ~(old & ~p->global_ctrl);
}

static uint64_t status_reset_clears_all(struct pmu_intel *p, const struct intel_reg *reg,
					uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_STATUS_RESET && value ? ~UINT64_C(0) : value;
}

/* Stopped while its status bit is set, a counter keeps that bit. */
static uint64_t aaj143_status_stuck_when_stopped(struct pmu_intel *p, const struct intel_reg *reg,
						 uint64_t value)
{
	if (reg->kind != INTEL_STATUS_RESET)
		return value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (intel_has_counter(p->traits, i) && !intel_counts(p, i))
			value &= ~intel_bit(i);
	return value;
}

static uint64_t status_set_dead(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_STATUS_SET ? 0 : value;
}

static void status_set_clears_counters(struct pmu_intel *p, const struct intel_reg *reg,
				       uint64_t old)
{
	(void)old;
	for (unsigned i = 0; reg->kind == INTEL_STATUS_SET && i < INTEL_COUNTERS; i++)
		if (p->status & intel_bit(i))
			p->counter[i].value = 0;
}

static uint64_t inuse_misses_fixed(const struct pmu_intel *p, const struct intel_reg *reg,
				   uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_GLOBAL_INUSE ? value & ~FIELD(35, 32) : value;
}

static uint64_t inuse_pmi_bit_missing(const struct pmu_intel *p, const struct intel_reg *reg,
				      uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_GLOBAL_INUSE ? value & ~BIT(63) : value;
}

static uint64_t inuse_is_global_ctrl(const struct pmu_intel *p, const struct intel_reg *reg,
				     uint64_t value)
{
	return reg->kind == INTEL_GLOBAL_INUSE ? p->global_ctrl : value;
}

const struct fault faults_intel_global[] = {
	INTEL_FAULT(fixed0_counts_uops, MODEL_V2, "intel.*.fixed.equals_general",
		    "fixed counter 0 counts micro-ops", .occurrences = fixed0_counts_uops),
	INTEL_FAULT(fixed1_misses_idle_clocks, MODEL_V2, "intel.*.fixed.equals_general",
		    "fixed counter 1 counts clocks in which something retires",
		    .occurrences = fixed1_misses_idle_clocks),
	INTEL_FAULT(hsd143_fixed0_over_by_32, MODEL_V2, "intel.*.fixed.equals_general",
		    "fixed counter 0 gains 32 when its global enable is set after its own (as "
		    "errata HSD143, HSM154)",
		    .written = hsd143_fixed0_over_by_32),
	INTEL_FAULT(fixed2_counts_bus_clocks, MODEL_V2, "intel.*.fixed.reference_rate",
		    "fixed counter 2 counts the clocks of the bus, and not those of the TSC",
		    .increment = fixed2_counts_bus_clocks),
	INTEL_FAULT(fixed2_multiplied_twice, MODEL_V2, "intel.*.fixed.reference_rate",
		    "fixed counter 2 multiplies the clocks of the bus twice",
		    .increment = fixed2_multiplied_twice),
	INTEL_FAULT(fixed_enable_is_both, MODEL_V2, "intel.*.fixed.enable_field",
		    "a fixed counter counts at both levels or not at all",
		    .setting = fixed_enable_is_both),
	INTEL_FAULT(fixed_enable_swapped, MODEL_V2, "intel.*.fixed.enable_field",
		    "1 enables a fixed counter for ring 3, 2 for ring 0",
		    .setting = fixed_enable_swapped),
	INTEL_FAULT(fixed_counts_when_off, MODEL_V2, "intel.*.fixed.enable_field",
		    "0 enables a fixed counter for all levels", .setting = fixed_counts_when_off),
	INTEL_FAULT(fixed_pmi_dead, MODEL_V2, "intel.*.fixed.interrupt",
		    "fixed counters never interrupt", .setting = fixed_pmi_dead),
	INTEL_FAULT(fixed_pmi_stuck, MODEL_V2, "intel.*.fixed.interrupt",
		    "fixed counters interrupt though their PMI bit is clear",
		    .setting = fixed_pmi_stuck),
	INTEL_FAULT(global_ctrl_ignored, MODEL_V2, "intel.*.global.gates_each",
		    "the global enable bits of general counters have no effect",
		    .counts = global_ctrl_ignored),
	INTEL_FAULT(global_ctrl_misses_fixed, MODEL_V2, "intel.*.global.gates_each",
		    "the global enable bits of fixed counters have no effect",
		    .counts = global_ctrl_misses_fixed),
	INTEL_FAULT(enable_of_1_lags, MODEL_V2, "intel.*.global.same_clock",
		    "counter 1 starts a clock later than the others", .increment = enable_of_1_lags,
		    .written = forget_first_clock),
	INTEL_FAULT(global_ctrl_takes_reserved, MODEL_V2, "intel.*.global.reserved_faults",
		    "reserved bits of the global enable register are dropped",
		    .refused = global_ctrl_takes_reserved, .keep = drop_reserved),
	INTEL_FAULT(fixed_ctrl_takes_reserved, MODEL_V2, "intel.*.global.reserved_faults",
		    "reserved bits of the fixed counters' control are dropped",
		    .refused = fixed_ctrl_takes_reserved, .keep = drop_reserved),
	INTEL_FAULT(evtsel_takes_reserved, MODEL_V2, "intel.*.global.reserved_faults",
		    "reserved bits of a select register are dropped",
		    .refused = evtsel_takes_reserved, .keep = drop_reserved),
	INTEL_FAULT(status_reset_takes_reserved, MODEL_V2, "intel.*.global.reserved_faults",
		    "reserved bits of the status reset register are dropped",
		    .refused = status_reset_takes_reserved, .keep = drop_reserved),
	INTEL_FAULT(status_is_writable, MODEL_V2, "intel.*.global.reserved_faults",
		    "a write to the global status register does not fault",
		    .refused = status_is_writable),
	INTEL_FAULT(status_of_neighbour, MODEL_V2, "intel.*.status.only_the_overflowed",
		    "an overflow sets the status bit of the next counter",
		    .status = status_of_neighbour),
	INTEL_FAULT(status_of_neighbour_too, MODEL_V2, "intel.*.status.only_the_overflowed",
		    "an overflow also sets the status bit of the next counter",
		    .status = status_of_neighbour_too),
	INTEL_FAULT(status_needs_int, MODEL_V2, "intel.*.status.only_the_overflowed",
		    "an overflow sets its status bit only with the interrupt enabled",
		    .status = status_needs_int),
	INTEL_FAULT(status_cleared_by_counter_write, MODEL_V2, "intel.*.status.sticky_until_reset",
		    "a write to a counter clears its status bit",
		    .written = status_cleared_by_counter_write),
	INTEL_FAULT(status_cleared_by_stop, MODEL_V2, "intel.*.status.sticky_until_reset",
		    "stopping a counter clears its status bit", .written = status_cleared_by_stop),
	INTEL_FAULT(status_reset_clears_all, MODEL_V2, "intel.*.status.sticky_until_reset",
		    "clearing one status bit clears all", .keep = status_reset_clears_all),
	INTEL_FAULT(aaj143_status_stuck_when_stopped, MODEL_V2, "intel.*.status.sticky_until_reset",
		    "the status bit of a stopped counter cannot be cleared (as errata AAJ143, "
		    "BV038)",
		    .keep = aaj143_status_stuck_when_stopped),
	INTEL_FAULT(status_set_dead, MODEL_V4, "intel.*.status.set_by_software",
		    "the status set register has no effect", .keep = status_set_dead),
	INTEL_FAULT(status_set_clears_counters, MODEL_V4, "intel.*.status.set_by_software",
		    "setting a status bit clears its counter",
		    .written = status_set_clears_counters),
	INTEL_FAULT(inuse_misses_fixed, MODEL_V4, "intel.*.status.in_use",
		    "fixed counters are never shown as in use", .shown = inuse_misses_fixed),
	INTEL_FAULT(inuse_pmi_bit_missing, MODEL_V4, "intel.*.status.in_use",
		    "the interrupt is never shown as in use", .shown = inuse_pmi_bit_missing),
	INTEL_FAULT(inuse_is_global_ctrl, MODEL_V4, "intel.*.status.in_use",
		    "what is globally enabled is shown as in use", .shown = inuse_is_global_ctrl),
	{0},
};
