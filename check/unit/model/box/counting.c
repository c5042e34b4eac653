/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore model against the worked examples of the fact sheet: threshold, edge, freeze, PCU. */
#include "bench.h"

#define CBO0   (&uncore.box[0][BOX_CBO])
#define PCU    (&uncore.box[0][BOX_PCU])
#define IMC0   (&uncore.box[0][BOX_IMC])

#define FRZ_EN UINT64_C(0x10000)
#define FRZ    UINT64_C(0x100)
#define FROZEN (FRZ_EN | FRZ)
#define CLOCKS UINT64_C(0x400000)
#define INVERT UINT64_C(0x800000)
#define EDGE   UINT64_C(0x040000)
#define AT(t)  ((uint64_t)(t) << 24)

/* RPQ_OCCUPANCY of a channel stands for an event with any increment. */
#define QUEUE UINT64_C(0x400080)

static const uint8_t sequence_a[] = {0, 1, 3, 4, 2, 0, 0, 5, 5, 1, 0, 2};
static const uint8_t sequence_b[] = {1, 1, 0, 0, 1, 0, 1, 1, 1, 0};

/* Feeds the sequence to a counter with ctl, and reads it; the edge detector starts with history. */
static uint64_t feed(uint64_t ctl, bool history, const uint8_t *sequence, size_t length)
{
	begin();
	set(DF(16, 0), 0xd8, (uint32_t)ctl);
	IMC0->counter[0].condition = history;
	for (size_t i = 0; i < length; i++)
		tick(IMC0, CHANNEL_RPQ_OCCUPANCY, sequence[i]);
	return IMC0->counter[0].value;
}

#define A(ctl, history) feed(QUEUE | (ctl), history, sequence_a, sizeof(sequence_a))
#define B(ctl, history) feed(QUEUE | (ctl), history, sequence_b, sizeof(sequence_b))

static void test_threshold_table(void)
{
	static const struct {
		uint8_t plain, invert, edge0, edge1, below0, below1;
	} rows[] = {
		{8, 4, 3, 3, 3, 2},  {6, 6, 3, 3, 3, 2},  {4, 8, 2, 2, 3, 2},  {3, 9, 2, 2, 3, 2},
		{2, 10, 1, 1, 2, 1}, {0, 12, 0, 0, 1, 0}, {0, 12, 0, 0, 1, 0},
	};

	OK(A(0, false) == 23);
	/* Without a threshold inversion and edge detection do nothing. */
	OK(A(INVERT, false) == 23 && A(EDGE, false) == 23);
	for (unsigned t = 1; t <= 7; t++) {
		OK(A(AT(t), false) == rows[t - 1].plain);
		OK(A(AT(t) | INVERT, false) == rows[t - 1].invert);
		OK(A(AT(t) | EDGE, false) == rows[t - 1].edge0);
		OK(A(AT(t) | EDGE, true) == rows[t - 1].edge1);
		OK(A(AT(t) | EDGE | INVERT, false) == rows[t - 1].below0);
		OK(A(AT(t) | EDGE | INVERT, true) == rows[t - 1].below1);
	}
}

static void test_single_bit_table(void)
{
	OK(B(0, false) == 6 && B(AT(1), false) == 6 && B(AT(1) | INVERT, false) == 4);
	OK(B(AT(1) | EDGE, false) == 3 && B(AT(1) | EDGE, true) == 2);
	OK(B(AT(1) | EDGE | INVERT, false) == 3 && B(AT(1) | EDGE | INVERT, true) == 3);
	OK(B(AT(2), false) == 0 && B(AT(2) | INVERT, false) == 10);
	OK(B(AT(2) | EDGE | INVERT, false) == 1 && B(AT(2) | EDGE | INVERT, true) == 0);
}

static uint64_t wrap_cbo(uint64_t start, uint8_t n, unsigned clocks)
{
	begin();
	wr(0xd10, 0x400111); /* RxR_OCCUPANCY.IRQ */
	wr(0xd16, start);
	while (clocks--)
		tick(CBO0, SLICE_RXR_OCCUPANCY, n);
	return rd(0xd16);
}

static void test_overflow(void)
{
	OK(wrap_cbo(UINT64_C(0xffffffffffd), 2, 3) == 3);
	OK(wrap_cbo((UINT64_C(1) << 44) - 100, 20, 10) == 100);
	begin();
	set(DF(16, 0), 0xa0, 0xfffffffb);
	set(DF(16, 0), 0xa4, 0xffff);
	set(DF(16, 0), 0xd8, 0x400080);
	for (unsigned i = 0; i < 8; i++)
		tick(IMC0, CHANNEL_RPQ_OCCUPANCY, 1);
	OK(ctr(DF(16, 0), 0) == 3);
	set(DF(16, 0), 0xa0, 0xffffffff);
	set(DF(16, 0), 0xa4, 0);
	tick(IMC0, CHANNEL_RPQ_OCCUPANCY, 1);
	OK(cfg(DF(16, 0), 0xa0) == 0 && cfg(DF(16, 0), 0xa4) == 1);
	begin();
	OK(wr(0xd16, ~UINT64_C(0)) && rd(0xd16) == UINT64_C(0xfffffffffff));
}

static void run_clocks(uint64_t before, uint64_t box_ctl, uint64_t clocks)
{
	begin();
	wr(0xd10, CLOCKS);
	pass(before);
	wr(0xd04, box_ctl);
	pass(clocks);
}

static void test_freeze(void)
{
	run_clocks(100, FRZ, 50);
	wr(0xd04, 0);
	pass(10);
	OK(rd(0xd16) == 160);
	run_clocks(100, FROZEN, 50);
	OK(rd(0xd16) == 100);
	wr(0xd04, FRZ_EN);
	pass(10);
	OK(rd(0xd16) == 110);
	run_clocks(100, FRZ_EN, 50);
	OK(rd(0xd16) == 150);
	begin();
	pass(30);
	wr(0xd10, CLOCKS);
	pass(20);
	OK(rd(0xd16) == 20);
	/* Another box goes on. */
	begin();
	wr(0xd10, CLOCKS);
	wr(0xd30, CLOCKS);
	pass(100);
	wr(0xd04, FROZEN);
	pass(5);
	wr(0xd24, FROZEN);
	pass(7);
	OK(rd(0xd16) == 100 && rd(0xd36) == 105);
}

static void test_resets(void)
{
	run_clocks(100, FRZ_EN | 2, 7);
	OK(rd(0xd16) == 7 && rd(0xd10) == CLOCKS);
	run_clocks(100, FROZEN | 1, 0);
	wr(0xd04, 0);
	pass(9);
	OK(rd(0xd16) == 100 && rd(0xd10) == 0);
	run_clocks(100, FROZEN | 2, 0);
	OK(rd(0xd04) == FROZEN);
	wr(0xd04, 0);
	pass(9);
	OK(rd(0xd16) == 9);
	/* The rst bit of a control register: this counter only. */
	begin();
	wr(0xd16, 5);
	wr(0xd17, 6);
	OK(wr(0xd10, 0x20000) && rd(0xd10) == 0 && rd(0xd16) == 0 && rd(0xd17) == 6);
	/* HA and channels have no such bits. */
	begin();
	set(DF(16, 0), 0xd8, 0x400000);
	set(DF(16, 0), 0xa0, 100);
	set(DF(16, 0), 0xf4, 0x10103);
	OK(cfg(DF(16, 0), 0xa0) == 100 && cfg(DF(16, 0), 0xd8) == 0x400000);
	OK(cfg(DF(16, 0), 0xf4) == 0x10100);
}

/* ---- clocks ---- */

static void test_clocks(void)
{
	begin();
	wr(0xc08, 0x400000);
	wr(0xc30, CLOCKS);
	set(DF(16, 0), 0xf0, 0x480000);
	set(DF(19, 1), 0xd8, 0x400001);
	set(DF(8, 2), 0xd8, 0x400014);
	pass(240000);
	OK(rd(0xc09) == 240000 && rd(0xc36) == 80000);
	OK(cfg(DF(16, 0), 0xd0) == 66666 && ctr(DF(19, 1), 0) == 240000);
	OK(ctr(DF(8, 2), 0) == 100000);
	/* In small steps as in a large one. */
	for (unsigned i = 0; i < 1000; i++) {
		pass(i % 7);
		rd(0xc36);
	}
	pass(240000 - 2997);
	OK(rd(0xc36) == 160000 && cfg(DF(16, 0), 0xd0) == 133333);
	/* The same by the PCU's pattern of many segments. */
	pass(UINT64_C(2400000000) * 3600);
	OK(rd(0xc36) == 160000 + UINT64_C(800000000) * 3600);
	set(DF(16, 0), 0xf4, 0x10100);
	OK(cfg(DF(16, 0), 0xf0) == 0x400000);
}

static void test_fixed_counters(void)
{
	begin();
	set(DF(16, 0), 0xf0, 0x400000);
	pass(2400);
	set(DF(16, 0), 0xf4, 0x10100); /* frozen with the box */
	pass(2400);
	OK(cfg(DF(16, 0), 0xd0) == 666);
	set(DF(16, 0), 0xf0, 0x80000);
	OK(cfg(DF(16, 0), 0xd0) == 0 && cfg(DF(16, 0), 0xf0) == 0);
	OK(wr(0xc09, ~UINT64_C(0)) && rd(0xc09) == UINT64_C(0xffffffffffff));
	OK(!wr(0xc08, 0x80000) && !wr(0xc08, 0x500000) && wr(0xc08, 0x400000));
}

/* ---- PCU ---- */

static const uint8_t frequencies[] = {12, 12, 20, 26, 32, 32, 26, 12};

static uint64_t feed_pcu(uint64_t ctl, uint64_t filter, unsigned signal, const uint8_t *values,
			 size_t length)
{
	begin();
	wr(0xc34, filter);
	wr(0xc30, ctl);
	for (size_t i = 0; i < length; i++)
		tick(PCU, signal, values[i]);
	return PCU->counter[0].value;
}

#define BAND(ctl) feed_pcu(ctl, 0x201a140c, POWER_FREQUENCY, frequencies, sizeof(frequencies))

static void test_bands(void)
{
	OK(BAND(0x40000b) == 8 && BAND(0x40000c) == 5 && BAND(0x40000d) == 4);
	OK(BAND(0x40000e) == 2 && BAND(0x144000c) == 1 && BAND(0x1c0000c) == 3);
}

static const uint8_t cores[] = {8, 8, 4, 1, 0, 2};

#define OCCUPANCY(ctl) feed_pcu(ctl, 0, POWER_C0, cores, sizeof(cores))

static void test_occupancy(void)
{
	OK(OCCUPANCY(0x404080) == 23 && OCCUPANCY(0x4404080) == 3);
	OK(OCCUPANCY(0x41404080) == 1 && OCCUPANCY(0x84404080) == 1);
	/* Bits 23 and 18 are not for occupancies. */
	OK(OCCUPANCY(0x1c04080) == 5 && OCCUPANCY(0x4444080) == 3);
	OK(OCCUPANCY(0x400080) == 0 && OCCUPANCY(0x40c080) == 0);
}

static uint64_t feed_companion(uint64_t ctl, uint64_t filter, unsigned signal,
			       const uint8_t values[6], const uint8_t in_c0[6])
{
	begin();
	wr(0xc34, filter);
	wr(0xc30, ctl);
	for (unsigned i = 0; i < 6; i++) {
		struct uncore_segment segment = {.clocks = 1};

		segment.n[POWER_C0] = in_c0[i];
		segment.n[signal] = values[i];
		uncore_run(&uncore, PCU, &segment);
	}
	return PCU->counter[0].value;
}

static void test_companion(void)
{
	static const uint8_t changing[] = {0, 1, 1, 0, 1, 1}, in_c0[] = {8, 8, 4, 6, 5, 2};
	static const uint8_t frequency[] = {12, 26, 20, 12, 12, 26}, fewer[] = {3, 8, 2, 1, 4, 0};

	OK(feed_companion(0x5404080, 0, POWER_VOLT_CHANGE, changing, in_c0) == 4);
	OK(feed_companion(0x85404080, 0, POWER_VOLT_CHANGE, changing, in_c0) == 2);
	OK(feed_companion(0x5404083, 0, POWER_VOLT_CHANGE, changing, in_c0) == 2);
	/* Both edges come while nothing changes. */
	OK(feed_companion(0x85404083, 0, POWER_VOLT_CHANGE, changing, in_c0) == 0);
	OK(feed_companion(0x44c0408b, 0x14, POWER_FREQUENCY, frequency, fewer) == 2);
}

/* The four counters of T28d. */
static void test_pcu_partition(void)
{
	begin();
	wr(0xc24, FROZEN);
	wr(0xc30, 0x2404080);
	wr(0xc31, 0x42404080);
	wr(0xc32, 0x400000);
	wr(0xc33, 0x404080);
	wr(0xc24, FRZ_EN);
	pass(24000000);
	wr(0xc24, FROZEN);
	OK(rd(0xc36) + rd(0xc37) == rd(0xc38) && rd(0xc38) == 8000000 && rd(0xc36) == 3000000);
	OK(rd(0xc39) >= rd(0xc36));
}

int main(void)
{
	test_threshold_table();
	test_single_bit_table();
	test_overflow();
	test_freeze();
	test_resets();
	test_clocks();
	test_fixed_counters();
	test_bands();
	test_occupancy();
	test_companion();
	test_pcu_partition();
	return tap_end();
}
