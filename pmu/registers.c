/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of all PMUs, one by one: reads and writes. */
#include "pmu.h"

#define PCI_OFFSET         0xfffu
#define PCI_FUNCTION_SHIFT 12u

static uint16_t pci_function(struct pmu_reg reg)
{
	return (uint16_t)(reg.address >> PCI_FUNCTION_SHIFT);
}

static uint32_t pci_dword(const void *function, uint32_t offset)
{
	return pci_read(*(const uint16_t *)function, offset);
}

static uint64_t pci_get(struct pmu_reg reg)
{
	uint16_t function = pci_function(reg);
	uint32_t offset = reg.address & PCI_OFFSET;

	return reg.bytes == 8 ? pmu_read_split(pci_dword, &function, offset)
			      : pci_read(function, offset);
}

static void pci_put(struct pmu_reg reg, uint64_t value)
{
	uint16_t function = pci_function(reg);
	uint32_t offset = reg.address & PCI_OFFSET;

	pci_write(function, offset, (uint32_t)value);
	if (reg.bytes == 8)
		pci_write(function, offset + 4, (uint32_t)(value >> 32));
}

/* One access where a word of this program has 8 bytes: not each device takes two. */
static bool is_word(struct pmu_reg reg)
{
	return reg.bytes == sizeof(uintptr_t) && !reg.by_dwords;
}

static volatile uintptr_t *mmio_word(struct pmu_reg reg)
{
	return (volatile uintptr_t *)(uintptr_t)reg.address;
}

static volatile uint32_t *mmio_dword(struct pmu_reg reg, uint32_t offset)
{
	return (volatile uint32_t *)(uintptr_t)(reg.address + offset);
}

static uint32_t get_dword(const void *reg, uint32_t offset)
{
	return *mmio_dword(*(const struct pmu_reg *)reg, offset);
}

static uint64_t mmio_get(struct pmu_reg reg)
{
	if (is_word(reg))
		return *mmio_word(reg);
	return reg.bytes == 8 ? pmu_read_split(get_dword, &reg, 0) : get_dword(&reg, 0);
}

static void mmio_put(struct pmu_reg reg, uint64_t value)
{
	if (is_word(reg)) {
		*mmio_word(reg) = (uintptr_t)value;
		return;
	}
	*mmio_dword(reg, 0) = (uint32_t)value;
	if (reg.bytes == 8)
		*mmio_dword(reg, 4) = (uint32_t)(value >> 32);
}

uint64_t pmu_get(struct pmu_reg reg)
{
	uint64_t value = 0;

	switch (reg.space) {
	case REG_MSR:
		rdmsr_safe(pmu_number(reg), &value);
		return value;
	case REG_PCI:
		return pci_get(reg);
	case REG_MMIO:
		return mmio_get(reg);
	default:
		return 0;
	}
}

__attribute__((noinline)) static void put_elsewhere(struct pmu_reg reg, uint64_t value)
{
	if (reg.space == REG_PCI)
		pci_put(reg, value);
	else if (reg.space == REG_MMIO)
		mmio_put(reg, value);
}

void pmu_touch_all(const struct pmu *pmu)
{
	pmu->bank->touched = ~UINT64_C(0);
}

/* No bit that it holds and is to hold goes meanwhile. */
static void put_bit_by_bit(struct pmu_reg msr, uint64_t value)
{
	uint64_t held = pmu_get(msr) & value;

	wrmsr_safe(pmu_number(msr), held);
	for (uint64_t left = value & ~held; left; left &= left - 1) {
		held |= left & -left;
		wrmsr_safe(pmu_number(msr), held);
	}
}

void pmu_put(const struct pmu *pmu, struct pmu_reg reg, uint64_t value)
{
	pmu_touch(pmu, reg);
	if (reg.bit_by_bit)
		put_bit_by_bit(reg, value);
	else if (reg.space == REG_MSR)
		wrmsr_safe(pmu_number(reg), value);
	else
		put_elsewhere(reg, value);
}

const char *pmu_try(struct pmu_reg msr, uint64_t pattern)
{
	uint64_t old, back;

	if (rdmsr_safe(pmu_number(msr), &old) != FAULT_NONE)
		return "RDMSR of the first control register faults: no PMU behind CPUID";
	if (wrmsr_safe(pmu_number(msr), pattern) != FAULT_NONE)
		return "WRMSR of the first control register faults: no PMU behind CPUID";
	back = rdmsr(pmu_number(msr));
	wrmsr(pmu_number(msr), old);
	/* One bit is enough: the tests report those that are dead. */
	return back & pattern ? NULL
			      : "the first control register keeps no bit: no PMU behind CPUID";
}

static bool is_off(const struct pmu *pmu, unsigned ctr)
{
	uint64_t ctl;

	return rdmsr_safe(pmu_number(pmu->counter[ctr].ctl), &ctl) == FAULT_NONE &&
	       !(ctl & pmu->counter[ctr].enable);
}

bool pmu_has_gate(const struct pmu *pmu, struct pmu_reg gate)
{
	uint64_t value, off = 0;

	if (rdmsr_safe(pmu_number(gate), &value) != FAULT_NONE)
		return false;
	for (unsigned c = 0; c < pmu->counters; c++)
		if (is_off(pmu, c))
			off |= pmu_global_bit(pmu, c);
	return value || !off || !pmu_try(gate, off);
}

/* Canonical in every mode. */
#define SOME_ADDRESS FIELD(30, 6)

bool pmu_has_store(struct pmu_reg area, struct pmu_reg enable)
{
	uint64_t value;

	return rdmsr_safe(pmu_number(enable), &value) == FAULT_NONE &&
	       (value || !pmu_try(area, SOME_ADDRESS));
}

/* ---- a counter that may sleep ---- */

#define AWAKE_TRIES 4u /* what does not occur is not documented to be so */

static void put_awake(const struct pmu *pmu, const struct pmu_counter *c, uint64_t value)
{
	uint64_t ctl = pmu_get(c->ctl);

	for (unsigned i = 0; i < AWAKE_TRIES && pmu_get(c->ctr) != value; i++) {
		pmu_put(pmu, c->ctl, c->awake);
		pmu_put(pmu, c->ctr, value);
		pmu_put(pmu, c->ctl, ctl & ~c->enable);
	}
	pmu_put(pmu, c->ctl, ctl);
}

void pmu_put_counter(const struct pmu *pmu, const struct pmu_counter *c, uint64_t value)
{
	pmu_put(pmu, c->ctr, value);
	if (c->awake && pmu_get(c->ctr) != value)
		put_awake(pmu, c, value);
}

uint64_t pmu_watch(const struct pmu *pmu, unsigned ctr, const struct pmu_event *event)
{
	const struct pmu_counter *c = &pmu->counter[ctr];
	const struct pmu_reg gate = pmu->bank->gate;
	uint64_t select = pmu->counting->select_all(event);

	pmu_put(pmu, c->ctl, select);
	pmu_put(pmu, c->ctr, 0);
	if (gate.space != REG_NONE)
		pmu_put(pmu, gate, pmu_get(gate) | pmu_global_bit(pmu, ctr));
	pmu_put(pmu, c->ctl, select | c->enable);
	return pmu_get(c->ctl);
}

/* ---- counters ---- */

/* A core without a register that it should have is for the test to report, which ends with the
 * register's name; boxes may lack theirs. */
static bool must_be_there(const struct pmu *pmu, const struct pmu_reg *reg)
{
	return !pmu->ops->uncore && reg->space == REG_MSR;
}

static uint64_t get(const struct pmu *pmu, const struct pmu_reg *reg)
{
	return must_be_there(pmu, reg) ? rdmsr(pmu_number(*reg)) : pmu_get(*reg);
}

static void put(const struct pmu *pmu, const struct pmu_reg *reg, uint64_t value)
{
	if (must_be_there(pmu, reg))
		wrmsr(pmu_number(*reg), value);
	else
		pmu_put(pmu, *reg, value);
}

static void load(const struct pmu *pmu, const struct pmu_counter *c, uint64_t value)
{
	if (c->awake)
		pmu_put_counter(pmu, c, value);
	else
		put(pmu, &c->ctr, value);
}

/* The bits above the counter's width are not documented to read as 0 everywhere. */
uint64_t pmu_read(const struct pmu *pmu, unsigned ctr)
{
	return get(pmu, &pmu->counter[ctr].ctr) & pmu_mask(pmu, ctr);
}

void pmu_write(const struct pmu *pmu, unsigned ctr, uint64_t value)
{
	pmu_touch(pmu, pmu->counter[ctr].ctr);
	if (pmu->counter[ctr].zero_first)
		put(pmu, &pmu->counter[ctr].ctr, 0);
	load(pmu, &pmu->counter[ctr], value & pmu_mask(pmu, ctr));
}

static uint64_t with_enable(const struct pmu *pmu, const struct pmu_counter *c, bool on)
{
	uint64_t ctl = get(pmu, &c->ctl);

	return on ? ctl | c->enable : ctl & ~c->enable;
}

/* The controls of several counters are all read before the first one is written: so no more than
 * writes lies between their starts. */
static void write_several(const struct pmu *pmu, uint64_t ctrs, bool on)
{
	uint64_t ctl[PMU_COUNTERS_MAX];

	for (uint64_t left = ctrs; left; left &= left - 1)
		ctl[lowest_bit(left)] = with_enable(pmu, &pmu->counter[lowest_bit(left)], on);
	for (uint64_t left = ctrs; left; left &= left - 1)
		put(pmu, &pmu->counter[lowest_bit(left)].ctl, ctl[lowest_bit(left)]);
}

static void write_one(const struct pmu *pmu, const struct pmu_counter *c, bool on)
{
	put(pmu, &c->ctl, with_enable(pmu, c, on));
}

/* As short as can be: tests bound how long it takes. */
static void write_enables(const struct pmu *pmu, uint64_t ctrs, bool on)
{
	if (ctrs & (ctrs - 1))
		write_several(pmu, ctrs, on);
	else if (ctrs)
		write_one(pmu, &pmu->counter[lowest_bit(ctrs)], on);
}

void pmu_set_enables(const struct pmu *pmu, uint64_t ctrs)
{
	write_enables(pmu, ctrs, true);
}

void pmu_clear_enables(const struct pmu *pmu, uint64_t ctrs)
{
	write_enables(pmu, ctrs, false);
}

uint64_t pmu_overflowed(const struct pmu *pmu, uint64_t armed)
{
	uint64_t over = 0;

	if (pmu->counting->overflowed)
		return pmu->counting->overflowed(pmu, armed);
	for (uint64_t left = armed; left; left &= left - 1) {
		unsigned c = lowest_bit(left);

		if (!(pmu_read(pmu, c) & BIT(pmu->counter[c].width - 1)))
			over |= BIT(c);
	}
	return over;
}

uint64_t pmu_flagged(const struct pmu *pmu, uint64_t ctrs)
{
	return pmu->counting->flagged ? pmu->counting->flagged(pmu, ctrs) : 0;
}

void pmu_acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	if (pmu->counting->acknowledge)
		pmu->counting->acknowledge(pmu, ctrs);
}

void pmu_describe(const struct pmu *pmu, unsigned ctr)
{
	const struct pmu_counter *c = &pmu->counter[ctr];

	report_diag("%s counter %u: CTL[%llx] = %016llx, CTR[%llx] = %012llx", pmu->name, ctr,
		    (unsigned long long)c->ctl.address, (unsigned long long)pmu_get(c->ctl),
		    (unsigned long long)c->ctr.address, (unsigned long long)pmu_get(c->ctr));
	if (pmu->counting->describe)
		pmu->counting->describe(pmu, ctr);
}
