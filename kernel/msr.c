/* SPDX-License-Identifier: BSD-2-Clause */
/* MSR accesses that are expected to work. */
#include "bits.h"
#include "fault.h"

uint64_t rdmsr(uint32_t msr)
{
	uint64_t val;
	int fault = rdmsr_safe(msr, &val);

	if (fault != FAULT_NONE)
		panic("RDMSR %x raised vector %d", msr, fault);
	return val;
}

void wrmsr(uint32_t msr, uint64_t val)
{
	int fault = wrmsr_safe(msr, val);

	if (fault != FAULT_NONE)
		panic("WRMSR %x, %llx raised vector %d", msr, (unsigned long long)val, fault);
}
