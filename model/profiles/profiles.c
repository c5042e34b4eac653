/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processors: look-up over the families. */
#include "profiles.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

static const struct profile *const families[] = {profiles_amd, profiles_netburst, profiles_intel};

const struct profile *profile_at(unsigned index)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		for (const struct profile *profile = families[i]; profile->name; profile++)
			if (index-- == 0)
				return profile;
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
