/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes of AMD's processors, as CPUID promises them: APM volume 2, 13.2, and volume 3, E.4.2 and
 * E.4.24. */
#include "box.h"

#define CPUID_EXTENDED_FEATURES 0x80000001u
#define CPUID_PERFMON           0x80000022u
#define PERFMON_V2              BIT(0) /* of EAX */

static bool is_promised(const struct box_promise *promise)
{
	const bool v2 = cpuid_if_there(CPUID_PERFMON, 0).eax & PERFMON_V2;
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	if (cpu.family < promise->first_family || cpu.family > promise->last_family ||
	    (promise->perfmon != ANY_PERFMON && (promise->perfmon == FROM_V2) != v2))
		return false;
	return !promise->bit || cpuid_if_there(CPUID_EXTENDED_FEATURES, 0).ecx >> promise->bit & 1;
}

#define FEW_COUNTERS 4u /* where the leaf tells no number, and the processor has them */

/* Counters of all boxes of a kind. */
static unsigned counters_of_all(const struct box_promise *promise, const struct box_kind *kind)
{
	unsigned told;

	if (!promise->counters)
		return kind->counters;
	told = (unsigned)field_get(promise->counters, cpuid_if_there(CPUID_PERFMON, 0).ebx);
	return told || !promise->bit ? told : FEW_COUNTERS;
}

struct box_promised box_promised(const struct box_place *place, const struct box_kind *kind)
{
	const struct box_promise *promise = &place->promise;
	struct box_promised is = {0};

	if (!is_promised(promise))
		return is;
	is.boxes = place->by_channel ? cpuid_if_there(CPUID_PERFMON, 0).ecx : 1;
	is.counters = counters_of_all(promise, kind);
	if (!is.counters)
		is.boxes = 0;
	if (is.boxes)
		is.counters /= bits_in(is.boxes);
	return is;
}
