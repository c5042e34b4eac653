/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyper-Threading: which of the two logical processors of a core a counter sees. */
#include "netburst.h"

#define GROUP   "thread"
#define THREADS "Intel SDM vol. 3B, 18.16: "

static struct netburst_config instructions(void)
{
	return (struct netburst_config){.event = NB_INSTR_RETIRED, .mask = 1, .user = true};
}

/* An interrupt for the other one, whose LVT entry firmware has left masked. */
static void check_interrupt(struct run *t, unsigned ctr)
{
	struct window w = nb_window(ctr, instructions(), in_ring3(&payload_straight, 1));

	w.c[0].from = 0 - UINT64_C(2);
	w.c[0].extra = nb_interrupts(t, true);
	pmi_arm(t, VECTOR_PMI, BIT(ctr));
	window_run(t, &w);
	pmi_settle();
	CHECK(t, netburst_ovf(t->pmu, ctr));
	CHECK_EQ(t, t->log.count, 0);
}

/* Firmware keeps the other one in ring 0 all along, halted or not. */
NB_TEST(other_processor,
	"flags of the other processor neither count what this one does nor interrupt it",
	.clause = THREADS "ESCR MSRs: T0_USR, T1_USR", .needs = PMU_HT | PMU_INTERRUPT)
{
	struct netburst_config own = instructions(), both = own, other = own;
	const struct work work = in_ring3(&payload_straight, 4);

	both.other_user = true;
	other.user = false;
	other.other_user = true;
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		uint64_t counted = nb_count(t, ctr, own, work);

		CHECK_EQ(t, nb_count(t, ctr, both, work), counted);
		CHECK_EQ(t, nb_count(t, ctr, other, work), 0);
		check_interrupt(t, ctr);
	}
}

/* Clocks in which the other one was not halted. */
static uint64_t other_running(struct run *t)
{
	struct netburst_config cfg = nb_event(0);

	cfg.user = false;
	cfg.other_user = cfg.other_kernel = true;
	return nb_count(t, 0, cfg, in_ring3(&payload_straight, 20));
}

enum role { ANY, BOTH, ONE, ROLES };

NB_TEST(active_thread,
	"ACTIVE_THREAD counts while no, one, both or any of the processors is active",
	.clause = THREADS "CCCR MSRs: active thread", .needs = PMU_HT)
{
	for (unsigned half = 0; half < 2; half++) {
		const unsigned ctr[2][ROLES] = {{12, 13, 16}, {14, 15, 17}};
		struct window w = {NB_WINDOW, .n = ROLES, .work = in_ring3(&payload_straight, 20)};

		for (unsigned i = 0; i < ROLES; i++)
			w.c[i] = (struct slot){.ctr = ctr[half][i], .nb = instructions()};
		w.c[BOTH].nb.active_thread = NB_BOTH_THREADS;
		w.c[ONE].nb.active_thread = NB_ONE_THREAD;
		window_run(t, &w);
		/* This one is active, so the other one is not, or both are. */
		CHECK(t, w.c[ANY].out > 0);
		CHECK_EQ(t, w.c[ONE].out + w.c[BOTH].out, w.c[ANY].out);
		if (other_running(t))
			report_diag("the other processor is running: ONE and BOTH are not judged");
		else
			CHECK_EQ(t, w.c[BOTH].out, 0);

		w.c[ONE].nb.active_thread = NB_NO_THREAD;
		window_run(t, &w);
		CHECK_EQ(t, w.c[ONE].out, 0);
	}
}
