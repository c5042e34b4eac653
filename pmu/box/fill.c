/* SPDX-License-Identifier: BSD-2-Clause */
/* A box as a PMU: what the driver interface does with its counters. */
#include "box.h"

/* ---- programming ---- */

static const char *program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const struct box_config config = {
		.event = cfg->event == EV_CYCLES ? BOX_CLOCKS : BOX_NO_EVENT,
		.at_least = (uint16_t)cfg->at_least,
		.below = (uint16_t)cfg->below,
		.edge = cfg->edge,
	};
	const struct box_kind *kind = box_of(pmu)->kind;
	const char *why = box_lacks(kind, &config);

	if (!why && cfg->interrupt)
		why = "a counter of a box has no interrupt";
	if (!why && cfg->edge && !cfg->at_least && !cfg->below)
		why = "an edge needs a threshold";
	if (!why)
		pmu_put(pmu, pmu->counter[ctr].ctl,
			box_encode(kind, &config) & ~(uint64_t)kind->select->enable);
	return why;
}

/* Enabled while frozen, so that all begin in the same clock. */
static void start(const struct pmu *pmu, uint64_t ctrs)
{
	pmu_set_enables(pmu, ctrs);
	box_run(pmu);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	box_freeze(pmu);
	pmu_clear_enables(pmu, ctrs);
}

static void describe_register(const char *name, struct pmu_reg reg)
{
	report_diag("%s[%llx] = %08llx", name, (unsigned long long)reg.address,
		    (unsigned long long)pmu_get(reg));
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	if (ctr == 0 && pmu->bank->gate.space != REG_NONE)
		describe_register("BOX_CTL", pmu->bank->gate);
	for (unsigned i = 0; ctr == 0 && i < pmu->bank->shared_count; i++)
		describe_register("", pmu->bank->shared[i]);
}

static const struct pmu_counting counting = {
	.program = program,
	.start = start,
	.stop = stop,
	.describe = describe,
};

/* ---- what it has ---- */

enum { FIRST = 4 }; /* counters whose indices of RDPMC follow each other */

static uint32_t index_of(const struct box_kind *kind, unsigned ctr)
{
	if (!kind->rdpmc)
		return 0;
	return ctr < FIRST ? kind->rdpmc + ctr : kind->rdpmc_others + ctr - FIRST;
}

static void fill_counters(struct pmu *pmu, const struct box *box)
{
	struct box_state *state = pmu->state;

	for (unsigned c = 0; c < box->counters; c++)
		state->counter[c] = (struct pmu_counter){
			.ctl = box_ctl(box, c),
			.ctr = box_ctr(box, c),
			.enable = box->kind->select->enable,
			.width = box->width,
			.global_bit = (uint8_t)c,
			.write_bits = box->width,
			.awake = box->kind->select->awake,
			.read_only = box->kind->read_only,
			.rdpmc = index_of(box->kind, c),
		};
	pmu->counting = box->counters ? &counting : NULL;
	pmu->counter = state->counter;
	pmu->counters = box->counters;
}

static void fill_bank(struct pmu *pmu, const struct box *box)
{
	struct box_state *state = pmu->state;
	unsigned n = 0;

	for (unsigned i = 0; i < BOX_FILTERS_MAX && box_filters(box->kind)->reg[i].fields; i++)
		state->shared[n++] = box_filter(box, i);
	if (box_has_fixed(pmu)) {
		state->shared[n++] = box_fixed_ctr(pmu);
		state->shared[n++] = box_fixed_ctl(pmu);
	}
	if (box_global(box).space != REG_NONE)
		state->shared[n++] = box_global(box);
	state->bank = (struct pmu_bank){
		.gate = box_gate(box),
		.gate_stop = box_gating(box->kind)->stop,
		.shared = state->shared,
		.shared_count = n,
		.saved = (void *)(state->counter + box->counters),
	};
	pmu->bank = &state->bank;
}

const struct pmu_event box_no_events[EV_OWN + 1];

/* The clock event, if there is one. */
static void fill_events(struct pmu *pmu, const struct box_kind *kind)
{
	static const struct pmu_reason clocks = {PMU_AT_LEAST, "clocks of the box"};
	static const struct pmu_event with_clock[EV_OWN + 1] = {
		[EV_CYCLES] = {.name = "CLOCKTICKS", .max_per_clock = 1, .why = &clocks},
	};

	pmu->events = box_event(kind, BOX_CLOCKS) ? with_clock : box_no_events;
}

static uint64_t scope_fields(const struct box_scope *scope)
{
	return scope->all | scope->number | scope->mask;
}

static uint64_t scopes_fields(const struct box_scopes *scopes)
{
	return scopes ? scope_fields(&scopes->slices) | scope_fields(&scopes->threads) |
				scopes->one_core | scopes->core
		      : 0;
}

static uint64_t fields(const struct box_select *select)
{
	return select->event | select->unit_mask | select->threshold | select->invert |
	       select->edge | select->enable | select->thread | select->interrupt |
	       scopes_fields(select->scopes);
}

static unsigned features(const struct box_kind *kind)
{
	if (!kind->counters)
		return 0;
	return PMU_UNIT_MASK | PMU_SELECT | (kind->select->threshold ? PMU_THRESHOLD : 0) |
	       (kind->select->interrupt && apic_present() ? PMU_INTERRUPT : 0) |
	       (kind->select->edge ? PMU_EDGE : 0) | (box_has_gate(kind) ? PMU_ATOMIC_START : 0) |
	       (kind->interrupts ? PMU_LVT_MASKS : 0);
}

void box_fill(struct pmu *pmu, const struct box *box)
{
	const struct box_kind *kind = box->kind;

	((struct box_state *)pmu->state)->box = box;
	pmu->features = features(kind);
	pmu->max_threshold = box_max_threshold(kind);
	pmu->ctl_writable =
		fields(kind->select) | (kind->select->other ? fields(kind->select->other) : 0);
	pmu->ctl_enable = kind->select->enable;
	pmu->ctl_reserved = FIELD(31, 0) & ~(pmu->ctl_writable | kind->select->reset);
	fill_counters(pmu, box);
	fill_bank(pmu, box);
	fill_events(pmu, kind);
}

void box_fill_silent(struct pmu *pmu, const struct box *box)
{
	((struct box_state *)pmu->state)->box = box;
	pmu->events = box_no_events;
	pmu->silent = box->silent;
}
