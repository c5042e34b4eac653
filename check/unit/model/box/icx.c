/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of Ice Lake-SP against the fact sheet, where they are not those of Skylake-SP. */
#include "bench.h"

#define EN    UINT64_C(0x400000)
#define M2M   DF(12, 0)
#define SHOWS DF(0, 1)

static void test_slices(void)
{
	begin();
	for (uint32_t n = 0; n < 6; n++)
		OK(wr(0xe0b + 0x0e * n, n + 1) && rd(0xe00 + 0x0e * n) == 0);
	for (uint32_t n = 0; n < 6; n++)
		OK(rd(0xe0b + 0x0e * n) == n + 1);
	OK(!wr(0xe54, 0) && rd(0x702) == 6 && !wr(0xb60, 0));
	OK(uncore_is_msr(&uncore_icx, 0xeee) && uncore_is_msr(&uncore_icx, 0xf0a));
	OK(!uncore_is_msr(&uncore_icx, 0xefc) && uncore_is_msr(&uncore_icx, 0xfdc));
	OK(wr(0xe05, 0x1ff) && rd(0xe05) == 0x1ff && !wr(0xe05, 0x200) && !wr(0xe06, 0));
	OK(wr(0xe01, UINT64_C(0xffffffffccffff)) && !wr(0xe01, BIT(56)) && wr(0xe01, EN));
	pass(2400);
	OK(rd(0xe08) == 2400 && wr(0xe00, 0x103) && rd(0xe08) == 0 && rd(0xe01) == 0);
}

/* The fourth lies behind a gap, and the sixth is the last. */
static void test_stacks(void)
{
	begin();
	OK(wr(0xa58, UINT64_C(0x7ffffffd4ffff)) && !wr(0xa58, BIT(51)));
	OK(wr(0xae1, 5) && rd(0xae1) == 5 && rd(0xa51) == 0 && !wr(0xab1, 0) && wr(0xb21, 0) &&
	   !wr(0xb41, 0));
	OK(wr(0xadb, 6) && rd(0xadb) == 6 && wr(0xad1, 7) && rd(0xad1) == 7);
	OK(uncore_is_msr(&uncore_icx, 0xb21) && uncore_is_msr(&uncore_icx, 0xb57));
	OK(wr(0xae8, EN | 1) && wr(0xad6, EN | 1));
	pass(2400);
	OK(rd(0xae1) == 1005 && rd(0xad1) == 2407 && rd(0xae5) == 1000);
}

/* Dwords, and 32 bytes each. */
static void test_meters(void)
{
	uint64_t in;

	begin();
	OK(wr(0xa58, UINT64_C(0x70ff000400183)));
	pass(2400 * 1000);
	in = rd(0xaa0) + rd(0xaa1) + rd(0xaa2) + rd(0xaa3);
	OK(in && rd(0xaa4) == 0 && rd(0xaa7) == 0 && rd(0xb30) == rd(0xaa0));
	OK(rd(0xa51) >= 8 * in && rd(0xa51) < 8 * in + 4 * 8);
	OK(!wr(0xaa0, 0) && rd(0xaa8) == ~UINT64_C(0));
}

/* ---- memory ---- */

static uint32_t mem(uint64_t physical)
{
	uint32_t value;

	return uncore_window_read(&uncore, physical, &value) ? value : 0xdeadbeef;
}

static uint64_t mem_64(uint64_t physical)
{
	return (uint64_t)mem(physical + 4) << 32 | mem(physical);
}

static void put(uint64_t physical, uint32_t value)
{
	OK(uncore_window_write(&uncore, physical, value));
}

/* Channel n of the first socket, or of another one, as its function shows. */
static uint64_t channel(unsigned socket, unsigned n)
{
	const uint8_t bus = (uint8_t)(0x3f + 0x40 * socket);
	const uint64_t base = cfg_on(bus, SHOWS, 0xd0) & 0x1fffffff,
		       block = cfg_on(bus, SHOWS, (uint16_t)(0xd8 + 4 * (n / 2))) & 0x7ff;

	return (base << 23) + (block << 12) + 0x22800 + 0x4000 * (n % 2);
}

static void test_channels(void)
{
	begin_sockets(NULL, 2);
	OK(cfg(SHOWS, 0) == 0x34518086 && channel(0, 0) == 0xfe032800);
	for (unsigned n = 0; n < 16; n++)
		put(channel(n / 8, n % 8) + 0x08, n + 1);
	for (unsigned n = 0; n < 16; n++)
		OK(mem_64(channel(n / 8, n % 8) + 0x08) == n + 1);
	OK(mem(channel(0, 0) + 0x8000) == 0 && cfg(SHOWS, 0xe8) == 0);
	put(channel(1, 7) + 0x40, 0xffffffff);
	OK(mem(channel(1, 7) + 0x40) == 0xffd4ffff);
}

/* Of 3.2 GT/s: 1.6 GHz, and half of it. */
static void test_clocks(void)
{
	begin();
	put(channel(0, 3) + 0x44, (uint32_t)EN);
	put(channel(0, 3) + 0x54, (uint32_t)EN);
	pass(2400);
	OK(mem_64(channel(0, 3) + 0x10) == 1600 && mem_64(channel(0, 3) + 0x38) == 800);
	put(channel(0, 3), 0x100);
	pass(2400);
	OK(mem_64(channel(0, 3) + 0x10) == 1600);
	put(channel(0, 3), 0x103);
	OK(mem_64(channel(0, 3) + 0x10) == 0 && mem(channel(0, 3) + 0x44) == 0);
	OK(mem_64(channel(0, 0) - 0x22800 + 0x22b0) == 3200);
}

/* Lines that all channels count, or their controllers. */
static uint64_t counted(uint32_t ctl, enum memory_kind kind)
{
	uint64_t sum = 0;

	begin();
	for (unsigned n = 0; n < 8; n++)
		put(channel(0, n) + 0x40, (uint32_t)EN | ctl);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(kind, 8);
	for (unsigned n = 0; n < 8; n++)
		sum += mem_64(channel(0, n) + 0x08);
	return sum;
}

static uint64_t metered(unsigned at)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < 8; n += 2)
		sum += mem_64(channel(0, n) - 0x22800 + at);
	return sum;
}

static void test_lines(void)
{
	OK(counted(0x0f04, MEMORY_LOAD) == LINES && metered(0x2290) == LINES);
	OK(metered(0x2298) == 0 && metered(0x22a0) == 0);
	OK(counted(0x0104, MEMORY_LOAD) == LINES && counted(0x0e04, MEMORY_LOAD) == 0);
	OK(counted(0x3004, MEMORY_LOAD) == 0 && counted(0x3f04, MEMORY_LOAD) == LINES);
	OK(counted(0x0110, MEMORY_LOAD) == LINES && counted(0x0210, MEMORY_LOAD) == 0);
}

/* Both channels of the mesh's stops. */
static uint64_t read_through(uint32_t ctl, uint32_t extension)
{
	uint64_t sum = 0;

	begin();
	for (unsigned n = 0; n < 4; n++) {
		set((uint8_t)(M2M + 8 * n), 0x468, (uint32_t)EN | ctl);
		set((uint8_t)(M2M + 8 * n), 0x46c, extension);
	}
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	for (unsigned n = 0; n < 4; n++)
		sum += cfg((uint8_t)(M2M + 8 * n), 0x440);
	return sum;
}

static void test_mesh(void)
{
	OK(read_through(0x0437, 7) == LINES && read_through(0x0137, 3) == LINES);
	OK(read_through(0x0437, 1) == LINES / 2 && read_through(0x0437, 2) == LINES / 2);
	OK(read_through(0x0437, 4) == 0 && read_through(0x0237, 7) == 0);
	OK(read_through(0x0437, 0) == 0);
}

int main(void)
{
	bench_part = &uncore_icx;
	test_slices();
	test_stacks();
	test_meters();
	test_channels();
	test_clocks();
	test_lines();
	test_mesh();
	return tap_end();
}
