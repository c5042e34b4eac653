/* SPDX-License-Identifier: BSD-2-Clause */
/* The global control and status of a part: all boxes of the core's socket stop, and go on. */
#include "box.h"

void uncore_freeze(struct uncore *u)
{
	if (u->frozen)
		return;
	u->frozen = true;
	u->frozen_at = u->now;
}

void uncore_unfreeze(struct uncore *u)
{
	u->frozen = false;
	for (unsigned place = 0; place < u->boxes; place++)
		u->box[u->home][place].held = false;
}

/* That of the box, or the one for all. */
static uint64_t bit_of(const struct uncore_box *box, uint64_t bits)
{
	const uint64_t first = bits & -bits, own = first << box->number;

	return bits & own ? own : first;
}

/* The number of an MSR among those of the part, which has it. */
static unsigned number_of(const struct uncore_part *part, uint32_t msr)
{
	unsigned n = 0;

	while (part->msrs[n].msr != msr)
		n++;
	return n;
}

static uint64_t *value_of(struct uncore *u, uint32_t msr)
{
	return &u->msr[number_of(u->part, msr)];
}

static bool interrupts_core(struct uncore *u)
{
	const uint64_t cores = u->part->global_cores;

	return cores && field_get(cores, *value_of(u, u->part->global)) >> u->core & 1;
}

void uncore_tell(struct uncore *u, const struct uncore_box *box, unsigned ctr)
{
	const struct uncore_kind *kind = box->kind;
	const uint64_t tells = kind->field[GATE_TELLS];

	if (!u->part->global_status || !kind->field[CTL_OVERFLOW] || box->socket != u->home ||
	    (box->acting_box_ctl & tells) != tells)
		return;
	*value_of(u, u->part->global_status) |= ctr == UNCORE_FIXED && kind->fixed_told
							? kind->fixed_told
							: bit_of(box, kind->told);
	u->requests += interrupts_core(u);
	uncore_freeze(u);
}
