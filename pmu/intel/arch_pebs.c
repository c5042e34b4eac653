/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: records in a buffer at a physical address, of what each counter asks for.
 * Linux, arch/x86/events/intel/ds.c: struct arch_pebs_header, and those that follow it. */
#include "intel.h"

/* Header, basic group, general registers. */
static const struct pmu_sample_layout layout = {
	INTEL_GPR_GROUP(0x40),      .size = 0xe0, .event_ip = 0x10, .counters = 0x18,
	.size_field = FIELD(15, 0),
};

/* ---- the buffer ---- */

/* The smallest one, a page.  One processor at a time is tested. */
static uint8_t buffer[INTEL_ARCH_BUFFER] __attribute__((aligned(INTEL_ARCH_BUFFER)));

/* Virtual addresses are physical ones. */
const uint8_t *intel_arch_pebs_open(uint64_t threshold)
{
	memset(buffer, 0, sizeof(buffer));
	wrmsr(MSR_IA32_PEBS_INDEX, 0);
	wrmsr(MSR_IA32_PEBS_BASE, (uintptr_t)buffer);
	wrmsr(MSR_IA32_PEBS_INDEX, PEBS_INDEX_EN | PEBS_INDEX_THRESH(threshold));
	return buffer;
}

uint64_t intel_arch_pebs_close(const struct pmu *pmu)
{
	uint64_t index;

	machine_delay_us(1);
	index = rdmsr(MSR_IA32_PEBS_INDEX);
	wrmsr(MSR_IA32_PEBS_INDEX, 0);
	for (unsigned c = 0; c < pmu->counters; c++)
		if (intel(pmu)->cpu.recorded & pmu_global_bit(pmu, c))
			pmu_put(pmu, intel_cfg_c(&pmu->counter[c]), 0);
	index &= PEBS_INDEX_WR;
	return index > sizeof(buffer) ? index : intel_arch_pebs_join(buffer, (size_t)index);
}

void intel_arch_pebs_ask(const struct pmu *pmu, unsigned ctr, uint64_t groups, uint64_t preset)
{
	pmu_put(pmu, intel_cfg_c(&pmu->counter[ctr]),
		CFG_C_RECORDS | groups | (preset & CFG_C_RELOAD));
}

/* ---- the facet ---- */

/* With room for more records than are asked for: the size of the buffer is no multiple of theirs.
 */
static void arm(const struct pmu *pmu, const struct pmu_sampling *what)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (what->counters >> c & 1)
			intel_arch_pebs_ask(pmu, c, CFG_C_GPRS, what->preset[c]);
	intel_arch_pebs_open(what->interrupt_at ? what->interrupt_at * layout.size
						: INTEL_ARCH_NO_THRESHOLD);
}

static bool acknowledge(const struct pmu *pmu)
{
	bool full = rdmsr(MSR_GLOBAL_STATUS) & GLOBAL_OVF_PEBS;

	(void)pmu;
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_OVF_PEBS);
	return full;
}

static struct pmu_sample take(const struct pmu *pmu, unsigned record)
{
	(void)pmu;
	return pmu_sample_at(&layout, buffer + record * layout.size);
}

/* Which events are precise is the same as with the debug store. */
const struct pmu_sampler *intel_arch_sampler(struct intel *intel)
{
	struct pmu_sampler *sampler = &intel->sampler;

	intel_sampler(intel);
	for (unsigned c = 0; c < intel->cpu.general; c++)
		if (!(intel->cpu.recorded >> intel->counter[c].global_bit & 1))
			sampler->counters &= ~BIT(c);
	sampler->arm = arm;
	sampler->disarm = intel_arch_pebs_close;
	sampler->acknowledge = acknowledge;
	sampler->take = take;
	pmu_store_adopt(&intel->store, &layout, sampler);
	return sampler;
}
