/* SPDX-License-Identifier: BSD-2-Clause */
/* The seat: where a processor is in its machine, as CPUID tells. */
#include "kernel.h"

/* Levels of an Intel topology, from below. */
#define CPUID_TOPOLOGY       UINT32_C(0x0b)
#define CPUID_TOPOLOGY_V2    UINT32_C(0x1f)
#define LEVEL_SHIFT          FIELD(4, 0) /* of EAX: bits of the APIC ID up to this level */
#define LEVEL_TYPE           FIELD(15, 8) /* of ECX; 0: there are no more */
#define LEVEL_TYPE_THREAD    1u
#define LEVEL_TYPE_DIE       5u
#define LEVELS_MAX           8u

#define CPUID_AMD_FEATURES   UINT32_C(0x80000001)
#define FEATURES_ECX_TOPOEXT BIT(22)
#define CPUID_AMD_CACHES     UINT32_C(0x8000001d)
#define CACHE_TYPE           FIELD(4, 0) /* of EAX; 0: there is none */
#define CACHE_LEVEL          FIELD(7, 5)
#define CACHE_SHARING        FIELD(25, 14) /* processors that have it, less one */
#define CPUID_AMD_NUMBERS    UINT32_C(0x8000001e)
#define NUMBERS_ECX_NODE     FIELD(7, 0)
#define NUMBERS_ECX_NODES    FIELD(10, 8) /* of a package, less one */
#define CPUID_AMD_SIZES      UINT32_C(0x80000008)
#define SIZES_ECX_ID_BITS    FIELD(15, 12) /* of an APIC ID, within a package */

struct levels {
	bool told;
	unsigned thread, core; /* bits of an APIC ID: of threads; and of all in the die */
	uint32_t id;
};

static struct levels levels(void)
{
	uint32_t leaf =
		cpuid_if_there(CPUID_TOPOLOGY_V2, 0).ebx ? CPUID_TOPOLOGY_V2 : CPUID_TOPOLOGY;
	struct cpuid_regs first = cpuid_if_there(leaf, 0);
	struct levels levels = {.told = first.ebx, .id = first.edx};

	for (unsigned i = 0; levels.told && i < LEVELS_MAX; i++) {
		struct cpuid_regs r = cpuid(leaf, i);
		uint64_t type = field_get(LEVEL_TYPE, r.ecx);

		if (!type || type >= LEVEL_TYPE_DIE)
			break;
		levels.core = (unsigned)field_get(LEVEL_SHIFT, r.eax);
		if (type == LEVEL_TYPE_THREAD)
			levels.thread = levels.core;
	}
	return levels;
}

/* The APIC ID without what tells processors of the die apart. */
static uint64_t die(const struct levels *l)
{
	return l->told ? l->id >> l->core : SEAT_UNKNOWN;
}

static uint64_t core_of_die(const struct levels *l)
{
	return l->told ? (l->id & (BIT(l->core) - 1)) >> l->thread : SEAT_UNKNOWN;
}

static bool has_numbers(void)
{
	return cpuid_if_there(CPUID_AMD_FEATURES, 0).ecx & FEATURES_ECX_TOPOEXT &&
	       cpuid(CPUID_EXTENDED, 0).eax >= CPUID_AMD_NUMBERS;
}

static uint64_t node(void)
{
	return field_get(NUMBERS_ECX_NODE, cpuid(CPUID_AMD_NUMBERS, 0).ecx);
}

/* As many IDs as processors have it, and up to a power of two. */
static uint64_t cache(uint32_t level)
{
	uint32_t eax = cpuid(CPUID_AMD_CACHES, level).eax;
	unsigned shift = 0;

	if (!field_get(CACHE_TYPE, eax) || field_get(CACHE_LEVEL, eax) != level)
		return SEAT_UNKNOWN;
	while (field_get(CACHE_SHARING, eax) >> shift)
		shift++;
	return cpuid(CPUID_AMD_NUMBERS, 0).eax >> shift;
}

/* Cores of a package have APIC IDs one behind the other, node by node. */
static uint64_t core_of_node(void)
{
	uint64_t bits = field_get(SIZES_ECX_ID_BITS, cpuid_if_there(CPUID_AMD_SIZES, 0).ecx);
	uint64_t in_package = cpuid(CPUID_AMD_NUMBERS, 0).eax & (BIT(bits) - 1);
	bool alone = !field_get(NUMBERS_ECX_NODES, cpuid(CPUID_AMD_NUMBERS, 0).ecx);

	return alone || !in_package ? in_package : SEAT_UNKNOWN;
}

void seat_find(struct cpu_seat *seat)
{
	const struct levels l = levels();
	bool numbers = has_numbers();

	*seat = (struct cpu_seat){.core = numbers ? core_of_node() : core_of_die(&l),
				  .number = {
					  [COMMON_NOTHING] = SEAT_UNKNOWN,
					  [COMMON_DIE] = die(&l),
					  [COMMON_NODE] = numbers ? node() : SEAT_UNKNOWN,
					  [COMMON_L2] = numbers ? cache(2) : SEAT_UNKNOWN,
					  [COMMON_L3] = numbers ? cache(3) : SEAT_UNKNOWN,
				  }};
}

bool seat_is_common(const struct cpu_seat *a, const struct cpu_seat *b, enum cpu_common what)
{
	return a->number[what] != SEAT_UNKNOWN && a->number[what] == b->number[what];
}
