/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts up to the very clock in which a register stops all counters: what comes a clock late is
 * lost there, and nowhere else. */
#include "core.h"

#define GROUP "modes", "overflow"
#define LAST                                                                                       \
	"AMD64 APM vol. 2, 13.2.1; PPR: PerfCntrGlobalCtl; Intel SDM vol. 3B: "                    \
	"IA32_PERF_GLOBAL_CTRL, performance event select registers"

/* The second slot is the one to compare with. */
enum { TESTED, OTHER, SLOTS };

static void run(struct run *t, struct window *w)
{
	struct window_tries tries = window_tries(t);

	window_assign(t, w, TESTED);
	do {
		struct msr_switch s;

		window_program(t, w);
		s = start_by_one(t, BIT(w->c[TESTED].ctr) | BIT(w->c[OTHER].ctr));
		msr_switch_call(&s, payload_apart.entry, 1, user_buffer());
		window_close(t, w);
	} while (window_spoilt(t, &tries));
}

static struct pmu_config compared(unsigned event, unsigned at_least, unsigned below, bool edge)
{
	struct pmu_config cfg = everywhere(event);

	cfg.at_least = at_least;
	cfg.below = below;
	cfg.edge = edge;
	return cfg;
}

/* A burst begins ahead of the write that stops them. */
static void check_edges(struct run *t)
{
	const struct pmu_config cfg = compared(EV_INSTRUCTIONS, 1, 0, true);
	struct window w = {.n = SLOTS, .c = {[TESTED] = {.cfg = cfg}, [OTHER] = {.cfg = cfg}}};

	run(t, &w);
	CHECK(t, w.c[TESTED].out > 0);
	CHECK_EQ(t, w.c[TESTED].out, w.c[OTHER].out);
}

/* Fewer than any clock has: so each one counts. */
static void check_clocks(struct run *t)
{
	struct window w = {.n = SLOTS,
			   .c = {[TESTED] = {.cfg = compared(EV_INSTRUCTIONS, 0,
							     t->pmu->max_threshold, false)},
				 [OTHER] = {.cfg = everywhere(EV_CYCLES)}}};

	run(t, &w);
	CHECK_EQ(t, w.c[TESTED].out, w.c[OTHER].out);
}

static const char *no_gate(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return pmu->bank->gate.space == REG_MSR
		       ? NULL
		       : "no register of its own starts and stops all counters";
}

TEST(to_the_last, "counters that one write stops count alike to the last clock", .clause = LAST,
     .needs = PMU_PRIVILEGE | PMU_ATOMIC_START | PMU_THRESHOLD, .min_counters = SLOTS,
     .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = no_gate)
{
	check_edges(t);
	if (t->pmu->max_threshold > 16) /* above what any processor retires in a clock */
		check_clocks(t);
}
