/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions that C has no words for, and what CPUID says of the core. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/bits.h"
#include "kernel/lib/ports.h"

#define CR4_PCE   ((uintptr_t)BIT(8))
#define RFLAGS_TF ((uintptr_t)BIT(8))
#define RFLAGS_IF ((uintptr_t)BIT(9))
#define RFLAGS_ID ((uintptr_t)BIT(21))
#define MSR_EFER  0xC0000080u
#define EFER_SVME BIT(12)

/* CPUID 1 EDX: AMD64 APM vol. 3 app. E.3.2; Intel SDM vol. 2, CPUID. */
#define CPUID_1_EDX_TSC  BIT(4)
#define CPUID_1_EDX_MSR  BIT(5)
#define CPUID_1_EDX_CMOV BIT(15)

/* EAX: the last leaf from there on. */
#define CPUID_EXTENDED UINT32_C(0x80000000)
/* The kind of a core, on hybrid parts and on some others. */
#define CPUID_HYBRID           UINT32_C(0x1a)
#define CPUID_1A_EAX_CORE_TYPE FIELD(31, 24)
#define CORE_TYPE_ATOM         0x20u
#define CORE_TYPE_CORE         0x40u

struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(subleaf)
			 : "memory");
	return r;
}

/* The answer of a leaf and its subleaf; all 0 where the processor does not have that leaf.  One of
 * Intel's answers a leaf that it does not have with the data of its last basic leaf, 8000_0000h as
 * well, where it has no extended ones: Intel SDM vol. 2A, CPUID. */
struct cpuid_regs cpuid_if_there(uint32_t leaf, uint32_t subleaf);

static inline uint64_t rdtsc(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline void cpu_pause(void)
{
	__asm__ volatile("pause" ::: "memory");
}

static inline void irq_enable(void)
{
	__asm__ volatile("sti\nnop" ::: "memory");
}

static inline void irq_disable(void)
{
	__asm__ volatile("cli" ::: "memory");
}

/* The TLBs forget the page that has this byte.  Ring 0 only. */
static inline void invlpg(const void *byte)
{
	__asm__ volatile("invlpg (%0)" : : "r"(byte) : "memory");
}

/* All caches are written back and emptied: slow.  Ring 0 only. */
static inline void wbinvd(void)
{
	__asm__ volatile("wbinvd" : : : "memory");
}

static inline uintptr_t read_rflags(void)
{
	uintptr_t v;

	__asm__ volatile("pushf\npop %0" : "=r"(v) : : "memory");
	return v;
}

static inline void write_rflags(uintptr_t v)
{
	__asm__ volatile("push %0\n\tpopf" : : "r"(v) : "cc", "memory");
}

/* Can the flag ID be changed?  Intel SDM vol. 2, CPUID.  Every 64-bit processor has it. */
static inline bool has_cpuid(void)
{
	uintptr_t flags = read_rflags(), changed;

	write_rflags(flags ^ RFLAGS_ID);
	changed = read_rflags() ^ flags;
	write_rflags(flags);
	return (changed & RFLAGS_ID) != 0;
}

#define CONTROL_REGISTER(name)                                                                     \
	static inline uintptr_t read_##name(void)                                                  \
	{                                                                                          \
		uintptr_t v;                                                                       \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(v) : : "memory");                    \
		return v;                                                                          \
	}                                                                                          \
	static inline void write_##name(uintptr_t v)                                               \
	{                                                                                          \
		__asm__ volatile("mov %0, %%" #name : : "r"(v) : "memory");                        \
	}
CONTROL_REGISTER(cr0)
CONTROL_REGISTER(cr2)
CONTROL_REGISTER(cr3)
CONTROL_REGISTER(cr4)

/* Operand of LGDT and LIDT. */
struct table_pointer {
	uint16_t limit;
	uintptr_t base;
} __attribute__((packed));

/* ---- instructions that may fault: each returns FAULT_NONE or the vector it raised ---- */

#define FAULT_NONE (-1)
#define FAULT_UD   6
#define FAULT_GP   13

/*
 * A pair (instruction, resume), as offsets from their own place: a UEFI image moves.  The trap
 * handler writes the vector to RSI and resumes, so users have "+S"(fault) in their constraints, or
 * RSI among what is lost.
 */
#define CATCH(insn, resume)                                                                        \
	".pushsection .extable, \"a\"\n"                                                           \
	".long " insn " - .\n.long " resume " - .\n"                                               \
	".popsection\n"

/* *val is 0 after a fault. */
#define SAFE_READ(insn, index)                                                                     \
	static inline int insn##_safe(uint32_t index, uint64_t *val)                               \
	{                                                                                          \
		uint32_t lo = 0, hi = 0;                                                           \
		long fault = FAULT_NONE;                                                           \
                                                                                                   \
		__asm__ volatile("1: " #insn "\n2:\n" CATCH("1b", "2b")                            \
				 : "+a"(lo), "+d"(hi), "+S"(fault)                                 \
				 : "c"(index)                                                      \
				 : "memory");                                                      \
		*val = (uint64_t)hi << 32 | lo;                                                    \
		return (int)fault;                                                                 \
	}
SAFE_READ(rdmsr, msr)
SAFE_READ(rdpmc, counter)

static inline int wrmsr_safe(uint32_t msr, uint64_t val)
{
	long fault = FAULT_NONE;

	__asm__ volatile("1: wrmsr\n2:\n" CATCH("1b", "2b")
			 : "+S"(fault)
			 : "c"(msr), "a"((uint32_t)val), "d"((uint32_t)(val >> 32))
			 : "memory");
	return (int)fault;
}

/* For accesses that must not fault: a fault ends the test, or panics in the runner, and the message
 * names the MSR. */
uint64_t rdmsr(uint32_t msr);
void wrmsr(uint32_t msr, uint64_t val);

/* ---- threads of a core, by CPUID ---- */

/* How many this core was made with, at least 1: Intel SDM vol. 3A, 8.9; AMD64 APM vol. 3, E.4.  Bit
 * 0 of the APIC ID tells threads apart only where there are several: else it may be the core's. */
unsigned core_threads(void);
