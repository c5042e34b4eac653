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

static void test_arrow_lake(void)
{
	bench_part = &uncore_mtl;
	begin();
	OK(wr(0x2473, 0x3fc00000) && !wr(0x2473, 0x40000000) && wr(0x2479, 7) && rd(0x2479) == 7);
	OK(wr(0x2402, EN) && !wr(0x24a2, 0) && !wr(0x2ff0, 0) && wr(0x200e, 0x20000000));
	pass(2400);
	OK(rd(0x2408) == 0 && wr(0x240e, 0x20000000));
	pass(2400);
	OK(rd(0x2408) == 3200);
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

static uint32_t host_bridge(uint16_t offset, unsigned size)
{
	struct pci_access access = {0, 0, offset, size};
	uint32_t value;

	return uncore_pci_read(&uncore, &access, &value) ? value : 0xdeadbeef;
}

/* Lines are counted for some time behind a reading, by 32 bits. */
static void test_memory(void)
{
	const uint64_t at = 0xfed15000;
	struct pci_access bar = {0, 0, 0x48, 4};

	begin();
	OK(host_bridge(0, 4) == 0x191f8086 && host_bridge(2, 2) == 0x191f &&
	   host_bridge(1, 1) == 0x80);
	OK(host_bridge(0x48, 4) == 0xfed10001 && host_bridge(0x4c, 4) == 0 &&
	   host_bridge(0x4a, 2) == 0xfed1 && host_bridge(0x44, 4) == 0xdeadbeef);
	OK(uncore_pci_write(&uncore, &bar, 0) && host_bridge(0x48, 4) == 0xfed10001);
	OK(!uncore_ops.boxes->watches_memory(&uncore) && mem(at + 0x50) == 0 &&
	   uncore_ops.boxes->watches_memory(&uncore));
	touch_all(MEMORY_STORE, 8);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	OK(mem(at + 0x50) == LINES && mem(at + 0x54) == LINES && mem(at + 0x44) == 2 * LINES);
	OK(mem(at + 0x40) == 0 && mem(at + 0x48) == 0 && mem(at + 0x4c) == 0);
	OK(uncore_window_write(&uncore, at + 0x50, 5) && mem(at + 0x50) == LINES);
	OK(mem(at - 0x5004) == 0xdeadbeef && mem(at + 0x3000) == 0xdeadbeef && !mem(at + 0x2ffc));
	uncore_ops.boxes->set_time(&uncore, 0, 65535);
	OK(uncore_ops.boxes->watches_memory(&uncore));
	uncore_ops.boxes->set_time(&uncore, 0, 65536);
	OK(!uncore_ops.boxes->watches_memory(&uncore));
	uncore.box[0][5].lines[0] = UINT64_C(0x1fffffff0);
	OK(mem(at + 0x50) == 0xfffffff0);
}

static void test_hidden(void)
{
	begin();
	uncore_vary(&uncore, UNCORE_HIDDEN);
	OK(mem(0xfed15050) == 0xffffffff && host_bridge(0x48, 4) == 0xfed10001);
	begin();
	uncore_vary(&uncore, UNCORE_CLOSED);
	OK(mem(0xfed15050) == 0xffffffff && host_bridge(0x48, 4) == 0xfed10000);
}

/* Of two controllers, each has every other line; 64 bits. */
static void test_two_controllers(void)
{
	const uint64_t at = 0xfedcd800;

	begin();
	OK(mem_64(at + 0x58) == 0);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	OK(mem_64(at + 0x58) == LINES / 2 && mem_64(at + 0x10058) == LINES / 2);
	OK(mem_64(at + 0xa0) == 0 && mem_64(at + 0x40) == LINES / 2);
	uncore_vary(&uncore, UNCORE_OTHERS);
	pass(2400 * 10);
	OK(mem_64(at + 0x58) > LINES / 2 && mem_64(at + 0xa0) > 0);
	uncore.box[0][9].lines[0] = UINT64_C(0x123456789abcdef);
	uncore.variations = 0;
	OK(mem_64(at + 0x58) == UINT64_C(0x123456789abcdef));
}

static void put(uint64_t physical, uint32_t value)
{
	OK(uncore_window_write(&uncore, physical, value));
}

/* Frozen all together at first; an event is enough, and no counter takes a write. */
static void test_memory_counters(void)
{
	const uint64_t at = 0xfedcd900, other = at + 0x10000, global = other + 0xc0;

	begin();
	OK(mem(global) == 1 && mem(at + 0xc0) == 0);
	put(at + 0xd0, 0x01);
	put(at + 0xd4, 0x22);
	put(other + 0xd4, 0x22);
	put(at + 0xe0, 0xff840fff);
	OK(mem(at + 0xe0) == 0xff840fff && mem(other + 0xd4) == 0x22 && mem(at + 0xe4) == 0);
	pass(2400);
	OK(mem_64(at + 0xe8) == 0);
	put(global, 6);
	OK(mem(global) == 0 && mem(at + 0xd0) == 0);
	put(at + 0xd0, 0x01);
	put(at + 0xd4, 0x22);
	put(other + 0xd4, 0x22);
	pass(2400);
	OK(mem_64(at + 0xe8) == 1600 && mem_64(other + 0xe8) == 0);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	OK(mem_64(at + 0xf0) == LINES / 2 && mem_64(other + 0xf0) == LINES / 2);
	put(at + 0xf0, 5);
	put(at + 0xf4, 5);
	OK(mem_64(at + 0xf0) == LINES / 2);
	put(at + 0xc4, 1);
	put(at + 0xc4, 3);
	OK(mem(at + 0xc4) == 1 && mem(at + 0xd4) == 0 && mem_64(at + 0xf0) == LINES / 2);
	put(at + 0xc4, 5);
	OK(mem_64(at + 0xf0) == 0 && mem_64(other + 0xf0) == LINES / 2);
}

int main(void)
{
	bench_part = &uncore_skl;
	test_registers();
	test_global();
	test_lookups();
	test_memory();
	test_hidden();
	test_arrow_lake();
	test_alder_lake();
	test_two_controllers();
	test_memory_counters();
	return tap_end();
}
