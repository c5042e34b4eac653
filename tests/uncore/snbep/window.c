/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of uncore boxes share. */
#include "window.h"

#include "kernel/machine.h"

void wait_a_window(void)
{
	machine_delay_us(WINDOW_US);
}

bool all_spans(const struct span *s, unsigned n, bool (*is)(const struct span *s))
{
	for (unsigned i = 0; i < n; i++)
		if (!is(&s[i]))
			return false;
	return true;
}

/* Of the 10 s that a test has, with all its tries. */
#define LONGEST_US 640000u

uint32_t very_sharp_us(const struct span *s, unsigned n, uint32_t us)
{
	uint64_t longest = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t least = (s[i].outer - s[i].inner) * VERY_SHARP * 3 / 2;
		uint64_t next = s[i].inner ? us * least / s[i].inner + 1 : 2 * us;

		longest = next > longest ? next : longest;
	}
	return longest < LONGEST_US ? (uint32_t)longest : LONGEST_US;
}

void box_program(struct run *t, unsigned n, const unsigned *ctr, const struct snbep_config *cfg)
{
	const struct pmu *pmu = t->pmu;

	snbep_freeze(pmu);
	for (unsigned c = 0; c < pmu->counters; c++)
		snbep_put(pmu, pmu->counter[c].ctl.address, 0);
	t->programmed = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned c = ctr ? ctr[i] : i;

		pmu_write(pmu, c, 0);
		snbep_put(pmu, pmu->counter[c].ctl.address, snbep_encode(kind_of(t), &cfg[i]));
		t->programmed |= BIT(c);
	}
}

void box_window(struct run *t, unsigned n, const unsigned *ctr, const struct snbep_config *cfg,
		box_load *load, uint64_t *out)
{
	box_program(t, n, ctr, cfg);
	snbep_run(t->pmu);
	load();
	snbep_freeze(t->pmu);
	for (unsigned i = 0; i < n; i++)
		out[i] = pmu_read(t->pmu, ctr ? ctr[i] : i);
}

void box_read(const struct run *t, uint64_t *out)
{
	for (unsigned c = 0; c < t->pmu->counters; c++)
		out[c] = pmu_read(t->pmu, c);
}

void box_program_clocks(struct run *t)
{
	struct snbep_config clocks[SNBEP_COUNTERS_MAX];

	for (unsigned c = 0; c < t->pmu->counters; c++)
		clocks[c] = clock_of(t);
	box_program(t, t->pmu->counters, NULL, clocks);
}

void counters_in_turn(const struct run *t, unsigned n, unsigned *ctr)
{
	for (unsigned i = 0; i < n; i++)
		ctr[i] = (t->counter + i) % t->pmu->counters;
}
