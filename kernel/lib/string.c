/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory and string functions that compilers call and C code expects. */
#include "string.h"

#include <stdint.h>

/* String instructions, because compilers turn a C loop here into a call of the function itself.  By
 * dwords as far as they go: emulators, and processors without fast strings, take as long for each
 * as for a byte. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	void *d = to;
	size_t dwords = size / sizeof(uint32_t), bytes = size % sizeof(uint32_t);

	__asm__ volatile("rep movsl" : "+D"(d), "+S"(from), "+c"(dwords) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(bytes) : : "memory");
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	char *d = (char *)to + size - 1;
	const char *s = (const char *)from + size - 1;

	if ((uintptr_t)to - (uintptr_t)from >= size)
		return memcpy(to, from, size);
	__asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(d), "+S"(s), "+c"(size) : : "memory");
	return to;
}

void *memset(void *to, int byte, size_t size)
{
	void *d = to;
	size_t dwords = size / sizeof(uint32_t), bytes = size % sizeof(uint32_t);
	uint32_t four = (uint8_t)byte * UINT32_C(0x01010101);

	__asm__ volatile("rep stosl" : "+D"(d), "+c"(dwords) : "a"(four) : "memory");
	__asm__ volatile("rep stosb" : "+D"(d), "+c"(bytes) : "a"(byte) : "memory");
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *p = a, *q = b;

	for (; size; size--, p++, q++)
		if (*p != *q)
			return *p < *q ? -1 : 1;
	return 0;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	/* Volatile, or the compiler turns the loop into a call of strlen(). */
	while (*(const volatile char *)(text + n))
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return (unsigned char)*a - (unsigned char)*b;
}
