/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks of rare faults: one in arg events goes wrong, a power of 2. */
#include "common.h"

void gains_one_in(struct point *at)
{
	uint64_t *since = &at->memory[at->ctr];

	*since += at->amount;
	at->amount += *since / at->defect->arg;
	*since %= at->defect->arg;
}

/* From the last write to the counter on. */
void stops_after(struct point *at)
{
	uint64_t *since = &at->memory[at->ctr], left = at->defect->arg - *since;

	if (at->amount > left)
		at->amount = left;
	*since += at->amount;
}

/* Counting, not written: a write is one of a register. */
void carries_not(struct point *at)
{
	uint64_t low = 2 * at->defect->arg - 1;

	if (!at->reg.kind)
		at->value = (at->old & ~low) | (at->value & low);
}

/* The last one of so many. */
static bool is_turn(struct point *at)
{
	if (++at->memory[0] < at->defect->arg)
		return false;
	at->memory[0] = 0;
	return true;
}

void loses_request_in(struct point *at)
{
	if (at->requests && is_turn(at))
		at->requests = 0;
}

void doubles_request_in(struct point *at)
{
	if (at->requests && is_turn(at))
		at->requests = 2;
}

void reloads_wrongly_in(struct point *at)
{
	if (is_turn(at))
		at->area->reset = 0;
}

void freezes_not_in(struct point *at)
{
	if (at->value && is_turn(at))
		at->value = 0;
}
