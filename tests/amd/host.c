/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of hosts and of guests. */
#include "kernel/control.h"
#include "kernel/cpu.h"
#include "kernel/fault.h"
#include "kernel/user.h"
#include "pmu/amd/regs.h"
#include "tests/lib/laws.h"

#define GROUP "select"
#define BOTH  (PERF_CTL_HOST_ONLY | PERF_CTL_GUEST_ONLY)

/* What the counter under test counts with these bits set beside its event. */
static uint64_t count_with(struct run *t, uint64_t bits)
{
	const struct pmu_config cfg = {.event = EV_INSTRUCTIONS, .user = true, .kernel = true};
	uint32_t ctl = t->pmu->counter[t->counter].ctl.address;

	measure_program(t, t->counter, &cfg, 0);
	wrmsr(ctl, rdmsr(ctl) | bits);
	pmu_start(t->pmu, BIT(t->counter));
	payload_straight.entry(10, user_buffer());
	pmu_stop(t->pmu, BIT(t->counter));
	return pmu_read(t->pmu, t->counter);
}

TEST(host_guest, "while SVM is off, a counter of hosts or guests alone counts nothing",
     .clause = "AMD PPR, PERF_CTL: HostGuestOnly; Linux 1018faa6cf23", .needs = PMU_HOST_GUEST,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	SKIP_IF(t, rdmsr(MSR_EFER) & EFER_SVME, "SVM is on: then hosts count");
	SKIP_IF(t, wrmsr_safe(t->pmu->counter[t->counter].ctl.address, BOTH) != FAULT_NONE,
		"HostOnly and GuestOnly cannot be set here");
	CHECK(t, count_with(t, 0) > 0);
	CHECK_EQ(t, count_with(t, PERF_CTL_HOST_ONLY), 0);
	CHECK_EQ(t, count_with(t, PERF_CTL_GUEST_ONLY), 0);
	CHECK_EQ(t, count_with(t, BOTH), 0);
}
