/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of seeded faults. */
#include "faults.h"
#include "kernel/lib/string.h"

/* The linker's, around what SEEDED() makes. */
extern const struct fault *const __start_faults[], *const __stop_faults[];
/* And what LAWFUL() makes. */
extern const struct fault *const __start_lawful[], *const __stop_lawful[];

const struct fault *fault_at(unsigned index)
{
	return index < (size_t)(__stop_faults - __start_faults) ? __start_faults[index] : NULL;
}

const struct fault *lawful_at(unsigned index)
{
	return index < (size_t)(__stop_lawful - __start_lawful) ? __start_lawful[index] : NULL;
}

static const struct fault *find(const struct fault *at(unsigned index), const char *name)
{
	const struct fault *fault;

	for (unsigned i = 0; (fault = at(i)) != NULL; i++)
		if (!strcmp(fault->name, name))
			return fault;
	return NULL;
}

const struct fault *fault_find(const char *name)
{
	return find(fault_at, name);
}

const struct fault *lawful_find(const char *name)
{
	return find(lawful_at, name);
}

bool fault_applies(const struct fault *fault, const struct profile *profile)
{
	if (fault->models)
		return fault->models & profile->bit;
	for (unsigned i = 1; i < PROFILE_PMUS && profile->pmus[i].ops; i++)
		if (profile->pmus[i].ops->boxes->may_have(profile->pmus[i].traits, fault->boxes))
			return true;
	return false;
}

const struct fault *lawful_number(const struct profile *profile, unsigned n)
{
	const struct fault *lawful;

	for (unsigned i = 0; (lawful = lawful_at(i)); i++)
		if (fault_applies(lawful, profile) && n-- == 0)
			return lawful;
	return NULL;
}

uint64_t lawful_of(const struct profile *profile)
{
	uint64_t bits = 0;

	for (unsigned n = 0; lawful_number(profile, n); n++)
		bits |= UINT64_C(1) << n;
	return bits;
}

uint64_t lawful_together(const struct profile *profile)
{
	const struct fault *lawful;
	uint64_t bits = lawful_of(profile);

	for (unsigned n = 0; (lawful = lawful_number(profile, n)); n++)
		if (lawful->alone)
			bits &= ~(UINT64_C(1) << n);
	return bits;
}

/* One in four, and none by seed 0. */
uint64_t lawful_of_seed(const struct profile *profile, uint32_t seed)
{
	uint64_t mixed = seed * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t other = (seed ^ 0x5bd1e995) * UINT64_C(0xc2b2ae3d27d4eb4f);

	return seed ? lawful_together(profile) & (mixed ^ mixed >> 29) & (other ^ other >> 31) : 0;
}
