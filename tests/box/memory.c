/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory traffic of a known number of cache lines. */
#include "memory.h"

#include "kernel/kernel.h"

/* Mapped one to one, so also physically in one piece. */
static uint8_t own[MEMORY_MANY * LINE_SIZE] __attribute__((aligned(4096)));
static uint8_t *lines = own;
_Static_assert(sizeof(own) <= MACHINE_PLACE_SIZE, "a place has room for all lines");

void memory_use(unsigned place)
{
	lines = place ? (uint8_t *)(uintptr_t)machine_place(place - 1) : own;
}

/* The instructions on each of the first n lines, 16 in a pass; a line is at LINE(0), its byte 8 at
 * LINE(8). */
#define PASS         "0, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960"
#define LINE(byte)   "\\line+" #byte "(%0)"
#define STREAM(byte) ASM_STREAM_8("%0", LINE(byte))
#define EACH_LINE(n, insns)                                                                        \
	do {                                                                                       \
		uint8_t *at = lines;                                                               \
		uintptr_t left = (n) / 16;                                                         \
                                                                                                   \
		__asm__ volatile("1:\n.irp line, " PASS "\n" insns                                 \
				 "\n.endr\n\tadd $1024, %0\n\tdec %1\n\tjnz 1b"                    \
				 : "+D"(at), "+c"(left)                                            \
				 :                                                                 \
				 : "eax", "memory", "cc");                                         \
	} while (0)

static void fence(void)
{
	__asm__ volatile("mfence\n\tlfence" ::: "memory");
}

/* The write queues are emptied when nothing else is to be done: of all lines, and of few. */
#define DRAIN_US     1000u
#define DRAIN_FEW_US 100u

void memory_drain(void)
{
	machine_delay_us(DRAIN_US);
}

/* A function that does this on each of the first n lines, and waits until it is done. */
#define ON_LINES(name, n, insns)                                                                   \
	void name(void)                                                                            \
	{                                                                                          \
		EACH_LINE(n, insns);                                                               \
		fence();                                                                           \
	}
#define FLUSH "clflush " LINE(0)
#define LOAD  "mov " LINE(0) ", %%eax"
#define STORE "mov %k0, " LINE(0)
#define NEXT  "\n\t"

ON_LINES(memory_flush, MEMORY_LINES, FLUSH)
ON_LINES(memory_load, MEMORY_LINES, LOAD)
ON_LINES(memory_store, MEMORY_LINES, STORE)
ON_LINES(memory_flush_many, MEMORY_MANY, FLUSH)
ON_LINES(memory_load_many, MEMORY_MANY, LOAD)
ON_LINES(memory_store_many, MEMORY_MANY, STORE)
ON_LINES(memory_load_slowly, MEMORY_FEW, FLUSH NEXT "mfence" NEXT LOAD NEXT "lfence")
ON_LINES(memory_flush_few, MEMORY_FEW, FLUSH)
ON_LINES(memory_load_few, MEMORY_FEW, LOAD)
ON_LINES(memory_write_few, MEMORY_FEW, STORE NEXT FLUSH)
static void stream_parts(void);
ON_LINES(stream_parts, MEMORY_FEW, STREAM(0))

void memory_clean(void)
{
	memory_flush();
	memory_drain();
}

void memory_write_back(void)
{
	memory_store();
	memory_flush();
	memory_drain();
}

void memory_stream(void)
{
	EACH_LINE(MEMORY_LINES, STREAM(0) STREAM(8) STREAM(16) STREAM(24) STREAM(32) STREAM(40)
					STREAM(48) STREAM(56));
	fence();
	memory_drain();
}

void memory_fill(void)
{
	memory_flush_many();
	memory_load_many();
}

void memory_fill_dirty(void)
{
	memory_flush_many();
	memory_store_many();
}

void memory_burst(void)
{
	memory_flush_few();
	memory_load_few();
}

static void flush_handful(void), load_handful(void), write_handful(void);
ON_LINES(flush_handful, MEMORY_HANDFUL, FLUSH)
ON_LINES(load_handful, MEMORY_HANDFUL, LOAD)
ON_LINES(write_handful, MEMORY_HANDFUL, STORE NEXT FLUSH)

void memory_touch(void)
{
	flush_handful();
	load_handful();
	write_handful();
}

void memory_mix(void)
{
	memory_flush_few();
	memory_write_few();
	memory_load_few();
	memory_flush_few();
	stream_parts();
	machine_delay_us(DRAIN_FEW_US);
}

void memory_repeat(void)
{
	uintptr_t left = MEMORY_REPEAT;

	__asm__ volatile("1: mov (%1), %%eax\n\tlfence\n\tclflush (%1)\n\tmfence\n\t"
			 "dec %0\n\tjnz 1b"
			 : "+c"(left)
			 : "D"(lines)
			 : "eax", "memory", "cc");
}

uint64_t memory_first_line(void)
{
	return (uintptr_t)lines;
}
