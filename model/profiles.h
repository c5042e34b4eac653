/* SPDX-License-Identifier: BSD-2-Clause */
/* What distinguishes one modelled processor from another: data only. */
#ifndef PROFILES_H
#define PROFILES_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_K7   1u
#define MODEL_K8   2u
#define MODEL_ZEN2 4u
#define MODEL_ALL  (MODEL_K7 | MODEL_K8 | MODEL_ZEN2)

/* One event code: the signal of struct clock that it counts.  With unit_masked, signal is the
 * first of eight and each bit of the unit mask adds its own. */
struct event {
	uint16_t code;
	uint8_t signal;
	bool unit_masked;
};

struct profile {
	const char *name;
	const char *says;
	unsigned bit; /* MODEL_*: how faults name it */
	uint32_t signature; /* CPUID 1 EAX */
	const char *brand;
	uint32_t pmu_features; /* CPUID 8000_0001 ECX, the bits that concern the PMU */
	unsigned counters;
	bool extended; /* registers at C001_0200 too, and legacy names as aliases of them */
	uint64_t select_bits; /* what sticks in an event select register; the rest is dropped */
	unsigned width; /* instructions retired in one clock at most */
	unsigned pmi_latency; /* instructions retired between overflow and interrupt request */
	const struct event *events; /* ends with code 0 */
};

extern const struct profile profiles[];
extern const unsigned profiles_count;

#endif
