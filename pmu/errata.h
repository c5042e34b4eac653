/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata that may make a test fail on a processor that is as its maker left it.  They
 * are reported, and change no outcome: a seeded or real defect must not hide behind one. */
#ifndef ERRATA_H
#define ERRATA_H

#include <stddef.h>
#include <stdint.h>

struct erratum {
	const char *id, *effect;
	uint32_t first, last; /* CPUID 1 EAX, family, model and stepping */
	const char *tests; /* glob of those that may see it */
};

/* Writes a header line for each of the table that is of this very processor. */
void errata_report(const struct erratum *errata, size_t count);

#endif
