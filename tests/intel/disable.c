/* SPDX-License-Identifier: BSD-2-Clause */
/* RDPMC user disable: a counter that ring 3 reads as 0, whatever CR4.PCE says. */
#include "intel.h"

#define GROUP "access", "alive"

ABSENT_UNLESS(none_is_hidden, intel(pmu)->cpu.user_disable,
	      "CPUID 23H tells of no counter that can be hidden from ring 3")

static uint64_t hiding_bit(const struct pmu *pmu, unsigned ctr)
{
	return pmu->counter[ctr].fixed ? FIXED_CTRL_RDPMC_USER_DISABLE(intel_fixed_index(pmu, ctr))
				       : PERFEVTSEL_RDPMC_USER_DISABLE;
}

static uint64_t read_in_ring3(const struct run *t)
{
	return user_call(user_rdpmc, t->pmu->counter[t->counter].rdpmc, NULL, 0);
}

static uint64_t read_in_ring0(const struct run *t)
{
	uint64_t value = 0;

	rdpmc_safe(t->pmu->counter[t->counter].rdpmc, &value);
	return value;
}

INTEL_TEST(hidden_from_user,
	   "ring 3 reads a counter that is hidden as 0, ring 0 reads its value, and it counts on",
	   .clause = "Intel ISE: RDPMC_USER_DISABLE; CPUID leaf 23H", .needs = PMU_PRIVILEGE,
	   .per_counter = true, .absent = none_is_hidden)
{
	const uint32_t ctl = pmu_number(t->pmu->counter[t->counter].ctl);
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .cfg = gated(first_event(t->pmu, t->counter)),
				  .extra = hiding_bit(t->pmu, t->counter)}},
			   .work = in_ring3(&payload_straight, 40)};

	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	window_run(t, &w);
	CHECK_IS(t, w.c[0].out, >, 0);
	wrmsr(ctl, rdmsr(ctl) | hiding_bit(t->pmu, t->counter));
	CHECK_EQ(t, read_in_ring3(t), 0);
	CHECK_EQ(t, read_in_ring0(t), w.c[0].out);
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), w.c[0].out);
	wrmsr(ctl, rdmsr(ctl) & ~hiding_bit(t->pmu, t->counter));
	CHECK_EQ(t, read_in_ring3(t), w.c[0].out);
}
