/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of Ivy Bridge-EP against the fact sheet, where they are not those of Sandy Bridge-EP.
 */
#include "bench.h"

#define HA  DF(14, 1)
#define QPI DF(8, 2)
#define IRP DF(5, 6)

#define EN  UINT64_C(0x400000)

static void test_slices(void)
{
	begin();
	for (uint32_t n = 0; n < 6; n++)
		OK(wr(0xd19 + 0x20 * n, n + 1) && rd(0xd04 + 0x20 * n) == 0);
	for (uint32_t n = 0; n < 6; n++)
		OK(rd(0xd19 + 0x20 * n) == n + 1);
	OK(!wr(0xdc4, 0) && !wr(0xdd6, 0));
	OK(rd(0xc06) == 6 && !wr(0xc06, 6));
}

/* No box inverts. */
static void test_invert(void)
{
	begin();
	OK(!wr(0xd10, 0x800000) && !wr(0xc30, 0x800000) && !wr(0xc10, 0x800000));
	OK(wr(0xd10, 0xff4effff) && rd(0xd10) == 0xff4cffff);
	set(HA, 0xd8, 0xffffffff);
	set(QPI, 0xd8, 0xffffffff);
	set(IRP, 0xd8, 0xffffffff);
	OK(cfg(HA, 0xd8) == 0xff54ffff && cfg(QPI, 0xd8) == 0xff74ffff);
	OK(cfg(IRP, 0xd8) == 0xff54ffff);
}

/* frz alone freezes, whatever bits 17:16 say. */
static void test_freeze(void)
{
	begin();
	OK(!wr(0xd04, 0x40000) && !wr(0xd04, 4));
	OK(wr(0xd10, EN) && wr(0xd04, 0x30000) && rd(0xd04) == 0);
	pass(1300);
	OK(rd(0xd16) == 1300 * UINT64_C(26) / 24);
	OK(wr(0xd04, 0x100) && rd(0xd04) == 0x100);
	pass(1300);
	OK(rd(0xd16) == 1300 * UINT64_C(26) / 24);
	OK(wr(0xd04, 0x30003) && rd(0xd04) == 0 && rd(0xd16) == 0 && rd(0xd10) == 0);
	set(HA, 0xa0, 5);
	set(HA, 0xf4, 0x30003);
	OK(cfg(HA, 0xa0) == 0 && cfg(HA, 0xf4) == 0);
}

static void test_filters(void)
{
	begin();
	OK(wr(0xd14, 0x007e01ff) && rd(0xd14) == 0x007e01ff);
	OK(!wr(0xd14, 0x200) && !wr(0xd14, 0x800000));
	OK(wr(0xd1a, 0xfff0ffff) && rd(0xd1a) == 0xfff0ffff && rd(0xd14) == 0x007e01ff);
	OK(!wr(0xd1a, 0x10000));
	OK(rd(0xc34) == 0 && !wr(0xc3a, 0) && !wr(0xc14, 0));
}

/* Misses that the first slice inserts, by the filters of all of them. */
static uint64_t misses(uint64_t ctl, uint64_t filter0, uint64_t filter1)
{
	uint64_t sum = 0;

	begin();
	for (uint32_t n = 0; n < 6; n++) {
		wr(0xd14 + 0x20 * n, filter0);
		wr(0xd1a + 0x20 * n, filter1);
		wr(0xd10 + 0x20 * n, ctl);
	}
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	for (uint32_t n = 0; n < 6; n++)
		sum += rd(0xd16 + 0x20 * n);
	return sum;
}

/* The second register has opcode and nodes, the first one states. */
static void test_second_filter(void)
{
	OK(misses(0x400335, 0, 0x18200000) == LINES);
	OK(misses(0x400335, 0, 0x18000000) == 0 && misses(0x400335, 0xc1000000, 0) == 0);
	OK(misses(0x404335, 0, 0x18200001) == LINES && misses(0x404335, 0, 0x18200002) == 0);
	OK(misses(0x400334, 0x7e0000, 0) == LINES && misses(0x400334, 0x20000, 0) == LINES);
	OK(misses(0x400334, 0x40000, 0) == 0 && misses(0x400334, 0, 0x7e0000) == 0);
}

/* Counters lie at A0h, B0h, B8h and C0h; events are of the first two. */
static void test_uneven(void)
{
	static const uint16_t at[] = {0xa0, 0xb0, 0xb8, 0xc0};

	begin();
	for (uint16_t i = 0; i < 4; i++) {
		set(IRP, at[i], 0x1000u + i);
		set(IRP, (uint16_t)(at[i] + 4), 0xffffffff);
	}
	for (uint16_t i = 0; i < 4; i++)
		OK(cfg(IRP, at[i]) == 0x1000u + i && cfg(IRP, (uint16_t)(at[i] + 4)) == 0xfff);
	set(IRP, 0xa8, 1);
	OK(cfg(IRP, 0xa8) == 0);
	set(IRP, 0xf4, 2);
	for (uint16_t i = 0; i < 4; i++)
		set(IRP, (uint16_t)(0xd8 + 4 * i), (uint32_t)EN);
	pass(2400);
	OK(cfg(IRP, 0xa0) == 2600 && cfg(IRP, 0xb0) == 2600);
	OK(cfg(IRP, 0xb8) == 0 && cfg(IRP, 0xc0) == 0);
}

static void test_functions(void)
{
	begin();
	OK(cfg(HA, 0) == 0x0e308086 && cfg(IRP, 0) == 0x0e398086 && cfg(QPI, 0) == 0x0e328086);
	OK(uncore_is_msr(&uncore_ivt, 0xdc4) && rd(0xdc4) == ~UINT64_C(0));
	OK(!uncore_is_msr(&uncore_ivt, 0xee4) && uncore_is_msr(&uncore_ivt, 0xec4));
	OK(cfg_on(0x3f, IRP, 0) == 0xffffffff && cfg_on(0, QPI, 0) == 0xdeadbeef);
	OK(cfg(DF(16, 4), 0) == 0x0eb48086 && cfg(DF(16, 1), 0) == 0x0eb18086);
	OK(cfg(DF(19, 5), 0) == 0x0e368086 && cfg(DF(11, 0), 0) == 0x0e1e8086);
	OK(cfg(DF(18, 5), 0) == 0xffffffff && cfg(DF(8, 0), 0xd4) == 4);
	set(DF(16, 4), 0xa0, 7);
	OK(uncore.box[0][9].counter[0].value == 7);
}

/* The share of each box, of the other socket's, too: by role, where the number of boxes is no power
 * of 2. */
static void test_share(void)
{
	uint64_t sum = 0;

	misses(0x400335, 0, 0x18200000);
	for (uint32_t n = 0; n < 6; n++) {
		uint64_t one = rd(0xd16 + 0x20 * n);

		OK(one > LINES / 6 - LINES / 20 && one < LINES / 6 + LINES / 20);
		sum += one;
	}
	OK(sum == LINES);
}

static bool has(const char *fault)
{
	return fault_applies(fault_find(fault), profile_find("ivybridge-ep"));
}

/* Faults of this part: none is in something that it does not have. */
static void test_faults(void)
{
	OK(has("uncore_freeze_dead") && has("uncore_edge_dead") && has("uncore_slice_5_slow"));
	OK(has("uncore_opc_bit_lost") && has("uncore_fixed_rst_dead") && has("uncore_misses_lost"));
	OK(!has("uncore_invert_dead") && !has("uncore_invert_is_at_most"));
	OK(!has("uncore_frz_freezes_alone") && !has("uncore_slice_7_is_3"));
	OK(!fault_applies(fault_find("uncore_freeze_dead"), profile_find("sandybridge")));
}

int main(void)
{
	bench_part = &uncore_ivt;
	test_slices();
	test_invert();
	test_freeze();
	test_filters();
	test_second_filter();
	test_uneven();
	test_functions();
	test_share();
	test_faults();
	return tap_end();
}
