/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and constants by the size of a word, for all rooms, as <word.h>: this is 64-bit mode. */
#pragma once

#include <stdint.h>

/* One to one, page tables of 4 levels can map what lies below: virtual addresses have 48 bits, and
 * those above half of that are negative.  AMD64 APM vol. 2, 5.3.1. */
#define WORD_ADDRESS_LIMIT (UINT64_C(1) << 47)

/* General registers. */
#define WORD_GPRS 16

/* Bytes of the buffer of payloads: it has addresses 64 KiB apart. */
#define WORD_BUFFER_SIZE (64u * 1024u + 4096u)

/* In assembly: eight bytes at place past the caches, of a register of this size. */
#define ASM_STREAM_8(reg, place) "movnti " reg ", " place "\n"

/* Code that nothing but the calls declared in kernel.h and these may call: arguments come in RDI
 * and RSI, as C functions have them. */
typedef uint64_t asm_code(uint64_t di, void *si);

static inline uint64_t kernel_call(asm_code *entry, uint64_t di, void *si)
{
	return entry(di, si);
}

/* With the trap flag set.  POPF sets it, which takes effect after the instruction that follows: the
 * CALL. */
static inline void kernel_call_stepped(asm_code *entry, uint64_t di, void *si)
{
	__asm__ volatile("pushfq\n"
			 "orq %[tf], (%%rsp)\n"
			 "popfq\n"
			 "call *%[entry]\n"
			 : "+D"(di), "+S"(si)
			 : [tf] "i"(0x100 /* TF */), [entry] "b"(entry)
			 : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
}
