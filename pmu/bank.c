/* SPDX-License-Identifier: BSD-2-Clause */
/* All registers of a PMU: saves, resets and restores them. */
#include "pmu.h"

/* ---- what they held at entry ---- */

/* pmu->bank->saved[]: the gate, controls, counters, shared registers. */
static uint64_t *saved_ctls(const struct pmu *pmu)
{
	return pmu->bank->saved + 1;
}

static uint64_t *saved_ctrs(const struct pmu *pmu)
{
	return saved_ctls(pmu) + pmu->counters;
}

static uint64_t *saved_shared(const struct pmu *pmu)
{
	return saved_ctrs(pmu) + pmu->counters;
}

uint64_t pmu_saved_ctl(const struct pmu *pmu, unsigned ctr)
{
	return saved_ctls(pmu)[ctr];
}

static uint64_t to_give_back(struct pmu_reg reg)
{
	return pmu_get(reg) & ~(uint64_t)reg.acts;
}

static bool was_running(const struct pmu *pmu, unsigned ctr)
{
	uint64_t gate = pmu->bank->saved[0], enable = pmu->counter[ctr].enable;

	/* Without such a bit one counts as soon as its control says anything. */
	if (!(pmu_saved_ctl(pmu, ctr) & (enable ? enable : UINT64_MAX)))
		return false;
	if (pmu->bank->gate.space == REG_NONE)
		return true;
	return pmu->bank->gate_stop ? (gate & pmu->bank->gate_stop) != pmu->bank->gate_stop
				    : gate & pmu_global_bit(pmu, ctr);
}

void pmu_save(struct pmu *pmu)
{
	pmu_touch_all(pmu);
	pmu->bank->saved[0] = to_give_back(pmu->bank->gate);
	for (unsigned i = 0; i < pmu->bank->shared_count; i++)
		saved_shared(pmu)[i] = to_give_back(pmu->bank->shared[i]);
	pmu->running_at_entry = 0;
	for (unsigned c = 0; c < pmu->counters; c++) {
		saved_ctls(pmu)[c] = to_give_back(pmu->counter[c].ctl);
		saved_ctrs(pmu)[c] = to_give_back(pmu->counter[c].ctr);
		pmu->running_at_entry |= (uint64_t)was_running(pmu, c) << c;
	}
}

/* ---- reset, and given back ---- */

void pmu_reset_touched(const struct pmu *pmu)
{
	const uint64_t touched = pmu->bank->touched;

	pmu_put(pmu, pmu->bank->gate, pmu->bank->gate_stop);
	for (unsigned c = 0; c < pmu->counters; c++)
		if (touched & pmu_touch_bit(pmu->counter[c].ctl))
			pmu_put(pmu, pmu->counter[c].ctl, 0);
	for (unsigned i = pmu->bank->shared_count; i-- > 0;)
		if (touched & pmu_touch_bit(pmu->bank->shared[i]))
			pmu_put(pmu, pmu->bank->shared[i], pmu->bank->shared[i].rests);
	for (unsigned c = 0; c < pmu->counters; c++)
		if (touched &
		    (pmu_touch_bit(pmu->counter[c].ctl) | pmu_touch_bit(pmu->counter[c].ctr)))
			pmu_put_counter(pmu, &pmu->counter[c], 0);
	pmu->bank->touched = 0;
}

void pmu_reset_registers(const struct pmu *pmu)
{
	pmu_touch_all(pmu);
	pmu_reset_touched(pmu);
}

void pmu_reset(const struct pmu *pmu)
{
	if (pmu->ops->reset)
		pmu->ops->reset(pmu);
	else
		pmu_reset_registers(pmu);
}

void pmu_each_register(const struct pmu *pmu, void (*use)(const struct pmu *pmu, struct pmu_reg reg,
							  uint64_t saved, bool shared))
{
	if (pmu->bank->gate.space != REG_NONE)
		use(pmu, pmu->bank->gate, pmu->bank->saved[0], false);
	for (unsigned c = 0; c < pmu->counters; c++)
		if (!c || pmu->counter[c].ctl.address != pmu->counter[c - 1].ctl.address)
			use(pmu, pmu->counter[c].ctl, saved_ctls(pmu)[c], false);
	for (unsigned c = 0; c < pmu->counters; c++)
		use(pmu, pmu->counter[c].ctr, saved_ctrs(pmu)[c], false);
	for (unsigned i = 0; i < pmu->bank->shared_count; i++)
		use(pmu, pmu->bank->shared[i], saved_shared(pmu)[i], true);
}

/* The first control last: on P6 it starts all counters. */
void pmu_restore(const struct pmu *pmu)
{
	pmu_reset(pmu);
	for (unsigned c = 0; c < pmu->counters; c++)
		pmu_put_counter(pmu, &pmu->counter[c], saved_ctrs(pmu)[c]);
	for (unsigned i = 0; i < pmu->bank->shared_count; i++)
		pmu_put(pmu, pmu->bank->shared[i], saved_shared(pmu)[i]);
	for (unsigned c = pmu->counters; c-- > 0;)
		pmu_put(pmu, pmu->counter[c].ctl, saved_ctls(pmu)[c]);
	pmu_put(pmu, pmu->bank->gate, pmu->bank->saved[0]);
}
