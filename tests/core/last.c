/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts up to the very clock in which a register stops all counters: what comes a clock late is
 * lost there, and nowhere else. */
#include "core.h"

#define GROUP "modes", "overflow"
#define LAST                                                                                       \
	"AMD64 APM vol. 2, 13.2.1; PPR: PerfCntrGlobalCtl; SDM vol. 3B: "                          \
	"IA32_PERF_GLOBAL_CTRL, performance event select registers"

/* The second slot is the one to compare with. */
enum { TESTED, OTHER, SLOTS };

/* Variations that make no difference: all of the window is in ring 0, and nothing overflows. */
enum variation { AS_IT_IS, RING_0_ALONE, INTERRUPT_SET, WRITTEN_AGAIN, VARIATIONS };

static void vary(struct run *t, const struct window *w, enum variation as)
{
	const struct pmu_reg ctl = t->pmu->counter[w->c[TESTED].ctr].ctl;

	if (as == WRITTEN_AGAIN && ctl.space != REG_NONE)
		pmu_put(t->pmu, ctl, pmu_get(ctl));
}

static void run(struct run *t, struct window *w, enum variation as)
{
	struct window_tries tries = window_tries(t);

	w->c[TESTED].cfg.user = as != RING_0_ALONE;
	w->c[TESTED].cfg.interrupt = as == INTERRUPT_SET;
	window_assign(t, w, TESTED);
	do {
		struct msr_switch s;

		window_program(t, w);
		s = start_by_one(t, BIT(w->c[TESTED].ctr) | BIT(w->c[OTHER].ctr));
		vary(t, w, as);
		msr_switch_call(&s, payload_apart.entry, 1, user_buffer());
		window_close(t, w);
	} while (window_spoilt(t, &tries));
}

/* A burst begins ahead of the write that stops them. */
static void check_edges(struct run *t, enum variation as)
{
	struct pmu_config cfg = in_all_rings(EV_INSTRUCTIONS);
	struct window w = {.n = SLOTS};

	cfg.at_least = 1;
	cfg.edge = true;
	w.c[TESTED].cfg = w.c[OTHER].cfg = cfg;
	run(t, &w, as);
	CHECK_IS(t, w.c[TESTED].out, >, 0);
	CHECK_COUNT(t, w.c[TESTED].out, w.c[OTHER].out);
}

/* Conditions that hold in each clock. */
enum { MORE_THAN_ANY = 15 }; /* instructions that any processor retires in a clock */
static const struct {
	unsigned event, at_least, below;
} always[] = {
	{EV_INSTRUCTIONS, 0, MORE_THAN_ANY + 1},
	{EV_INSTRUCTIONS, 0, MORE_THAN_ANY},
	{EV_CYCLES, 1, 0},
	{EV_CYCLES, 0, 2},
	{EV_CYCLES, 0, 3},
};

/* A clock counts for all of them, the last one too. */
static void check_clocks(struct run *t, unsigned i, enum variation as)
{
	struct window w = {.n = SLOTS,
			   .c = {[TESTED] = {.cfg = in_all_rings(always[i].event)},
				 [OTHER] = {.cfg = in_all_rings(EV_CYCLES)}}};

	if (always[i].below > t->pmu->max_threshold ||
	    !pmu_can_count(t->pmu, t->counter, always[i].event))
		return;
	w.c[TESTED].cfg.at_least = always[i].at_least;
	w.c[TESTED].cfg.below = always[i].below;
	run(t, &w, as);
	CHECK_COUNT(t, w.c[TESTED].out, w.c[OTHER].out);
}

ABSENT_UNLESS(no_gate, pmu->bank->gate.space == REG_MSR,
	      "no register of its own starts and stops all counters")

TEST(to_the_last, "counters that one write stops count alike to the last clock", .clause = LAST,
     .needs = PMU_PRIVILEGE | PMU_ATOMIC_START | PMU_THRESHOLD, .min_counters = SLOTS,
     .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = no_gate)
{
	for (unsigned i = 0; i < ARRAY_SIZE(always); i++)
		check_clocks(t, i, AS_IT_IS);
	for (enum variation as = AS_IT_IS; as < VARIATIONS; as++) {
		check_edges(t, as);
		check_clocks(t, 0, as);
	}
}
