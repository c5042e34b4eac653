/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of NetBurst's registers: what they hold, which of them answers, and RDPMC. */
#include "model/pmu/netburst/hooks.h"

/* ---- the cells of a counter ---- */

static uint64_t counts_in_32(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr, (void)old;
	return value & FIELD(31, 0);
}

static uint64_t keeps_32(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_COUNTER ? value & FIELD(31, 0) : value;
}

static uint64_t counts_in_39(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr, (void)old;
	return value & FIELD(38, 0);
}

static uint64_t keeps_39(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_COUNTER ? value & FIELD(38, 0) : value;
}

static uint64_t write_extends_bit31(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	if (reg->kind != REG_COUNTER)
		return value;
	return (uint64_t)(int64_t)(int32_t)(uint32_t)raw & NETBURST_MASK;
}

static uint64_t bit17_of_14_stuck(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_COUNTER && reg->number == 14 ? value & ~BIT(17) : value;
}

static uint64_t bit33_of_13_stuck(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_COUNTER && reg->number == 13 ? value | BIT(33) : value;
}

static uint64_t wrap_saturates(unsigned ctr, uint64_t old, uint64_t value)
{
	(void)ctr;
	return value < old ? NETBURST_MASK : value;
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

/* ---- CCCRs and ESCRs ---- */

static uint64_t force_ovf_stuck(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_CCCR ? value & ~CCCR_FORCE_OVF : value;
}

static uint64_t edge_sets_complement(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_CCCR && value & CCCR_EDGE ? value | CCCR_COMPLEMENT : value;
}

static uint64_t compare_sets_reserved(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_CCCR && value & CCCR_COMPARE ? value | BIT(28) : value;
}

static uint64_t escr_mask_bit_dead(const struct netburst_reg *reg, uint64_t raw, uint64_t value)
{
	(void)raw;
	return reg->kind == REG_ESCR ? value & ~BIT(20) : value;
}

static void cccr_write_clears_counter(struct pmu_netburst *p, const struct netburst_reg *reg,
				      uint64_t old)
{
	(void)old;
	if (reg->kind == REG_CCCR)
		p->counter[reg->number].value = 0;
}

static void stop_clears_counter(struct pmu_netburst *p, const struct netburst_reg *reg,
				uint64_t old)
{
	if (reg->kind == REG_CCCR && old & CCCR_ENABLE &&
	    !(p->counter[reg->number].cccr & CCCR_ENABLE))
		p->counter[reg->number].value = 0;
}

/* ---- addresses ---- */

enum { CRU_ESCR1 = 0x19, CRU_ESCR4 = 0x40 };

static bool cru_escr4_missing(struct netburst_reg *reg)
{
	return reg->kind != REG_ESCR || reg->number != CRU_ESCR4;
}

static bool cru_escrs_are_one(struct netburst_reg *reg)
{
	if (reg->kind == REG_ESCR && reg->number == CRU_ESCR1)
		reg->number--;
	return true;
}

static bool counters_14_and_15_are_one(struct netburst_reg *reg)
{
	if (reg->kind == REG_COUNTER && reg->number == 15)
		reg->number = 14;
	return true;
}

static void write_disturbs_mate(struct pmu_netburst *p, const struct netburst_reg *reg,
				uint64_t old)
{
	(void)old;
	if (reg->kind == REG_COUNTER)
		p->counter[reg->number ^ 1].value++;
}

/* ---- routes ---- */

static bool is_iq_low(unsigned ctr)
{
	return ctr == 12 || ctr == 13 || ctr == 16;
}

static int routes_4_and_5_swapped(unsigned ctr, unsigned select, int escr)
{
	return is_iq_low(ctr) && (select == 4 || select == 5) ? netburst_route(ctr, select ^ 1)
							      : escr;
}

static int halves_swapped(unsigned ctr, unsigned select, int escr)
{
	int other = netburst_route(ctr < 16 ? ctr ^ 2 : ctr ^ 1, select);

	return other < 0 ? escr : other;
}

static int select_of_13_dead(unsigned ctr, unsigned select, int escr)
{
	return ctr == 13 && select != 4 ? netburst_route(13, 4) : escr;
}

/* ---- RDPMC ---- */

static void rdpmc_low32(const struct pmu_netburst *p, uint32_t index, bool fast, unsigned cpl,
			enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)fast, (void)cpl, (void)access;
	*value &= FIELD(31, 0);
}

static void rdpmc_fast_is_full(const struct pmu_netburst *p, uint32_t index, bool fast,
			       unsigned cpl, enum access *access, uint64_t *value)
{
	(void)cpl;
	if (fast && *access == ACCESS_DONE)
		*value = p->counter[index].value;
}

static void rdpmc_fast_upper(const struct pmu_netburst *p, uint32_t index, bool fast, unsigned cpl,
			     enum access *access, uint64_t *value)
{
	(void)cpl;
	if (fast && *access == ACCESS_DONE)
		*value = p->counter[index].value >> 32;
}

static void rdpmc_fast_refused(const struct pmu_netburst *p, uint32_t index, bool fast,
			       unsigned cpl, enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)cpl, (void)value;
	if (fast)
		*access = ACCESS_GP;
}

static void rdpmc_index_4_bits(const struct pmu_netburst *p, uint32_t index, bool fast,
			       unsigned cpl, enum access *access, uint64_t *value)
{
	(void)fast, (void)cpl;
	if (*access == ACCESS_DONE && index > 15)
		*value = p->counter[index & 15].value;
}

static void rdpmc_neighbour(const struct pmu_netburst *p, uint32_t index, bool fast, unsigned cpl,
			    enum access *access, uint64_t *value)
{
	(void)fast, (void)cpl;
	if (*access == ACCESS_DONE)
		*value = p->counter[index ^ 1].value;
}

static void rdpmc_ignores_pce(const struct pmu_netburst *p, uint32_t index, bool fast, unsigned cpl,
			      enum access *access, uint64_t *value)
{
	(void)fast, (void)cpl;
	if (index < NETBURST_COUNTERS) {
		*access = ACCESS_DONE;
		*value = p->counter[index].value;
	}
}

static void rdpmc_refused_in_ring3(const struct pmu_netburst *p, uint32_t index, bool fast,
				   unsigned cpl, enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)fast, (void)value;
	if (cpl)
		*access = ACCESS_GP;
}

static void rdpmc_accepts_any_index(const struct pmu_netburst *p, uint32_t index, bool fast,
				    unsigned cpl, enum access *access, uint64_t *value)
{
	(void)fast, (void)cpl;
	if (index >= NETBURST_COUNTERS) {
		*access = ACCESS_DONE;
		*value = p->counter[index % NETBURST_COUNTERS].value;
	}
}

const struct fault faults_netburst_registers[] = {
	NETBURST_FAULT(p4_counter_width_32, MODEL_NETBURST, "netburst.*.access.counter_width",
		       "the counters keep 32 bits", .keep = keeps_32, .hold = counts_in_32),
	NETBURST_FAULT(p4_counter_width_39, MODEL_NETBURST, "netburst.*.access.counter_width",
		       "the counters keep 39 bits", .keep = keeps_39, .hold = counts_in_39),
	NETBURST_FAULT(
		p4_counter_write_extends_bit31, MODEL_NETBURST, "netburst.*.access.counter_bits",
		"a write loads bits 31:0 and copies bit 31 upwards", .keep = write_extends_bit31),
	NETBURST_FAULT(p4_counter_bit_stuck_0, MODEL_NETBURST, "netburst.14.access.counter_bits",
		       "bit 17 of counter 14 is stuck at 0", .keep = bit17_of_14_stuck),
	NETBURST_FAULT(p4_counter_bit_stuck_1, MODEL_NETBURST, "netburst.13.access.counter_bits",
		       "bit 33 of counter 13 is stuck at 1", .keep = bit33_of_13_stuck),
	NETBURST_FAULT(p4_wrap_saturates, MODEL_NETBURST, "netburst.*.count.wraps",
		       "a full counter stays full", .hold = wrap_saturates),
	NETBURST_FAULT(p4_wrap_adds_one, MODEL_NETBURST, "netburst.*.overflow.value_after",
		       "a counter that wraps skips one value", .hold = wrap_adds_one),
	NETBURST_FAULT(p4_carry_into_32_lost, MODEL_NETBURST, "netburst.*.overflow.width_boundary",
		       "a carry out of bit 31 is lost", .hold = carry_into_32_lost),
	NETBURST_FAULT(p4_cccr_force_ovf_stuck, MODEL_NETBURST, "netburst.*.access.control_bits",
		       "FORCE_OVF cannot be set", .keep = force_ovf_stuck),
	NETBURST_FAULT(p4_cccr_edge_sets_complement, MODEL_NETBURST,
		       "netburst.*.access.control_bits", "setting EDGE sets COMPLEMENT as well",
		       .keep = edge_sets_complement),
	NETBURST_FAULT(
		p4_cccr_compare_sets_reserved, MODEL_NETBURST, "netburst.*.access.reserved_bits",
		"setting COMPARE sets reserved bit 28 as well", .keep = compare_sets_reserved),
	NETBURST_FAULT(p4_escr_mask_bit_dead, MODEL_NETBURST, "netburst.*.access.escr_bits",
		       "bit 11 of the event mask cannot be set", .keep = escr_mask_bit_dead),
	NETBURST_FAULT(
		p4_cccr_write_clears_counter, MODEL_NETBURST, "netburst.*.count.select_keeps_count",
		"a write to the CCCR clears the counter", .written = cccr_write_clears_counter),
	NETBURST_FAULT(p4_stop_clears_counter, MODEL_NETBURST, "netburst.*.count.instructions",
		       "clearing ENABLE clears the counter", .written = stop_clears_counter),
	NETBURST_FAULT(p4_cru_escr4_missing, MODEL_NETBURST, "netburst.*.access.escr_present",
		       "CRU_ESCR4 does not exist", .address = cru_escr4_missing),
	NETBURST_FAULT(p4_cru_escrs_are_one, MODEL_NETBURST, "netburst.*.access.escr_*",
		       "CRU_ESCR0 and CRU_ESCR1 are the same", .address = cru_escrs_are_one),
	NETBURST_FAULT(p4_counters_14_and_15_are_one, MODEL_NETBURST,
		       "netburst.*.access.no_aliasing", "counters 14 and 15 are the same",
		       .address = counters_14_and_15_are_one),
	NETBURST_FAULT(p4_write_disturbs_mate, MODEL_NETBURST, "netburst.*.access.no_aliasing",
		       "a write to a counter adds one to its pair mate",
		       .written = write_disturbs_mate),
	NETBURST_FAULT(p4_routes_4_and_5_swapped, MODEL_NETBURST, "netburst.*.access.escr_routing",
		       "ESCR selects 4 and 5 of counters 12, 13 and 16 are exchanged",
		       .route = routes_4_and_5_swapped),
	NETBURST_FAULT(p4_halves_swapped, MODEL_NETBURST, "netburst.*.access.escr_routing",
		       "counters reach the ESCRs of the other half", .route = halves_swapped),
	NETBURST_FAULT(p4_select_of_13_dead, MODEL_NETBURST, "netburst.*.access.escr_routing",
		       "counter 13 counts CRU_ESCR0 whatever it selects",
		       .route = select_of_13_dead),
	NETBURST_FAULT(p4_rdpmc_low32, MODEL_NETBURST, "netburst.*.access.rdpmc_equals_rdmsr",
		       "RDPMC returns bits 31:0 only", .rdpmc = rdpmc_low32),
	NETBURST_FAULT(p4_rdpmc_fast_is_full, MODEL_NETBURST, "netburst.*.access.rdpmc_fast",
		       "fast RDPMC returns all 40 bits", .rdpmc = rdpmc_fast_is_full),
	NETBURST_FAULT(p4_rdpmc_fast_upper, MODEL_NETBURST, "netburst.*.access.rdpmc_fast",
		       "fast RDPMC returns the upper half", .rdpmc = rdpmc_fast_upper),
	NETBURST_FAULT(p4_rdpmc_fast_refused, MODEL_NETBURST, "netburst.*.access.rdpmc_fast",
		       "fast RDPMC faults", .rdpmc = rdpmc_fast_refused),
	NETBURST_FAULT(p4_rdpmc_index_4_bits, MODEL_NETBURST,
		       "netburst.*.access.rdpmc_equals_rdmsr",
		       "RDPMC of counters 16 and 17 reads 0 and 1", .rdpmc = rdpmc_index_4_bits),
	NETBURST_FAULT(p4_rdpmc_neighbour, MODEL_NETBURST, "netburst.*.access.rdpmc_equals_rdmsr",
		       "RDPMC returns the other counter of the pair", .rdpmc = rdpmc_neighbour),
	NETBURST_FAULT(p4_rdpmc_ignores_pce, MODEL_NETBURST, "netburst.*.access.rdpmc_ring3",
		       "ring 3 may use RDPMC while CR4.PCE is clear", .rdpmc = rdpmc_ignores_pce),
	NETBURST_FAULT(p4_rdpmc_refused_in_ring3, MODEL_NETBURST, "netburst.*.access.rdpmc_ring3",
		       "ring 3 may not use RDPMC though CR4.PCE is set",
		       .rdpmc = rdpmc_refused_in_ring3),
	NETBURST_FAULT(p4_rdpmc_accepts_any_index, MODEL_NETBURST,
		       "netburst.*.access.rdpmc_invalid_index",
		       "RDPMC of a counter that does not exist returns another one",
		       .rdpmc = rdpmc_accepts_any_index),
	{0},
};
