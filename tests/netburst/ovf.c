/* SPDX-License-Identifier: BSD-2-Clause */
/* The sticky OVF flag of a NetBurst counter, and the interrupt that follows it. */
#include "netburst.h"

#define GROUP     "ovf", "overflow"
#define OVF       "SDM vol. 3B, 18.15: CCCR MSRs: OVF"
#define INTERRUPT "SDM vol. 3B, 18.15: Generating an Interrupt on Overflow"

enum { WHOLE, TESTED };

/* The counter under test, from -n, beside another that counts everything from 0. */
static struct window measure_pair(struct run *t, uint64_t n, bool ovf_pmi)
{
	const struct netburst_config event = nb_event(t->counter);
	struct window w =
		nb_window(nb_third(t->counter, t->counter), event, in_ring3(&payload_spaced, 4));
	struct slot *tested = nb_add(&w, t->counter, event);

	tested->from = 0 - n;
	nb(tested)->ovf_pmi = ovf_pmi;
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
	static const uint64_t later[] = {1u << 30, 2};
	struct window w;

	measure_pair(t, 1u << 30, false);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
	w = measure_pair(t, 2, false);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
	CHECK_EQ(t, w.c[TESTED].out, w.c[WHOLE].out - 2);
	for (unsigned i = 0; i < ARRAY_SIZE(later); i++) {
		run_on(t, later[i]);
		CHECK(t, netburst_ovf(t->pmu, t->counter));
	}
}

static void check_write(struct run *t, uint64_t keep, bool ovf)
{
	uint32_t cccr = pmu_number(t->pmu->counter[t->counter].ctl);
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
	pmi_disarm(t);
	wrapped = !(w.c[TESTED].out >> (NETBURST_COUNTER_WIDTH - 1));
	/* The handler has cleared the flag that it found. */
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter) + t->log.per_counter[t->counter], wrapped);
	CHECK_EQ(t, t->log.count, wrapped && w.c[TESTED].out > 0);
	*all = w.c[WHOLE].out;
	return w.c[TESTED].out;
}

/* The law holds wherever the window ends; at the overflow, or one event after it, it tells most.
 * A count that does not repeat exactly needs several attempts to end there. */
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
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, 0);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

/* The handler leaves the LVT entry as delivery does. */
static void arm(struct run *t, uint32_t lvt)
{
	pmi_arm(t, lvt, BIT(t->counter));
	t->log.leaves_masked = true;
	measure_pair(t, 2, true);
	pmi_settle();
}

static void unmask(void)
{
	apic_write_lvtpc(VECTOR_PMI);
	pmi_settle();
}

/* Interrupts of one more overflow. */
static uint64_t overflow_again(struct run *t)
{
	t->log.count = 0;
	run_on(t, 2);
	pmi_settle();
	return t->log.count;
}

NB_COUNTER_TEST(lvt_is_masked,
		"delivery masks the LVT entry, and no interrupt comes until it is unmasked",
		.clause = "SDM vol. 3A, 10.5: LVT performance counter register",
		.needs = PMU_INTERRUPT | PMU_LVT_MASKS)
{
	arm(t, VECTOR_PMI);
	REQUIRE_EQ(t, t->log.count, 1);
	CHECK(t, t->log.lvt & APIC_LVT_MASKED);
	CHECK(t, apic_read_lvtpc() & APIC_LVT_MASKED);
	CHECK_EQ(t, overflow_again(t), 0);
	netburst_clear_ovf(t->pmu, t->counter);
	unmask();
	CHECK_EQ(t, overflow_again(t), 1);
	pmi_disarm(t);
}

NB_COUNTER_TEST(held_while_masked,
		"while the LVT entry is masked no interrupt comes; nor later, with OVF"
		" cleared before",
		.clause = INTERRUPT, .needs = PMU_INTERRUPT)
{
	arm(t, APIC_LVT_MASKED | VECTOR_PMI);
	CHECK_EQ(t, t->log.count, 0);
	netburst_clear_ovf(t->pmu, t->counter);
	unmask();
	CHECK_EQ(t, t->log.count, 0);
	/* Only Linux says that the interrupt is held while OVF is set: no check. */
	apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
	overflow_again(t);
	unmask();
	pmi_disarm(t);
	if (t->log.count != 1)
		report_diag("unmasked with OVF set: %llu interrupts instead of 1",
			    (unsigned long long)t->log.count);
}
