/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of a core, by CPUID. */
#include "cpu.h"
#include "kernel/lib/bits.h"

#define CPUID_1_EBX_LOGICAL_CPUS FIELD(23, 16) /* of the package */
#define CPUID_1_EDX_HTT          BIT(28)
#define CPUID_4_EAX_CORES        FIELD(31, 26) /* of the package, less one */

bool core_has_two_threads(const struct cpuid_regs *leaf_1)
{
	uint64_t logical = field_get(CPUID_1_EBX_LOGICAL_CPUS, leaf_1->ebx), cores = 1;

	if (!(leaf_1->edx & CPUID_1_EDX_HTT))
		return false;
	if (cpuid(0, 0).eax >= 4)
		cores += field_get(CPUID_4_EAX_CORES, cpuid(4, 0).eax);
	return logical / cores > 1;
}
