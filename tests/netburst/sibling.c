/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyper-Threading with both logical processors of the core at work. */
#include "kernel/sibling.h"
#include "kernel/apic.h"
#include "kernel/control.h"
#include "kernel/fault.h"
#include "kernel/machine.h"
#include "kernel/trap.h"
#include "kernel/user.h"
#include "window.h"

#define GROUP   "thread"
#define THREADS "Intel SDM vol. 3B, 18.16: "

enum { THIS, OTHER, PROCESSORS };

static const uint64_t iterations = 20;

/* ---- interrupts ---- */

/* Two events before the counter overflows, and more behind it; flags: who is interrupted. */
static void count_there(struct run *t, unsigned ctr, uint64_t flags)
{
	struct nb_counter c = {.ctr = ctr, .cfg = nb_event(ctr), .from = 0 - UINT64_C(2)};

	c.cfg.user = false;
	c.cfg.other_user = true;
	nb_open(t, &c, 1);
	wrmsr(t->pmu->counter[ctr].ctl.address, rdmsr(t->pmu->counter[ctr].ctl.address) | flags);
	nb_other_call(&payload_spaced, iterations, RING_3);
	nb_close(t, &c, 1);
	nb_settle();
}

static void check_interrupt(struct run *t, unsigned ctr, unsigned who)
{
	const uint64_t flag[] = {CCCR_OVF_PMI_T0, CCCR_OVF_PMI_T1};
	struct nb_pmis *here = nb_arm(t, false, PMI_STORM, VECTOR_PMI);
	const struct sibling_pmis before = sibling_pmis();

	here->ctr = ctr;
	sibling_set_lvtpc(VECTOR_PMI);
	count_there(t, ctr, flag[who ^ netburst(t->pmu)->thread]);
	CHECK_EQ(t, here->count, who == THIS);
	CHECK_EQ(t, sibling_pmis().count - before.count, who == OTHER);
	/* The handler there leaves it, and with it the request. */
	CHECK_EQ(t, netburst_ovf(t->pmu, ctr), who == OTHER);
	netburst_clear_ovf(t->pmu, ctr);
}

TEST(other_interrupted,
     "an overflow by what the other processor does interrupts the one that OVF_PMI names",
     .clause = THREADS "CCCR MSRs: OVF_PMI_T0, OVF_PMI_T1", .driver = &pmu_netburst,
     .needs = PMU_HT | PMU_INTERRUPT)
{
	test_start_sibling(t);
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		for (unsigned who = 0; who < PROCESSORS; who++)
			check_interrupt(t, ctr, who);
}

/* ---- active threads ---- */

static uint64_t counted_while(struct run *t, unsigned ctr, enum netburst_active_thread active)
{
	struct nb_counter c = {.ctr = ctr, .cfg = nb_event(ctr)};

	c.cfg.active_thread = active;
	nb_measure(t, &c, 1, &payload_spaced, iterations);
	return c.out;
}

/* The two that count do so alike, where that is known: see nb_repeats(). */
static void check_active(struct run *t, unsigned ctr, enum netburst_active_thread now,
			 enum netburst_active_thread not_now)
{
	const uint64_t any = counted_while(t, ctr, NB_ANY_THREAD);
	const uint64_t counted = counted_while(t, ctr, now);

	CHECK(t, any > 0 && counted > 0);
	if (nb_repeats(ctr))
		CHECK_EQ(t, counted, any);
	CHECK_EQ(t, counted_while(t, ctr, not_now), 0);
	CHECK_EQ(t, counted_while(t, ctr, NB_NO_THREAD), 0);
}

TEST(both_active, "ACTIVE_THREAD tells whether one or both of the processors are active",
     .clause = THREADS "CCCR MSRs: active thread", .driver = &pmu_netburst, .needs = PMU_HT)
{
	test_start_sibling(t);
	/* It waits in a loop. */
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		check_active(t, ctr, NB_BOTH_THREADS, NB_ONE_THREAD);
	sibling_stop();
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		check_active(t, ctr, NB_ONE_THREAD, NB_BOTH_THREADS);
}

/* ---- modes of the trace cache ---- */

/* Of the first logical processor and the second one: Delivers, Builds, Inactive. */
enum mode { DD, DB, DI, BD, BB, BI, ID, IB };
#define OF_SECOND     (BIT(ID) | BIT(IB))
#define OF_FIRST      (BIT(DI) | BIT(BI))

#define HALTING_TAKES 100 /* us, more than enough */

/* Assumed as for event.decides: WBINVD empties the trace cache. */
static void build_here(void)
{
	wbinvd();
	nb_call(&payload_straight, iterations);
}

static uint64_t build(uint64_t times, void *buffer)
{
	machine_delay_us(HALTING_TAKES);
	wbinvd();
	return payload_straight.entry(times, buffer);
}

static const struct sibling_job building = {.entry = build, .rdi = iterations};

static void build_there(void)
{
	sibling_call(&building);
}

static void build_there_alone(void)
{
	sibling_call_halted(&building);
}

static uint64_t clocks(struct run *t, uint64_t mask, void (*work)(void))
{
	struct nb_counter c = {
		.ctr = t->counter,
		.cfg = {.event = NB_TC_DELIVER_MODE,
			.mask = (unsigned)mask,
			.user = true,
			.kernel = true,
			.other_user = true,
			.other_kernel = true},
	};

	nb_open(t, &c, 1);
	work();
	nb_close(t, &c, 1);
	return c.out;
}

TEST(modes, "TC_deliver_mode tells what both processors do, or one while the other is inactive",
     .clause = "Intel SDM vol. 3B, 19: TC_deliver_mode", .driver = &pmu_netburst, .needs = PMU_HT)
{
	SKIP_IF(t, netburst(t->pmu)->thread,
		"the masks tell of the first processor, this is the second one");
	test_start_sibling(t);
	for (t->counter = 0; t->counter < NETBURST_COUNTERS; t->counter++) {
		if (netburst_counters[t->counter].group != NB_MS)
			continue;
		CHECK(t, clocks(t, BIT(DD), build_here) > 0);
		CHECK(t, clocks(t, BIT(BD), build_here) > 0);
		CHECK(t, clocks(t, BIT(DB), build_there) > 0);
		CHECK_EQ(t, clocks(t, OF_FIRST | OF_SECOND, build_there), 0);
		CHECK(t, clocks(t, BIT(ID), build_there_alone) > 0);
		CHECK(t, clocks(t, BIT(IB), build_there_alone) > 0);
		CHECK_EQ(t, clocks(t, OF_FIRST, build_there_alone), 0);
	}
}
