/* SPDX-License-Identifier: BSD-2-Clause */
/* The northbridge of family 15h, models 00h to 0Fh: BKDG 42301; bits that are kept as VirtualBox
 * found them on an FX-8150. */
#include "e5.h"

static const struct uncore_place pairs[] = {
	{0, 2, UNCORE_COUNTERS, UNCORE_CTL, 0}, {1, 2, UNCORE_COUNTERS, UNCORE_CTR, 0}, {0}};

static const struct uncore_event events[] = {
	{UMASK(0x0e0, ALL, NODE_DRAM, 0x3f, true)}, /* DRAM accesses */
	{SILENT(0x0e9, ALL)}, /* CPU/IO requests to memory/IO: between nodes alone */
	{0},
};

static const struct uncore_segment quiet[] = {{.clocks = 1000}};
static const struct uncore_pattern nothing = {PATTERN(quiet)};

/* Devices, and the display, each few milliseconds. */
static const struct uncore_segment shared[] = {
	{.clocks = 2400000}, {.clocks = 1, .n = {[NODE_DRAM] = 1}},
	{.clocks = 1700000}, {.clocks = 1, .n = {[NODE_DRAM + 4] = 1}},
	{.clocks = 3100000}, {.clocks = 1, .n = {[NODE_DRAM + 2] = 1}},
};
static const struct uncore_pattern busy = {PATTERN(shared)};

static const struct uncore_kind kinds[] = {
	{KIND("nb", ROLE_NORTHBRIDGE, 1, 4, 48, UINT64_C(2200000000), events, nothing),
	 .busy = &busy, .msr = 0xc0010240, .msrs_apart = 8, .registers = pairs, .by_turns = true,
	 .rdpmc = 6,
	 .field = {[CTL_EVENT] = FIELD(7, 0) | FIELD(35, 32),
		   [CTL_UMASK] = FIELD(15, 8),
		   [CTL_ENABLE] = BIT(22),
		   [CTL_OTHER] = BIT(19) | BIT(20) | FIELD(40, 36)}},
	{0},
};

static const struct uncore_msr msrs[] = {{0}};
static const struct msr_range ranges[] = {{0xc0010240, 0xc0010247}, {0, 0}};

const struct uncore_part uncore_piledriver = {
	.kinds = kinds,
	.msrs = msrs,
	.ranges = ranges,
	.drops_reserved = true,
};
BOXES(uncore_ops, uncore_piledriver);
