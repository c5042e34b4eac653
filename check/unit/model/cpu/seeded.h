/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the fast way, which memo.c, the judge, must see. */
#pragma once

#include "drawn.h"

static const struct core_ops *real;

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

static void pass_loses(void *pmu, const struct passed *passed, unsigned kinds)
{
	for (unsigned i = 0; i < kinds; i++) {
		struct passed one = passed[i];

		one.times -= one.times > 8;
		real->pass(pmu, &one, 1);
	}
}

static void pass_each_once(void *pmu, const struct passed *passed, unsigned kinds)
{
	for (unsigned i = 0; i < kinds; i++) {
		struct passed one = passed[i];

		one.times = 1;
		real->pass(pmu, &one, 1);
	}
}

static void pass_none_but_the_first(void *pmu, const struct passed *passed, unsigned kinds)
{
	(void)kinds;
	real->pass(pmu, passed, 1);
}

static void pass_out_of_order(void *pmu, const struct passed *passed, unsigned kinds)
{
	for (unsigned i = 0; i < kinds; i++) {
		struct passed one = passed[i];

		one.before = NULL;
		real->pass(pmu, &one, 1);
	}
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
	void (*pass)(void *pmu, const struct passed *passed, unsigned kinds);
	void (*spoil)(struct block *b);
} seeded[] = {
	{.room = room_too_much},
	{.room = room_always},
	{.pass = pass_loses},
	{.pass = pass_each_once},
	{.pass = pass_none_but_the_first},
	{.pass = pass_out_of_order},
	{.spoil = forget_phase},
	{.spoil = forget_prediction},
	{.spoil = forget_rewriting},
};
enum { SEEDED_DRAWS = 30, SEEDED = sizeof(seeded) / sizeof(seeded[0]) };

static void seed(const struct seeded *fault)
{
	static struct core_ops ops;

	real = cpu->core_ops;
	ops = *real;
	spoil = fault ? fault->spoil : NULL;
	if (fault && fault->room)
		ops.room = fault->room;
	if (fault && fault->pass)
		ops.pass = fault->pass;
	cpu->core_ops = &ops;
}
