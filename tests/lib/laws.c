/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of laws share. */
#include "laws.h"

bool roles_assign(struct run *t, unsigned roles, unsigned scrutinised, const struct pmu_config *cfg,
		  unsigned *ctr)
{
	const struct pmu_config *in_turn[PMU_COUNTERS_MAX];
	unsigned chosen[PMU_COUNTERS_MAX] = {t->counter};
	const char *impossible;

	for (unsigned i = 0; i < roles; i++)
		in_turn[i] = &cfg[(scrutinised + i) % roles];
	impossible = pmu_plan(t->pmu, roles, in_turn, chosen);
	if (impossible)
		test_cannot_judge(t, impossible);
	for (unsigned i = 0; i < roles; i++)
		ctr[(scrutinised + i) % roles] = chosen[i];
	return !impossible;
}

unsigned counters_for(const struct run *t, enum pmu_event_id event, unsigned *ctr)
{
	const struct pmu *pmu = t->pmu;
	unsigned n = 0;

	for (unsigned i = 0; i < pmu->counters; i++) {
		ctr[n] = (t->counter + i) % pmu->counters;
		n += pmu_can_count(pmu, ctr[n], event);
	}
	return n;
}

uint64_t minus(const struct run *t, uint64_t n)
{
	return (t->pmu->interrupt_after - n) & pmu_mask(t->pmu, t->counter);
}

uint64_t unseen_by_interrupt(const struct run *t)
{
	return t->pmu->interrupt_after * t->pmu->events[EV_INSTRUCTIONS].max_per_clock;
}

uint64_t window_total(struct run *t, const struct pmu_config *cfg, const struct payload *payload,
		      uint64_t iterations, enum ring ring)
{
	struct pmu_config quiet = *cfg;
	uint64_t total;

	quiet.interrupt = false;
	measure(t, 1, &t->counter, &quiet, NULL, payload, iterations, ring, &total);
	return total;
}

uint64_t shoot(struct run *t, const struct pmu_config *cfg, uint64_t from,
	       const struct payload *payload, uint64_t iterations, uint32_t lvt,
	       struct pmi_log *log)
{
	uint64_t value;

	log->armed = BIT(t->counter);
	pmi_arm(t, log, lvt);
	measure(t, 1, &t->counter, cfg, &from, payload, iterations, RING_3, &value);
	pmi_disarm();
	return value;
}

bool taken_in_ring3(const struct pmi_log *log)
{
	return log->count && log->rip >= (uintptr_t)user_text_start &&
	       log->rip < (uintptr_t)user_text_end;
}
