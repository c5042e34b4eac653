/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine with as many boxes as have room, and one with more: none is left out without a word. */
#include "check/fuzz/fake_machine.h"

#include "pmu/pmu.h"

#include "check/unit/tap.h"

enum { LARGE_ONES = PMU_STATE_WORDS / PMU_STATE_MOST };

static unsigned boxes;

static bool probe(struct pmu *pmu, const struct cpu_identity *cpu)
{
	(void)cpu;
	return pmu->instance < boxes;
}

static struct pmu_ops ops = {.name = "box", .probe = probe, .uncore = true};
PMU_DRIVER(ops);

static struct pmu_set set;

static bool finds(unsigned n, size_t state_size)
{
	boxes = n;
	ops.state_size = state_size;
	fake_begin(FAKE_FORGETFUL_MSRS);
	fake_leaf(0, 0, (struct cpuid_regs){.eax = 1});
	fake_leaf(1, 0, (struct cpuid_regs){.edx = CPUID_1_EDX_MSR});
	pmu_find_all(&set, true);
	return set.count == n && !set.crowded;
}

int main(void)
{
	OK(finds(0, 8) && finds(1, 8) && finds(PMUS_MAX, 8));
	OK(!finds(PMUS_MAX + 1, 8) && set.count == PMUS_MAX && set.crowded == &ops);
	OK(finds(LARGE_ONES, PMU_STATE_MOST * sizeof(uint64_t)));
	OK(!finds(LARGE_ONES + 1, PMU_STATE_MOST * sizeof(uint64_t)) && set.count == LARGE_ONES);
	OK(set.crowded == &ops);
	OK(finds(1, 8) && !set.crowded);
	return tap_end();
}
