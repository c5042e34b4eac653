/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of seeded faults: look-up over its parts. */
#include <stddef.h>

#include "faults.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

static const struct fault *const parts[] = {

	faults_uncore_registers,
	faults_uncore_counting,
	faults_uncore_events,
};

/* The linker's, around what FAULT() makes. */
extern const struct fault *const __start_faults[], *const __stop_faults[];

const struct fault *fault_at(unsigned index)
{
	size_t count = (size_t)(__stop_faults - __start_faults);

	if (index < count)
		return __start_faults[index];
	index -= (unsigned)count;
	for (size_t part = 0; part < ARRAY_SIZE(parts); part++)
		for (const struct fault *fault = parts[part]; fault->name; fault++)
			if (index-- == 0)
				return fault;
	return NULL;
}

const struct fault *fault_find(const char *name)
{
	const struct fault *fault;
	size_t length = strlen(name);

	for (unsigned i = 0; (fault = fault_at(i)) != NULL; i++)
		if (strlen(fault->name) == length && !memcmp(fault->name, name, length))
			return fault;
	return NULL;
}

bool fault_applies(const struct fault *fault, const struct profile *profile)
{
	return fault->models & profile->bit;
}
