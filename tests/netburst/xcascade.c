/* SPDX-License-Identifier: BSD-2-Clause */
/* Extended cascading: what cascades share, and the bit of its own that some CCCRs have for it. */
#include "cascade.h"

#define GROUP    "xcascade"
#define EXTENDED "Intel SDM vol. 3B, 18.15: Extended Cascading"

struct window nb_cascade(unsigned target, unsigned source)
{
	struct window w = {NB_WINDOW, .n = CASCADE_SLOTS, .work = in_ring3(&payload_spaced, 5)};

	w.c[TOTAL].ctr = nb_third(target, source);
	w.c[SOURCE].ctr = source;
	w.c[TARGET].ctr = target;
	for (unsigned i = 0; i < w.n; i++)
		w.c[i].nb = nb_event(target);
	w.c[TARGET].nb.cascade = true;
	w.c[TARGET].waits = true;
	return w;
}

void nb_check_sum(struct run *t, const struct window *w, uint64_t n)
{
	uint64_t rest = w->c[TOTAL].out - n, target = w->c[TARGET].out;

	if (!nb_counts_clocks(w->c[TARGET].ctr)) {
		CHECK_EQ(t, target, rest);
		return;
	}
	/* How many clocks after the overflow the target starts is not documented.  So many would be
	 * no start by hardware. */
	CHECK(t, target <= rest);
	CHECK(t, rest - target <= 64);
}

void nb_check_takes_over(struct run *t, struct window *w)
{
	w->c[SOURCE].from = 0 - UINT64_C(3);
	window_run(t, w);
	CHECK(t, w->c[TARGET].out > 0);
	nb_check_sum(t, w, 3);
}

static bool is_extended(unsigned ctr)
{
	return netburst_counters[ctr].extended_source >= 0;
}

static struct window extended_cascade(unsigned target)
{
	struct window w = nb_cascade(target, (unsigned)netburst_counters[target].extended_source);

	w.c[TARGET].nb.cascade = false;
	w.c[TARGET].nb.extended_cascade = true;
	return w;
}

static void check_extended(struct run *t, unsigned target)
{
	struct window w = extended_cascade(target);

	nb_check_takes_over(t, &w);
	CHECK_EQ(t, w.c[SOURCE].out, w.c[TOTAL].out - 3);
	w.c[SOURCE].from = 0;
	window_run(t, &w);
	CHECK_EQ(t, w.c[TARGET].out, 0);
	/* Nor without the bit. */
	w.c[TARGET].nb.extended_cascade = false;
	w.c[SOURCE].from = 0 - UINT64_C(3);
	window_run(t, &w);
	CHECK_EQ(t, w.c[TARGET].out, 0);
}

NB_TEST(every_pair,
	"a counter with CASCNTxINTOy begins to count when counter x overflows, not before",
	.clause = EXTENDED, .needs = PMU_XCASCADE)
{
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		if (is_extended(ctr))
			check_extended(t, ctr);
}

/* Counters 13 and 14, whose bit 11 is reserved: the manual's table names no such bit.  What becomes
 * of a 1 written there, even #GP, is open; a start by 16 or 17 is not. */
static void check_reserved(struct run *t, unsigned ctr)
{
	struct window w = nb_window(ctr, nb_event(ctr), in_ring3(&payload_spaced, 5));

	w.c[0].waits = true;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (i != ctr && nb_same_group(i, ctr))
			w.c[w.n++] =
				(struct slot){.ctr = i, .nb = nb_event(i), .from = 0 - UINT64_C(1)};
	window_program(t, &w);
	window_open(t, &w);
	wrmsr_safe(MSR_CCCR(ctr), rdmsr(MSR_CCCR(ctr)) | CCCR_CASCNT_INTO);
	work_do(&w.work);
	window_close(t, &w);
	CHECK_EQ(t, w.c[0].out, 0);
}

NB_TEST(reserved_elsewhere, "bit 11 starts no counter whose CCCR has no CASCNTxINTOy",
	.clause = EXTENDED, .needs = PMU_XCASCADE)
{
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		if (nb_same_group(ctr, 12) && !is_extended(ctr))
			check_reserved(t, ctr);
}
