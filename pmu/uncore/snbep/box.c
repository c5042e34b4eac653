/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of an uncore box of the Xeon E5-2600, wherever they are. */
#include <stddef.h>

#include "kernel/fault.h"
#include "kernel/pci.h"
#include "snbep.h"

/* The match and mask registers are in a function of their own, and they alone beyond 100h. */
static bool is_extended(uint32_t reg)
{
	return reg >= QPI_PKT_MATCH0;
}

static uint32_t get_pci(const void *arg, uint32_t reg)
{
	const struct snbep_box *box = arg;

	if (!is_extended(reg))
		return pci_read(box->function, reg);
	return box->match ? box->match[reg / sizeof(uint32_t)] : 0;
}

static void put_pci(const struct snbep_box *box, uint32_t reg, uint32_t value)
{
	if (!is_extended(reg))
		pci_write(box->function, reg, value);
	else if (box->match)
		box->match[reg / sizeof(uint32_t)] = value;
}

static uint64_t get_msr(uint32_t msr)
{
	uint64_t value;

	rdmsr_safe(msr, &value);
	return value;
}

uint32_t snbep_get(const struct pmu *pmu, uint32_t reg)
{
	const struct snbep_box *box = snbep_box(pmu);

	return box->kind->pci ? get_pci(box, reg) : (uint32_t)get_msr(reg);
}

uint64_t snbep_get_counter(const struct pmu *pmu, uint32_t reg)
{
	const struct snbep_box *box = snbep_box(pmu);

	return box->kind->pci ? snbep_read_split(get_pci, box, reg) : get_msr(reg);
}

/* By number of the box: written to since its last reset.  What firmware left is not ours. */
static bool clean[SNBEP_BOXES_MAX];

void snbep_put(const struct pmu *pmu, uint32_t reg, uint32_t value)
{
	const struct snbep_box *box = snbep_box(pmu);

	clean[pmu->instance] = false;
	if (box->kind->pci)
		put_pci(box, reg, value);
	else
		wrmsr_safe(reg, value);
}

void snbep_put_counter(const struct pmu *pmu, uint32_t reg, uint64_t value)
{
	const struct snbep_box *box = snbep_box(pmu);

	clean[pmu->instance] = false;
	if (!box->kind->pci) {
		wrmsr_safe(reg, value);
		return;
	}
	put_pci(box, reg, (uint32_t)value);
	put_pci(box, reg + 4, (uint32_t)(value >> 32));
}

bool snbep_is_clean(const struct pmu *pmu)
{
	return clean[pmu->instance];
}

void snbep_reset(const struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_freeze(pmu);
	for (unsigned c = 0; c < pmu->counters; c++)
		snbep_put(pmu, pmu->ctl_msr[c], 0);
	for (unsigned c = 0; c < pmu->counters; c++)
		snbep_put_counter(pmu, pmu->ctr_msr[c], 0);
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		snbep_put(pmu, snbep_reg(pmu, kind->filter[i].reg), 0);
	if (kind->fixed_ctl) {
		snbep_put(pmu, kind->fixed_ctl, 0);
		snbep_put_counter(pmu, kind->fixed_ctr, 0);
	}
	clean[pmu->instance] = true;
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
