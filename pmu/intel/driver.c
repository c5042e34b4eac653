/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters, P6 and architectural versions 1 to 5: what the ops do with registers. */
#include "intel.h"

#include <stddef.h>

#include "kernel/console/report.h"
#include "kernel/fault.h"
#include "regs.h"

static bool is_fixed(const struct pmu *pmu, unsigned ctr)
{
	return pmu->fixed >> ctr & 1;
}

unsigned intel_fixed_index(const struct pmu *pmu, unsigned ctr)
{
	return pmu->ctr_msr[ctr] - MSR_IA32_FIXED_CTR(0);
}

uint64_t intel_global_bit(const struct pmu *pmu, unsigned ctr)
{
	return is_fixed(pmu, ctr) ? GLOBAL_FIXED(intel_fixed_index(pmu, ctr)) : BIT(ctr);
}

uint64_t intel_global_bits(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < pmu->counters; i++)
		if (ctrs & BIT(i))
			bits |= intel_global_bit(pmu, i);
	return bits;
}

/* ---- all registers ---- */

/* What belongs to no counter, in the order in which it may be put back.  Some exist on some parts
 * only: one that faults is left alone. */
static const struct {
	uint32_t msr;
	unsigned feature;
} shared[] = {
	{MSR_IA32_DS_AREA, PMU_PEBS}, {MSR_PEBS_DATA_CFG, PMU_PEBS},
	{MSR_PEBS_ENABLE, PMU_PEBS},  {MSR_LBR_SELECT, PMU_BRANCH_RECORDS},
	{MSR_IA32_DEBUGCTL, 0},
};

_Static_assert(PMU_SHARED_MAX >= 2 * ARRAY_SIZE(shared), "two halves each");

static bool has_shared(const struct pmu *pmu, size_t i)
{
	return !(shared[i].feature & ~pmu->features);
}

static bool enabled(const struct pmu *pmu, unsigned ctr, uint64_t ctl)
{
	if (!is_fixed(pmu, ctr))
		return ctl & PERFEVTSEL_EN;
	ctr = intel_fixed_index(pmu, ctr);
	return ctl & (FIXED_CTRL_EN_OS(ctr) | FIXED_CTRL_EN_USR(ctr));
}

/* The control register of a fixed counter is that of all of them. */
static void save(struct pmu *pmu)
{
	uint64_t value;

	pmu->saved_global = ~UINT64_C(0);
	if (pmu->features & PMU_GLOBAL)
		rdmsr_safe(MSR_GLOBAL_CTRL, &pmu->saved_global);
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		if (!has_shared(pmu, i))
			continue;
		rdmsr_safe(shared[i].msr, &value);
		pmu->saved_shared[2 * i] = (uint32_t)value;
		pmu->saved_shared[2 * i + 1] = (uint32_t)(value >> 32);
	}
	for (unsigned c = 0; c < pmu->counters; c++) {
		rdmsr_safe(pmu->ctl_msr[c], &pmu->saved_ctl[c]);
		rdmsr_safe(pmu->ctr_msr[c], &pmu->saved_ctr[c]);
		if (enabled(pmu, c, pmu->saved_ctl[c]) &&
		    pmu->saved_global & intel_global_bit(pmu, c))
			pmu->running_at_entry |= BIT(c);
	}
}

/* Exact counts want system management mode left out, where that can be had. */
static void reset(const struct pmu *pmu)
{
	uint64_t status;

	if (pmu->features & PMU_GLOBAL)
		wrmsr_safe(MSR_GLOBAL_CTRL, 0);
	for (unsigned c = 0; c < pmu->counters; c++)
		wrmsr_safe(pmu->ctl_msr[c], 0);
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++)
		if (has_shared(pmu, i))
			wrmsr_safe(shared[i].msr, 0);
	if (pmu->features & PMU_FREEZE_SMM)
		wrmsr_safe(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM);
	for (unsigned c = 0; c < pmu->counters; c++)
		wrmsr_safe(pmu->ctr_msr[c], 0);
	/* What reads as set is implemented, so writing it back faults nowhere. */
	if (pmu->features & PMU_GLOBAL && rdmsr_safe(MSR_GLOBAL_STATUS, &status) == FAULT_NONE)
		wrmsr_safe(MSR_GLOBAL_OVF_CTRL, status);
}

static void restore(const struct pmu *pmu)
{
	reset(pmu);
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++)
		if (has_shared(pmu, i))
			wrmsr_safe(shared[i].msr, (uint64_t)pmu->saved_shared[2 * i + 1] << 32 |
							  pmu->saved_shared[2 * i]);
	for (unsigned c = 0; c < pmu->counters; c++)
		wrmsr_safe(pmu->ctr_msr[c], pmu->saved_ctr[c]);
	/* PERFEVTSEL0 last: on P6 it starts both. */
	for (unsigned c = pmu->counters; c-- > 0;)
		wrmsr_safe(pmu->ctl_msr[c], pmu->saved_ctl[c]);
	if (pmu->features & PMU_GLOBAL)
		wrmsr_safe(MSR_GLOBAL_CTRL, pmu->saved_global);
}

/* ---- programming ---- */

static uint64_t flag(bool set, uint64_t field)
{
	return set ? field : 0;
}

static const char *impossible(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;

	if (!pmu->events[cfg->event].name)
		return "this PMU has no such event";
	if (!pmu_can_count(pmu, ctr, cfg->event))
		return "this counter cannot count the event";
	if (cfg->at_least && cfg->below)
		return "a counter compares one way only";
	if (threshold > pmu->max_threshold)
		return "threshold too large for CMASK";
	if (cfg->pin_control && !(pmu_features(pmu, ctr) & PMU_PIN_CONTROL))
		return "this counter has no pin control";
	if (is_fixed(pmu, ctr) && (threshold || cfg->edge))
		return "a fixed counter has neither threshold nor edge";
	return NULL;
}

static void program_fixed(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	unsigned i = intel_fixed_index(pmu, ctr);
	uint64_t control = rdmsr(MSR_IA32_FIXED_CTR_CTRL) & ~FIXED_CTRL_FIELD(i);

	control |= flag(cfg->kernel, FIXED_CTRL_EN_OS(i)) | flag(cfg->user, FIXED_CTRL_EN_USR(i));
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, control | flag(cfg->interrupt, FIXED_CTRL_PMI(i)));
}

/* What an edge without a threshold does is not documented: a rise from none to some is meant. */
static uint64_t encode(const struct pmu *pmu, const struct pmu_config *cfg)
{
	const struct pmu_event *event = &pmu->events[cfg->event];
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;
	uint64_t ctl;

	if (cfg->edge && !threshold)
		threshold = 1;
	ctl = field_put(PERFEVTSEL_EVENT, event->code);
	ctl |= field_put(PERFEVTSEL_UMASK, event->unit_mask);
	ctl |= field_put(PERFEVTSEL_CMASK, threshold);
	ctl |= flag(cfg->user, PERFEVTSEL_USR) | flag(cfg->kernel, PERFEVTSEL_OS);
	ctl |= flag(cfg->edge, PERFEVTSEL_E) | flag(cfg->below, PERFEVTSEL_INV);
	return ctl | flag(cfg->interrupt, PERFEVTSEL_INT) | flag(cfg->pin_control, PERFEVTSEL_PC);
}

/*
 * P6 has one enable bit for both counters, so that one which is to stand still while the other runs
 * must be without its privilege bits.  They wait in the upper end of CMASK, where no threshold
 * reaches (PARKED_THRESHOLD_MAX): the register remains all the state there is.
 */
#define PRIVILEGE    (PERFEVTSEL_USR | PERFEVTSEL_OS)
#define PARKED_SHIFT 14u

_Static_assert((PRIVILEGE << PARKED_SHIFT) == (PERFEVTSEL_CMASK & ~FIELD(29, 24)), "upper end");

static uint64_t parked(uint64_t ctl)
{
	return (ctl & ~PRIVILEGE) | (ctl & PRIVILEGE) << PARKED_SHIFT;
}

static uint64_t unparked(uint64_t ctl)
{
	const uint64_t waiting = PRIVILEGE << PARKED_SHIFT;

	return (ctl & ~waiting) | (ctl & waiting) >> PARKED_SHIFT;
}

static const char *program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const char *why = impossible(pmu, ctr, cfg);
	uint64_t ctl;

	if (why)
		return why;
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, rdmsr(MSR_GLOBAL_CTRL) & ~intel_global_bit(pmu, ctr));
	if (is_fixed(pmu, ctr)) {
		program_fixed(pmu, ctr, cfg);
		return NULL;
	}
	ctl = encode(pmu, cfg);
	if (pmu->features & PMU_GLOBAL)
		ctl |= PERFEVTSEL_EN;
	if (pmu->features & PMU_SINGLE_ENABLE) {
		ctl = parked(ctl) | (ctr ? pmu->ctl_enable : 0);
		if (!ctr)
			ctl |= rdmsr(pmu->ctl_msr[0]) & PERFEVTSEL_EN;
	}
	wrmsr(pmu->ctl_msr[ctr], ctl);
	return NULL;
}

/* ---- starting and stopping ---- */

/* Both in the write of PERFEVTSEL0, unless one of them runs already. */
static void start_single(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t ctl[P6_COUNTERS];

	for (unsigned i = 0; i < P6_COUNTERS; i++) {
		ctl[i] = rdmsr(pmu->ctl_msr[i]);
		if (ctrs & BIT(i))
			ctl[i] = unparked(ctl[i]);
	}
	wrmsr(pmu->ctl_msr[1], ctl[1]);
	wrmsr(pmu->ctl_msr[0], ctl[0] | PERFEVTSEL_EN);
}

static void stop_single(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t ctl[P6_COUNTERS];

	for (unsigned i = 0; i < P6_COUNTERS; i++) {
		ctl[i] = rdmsr(pmu->ctl_msr[i]);
		if (ctrs & BIT(i))
			ctl[i] = parked(ctl[i]);
	}
	if (!((ctl[0] | ctl[1]) & PRIVILEGE))
		ctl[0] &= ~PERFEVTSEL_EN;
	wrmsr(pmu->ctl_msr[0], ctl[0]);
	wrmsr(pmu->ctl_msr[1], ctl[1]);
}

/* Version 1: an enable bit each. */
static void set_enables(const struct pmu *pmu, uint64_t ctrs, uint64_t enable)
{
	uint64_t ctl[PMU_COUNTERS_MAX];

	for (unsigned i = 0; i < pmu->counters; i++)
		ctl[i] = (rdmsr(pmu->ctl_msr[i]) & ~PERFEVTSEL_EN) | enable;
	for (unsigned i = 0; i < pmu->counters; i++)
		if (ctrs & BIT(i))
			wrmsr(pmu->ctl_msr[i], ctl[i]);
}

static void start(const struct pmu *pmu, uint64_t ctrs)
{
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, rdmsr(MSR_GLOBAL_CTRL) | intel_global_bits(pmu, ctrs));
	else if (pmu->features & PMU_SINGLE_ENABLE)
		start_single(pmu, ctrs);
	else
		set_enables(pmu, ctrs, PERFEVTSEL_EN);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, rdmsr(MSR_GLOBAL_CTRL) & ~intel_global_bits(pmu, ctrs));
	else if (pmu->features & PMU_SINGLE_ENABLE)
		stop_single(pmu, ctrs);
	else
		set_enables(pmu, ctrs, 0);
}

/* ---- counters ---- */

static uint64_t read(const struct pmu *pmu, unsigned ctr)
{
	return rdmsr(pmu->ctr_msr[ctr]) & pmu_mask(pmu);
}

/* Errata BJ054, BV036: a write to a fixed counter about to overflow is corrupted, of 0 is not. */
static void write(const struct pmu *pmu, unsigned ctr, uint64_t value)
{
	if (is_fixed(pmu, ctr))
		wrmsr(pmu->ctr_msr[ctr], 0);
	wrmsr(pmu->ctr_msr[ctr], value & pmu_mask(pmu));
}

/* Without a status register: armed with its top bit set, it has overflowed when that is clear. */
static uint64_t overflowed(const struct pmu *pmu, uint64_t armed)
{
	bool global = pmu->features & PMU_GLOBAL;
	uint64_t status = global ? rdmsr(MSR_GLOBAL_STATUS) : 0, over = 0;

	for (unsigned i = 0; i < pmu->counters; i++)
		if (armed & BIT(i) && (global ? (status & intel_global_bit(pmu, i)) != 0
					      : !(read(pmu, i) & BIT(pmu->width - 1))))
			over |= BIT(i);
	return over;
}

static void acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_OVF_CTRL, intel_global_bits(pmu, ctrs));
}

static uint32_t rdpmc_index(const struct pmu *pmu, unsigned ctr)
{
	return is_fixed(pmu, ctr) ? RDPMC_FIXED | intel_fixed_index(pmu, ctr) : ctr;
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	report_diag("counter %u: CTL[%x] = %016llx, CTR[%x] = %012llx", ctr, pmu->ctl_msr[ctr],
		    (unsigned long long)rdmsr(pmu->ctl_msr[ctr]), pmu->ctr_msr[ctr],
		    (unsigned long long)rdmsr(pmu->ctr_msr[ctr]));
	if (pmu->features & PMU_GLOBAL)
		report_diag("GLOBAL_CTRL = %016llx, GLOBAL_STATUS = %016llx",
			    (unsigned long long)rdmsr(MSR_GLOBAL_CTRL),
			    (unsigned long long)rdmsr(MSR_GLOBAL_STATUS));
}

const struct pmu_ops pmu_intel = {
	.name = "intel",
	.title = "Intel core counters",
	.manual = "Intel SDM vol. 3B, 20.1 to 20.6",
	.processors =
		"Intel from the Pentium Pro on, by CPUID 0AH version 1 to 5, but for family 0Fh",
	.probe = intel_probe,
	.save = save,
	.restore = restore,
	.reset = reset,
	.program = program,
	.conflict = NULL,
	.start = start,
	.stop = stop,
	.read = read,
	.write = write,
	.overflowed = overflowed,
	.acknowledge = acknowledge,
	.rdpmc_index = rdpmc_index,
	.describe = describe,
	.report_errata = intel_report_errata,
};
