/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that may fault: each returns FAULT_NONE or the vector it raised. */
#ifndef FAULT_H
#define FAULT_H

#include <stdint.h>

#define FAULT_NONE (-1)
#define FAULT_UD   6
#define FAULT_GP   13

/*
 * A pair (instruction, resume), as offsets from their own place: a UEFI image moves.  The trap
 * handler writes the vector to RSI and resumes, so users put "+S"(fault) in their constraints.
 */
#define CATCH(insn, resume)                                                                        \
	".pushsection .extable, \"a\"\n"                                                           \
	".long " #insn " - .\n.long " #resume " - .\n"                                             \
	".popsection\n"

/* FAULT_NONE, or the vector RDMSR raised; *val is then 0. */
static inline int rdmsr_safe(uint32_t msr, uint64_t *val)
{
	uint32_t lo = 0, hi = 0;
	long fault = FAULT_NONE;

	__asm__ volatile("1: rdmsr\n2:\n" CATCH(1b, 2b)
			 : "+a"(lo), "+d"(hi), "+S"(fault)
			 : "c"(msr)
			 : "memory");
	*val = (uint64_t)hi << 32 | lo;
	return (int)fault;
}

/* FAULT_NONE, or the vector WRMSR raised. */
static inline int wrmsr_safe(uint32_t msr, uint64_t val)
{
	long fault = FAULT_NONE;

	__asm__ volatile("1: wrmsr\n2:\n" CATCH(1b, 2b)
			 : "+S"(fault)
			 : "c"(msr), "a"((uint32_t)val), "d"((uint32_t)(val >> 32))
			 : "memory");
	return (int)fault;
}

/* FAULT_NONE, or the vector RDPMC raised; *val is then 0. */
static inline int rdpmc_safe(uint32_t index, uint64_t *val)
{
	uint32_t lo = 0, hi = 0;
	long fault = FAULT_NONE;

	__asm__ volatile("1: rdpmc\n2:\n" CATCH(1b, 2b)
			 : "+a"(lo), "+d"(hi), "+S"(fault)
			 : "c"(index)
			 : "memory");
	*val = (uint64_t)hi << 32 | lo;
	return (int)fault;
}

/* For accesses that must not fault: ends the test, or panics in the runner, with the MSR named. */
uint64_t rdmsr(uint32_t msr);
void wrmsr(uint32_t msr, uint64_t val);

#endif
