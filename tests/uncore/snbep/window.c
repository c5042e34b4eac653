/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of uncore boxes share. */
#include "window.h"

#include "kernel/machine.h"

void wait_a_window(void)
{
	machine_delay_us(WINDOW_US);
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
