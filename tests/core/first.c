/* SPDX-License-Identifier: BSD-2-Clause */
/* First interrupts: what goes wrong once since power-on, or once behind each change of a mode, goes
 * wrong here, as no test before this one has any counter interrupt. */
#include "core.h"

#define GROUP "first", "alive"

enum { LEAST = 20 }; /* events, of which the tenth or a later one overflows */

/* The next interrupt of the counter under test, by this entry. */
static void check_next(struct run *t, struct pmu_config cfg, struct work work, uint64_t period,
		       uint32_t lvt)
{
	cfg.interrupt = true;
	count_overflows(t, cfg, preset_for(t, period), work, lvt);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	CHECK_EQ(t, t->log.unexplained, 0);
}

/* By the vector, as NMI, by the vector again, and by another one. */
static bool check_counter(struct run *t)
{
	static const uint32_t lvts[] = {VECTOR_PMI, APIC_LVT_MODE_NMI, VECTOR_PMI, VECTOR_OTHER};
	const struct pmu_config cfg = in_all_rings(telling_event(t->pmu, t->counter));
	const uint64_t period = period_from(t, LEAST / 2);
	struct work work = work_for(&payload_mix, 4 * period);

	if (cfg.event == EV_NONE || count(t, t->counter, cfg, work) < 2 * period)
		return false;
	for (unsigned i = 0; i < ARRAY_SIZE(lvts) && !t->failed; i++)
		check_next(t, cfg, work, period, lvts[i]);
	return true;
}

TEST(interrupts, "the first interrupt of each counter comes, and the first one as NMI",
     .clause = "AMD64 APM vol. 2, 13.2.1: INT; 16.4: LVT performance counter entry; SDM vol. "
	       "3A: LVT",
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE)
{
	unsigned judged = 0;

	for (unsigned ctr = 0; ctr < t->pmu->counters && !t->failed; ctr++) {
		t->counter = ctr;
		judged += check_counter(t);
	}
	SKIP_IF(t, !judged, "no counter counts an event that this work makes occur often enough");
}
