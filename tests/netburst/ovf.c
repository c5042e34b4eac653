/* SPDX-License-Identifier: BSD-2-Clause */
/* The sticky OVF flag of a NetBurst counter, and the interrupt that follows it. */
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/fault.h"
#include "kernel/trap.h"
#include "window.h"

#define GROUP     "ovf"
#define OVF       "Intel SDM vol. 3B, 18.15: CCCR MSRs: OVF"
#define INTERRUPT "Intel SDM vol. 3B, 18.15: Generating an Interrupt on Overflow"

/* The counter under test, from -n, beside one that sees it all from 0. */
static void measure_pair(struct run *t, struct nb_counter c[2], uint64_t n, bool ovf_pmi)
{
	c[0] = (struct nb_counter){.ctr = nb_third(t->counter, t->counter),
				   .cfg = nb_event(t->counter)};
	c[1] = (struct nb_counter){.ctr = t->counter, .cfg = nb_event(t->counter), .from = 0 - n};
	c[1].cfg.ovf_pmi = ovf_pmi;
	nb_measure(t, c, 2, &payload_spaced, 4);
}

/* Again as it is programmed, from -n. */
static uint64_t run_on(struct run *t, uint64_t n)
{

	pmu_write(t->pmu, t->counter, nb_minus(t, n));
	pmu_start(t->pmu, BIT(t->counter));
	nb_call(&payload_spaced, 4);
	pmu_stop(t->pmu, BIT(t->counter));
	return pmu_read(t->pmu, t->counter);
}

TEST(sticky, "OVF is set by an overflow and by nothing else, and stays; the count goes on from 0",
     .clause = OVF, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_counter c[2];

	measure_pair(t, c, 1u << 30, false);
	CHECK(t, !netburst_ovf(t->pmu, t->counter));
	measure_pair(t, c, 2, false);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
	CHECK_EQ(t, c[1].out, c[0].out - 2);
	run_on(t, 1u << 30);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
	run_on(t, 2);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

static void check_write(struct run *t, uint64_t keep, bool ovf)
{
	uint32_t cccr = t->pmu->counter[t->counter].ctl.address;
	struct nb_counter c[2];

	measure_pair(t, c, 2, false);
	wrmsr(cccr, rdmsr(cccr) & keep);
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter), ovf);
	CHECK_EQ(t, pmu_read(t->pmu, t->counter), c[1].out);
	run_on(t, 2);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

TEST(cleared_by_writing, "writing the CCCR with OVF 0 clears it until the next overflow",
     .clause = OVF, .driver = &pmu_netburst, .per_counter = true)
{
	check_write(t, ~CCCR_OVF, false);
}

TEST(write_back_keeps, "writing back what was read from the CCCR keeps OVF set", .clause = OVF,
     .driver = &pmu_netburst, .per_counter = true)
{
	check_write(t, ~UINT64_C(0), true);
}

/* Returns the count since the overflow.  *all: events of the last window, which tells the next. */
static uint64_t check_next_event(struct run *t, uint64_t n, uint64_t *all)
{
	struct nb_counter c[2];
	bool wrapped;

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	measure_pair(t, c, n, true);
	pmi_disarm();
	wrapped = !(c[1].out >> (NETBURST_COUNTER_WIDTH - 1));
	/* The handler has cleared the flag that it found. */
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter) + t->log.per_counter[t->counter], wrapped);
	CHECK_EQ(t, t->log.count, wrapped && c[1].out > 0);
	*all = c[0].out;
	return c[1].out;
}

/* The law holds wherever the window ends; at the overflow, or one event after it, it tells most.
 * What does not repeat exactly needs several attempts to end there. */
TEST(pmi_on_next_event, "the interrupt comes with the first event after the overflow, not with it",
     .clause = INTERRUPT, .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	struct nb_counter c[2];
	uint64_t all;

	measure_pair(t, c, 0, false);
	all = c[1].out;
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

TEST(no_pmi_without_flag, "an overflow with OVF_PMI clear sets OVF and does not interrupt",
     .clause = INTERRUPT, .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	struct nb_counter c[2];

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	measure_pair(t, c, 2, false);
	pmi_disarm();
	CHECK_EQ(t, t->log.count, 0);
	CHECK(t, netburst_ovf(t->pmu, t->counter));
}

TEST(lvt_is_masked, "delivery masks the LVT entry, and no interrupt comes until it is unmasked",
     .clause = "Intel SDM vol. 3A, 10.5: LVT performance counter register", .driver = &pmu_netburst,
     .needs = PMU_INTERRUPT | PMU_LVT_MASKS, .per_counter = true)
{
	struct nb_pmis *pmis = nb_arm(t, false, PMI_STORM, VECTOR_PMI);
	struct nb_counter c[2];

	measure_pair(t, c, 2, true);
	nb_settle();
	REQUIRE_EQ(t, pmis->count, 1);
	CHECK(t, pmis->lvt & APIC_LVT_MASKED);
	CHECK(t, apic_read_lvtpc() & APIC_LVT_MASKED);
	run_on(t, 2);
	nb_settle();
	CHECK_EQ(t, pmis->count, 1);

	netburst_clear_ovf(t->pmu, t->counter);
	apic_write_lvtpc(VECTOR_PMI);
	nb_settle();
	pmis->count = 0;
	run_on(t, 2);
	nb_settle();
	CHECK_EQ(t, pmis->count, 1);
}

TEST(held_while_masked,
     "while the LVT entry is masked no interrupt comes; nor later, with OVF"
     " cleared before",
     .clause = INTERRUPT, .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	struct nb_pmis *pmis = nb_arm(t, false, PMI_STORM, APIC_LVT_MASKED | VECTOR_PMI);
	struct nb_counter c[2];

	measure_pair(t, c, 2, true);
	nb_settle();
	CHECK_EQ(t, pmis->count, 0);
	netburst_clear_ovf(t->pmu, t->counter);
	apic_write_lvtpc(VECTOR_PMI);
	nb_settle();
	CHECK_EQ(t, pmis->count, 0);

	/* Told, not judged: only Linux says that it is held while OVF is set. */
	pmis->count = 0;
	apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
	run_on(t, 2);
	apic_write_lvtpc(VECTOR_PMI);
	nb_settle();
	if (pmis->count != 1)
		report_diag("unmasked with OVF set: %u interrupts instead of 1", pmis->count);
}
