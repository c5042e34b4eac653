/* SPDX-License-Identifier: BSD-2-Clause */
/* What a counter counts whose event PEBS records, while it is far from its overflow. */
#include "samples.h"

#define GROUP "modes", "overflow"

static const char *not_recorded(const struct pmu *pmu, unsigned ctr)
{
	const struct intel_precise *event = intel_precise_event(&intel(pmu)->cpu);

	return ctr < intel_general(pmu) && event->counters & BIT(ctr)
		       ? NULL
		       : "PEBS records no event of this counter that is known";
}

/* One on which no erratum lies that does not lie on this one, too: of eight counters the upper four
 * are not whole on some parts. */
static unsigned twin_of(const struct run *t)
{
	return t->counter ? t->counter - 1 : 1;
}

/* What one of the two may miss that the other sees. */
static uint64_t hidden_by_rings(const struct run *t, uint64_t how)
{
	const struct pmu_config cfg = {.event = EV_INSTRUCTIONS,
				       .user = how & PERFEVTSEL_USR,
				       .kernel = how & PERFEVTSEL_OS,
				       .edge = how & PERFEVTSEL_E,
				       .below = how & PERFEVTSEL_INV};

	return counts_hidden(t, &cfg, GATE_CHANGES);
}

/* The twin counts the same, and is not recorded: both open and close in one instant. */
static void check_recorded(struct run *t, uint64_t how)
{
	const struct intel_precise *event = sampled_event(t);
	const struct pmu_sampling what = {.counters = BIT(t->counter), .room = 1};
	const uint64_t select = event->select | PERFEVTSEL_EN | how;
	const uint64_t hidden = hidden_by_rings(t, how);
	struct window w = {
		.n = 2,
		.c = {{.ctr = t->counter, .select = select}, {.ctr = twin_of(t), .select = select}},
		.work = sampled_loop(event->branches, 100)};

	/* There is no overflow. */
	CHECK_EQ(t, sampled_run(t, &w, &what), 0);
	CHECK_NEAR(t, w.c[0].out, w.c[1].out, hidden);
	if (!(how & PERFEVTSEL_CMASK))
		CHECK(t, w.c[0].out > 0);
}

INTEL_TEST(recorded, "that PEBS records the event of a counter changes nothing that it counts",
	   .clause = PEBS, .needs = PMU_SAMPLER | PMU_SELECT | PMU_ATOMIC_START, .min_counters = 2,
	   .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = not_recorded)
{
	static const uint64_t rings[] = {PERFEVTSEL_USR, PERFEVTSEL_USR | PERFEVTSEL_OS};
	const uint64_t hows[] = {
		0, field_put(PERFEVTSEL_CMASK, 1), field_put(PERFEVTSEL_CMASK, 1) | PERFEVTSEL_INV,
		field_put(PERFEVTSEL_CMASK, 1) | PERFEVTSEL_E, field_put(PERFEVTSEL_CMASK, 2)};

	for (unsigned r = 0; r < ARRAY_SIZE(rings); r++)
		for (unsigned i = 0; i < ARRAY_SIZE(hows); i++)
			check_recorded(t, rings[r] | hows[i]);
}
