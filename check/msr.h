/* SPDX-License-Identifier: BSD-2-Clause */
/* MSRs, for programs of the checks that know which there are: one that is not there faults. */
#pragma once

#include <stdint.h>

static inline void write_msr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr"
			 :
			 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

static inline uint64_t read_msr(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr) : "memory");
	return (uint64_t)high << 32 | low;
}
