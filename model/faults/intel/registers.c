/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the registers of Intel's core counters: what they hold, and what faults. */
#include "model/pmu/intel/hooks.h"

#define MSR_IA32_PMC   UINT32_C(0x0c1)
#define MSR_IA32_A_PMC UINT32_C(0x4c1)
#define MSR_EVTSEL     UINT32_C(0x186)
#define RDPMC_FIXED    UINT32_C(0x40000000)
#define RDPMC_FAST     UINT32_C(0x80000000)

/* ---- the cells of a counter ---- */

static bool is_counter(const struct intel_reg *reg)
{
	return reg->kind == INTEL_PMC || reg->kind == INTEL_A_PMC;
}

static uint64_t pmc_keeps_32_bits(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return is_counter(reg) ? (uint32_t)value : value;
}

static uint64_t pmc_keeps_40_bits(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return is_counter(reg) ? value & FIELD(39, 0) : value;
}

static uint64_t pmc_bit17_stuck(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return is_counter(reg) && reg->number == 1 ? value & ~BIT(17) : value;
}

static uint64_t carry_stops_at_32(const struct pmu_intel *p, unsigned ctr, uint64_t old,
				  uint64_t value)
{
	(void)p, (void)ctr;
	return (old & ~FIELD(31, 0)) | (value & FIELD(31, 0));
}

static uint64_t full_counter_stays(const struct pmu_intel *p, unsigned ctr, uint64_t old,
				   uint64_t value)
{
	(void)ctr;
	return value < old ? intel_mask(p->traits) : value;
}

/* ---- writes ---- */

/* defect[0]: what EDX:EAX held. */
static void legacy_write_zero_extends(struct pmu_intel *p, const struct intel_reg *reg,
				      uint64_t old)
{
	(void)old;
	if (reg->kind == INTEL_PMC)
		p->counter[reg->number].value &= FIELD(31, 0);
}

static uint64_t remember(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	if (reg->kind == INTEL_PMC)
		p->defect[0] = value;
	return value;
}

static void legacy_write_takes_edx(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == INTEL_PMC)
		p->counter[reg->number].value = p->defect[0] & intel_mask(p->traits);
}

static uint64_t full_width_write_extends_bit31(struct pmu_intel *p, const struct intel_reg *reg,
					       uint64_t value)
{
	if (reg->kind != INTEL_A_PMC)
		return value;
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value & intel_mask(p->traits);
}

static bool over_wide_accepted(const struct pmu_intel *p, const struct intel_reg *reg,
			       uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_A_PMC;
}

static bool fixed_over_wide_accepted(const struct pmu_intel *p, const struct intel_reg *reg,
				     uint64_t value, bool refused)
{
	(void)p, (void)value;
	return refused && reg->kind != INTEL_FIXED_CTR;
}

static uint64_t truncates(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	bool counter = reg->kind == INTEL_A_PMC || reg->kind == INTEL_FIXED_CTR;

	return counter ? value & intel_mask(p->traits) : value;
}

/* ---- select registers ---- */

static uint64_t evtsel_loses_inv(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_EVTSEL ? value & ~EVTSEL_INV : value;
}

static uint64_t bv080_evtsel_reads_wrong(const struct pmu_intel *p, const struct intel_reg *reg,
					 uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_EVTSEL && reg->number >= 4 ? value ^ BIT(8) : value;
}

static void evtsel_write_clears_pmc(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == INTEL_EVTSEL)
		p->counter[reg->number].value = 0;
}

static bool af49_en0_acts_for_both(const struct pmu_intel *p, unsigned ctr, bool counts)
{
	if (ctr != 1)
		return counts;
	return p->counter[0].set.enable && p->global_ctrl & intel_bit(1);
}

static bool p6_en0_only_counter0(const struct pmu_intel *p, bool enable)
{
	(void)p, (void)enable;
	return false;
}

static bool p6_en0_never_stops_counter1(const struct pmu_intel *p, bool enable)
{
	return enable || p->counter[1].select;
}

static bool en_ignored(const struct pmu_intel *p, unsigned ctr, bool counts)
{
	return counts || (ctr < INTEL_GENERAL && p->counter[ctr].select &&
			  (!p->traits->version || p->global_ctrl & intel_bit(ctr)));
}

/* ---- addresses ---- */

static uint32_t pmc_1_is_pmc_0(const struct pmu_intel *p, uint32_t msr)
{
	(void)p;
	return msr == MSR_IA32_PMC + 1 || msr == MSR_IA32_A_PMC + 1 ? msr - 1 : msr;
}

static uint32_t evtsel_1_missing(const struct pmu_intel *p, uint32_t msr)
{
	(void)p;
	return msr == MSR_EVTSEL + 1 ? 0 : msr;
}

static uint32_t a_pmc_shifted(const struct pmu_intel *p, uint32_t msr)
{
	bool shifted = msr >= MSR_IA32_A_PMC && msr + 1 < MSR_IA32_A_PMC + p->traits->counters;

	return shifted ? msr + 1 : msr;
}

/* ---- RDPMC ---- */

static void rdpmc_drops_high_half(const struct pmu_intel *p, uint32_t index, unsigned cpl,
				  enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)cpl, (void)access;
	*value = (uint32_t)*value;
}

static void rdpmc_needs_no_pce(const struct pmu_intel *p, uint32_t index, unsigned cpl,
			       enum access *access, uint64_t *value)
{
	if (!cpl || index >= p->traits->counters)
		return;
	*access = ACCESS_DONE;
	*value = p->counter[index].value;
}

static void rdpmc_never_in_ring3(const struct pmu_intel *p, uint32_t index, unsigned cpl,
				 enum access *access, uint64_t *value)
{
	(void)p, (void)index, (void)value;
	if (cpl)
		*access = ACCESS_GP;
}

static void rdpmc_fixed_is_general(const struct pmu_intel *p, uint32_t index, unsigned cpl,
				   enum access *access, uint64_t *value)
{
	(void)cpl;
	if (*access == ACCESS_DONE && index >= RDPMC_FIXED)
		*value = p->counter[index - RDPMC_FIXED].value;
}

static void rdpmc_fixed_refused(const struct pmu_intel *p, uint32_t index, unsigned cpl,
				enum access *access, uint64_t *value)
{
	(void)p, (void)cpl, (void)value;
	if (index & RDPMC_FIXED)
		*access = ACCESS_GP;
}

static void rdpmc_fast_accepted(const struct pmu_intel *p, uint32_t index, unsigned cpl,
				enum access *access, uint64_t *value)
{
	(void)cpl;
	if (!(index & RDPMC_FAST) || (index & ~RDPMC_FAST) >= p->traits->counters)
		return;
	*access = ACCESS_DONE;
	*value = (uint32_t)p->counter[index & ~RDPMC_FAST].value;
}

static void rdpmc_wraps_index(const struct pmu_intel *p, uint32_t index, unsigned cpl,
			      enum access *access, uint64_t *value)
{
	(void)cpl;
	if (*access == ACCESS_DONE || index & (RDPMC_FIXED | RDPMC_FAST))
		return;
	*access = ACCESS_DONE;
	*value = p->counter[index % p->traits->counters].value;
}

#define MODEL_FULL_WIDTH (MODEL_SANDY | MODEL_V4)

const struct fault faults_intel_registers[] = {
	INTEL_FAULT(pmc_keeps_32_bits, MODEL_FULL_WIDTH, "intel.*.access.counter_width",
		    "a full-width write loads 32 bits", .keep = pmc_keeps_32_bits),
	INTEL_FAULT(pmc_keeps_40_bits, MODEL_FULL_WIDTH, "intel.*.access.counter_width",
		    "a full-width write loads 40 bits", .keep = pmc_keeps_40_bits),
	INTEL_FAULT(pmc_bit17_stuck, MODEL_INTEL, "intel.1.access.counter_bits",
		    "bit 17 of counter 1 is stuck at 0", .keep = pmc_bit17_stuck),
	INTEL_FAULT(carry_stops_at_32, MODEL_V2, "intel.*.overflow.width_boundary",
		    "a carry out of bit 31 is lost", .hold = carry_stops_at_32),
	INTEL_FAULT(full_counter_stays, MODEL_INTEL, "intel.*.count.wraps",
		    "a full counter stays full", .hold = full_counter_stays),
	INTEL_FAULT(legacy_write_zero_extends, MODEL_INTEL, "intel.*.access.legacy_write",
		    "a legacy write clears what is above bit 31",
		    .written = legacy_write_zero_extends),
	INTEL_FAULT(legacy_write_takes_edx, MODEL_INTEL, "intel.*.access.legacy_write",
		    "a legacy write loads what is in EDX", .keep = remember,
		    .written = legacy_write_takes_edx),
	INTEL_FAULT(full_width_write_extends_bit31, MODEL_FULL_WIDTH, "intel.*.access.counter_bits",
		    "a full-width write extends the sign of its low half",
		    .keep = full_width_write_extends_bit31),
	INTEL_FAULT(over_wide_accepted, MODEL_FULL_WIDTH, "intel.*.access.counter_width",
		    "a full-width write of too many bits is cut short",
		    .refused = over_wide_accepted, .keep = truncates),
	INTEL_FAULT(fixed_over_wide_accepted, MODEL_V2, "intel.*.access.counter_width",
		    "a write of too many bits to a fixed counter is cut short",
		    .refused = fixed_over_wide_accepted, .keep = truncates),
	INTEL_FAULT(evtsel_loses_inv, MODEL_INTEL, "intel.*.access.control_bits",
		    "INV of the select register cannot be set", .keep = evtsel_loses_inv),
	INTEL_FAULT(bv080_evtsel_reads_wrong, MODEL_SANDY | MODEL_ICELAKE,
		    "intel.4.access.control_bits",
		    "select registers 4 to 7 read other than written (errata BV080, BU081)",
		    .shown = bv080_evtsel_reads_wrong),
	INTEL_FAULT(evtsel_write_clears_pmc, MODEL_INTEL, "intel.*.count.select_keeps_count",
		    "a write to the select register clears the counter",
		    .written = evtsel_write_clears_pmc),
	INTEL_FAULT(af49_en0_acts_for_both, MODEL_CORE2, "intel.1.count.instructions",
		    "EN of counter 1 has no function (errata AE49, AN49, AF49)",
		    .counts = af49_en0_acts_for_both),
	INTEL_FAULT(p6_en0_only_counter0, MODEL_P6, "intel.1.count.instructions",
		    "EN of counter 0 does not start counter 1",
		    .shared_enable = p6_en0_only_counter0),
	INTEL_FAULT(p6_en0_never_stops_counter1, MODEL_P6, "intel.*.select.single_enable",
		    "EN of counter 0 does not stop counter 1",
		    .shared_enable = p6_en0_never_stops_counter1),
	INTEL_FAULT(en_ignored, MODEL_V2, "intel.*.global.gates_each", "EN has no effect",
		    .counts = en_ignored),
	INTEL_FAULT(pmc_1_is_pmc_0, MODEL_INTEL, "intel.*.access.no_aliasing",
		    "counters 0 and 1 are the same register", .address = pmc_1_is_pmc_0),
	INTEL_FAULT(evtsel_1_missing, MODEL_INTEL, "intel.1.access.registers_present",
		    "select register 1 faults", .address = evtsel_1_missing),
	INTEL_FAULT(a_pmc_shifted, MODEL_FULL_WIDTH, "intel.*.access.no_aliasing",
		    "the full-width name of a counter is that of the next one",
		    .address = a_pmc_shifted),
	INTEL_FAULT(rdpmc_drops_high_half, MODEL_V2, "intel.*.access.rdpmc_equals_rdmsr",
		    "RDPMC returns 32 bits", .rdpmc = rdpmc_drops_high_half),
	INTEL_FAULT(rdpmc_needs_no_pce, MODEL_INTEL, "intel.*.access.rdpmc_ring3",
		    "ring 3 may use RDPMC though CR4.PCE is clear", .rdpmc = rdpmc_needs_no_pce),
	INTEL_FAULT(rdpmc_never_in_ring3, MODEL_INTEL, "intel.*.access.rdpmc_ring3",
		    "RDPMC faults in ring 3 though CR4.PCE is set", .rdpmc = rdpmc_never_in_ring3),
	INTEL_FAULT(rdpmc_fixed_is_general, MODEL_V2, "intel.*.access.rdpmc_equals_rdmsr",
		    "RDPMC of a fixed counter returns the general one of its number",
		    .rdpmc = rdpmc_fixed_is_general),
	INTEL_FAULT(rdpmc_fixed_refused, MODEL_V2, "intel.*.access.rdpmc_equals_rdmsr",
		    "RDPMC of a fixed counter faults", .rdpmc = rdpmc_fixed_refused),
	INTEL_FAULT(rdpmc_fast_accepted, MODEL_V2, "intel.*.access.rdpmc_forms",
		    "RDPMC takes NetBurst's bit for a fast read", .rdpmc = rdpmc_fast_accepted),
	INTEL_FAULT(rdpmc_wraps_index, MODEL_INTEL, "intel.*.access.rdpmc_invalid_index",
		    "RDPMC of a counter that does not exist reads another",
		    .rdpmc = rdpmc_wraps_index),
	{0},
};
