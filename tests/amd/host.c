/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of hosts and of guests. */
#include "amd.h"

#define GROUP "select", "count"
#define BOTH  (PERF_CTL_HOST_ONLY | PERF_CTL_GUEST_ONLY)

/* The count of the counter under test with these bits set beside its event. */
static uint64_t count_with(struct run *t, uint64_t bits)
{
	struct window w = {
		.n = 1,
		.c = {{.ctr = t->counter, .cfg = in_all_rings(EV_INSTRUCTIONS), .extra = bits}},
		.work = in_ring0(&payload_straight, 10)};

	window_run(t, &w);
	return w.c[0].out;
}

/* KVM refuses these bits (kernels before 5.18), or accepts a write and drops them. */
static bool keeps_both(const struct run *t)
{
	uint32_t ctl = pmu_number(t->pmu->counter[t->counter].ctl);

	return wrmsr_safe(ctl, BOTH) == FAULT_NONE && (rdmsr(ctl) & BOTH) == BOTH;
}

TEST(host_guest, "while SVM is off, a counter of hosts or guests alone counts nothing",
     .clause = "AMD PPR, PERF_CTL: HostGuestOnly; Linux 1018faa6cf23", .needs = PMU_HOST_GUEST,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	SKIP_IF(t, rdmsr(MSR_EFER) & EFER_SVME, "SVM is on: then hosts count");
	SKIP_IF(t, !keeps_both(t), "HostOnly and GuestOnly cannot be set here");
	CHECK_IS(t, count_with(t, 0), >, 0);
	CHECK_EQ(t, count_with(t, PERF_CTL_HOST_ONLY), 0);
	CHECK_EQ(t, count_with(t, PERF_CTL_GUEST_ONLY), 0);
	CHECK_EQ(t, count_with(t, BOTH), 0);
}
