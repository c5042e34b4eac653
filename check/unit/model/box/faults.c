/* SPDX-License-Identifier: BSD-2-Clause */
/* Each seeded fault of the Xeons' uncore shows in one exercise of everything that the healthy one
 * does. */
#include "bench.h"

/* The memory is that of the socket whose boxes are looked at. */
enum { TOUCHED = 512, FIRST = 0x4100000, VALUES = 4096 };

static uint64_t values[2][VALUES];
static uint64_t *next;

static void note(uint64_t value)
{
	if (next < values[0] + 2 * VALUES)
		*next++ = value;
}

static const struct box {
	uint8_t df;
	unsigned counters;
} boxes[] = {
	{DF(14, 1), 4}, {DF(16, 0), 4}, {DF(16, 1), 4}, {DF(16, 4), 4}, {DF(16, 5), 4},
	{DF(8, 2), 4},  {DF(9, 2), 4},  {DF(19, 1), 4}, {DF(19, 5), 3}, {DF(19, 6), 3},
};

static uint64_t pci_counter(uint8_t df, unsigned i)
{
	return ctr(df, i);
}

static void note_counters(void)
{
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++)
		for (unsigned i = 0; i < boxes[b].counters; i++)
			note(pci_counter(boxes[b].df, i));
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t n = 0; n < 8; n++)
			note(rd(0xd16 + 0x20 * n + i));
		note(rd(0xc36 + i));
	}
	note(rd(0xc16));
	note(rd(0xc17));
	note(rd(0xc09));
	note(cfg(DF(16, 0), 0xd0));
	note(cfg(DF(16, 0), 0xd4));
}

/* Every register with a pattern of its own. */
static void exercise_registers(void)
{
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++)
		for (unsigned i = 0; i < boxes[b].counters; i++) {
			set(boxes[b].df, (uint16_t)(0xa0 + 8 * i), 0xfff01000 + 16 * b + i);
			set(boxes[b].df, (uint16_t)(0xa4 + 8 * i), 0xfff - i);
			set(boxes[b].df, (uint16_t)(0xd8 + 4 * i), 0xffa40000);
			note(cfg(boxes[b].df, (uint16_t)(0xd8 + 4 * i)));
			set(boxes[b].df, (uint16_t)(0xd8 + 4 * i), 0);
		}
	for (uint32_t n = 0; n < 8; n++)
		for (uint32_t i = 0; i < 4; i++) {
			wr(0xd14 + 0x20 * n, 0xff800000 + n);
			wr(0xd16 + 0x20 * n + i, 0x1000 + 16 * n + i);
			wr(0xd10 + 0x20 * n + i, 0xff8c0000);
			note(rd(0xd10 + 0x20 * n + i));
			wr(0xd10 + 0x20 * n + i, 0);
		}
	for (uint32_t n = 0; n < 8; n++)
		note(rd(0xd14 + 0x20 * n));
	wr(0xc16, 1);
	wr(0xc17, 2);
	wr(0xc34, 0x201a140c);
	set(DF(14, 1), 0x44, 0x3fff);
	set(DF(16, 0), 0xd4, 3);
	set(DF(8, 6), 0x238, 0x1e00);
	set(DF(8, 6), 0x23c, 0xf);
	note(rd(0xc34));
	note(cfg(DF(14, 1), 0x44));
	note(cfg(DF(8, 6), 0x238));
	note_counters();
	set(DF(14, 1), 0x44, 0);
	for (uint16_t i = 0; i < 4; i++)
		note(cfg_on(0x7f, DF(14, 1), (uint16_t)(0xa0 + 8 * i)));
}

static void write_controls(uint32_t pci, uint64_t msr, uint64_t pcu)
{
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++)
		for (unsigned i = 0; i < boxes[b].counters; i++)
			set(boxes[b].df, (uint16_t)(0xd8 + 4 * i), pci);
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t n = 0; n < 8; n++)
			wr(0xd10 + 0x20 * n + i, msr);
		wr(0xc30 + i, pcu);
	}
}

static void write_box_controls(uint32_t value)
{
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++)
		set(boxes[b].df, 0xf4, value);
	for (uint32_t n = 0; n < 8; n++)
		wr(0xd04 + 0x20 * n, value);
	wr(0xc24, value);
}

static void exercise_resets(void)
{
	write_controls(0x800000, 0x800000, 0x800000);
	write_box_controls(0x10102);
	note_counters();
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++)
		note(cfg(boxes[b].df, 0xd8));
	wr(0xc37, 5);
	wr(0xc31, 0x400000);
	wr(0xc24, 0x10101);
	note(rd(0xc31));
	set(DF(19, 1), 0xa8, 7);
	set(DF(19, 1), 0xd8, 0x20000);
	wr(0xc16, 8);
	wr(0xc10, 0x20000);
	set(DF(16, 0), 0xd0, 9);
	set(DF(16, 0), 0xf0, 0x80000);
	note_counters();
}

/* Clock events, run, frozen one after the other, and wrapped. */
static void exercise_clocks(uint32_t extra)
{
	write_controls(0x400000 | extra, 0x400000 | extra, 0x400000 | (extra & 0x1fffffff));
	for (uint16_t i = 0; i < 3; i++) {
		set(DF(19, 1), (uint16_t)(0xd8 + 4 * i), 0x400001 | extra);
		set(DF(19, 5), (uint16_t)(0xd8 + 4 * i), 0x400001 | extra);
		set(DF(8, 2), (uint16_t)(0xd8 + 4 * i), 0x400014 | extra);
	}
	set(DF(16, 0), 0xf0, 0x400000);
	wr(0xc08, 0x400000);
	write_box_controls(0x10000);
	pass(24000);
	wr(0xd04, 0x10100);
	pass(100);
	write_box_controls(0x100);
	pass(1000);
	note_counters();
	write_box_controls(0x10100);
	note_counters();
	pass(2400);
	note_counters();
}

static void exercise_wraps(void)
{
	for (unsigned b = 0; b < ARRAY_SIZE(boxes); b++) {
		set(boxes[b].df, 0xa0, 0xffffffff);
		set(boxes[b].df, 0xa4, b % 2 ? 5 : 0xffffffff);
	}
	set(DF(8, 2), 0xa4, 0xfff);
	wr(0xd16, UINT64_C(0xffffffffff));
	wr(0xc36, UINT64_C(0xffffffffffff));
	wr(0xc09, UINT64_C(0xffffffff));
	exercise_clocks(0);
	write_controls(0, 0, 0);
	set(DF(8, 2), 0xa0, 1);
	pass(1000);
	note_counters();
}

static void traffic(enum memory_kind kind, uint64_t size, unsigned repeat)
{
	for (uint64_t i = 0; i < (uint64_t)TOUCHED * repeat; i++) {
		struct memory_access access = {
			.kind = kind, .physical = FIRST + i * UNCORE_LINE / repeat, .size = size};

		pass(300);
		uncore_access(&uncore, &access);
	}
	uncore_flush_buffers(&uncore);
	uncore_drain(&uncore);
	pass(1000);
}

/* Four controls for each kind of box, and everything that memory does. */
static void exercise_traffic(const uint32_t imc[4], const uint32_t cbo[4], const uint32_t ha[4],
			     uint64_t filter)
{
	static const uint8_t channels[] = {DF(16, 0), DF(16, 1), DF(16, 4), DF(16, 5)};

	write_controls(0, 0, 0);
	write_box_controls(0x10000);
	set(DF(14, 1), 0x40, FIRST + 0x1040);
	for (uint16_t i = 0; i < 4; i++) {
		for (unsigned c = 0; c < 4; c++)
			set(channels[c], (uint16_t)(0xd8 + 4 * i), imc[i]);
		for (uint32_t n = 0; n < 8; n++) {
			wr(0xd14 + 0x20 * n, filter);
			wr(0xd10 + 0x20 * n + i, cbo[i]);
		}
		set(DF(14, 1), (uint16_t)(0xd8 + 4 * i), ha[i]);
	}
	traffic(MEMORY_FLUSH, 1, 1);
	traffic(MEMORY_LOAD, 8, 1);
	traffic(MEMORY_FLUSH, 1, 1);
	traffic(MEMORY_LOAD, 8, 1);
	traffic(MEMORY_FLUSH, 1, 1);
	traffic(MEMORY_STORE, 8, 1);
	traffic(MEMORY_FLUSH, 1, 1);
	traffic(MEMORY_STREAM, 8, 8);
	note_counters();
}

static void exercise_idle(uint64_t pcu, uint32_t qpi)
{
	wr(0xc30, pcu);
	set(DF(8, 6), 0x228, 0x1c00);
	set(DF(8, 2), 0xd8, qpi);
	pass(240000000);
	note_counters();
}

static void exercise(void)
{
	static const uint32_t counts[4] = {0x400304, 0x400c04, 0x400010, 0x400020};
	static const uint32_t depths[4] = {0x400080, 0x1400080, 0x2400080, 0x3400080};
	static const uint32_t edges[4] = {0x1440080, 0x1c40080, 0x2c00080, 0x2400080};
	static const uint32_t tor[4] = {0x400135, 0x400335, 0x40001f, 0x400000};
	static const uint32_t lookups[4] = {0x400334, 0x400234, 0x40001f, 0x400000};
	static const uint32_t nodes[4] = {0x400836, 0x404335, 0x140001f, 0x1c0001f};
	static const uint32_t home[4] = {0x400301, 0x400c01, 0x400f01, 0x40011a};
	static const uint32_t match[4] = {0x400120, 0x40021a, 0x400101, 0x400401};

	exercise_registers();
	exercise_resets();
	exercise_clocks(0);
	exercise_clocks(0x1000000);
	exercise_clocks(0x2000000);
	exercise_clocks(0x1800000);
	exercise_clocks(0x1040000);
	exercise_wraps();
	exercise_traffic(counts, tor, home, 0xc1000000);
	exercise_traffic(depths, lookups, match, 0);
	exercise_traffic(depths, lookups, match, 0x7c0000);
	exercise_traffic(edges, nodes, home, 0xc0000800);
	exercise_traffic(counts, tor, home, 0xc0000000);
	exercise_idle(0x40000d, 0x400700);
	exercise_idle(0x2404080, 0x600038);
	exercise_idle(0x42404080, 0x400100);
	exercise_idle(0x600000, 0x600018);
	exercise_idle(0x600000, 0x14);
}

static bool shows(const struct fault *fault)
{
	struct boxes_config config = {.sockets = 2, .tsc_hz = TSC_HZ, .tsc = 1000};

	next = values[1];
	uncore_reset(&uncore, &uncore_snbep, fault);
	uncore_configure(&uncore, &config);
	exercise();
	return memcmp(values[0], values[1], sizeof(values[0])) != 0;
}

int main(void)
{
	const struct fault *fault;
	unsigned faults = 0;

	begin_sockets(NULL, 2);
	next = values[0];
	exercise();
	OK(next < values[1]);
	OK(!shows(NULL));
	for (unsigned i = 0; (fault = fault_at(i)); i++) {
		if (!fault->boxes || fault->cpus)
			continue;
		OK(!memcmp(fault->name, "uncore_", 7));
		if (!fault_applies(fault, profile_find("sandybridge-ep")))
			continue;
		faults++;
		if (!OK(shows(fault)))
			printf("# %s\n", fault->name);
	}
	OK(faults >= 40);
	return tap_end();
}
