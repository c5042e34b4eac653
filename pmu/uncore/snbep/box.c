/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of an uncore box of the Xeon E5-2600, wherever they are. */
#include "snbep.h"

#define PCI_OFFSET 0xfffu

/* Counters of a PCI function have two dwords each; all lie below its controls. */
static uint8_t bytes_at(uint32_t offset)
{
	return offset >= PCI_PMON_CTR(0) && offset < PCI_PMON_CTL(0) ? 8 : 4;
}

struct pmu_reg snbep_place(const struct snbep_box *box, uint32_t reg)
{
	uint32_t offset = reg & PCI_OFFSET;

	if (!box->kind->pci)
		return pmu_msr(reg);
	/* The match and mask registers are in a function of their own, and they alone beyond 100h.
	 */
	if (offset >= QPI_PKT_MATCH0)
		return (struct pmu_reg){.space = box->no_match ? REG_NONE : REG_MMIO,
					.address = box->match + offset,
					.bytes = 4};
	return (struct pmu_reg){.space = REG_PCI,
				.address = (uint32_t)box->function << 12 | offset,
				.bytes = bytes_at(offset)};
}

uint64_t snbep_get(const struct pmu *pmu, uint32_t reg)
{
	return pmu_get(snbep_place(snbep_box(pmu), reg));
}

void snbep_put(const struct pmu *pmu, uint32_t reg, uint64_t value)
{
	pmu_put(pmu, snbep_place(snbep_box(pmu), reg), value);
}

/* The fixed counter counts as soon as its control is written to. */
void snbep_reset(const struct pmu *pmu)
{
	const struct snbep_box *box = snbep_box(pmu);
	uint64_t ctl = pmu_touch_bit(snbep_place(box, box->kind->fixed_ctl));

	if (box->kind->fixed_ctl && pmu->bank->touched & ctl)
		pmu_touch(pmu, snbep_place(box, box->kind->fixed_ctr));
	pmu_reset_touched(pmu);
}

static void put_box_ctl(const struct pmu *pmu, uint32_t value)
{
	if (snbep_box(pmu)->kind->box_ctl)
		snbep_put(pmu, snbep_reg(pmu, snbep_box(pmu)->kind->box_ctl), value);
}

void snbep_freeze(const struct pmu *pmu)
{
	put_box_ctl(pmu, BOX_CTL_STOP);
}

void snbep_run(const struct pmu *pmu)
{
	put_box_ctl(pmu, BOX_CTL_RUN);
}

void snbep_prefetchers(bool on)
{
	static uint64_t found;
	static bool off;

	if (!on && !off && rdmsr_safe(MSR_MISC_FEATURE_CONTROL, &found) == FAULT_NONE)
		off = wrmsr_safe(MSR_MISC_FEATURE_CONTROL, found | PREFETCHERS_OFF) == FAULT_NONE;
	if (on && off)
		off = wrmsr_safe(MSR_MISC_FEATURE_CONTROL, found) != FAULT_NONE;
}
