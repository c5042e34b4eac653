/* SPDX-License-Identifier: BSD-2-Clause */
/* What stops all boxes of a socket, and what is told of their overflows, against the fact sheet. */
#include "bench.h"

#define EN       UINT64_C(0x400000)
#define OV_EN    UINT64_C(0x100000)
#define FREEZE   BIT(31)
#define UNFREEZE BIT(29)

static void begin_part(const struct uncore_part *part, unsigned sockets)
{
	bench_part = part;
	begin_sockets(NULL, sockets);
}

/* A slice, power control and a channel of Haswell-EP. */
#define IMC    DF(20, 0)
#define IMC_1  DF(20, 1)
#define R2PCIE DF(16, 1)

static void test_freezes(void)
{
	begin_part(&uncore_hsx, 2);
	OK(rd(0x700) == 0 && wr(0x700, BIT(30) | 0x3ffff) && rd(0x700) == (BIT(30) | 0x3ffff));
	OK(!wr(0x700, BIT(18)) && !wr(0x700, BIT(32)) && wr(0x700, 0));
	OK(wr(0xe01, EN) && wr(0x711, EN) && wr(0x703, EN));
	set(IMC, 0xd8, EN);
	pass(2400);
	OK(wr(0x700, FREEZE) && rd(0x700) == 0);
	pass(2400);
	OK(rd(0xe08) == 2400 && rd(0x717) == 800 && rd(0x704) == 2400 && ctr(IMC, 0) == 1066);
	/* Not what its own control froze, and no other socket's. */
	OK(wr(0x710, 0x100) && wr(0x700, UNFREEZE));
	uncore.box[1][0].counter[0] = uncore.box[0][0].counter[0];
	pass(2400);
	OK(rd(0xe08) == 4800 && rd(0x717) == 800 && ctr(IMC, 0) == 2133);
	OK(wr(0x700, FREEZE | UNFREEZE) && wr(0x700, 0));
	pass(2400);
	OK(rd(0xe08) == 4800);
}

/* A channel's status bit is that of its controller. */
static void test_status(void)
{
	begin_part(&uncore_hsx, 1);
	set(IMC_1, 0xa4, 0xffff);
	set(IMC_1, 0xa0, 0xffffff00);
	set(IMC_1, 0xd8, EN | OV_EN);
	set(R2PCIE, 0xac, 0xffff);
	set(R2PCIE, 0xa8, 0xffffff00);
	set(R2PCIE, 0xdc, EN | OV_EN | 1);
	OK(wr(0xe01, EN) && rd(0x701) == 0);
	pass(240);
	OK(rd(0x701) == 0 && cfg(IMC_1, 0xf8) == 0);
	pass(2400);
	OK(rd(0x701) == 0x20800000 && cfg(IMC_1, 0xf8) == 2 && cfg(R2PCIE, 0xf8) == 2);
	/* All stopped, and an unfreeze alone clears nothing. */
	OK(rd(0xe08) == 2640);
	pass(2400);
	OK(rd(0xe08) == 2640 && wr(0x700, UNFREEZE));
	pass(2400);
	OK(rd(0xe08) == 5040 && rd(0x701) == 0x20800000);
	set(IMC_1, 0xf8, 1);
	OK(wr(0x701, 0x800000) && rd(0x701) == 0x20000000 && cfg(IMC_1, 0xf8) == 2);
	set(IMC_1, 0xf8, 2);
	OK(wr(0x701, 0x20000000) && rd(0x701) == 0 && cfg(IMC_1, 0xf8) == 0);
}

/* Slices have no bit that a source names; without ov_en nothing is told. */
static void test_untold(void)
{
	begin_part(&uncore_hsx, 1);
	OK(wr(0xe08, 0xfffffffffff0) && wr(0xe01, EN) && wr(0x711, EN));
	pass(2400);
	OK(rd(0xe08) == 2384 && rd(0x701) == 0 && rd(0xe07) == 0);
	OK(wr(0xe08, 0xfffffffffff0) && wr(0xe01, EN | OV_EN));
	pass(2400);
	OK(rd(0x701) == 0 && rd(0xe07) == 1 && rd(0x717) == 1600);
	pass(2400);
	OK(rd(0x717) == 1600 && wr(0xe07, 1) && rd(0xe07) == 0 && !wr(0xe07, 0x10));
}

static unsigned requests_with(uint64_t cores)
{
	begin_part(&uncore_hsx, 1);
	uncore.core = 2;
	OK(wr(0x700, cores) && wr(0x704, 0xfffffffffff0) && wr(0x703, EN | OV_EN));
	pass(2400);
	OK(rd(0x701) == 1 && rd(0x708) == 1);
	return uncore.requests;
}

static void test_interrupts(void)
{
	OK(requests_with(0) == 0 && requests_with(BIT(1)) == 0 && requests_with(BIT(2)) == 1);
}

/* Ivy Bridge-EP: the same at C00h, and slices have no ov_en. */
static void test_ivt(void)
{
	begin_part(&uncore_ivt, 1);
	OK(!wr(0xd10, OV_EN) && rd(0xd05) == ~UINT64_C(0) && rd(0xc35) == 0);
	OK(wr(0xd10, EN) && wr(0xc00, FREEZE) && !wr(0xc00, BIT(28)) && !wr(0xc00, BIT(15)));
	pass(2400);
	OK(rd(0xd16) == 0 && wr(0xc00, UNFREEZE));
	OK(wr(0xc36, 0xfffffffffff0) && wr(0xc30, EN | OV_EN));
	pass(2600);
	OK(rd(0xc01) == 4 && rd(0xc35) == 1 && !wr(0xc01, BIT(27)) && wr(0xc01, 4) &&
	   rd(0xc01) == 0);
}

/* Skylake-SP: functions listen with bit 16 of their control alone, and tell with bit 17. */
static void test_skx(void)
{
	begin_part(&uncore_skx, 1);
	OK(cfg(DF(10, 2), 0xf4) == 0x30000 && !wr(0x700, FREEZE) && !wr(0x700, UNFREEZE));
	set(DF(10, 2), 0xd8, EN);
	set(DF(10, 6), 0xd8, EN);
	set(DF(10, 6), 0xf4, 0x20000);
	OK(wr(0xe01, EN) && wr(0xe00, 0) && wr(0x700, BIT(63)) && rd(0x700) == 0);
	pass(2400);
	OK(rd(0xe08) == 0 && ctr(DF(10, 2), 0) == 0 && ctr(DF(10, 6), 0) == 1200);
	OK(wr(0x700, BIT(61)));
	set(DF(10, 6), 0xa4, 0xffff);
	set(DF(10, 6), 0xa0, 0xffffff00);
	set(DF(10, 6), 0xf4, 0x10000);
	set(DF(10, 6), 0xd8, EN | OV_EN);
	pass(2400);
	OK(ctr(DF(10, 6), 0) == 944 && cfg(DF(10, 6), 0xf8) == 2 && rd(0x701) == 0);
	OK(rd(0xe08) == 2400 && wr(0xe38, 0xfffffffffff0) && wr(0xe31, EN | OV_EN));
	pass(2400);
	OK(rd(0x701) == BIT(6) && wr(0x701, BIT(6)) && rd(0x701) == 0);
}

static void test_icx(void)
{
	begin_part(&uncore_icx, 1);
	OK(rd(0x701) == ~UINT64_C(0) && rd(0x70e) == 0 && rd(0x70f) == 0);
	OK(wr(0x70f, 1) && rd(0x70f) == 0);
	OK(wr(0xe01, EN) && wr(0x700, BIT(63)));
	pass(2400);
	OK(rd(0xe08) == 0 && wr(0x700, BIT(61)));
	pass(2400);
	OK(rd(0xe08) == 2400);
}

int main(void)
{
	test_freezes();
	test_status();
	test_untold();
	test_interrupts();
	test_ivt();
	test_skx();
	test_icx();
	return tap_end();
}
