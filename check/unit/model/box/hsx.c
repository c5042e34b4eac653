/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of Haswell-EP against the fact sheet, where they are not those of Ivy Bridge-EP. */
#include "bench.h"

#define HA  DF(18, 1)
#define QPI DF(8, 2)
#define IRP DF(5, 6)

#define EN  UINT64_C(0x400000)

static void test_slices(void)
{
	begin();
	for (uint32_t n = 0; n < 6; n++)
		OK(wr(0xe0b + 0x10 * n, n + 1) && rd(0xe00 + 0x10 * n) == 0);
	for (uint32_t n = 0; n < 6; n++)
		OK(rd(0xe0b + 0x10 * n) == n + 1);
	OK(!wr(0xe60, 0) && !wr(0xe68, 0) && rd(0xe07) == 0);
	OK(rd(0x702) == 6 && !wr(0x702, 6));
	OK(uncore_is_msr(&uncore_hsx, 0xf10) && uncore_is_msr(&uncore_hsx, 0xf1b));
	OK(!uncore_is_msr(&uncore_hsx, 0xf20) && uncore_is_msr(&uncore_hsx, 0x747));
}

/* Several bits at once fault, one more at a time does not, nor do fewer. */
static void test_bit_by_bit(void)
{
	begin();
	OK(!wr(0x720, 0x10003) && !wr(0x720, 3) && rd(0x720) == 0);
	OK(wr(0x720, 1) && wr(0x720, 3) && wr(0x720, 0x10003) && rd(0x720) == 0);
	OK(wr(0x720, 0x10100) && wr(0x720, 0x10000) && wr(0x720, 0) && !wr(0x720, 0x10100));
	OK(wr(0x72a, 1) && !wr(0x734, 1));
	OK(wr(0xe00, 0x10003) && wr(0x710, 0x10003));
}

static void test_ring_switches(void)
{
	begin();
	OK(wr(0x721, EN) && wr(0x729, 0xffffffffffff) && rd(0x729) == 0xffffffffffff);
	pass(2400);
	OK(rd(0x726) == 2400 && rd(0x730) == 0);
	OK(wr(0x720, 0x100) && wr(0x720, 0x10100));
	pass(2400);
	OK(rd(0x726) == 2400);
	OK(wr(0x720, 0x10102) && rd(0x726) == 0 && rd(0x729) == 0);
	/* RING_AD_USED, each way and both, and IV. */
	OK(wr(0x720, 0x10000) && wr(0x721, EN | 0x031b) && wr(0x722, EN | 0x0c1b) &&
	   wr(0x723, EN | 0x0f1b) && wr(0x724, EN | 0x0f1e));
	pass(24000);
	OK(rd(0x726) && rd(0x726) + rd(0x727) == rd(0x728) && rd(0x729));
}

static void test_system(void)
{
	begin();
	OK(wr(0x703, EN) && wr(0x705, EN) && !wr(0x705, 0x200000) && wr(0x705, 0x1f54ffff));
	pass(4800);
	OK(rd(0x704) == 4800 && rd(0x709) == 0);
	OK(wr(0x70a, 0xfffffffffff) && wr(0x70a, 0xffffffffffff) && rd(0x70a) == 0xfffffffffff);
}

/* The extension of an event is not there; inversion is. */
static void test_power(void)
{
	begin();
	OK(!wr(0x711, 0x200000) && wr(0x711, 0xdf54c0ff) && wr(0x711, 0x00800000));
	OK(wr(0x715, 0xffffffff) && rd(0x715) == 0xffffffff);
	OK(wr(0x714, 0x0440c080) && rd(0x714) == 0x0440c080 && wr(0x71a, 5) && rd(0x71a) == 5);
	OK(wr(0x711, EN));
	pass(2400);
	OK(rd(0x717) == 800 && wr(0x710, 0x10100));
	pass(2400);
	OK(rd(0x717) == 800);
}

static void test_filters(void)
{
	begin();
	OK(wr(0xe05, 0x00fe03ff) && rd(0xe05) == 0x00fe03ff && !wr(0xe05, 0x400));
	OK(wr(0xe06, 0xfff0ffff) && rd(0xe06) == 0xfff0ffff && !wr(0xe06, 0x10000));
}

/* Misses that all slices insert, on counter 3. */
static uint64_t misses(uint64_t ctl, uint64_t filter1)
{
	uint64_t sum = 0;

	begin();
	for (uint32_t n = 0; n < 6; n++) {
		wr(0xe06 + 0x10 * n, filter1);
		wr(0xe04 + 0x10 * n, ctl);
	}
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	for (uint32_t n = 0; n < 6; n++)
		sum += rd(0xe0b + 0x10 * n);
	return sum;
}

static void test_traffic(void)
{
	OK(misses(0x400335, 0x18200000) == LINES && misses(0x400335, 0x18000000) == 0);
	OK(misses(0x404335, 0x18200001) == LINES && misses(0x400a36, 0) == 0);
}

static void test_functions(void)
{
	begin();
	OK(cfg(HA, 0) == 0x2f308086 && cfg(IRP, 0) == 0x2f398086 && cfg(QPI, 0) == 0x2f328086);
	OK(cfg(DF(16, 5), 0) == 0x2f1e8086 && cfg(DF(20, 0), 0) == 0x2fb08086);
	OK(cfg(DF(23, 0), 0) == 0xffffffff && cfg(DF(30, 3), 0x94) == 0);
	set(HA, 0xd8, 0xffffffff);
	set(QPI, 0xd8, 0xffffffff);
	OK(cfg(HA, 0xd8) == 0xffd4ffff && cfg(QPI, 0xd8) == 0xfff4ffff);
	set(IRP, 0xd8, (uint32_t)EN);
	pass(2400);
	OK(cfg(IRP, 0xa0) == 2400 && cfg(IRP, 0xa8) == 0);
}

/* A flit goes in each clock, and the link's clock is as many as a quarter of the transfers. */
static void test_link(void)
{
	begin();
	set(QPI, 0xd8, (uint32_t)EN | 0x101);
	set(QPI, 0xdc, (uint32_t)EN | 0x14);
	pass(2400);
	OK(ctr(QPI, 0) == 2000 && ctr(QPI, 1) == 2000);
}

static bool has(const char *fault)
{
	return fault_applies(fault_find(fault), profile_find("haswell-ep"));
}

static void test_faults(void)
{
	OK(has("uncore_freeze_dead") && has("uncore_opc_bit_lost") && !has("uncore_invert_dead"));
	OK(!has("uncore_frz_freezes_alone") && has("uncore_sbo_deaf_to_freeze"));
	OK(!has("uncore_slice_7_is_3"));
}

int main(void)
{
	bench_part = &uncore_hsx;
	test_slices();
	test_bit_by_bit();
	test_ring_switches();
	test_system();
	test_power();
	test_filters();
	test_traffic();
	test_functions();
	test_link();
	test_faults();
	return tap_end();
}
