/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and constants by the size of a word, for all rooms, as <word.h>: this is protected mode of
 * 32 bits. */
#pragma once

#include <stdint.h>

#define WORD_ADDRESS_LIMIT (UINT64_C(1) << 32)

/* General registers. */
#define WORD_GPRS 8

/* Bytes of the buffer of payloads: it has more addresses 32 KiB apart than caches have ways. */
#define WORD_BUFFER_SIZE (24u * 32u * 1024u)

/* In assembly: eight bytes at place past the caches, of a register of this size. */
#define ASM_STREAM_8(reg, place) "movnti " reg ", " place "\nmovnti " reg ", 4+" place "\n"

/*
 * Code that nothing but the calls declared in kernel.h and these may call: arguments come in EDI,
 * the lower half of di, and in ESI, and in ring 0 also as C functions have them, on the stack.  It
 * may change all registers but ESP.
 */
typedef uint64_t asm_code(uint64_t di, void *si);

static inline uint64_t kernel_call(asm_code *entry, uint64_t di, void *si)
{
	uint32_t low = (uint32_t)di, high = (uint32_t)(di >> 32);
	uint64_t result;

	__asm__ volatile("push %%ebp\n"
			 "push %%esi\n"
			 "push %[high]\n"
			 "push %%edi\n"
			 "call *%[entry]\n"
			 "add $12, %%esp\n"
			 "pop %%ebp\n"
			 : "+D"(low), "+S"(si),
			   "=&A"(result), [entry] "+c"(entry), [high] "+b"(high)
			 :
			 : "cc", "memory");
	return result;
}

/* With the trap flag set.  POPF sets it, which takes effect after the instruction that follows: the
 * CALL. */
static inline void kernel_call_stepped(asm_code *entry, uint64_t di, void *si)
{
	uint32_t low = (uint32_t)di;

	__asm__ volatile("push %%ebp\n"
			 "pushf\n"
			 "orl %[tf], (%%esp)\n"
			 "popf\n"
			 "call *%[entry]\n"
			 "pop %%ebp\n"
			 : "+D"(low), "+S"(si), [entry] "+c"(entry)
			 : [tf] "i"(0x100 /* TF */)
			 : "eax", "ebx", "edx", "cc", "memory");
}
