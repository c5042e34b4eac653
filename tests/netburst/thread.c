/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyper-Threading: which of the two logical processors of a core a counter sees. */
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/fault.h"
#include "kernel/trap.h"
#include "window.h"

#define GROUP   "thread"
#define THREADS "Intel SDM vol. 3B, 18.16: "

static struct netburst_config instructions(void)
{
	return (struct netburst_config){.event = NB_INSTR_RETIRED, .mask = 1, .user = true};
}

/* An interrupt for the other one, whose LVT entry firmware has left masked. */
static void check_interrupt(struct run *t, unsigned ctr)
{
	const uint64_t other = netburst(t->pmu)->thread ? CCCR_OVF_PMI_T0 : CCCR_OVF_PMI_T1;
	struct nb_counter c = {.ctr = ctr, .cfg = instructions(), .from = 0 - UINT64_C(2)};
	struct nb_pmis *pmis = nb_arm(t, false, PMI_STORM, VECTOR_PMI);

	nb_open(t, &c, 1);
	wrmsr(t->pmu->counter[ctr].ctl.address, rdmsr(t->pmu->counter[ctr].ctl.address) | other);
	nb_call(&payload_straight, 1);
	nb_close(t, &c, 1);
	nb_settle();
	CHECK(t, netburst_ovf(t->pmu, ctr));
	CHECK_EQ(t, pmis->count, 0);
}

/* Firmware keeps the other one in ring 0 all along, halted or not. */
TEST(other_processor,
     "flags of the other processor neither count what this one does nor interrupt it",
     .clause = THREADS "ESCR MSRs: T0_USR, T1_USR", .driver = &pmu_netburst,
     .needs = PMU_HT | PMU_INTERRUPT)
{
	struct nb_counter c = {.cfg = instructions()}, both;

	for (c.ctr = 12; c.ctr < NETBURST_COUNTERS; c.ctr++) {
		c.cfg = instructions();
		nb_measure(t, &c, 1, &payload_straight, 4);
		both = c;
		both.cfg.other_user = true;
		nb_measure(t, &both, 1, &payload_straight, 4);
		CHECK_EQ(t, both.out, c.out);
		c.cfg.user = false;
		c.cfg.other_user = true;
		nb_measure(t, &c, 1, &payload_straight, 4);
		CHECK_EQ(t, c.out, 0);
		check_interrupt(t, c.ctr);
	}
}

/* Clocks in which the other one was not halted. */
static uint64_t other_running(struct run *t)
{
	struct nb_counter c = {.ctr = 0, .cfg = nb_event(0)};

	c.cfg.user = false;
	c.cfg.other_user = c.cfg.other_kernel = true;
	nb_measure(t, &c, 1, &payload_straight, 20);
	return c.out;
}

enum role { ANY, BOTH, ONE, ROLES };

TEST(active_thread, "ACTIVE_THREAD counts while no, one, both or any of the processors is active",
     .clause = THREADS "CCCR MSRs: active thread", .driver = &pmu_netburst, .needs = PMU_HT)
{
	for (unsigned half = 0; half < 2; half++) {
		const unsigned ctr[2][ROLES] = {{12, 13, 16}, {14, 15, 17}};
		struct nb_counter c[ROLES];

		for (unsigned i = 0; i < ROLES; i++)
			c[i] = (struct nb_counter){.ctr = ctr[half][i], .cfg = instructions()};
		c[BOTH].cfg.active_thread = NB_BOTH_THREADS;
		c[ONE].cfg.active_thread = NB_ONE_THREAD;
		nb_measure(t, c, ROLES, &payload_straight, 20);
		/* This one is active, so the other one is not, or both are. */
		CHECK(t, c[ANY].out > 0);
		CHECK_EQ(t, c[ONE].out + c[BOTH].out, c[ANY].out);
		if (other_running(t))
			report_diag("the other processor is running: ONE and BOTH are not judged");
		else
			CHECK_EQ(t, c[BOTH].out, 0);

		c[ONE].cfg.active_thread = NB_NO_THREAD;
		nb_measure(t, c, ROLES, &payload_straight, 20);
		CHECK_EQ(t, c[ONE].out, 0);
	}
}
