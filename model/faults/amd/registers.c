/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the registers: what they hold, which of them answers, and RDPMC. */
#include "model/pmu/amd/hooks.h"

/* ---- the cells of a counter ---- */

static uint64_t counter_truncates_32(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr, (void)old;
	return (uint32_t)value;
}

static uint64_t counter_width_40(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr, (void)old;
	return value & FIELD(39, 0);
}

static uint64_t counter_bit_stuck_0(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)old;
	return ctr == 2 ? value & ~BIT(17) : value;
}

static uint64_t counter_bit_stuck_1(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)old;
	return ctr == 1 ? value | BIT(33) : value;
}

/* As the P6 does. */
static uint64_t counter_write_extends_bit31(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr;
	if (old != value)
		return value;
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value & COUNTER_MASK;
}

static uint64_t wrap_saturates(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr;
	return value < old ? COUNTER_MASK : value;
}

static uint64_t wrap_adds_one(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr;
	return value < old ? value + 1 : value;
}

static uint64_t carry_into_32_lost(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr;
	return (old & ~FIELD(31, 0)) | (value & FIELD(31, 0));
}

/* ---- select registers ---- */

static uint64_t select_unit_mask_dead(unsigned ctr, uint64_t value)
{
	(void)ctr;
	return value & ~(uint64_t)BIT(9);
}

static uint64_t select_int_sets_reserved(unsigned ctr, uint64_t value)
{
	(void)ctr;
	return value & SELECT_INT ? value | BIT(21) : value;
}

static uint64_t select_edge_sets_inv(unsigned ctr, uint64_t value)
{
	(void)ctr;
	return value & SELECT_EDGE ? value | SELECT_INV : value;
}

static void select_write_clears_counter(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	(void)old;
	if (reg->select)
		p->counter[reg->counter].value = 0;
}

static void stop_clears_counter(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	if (reg->select && old & SELECT_EN && !(p->counter[reg->counter].select & SELECT_EN))
		p->counter[reg->counter].value = 0;
}

/* ---- addresses ---- */

static bool counters_2_and_3_are_one(struct reg *reg)
{
	if (reg->counter == 3)
		reg->counter = 2;
	return true;
}

static bool counter_3_missing(struct reg *reg)
{
	return reg->counter != 3;
}

static void write_disturbs_neighbour(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	(void)old;
	if (!reg->select && reg->counter > 0)
		p->counter[reg->counter - 1].value ^= 1;
}

static bool legacy_alias_shifted(struct reg *reg)
{
	if (reg->legacy)
		reg->counter = (reg->counter + 1) % 4;
	return true;
}

static bool legacy_alias_missing(struct reg *reg)
{
	return !reg->legacy;
}

/* ---- RDPMC ---- */

static void rdpmc_low32(const struct pmu_amd *p, uint32_t index, unsigned cpl, enum access *access,
			uint64_t *value)
{
	(void)p, (void)index, (void)cpl, (void)access;
	*value = (uint32_t)*value;
}

static void rdpmc_neighbour(const struct pmu_amd *p, uint32_t index, unsigned cpl,
			    enum access *access, uint64_t *value)
{
	(void)cpl;
	if (*access == ACCESS_DONE)
		*value = p->counter[index ^ 1].value;
}

static void rdpmc_ignores_pce(const struct pmu_amd *p, uint32_t index, unsigned cpl,
			      enum access *access, uint64_t *value)
{
	(void)cpl;
	if (index < p->traits->counters) {
		*access = ACCESS_DONE;
		*value = p->counter[index].value;
	}
}

static void rdpmc_refused_in_ring3(const struct pmu_amd *p, uint32_t index, unsigned cpl,
				   enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)value;
	if (cpl)
		*access = ACCESS_GP;
}

static void rdpmc_accepts_any_index(const struct pmu_amd *p, uint32_t index, unsigned cpl,
				    enum access *access, uint64_t *value)
{
	(void)cpl;
	if (index >= p->traits->counters) {
		*access = ACCESS_DONE;
		*value = p->counter[index % p->traits->counters].value;
	}
}

static uint64_t v2_status_never_cleared(uint64_t old, uint64_t status)
{
	return old | status;
}

static uint64_t v2_status_cleared_at_once(uint64_t old, uint64_t status)
{
	return status & ~old ? status : status == old ? old : 0;
}

const struct fault faults_amd_registers[] = {
	FAULT(counter_truncates_32, MODEL_AMD, "*.access.counter_width",
	      "the counters keep 32 bits", .hold = counter_truncates_32),
	FAULT(counter_width_40, MODEL_AMD, "*.access.counter_width", "the counters keep 40 bits",
	      .hold = counter_width_40),
	FAULT(counter_bit_stuck_0, MODEL_AMD, "amd.2.access.counter_bits",
	      "bit 17 of counter 2 is stuck at 0", .hold = counter_bit_stuck_0),
	FAULT(counter_bit_stuck_1, MODEL_AMD, "amd.1.access.counter_bits",
	      "bit 33 of counter 1 is stuck at 1", .hold = counter_bit_stuck_1),
	FAULT(counter_write_extends_bit31, MODEL_AMD, "*.access.counter_bits",
	      "a write loads bits 31:0 and copies bit 31 upwards",
	      .hold = counter_write_extends_bit31),
	FAULT(wrap_saturates, MODEL_AMD, "*.count.wraps", "a full counter stays full",
	      .hold = wrap_saturates),
	FAULT(wrap_adds_one, MODEL_AMD, "*.overflow.value_after",
	      "a counter that wraps skips one value", .hold = wrap_adds_one),
	FAULT(carry_into_32_lost, MODEL_AMD, "*.overflow.width_boundary",
	      "a carry out of bit 31 is lost", .hold = carry_into_32_lost),
	FAULT(select_unit_mask_dead, MODEL_AMD, "*.access.control_bits",
	      "bit 1 of the unit mask cannot be set", .keep_select = select_unit_mask_dead),
	FAULT(select_edge_sets_inv, MODEL_AMD, "*.access.control_bits",
	      "setting E sets INV as well", .keep_select = select_edge_sets_inv),
	FAULT(select_int_sets_reserved, MODEL_AMD, "*.access.reserved_bits",
	      "setting INT sets reserved bit 21 as well", .keep_select = select_int_sets_reserved),
	FAULT(select_write_clears_counter, MODEL_AMD, "*.count.select_keeps_count",
	      "a write to the select register clears the counter",
	      .written = select_write_clears_counter),
	FAULT(stop_clears_counter, MODEL_AMD, "*.count.instructions",
	      "clearing EN clears the counter", .written = stop_clears_counter),
	FAULT(counters_2_and_3_are_one, MODEL_AMD, "*.access.no_aliasing",
	      "the registers of counters 2 and 3 are the same",
	      .address = counters_2_and_3_are_one),
	FAULT(counter_3_missing, MODEL_AMD, "amd.3.access.registers_present",
	      "the registers of counter 3 fault", .address = counter_3_missing),
	FAULT(write_disturbs_neighbour, MODEL_AMD, "*.access.no_aliasing",
	      "a write to a counter flips bit 0 of the one below",
	      .written = write_disturbs_neighbour),
	FAULT(legacy_alias_shifted, MODEL_EXTENDED, "*.access.no_aliasing",
	      "the legacy names reach the next counter", .address = legacy_alias_shifted),
	FAULT(legacy_alias_missing, MODEL_EXTENDED, "*.access.no_aliasing",
	      "the legacy names do not exist", .address = legacy_alias_missing),
	FAULT(v2_status_never_cleared, MODEL_ZEN4, "*.global.shows_overflow",
	      "bits of PerfCntrGlobalStatus are never cleared",
	      .status_written = v2_status_never_cleared),
	FAULT(v2_status_cleared_at_once, MODEL_ZEN4, "*.global.shows_overflow",
	      "any write to PerfCntrGlobalStatusClr clears all bits",
	      .status_written = v2_status_cleared_at_once),
	FAULT(rdpmc_low32, MODEL_AMD, "*.access.rdpmc_equals_rdmsr", "RDPMC returns bits 31:0 only",
	      .rdpmc = rdpmc_low32),
	FAULT(rdpmc_neighbour, MODEL_AMD, "*.access.rdpmc_equals_rdmsr",
	      "RDPMC returns the other counter of the pair", .rdpmc = rdpmc_neighbour),
	FAULT(rdpmc_ignores_pce, MODEL_AMD, "*.access.rdpmc_ring3",
	      "ring 3 may use RDPMC while CR4.PCE is clear", .rdpmc = rdpmc_ignores_pce),
	FAULT(rdpmc_refused_in_ring3, MODEL_AMD, "*.access.rdpmc_ring3",
	      "ring 3 may not use RDPMC though CR4.PCE is set", .rdpmc = rdpmc_refused_in_ring3),
	FAULT(rdpmc_accepts_any_index, MODEL_AMD, "*.access.rdpmc_invalid_index",
	      "RDPMC of a counter that does not exist returns another one",
	      .rdpmc = rdpmc_accepts_any_index),
	{0},
};
