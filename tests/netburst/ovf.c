/* SPDX-License-Identifier: BSD-2-Clause */
/* The sticky OVF flag of a NetBurst counter, and the interrupt that follows it. */
#include "netburst.h"

#define GROUP     "ovf"
#define OVF       "Intel SDM vol. 3B, 18.15: CCCR MSRs: OVF"
#define INTERRUPT "Intel SDM vol. 3B, 18.15: Generating an Interrupt on Overflow"

enum { WHOLE, TESTED, PAIR };

/* The counter under test, from -n, beside one that sees it all from 0. */
static struct window measure_pair(struct run *t, uint64_t n, bool ovf_pmi)
{
	struct window w = {
		NB_WINDOW,
		.n = PAIR,
		.c = {[WHOLE] = {.ctr = nb_third(t->counter, t->counter),
				 .nb = nb_event(t->counter)},
		      [TESTED] = {.ctr = t->counter, .nb = nb_event(t->counter), .from = 0 - n}},
		.work = in_ring3(&payload_spaced, 4),
	};

	w.c[TESTED].nb.ovf_pmi = ovf_pmi;
	window_run(t, &w);
	return w;
}

/* The counter under test once more as it is programmed, from -n. */
static void run_on(struct run *t, uint64_t n)
{
	struct window w = nb_window(t->counter, nb_event(t->counter), in_ring3(&payload_spaced, 4));

	w.c[0].from = 0 - n;
	window_again(t, &w);
}

NB_COUNTER_TEST(
	sticky,
	"OVF is set by an overflow and by nothing else, and stays; the count goes on from 0",
	.clause = OVF)
{
	struct window w;

	measure_pair(t, 1u << 30, false);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
	w = measure_pair(t, 2, false);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
	CHECK_EQ(t, w.c[TESTED].out, w.c[WHOLE].out - 2);
	run_on(t, 1u << 30);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
	run_on(t, 2);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

static void check_write(struct run *t, uint64_t keep, bool ovf)
{
	uint32_t cccr = t->pmu->counter[t->counter].ctl.address;
	struct window w = measure_pair(t, 2, false);

	wrmsr(cccr, rdmsr(cccr) & keep);
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter), ovf);
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), w.c[TESTED].out);
	run_on(t, 2);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

NB_COUNTER_TEST(cleared_by_writing, "writing the CCCR with OVF 0 clears it until the next overflow",
		.clause = OVF)
{
	check_write(t, ~CCCR_OVF, false);
}

NB_COUNTER_TEST(write_back_keeps, "writing back what was read from the CCCR keeps OVF set",
		.clause = OVF)
{
	check_write(t, ~UINT64_C(0), true);
}

/* Returns the count since the overflow.  *all: events of the last window, which tells the next. */
static uint64_t check_next_event(struct run *t, uint64_t n, uint64_t *all)
{
	struct window w;
	bool wrapped;

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	w = measure_pair(t, n, true);
	pmi_disarm();
	wrapped = !(w.c[TESTED].out >> (NETBURST_COUNTER_WIDTH - 1));
	/* The handler has cleared the flag that it found. */
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter) + t->log.per_counter[t->counter], wrapped);
	CHECK_EQ(t, t->log.count, wrapped && w.c[TESTED].out > 0);
	*all = w.c[WHOLE].out;
	return w.c[TESTED].out;
}

/* The law holds wherever the window ends; at the overflow, or one event after it, it tells most.
 * What does not repeat exactly needs several attempts to end there. */
NB_COUNTER_TEST(pmi_on_next_event,
		"the interrupt comes with the first event after the overflow, not with it",
		.clause = INTERRUPT, .needs = PMU_INTERRUPT)
{
	uint64_t all = measure_pair(t, 0, false).c[TESTED].out;

	for (uint64_t after = 0; after <= 1; after++) {
		unsigned attempts = 20;

		while (attempts && check_next_event(t, all - after, &all) != after)
			attempts--;
		if (!attempts)
			report_diag("no window ended %llu events after the overflow",
				    (unsigned long long)after);
		CHECK(t, attempts || !nb_repeats(t->counter));
	}
}

NB_COUNTER_TEST(no_pmi_without_flag,
		"an overflow with OVF_PMI clear sets OVF and does not interrupt",
		.clause = INTERRUPT, .needs = PMU_INTERRUPT)
{
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	measure_pair(t, 2, false);
	pmi_disarm();
	CHECK_EQ(t, t->log.count, 0);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

NB_COUNTER_TEST(lvt_is_masked,
		"delivery masks the LVT entry, and no interrupt comes until it is unmasked",
		.clause = "Intel SDM vol. 3A, 10.5: LVT performance counter register",
		.needs = PMU_INTERRUPT | PMU_LVT_MASKS)
{
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	t->log.leaves_masked = true;
	measure_pair(t, 2, true);
	pmi_settle();
	REQUIRE_EQ(t, t->log.count, 1);
	CHECK(t, t->log.lvt & APIC_LVT_MASKED);
	CHECK(t, apic_read_lvtpc() & APIC_LVT_MASKED);
	run_on(t, 2);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 1);

	netburst_clear_ovf(t->pmu, t->counter);
	apic_write_lvtpc(VECTOR_PMI);
	pmi_settle();
	t->log.count = 0;
	run_on(t, 2);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 1);
}

NB_COUNTER_TEST(held_while_masked,
		"while the LVT entry is masked no interrupt comes; nor later, with OVF"
		" cleared before",
		.clause = INTERRUPT, .needs = PMU_INTERRUPT)
{
	pmi_arm(t, APIC_LVT_MASKED | VECTOR_PMI, BIT(t->counter));
	t->log.leaves_masked = true;
	measure_pair(t, 2, true);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 0);
	netburst_clear_ovf(t->pmu, t->counter);
	apic_write_lvtpc(VECTOR_PMI);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 0);

	/* Told, not judged: only Linux says that it is held while OVF is set. */
	t->log.count = 0;
	apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
	run_on(t, 2);
	apic_write_lvtpc(VECTOR_PMI);
	pmi_settle();
	if (t->log.count != 1)
		report_diag("unmasked with OVF set: %llu interrupts instead of 1",
			    (unsigned long long)t->log.count);
}
