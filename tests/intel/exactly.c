/* SPDX-License-Identifier: BSD-2-Clause */
/* EQ of an event select: clocks with exactly so many events. */
#include "intel.h"

#define GROUP "select", "count"

ABSENT_UNLESS(has_no_eq, intel(pmu)->cpu.eq, "CPUID 23H tells of no EQ in event selects")

/* As many as any core retires in a clock, and two more. */
#define MOST 10u

enum { EXACTLY, AT_LEAST, MORE, ROLES };

#define CMASK(threshold) field_put(PERFEVTSEL_CMASK, threshold)

static uint64_t check_exactly(struct run *t, unsigned n)
{
	const uint64_t select = select_of(t->pmu, EV_INSTRUCTIONS);
	struct window w = {.ops = &intel_selects,
			   .n = ROLES,
			   .c = {[EXACTLY] = {.select = select | CMASK(n) | PERFEVTSEL_EQ},
				 [AT_LEAST] = {.select = select | CMASK(n)},
				 [MORE] = {.select = select | CMASK(n + 1)}},
			   .work = in_ring0(&payload_bursts, 4)};

	for (unsigned role = 0; role < ROLES; role++)
		w.c[role].ctr = (t->counter + role) % intel_general(t->pmu);
	window_run(t, &w);
	CHECK_EQ(t, w.c[EXACTLY].out, w.c[AT_LEAST].out - w.c[MORE].out);
	return w.c[EXACTLY].out;
}

INTEL_TEST(exactly, "EQ with CMASK counts the clocks with that many events, and no other",
	   .clause = "SDM vol. 3B, 20.2.1: IA32_PERFEVTSELx.EQ; vol. 2, CPUID leaf 23H",
	   .needs = PMU_SELECT | PMU_ATOMIC_START | PMU_THRESHOLD, .min_counters = ROLES,
	   .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = has_no_eq)
{
	uint64_t clocks = 0;

	for (unsigned n = 1; n <= MOST; n++)
		clocks += check_exactly(t, n);
	CHECK_IS(t, clocks, >, 0);
}
