/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of crossings, and how they are opened. */
#include "crossings.h"

#define IS_64_BIT (sizeof(void *) == 8)

enum { VECTOR_DE = 0, VECTOR_BP = 3, VECTOR_UD = 6, VECTOR_GP = 13, VECTOR_PF = 14 };
/* Vectors of interrupts that nothing here uses. */
enum { VECTOR_OWN = 0x82 };

#pragma GCC visibility push(hidden)
extern const char crossing_trap[], crossing_fault[], crossing_division[], crossing_protected[],
	crossing_page[], crossing_syscall[];
#pragma GCC visibility pop

/* No page is at address 0.  The same seven bytes are mov eax, [0] in 64-bit code, and with another
 * operand in 32-bit code, where the first one is a prefix. */
#define EITHER(of_64, of_32) (IS_64_BIT ? (of_64) : (of_32))

static const struct crossing ways[] = {
	{"int n",
	 {0xcd, VECTOR_OWN},
	 2,
	 VECTOR_OWN,
	 .open = true,
	 .handler = 1,
	 .entry = crossing_trap},
	{"int3", {0xcc}, 1, VECTOR_BP, .open = true, .handler = 1, .entry = crossing_trap},
	{"ud2", {0x0f, 0x0b}, 2, VECTOR_UD, .faults = true, .handler = 2, .entry = crossing_fault},
	{"div by 0",
	 {0xf7, 0xb6, CROSSING_ZERO & 0xff, CROSSING_ZERO >> 8},
	 6,
	 VECTOR_DE,
	 .faults = true,
	 .handler = 2,
	 .entry = crossing_division},
	{"hlt", {0xf4}, 1, VECTOR_GP, .faults = true, .handler = 3, .entry = crossing_protected},
	{"load of no page",
	 {EITHER(0x8b, 0x3e), EITHER(0x04, 0x8b), EITHER(0x25, 0x05)},
	 7,
	 VECTOR_PF,
	 .faults = true,
	 .handler = 3,
	 .entry = crossing_page},
	{"syscall", {0x0f, 0x05}, 2, 0, .handler = 1, .entry = crossing_syscall},
};

const struct crossing *crossing(unsigned i)
{
	return i < ARRAY_SIZE(ways) ? &ways[i] : NULL;
}

static bool is_syscall(const struct crossing *way)
{
	return !way->vector && !way->faults;
}

bool crossing_is_here(const struct crossing *way)
{
	return !is_syscall(way) || entrance_has_syscall();
}

uint32_t crossings_that_fault(uint32_t all)
{
	uint32_t faults = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		faults |= (uint32_t)ways[i].faults << i;
	return all & faults;
}

uint32_t crossings_of(const struct pmu *pmu)
{
	uint32_t published = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
		unsigned needs = ways[i].faults         ? PMU_RETURN_COUNTS
				 : is_syscall(&ways[i]) ? PMU_TARGET_RING
							: 0;

		if (crossing_is_here(&ways[i]) && (pmu->features & needs) == needs)
			published |= UINT32_C(1) << i;
	}
	return published;
}

void crossings_open(uint32_t open)
{
	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		if (!(open >> i & 1))
			continue;
		else if (is_syscall(&ways[i]))
			entrance_set_syscall(ways[i].entry);
		else
			entrance_set(ways[i].vector, ways[i].entry, ways[i].open);
}

void crossings_close(void)
{
	entrances_restore();
}
