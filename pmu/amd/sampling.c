/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling: its two engines, as far as they are alike. */
#include "sampling.h"

#define FAMILY_BULLDOZER 0x15u

/* A tag that is under way may still become a sample: APM, and Linux, perf_ibs_stop(). */
enum { SETTLES_US = 50 };

static void stop(const struct ibs *state)
{
	const uint32_t ctl = state->engine->ctl;

	if (state->calms) {
		wrmsr_safe(ctl, state->calms);
		machine_delay_us(1);
	}
	wrmsr_safe(ctl, 0);
	for (unsigned i = 0; i < SETTLES_US; i++) {
		machine_delay_us(1);
		wrmsr_safe(ctl, 0);
	}
}

const char *ibs_refuses(const struct pmu_sampler *sampler, const struct pmu_sampling *what)
{
	if (!(sampler->periods & what->of))
		return "this engine does not count that";
	if (what->period < sampler->shortest || what->period > sampler->longest)
		return "the period is too short or too long for this engine";
	if (what->period % sampler->step)
		return "the period is no multiple of what its register holds";
	if (what->passed >= (sampler->presets ? what->period : 1) ||
	    (what->random && !sampler->randomizes) || (what->misses_only && !sampler->misses))
		return "this engine cannot begin like that";
	if (what->latency > sampler->latency_most ||
	    (what->latency && what->latency % sampler->latency_step))
		return "this engine does not filter by that latency";
	return NULL;
}

void ibs_arm(const struct pmu *pmu, const struct pmu_sampling *what)
{
	struct msr_switch by;

	if (!ibs(pmu)->sampler.prepare(pmu, what, &by))
		wrmsr(by.msr, by.on);
}

uint64_t ibs_finish(const struct pmu *pmu, const uint32_t *msrs, unsigned words)
{
	struct ibs *state = ibs(pmu);
	bool full = rdmsr(msrs[0]) & state->sampler.full;

	for (unsigned i = 0; i < words; i++)
		state->word[i] = full ? rdmsr(msrs[i]) : 0;
	if (full)
		wrmsr(msrs[0], 0);
	else
		stop(state);
	return full ? state->sampler.size : 0;
}

void ibs_reset(const struct pmu *pmu)
{
	const struct ibs *state = ibs(pmu);
	const unsigned entry = state->sampler.entry;

	if (pmu_get(pmu_msr(state->engine->ctl)))
		stop(state);
	pmu_reset_registers(pmu);
	if (state->clears)
		wrmsr_safe(state->clears, 0);
	if (entry)
		apic_write_extended(entry - 1, APIC_LVT_MASKED);
}

/* ---- the second control ---- */

static bool has_ctl2(const struct ibs *state)
{
	return state->features & CPUID_8000001B_EAX_DISABLE;
}

static bool is_running(const struct ibs *state)
{
	const struct ibs_engine *engine = state->engine;

	return pmu_get(pmu_msr(engine->ctl)) & engine->enable &&
	       !(has_ctl2(state) && pmu_get(pmu_msr(engine->ctl2)) & IBS_CTL2_DIS);
}

/* ---- the interrupt ---- */

/* Without Val firmware has set none up.  0: none is known, else its number and one more. */
static unsigned find_entry(void)
{
	uint64_t control, entry;

	if (rdmsr_safe(MSR_IBS_CONTROL, &control) != FAULT_NONE || !(control & IBS_LVT_OFFSET_VAL))
		return 0;
	entry = field_get(IBS_LVT_OFFSET, control);
	return apic_present() && entry < apic_extended_entries() ? (unsigned)entry + 1 : 0;
}

/* The record stays. */
static bool acknowledge(const struct pmu *pmu)
{
	return pmu_get(pmu_msr(ibs(pmu)->engine->ctl)) & ibs(pmu)->sampler.full;
}

void ibs_complete(struct pmu *pmu)
{
	const struct ibs *state = ibs(pmu);
	struct pmu_sampler *sampler = &ibs(pmu)->sampler;

	sampler->entry = find_entry();
	sampler->acknowledge = acknowledge;
	sampler->arm = ibs_arm;
	if (has_ctl2(state)) {
		sampler->stopper = state->engine->ctl2;
		sampler->stops = IBS_CTL2_DIS;
	}
}

/* ---- what there is ---- */

/* Of families 12h and 14h no model has been made. */
static bool is_driven(const struct amd_cpu *cpu)
{
	return cpu->family == 0x10 || cpu->family >= FAMILY_BULLDOZER;
}

static bool has(const struct cpu_identity *id, uint64_t features, struct ibs *state)
{
	struct amd_cpu cpu;

	if (!amd_identify(id, &cpu) || !is_driven(&cpu))
		return false;
	state->features = cpu.ibs;
	state->part = amd_part(cpu.family, cpu.model);
	state->of_10h = cpu.family == 0x10;
	state->of_kaveri = cpu.family > 0x15 || (cpu.family == 0x15 && cpu.model >= 0x30);
	return (cpu.ibs & features) == features;
}

/* What firmware has left is given back as it was read: a part of it is status, which ignores that.
 */
static void fill(struct pmu *pmu, struct ibs *state)
{
	const struct ibs_engine *engine = state->engine;

	/* It can stop the engine by itself, and goes back ahead of what would start it. */
	if (has_ctl2(state))
		state->shared[state->bank.shared_count++] = pmu_msr(engine->ctl2);
	state->shared[state->bank.shared_count++] = pmu_msr(engine->ctl);
	state->bank.shared = state->shared;
	state->bank.saved = state->saved;
	pmu->bank = &state->bank;
	pmu->sampler = &state->sampler;
	if (is_running(state))
		pmu->notes[0] = "it was sampling at entry, and will again at the end";
}

bool ibs_find(struct pmu *pmu, const struct cpu_identity *id, const struct ibs_engine *engine)
{
	struct ibs *state = pmu->state;

	if (!has(id, CPUID_8000001B_EAX_VALID | engine->feature, state))
		return false;
	pmu->silent = pmu_try(pmu_msr(engine->ctl), FIELD(15, 0));
	if (pmu->silent)
		return false;
	state->engine = engine;
	pmu->revision = id->signature;
	fill(pmu, state);
	return true;
}
