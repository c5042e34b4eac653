/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows that are known to the last instruction, from one write of an MSR to the next. */
#include "test.h"

struct msr_switch start_by_one(struct run *t, uint64_t ctrs)
{
	const struct pmu_reg reg[] = {t->pmu->counter[t->counter].ctl, t->pmu->bank->gate};
	uint64_t off[ARRAY_SIZE(reg)];
	struct msr_switch s = {0};

	for (unsigned i = 0; i < ARRAY_SIZE(reg); i++)
		off[i] = pmu_get(reg[i]);
	pmu_start(t->pmu, ctrs);
	for (unsigned i = 0; i < ARRAY_SIZE(reg); i++)
		if (reg[i].space == REG_MSR && pmu_get(reg[i]) != off[i])
			s = (struct msr_switch){pmu_get(reg[i]), off[i], pmu_number(reg[i])};
	REQUIRE(t, s.msr);
	wrmsr(s.msr, s.off);
	return s;
}

/* Starting them has counted already. */
static void call_once(struct run *t, struct window *w, uint64_t ctrs, uint64_t iterations)
{
	struct msr_switch s;

	window_program(t, w);
	s = start_by_one(t, ctrs);
	for (unsigned i = 0; i < w->n; i++)
		pmu_write(t->pmu, w->c[i].ctr, w->c[i].from);
	msr_switch_call(&s, payload_apart.entry, iterations, user_buffer());
	window_close(t, w);
}

void window_call(struct run *t, struct window *w, uint64_t iterations)
{
	struct window_tries tries = window_tries(t);
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < w->n; i++)
		ctrs |= BIT(w->c[i].ctr);
	do
		call_once(t, w, ctrs, iterations);
	while (window_spoilt(t, &tries));
}
