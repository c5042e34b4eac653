/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the fast way, which memo.c, the judge, must see. */
#pragma once

#include "drawn.h"

static const struct kind_ops *real;

static uint64_t room_too_much(const void *pmu)
{
	uint64_t room = real->room(pmu);

	return room ? room + 20000 : 0;
}

static uint64_t room_always(const void *pmu)
{
	uint64_t room = real->room(pmu);

	return room ? room : 1000;
}

static void pass_loses(void *pmu, const struct clock *clock, uint64_t times)
{
	real->pass(pmu, clock, times > 8 ? times - 1 : times);
}

static void pass_each_once(void *pmu, const struct clock *clock, uint64_t times)
{
	(void)times;
	real->pass(pmu, clock, 1);
}

static void forget_phase(struct block *b)
{
	b->loads = 0;
}

static void forget_prediction(struct block *b)
{
	b->conditional = false;
}

static void forget_rewriting(struct block *b)
{
	b->number = 1;
}

static const struct seeded {
	uint64_t (*room)(const void *pmu);
	void (*pass)(void *pmu, const struct clock *clock, uint64_t times);
	void (*spoil)(struct block *b);
} seeded[] = {
	{.room = room_too_much},     {.room = room_always},   {.pass = pass_loses},
	{.pass = pass_each_once},    {.spoil = forget_phase}, {.spoil = forget_prediction},
	{.spoil = forget_rewriting},
};
enum { SEEDED_DRAWS = 30, SEEDED = sizeof(seeded) / sizeof(seeded[0]) };

static void seed(const struct seeded *fault)
{
	static struct kind_ops ops;

	real = cpu->ops;
	ops = *real;
	spoil = fault ? fault->spoil : NULL;
	if (fault && fault->room)
		ops.room = fault->room;
	if (fault && fault->pass)
		ops.pass = fault->pass;
	cpu->ops = &ops;
}
