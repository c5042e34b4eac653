/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory on the bench, with a DS management area and a PEBS buffer. */
#pragma once

#include <string.h>

#include "model/cpu/cpu.h"

/* The machine's memory from BASE on: management area, then the buffer. */
enum { BASE = 0xff000, BUFFER = 0x100000, MEMORY = 0x3000 };
static uint8_t memory[MEMORY];

static inline bool read_memory(void *arg, uint64_t linear, void *to, size_t size)
{
	(void)arg;
	if (linear < BASE || linear + size > BASE + MEMORY)
		return false;
	memcpy(to, memory + (linear - BASE), size);
	return true;
}

static inline bool write_memory(void *arg, uint64_t linear, const void *from, size_t size)
{
	(void)arg;
	if (linear < BASE || linear + size > BASE + MEMORY)
		return false;
	memcpy(memory + (linear - BASE), from, size);
	return true;
}

static inline uint64_t word_at(uint64_t linear)
{
	uint64_t word = 0;

	read_memory(NULL, linear, &word, sizeof(word));
	return word;
}

static inline void fill_area(uint64_t threshold, uint64_t maximum, uint64_t reset)
{
	uint64_t area[8 + 48] = {0};

	area[4] = area[5] = BUFFER;
	area[6] = maximum;
	area[7] = threshold;
	for (unsigned i = 8; i < 8 + 48; i++)
		area[i] = reset;
	memset(memory, 0, sizeof(memory));
	write_memory(NULL, BASE, area, sizeof(area));
}

#define INDEX word_at(BASE + 0x28)
