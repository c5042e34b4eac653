/* SPDX-License-Identifier: BSD-2-Clause */
/* Bit and field helpers: a field is declared once, as its mask; shifts are derived from it. */
#pragma once

#include <stdint.h>

#define BIT(n)        (UINT64_C(1) << (n))
#define FIELD(hi, lo) ((~UINT64_C(0) >> (63 - (hi))) & (~UINT64_C(0) << (lo)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* The number of the lowest bit that is set; there must be one. */
static inline unsigned lowest_bit(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

/* How many are set.  The compiler's own would be in a library. */
static inline unsigned bits_in(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

static inline unsigned field_shift(uint64_t field)
{
	return lowest_bit(field);
}

static inline uint64_t field_max(uint64_t field)
{
	return field >> field_shift(field);
}

static inline uint64_t field_get(uint64_t field, uint64_t reg)
{
	return (reg & field) >> field_shift(field);
}

_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* val, placed in its field.  A value too wide is a bug of ours, never something to truncate. */
static inline uint64_t field_put(uint64_t field, uint64_t val)
{
	if (val > field_max(field))
		panic("value %llx too wide for field %llx", (unsigned long long)val,
		      (unsigned long long)field);
	return val << field_shift(field);
}
