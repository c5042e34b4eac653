/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of hosts and of guests. */
#include "amd.h"

#include "kernel/svm/svm.h"

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

/* ---- while SVM is on ---- */

/* Instructions in the host alone, and in its guest alone. */
static struct {
	uint64_t host, guest;
	bool ended; /* each guest has */
} execute;

static void execute_both(void)
{
	kernel_call(payload_straight.entry, execute.host, user_buffer());
	execute.ended &= svm_call(payload_straight.entry, execute.guest, user_buffer());
}

static uint64_t count_both(struct run *t, uint64_t bits, bool kernel, uint64_t host, uint64_t guest)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .cfg = {.event = EV_INSTRUCTIONS, .user = true, .kernel = kernel},
				  .extra = bits}},
			   .work.act = execute_both};

	execute.host = host;
	execute.guest = guest;
	window_run(t, &w);
	return w.c[0].out;
}

/* More of one and of the other, with these bits, each of which counts where it should. */
static void check_more(struct run *t, uint64_t bits, bool in_host, bool in_guest)
{
	enum { N = 10, MORE = 3 };
	const uint64_t more = MORE * (uint64_t)payload_straight.per_iteration.instructions;
	uint64_t few = count_both(t, bits, true, N, N);

	CHECK_COUNT(t, count_both(t, bits, true, N + MORE, N) - few, in_host * more);
	CHECK_COUNT(t, count_both(t, bits, true, N, N + MORE) - few, in_guest * more);
	CHECK_COUNT(t, count_both(t, bits, false, N, N), 0);
}

TEST(hosts_and_guests, "a counter of hosts counts them alone, one of guests those, and both add up",
     .clause = "AMD64 APM vol. 2, 13.2.1: HG_ONLY; AMD PPR, PERF_CTL: HostGuestOnly",
     .needs = PMU_HOST_GUEST, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	enum { N = 10 };
	const char *why = svm_begin();
	uint64_t all;

	SKIP_IF(t, why, why);
	SKIP_IF(t, !keeps_both(t), "HostOnly and GuestOnly cannot be set here");
	SKIP_IF(t, !svm_call(payload_straight.entry, 1, user_buffer()),
		"VMRUN starts no guest here");
	execute.ended = true;
	check_more(t, 0, true, true);
	check_more(t, BOTH, true, true);
	check_more(t, PERF_CTL_HOST_ONLY, true, false);
	check_more(t, PERF_CTL_GUEST_ONLY, false, true);
	all = count_both(t, 0, true, N, N);
	CHECK_COUNT(t, count_both(t, BOTH, true, N, N), all);
	CHECK_COUNT(t,
		    count_both(t, PERF_CTL_HOST_ONLY, true, N, N) +
			    count_both(t, PERF_CTL_GUEST_ONLY, true, N, N),
		    all);
	CHECK(t, execute.ended);
}
