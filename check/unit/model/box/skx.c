/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of Skylake-SP against the fact sheet, where they are not those of Haswell-EP. */
#include "bench.h"

#define IMC   DF(10, 2)
#define M2M   DF(8, 0)
#define UPI   DF(14, 0)
#define M3UPI DF(18, 1)

#define EN    UINT64_C(0x400000)

static void test_slices(void)
{
	begin();
	for (uint32_t n = 0; n < 6; n++)
		OK(wr(0xe0b + 0x10 * n, n + 1) && rd(0xe00 + 0x10 * n) == 0);
	for (uint32_t n = 0; n < 6; n++)
		OK(rd(0xe0b + 0x10 * n) == n + 1);
	OK(!wr(0xe60, 0) && rd(0x702) == 6);
	OK(uncore_is_msr(&uncore_skx, 0xfbb) && !uncore_is_msr(&uncore_skx, 0xfc0));
	OK(wr(0xe05, 0x07ffffff) && rd(0xe05) == 0x07ffffff && !wr(0xe05, 0x08000000));
	OK(wr(0xe06, 0xdffffe3b) && rd(0xe06) == 0xdffffe3b && !wr(0xe06, 0x20000000));
	/* No frz_en: frz alone freezes, and bits 17:16 are refused. */
	OK(wr(0xe01, EN) && wr(0xe00, 0x100) && rd(0xe00) == 0x100 && !wr(0xe00, 0x10000));
	pass(2400);
	OK(rd(0xe08) == 0 && wr(0xe00, 0));
	pass(2400);
	OK(rd(0xe08) == 2400 && wr(0xe00, 0x103) && rd(0xe08) == 0 && rd(0xe01) == 0);
}

static void test_stacks(void)
{
	begin();
	OK(wr(0xa68, 0x7fffffd4ffff) && rd(0xa68) == 0x7fffffd4ffff && !wr(0xa68, BIT(47)));
	OK(wr(0xa61, 5) && rd(0xa61) == 5 && rd(0xa41) == 0 && wr(0xae0, 0) && !wr(0xb00, 0));
	OK(uncore_is_msr(&uncore_skx, 0xae1) && uncore_is_msr(&uncore_skx, 0xafc));
	OK(wr(0xa7b, EN | 1) && wr(0xa68, EN | 1));
	pass(2400);
	OK(rd(0xa62) == 0 && rd(0xa61) == 1005 && rd(0xa79) == 1000);
}

/* DATA_REQ_OF_CPU and TXN_REQ_OF_CPU, by what is done, by port, and by class. */
static uint64_t stack_counts(uint64_t ctl)
{
	begin();
	OK(wr(0xa48, ctl));
	pass(2400 * 1000);
	return rd(0xa41);
}

static void test_ports(void)
{
	const uint64_t all = stack_counts(0x70f000400183);
	uint64_t sum = 0;

	for (unsigned port = 0; port < 4; port++)
		sum += stack_counts(0x700000400183 | BIT(36 + port));
	OK(all && all == sum && stack_counts(0x73f000400183) == all);
	OK(stack_counts(0x701000400483) && !stack_counts(0x710000400483));
	OK(stack_counts(0x70f000400184) == stack_counts(0x10f000400184));
	OK(!stack_counts(0x20f000400184) && stack_counts(0x20f000400484));
}

/* Meters go on while their box is frozen, in 36 bits, and no write reaches them. */
static void test_meters(void)
{
	uint64_t in, clocks;

	begin();
	OK(wr(0xa48, 0x70f000400183) && wr(0xa40, 0x100));
	pass(2400 * 1000);
	clocks = rd(0xa45);
	OK(rd(0xa41) == 0 && clocks == 1000000 && rd(0xa65) == clocks && !wr(0xa45, 0));
	OK(wr(0xa40, 0));
	in = rd(0xb00) + rd(0xb01) + rd(0xb02) + rd(0xb03);
	pass(2400 * 1000);
	OK(rd(0xa41) == rd(0xb00) + rd(0xb01) + rd(0xb02) + rd(0xb03) - in);
	OK(in && rd(0xb04) && rd(0xb04) != rd(0xb00) && rd(0xb10) == rd(0xb00));
	OK(rd(0xb08) == ~UINT64_C(0) && !wr(0xb00, 0) && uncore_is_msr(&uncore_skx, 0xb57));
	pass(UINT64_C(2400000000) * 80);
	OK(rd(0xa45) == 80002000000 % (UINT64_C(1) << 36));
}

/* Lines that all slices count, on counter 3. */
static uint64_t counted(uint64_t ctl, uint64_t filter1)
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
	OK(counted(0x402135, 0x3b) == LINES && counted(0x402135, 0) == 0);
	OK(counted(0x403135, 0x40433) == LINES && counted(0x403135, 0x40033) == 0);
	OK(counted(0x401135, 0x3b) == 0 && counted(0x402035, 0x3b) == 0);
	OK(counted(0x402135, 0x39) == 0 && counted(0x402135, 0x3a) == LINES);
	OK(counted(0x402135, 0x1b) == 0 && counted(0x402135, 0x2b) == LINES);
	OK(counted(0x400159, 0) == LINES && counted(0x400150, 0) == LINES);
	OK(counted(0x40035b, 0) == 0 && counted(0x402136, 0x3b) == 0);
}

static uint64_t ctr_at(uint8_t df, uint16_t low)
{
	return (uint64_t)cfg(df, (uint16_t)(low + 4)) << 32 | cfg(df, low);
}

static void test_functions(void)
{
	begin();
	OK(cfg(IMC, 0) == 0x20428086 && cfg(M3UPI, 0) == 0x204d8086);
	OK(cfg_on(0x3f, M2M, 0) == 0x20668086 && cfg_on(0, M2M, 0) == 0x20148086);
	OK(cfg_on(0, M2M, 0xc0) == 0 && cfg_on(0x40, M2M, 0) == 0xdeadbeef);
	OK(cfg_on(0x17, DF(30, 3), 0x9c) == 0x35c && cfg_on(0x2d, UPI, 0) == 0x20588086);
	OK(cfg_on(0, DF(9, 0), 0) == 0xdeadbeef && cfg_on(0x2d, DF(16, 0), 0) == 0xffffffff);
	set(M3UPI, 0xd8, (uint32_t)EN | 1);
	pass(2400);
	OK(ctr(M3UPI, 0) == 2400);
	set(M3UPI, 0xf4, 0x30100);
	OK(cfg(M3UPI, 0xf4) == 0x30100);
	pass(2400);
	OK(ctr(M3UPI, 0) == 2400);
}

/* Registers beyond 100h, with controls of two dwords. */
static void test_beyond(void)
{
	struct pci_access high = {0x3f, M2M, 0x22c, 4};
	uint32_t value;

	begin();
	set(UPI, 0x350, 0xffffffff);
	set(UPI, 0x354, 0xffffffff);
	OK(cfg(UPI, 0x350) == 0xffd4ffff && cfg(UPI, 0x354) == 0x00ffefff);
	set(UPI, 0x350, (uint32_t)EN | 1);
	OK(cfg(UPI, 0x354) == 0x00ffefff && cfg(UPI, 0x358) == 0);
	set(UPI, 0x354, 0);
	pass(2400);
	OK(ctr_at(UPI, 0x318) == 1300);
	OK(uncore_pci_write(&uncore, &high, 0xffffffff));
	OK(uncore_pci_read(&uncore, &high, &value) && value == 0);
}

static bool has(const char *fault)
{
	return fault_applies(fault_find(fault), profile_find("skylake-sp"));
}

static void test_faults(void)
{
	OK(has("uncore_freeze_dead") && has("uncore_invert_dead") && has("uncore_rfo_is_drd"));
	OK(!has("uncore_nid_ignored"));
	OK(has("uncore_stack_port_1_lost") && !has("uncore_unfreeze_clears"));
}

int main(void)
{
	bench_part = &uncore_skx;
	test_slices();
	test_stacks();
	test_ports();
	test_meters();
	test_traffic();
	test_functions();
	test_beyond();
	test_faults();
	return tap_end();
}
