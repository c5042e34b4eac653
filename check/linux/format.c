/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a PMU's events, as sysfs tells them: "config:0-7,32-35". */
#include "guest.h"

#include <stdio.h>

enum { CONFIG_BITS = 64 };

/* Puts the next bits of the value into those from first to last, and takes them off it. */
static void deposit(unsigned first, unsigned last, uint64_t *value, uint64_t *config)
{
	for (unsigned bit = first; bit <= last && bit < CONFIG_BITS; bit++) {
		*config |= (*value & 1) << bit;
		*value >>= 1;
	}
}

bool event_put(const char *device, const char *field, uint64_t value, uint64_t *config)
{
	char path[128];
	unsigned first, last;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/format/%s", device, field);
	file = fopen(path, "r");
	if (!file)
		return false;
	for (int more = fscanf(file, "config:"); more != EOF; more = fscanf(file, ",")) {
		if (fscanf(file, "%u", &first) != 1)
			break;
		if (fscanf(file, "-%u", &last) != 1)
			last = first;
		deposit(first, last, &value, config);
	}
	fclose(file);
	return !value;
}
