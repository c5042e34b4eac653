/* SPDX-License-Identifier: BSD-2-Clause */
/* FORCE_OVF: every increment of a NetBurst counter is an overflow. */
#include "netburst.h"

#define GROUP "force_ovf", "ovf"
#define FORCE "SDM vol. 3B, 18.15: CCCR MSRs: FORCE_OVF"

/* Windows in ring 3, each with one event and time for its interrupt. */
#define WINDOWS 6u
/* Each interrupt taken in ring 3 makes one window more, and one event more where entries to ring 3
 * are counted: at so many interrupts the handler stops the counter. */
#define MOST 20u

/* One event in each window: the entry to ring 3, the return, the MMX instruction, the branch not
 * taken. */
static struct netburst_config one_event(unsigned ctr)
{
	struct netburst_config cfg = nb_event(ctr);

	cfg.compare = cfg.edge = nb_counts_clocks(ctr);
	if (cfg.event == NB_BRANCH_RETIRED)
		cfg.mask = 0x3; /* not taken: no far transfer is among them */
	return cfg;
}

static const struct payload *one_event_payload(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_FLAME ? &payload_spaced : &payload_straight;
}

static struct window forced(const struct run *t)
{
	struct window w = nb_window(t->counter, one_event(t->counter),
				    in_ring3(one_event_payload(t->counter), 1));

	nb(&w.c[0])->force_ovf = true;
	return w;
}

static uint64_t increments(struct run *t, struct window *w)
{
	window_program(t, w);
	window_open(t, w);
	for (unsigned i = 0; i < WINDOWS; i++) {
		work_do(&w->work);
		pmi_settle();
	}
	window_close(t, w);
	pmi_settle();
	return w->c[0].out - w->c[0].from;
}

/* One window after the other, each from OVF clear. */
static void check_each_sets_ovf(struct run *t)
{
	struct window w = forced(t);

	window_program(t, &w);
	window_open(t, &w);
	for (unsigned i = 0; i < WINDOWS; i++) {
		netburst_clear_ovf(t->pmu, t->counter);
		work_do(&w.work);
		CHECK(t, netburst_ovf(t->pmu, t->counter));
	}
	window_close(t, &w);
}

NB_COUNTER_TEST(every_increment, "with FORCE_OVF every increment sets OVF, and interrupts come",
		.clause = FORCE, .needs = PMU_INTERRUPT)
{
	struct window w = forced(t);
	uint64_t all;

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	t->log.most = MOST;
	nb(&w.c[0])->ovf_pmi = true;
	all = increments(t, &w);
	pmi_disarm(t);
	CHECK_IS(t, all, >=, WINDOWS);
	/* Not documented: whether the first increment interrupts, or as after any overflow only the
	 * next event; and whether the handler, as it clears OVF, takes back the interrupt that an
	 * increment has promised.  At worst every second one interrupts. */
	CHECK_IS(t, t->log.count, <=, all);
	CHECK_IS(t, t->log.count, >=, all / 2);
	check_each_sets_ovf(t);
}

NB_COUNTER_TEST(no_interrupt_without_pmi, "FORCE_OVF without OVF_PMI does not interrupt",
		.clause = FORCE, .needs = PMU_INTERRUPT)
{
	struct window w = forced(t);

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	t->log.most = MOST;
	CHECK_IS(t, increments(t, &w), >=, WINDOWS);
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, 0);
}

NB_COUNTER_TEST(sets_ovf,
		"with FORCE_OVF an increment sets OVF far from an overflow, and counts as ever",
		.clause = FORCE)
{
	struct window w = forced(t);
	uint64_t plain;

	w.c[0].from = 5;
	nb(&w.c[0])->force_ovf = false;
	plain = increments(t, &w);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
	nb(&w.c[0])->force_ovf = true;
	CHECK_EQ(t, increments(t, &w), plain);
	CHECK(t, netburst_ovf(t->pmu, t->counter));

	/* Enabled, but without an event. */
	window_program(t, &w);
	window_open(t, &w);
	window_close(t, &w);
	CHECK_EQ(t, w.c[0].out, 5);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
}
