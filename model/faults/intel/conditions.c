/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that only counters of Intel's cores can be in, while something else is broken. */
#include "intel.h"

#define GLOBAL MODEL_V2

static bool is_fixed_running(const struct point *at)
{
	for (unsigned i = INTEL_GENERAL; i < INTEL_COUNTERS; i++)
		if (i != at->ctr && intel_runs(at->pmu, i))
			return true;
	return false;
}

static const struct intel_traits *of(const void *traits)
{
	return traits;
}

/* All bits if it may be any counter. */
static uint64_t bit_of(const struct pmu_register *reg)
{
	return reg->counter < 0 ? ~UINT64_C(0) : intel_bit((unsigned)reg->counter);
}

static bool is_general(unsigned ctr)
{
	return ctr < INTEL_GENERAL;
}

KIND_CONDITION(MODEL_LIONCOVE, renamed, "its select was written by its other name", t->renamed,
	       !reg->fixed && of(traits)->new_names && reg->counter < INTEL_OLD_NAMES);
KIND_CONDITION(GLOBAL, gated, "IA32_PERF_GLOBAL_CTRL keeps another counter from counting",
	       intel_counter_bits(intel(at)->traits) & ~intel(at)->global_ctrl, true);
KIND_CONDITION(GLOBAL, status_set, "IA32_PERF_GLOBAL_STATUS is not 0", intel(at)->status, true);
KIND_CONDITION(GLOBAL, other_fixed, "another counter runs that is fixed", is_fixed_running(at),
	       true);
KIND_CONDITION(GLOBAL, any_thread, "it counts both threads",
	       at->ctr < INTEL_COUNTERS && intel(at)->counted[at->ctr].any,
	       of(traits)->select_bits &SELECT_ANY);
KIND_CONDITION(GLOBAL, freezes, "FREEZE_PERFMON_ON_PMI is set",
	       intel(at)->debugctl &DEBUGCTL_FREEZE_PERFMON_ON_PMI,
	       of(traits)->debugctl_bits &DEBUGCTL_FREEZE_PERFMON_ON_PMI);
KIND_CONDITION(GLOBAL, lbr, "last branches are recorded", intel(at)->debugctl &DEBUGCTL_LBR,
	       of(traits)->debugctl_bits &DEBUGCTL_LBR);
KIND_CONDITION(GLOBAL, pebs, "PEBS records its event",
	       is_general(at->ctr) && intel(at)->pebs.enable & BIT(at->ctr),
	       !reg->fixed && of(traits)->pebs_counters & bit_of(reg));
KIND_CONDITION(GLOBAL, other_pebs, "PEBS records the event of another counter",
	       intel(at)->pebs.enable & ~intel_bit(at->ctr),
	       reg->counter < 0 || of(traits)->pebs_counters & ~bit_of(reg));
