/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks that seeded faults of several kinds of PMU share. */
#include "common.h"

#define RDPMC_FAST UINT32_C(0x80000000)

/* ---- any value ---- */

void twisted(struct point *at)
{
	at->value = twist(&at->defect->twist, at->value);
}

void exchanged(struct point *at)
{
	uint64_t low = at->defect->twist.clear, high = at->defect->twist.set;
	unsigned shift = field_shift(high) - field_shift(low);

	if (is_twisted(&at->defect->twist, at->value))
		at->value = (at->value & ~(low | high)) | (at->value & low) << shift |
			    (at->value & high) >> shift;
}

void lowest_bit_only(struct point *at)
{
	uint64_t field = at->value & at->defect->arg;

	if (is_twisted(&at->defect->twist, at->value))
		at->value = (at->value & ~at->defect->arg) | (field & -field);
}

/* ---- registers ---- */

void takes_fast_rdpmc(struct point *at)
{
	uint32_t index = at->index & ~RDPMC_FAST;

	if (index == at->index || index >= at->count)
		return;
	at->access = ACCESS_DONE;
	at->value = (uint32_t)at->counter[index].value;
}

void missing(struct point *at)
{
	at->access = ACCESS_GP;
}

void answers_for(struct point *at)
{
	at->reg.number = (unsigned)at->defect->arg;
}

void extends_bit31(struct point *at)
{
	at->value = (uint64_t)(int64_t)(int32_t)(uint32_t)at->raw & at->mask;
}

void stop_clears_counter(struct point *at)
{
	if (at->old & at->defect->arg && !(at->value & at->defect->arg))
		at->counter[at->reg.number].value = 0;
}

/* ---- occurrences ---- */

static unsigned other(const struct point *at)
{
	return at->clock->n[at->defect->arg];
}

void counts_instead(struct point *at)
{
	at->n = other(at);
}

void counts_too(struct point *at)
{
	at->n += at->n ? other(at) : 0;
}

void counts_without(struct point *at)
{
	at->n -= at->n < other(at) ? at->n : other(at);
}

void counts_only_when(struct point *at)
{
	at->n = at->n && other(at);
}

void misses_ring3(struct point *at)
{
	if (at->clock->cpl == 3)
		at->n = 0;
}

/* ---- thresholds, inversion and edges ---- */

void threshold_moved(struct point *at)
{
	if (at->set->adds_one && !at->set->invert)
		at->set->at_least += (unsigned)at->defect->arg;
}

void inverted_threshold_moved(struct point *at)
{
	if (at->set->invert)
		at->set->at_least += (unsigned)at->defect->arg;
}

void threshold_exact(struct point *at)
{
	if (at->set->adds_one && !at->set->invert)
		at->now = at->n == at->set->at_least;
}

void edge_both(struct point *at)
{
	if (at->set->edge)
		at->amount = at->before != at->now;
}

void edge_falling(struct point *at)
{
	if (at->set->edge)
		at->amount = at->passes && at->before && !at->now;
}

/* ---- increments ---- */

void counts_nothing(struct point *at)
{
	at->amount = 0;
}

/* Runs before the neighbour has its own turn. */
void pushes_neighbour(struct point *at)
{
	struct counter *c = &at->counter[at->ctr ^ 1];

	c->value = (c->value + at->amount) & at->mask;
}

void loses_one_in(struct point *at)
{
	uint64_t *since = &at->memory[at->ctr];

	*since += at->amount;
	at->amount -= *since / at->defect->arg;
	*since %= at->defect->arg;
}

/* memory: it has not missed any yet if 0. */
void misses_first(struct point *at)
{
	bool first = at->amount && !at->memory[at->ctr];

	at->memory[at->ctr] |= at->amount;
	at->amount -= first;
}

void forgets(struct point *at)
{
	at->memory[at->ctr] = 0;
}

/* ---- starts and stops: memory[0] has the counters that ran before the write ---- */

void notes_running(struct point *at)
{
	at->memory[0] = at->running;
}

static void one_more(struct point *at, bool changed)
{
	struct counter *c = &at->counter[at->defect->arg];

	if (changed)
		c->value = (c->value + 1) & at->mask;
}

void one_more_per_start(struct point *at)
{
	one_more(at, at->running & ~at->memory[0] & BIT(at->defect->arg));
}

void one_more_per_stop(struct point *at)
{
	one_more(at, at->memory[0] & ~at->running & BIT(at->defect->arg));
}

void one_more_per_overflow(struct point *at)
{
	one_more(at, at->value < at->old);
}

/* ---- overflow ---- */

void never_overflows(struct point *at)
{
	at->carry = false;
}

static int64_t as_signed(const struct point *at, uint64_t value)
{
	unsigned shift = (unsigned)__builtin_clzll(at->mask);

	return (int64_t)(value << shift) >> shift;
}

void overflows_at(struct point *at)
{
	int64_t from = as_signed(at, at->old), to = (int64_t)at->defect->arg;

	at->carry = from < to && from + (int64_t)at->amount >= to;
}

void overflows_into(struct point *at)
{
	at->carry = ((at->old & (BIT(at->defect->arg) - 1)) + at->amount) >> at->defect->arg;
}

void overflow_clears_neighbours_top(struct point *at)
{
	if (at->carry && at->ctr < at->count)
		at->counter[(at->ctr + 1) % at->count].value &= at->mask >> 1;
}

/* ---- all counters ---- */

void of_next_counter(struct point *at)
{
	at->value <<= 1;
}

/* memory[0]: requests so far. */
void every_second_lost(struct point *at)
{
	at->memory[0] += at->requests;
	if (!(at->memory[0] & 1))
		at->requests = 0;
}

/* ---- records ---- */

void record_swaps(struct point *at)
{
	uint64_t *words = at->record + at->defect->arg, first = words[0];

	words[0] = words[1];
	words[1] = first;
}

void records_interrupt(struct point *at)
{
	at->area->threshold = at->area->index + at->area->word * at->words;
}
