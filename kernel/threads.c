/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of a core, by CPUID. */
#include "cpu.h"
#include "kernel/lib/bits.h"

#define CPUID_1_EAX_EXT_FAMILY FIELD(27, 20)
#define CPUID_1_EBX_LOGICAL    FIELD(23, 16) /* logical processors of the package */
#define CPUID_1_EDX_HTT        BIT(28)
#define CPUID_4_EAX_CORES      FIELD(31, 26) /* of the package, less one */

/* Leaves 0BH and 1FH, which have the same layout; subleaf 0 is the lowest level. */
#define CPUID_TOPOLOGY           0x0bu
#define CPUID_TOPOLOGY_V2        0x1fu
#define LEVEL_EBX_LOGICAL        FIELD(15, 0)
#define LEVEL_ECX_TYPE           FIELD(15, 8)
#define LEVEL_TYPE_SMT           1u

#define CPUID_AMD_FEATURES       0x80000001u
#define CPUID_AMD_TOPOLOGY       0x8000001eu
#define CPUID_AMD_ECX_CMP_LEGACY BIT(1) /* leaf 1 tells of cores */
#define CPUID_AMD_ECX_TOPOEXT    BIT(22)
#define CPUID_AMD_EBX_THREADS    FIELD(15, 8) /* of the core, less one */

/* 0: the leaf says nothing of it.  The number is that of the processor as it was made: firmware may
 * have disabled the others. */
static unsigned by_topology(uint32_t leaf)
{
	const struct cpuid_regs r = cpuid_if_there(leaf, 0);

	if (field_get(LEVEL_ECX_TYPE, r.ecx) != LEVEL_TYPE_SMT)
		return 0;
	return (unsigned)field_get(LEVEL_EBX_LOGICAL, r.ebx);
}

/* 0: it is none of AMD's.  The threads of leaf 8000_001EH are cores of a compute unit ahead of
 * family 17h (extended family 8), where each core has one thread. */
static unsigned by_amd(const struct cpuid_regs *leaf_1)
{
	uint32_t ecx = cpuid_if_there(CPUID_AMD_FEATURES, 0).ecx;

	if (!(ecx & CPUID_AMD_ECX_CMP_LEGACY))
		return 0;
	if (!(ecx & CPUID_AMD_ECX_TOPOEXT) || field_get(CPUID_1_EAX_EXT_FAMILY, leaf_1->eax) < 8)
		return 1;
	return 1 + (unsigned)field_get(CPUID_AMD_EBX_THREADS,
				       cpuid_if_there(CPUID_AMD_TOPOLOGY, 0).ebx);
}

/* Both are numbers of APIC IDs, of which some may belong to none: right where each is used. */
static unsigned by_package(const struct cpuid_regs *leaf_1)
{
	unsigned logical = (unsigned)field_get(CPUID_1_EBX_LOGICAL, leaf_1->ebx);
	unsigned cores = 1 + (unsigned)field_get(CPUID_4_EAX_CORES, cpuid_if_there(4, 0).eax);

	return logical < cores ? 1 : logical / cores;
}

unsigned core_threads(void)
{
	const struct cpuid_regs leaf_1 = cpuid(1, 0);
	unsigned threads;

	if (!(leaf_1.edx & CPUID_1_EDX_HTT))
		return 1;
	threads = by_topology(CPUID_TOPOLOGY_V2);
	if (!threads)
		threads = by_topology(CPUID_TOPOLOGY);
	if (!threads)
		threads = by_amd(&leaf_1);
	return threads ? threads : by_package(&leaf_1);
}
