/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyper-Threading with both logical processors of the core at work. */
#include "netburst.h"

#define GROUP   "thread"
#define THREADS "Intel SDM vol. 3B, 18.16: "

enum { THIS, OTHER, PROCESSORS };

static const uint64_t iterations = 20;

/* ---- interrupts ---- */

/* Two events before the counter overflows, and more behind it; by what the other one does. */
static void check_interrupt(struct run *t, unsigned ctr, unsigned who)
{
	const struct sibling_pmis before = sibling_pmis();
	struct window w = nb_window(ctr, nb_event(ctr), in_ring3(&payload_spaced, iterations));

	w.work.on_sibling = true;
	w.c[0].nb.user = false;
	w.c[0].nb.other_user = true;
	w.c[0].from = 0 - UINT64_C(2);
	w.c[0].extra = nb_interrupts(t, who == OTHER);
	pmi_arm(t, VECTOR_PMI, BIT(ctr));
	t->log.leaves_masked = true;
	sibling_set_lvtpc(VECTOR_PMI);
	window_run(t, &w);
	pmi_settle();
	CHECK_EQ(t, t->log.count, who == THIS);
	CHECK_EQ(t, sibling_pmis().count - before.count, who == OTHER);
	/* The handler there leaves it, and with it the request. */
	CHECK_EQ(t, netburst_ovf(t->pmu, ctr), who == OTHER);
	netburst_clear_ovf(t->pmu, ctr);
}

NB_TEST(other_interrupted,
	"an overflow by what the other processor does interrupts the one that OVF_PMI names",
	.clause = THREADS "CCCR MSRs: OVF_PMI_T0, OVF_PMI_T1", .needs = PMU_HT | PMU_INTERRUPT)
{
	test_start_sibling(t);
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		for (unsigned who = 0; who < PROCESSORS; who++)
			check_interrupt(t, ctr, who);
}

/* ---- active threads ---- */

static uint64_t counted_while(struct run *t, unsigned ctr, enum netburst_active_thread active)
{
	struct netburst_config cfg = nb_event(ctr);

	cfg.active_thread = active;
	return nb_count(t, ctr, cfg, in_ring3(&payload_spaced, iterations));
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

NB_TEST(both_active, "ACTIVE_THREAD tells whether one or both of the processors are active",
	.clause = THREADS "CCCR MSRs: active thread", .needs = PMU_HT)
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
	user_call(payload_straight.entry, iterations, user_buffer(), 0);
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

static uint64_t clocks(struct run *t, unsigned ctr, uint64_t mask, void (*work)(void))
{
	struct netburst_config cfg = {.event = NB_TC_DELIVER_MODE,
				      .mask = (unsigned)mask,
				      .user = true,
				      .kernel = true,
				      .other_user = true,
				      .other_kernel = true};

	return nb_count(t, ctr, cfg, (struct work){.act = work});
}

NB_TEST(modes, "TC_deliver_mode tells what both processors do, or one while the other is inactive",
	.clause = "Intel SDM vol. 3B, 19: TC_deliver_mode", .needs = PMU_HT)
{
	SKIP_IF(t, netburst(t->pmu)->thread,
		"the masks tell of the first processor, this is the second one");
	test_start_sibling(t);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		if (netburst_counters[c].group != NB_MS)
			continue;
		CHECK(t, clocks(t, c, BIT(DD), build_here) > 0);
		CHECK(t, clocks(t, c, BIT(BD), build_here) > 0);
		CHECK(t, clocks(t, c, BIT(DB), build_there) > 0);
		CHECK_EQ(t, clocks(t, c, OF_FIRST | OF_SECOND, build_there), 0);
		CHECK(t, clocks(t, c, BIT(ID), build_there_alone) > 0);
		CHECK(t, clocks(t, c, BIT(IB), build_there_alone) > 0);
		CHECK_EQ(t, clocks(t, c, OF_FIRST, build_there_alone), 0);
	}
}
