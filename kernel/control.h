/* SPDX-License-Identifier: BSD-2-Clause */
/* Control, descriptor-table and segment registers: for take-over and giving back only. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdint.h>

#include "kernel/lib/bits.h"

#define CR0_MP          BIT(1)
#define CR0_EM          BIT(2)
#define CR0_TS          BIT(3)
#define CR0_NE          BIT(5)
#define CR0_WP          BIT(16)
#define CR0_AM          BIT(18)

#define CR4_TSD         BIT(2)
#define CR4_PGE         BIT(7)
#define CR4_OSFXSR      BIT(9)
#define CR4_LA57        BIT(12)
#define CR4_SMEP        BIT(20)
#define CR4_SMAP        BIT(21)
#define CR4_PKE         BIT(22)
#define CR4_CET         BIT(23)
#define CR4_PKS         BIT(24)

#define MSR_EFER        0xC0000080u
#define EFER_LME        BIT(8)
#define EFER_NXE        BIT(11)
#define EFER_SVME       BIT(12)
#define MSR_FS_BASE     0xC0000100u
#define MSR_GS_BASE     0xC0000101u
#define MSR_S_CET       0x6A2u
#define S_CET_SH_STK_EN BIT(0)

/* Operand of LGDT and LIDT. */
struct table_pointer {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

#define CONTROL_REGISTER(name)                                                                     \
	static inline uint64_t read_##name(void)                                                   \
	{                                                                                          \
		uint64_t v;                                                                        \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(v) : : "memory");                    \
		return v;                                                                          \
	}                                                                                          \
	static inline void write_##name(uint64_t v)                                                \
	{                                                                                          \
		__asm__ volatile("mov %0, %%" #name : : "r"(v) : "memory");                        \
	}
CONTROL_REGISTER(cr0)
CONTROL_REGISTER(cr3)

/* All caches are written back and emptied: slow.  Ring 0 only. */
static inline void wbinvd(void)
{
	__asm__ volatile("wbinvd" : : : "memory");
}

#define SEGMENT_REGISTER(name)                                                                     \
	static inline uint16_t read_##name(void)                                                   \
	{                                                                                          \
		uint16_t v;                                                                        \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(v));                                 \
		return v;                                                                          \
	}                                                                                          \
	static inline void write_##name(uint16_t v)                                                \
	{                                                                                          \
		__asm__ volatile("mov %0, %%" #name : : "r"(v) : "memory");                        \
	}
SEGMENT_REGISTER(ds)
SEGMENT_REGISTER(es)
SEGMENT_REGISTER(fs)
SEGMENT_REGISTER(gs)
SEGMENT_REGISTER(ss)

static inline uint16_t read_cs(void)
{
	uint16_t v;

	__asm__ volatile("mov %%cs, %0" : "=r"(v));
	return v;
}

/* A far return is the one way to load CS in 64-bit mode that every CPU has. */
static inline void write_cs(uint16_t v)
{
	uint64_t target;

	__asm__ volatile("lea 1f(%%rip), %0\n"
			 "push %1\n"
			 "push %0\n"
			 "lretq\n"
			 "1:\n"
			 : "=&r"(target)
			 : "r"((uint64_t)v)
			 : "memory");
}

static inline uint64_t read_rflags(void)
{
	uint64_t v;

	__asm__ volatile("pushfq\npop %0" : "=r"(v) : : "memory");
	return v;
}

#endif
