/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory traffic of a known number of cache lines. */
#include "snbep_memory.h"

#include "machine.h"

/* Mapped one to one, so also physically in one piece. */
static uint8_t lines[MEMORY_LINES * LINE_SIZE] __attribute__((aligned(4096)));

/* The instructions on each of the first n lines; their address is in RDI. */
#define EACH_LINE(n, insns)                                                                        \
	do {                                                                                       \
		uint8_t *at = lines;                                                               \
		uint64_t left = (n);                                                               \
                                                                                                   \
		__asm__ volatile("1: " insns "\n\tadd %2, %0\n\tdec %1\n\tjnz 1b"                  \
				 : "+D"(at), "+c"(left)                                            \
				 : "i"(LINE_SIZE)                                                  \
				 : "rax", "memory", "cc");                                         \
	} while (0)

static void fence(void)
{
	__asm__ volatile("mfence\n\tlfence" ::: "memory");
}

/* The write queues are emptied when nothing else is to be done. */
void memory_drain(void)
{
	machine_delay_us(1000);
}

void memory_flush(void)
{
	EACH_LINE(MEMORY_LINES, "clflush (%%rdi)");
	fence();
}

void memory_clean(void)
{
	memory_flush();
	memory_drain();
}

void memory_load(void)
{
	EACH_LINE(MEMORY_LINES, "mov (%%rdi), %%eax");
	fence();
}

void memory_store(void)
{
	EACH_LINE(MEMORY_LINES, "mov %%edi, (%%rdi)");
	fence();
}

void memory_write_back(void)
{
	memory_store();
	memory_flush();
	memory_drain();
}

void memory_stream(void)
{
	EACH_LINE(MEMORY_LINES, "movnti %%rdi, (%%rdi)\n\tmovnti %%rdi, 8(%%rdi)\n\t"
				"movnti %%rdi, 16(%%rdi)\n\tmovnti %%rdi, 24(%%rdi)\n\t"
				"movnti %%rdi, 32(%%rdi)\n\tmovnti %%rdi, 40(%%rdi)\n\t"
				"movnti %%rdi, 48(%%rdi)\n\tmovnti %%rdi, 56(%%rdi)");
	fence();
	memory_drain();
}

void memory_load_slowly(void)
{
	EACH_LINE(MEMORY_FEW, "clflush (%%rdi)\n\tmfence\n\tmov (%%rdi), %%eax\n\tlfence");
	fence();
}

void memory_mix(void)
{
	EACH_LINE(MEMORY_FEW, "clflush (%%rdi)");
	fence();
	EACH_LINE(MEMORY_FEW, "mov %%edi, (%%rdi)\n\tclflush (%%rdi)");
	fence();
	memory_drain();
}

void memory_repeat(void)
{
	uint64_t left = MEMORY_REPEAT;

	__asm__ volatile("1: mov (%1), %%eax\n\tlfence\n\tclflush (%1)\n\tmfence\n\t"
			 "dec %0\n\tjnz 1b"
			 : "+c"(left)
			 : "D"(lines)
			 : "rax", "memory", "cc");
}

uint64_t memory_first_line(void)
{
	return (uintptr_t)lines;
}
