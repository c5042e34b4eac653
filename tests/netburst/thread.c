/* SPDX-License-Identifier: BSD-2-Clause */
/* Hyper-Threading: which of the two logical processors of a core a counter sees, while the other
 * one is as firmware left it, and while both are at work. */
#include "netburst.h"

#define GROUP   "thread", "ovf"
#define THREADS "SDM vol. 3B, 18.16: "

enum { THIS, OTHER, PROCESSORS };

static const uint64_t iterations = 20;

/* ---- interrupts, and whose events are counted ---- */

/* Two events before the counter overflows, and more behind it; the flag names the processor to
 * interrupt.  Returns the interrupts that this one got. */
static uint64_t interrupts_here(struct run *t, unsigned ctr, struct netburst_config cfg,
				struct work work, unsigned who)
{
	struct window w = nb_window(ctr, cfg, work);

	w.c[0].from = 0 - UINT64_C(2);
	w.c[0].extra = nb_interrupts(t, who == OTHER);
	pmi_arm(t, VECTOR_PMI, BIT(ctr));
	t->log.leaves_masked = true;
	window_run(t, &w);
	pmi_disarm(t);
	/* Only the handler here clears it; where it does not, the request stays. */
	CHECK_EQ(t, netburst_ovf(t->pmu, ctr), who == OTHER);
	return t->log.count;
}

/* Firmware keeps the other one in ring 0 all along, halted or not, and its LVT entry masked. */
NB_TEST(other_processor,
	"the flags of the other processor neither count what this one does nor interrupt it",
	.clause = THREADS "ESCR MSRs: T0_USR, T1_USR", .needs = PMU_HT | PMU_INTERRUPT)
{
	struct netburst_config own = nb_user(NB_INSTR_RETIRED, 1), both = own, other = own;
	const struct work work = in_ring3(&payload_straight, 4);

	both.other_user = true;
	other.user = false;
	other.other_user = true;
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		uint64_t counted = nb_count(t, ctr, own, work);

		CHECK_EQ(t, nb_count(t, ctr, both, work), counted);
		CHECK_EQ(t, nb_count(t, ctr, other, work), 0);
		CHECK_EQ(t, interrupts_here(t, ctr, own, in_ring3(&payload_straight, 1), OTHER), 0);
	}
}

static void check_interrupt(struct run *t, unsigned ctr, unsigned who)
{
	const struct sibling_pmis before = sibling_pmis();
	struct work work = in_ring3(&payload_spaced, iterations);
	struct netburst_config cfg = nb_event(ctr);

	work.on_sibling = true;
	cfg.user = false;
	cfg.other_user = true;
	sibling_set_lvtpc(VECTOR_PMI);
	CHECK_EQ(t, interrupts_here(t, ctr, cfg, work, who), who == THIS);
	CHECK_EQ(t, sibling_pmis().count - before.count, who == OTHER);
	netburst_clear_ovf(t->pmu, ctr);
}

NB_TEST(other_interrupted,
	"an overflow that the other processor causes interrupts the processor that OVF_PMI names",
	.clause = THREADS "CCCR MSRs: OVF_PMI_T0, OVF_PMI_T1", .needs = PMU_HT | PMU_INTERRUPT)
{
	test_start_sibling(t);
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		for (unsigned who = 0; who < PROCESSORS; who++)
			check_interrupt(t, ctr, who);
}

/* ---- active threads ---- */

/* Clocks in which the other one was not halted. */
static uint64_t other_running(struct run *t)
{
	struct netburst_config cfg = nb_event(0);

	cfg.user = false;
	cfg.other_user = cfg.other_kernel = true;
	return nb_count(t, 0, cfg, in_ring3(&payload_straight, iterations));
}

enum role { ANY, BOTH, ONE, ROLES };

NB_TEST(active_thread,
	"ACTIVE_THREAD counts while no, one, both or any of the processors is active",
	.clause = THREADS "CCCR MSRs: active thread", .needs = PMU_HT)
{
	for (unsigned half = 0; half < 2; half++) {
		const unsigned ctr[2][ROLES] = {{12, 13, 16}, {14, 15, 17}};
		struct window w = {NB_WINDOW, .n = ROLES,
				   .work = in_ring3(&payload_straight, iterations)};

		for (unsigned i = 0; i < ROLES; i++)
			w.c[i] = nb_slot(ctr[half][i], nb_user(NB_INSTR_RETIRED, 1));
		nb(&w.c[BOTH])->active_thread = NB_BOTH_THREADS;
		nb(&w.c[ONE])->active_thread = NB_ONE_THREAD;
		window_run(t, &w);
		/* This one is active, so the other one is not, or both are. */
		CHECK_IS(t, w.c[ANY].out, >, 0);
		CHECK_EQ(t, w.c[ONE].out + w.c[BOTH].out, w.c[ANY].out);
		if (other_running(t))
			report_diag("the other processor is running: ONE and BOTH are not judged");
		else
			CHECK_EQ(t, w.c[BOTH].out, 0);

		nb(&w.c[ONE])->active_thread = NB_NO_THREAD;
		window_run(t, &w);
		CHECK_EQ(t, w.c[ONE].out, 0);
	}
}

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

	CHECK_IS(t, any, >, 0);
	CHECK_IS(t, counted, >, 0);
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

/* Modes of the first logical processor and of the second one: Delivers, Builds, Inactive. */
enum cache_mode { DD, DB, DI, BD, BB, BI, ID, IB };
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
	return kernel_call(payload_straight.entry, times, buffer);
}

static const struct sibling_job building = {.entry = build, .di = iterations};

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

ABSENT_IF(second, netburst(pmu)->thread,
	  "the masks tell of the first processor of a core, this is the second one")

NB_TEST(modes,
	"TC_deliver_mode tells the mode of both processors, or of one while the other is inactive",
	.clause = "SDM vol. 3B, 19: TC_deliver_mode", .needs = PMU_HT, .absent = second)
{
	static const struct {
		uint64_t mask;
		void (*work)(void);
		bool any;
	} rows[] = {
		{BIT(DD), build_here, true},          {BIT(BD), build_here, true},
		{BIT(DB), build_there, true},         {OF_FIRST | OF_SECOND, build_there, false},
		{BIT(ID), build_there_alone, true},   {BIT(IB), build_there_alone, true},
		{OF_FIRST, build_there_alone, false},
	};

	test_start_sibling(t);
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		if (netburst_counters[c].group != NB_MS)
			continue;
		for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
			CHECK_EQ(t, clocks(t, c, rows[i].mask, rows[i].work) > 0, rows[i].any);
	}
}
