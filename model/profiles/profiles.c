/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processors: look-up. */
#include "profiles.h"

#include "kernel/lib/string.h"

/* The linker's, around what PROFILE() makes. */
extern const struct profile *const __start_profiles[], *const __stop_profiles[];

/* In the order of their bits: in which order a section is, compilers decide. */
const struct profile *profile_at(unsigned index)
{
	for (uint64_t bit = 1; bit; bit <<= 1)
		for (const struct profile *const *p = __start_profiles; p < __stop_profiles; p++)
			if ((*p)->bit == bit && index-- == 0)
				return *p;
	return NULL;
}

const struct profile *profile_find(const char *name)
{
	const struct profile *profile;

	for (unsigned i = 0; (profile = profile_at(i)); i++)
		if (!strcmp(profile->name, name))
			return profile;
	return NULL;
}
