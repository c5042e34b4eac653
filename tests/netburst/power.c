/* SPDX-License-Identifier: BSD-2-Clause */
/* The manual's guideline for what keeps ESCRs and counters working.  Only the part that promises
 * something can be broken. */
#include "tag.h"

#define GROUP     "power", "count"
#define GUIDELINE "SDM vol. 3B, 18.15: Counter Usage Guideline"

/* Micro-ops of payload_spaced that are tagged. */
static uint64_t expected(void)
{
	return NB_TAG_ITERATIONS * payload_does(&payload_spaced, "mmx");
}

static uint64_t tagged(struct run *t, unsigned half, unsigned feeder)
{
	const struct nb_tagging mmx = {nb_tagger(NB_64BIT_MMX_UOP, 1), NB_EXECUTION_EVENT, NBOGUS0,
				       "spaced.mmx"};

	return nb_tagged(t, &mmx, half, 12, feeder);
}

/* Counts from an ESCR with no enabled counter "may be 0", says the manual: hardware can break no
 * more than that they are not above those with one. */
NB_TEST(unpowered_escr, "an ESCR of disabled counters tags nothing that it would not tag otherwise",
	.clause = GUIDELINE)
{
	uint64_t powered = tagged(t, 0, NB_FEEDER), unpowered = tagged(t, 0, NB_NO_FEEDER);

	CHECK_EQ(t, powered, expected());
	CHECK_IS(t, unpowered, <=, powered);
	if (unpowered)
		report_diag("tags without power: %llu of %llu", (unsigned long long)unpowered,
			    (unsigned long long)powered);
}

NB_TEST(any_counter_powers, "any enabled counter that reaches an ESCR or its twin makes it work",
	.clause = GUIDELINE)
{
	for (unsigned half = 0; half < 2; half++)
		for (unsigned feeder = 8; feeder < 12; feeder++)
			CHECK_EQ(t, tagged(t, half, feeder), expected());
}

/* True in every clock. */
static uint64_t clocks(struct run *t, bool event)
{
	struct window w =
		nb_window(t->counter, nb_event(t->counter), in_ring3(&payload_spaced, 20));
	struct netburst_config *cfg = nb(&w.c[0]);

	cfg->user = false;
	cfg->compare = cfg->complement = true;
	cfg->threshold = 15;
	window_program(t, &w);
	window_open(t, &w);
	if (!event)
		wrmsr(netburst_escr_msr(cfg->event, netburst_counters[t->counter].half), 0);
	pmu_write(t->pmu, t->counter, 0);
	work_do(&w.work);
	window_close(t, &w);
	return w.c[0].out;
}

/* Without an event it may work or not: only reported. */
NB_COUNTER_TEST(no_event, "a counter works with any event in its ESCR, even one that it cannot see",
		.clause = GUIDELINE)
{
	const struct payload_counts *each = &payload_spaced.per_iteration;
	uint64_t without = clocks(t, false);

	/* At most three instructions retire in a clock. */
	CHECK_IS(t, clocks(t, true), >=, 20 * (uint64_t)each->instructions / 3);
	if (without)
		report_diag("without event: %llu clocks", (unsigned long long)without);
}
