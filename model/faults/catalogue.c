/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of seeded faults. */
#include "faults.h"
#include "kernel/lib/string.h"

/* The linker's, around what SEEDED() makes. */
extern const struct fault *const __start_faults[], *const __stop_faults[];

const struct fault *fault_at(unsigned index)
{
	return index < (size_t)(__stop_faults - __start_faults) ? __start_faults[index] : NULL;
}

const struct fault *fault_find(const char *name)
{
	const struct fault *fault;

	for (unsigned i = 0; (fault = fault_at(i)) != NULL; i++)
		if (!strcmp(fault->name, name))
			return fault;
	return NULL;
}

bool fault_applies(const struct fault *fault, const struct profile *profile)
{
	return fault->models & profile->bit;
}
