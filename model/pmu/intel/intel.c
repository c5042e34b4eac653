/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel core PMU as a PMU of a profile. */
#include "intel.h"

#define RETIRED_INSTRUCTIONS field_put(SELECT_CODE, 0x00c0)
#define ALL_FIXED            UINT64_C(0x3333)

_Static_assert(sizeof(struct pmu_intel) <= CORE_PMU_STATE, "fits its room");

/* Bit 31, the fast read of NetBurst, is no index here. */
static int indexed(const void *pmu, uint32_t index)
{
	const struct intel_traits *traits = ((const struct pmu_intel *)pmu)->traits;
	const uint32_t fixed = UINT32_C(0x40000000);

	if (index < traits->counters)
		return (int)index;
	return index - fixed < traits->fixed ? (int)(INTEL_GENERAL + index - fixed) : -1;
}

static const struct core_kind kind = {
	.faults_elsewhere = true,
	.masks_lvt = true,
	.cells = BIT(INTEL_PMC) | BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR),
	.decode = intel_decode_register,
	.get = intel_get,
	.refuses = intel_refuses,
	.keeps = intel_keeps,
	.put = intel_put,
	.indexed = indexed,
	.runs = intel_runs,
};

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_intel *p = pmu;

	core_begin(&p->core, sizeof(*p), &kind, fault);
	p->traits = traits;
	p->core.count = p->traits->counters;
	p->core.present = (uint32_t)(BIT(p->traits->counters) - 1) |
			  (uint32_t)((BIT(p->traits->fixed) - 1) << INTEL_GENERAL);
	p->core.mask = BIT(p->traits->width) - 1;
	intel_lay_out(p);
	for (unsigned i = 0; i < p->traits->counters; i++)
		intel_write_select(p, i, 0);
	intel_write_fixed_ctrl(p, 0);
	p->global_ctrl = p->traits->global_ctrl;
	p->capabilities = p->traits->capabilities;
	p->misc_enable = MISC_PERFMON | MISC_BTS_UNAVAILABLE |
			 (p->traits->pebs_counters ? 0 : MISC_PEBS_UNAVAILABLE) | BIT(0);
	core_update_running(&p->core);
}

static bool counting(const void *pmu)
{
	return intel_runs(pmu, INTEL_LBR) || core_counting(pmu);
}

static void count_smi(void *pmu)
{
	struct pmu_intel *p = pmu;

	p->smi_count++;
}

/* The counters by the names that load all of their bits, where there are two. */
static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct pmu_intel *p = pmu;
	const struct {
		enum intel_kind kind;
		int counter;
		bool cells;
		uint64_t runs;
	} rows[] = {
		{INTEL_EVTSEL, 0, false, SELECT_USR | SELECT_OS | SELECT_EN | RETIRED_INSTRUCTIONS},
		{p->range[INTEL_A_PMC].count ? INTEL_A_PMC : INTEL_PMC, 0, true, 0},
		{INTEL_FIXED_CTR, INTEL_GENERAL, true, 0},
		{INTEL_FIXED_CTR_CTRL, -1, false, ALL_FIXED & (BIT(4 * p->traits->fixed) - 1)},
		{INTEL_GLOBAL_CTRL, -1, false, intel_counter_bits(p->traits)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct intel_range *range = &p->range[rows[i].kind];

		if (index < range->count) {
			*reg = (struct pmu_register){
				.address = range->first + index,
				.neighbour = range->first + (index + 1) % range->count,
				.counter = rows[i].counter < 0 ? -1 : rows[i].counter + (int)index,
				.cells = rows[i].cells,
				.bits = rows[i].cells ? p->core.mask : range->writable,
				.runs = rows[i].runs,
				.interrupts = SELECT_INT,
			};
			return true;
		}
		index -= range->count;
	}
	return false;
}

const struct pmu_ops pmu_intel_ops = {
	.reset = reset,
	.rdmsr = core_rdmsr,
	.wrmsr = core_wrmsr,
	.rdpmc = core_rdpmc,
	.counting = counting,
	.clock = intel_clock,
	.masks_lvt = core_masks_lvt,
	.register_at = register_at,
	.unseen = intel_unseen,
	.cell = core_cell,
	.enabled = core_enabled,
	.branched = intel_branched,
	.precise = intel_precise,
	.wants_assist = intel_wants_assist,
	.assist = intel_assist,
	.counts_tsc = intel_counts_tsc,
	.tsc_ticks = intel_tsc_ticks,
	.smi = count_smi,
};
