/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The uncore of a client's processor, of which no box is modelled: so the register that tells how
 * many slices the last-level cache has says none, and the boxes' own registers are not there.
 * Software that goes by the model number alone enables and stops all boxes at once, in a global
 * register: it is there, for none.  Intel SDM volume 4, tables of these processors.
 */
#include "kernel/lib/bits.h"
#include "state.h"

#define MSR_UNC_CBO_CONFIG 0x396u

/* Enables, wakes upon, and freezes at an overflow. */
#define CONTROL (BIT(29) | BIT(30) | BIT(31))

/* The global control, by model, and its bits: those from 0 on select cores for interrupts. */
static const struct control {
	uint64_t models;
	uint32_t msr;
	uint64_t bits;
} controls[] = {
	{MODEL_SANDY | MODEL_HASWELL | MODEL_BROADWELL, 0x391, CONTROL | FIELD(3, 0)},
	{MODEL_SKYLAKE, 0xe01, CONTROL | FIELD(4, 0)},
	{MODEL_GRACEMONT | MODEL_GOLDENCOVE | MODEL_ALDERLAKE, 0x2ff0, CONTROL},
	{MODEL_ICELAKE, 0, 0}, /* drivers know none */
};

/* NULL: no client, or an older one. */
static const struct control *find(const struct silicon *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(controls); i++)
		if (s->profile->bit & controls[i].models)
			return &controls[i];
	return NULL;
}

bool client_has(const struct silicon *s, uint32_t msr)
{
	const struct control *control = find(s);

	return control && (msr == MSR_UNC_CBO_CONFIG || (control->msr && msr == control->msr));
}

uint64_t client_rdmsr(const struct silicon *s, uint32_t msr)
{
	return msr == MSR_UNC_CBO_CONFIG ? 0 : s->client_control;
}

enum access client_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	if (msr == MSR_UNC_CBO_CONFIG || value & ~find(s)->bits)
		return ACCESS_GP;
	s->client_control = value;
	return ACCESS_DONE;
}
