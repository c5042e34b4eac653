/* SPDX-License-Identifier: BSD-2-Clause */
/* Nehalem: the uncore as one box of eight counters and UCLK: SDM volume 3B, 20.3.1.2, volume 4. */
#include "e5.h"

static const struct uncore_place registers[] = {{0x00, 1, 1, UNCORE_BOX_CTL, 0},
						{0x01, 1, 1, UNCORE_STATUS, 0},
						{0x02, 1, 1, UNCORE_CLEAR, 0},
						{0x03, 1, 1, UNCORE_CTR, UNCORE_FIXED},
						{0x04, 1, 1, UNCORE_CTL, UNCORE_FIXED},
						{0x1f, 1, 8, UNCORE_CTR, 0},
						{0x2f, 1, 8, UNCORE_CTL, 0},
						{0}};

enum { ALL_8 = 0xff };
static const struct uncore_event events[] = {
	{SILENT(0x00, ALL_8)}, /* GQ_CYCLES_FULL */
	{UMASK(0x08, ALL_8, WHOLE_HITS, 0x03, true)}, /* LLC_HITS */
	{UMASK(0x09, ALL_8, WHOLE_MISSES, 0x03, true)}, /* LLC_MISS */
	{UMASK(0x2c, ALL_8, WHOLE_READS, 0x07, true)}, /* QMC_NORMAL_READS */
	{UMASK(0x2f, ALL_8, WHOLE_WRITES, 0x07, true)}, /* QMC_WRITES.FULL */
	{0},
};

/* Devices, and other cores: what is read from memory, what the last cache has. */
static const struct uncore_segment shared[] = {
	{.clocks = 2300000}, {.clocks = 1, .n = {[WHOLE_MISSES] = 1, [WHOLE_READS + 1] = 1}},
	{.clocks = 1900000}, {.clocks = 2, .n = {[WHOLE_HITS] = 1, [WHOLE_HITS + 1] = 1}},
	{.clocks = 2700000}, {.clocks = 1, .n = {[WHOLE_MISSES + 1] = 1, [WHOLE_WRITES] = 1}},
};
static const struct uncore_pattern busy = {PATTERN(shared)};

#define ENABLES (FIELD(7, 0) | BIT(32))

static const struct uncore_kind kinds[] = {
	{KIND("unc", ROLE_WHOLE, 1, 8, 48, UINT64_C(2133000000), events, e5_quiet), .busy = &busy,
	 .msr = 0x391, .msrs_apart = 0x40, .registers = registers,
	 .field = {E5_CTL, E5_UMASK, E5_THRESHOLD, [CTL_OTHER] = BIT(17), [CTL_INTERRUPT] = BIT(20),
		   [CTL_INVERT] = BIT(23), [FIXED_ENABLE] = BIT(0), [FIXED_INTERRUPT] = BIT(2),
		   [GATE_ENABLES] = ENABLES, [GATE_CORES] = FIELD(51, 48), [GATE_STOPS] = BIT(63),
		   [STATUS_OVERFLOWS] = ENABLES, [STATUS_INTERRUPT] = BIT(61)}},
	{0},
};

static const struct uncore_msr msrs[] = {{0x1a4, 0, FIELD(3, 0)}, {0}};
static const struct msr_range ranges[] = {
	{0x1a4, 0x1a4}, {0x391, 0x395}, {0x3b0, 0x3b7}, {0x3c0, 0x3c7}, {0, 0}};

const struct uncore_part uncore_nhm = {
	.kinds = kinds,
	.msrs = msrs,
	.ranges = ranges,
};
BOXES(uncore_ops, uncore_nhm);
