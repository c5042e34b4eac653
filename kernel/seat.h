/* SPDX-License-Identifier: BSD-2-Clause */
/* The seat: where a processor is in its machine, and what it has in common with others. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What several processors may have one of. */
enum cpu_common {
	COMMON_NOTHING,
	COMMON_DIE, /* Intel's: all of a package, where CPUID tells of no dies */
	COMMON_NODE, /* AMD's: a die, or a package */
	COMMON_L2, /* AMD's cache of that level */
	COMMON_L3,
	COMMONS,
};

struct cpu_seat {
	uint64_t core; /* its number in its die or node, or SEAT_UNKNOWN */
	uint64_t number[COMMONS]; /* of the one that it has, by APIC IDs; or SEAT_UNKNOWN */
};
#define SEAT_UNKNOWN UINT64_MAX

/* Of the running processor, by CPUID alone: Intel SDM vol. 2, CPUID leaves 0Bh and 1Fh; AMD64 APM
 * vol. 3, E.4.7, E.4.15 and E.4.16.  What CPUID does not tell is unknown. */
void seat_find(struct cpu_seat *seat);

/* Is it known that both have the same one? */
bool seat_is_common(const struct cpu_seat *a, const struct cpu_seat *b, enum cpu_common what);
