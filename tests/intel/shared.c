/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that the tests of the Intel driver share. */
#include "intel.h"

ABSENT_UNLESS(of_intel, pmu->ops == &pmu_intel,
	      "no source says so of this maker's counters, which are like Intel's")

const char *intel_alone(const struct pmu *pmu, unsigned ctr)
{
	return of_intel(pmu, ctr);
}

uint64_t any_bit(const struct pmu *pmu, unsigned ctr)
{
	return ctr < intel_general(pmu) ? PERFEVTSEL_ANY
					: FIXED_CTRL_ANY(intel_fixed_index(pmu, ctr));
}

bool any_counts(const struct pmu *pmu, unsigned event)
{
	return event != EV_INSTRUCTIONS ||
	       !intel_may_be(&intel(pmu)->cpu, INTEL_SANDY_BRIDGE, INTEL_SANDY_BRIDGE);
}

uint64_t select_of(const struct pmu *pmu, unsigned event)
{
	const struct pmu_config both = in_all_rings(event);

	return intel_encode(pmu, &both);
}

static const char *program_nothing(const struct pmu *pmu, const struct slot *slot)
{
	(void)pmu;
	(void)slot;
	return NULL;
}

/* Counter 0 last: on P6 its EN starts the others. */
static void open_selects(const struct pmu *pmu, const struct window *w)
{
	bool single = pmu->features & PMU_SINGLE_ENABLE;
	uint64_t first = single ? PERFEVTSEL_EN : 0, ctrs = 0;

	for (unsigned i = 0; i < w->n; i++) {
		const struct slot *slot = &w->c[i];
		uint64_t enable = single && slot->ctr ? pmu->ctl_enable : PERFEVTSEL_EN;

		ctrs |= BIT(slot->ctr);
		if (slot->ctr)
			wrmsr(pmu_number(pmu->counter[slot->ctr].ctl), slot->select | enable);
		else
			first = slot->select | enable;
	}
	if (first)
		wrmsr(MSR_IA32_PERFEVTSEL(0), first);
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, pmu_global_bits(pmu, ctrs));
}

static void close_selects(const struct pmu *pmu, const struct window *w)
{
	if (pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	for (unsigned i = 0; i < w->n; i++)
		wrmsr(pmu_number(pmu->counter[w->c[i].ctr].ctl), 0);
}

static struct traits traits(const struct pmu *pmu, const struct slot *slot)
{
	uint64_t select = slot->select;

	(void)pmu;
	return (struct traits){
		.modes = trait_if(select & PERFEVTSEL_E, TRAIT_EDGE) |
			 trait_if(select & PERFEVTSEL_INV, TRAIT_INVERSION) |
			 trait_if(select & PERFEVTSEL_CMASK && !(select & PERFEVTSEL_INV),
				  TRAIT_THRESHOLD) |
			 traits_of_rings(select & PERFEVTSEL_USR, select & PERFEVTSEL_OS),
	};
}

const struct window_ops intel_selects = {
	.program = program_nothing,
	.traits = traits,
	.open = open_selects,
	.close = close_selects,
};

void select_pair_run(struct run *t, struct select_pair *pair, const struct work *work)
{
	struct window w = {.ops = &intel_selects,
			   .n = 2,
			   .c = {{.ctr = t->counter, .select = pair->select[0]},
				 {.ctr = pair->next, .select = pair->select[1]}},
			   .work = *work};

	window_run(t, &w);
	pair->out[0] = w.c[0].out;
	pair->out[1] = w.c[1].out;
}

/* ---- one write for all ---- */

static void open_at_once(const struct pmu *pmu, const struct window *w)
{
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < w->n; i++)
		ctrs |= BIT(w->c[i].ctr);
	wrmsr(MSR_GLOBAL_CTRL, pmu_global_bits(pmu, ctrs));
}

static const struct window_ops at_once = {.open = open_at_once};

/* By an erratum, which the driver evades by more than one write. */
static bool is_too_far(struct run *t, unsigned ctr, uint64_t excess)
{
	bool may_be = ctr == intel_general(t->pmu) && intel_fixed_0_last(t->pmu);

	if (!may_be || !excess || excess > INTEL_TOO_FAR)
		return false;
	t->known = pmu_effect(t->pmu, OPENS_LATE)->id;
	return true;
}

void check_at_once(struct run *t, struct window *w)
{
	w->ops = &at_once;
	window_run(t, w);
	for (unsigned i = 0; i < w->n; i++) {
		OF_COUNTER(t, w->c[i].ctr, CHECK_IS(t, w->c[i].out, >, 0));
		if (!is_too_far(t, w->c[i].ctr, w->c[i].out - w->c[0].out))
			OF_COUNTER(t, w->c[i].ctr, CHECK_EQ(t, w->c[i].out, w->c[0].out));
	}
}

struct window window_of_each(const struct run *t)
{
	struct window w = {.n = t->pmu->counters, .work = in_ring0(&payload_chain, 100)};

	for (unsigned c = 0; c < w.n; c++)
		w.c[c] = (struct slot){.ctr = c, .cfg = in_all_rings(first_event(t->pmu, c))};
	return w;
}

void check_bits_fault(struct run *t, uint32_t msr, uint64_t bits)
{
	uint64_t before, after;

	if (!CHECK_RDMSR(t, msr, &before, FAULT_NONE))
		test_end();
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		if (!CHECK_WRMSR(t, msr, before | BIT(bit), FAULT_GP))
			report_diag("with bit %u of it set", bit);
		rdmsr_safe(msr, &after);
		if (after != before && test_misread(t, msr))
			continue;
		CHECK_EQ(t, after, before);
	}
}
