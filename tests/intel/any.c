/* SPDX-License-Identifier: BSD-2-Clause */
/* AnyThread, with the other thread of the core at work. */
#include "kernel/sibling.h"
#include "window.h"

#define GROUP      "any"

#define ITERATIONS UINT64_C(5000)

/* payload_chain waits for six multiplications and six additions an iteration.  This thread's clocks
 * on its way to HLT and back are a fraction of these; reference clocks may be fewer than clocks. */
#define CLOCKS   (12 * ITERATIONS)
#define FRACTION 4u

/* ANY of a counter that is programmed. */
static void set_any(const struct run *t, unsigned ctr)
{
	const unsigned fixed = t->pmu->counter[ctr].ctr.address - MSR_IA32_FIXED_CTR(0);

	if (ctr < intel_general(t->pmu))
		wrmsr(t->pmu->counter[ctr].ctl.address,
		      rdmsr(t->pmu->counter[ctr].ctl.address) | PERFEVTSEL_ANY);
	else
		wrmsr(MSR_IA32_FIXED_CTR_CTRL,
		      rdmsr(MSR_IA32_FIXED_CTR_CTRL) | FIXED_CTRL_ANY(fixed));
}

/* BJ091: of instructions it is wrong.  In both rings: BDD059. */
static bool program(struct run *t, unsigned ctr)
{
	struct pmu_config cfg = {.event = first_event(t->pmu, ctr), .user = true, .kernel = true};

	if (cfg.event == EV_INSTRUCTIONS && this_cpu().part == INTEL_SANDY_BRIDGE)
		return false;
	measure_program(t, ctr, &cfg, 0);
	t->programmed |= BIT(ctr);
	return true;
}

static void check(struct run *t, unsigned first, unsigned end, bool any)
{
	t->programmed = 0;
	for (unsigned c = first; c < end; c++)
		if (program(t, c) && any)
			set_any(t, c);
	pmu_start(t->pmu, t->programmed);
	sibling_call_halted(&(struct sibling_job){.entry = payload_chain.entry, .rdi = ITERATIONS});
	pmu_stop(t->pmu, t->programmed);
	for (unsigned c = first; c < end; c++)
		if (t->programmed >> c & 1)
			CHECK_EQ(t, pmu_read(t->pmu, c) >= CLOCKS / FRACTION, any);
}

INTEL_TEST(while_halted,
	   "with ANY a counter counts for the other thread of the core while this one is halted",
	   .clause = "Intel SDM vol. 3B, 20.2.3: AnyThread", .needs = PMU_GLOBAL | PMU_ANY_THREAD)
{
	test_start_sibling(t);
	for (unsigned any = 0; any < 2; any++) {
		check(t, 0, intel_general(t->pmu), any);
		check(t, intel_general(t->pmu), t->pmu->counters, any);
	}
}
