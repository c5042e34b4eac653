/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core PMUs: precise event-based sampling, and last-branch records. */
#include "intel.h"

/* ---- precise event-based sampling: SDM vol. 3B, 20.3.1.1, 20.9 ---- */

/* By PERF_CAPABILITIES.PEBS_FMT. */
static const struct pmu_sample_layout formats[] = {
	{.size = 0x90, PMU_STORE_REGISTERS},
	{.size = 0xb0, PMU_STORE_REGISTERS},
	{.size = 0xc0, PMU_STORE_REGISTERS, .event_ip = 0xb0},
	{.size = 0xc8, PMU_STORE_REGISTERS, .event_ip = 0xb0, .counters = 0x90},
};

bool intel_pebs_is_known(const struct intel *intel)
{
	return intel_pebs_is_adaptive(intel) || intel_pebs_format(intel) < ARRAY_SIZE(formats);
}

/* Two groups: the basic one, and the general registers. */
static const struct pmu_sample_layout adaptive = {
	INTEL_GPR_GROUP(0x20),       .size = 0xb0, .event_ip = 0x08, .counters = 0x10,
	.size_field = FIELD(63, 48),
};
#define RESET_FIXED       8u
#define RESET_FIXED_LATER 32u

static unsigned reset_slot(const struct pmu *pmu, unsigned ctr)
{
	const bool later = intel_pebs_format(intel(pmu)) >= PEBS_FMT_SLOTS;

	if (!pmu->counter[ctr].fixed)
		return intel_number(pmu, ctr);
	return (later ? RESET_FIXED_LATER : RESET_FIXED) + intel_fixed_index(pmu, ctr);
}

/* IA32_PEBS_ENABLE has the counters' bits of the global registers. */
static void arm(const struct pmu *pmu, const struct pmu_sampling *what)
{
	struct intel *state = pmu->state;

	pmu_store_prepare(&state->store, what);
	for (unsigned c = 0; c < pmu->counters; c++)
		if (what->counters >> c & 1)
			pmu_store_preset(&state->store, reset_slot(pmu, c), what->preset[c]);
	wrmsr(MSR_IA32_DS_AREA, (uintptr_t)state->store.area);
	if (intel_pebs_is_adaptive(state))
		wrmsr(MSR_PEBS_DATA_CFG, DATA_CFG_GPRS);
	wrmsr(MSR_PEBS_ENABLE, pmu_global_bits(pmu, what->counters));
}

/* A record may be late. */
static uint64_t disarm(const struct pmu *pmu)
{
	machine_delay_us(1);
	wrmsr(MSR_PEBS_ENABLE, 0);
	return pmu_store_written(&intel(pmu)->store);
}

static bool acknowledge(const struct pmu *pmu)
{
	bool full = rdmsr(MSR_GLOBAL_STATUS) & GLOBAL_OVF_DS_BUFFER;

	(void)pmu;
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_OVF_DS_BUFFER);
	return full;
}

static struct pmu_sample take(const struct pmu *pmu, unsigned record)
{
	return pmu_store_take(&intel(pmu)->store, record);
}

/* Whatever CPUID says of the generic event.  Stopped by the global register alone: a record may be
 * late. */
static void program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	uint64_t select = intel_encode(pmu, cfg) & ~(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK);

	select |= intel_precise_event(&intel(pmu)->cpu)->select | PERFEVTSEL_EN;
	select |= intel_pebs_is_adaptive(intel(pmu)) ? PERFEVTSEL_ADAPTIVE : 0;
	pmu_put(pmu, pmu->counter[ctr].ctl, select);
}

static unsigned event_of(const struct intel_precise *event)
{
	return !event->select ? EV_NONE : event->branches ? EV_BRANCHES : EV_INSTRUCTIONS;
}

/* Which address is whose, in adaptive records, the manual does not say. */
static void adopt(struct intel *intel)
{
	const uint64_t format = intel_pebs_format(intel);

	if (intel_pebs_is_adaptive(intel)) {
		pmu_store_adopt(&intel->store, &adaptive, &intel->sampler);
	} else if (intel_pebs_is_known(intel)) {
		pmu_store_adopt(&intel->store,
				format ? &formats[format] : pmu_store_layout(&formats[0]),
				&intel->sampler);
		intel->sampler.has |= SAMPLE_NEXT_IP;
	}
}

const struct pmu_sampler *intel_sampler(struct intel *intel)
{
	const struct intel_precise *event = intel_precise_event(&intel->cpu);

	intel->sampler = (struct pmu_sampler){
		.program = program,
		.event = event_of(event),
		.counters = event->counters & (BIT(intel->cpu.general) - 1),
		.late = intel_is(&intel->cpu, INTEL_PENTIUM_PRO, INTEL_ICELAKE),
		.arm = arm,
		.disarm = disarm,
		.acknowledge = acknowledge,
		.take = take,
	};
	adopt(intel);
	return &intel->sampler;
}

/* ---- last-branch records: SDM vol. 3B, 17.4, 17.7.2, 17.8, 17.9, 17.12 ---- */

#define DEBUGCTL_RECORDS (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI)

static uint64_t select_of(const struct pmu_branching *what)
{
	uint64_t left_out = ~what->kinds & field_max(LBR_SELECT_KINDS);

	return field_put(LBR_SELECT_KINDS, left_out) | (what->kernel ? 0 : LBR_SELECT_CPL_EQ_0) |
	       (what->user ? 0 : LBR_SELECT_CPL_NEQ_0) |
	       (what->call_stack ? LBR_SELECT_CALLSTACK : 0);
}

static const char *prepare(const struct pmu *pmu, const struct pmu_branching *what,
			   struct msr_switch *by)
{
	const struct intel_lbr *lbr = &intel(pmu)->lbr;
	const char *why = intel_lbr_refuses(lbr, what);

	if (why)
		return why;
	if (lbr->select)
		wrmsr(MSR_LBR_SELECT, select_of(what));
	by->msr = MSR_IA32_DEBUGCTL;
	by->off = rdmsr(by->msr) & ~DEBUGCTL_RECORDS;
	by->off |= what->stops_at_interrupt ? DEBUGCTL_FREEZE_LBRS_ON_PMI : 0;
	by->on = by->off | DEBUGCTL_LBR;
	return NULL;
}

static void stop(const struct pmu *pmu)
{
	wrmsr(MSR_IA32_DEBUGCTL, rdmsr(MSR_IA32_DEBUGCTL) & ~DEBUGCTL_RECORDS);
	if (intel(pmu)->lbr.select)
		wrmsr(MSR_LBR_SELECT, 0);
}

static void clear(const struct pmu *pmu)
{
	const struct intel_lbr *lbr = &intel(pmu)->lbr;

	for (unsigned i = 0; i < lbr->entries; i++) {
		wrmsr(lbr->from + i, 0);
		wrmsr(lbr->to + i, 0);
	}
}

/* Flags and clocks stand above an address. */
static uint64_t address(uint32_t msr)
{
	return (uint64_t)((int64_t)(rdmsr(msr) << 16) >> 16);
}

static struct pmu_branch read(const struct pmu *pmu, unsigned age)
{
	const struct intel_lbr *lbr = &intel(pmu)->lbr;
	unsigned slot = ((unsigned)rdmsr(MSR_LASTBRANCH_TOS) - age) & (lbr->entries - 1);

	return (struct pmu_branch){.from = address(lbr->from + slot),
				   .to = address(lbr->to + slot)};
}

const struct pmu_branches *intel_branches(struct intel *intel)
{
	const struct intel_lbr *lbr = &intel->lbr;

	intel->branches = (struct pmu_branches){
		.entries = lbr->entries,
		.filters = lbr->select ? (uint32_t)field_max(LBR_SELECT_KINDS) : 0,
		.rings = lbr->select,
		.call_stack = lbr->call_stack,
		.prepare = prepare,
		.stop = stop,
		.clear = clear,
		.read = read,
		.interrupts = true,
	};
	return &intel->branches;
}

/* ---- freezing: SDM vol. 3B, 17.4.7 ---- */

uint64_t intel_debugctl(void)
{
	return rdmsr(MSR_IA32_DEBUGCTL);
}

void intel_freeze_on_interrupt(bool freezes)
{
	uint64_t others = intel_debugctl() & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;

	wrmsr(MSR_IA32_DEBUGCTL, others | (freezes ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0));
}
