/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The uncore of a client's processor of whose model no box is modelled: so the register that tells
 * how many slices the last-level cache has says none, and the boxes' own registers are not there.
 * Software that goes by the model number alone enables and stops all boxes at once, in a global
 * register or two: they are there, for none.  Intel SDM volume 4, tables of these processors.
 */
#include "kernel/lib/bits.h"
#include "state.h"

#define MSR_UNC_CBO_CONFIG 0x396u
#define NO_MSR             UINT32_MAX

/* Enables, wakes upon, and freezes at an overflow. */
#define CONTROL (BIT(29) | BIT(30) | BIT(31))

/* Its uncore is a Meteor Lake's. */
#define ARROW_LAKE (MODEL_REDWOOD | MODEL_SKYMONT)

/* The global controls, by model, and their bits: those from 0 on select cores for interrupts.  From
 * Meteor Lake on they are as Linux has them (uncore_snb.c). */
static const struct control {
	uint64_t models;
	uint32_t msr;
	uint64_t bits;
	unsigned cell; /* where it keeps its value */
} controls[] = {
	{MODEL_SANDY | MODEL_HASWELL | MODEL_BROADWELL, 0x391, CONTROL | FIELD(3, 0), 0},
	{MODEL_GRACEMONT | MODEL_ALDERLAKE, 0x2ff0, CONTROL, 0},
	{ARROW_LAKE | MODEL_COUGARCOVE | MODEL_DARKMONT, 0x240e, BIT(29), 0},
	{ARROW_LAKE, 0x200e, BIT(29), 1},
	{MODEL_ICELAKE, NO_MSR, 0, 0}, /* drivers know none */
};

/* The control of that address, or with NO_MSR any; NULL: no client, an older one, or not its. */
static const struct control *find(const struct silicon *s, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(controls); i++)
		if (s->profile->bit & controls[i].models &&
		    (msr == NO_MSR || msr == controls[i].msr))
			return &controls[i];
	return NULL;
}

bool client_has(const struct silicon *s, uint32_t msr)
{
	return find(s, msr == MSR_UNC_CBO_CONFIG ? NO_MSR : msr);
}

uint64_t client_rdmsr(const struct silicon *s, uint32_t msr)
{
	return msr == MSR_UNC_CBO_CONFIG ? 0 : s->client_control[find(s, msr)->cell];
}

enum access client_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	if (msr == MSR_UNC_CBO_CONFIG || value & ~find(s, msr)->bits)
		return ACCESS_GP;
	s->client_control[find(s, msr)->cell] = value;
	return ACCESS_DONE;
}
