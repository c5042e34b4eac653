/* SPDX-License-Identifier: BSD-2-Clause */
/* What generated faults do to the uncore: of one box, in all sockets. */
#include "kernel/lib/string.h"
#include "model/faults/faults.h"
#include "snbep.h"

/* The one fault that there is at a time, its register, and what it remembers of each socket. */
static struct generated *made;
static struct uncore_reg at;
static unsigned at_box;
static uint64_t since[UNCORE_SOCKETS]; /* events counted since the last was lost */
static bool ran[UNCORE_SOCKETS];

static bool hits(const struct uncore_box *box, enum uncore_register kind, unsigned number)
{
	return box->number == at_box && kind == at.kind && number == at.number;
}

/* Of the counter; all fixed ones are 48 bits wide. */
static uint64_t mask_of(const struct uncore_box *box)
{
	return at.kind == UNCORE_FIXED_CTR ? FIELD(47, 0) : uncore_counter_mask(box);
}

static uint64_t stuck(uint64_t value)
{
	if (made->class == GENERATED_STUCK_0)
		return value & ~made->bit;
	return made->class == GENERATED_STUCK_1 ? value | made->bit : value;
}

static void address(struct uncore *u, struct uncore_reg *reg)
{
	(void)u;
	if (made->class == GENERATED_ALIASED && hits(reg->box, reg->kind, reg->number))
		reg->number = (reg->number + 1) % reg->box->traits->counters;
}

static uint64_t keep(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (reg->box->number == at_box && reg->kind == UNCORE_BOX_CTL && at.kind == UNCORE_CTL &&
	    value & BOX_CTL_RST_CTRL)
		made->shadow = 0;
	if (!hits(reg->box, reg->kind, reg->number))
		return value;
	made->shadow = value;
	if (made->class == GENERATED_IGNORED)
		return value & ~made->bit;
	return made->class == GENERATED_INVERTED ? value ^ made->bit : stuck(value);
}

static uint64_t shown(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (!hits(reg->box, reg->kind, reg->number))
		return value;
	if (made->class == GENERATED_IGNORED || made->class == GENERATED_INVERTED)
		return (value & ~made->bit) | (made->shadow & made->bit);
	return stuck(value);
}

/* The events that are lost of so many more. */
static uint64_t lost(const struct uncore_box *box, uint64_t events)
{
	uint64_t all = since[box->socket] + events;

	since[box->socket] = all % made->bit;
	return all / made->bit;
}

static uint64_t hold(const struct uncore_box *box, unsigned ctr, uint64_t old, uint64_t value)
{
	bool fixed = ctr == UNCORE_COUNTERS;

	if (!hits(box, fixed ? UNCORE_FIXED_CTR : UNCORE_CTR, fixed ? 0 : ctr))
		return value;
	if (made->class == GENERATED_LOST)
		return value - lost(box, (value - old) & mask_of(box));
	if (made->class == GENERATED_ONE_MORE_PER_OVERFLOW && value < old)
		return value + 1;
	return stuck(value);
}

/* A counter starts or stops by its own control register or that of the box. */
static void written(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	struct uncore_box *box = reg->box;
	bool fixed = at.kind == UNCORE_FIXED_CTR, runs, did;
	uint64_t *cell = fixed ? &box->fixed : &box->ctr[at.number];

	(void)value;
	if (box->number != at_box || (at.kind != UNCORE_CTR && !fixed))
		return;
	did = ran[box->socket];
	runs = uncore_runs(u, box, fixed ? UNCORE_COUNTERS : at.number);
	ran[box->socket] = runs;
	if ((made->class == GENERATED_ONE_MORE_PER_START && runs && !did) ||
	    (made->class == GENERATED_ONE_MORE_PER_STOP && !runs && did))
		*cell = (*cell + 1) & mask_of(box);
}

const struct uncore_hooks *generated_uncore(struct generated *g, unsigned sockets)
{
	static struct uncore_hooks hooks = {
		.address = address, .keep = keep, .shown = shown, .hold = hold, .written = written};

	made = g;
	at.kind = (enum uncore_register)(g->msr >> 8 & 0xff);
	at.number = g->msr & 0xff;
	at_box = g->msr >> 16;
	memset(since, 0, sizeof(since));
	memset(ran, 0, sizeof(ran));
	hooks.sockets = sockets;
	return &hooks;
}
