/* SPDX-License-Identifier: BSD-2-Clause */
/* FORCE_OVF: every increment of a NetBurst counter is an overflow. */
#include "kernel/apic.h"
#include "kernel/trap.h"
#include "window.h"

#define GROUP "force_ovf"
#define FORCE "Intel SDM vol. 3B, 18.15: CCCR MSRs: FORCE_OVF"

/* Windows in ring 3, each with one event and time for its interrupt. */
#define WINDOWS 6u
/* An interrupt taken in ring 3 makes a window of its own, with an event of its own if it counts
 * entries: at so many the handler ends it. */
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

static uint64_t increments(struct run *t, bool force, bool ovf_pmi, uint64_t from)
{
	struct nb_counter c = {.ctr = t->counter, .cfg = one_event(t->counter), .from = from};

	c.cfg.force_ovf = force;
	c.cfg.ovf_pmi = ovf_pmi;
	nb_open(t, &c, 1);
	for (unsigned i = 0; i < WINDOWS; i++) {
		nb_call(one_event_payload(t->counter), 1);
		nb_settle();
	}
	nb_close(t, &c, 1);
	nb_settle();
	return c.out - from;
}

/* One window after the other, each from OVF clear. */
static void check_each_sets_ovf(struct run *t)
{
	struct nb_counter c = {.ctr = t->counter, .cfg = one_event(t->counter)};

	c.cfg.force_ovf = true;
	nb_open(t, &c, 1);
	for (unsigned i = 0; i < WINDOWS; i++) {
		netburst_clear_ovf(t->pmu, t->counter);
		nb_call(one_event_payload(t->counter), 1);
		CHECK(t, netburst_ovf(t->pmu, t->counter));
	}
	nb_close(t, &c, 1);
}

TEST(every_increment, "with FORCE_OVF every increment sets OVF, and interrupts come",
     .clause = FORCE, .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	struct nb_pmis *pmis = nb_arm(t, true, MOST, VECTOR_PMI);
	uint64_t all = increments(t, true, true, 0);

	CHECK(t, all >= WINDOWS);
	/* Not documented: whether the first increment interrupts, or as after any overflow only the
	 * next event; and whether the handler, as it clears OVF, takes back the interrupt that an
	 * increment has promised.  At worst every second one interrupts. */
	CHECK(t, pmis->count <= all && pmis->count >= all / 2);
	check_each_sets_ovf(t);
}

TEST(no_interrupt_without_pmi, "FORCE_OVF without OVF_PMI does not interrupt", .clause = FORCE,
     .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	struct nb_pmis *pmis = nb_arm(t, true, MOST, VECTOR_PMI);

	CHECK(t, increments(t, true, false, 0) >= WINDOWS);
	CHECK_EQ(t, pmis->count, 0);
}

TEST(sets_ovf, "with FORCE_OVF an increment sets OVF far from an overflow, and counts as ever",
     .clause = FORCE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_counter c = {.ctr = t->counter, .cfg = one_event(t->counter)};
	uint64_t plain = increments(t, false, false, 5);

	CHECK(t, !netburst_ovf(t->pmu, t->counter));
	CHECK_EQ(t, increments(t, true, false, 5), plain);
	CHECK(t, netburst_ovf(t->pmu, t->counter));

	/* Enabled, but without an event. */
	c.cfg.force_ovf = true;
	nb_open(t, &c, 1);
	nb_close(t, &c, 1);
	CHECK_EQ(t, c.out, 0);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
}
