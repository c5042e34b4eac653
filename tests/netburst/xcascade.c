/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that tests of cascades share, and extended cascading: some CCCRs have a second bit, for
 * another source. */
#include "cascade.h"

#define GROUP    "xcascade", "cascade"
#define EXTENDED "SDM vol. 3B, 18.15: Extended Cascading"

struct window nb_cascade(unsigned target, bool extended)
{
	const struct netburst_counter *wires = &netburst_counters[target];
	unsigned source = (unsigned)(extended ? wires->extended_source : wires->cascade_source);
	struct window w = {NB_WINDOW, .n = CASCADE_SLOTS, .work = in_ring3(&payload_spaced, 5)};

	w.c[TOTAL].ctr = nb_third(target, source);
	w.c[SOURCE].ctr = source;
	w.c[TARGET].ctr = target;
	for (unsigned i = 0; i < w.n; i++)
		*nb(&w.c[i]) = nb_event(target);
	nb(&w.c[TARGET])->cascade = !extended;
	nb(&w.c[TARGET])->extended_cascade = extended;
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
	CHECK_IS(t, target, <=, rest);
	CHECK_IS(t, rest - target, <=, 64);
}

static void check_laws(struct run *t, const struct window *w, const struct nb_cascade *row)
{
	uint64_t total = w->c[TOTAL].out, target = w->c[TARGET].out;

	if (row->laws & TAKES_OVER) {
		CHECK_IS(t, target, >, 0);
		nb_check_sum(t, w, row->after);
	}
	if (row->laws & WAITS)
		CHECK_EQ(t, target, row->target_from);
	if (row->laws & COUNTS_ALL)
		CHECK_EQ(t, target, total);
	if (row->laws & GOES_ON)
		CHECK_EQ(t, w->c[SOURCE].out, total - row->after);
	if (row->laws & HAS_OVF)
		CHECK(t, netburst_ovf(t->pmu, w->c[SOURCE].ctr));
}

void nb_check_cascade(struct run *t, unsigned target, bool extended, const struct nb_cascade *rows,
		      unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct window w = nb_cascade(target, extended);
		struct slot *started = &w.c[TARGET];
		const unsigned failures = t->failures;

		w.c[SOURCE].from = 0 - rows[i].after;
		started->from = rows[i].target_from;
		started->waits = !rows[i].enabled;
		if (rows[i].no_flag)
			nb(started)->cascade = nb(started)->extended_cascade = false;
		window_run(t, &w);
		check_laws(t, &w, &rows[i]);
		if (t->failures > failures)
			report_diag("in window %u of this cascade to counter %u", i, target);
	}
}

static bool is_extended(unsigned ctr)
{
	return netburst_counters[ctr].extended_source >= 0;
}

NB_TEST(every_pair,
	"a counter with CASCNTxINTOy begins to count when counter x overflows, not before",
	.clause = EXTENDED, .needs = PMU_XCASCADE)
{
	static const struct nb_cascade rows[] = {
		{TAKES_OVER | GOES_ON, .after = 3},
		{WAITS, .after = 0},
		{WAITS, .after = 3, .no_flag = true},
	};

	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		if (is_extended(ctr))
			nb_check_cascade(t, ctr, true, rows, ARRAY_SIZE(rows));
}

/* Counters 13 and 14, whose bit 11 is reserved: the manual's table names no such bit.  A 1 written
 * there may have any effect, even #GP, but a start by 16 or 17. */
static void check_reserved(struct run *t, unsigned ctr)
{
	struct window w = nb_window(ctr, nb_event(ctr), in_ring3(&payload_spaced, 5));

	w.c[0].waits = true;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (i != ctr && nb_same_group(i, ctr))
			nb_add(&w, i, nb_event(i))->from = 0 - UINT64_C(1);
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
