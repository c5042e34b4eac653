/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A modelled processor of Zhaoxin: Intel's registers of version 2, and events of its own, by what
 * Linux does with them (arch/x86/events/zhaoxin/core.c); no manual is public.
 */
#include "kernel/lib/bits.h"
#include "model/pmu/intel/intel.h"
#include "profiles.h"

/* InstLatx64, a dump of 000307B2. */
const struct cpuid_leaf leaves_zhaoxin[] = {
	{0x0, 0, {0xd, 0x746e6543, 0x736c7561, 0x48727561}},
	{0x1, 0, {0, 0x800, 0x7fda63eb, 0xbfcbfbff}},
	{0x2, 0, {0x635af001, 0, 0, 0xff}},
	{0x4, 0, {0xc000121, 0x1c0003f, 0x3f}},
	{0x4, 1, {0xc000122, 0x1c0003f, 0x3f}},
	{0x4, 2, {0xc00c143, 0x3c0003f, 0xfff, 0x2}},
	{0x6, 0, {0, 0, 0x1}},
	{0x7, 0, {0, 0x201c258b, 0, 0x24000000}},
	{0xb, 0, {0, 0, 0x100}},
	{0xb, 1, {0, 0, 0x201}},
	{0xd, 0, {0x207}},
	{0xd, 1, {0x1}},
	{0xd, 2, {0x100}},
	{0xd, 9, {0x8}},
	{0x80000000, 0, {0x80000008}},
	{0x80000001, 0, {0, 0, 0x121, 0x2c100800}},
	{0x80000005, 0, {0x4200420, 0x6600660, 0x20080140, 0x20080140}},
	{0x80000006, 0, {0, 0, 0x10008140}},
	{0x80000007, 0, {0, 0, 0, 0x100}},
	{0x80000008, 0, {0}},
	{.leaf = CPUID_END},
};

static const uint8_t fixed_signals[INTEL_FIXED] = {
	SIGNAL_INSTRUCTIONS,
	SIGNAL_CYCLES,
	INTEL_BUS_CYCLES,
};

static const struct intel_traits zhaoxin = {
	.perfmon = {0x07300402, 0, 0, 0x603},
	.version = 2,
	.counters = 4,
	.fixed = 7,
	.width = 48,
	.select_bits = UINT64_C(0xffdfffff),
	.debugctl_bits = FIELD(1, 0),
	.bus_ratio = 27,
	.fixed_signals = fixed_signals,
	.loads_all = true,
	.model = MODEL_ZHAOXIN,
};

PROFILE(zhaoxin, "zhaoxin", MODEL_ZHAOXIN,
	"Zhaoxin KX-6000, family 7 model 3Bh: Intel's version 2, 4 + 3 counters, clocks by event "
	"82h",
	.signature = 0x000307b2, .brand = "ZHAOXIN KaiXian KX-6640MA (pmutest86 model)",
	LEAVES(leaves_zhaoxin), .retirement = {.width = 3, .writes_first = true}, .pmi_latency = 7,
	.pmus = {{&pmu_intel_ops, &zhaoxin}});
