/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters, P6 and architectural versions 1 to 6: what the ops do with registers. */
#include "intel.h"

static uint64_t flag(bool set, uint64_t field)
{
	return set ? field : 0;
}

/* No manual says what an edge without a threshold does.  Ours is the rise from no event to some. */
uint64_t intel_encode(const struct pmu *pmu, const struct pmu_config *cfg)
{
	const struct pmu_event *event = &pmu->events[cfg->event];
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;
	uint64_t ctl;

	if (cfg->edge && !threshold)
		threshold = 1;
	ctl = field_put(PERFEVTSEL_EVENT, event->code);
	ctl |= field_put(PERFEVTSEL_UMASK, event->unit_mask & 0xff);
	ctl |= field_put(PERFEVTSEL_UMASK2, event->unit_mask >> 8);
	ctl |= field_put(PERFEVTSEL_CMASK, threshold);
	ctl |= flag(cfg->user, PERFEVTSEL_USR) | flag(cfg->kernel, PERFEVTSEL_OS);
	ctl |= flag(cfg->edge, PERFEVTSEL_E) | flag(cfg->below, PERFEVTSEL_INV);
	return ctl | flag(cfg->interrupt, PERFEVTSEL_INT) | flag(cfg->pin_control, PERFEVTSEL_PC);
}

static const char *too_large(const struct pmu *pmu, const struct pmu_config *cfg)
{
	bool fits = cfg->at_least <= pmu->max_threshold && cfg->below <= pmu->max_threshold;

	return fits ? NULL : "threshold too large for CMASK";
}

/* ---- version 1: an enable bit each ---- */

static const char *program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const char *why = too_large(pmu, cfg);

	if (!why)
		wrmsr(MSR_IA32_PERFEVTSEL(ctr), intel_encode(pmu, cfg));
	return why;
}

const struct pmu_counting intel_counting = {
	.program = program,
	.start = pmu_set_enables,
	.stop = pmu_clear_enables,
};

/* ---- P6: one enable bit for both counters ---- */

/*
 * To stand still while the other counter runs, a counter must lose its privilege bits.  They wait
 * in the upper end of CMASK, which no threshold reaches (PARKED_THRESHOLD_MAX), so that the
 * register still holds the whole state.
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

static const char *program_single(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const char *why = too_large(pmu, cfg);
	uint64_t enable = ctr ? pmu->ctl_enable : rdmsr(MSR_IA32_PERFEVTSEL(0)) & PERFEVTSEL_EN;

	if (!why)
		wrmsr(MSR_IA32_PERFEVTSEL(ctr), parked(intel_encode(pmu, cfg)) | enable);
	return why;
}

/* Both start in the write of PERFEVTSEL0, unless one of them runs already. */
static void start_single(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t ctl[P6_COUNTERS];

	(void)pmu;
	for (unsigned i = 0; i < P6_COUNTERS; i++) {
		ctl[i] = rdmsr(MSR_IA32_PERFEVTSEL(i));
		if (ctrs & BIT(i))
			ctl[i] = unparked(ctl[i]);
	}
	wrmsr(MSR_IA32_PERFEVTSEL(1), ctl[1]);
	wrmsr(MSR_IA32_PERFEVTSEL(0), ctl[0] | PERFEVTSEL_EN);
}

static void stop_single(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t ctl[P6_COUNTERS];

	(void)pmu;
	for (unsigned i = 0; i < P6_COUNTERS; i++) {
		ctl[i] = rdmsr(MSR_IA32_PERFEVTSEL(i));
		if (ctrs & BIT(i))
			ctl[i] = parked(ctl[i]);
	}
	if (!((ctl[0] | ctl[1]) & PRIVILEGE))
		ctl[0] &= ~PERFEVTSEL_EN;
	wrmsr(MSR_IA32_PERFEVTSEL(0), ctl[0]);
	wrmsr(MSR_IA32_PERFEVTSEL(1), ctl[1]);
}

const struct pmu_counting intel_counting_single = {
	.program = program_single,
	.start = start_single,
	.stop = stop_single,
};

/* ---- version 2 and later: global registers ---- */

static void program_fixed(unsigned i, const struct pmu_config *cfg)
{
	uint64_t control = rdmsr(MSR_IA32_FIXED_CTR_CTRL) & ~FIXED_CTRL_FIELD(i);

	control |= flag(cfg->kernel, FIXED_CTRL_EN_OS(i)) | flag(cfg->user, FIXED_CTRL_EN_USR(i));
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, control | flag(cfg->interrupt, FIXED_CTRL_PMI(i)));
}

static void start_at_once(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_GLOBAL_CTRL, rdmsr(MSR_GLOBAL_CTRL) | pmu_global_bits(pmu, ctrs));
}

/* The erratum's workaround: both enables clear, the counter 0 once, and its own enables last.  So
 * it starts some instructions after the others, unless all wait for ring 3. */
static void start_fixed_0_last(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t control = rdmsr(MSR_IA32_FIXED_CTR_CTRL);
	unsigned fixed_0 = intel_general(pmu);

	wrmsr(MSR_IA32_FIXED_CTR_CTRL, control & ~FIXED_CTRL_FIELD(0));
	pmu_write(pmu, fixed_0, pmu_read(pmu, fixed_0)); /* zero_first */
	start_at_once(pmu, ctrs);
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, control);
}

static void start_global(const struct pmu *pmu, uint64_t ctrs)
{
	bool fixed_0 = ctrs & BIT(intel_general(pmu));

	if (fixed_0 && intel_fixed_0_last(pmu))
		start_fixed_0_last(pmu, ctrs);
	else
		start_at_once(pmu, ctrs);
}

static void stop_global(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_GLOBAL_CTRL, rdmsr(MSR_GLOBAL_CTRL) & ~pmu_global_bits(pmu, ctrs));
}

static const char *program_global(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const char *why = too_large(pmu, cfg);

	if (why)
		return why;
	stop_global(pmu, BIT(ctr));
	if (pmu->counter[ctr].fixed)
		program_fixed(intel_fixed_index(pmu, ctr), cfg);
	else
		wrmsr(pmu_number(pmu->counter[ctr].ctl), intel_encode(pmu, cfg) | PERFEVTSEL_EN);
	return NULL;
}

static uint64_t overflowed(const struct pmu *pmu, uint64_t armed)
{
	uint64_t status = rdmsr(MSR_GLOBAL_STATUS), over = 0;

	for (uint64_t left = armed; left; left &= left - 1)
		if (status & pmu_global_bit(pmu, lowest_bit(left)))
			over |= BIT(lowest_bit(left));
	return over;
}

static void acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_GLOBAL_OVF_CTRL, pmu_global_bits(pmu, ctrs));
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	(void)pmu;
	(void)ctr;
	report_diag("GLOBAL_CTRL = %016llx, GLOBAL_STATUS = %016llx",
		    (unsigned long long)rdmsr(MSR_GLOBAL_CTRL),
		    (unsigned long long)rdmsr(MSR_GLOBAL_STATUS));
}

const struct pmu_counting intel_counting_global = {
	.program = program_global,
	.start = start_global,
	.stop = stop_global,
	.overflowed = overflowed,
	.flagged = overflowed,
	.acknowledge = acknowledge,
	.describe = describe,
};

/* ---- the driver ---- */

/* Errata AAJ091, AAK100, BD53: until all these values, which count nothing, have been in selects
 * whose counters were enabled, a general counter may count clocks or nothing.  Linux,
 * intel_pmu_nhm_workaround(). */
static void start_nehalem(const struct pmu *pmu)
{
	static const uint32_t values[] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};

	for (unsigned i = 0; i < ARRAY_SIZE(values) && i < intel_general(pmu); i++) {
		pmu_put(pmu, pmu->counter[i].ctl, values[i]);
		pmu_put(pmu, pmu->counter[i].ctr, 0);
	}
	pmu_put(pmu, pmu_msr(MSR_GLOBAL_CTRL), FIELD(3, 0));
	pmu_put(pmu, pmu_msr(MSR_GLOBAL_CTRL), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(values) && i < intel_general(pmu); i++) {
		pmu_put(pmu, pmu->counter[i].ctl, 0);
		pmu_put(pmu, pmu->counter[i].ctr, 0);
	}
}

/* Counts are exact only without system management mode: freeze them there where that is possible.
 */
void intel_reset(const struct pmu *pmu)
{
	uint64_t status;

	pmu_reset_registers(pmu);
	if (intel(pmu)->cpu.part == INTEL_NEHALEM)
		start_nehalem(pmu);
	/* Erratum SKL179: else microcode uses counter 3 for transactions. */
	if (intel(pmu)->cpu.force_abort)
		pmu_put(pmu, pmu_msr(MSR_TSX_FORCE_ABORT), TSX_RTM_FORCE_ABORT);
	if (pmu->features & PMU_FREEZE_SMM)
		wrmsr_safe(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM);
	/* A bit that reads as set is implemented, so that writing it back does not fault. */
	if (pmu->features & PMU_GLOBAL && rdmsr_safe(MSR_GLOBAL_STATUS, &status) == FAULT_NONE)
		wrmsr_safe(MSR_GLOBAL_OVF_CTRL, status);
}
