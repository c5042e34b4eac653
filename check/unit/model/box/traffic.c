/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore model against the fact sheet: filters, and what memory traffic drives. */
#include "bench.h"

#define CBO0 (&uncore.box[0][BOX_CBO])
#define HA   (&uncore.box[0][BOX_HA])

/* ---- worked examples of filters ---- */

static const struct uncore_request tor_example[] = {
	{.opc = 0x182, .miss = true, .tid = 7},
	{.opc = 0x182, .miss = false, .tid = 7},
	{.opc = 0x180, .miss = true, .tid = 7},
	{.opc = 0x182, .miss = true, .tid = 4},
};

static uint64_t feed_tor(uint64_t ctl, uint64_t filter)
{
	begin();
	wr(0xd14, filter);
	wr(0xd10, ctl);
	for (unsigned i = 0; i < ARRAY_SIZE(tor_example); i++) {
		struct uncore_segment segment = {.clocks = 1, .arrival = &tor_example[i]};

		uncore_run(&uncore, CBO0, &segment);
	}
	return CBO0->counter[0].value;
}

static void test_tor(void)
{
	OK(feed_tor(0x400135, 0xc1000000) == 3 && feed_tor(0x400335, 0xc1000000) == 2);
	OK(feed_tor(0x480335, 0xc1000007) == 1 && feed_tor(0x400335, 0xc1000007) == 2);
	OK(feed_tor(0x400a35, 0) == 3 && feed_tor(0x400835, 0) == 4 && feed_tor(0x401035, 0) == 0);
	/* Node 0, node 1, none. */
	OK(feed_tor(0x404335, 0xc1000400) == 2 && feed_tor(0x404335, 0xc1000800) == 0);
	OK(feed_tor(0x404135, 0xc1000000) == 0 && feed_tor(0x400435, 0xc1000000) == 0);
	/* Not on counters 2 and 3. */
	begin();
	wr(0xd12, 0x400835);
	OK(!uncore.watching);
}

static uint64_t feed_lookups(uint64_t umask, uint64_t state)
{
	static const uint8_t states[] = {LINE_I, LINE_S, LINE_E, LINE_M, LINE_F, LINE_I};

	begin();
	wr(0xd14, state << 18);
	wr(0xd10, 0x400034 | umask << 8);
	for (unsigned i = 0; i < ARRAY_SIZE(states); i++) {
		struct uncore_request request = {.lookup = 2, .state = states[i]};
		struct uncore_segment segment = {.clocks = 1, .arrival = &request};

		uncore_run(&uncore, CBO0, &segment);
	}
	return CBO0->counter[0].value;
}

static void test_lookups(void)
{
	OK(feed_lookups(3, 0x1f) == 6 && feed_lookups(3, 1) == 2 && feed_lookups(3, 0x12) == 2);
	OK(feed_lookups(3, 0) == 0 && feed_lookups(2, 0x1f) == 0 && feed_lookups(5, 0x1f) == 0);
	OK(feed_lookups(0x11, 0x1f) == 6 && feed_lookups(9, 0x1f) == 0);
}

static uint64_t feed_ha(uint32_t umask, uint32_t opcode)
{
	static const struct uncore_request requests[] = {
		{.address = UINT64_C(0x123456780), .ha_opcode = 4},
		{.address = UINT64_C(0x123456780), .ha_opcode = 2},
		{.address = UINT64_C(0x1234567c0), .ha_opcode = 4},
		{.address = UINT64_C(0x023456780), .ha_opcode = 4},
	};

	begin();
	set(DF(14, 1), 0x40, 0x23456780);
	set(DF(14, 1), 0x44, 1);
	set(DF(14, 1), 0x48, opcode);
	set(DF(14, 1), 0xd8, 0x400020 | umask << 8);
	for (unsigned i = 0; i < ARRAY_SIZE(requests); i++) {
		struct uncore_segment segment = {.clocks = 1, .arrival = &requests[i]};

		uncore_run(&uncore, HA, &segment);
	}
	return HA->counter[0].value;
}

static void test_ha_match(void)
{
	OK(feed_ha(1, 0) == 2 && feed_ha(2, 4) == 3 && feed_ha(3, 4) == 1 && feed_ha(0, 4) == 0);
}

/* ---- memory ---- */

static const uint8_t channels[] = {DF(16, 0), DF(16, 1), DF(16, 4), DF(16, 5)};

/* Reads, writes, and the queue of kind of all channels. */
static void program(bool writes)
{
	begin();
	for (unsigned i = 0; i < 4; i++) {
		set(channels[i], 0xd8, 0x400304);
		set(channels[i], 0xdc, 0x400c04);
		set(channels[i], 0xe0, writes ? 0x400020 : 0x400010);
		set(channels[i], 0xe4, writes ? 0x400021 : 0x400011);
	}
	set(DF(14, 1), 0xd8, 0x400301);
	set(DF(14, 1), 0xdc, 0x400c01);
	set(DF(14, 1), 0xe0, 0x40011a);
	set(DF(14, 1), 0xe4, 0x40021a);
}

static uint64_t of_channels(unsigned i)
{
	uint64_t sum = 0;

	for (unsigned channel = 0; channel < 4; channel++)
		sum += ctr(channels[channel], i);
	return sum;
}

static bool counted(uint64_t reads, uint64_t writes, uint64_t inserts)
{
	return of_channels(0) == reads && of_channels(1) == writes && of_channels(2) == inserts;
}

static bool home_counted(uint64_t reads, uint64_t writes, uint64_t full, uint64_t partial)
{
	uint8_t df = DF(14, 1);

	return ctr(df, 0) == reads && ctr(df, 1) == writes && ctr(df, 2) == full &&
	       ctr(df, 3) == partial;
}

static void test_reads(void)
{
	program(false);
	OK(uncore.watching);
	touch_all(MEMORY_LOAD, 8);
	OK(counted(0, 0, 0)); /* cached, for all we know */
	touch_all(MEMORY_FLUSH, 1);
	OK(counted(0, 0, 0)); /* clean */
	touch_all(MEMORY_LOAD, 8);
	OK(counted(LINES, 0, LINES) && home_counted(LINES, 0, 0, 0));
	OK(ctr(DF(16, 0), 0) == LINES / 4 && ctr(DF(16, 5), 0) == LINES / 4);
	touch_all(MEMORY_LOAD, 8);
	OK(counted(LINES, 0, LINES)); /* cached again */
}

static void test_writes(void)
{
	program(true);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_STORE, 8);
	OK(counted(LINES, 0, 0) && home_counted(LINES, 0, 0, 0)); /* read for ownership */
	touch_all(MEMORY_FLUSH, 1);
	OK(counted(LINES, LINES, LINES) && home_counted(LINES, LINES, LINES, 0));
	/* Dirty before the first flush. */
	program(true);
	touch_all(MEMORY_STORE, 8);
	touch_all(MEMORY_FLUSH, 1);
	OK(counted(0, LINES, LINES));
}

static void test_streams(void)
{
	program(true);
	for (uint64_t i = 0; i < 8 * LINES; i++)
		touch(MEMORY_STREAM, BASE + 8 * i, 8);
	uncore_flush_buffers(&uncore);
	OK(counted(0, LINES, LINES) && home_counted(0, LINES, LINES, 0));
	/* Eight bytes of a line: merged with what is read from memory. */
	program(true);
	touch_all(MEMORY_STREAM, 8);
	OK(counted(LINES, LINES, LINES) && home_counted(0, LINES, 0, LINES));
	/* All of it, but dirty: that is written back ahead of it. */
	program(true);
	touch_all(MEMORY_STORE, 8);
	for (uint64_t i = 0; i < 8 * LINES; i++)
		touch(MEMORY_STREAM, BASE + 8 * i, 8);
	uncore_drain(&uncore);
	OK(counted(0, 2 * LINES, 2 * LINES) && home_counted(0, 2 * LINES, 2 * LINES, 0));
}

static void test_straddling(void)
{
	struct memory_access access = {
		.kind = MEMORY_STORE, .physical = BASE + 62, .size = 4, .locked = true};

	begin();
	wr(0xc10, 0x400044);
	for (unsigned i = 0; i < 5; i++)
		uncore_access(&uncore, &access);
	access.physical = BASE + 60;
	uncore_access(&uncore, &access);
	OK(rd(0xc16) == 5);
	program(false);
	touch_all(MEMORY_FLUSH, 1);
	touch(MEMORY_LOAD, BASE + 60, 8);
	OK(of_channels(0) == 2);
}

/* ---- slices ---- */

static void program_slices(uint64_t filter, uint64_t ctl0, uint64_t ctl1)
{
	begin();
	for (uint32_t n = 0; n < 8; n++) {
		wr(0xd14 + 0x20 * n, filter);
		wr(0xd10 + 0x20 * n, ctl0);
		wr(0xd11 + 0x20 * n, ctl1);
	}
	touch_all(MEMORY_FLUSH, 1);
}

static uint64_t of_slices(uint32_t i)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < 8; n++)
		sum += rd(0xd16 + i + 0x20 * n);
	return sum;
}

static void test_slices(void)
{
	program_slices(0xc17c0000, 0x400135, 0x400334);
	touch_all(MEMORY_LOAD, 8);
	OK(of_slices(0) == LINES && of_slices(1) == LINES && rd(0xd16) == LINES / 8);
	program_slices(0xc0000000, 0x400335, 0x401035);
	touch_all(MEMORY_STORE, 8);
	OK(of_slices(0) == LINES && of_slices(1) == 0);
	touch_all(MEMORY_FLUSH, 1);
	OK(of_slices(0) == LINES && of_slices(1) == LINES);
	/* MISC WC_ALIASING: of lines that are dirty alone. */
	program_slices(0, 0x400239, 0x400d39);
	touch_all(MEMORY_STREAM, 8);
	OK(of_slices(0) == 0);
	touch_all(MEMORY_STORE, 8);
	touch_all(MEMORY_STREAM, 8);
	OK(of_slices(0) == LINES && of_slices(1) == 0);
}

enum { MANY = 8192, KEPT = 4608 };

static void touch_many(enum memory_kind kind)
{
	for (uint64_t i = 0; i < MANY; i++)
		touch(kind, BASE + i * UNCORE_LINE, 1);
	uncore_drain(&uncore);
}

/* The core keeps 4608 lines, of 512 sets; what it has modified goes to the LLC, the rest nowhere.
 */
static void test_evictions(void)
{
	program_slices(0xc1000000, 0x400135, 0x401035);
	touch_many(MEMORY_FLUSH);
	touch_many(MEMORY_STORE);
	OK(of_slices(0) == 0 && of_slices(1) == MANY - KEPT);
	touch_many(MEMORY_LOAD);
	OK(of_slices(0) == MANY && of_slices(1) == MANY);
	touch_many(MEMORY_LOAD);
	OK(of_slices(0) == 2 * MANY && of_slices(1) == MANY);
}

static void test_hit_states(void)
{
	/* M; E, S and F, each of some of them. */
	for (unsigned dirty = 0; dirty < 2; dirty++) {
		program_slices(dirty ? 0x200000 : 0x580000, 0x400334, 0x400534);
		touch_many(MEMORY_FLUSH);
		touch_many(dirty ? MEMORY_STORE : MEMORY_LOAD);
		OK(of_slices(0) == 0);
		touch_many(MEMORY_LOAD);
		OK(of_slices(0) == MANY && of_slices(1) == (dirty ? MANY : 0));
	}
	/* E, S and F one by one. */
	for (uint32_t state = 0x80000; state <= 0x400000; state *= 2) {
		program_slices(state, 0x400334, 0x400534);
		touch_many(MEMORY_FLUSH);
		touch_many(MEMORY_LOAD);
		touch_many(MEMORY_LOAD);
		OK(of_slices(0) / 100 == (state == 0x200000 ? 0 : MANY / 3 / 100));
	}
	/* None of it reaches memory. */
	program(true);
	touch_many(MEMORY_FLUSH);
	touch_many(MEMORY_LOAD);
	touch_many(MEMORY_LOAD);
	touch_many(MEMORY_STORE);
	OK(counted(MANY, 0, 0));
	touch_many(MEMORY_FLUSH);
	OK(counted(MANY, MANY, MANY));
}

/* T8 and T9: what counter 0 accumulates, compared in the others. */
static void test_tor_occupancy(void)
{
	uint64_t any, none, edges, sum;

	begin();
	for (uint64_t i = 0; i < LINES; i++)
		touch(MEMORY_FLUSH, BASE + i * UNCORE_LINE, 1);
	wr(0xd04, 0x10100);
	wr(0xd10, 0x400836);
	wr(0xd11, 0x140001f);
	wr(0xd12, 0x1c0001f);
	wr(0xd13, 0x144001f);
	wr(0xd04, 0x10000);
	touch_all(MEMORY_LOAD, 8);
	wr(0xd04, 0x10100);
	sum = rd(0xd16), any = rd(0xd17), none = rd(0xd18), edges = rd(0xd19);
	OK(any + none == CBO0->clock - LINES * 500 && edges >= 1 && edges <= any);
	OK(sum > any && sum <= 20 * any);
}

/* T10 and T11: all depths differ. */
static void test_queue_depths(void)
{
	uint64_t at[4];

	begin();
	for (unsigned t = 1; t <= 4; t++)
		set(DF(16, 1), (uint16_t)(0xd4 + 4 * t), 0x400080 | t << 24);
	for (unsigned pass_ = 0; pass_ < 2; pass_++)
		touch_all(pass_ ? MEMORY_LOAD : MEMORY_FLUSH, 1);
	for (unsigned i = 0; i < 4; i++)
		at[i] = ctr(DF(16, 1), i);
	OK(at[0] > at[1] && at[1] > at[2] && at[2] > at[3] && at[3] > 0);
}

/* Lines that the program has flushed are not forgotten, however many others it touches. */
static void test_capacity(void)
{
	program(false);
	for (uint64_t i = 0; i < 16384; i++)
		touch(MEMORY_FLUSH, BASE + i * UNCORE_LINE, 1);
	for (uint64_t i = 0; i < 100000; i++)
		touch(MEMORY_STORE, 0x10000000 + i * UNCORE_LINE, 8);
	for (uint64_t i = 0; i < 16384; i++)
		touch(MEMORY_LOAD, BASE + i * UNCORE_LINE, 8);
	OK(of_channels(0) == 16384);
}

int main(void)
{
	test_tor();
	test_lookups();
	test_ha_match();
	test_reads();
	test_writes();
	test_streams();
	test_straddling();
	test_slices();
	test_tor_occupancy();
	test_queue_depths();
	test_evictions();
	test_hit_states();
	test_capacity();
	return tap_end();
}
