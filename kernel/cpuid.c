/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves of CPUID that a processor may not have. */
#include "cpu.h"

struct cpuid_regs cpuid_if_there(uint32_t leaf, uint32_t subleaf)
{
	uint32_t last = cpuid(leaf & CPUID_EXTENDED, 0).eax;

	/* Another leaf's data would hardly begin like this one's number. */
	if (last < leaf || (last ^ leaf) >> 16)
		return (struct cpuid_regs){0};
	return cpuid(leaf, subleaf);
}
