/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of an uncore box of the Xeon E5-2600, wherever they are. */
#include "snbep.h"

#define PCI_OFFSET 0xfffu

static struct pmu_reg place(const struct snbep_box *box, enum pmu_space space, uint32_t reg)
{
	uint32_t offset = reg & PCI_OFFSET;

	if (!box->kind->pci)
		return pmu_msr(reg);
	/* The match and mask registers are in a function of their own, and they alone beyond 100h.
	 */
	if (offset >= QPI_PKT_MATCH0)
		return (struct pmu_reg){.space = box->no_match ? REG_NONE : REG_MMIO,
					.address = box->match + offset};
	return (struct pmu_reg){.space = space, .address = (uint32_t)box->function << 12 | offset};
}

struct pmu_reg snbep_place(const struct snbep_box *box, uint32_t reg)
{
	return place(box, REG_PCI, reg);
}

struct pmu_reg snbep_place_counter(const struct snbep_box *box, uint32_t reg)
{
	return place(box, REG_PCI_64, reg);
}

uint32_t snbep_get(const struct pmu *pmu, uint32_t reg)
{
	return (uint32_t)pmu_get(snbep_place(snbep_box(pmu), reg));
}

uint64_t snbep_get_counter(const struct pmu *pmu, uint32_t reg)
{
	return pmu_get(snbep_place_counter(snbep_box(pmu), reg));
}

void snbep_put(const struct pmu *pmu, uint32_t reg, uint32_t value)
{
	pmu_put(pmu, snbep_place(snbep_box(pmu), reg), value);
}

void snbep_put_counter(const struct pmu *pmu, uint32_t reg, uint64_t value)
{
	pmu_put(pmu, snbep_place_counter(snbep_box(pmu), reg), value);
}

void snbep_reset(const struct pmu *pmu)
{
	pmu_reset_registers(pmu);
	pmu->bank->touched = false;
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
