/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of clients against the fact sheet. */
#include "bench.h"

#define EN UINT64_C(0x400000)

static void test_registers(void)
{
	begin();
	for (uint32_t n = 0; n < 4; n++)
		OK(wr(0x701 + 0x10 * n, n + 1) && wr(0x707 + 0x10 * n, 0x100 + n));
	for (uint32_t n = 0; n < 4; n++)
		OK(rd(0x701 + 0x10 * n) == n + 1 && rd(0x707 + 0x10 * n) == 0x100 + n);
	OK(!wr(0x740, 0) && !wr(0x702, 0) && rd(0x708) == ~UINT64_C(0));
	OK(!wr(0x700, 0x20000000) && wr(0x700, 0x1fc4ffff) && !wr(0x700, 0x100000));
	OK(rd(0x396) == 4 && !wr(0x396, 4));
	OK(wr(0x3b2, 0x400181) && wr(0x3b1, 5) && rd(0x3b1) == 5 && wr(0x394, EN) && !wr(0x394, 1));
	OK(wr(0x707, UINT64_MAX) && rd(0x707) == UINT64_C(0xfffffffffff));
}

/* Without the global enable nothing counts; 31 is more than any clock has. */
static void test_global(void)
{
	begin();
	OK(wr(0x394, EN) && wr(0x700, 0x1fc00034));
	pass(2400);
	OK(rd(0x395) == 0 && rd(0x706) == 0 && !wr(0xe01, 0x20) && wr(0xe01, 0x2000001f));
	pass(2400);
	OK(rd(0x395) == 3200 && rd(0x706) == 3200 && rd(0xe01) == 0x2000001f && wr(0xe01, 0xf));
	pass(2400);
	OK(rd(0x395) == 3200 && rd(0x706) == 3200);
}

static uint64_t lookups(uint64_t ctl)
{
	uint64_t sum = 0;

	begin();
	wr(0xe01, 0x20000000);
	for (uint32_t n = 0; n < 4; n++)
		wr(0x700 + 0x10 * n, ctl);
	wr(0x3b2, 0x400181);
	wr(0x3b3, 0x402081);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	for (uint32_t n = 0; n < 4; n++)
		sum += rd(0x706 + 0x10 * n);
	return sum;
}

/* States and requests: a bit of each is needed. */
static void test_lookups(void)
{
	OK(lookups(0x408f34) == LINES && lookups(0x401834) == LINES && lookups(0x401f34) == LINES);
	OK(rd(0x3b0) == LINES && rd(0x3b1) == 0);
	OK(lookups(0x401734) == 0 && lookups(0x402f34) == 0 && lookups(0x400f34) == 0);
	OK(lookups(0x408034) == 0 && lookups(0x401835) == 0);
}

static void test_alder_lake(void)
{
	bench_part = &uncore_adl;
	begin();
	OK(wr(0x2018, 0x3fc00000) && !wr(0x2018, 0x40000000) && wr(0x201b, 7) && rd(0x201b) == 7);
	OK(wr(0x2fde, EN) && wr(0x2fd0, 0x400181) && !wr(0x2fd8, 0) && !wr(0xe01, 0));
	pass(2400);
	OK(rd(0x2fdf) == 0 && wr(0x2ff0, 0x20000000));
	pass(2400);
	OK(rd(0x2fdf) == 3200 && rd(0x201a) == 3200);
}

int main(void)
{
	bench_part = &uncore_skl;
	test_registers();
	test_global();
	test_lookups();
	test_alder_lake();
	return tap_end();
}
