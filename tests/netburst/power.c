/* SPDX-License-Identifier: BSD-2-Clause */
/* What keeps ESCRs and counters working: a guideline of the manual, of which only the part that
 * promises something can be broken. */
#include "tag.h"

#define GROUP     "power"
#define GUIDELINE "Intel SDM vol. 3B, 18.15: Counter Usage Guideline"

/*
 * "May be 0" is what the manual says of counts from an ESCR with no enabled counter: nothing that
 * hardware could get wrong, but never more than with one.
 */
NB_TEST(unpowered_escr, "an ESCR of disabled counters tags nothing that it would not tag otherwise",
	.clause = GUIDELINE)
{
	struct nb_tagging with = {
		.upstream = nb_mmx_tagger(1), .mask = NBOGUS0, .feeder = NB_FEEDER};
	struct nb_tagging without = with;
	uint64_t powered = nb_tagged(t, &with, 12, &payload_spaced), unpowered;

	without.feeder = NB_NO_FEEDER;
	pmu_reset(t->pmu);
	unpowered = nb_tagged(t, &without, 12, &payload_spaced);
	CHECK_EQ(t, powered, NB_TAG_ITERATIONS);
	CHECK(t, unpowered <= powered);
	if (unpowered)
		report_diag("tags without power: %llu of %llu", (unsigned long long)unpowered,
			    (unsigned long long)powered);
}

NB_TEST(any_counter_powers, "any enabled counter that reaches an ESCR or its twin makes it work",
	.clause = GUIDELINE)
{
	for (unsigned half = 0; half < 2; half++)
		for (unsigned feeder = 8; feeder < 12; feeder++) {
			struct nb_tagging tagging = {.upstream = nb_mmx_tagger(1),
						     .half = half,
						     .mask = NBOGUS0,
						     .feeder = feeder};

			pmu_reset(t->pmu);
			CHECK_EQ(t, nb_tagged(t, &tagging, 12, &payload_spaced), NB_TAG_ITERATIONS);
		}
}

/* True in every clock. */
static uint64_t clocks(struct run *t, bool event)
{
	struct window w =
		nb_window(t->counter, nb_event(t->counter), in_ring3(&payload_spaced, 20));
	struct netburst_config *cfg = &w.c[0].nb;

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

/* Without an event it need not, but may: told, not judged. */
NB_COUNTER_TEST(no_event, "a counter works with any event in its ESCR, even one that it cannot see",
		.clause = GUIDELINE)
{
	const struct payload_counts *each = &payload_spaced.per_iteration;
	uint64_t without = clocks(t, false);

	/* At most three instructions retire in a clock. */
	CHECK(t, clocks(t, true) >= 20 * (uint64_t)each->instructions / 3);
	if (without)
		report_diag("without event: %llu clocks", (unsigned long long)without);
}
