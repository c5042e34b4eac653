/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Modelled cores of Intel of architectural version 6: an Arrow Lake's, which as one machine are
 * lioncove with processors that are skymont, and a Panther Lake's, cougarcove and darkmont.
 */
#include "kernel/lib/bits.h"
#include "model/box/parts/parts.h"
#include "model/pmu/intel/intel.h"
#include "profiles.h"

/* InstLatx64, a dump of 000C0662: Core Ultra 5 245K, its P-core and its E-core. */
const struct cpuid_leaf leaves_lioncove[] = {
	{0x0, 0, {0x23, 0x756e6547, 0x6c65746e, 0x49656e69}},
	{0x4, 0, {0xfc004121, 0x2c0003f, 0x3f}},
	{0x4, 1, {0xfc004122, 0x3c0003f, 0x3f}},
	{0x4, 2, {0xfc01c143, 0x2c0003f, 0xfff}},
	{0x4, 3, {0xfc1fc163, 0x240003f, 0xbfff, 0x4}},
	{0x7, 0, {0x2, 0x239ca7eb, 0x994027ac, 0xfc18c430}},
	{0x7, 1, {0x100}},
	{0xd, 14, {0x30}},
	{0x15, 0, {0x2, 0xca, 0x249f000}},
	{0x16, 0, {0xf3c, 0x157c, 0x64}},
	{0x18, 4, {0, 0x80001, 0x10, 0x4024}},
	{0x1a, 0, {0x40000003}},
	{0x1c, 0, {0x4000000b, 0x7, 0xf0007}},
	{0x1f, 2, {0, 0, 0x302}},
	{0x23, 0, {0xb, 0x3}},
	{0x23, 1, {0x3ff, 0xf}},
	{0x23, 3, {0x1dff}},
	{0x80000006, 0, {0, 0, 0xc007040}},
	{.leaf = CPUID_END},
};

const struct cpuid_leaf leaves_skymont[] = {
	{0x4, 0, {0xfc000121, 0x1c0003f, 0x3f}},
	{0x4, 1, {0xfc000122, 0x1c0003f, 0x7f}},
	{0x4, 2, {0xfc01c143, 0x3c0003f, 0xfff}},
	{0x16, 0, {0xf3c, 0x11f8, 0x64}},
	{0x18, 0, {0x4}},
	{0x18, 1, {0, 0x300003, 0x1, 0x121}},
	{0x18, 2, {0, 0x40003, 0x400, 0x43}},
	{0x18, 3, {0, 0x800001, 0x1, 0x122}},
	{0x18, 4, {0, 0x80008, 0x1, 0x143}},
	{0x18, 5, {0}},
	{0x18, 6, {0}},
	{0x18, 7, {0}},
	{0x18, 8, {0}},
	{0x1a, 0, {0x20000003}},
	{0x1c, 0, {0xc000000b, 0x7, 0xf0007}},
	{0x23, 0, {0xf, 0x3, 0x8}},
	{0x23, 1, {0xff, 0x77}},
	{0x23, 2, {0xfc, 0x3, 0xfc, 0x3}},
	{0x23, 3, {0x1f7f}},
	{0x80000006, 0, {0, 0, 0x10008040}},
	{.leaf = CPUID_END},
};

/* InstLatx64, a dump of 000C06C3, a Panther Lake, its P-core and its E-core. */
const struct cpuid_leaf leaves_cougarcove[] = {
	{0x0, 0, {0x28, 0x756e6547, 0x6c65746e, 0x49656e69}},
	{0x4, 3, {0xfc0fc163, 0x2c0003f, 0x3fff, 0x4}},
	{0x7, 0, {0x2, 0x239ca7eb, 0x994007bc, 0xfc18c430}},
	{0x7, 1, {0x100}},
	{0x15, 0, {0x2, 0xac, 0x249f000}},
	{0x16, 0, {0xce4, 0x125c, 0x64}},
	{0x18, 3, {0, 0x10000f, 0x1, 0x4125}},
	{0x18, 7, {0, 0x80007, 0x100, 0x4043}},
	{0x1a, 0, {0x40000004}},
	{0x1c, 0, {0x4000000b, 0x7, 0xf0007}},
	{0x23, 0, {0x3b, 0x3}},
	{0x23, 4, {0, 0x60060378}},
	{0x23, 5, {0x3ff, 0x3, 0xf, 0x1}},
	{.leaf = CPUID_END},
};

const struct cpuid_leaf leaves_darkmont[] = {
	{0x0, 0, {0x28, 0x756e6547, 0x6c65746e, 0x49656e69}},
	{0x4, 0, {0xfc000121, 0x1c0003f, 0x3f, 0x1}},
	{0x4, 1, {0xfc000122, 0x1c0003f, 0x7f, 0x1}},
	{0x4, 2, {0xfc01c143, 0x3c0003f, 0xfff, 0x1}},
	{0x4, 3, {0}},
	{0x7, 0, {0x2, 0x239ca7eb, 0x994007bc, 0xfc18c430}},
	{0x15, 0, {0x2, 0xac, 0x249f000}},
	{0x16, 0, {0xce4, 0xdac, 0x64}},
	{0x1a, 0, {0x20000004}},
	{0x1c, 0, {0xc000000b, 0x7, 0xf0007}},
	{0x23, 0, {0x3f, 0x3, 0x8}},
	{0x23, 4, {0, 0x60060338}},
	{0x23, 5, {0xff, 0x3, 0x77, 0x1}},
	{.leaf = CPUID_END},
};

/* Pin control is reserved from version 6 on, and leaf 23H says that the other two are there. */
#define SELECT_V6 (UINT64_C(0xffd7ffff) | SELECT_LBR_LOG | SELECT_EQ | SELECT_UNIT_MASK_2)

/* IA32_PERF_CAPABILITIES is of the core that asks, where there is leaf 23H (Linux,
 * update_pmu_cap()): P-cores tell of PERF_METRICS.  Both kinds of core show the same leaf 0AH,
 * which is what they have in common. */
#define VERSION_6                                                                                  \
	.perfmon = {0x0d300806, 0x280, 0x7, 0x8603}, .version = 6, .width = 48,                    \
	.debugctl_bits = FIELD(14, 11), .new_names = true, .offcore_registers = 2,                 \
	.bus_ratio = 37, .slots = 8, .lbr = {LBR_ARCHITECTURAL, .logs = 0xf}

/* PEBS of the debug store, of format 6: what Linux says of a Lunar Lake in its log is no less, and
 * it is taken for what an Arrow Lake has. */
#define ARROW_LAKE VERSION_6, .select_bits = SELECT_V6 | SELECT_ADAPTIVE, .load_latency = true

/* By Intel's event lists counters 0 and 1 and fixed counter 0 record the event that overflows them.
 */
static const struct intel_traits lioncove = {
	ARROW_LAKE,
	.capabilities = 0x000af6c0,
	.counters = 10,
	.fixed = 0xf,
	.global_ctrl = FIELD(9, 0),
	.metrics = INTEL_METRICS,
	.pebs_counters = FIELD(35, 32) | FIELD(9, 0),
	.precise_distribution = BIT(32) | FIELD(1, 0),
	.frontend = true,
	.model = MODEL_LIONCOVE,
};

/* Counters 0 and 1 are not reloaded, nor do they reload others. */
#define RELOADABLE (FIELD(33, 32) | FIELD(7, 2))

/* By Intel's event lists fixed counter 0 alone records the event that overflows it. */
static const struct intel_traits skymont = {
	ARROW_LAKE,
	.capabilities = 0x000276c0,
	.counters = 8,
	.fixed = 0x77,
	.global_ctrl = FIELD(7, 0),
	.reloaded = RELOADABLE,
	.reloading = RELOADABLE,
	.pebs_counters = FIELD(38, 36) | FIELD(34, 32) | FIELD(7, 0),
	.precise_distribution = BIT(32),
	.model = MODEL_SKYMONT,
};

#define PANTHER_LAKE VERSION_6, .select_bits = SELECT_V6, .debug_store = true

/* Version 6 as Lion Cove has it.  Counters 0 and 1 and fixed counter 0 record the event that
 * overflows them: subleaf 5. */
static const struct intel_traits cougarcove = {
	PANTHER_LAKE,
	.counters = 10,
	.fixed = 0xf,
	.global_ctrl = FIELD(9, 0),
	.metrics = INTEL_METRICS,
	.capabilities = 0x0008bf00,
	.recorded = FIELD(35, 32) | FIELD(9, 0),
	.cfg_c = BIT(63) | UINT64_C(0x60060378) << 32,
	.load_latency = true,
	.frontend = true,
	.precise_distribution = BIT(32) | FIELD(1, 0),
	.model = MODEL_COUGARCOVE,
};

/* Skymont's counters, of which the same record the event that overflows them. */
static const struct intel_traits darkmont = {
	PANTHER_LAKE,
	.counters = 8,
	.fixed = 0x77,
	.global_ctrl = FIELD(7, 0),
	.reloaded = RELOADABLE,
	.reloading = RELOADABLE,
	.capabilities = 0x00003f00,
	.recorded = FIELD(38, 36) | FIELD(34, 32) | FIELD(7, 0),
	.cfg_c = BIT(63) | UINT64_C(0x60060338) << 32,
	.precise_distribution = BIT(32) | FIELD(1, 0),
	.model = MODEL_DARKMONT,
};

PROFILE(lioncove, "lioncove", MODEL_LIONCOVE,
	"Intel Core Ultra, P-core, family 6 model C6h: version 6, 10 + 4 counters, "
	"adaptive PEBS with values of counters, 32 architectural LBRs, PERF_METRICS of 8 fields",
	.signature = 0x000c0662, .brand = "Intel(R) Core(TM) Ultra 5 245K (pmutest86 model)",
	LEAVES(leaves_lioncove, leaves_alderlake, leaves_haswell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0x117, .base_clock = BASE_100,
	.retirement = {.width = 8, .writes_first = true}, .pmi_latency = 9,
	.pmus = {{&pmu_intel_ops, &lioncove}, {&uncore_ops, &uncore_mtl}});

PROFILE(skymont, "skymont", MODEL_SKYMONT,
	"Intel Core Ultra, E-core, family 6 model C6h: version 6, 8 + 6 counters, auto counter "
	"reload, adaptive PEBS with values of counters, 32 architectural LBRs",
	.signature = 0x000c0662, .brand = "Intel(R) Core(TM) Ultra 5 245K (pmutest86 model)",
	LEAVES(leaves_skymont, leaves_lioncove, leaves_alderlake, leaves_haswell,
	       leaves_sandybridge, leaves_nehalem),
	.microcode = 0x117, .base_clock = BASE_100,
	.retirement = {.width = 8, .writes_first = true}, .pmi_latency = 7,
	.pmus = {{&pmu_intel_ops, &skymont}});

PROFILE(cougarcove, "cougarcove", MODEL_COUGARCOVE,
	"Intel Core Ultra, P-core, family 6 model CCh: version 6, 10 + 4 counters, architectural "
	"PEBS, 32 architectural LBRs, PERF_METRICS of 8 fields",
	.signature = 0x000c06c3, .brand = "Intel(R) Core(TM) Ultra 7 355 (pmutest86 model)",
	LEAVES(leaves_cougarcove, leaves_lioncove, leaves_alderlake, leaves_haswell,
	       leaves_sandybridge, leaves_nehalem),
	.microcode = 0x117, .base_clock = BASE_100,
	.retirement = {.width = 8, .writes_first = true}, .pmi_latency = 8,
	.pmus = {{&pmu_intel_ops, &cougarcove}});

PROFILE(darkmont, "darkmont", MODEL_DARKMONT,
	"Intel Core Ultra, E-core, family 6 model CCh: version 6, 8 + 6 counters, auto counter "
	"reload, architectural PEBS, 32 architectural LBRs",
	.signature = 0x000c06c3, .brand = "Intel(R) Core(TM) Ultra 7 355 (pmutest86 model)",
	LEAVES(leaves_darkmont, leaves_skymont, leaves_lioncove, leaves_alderlake, leaves_haswell,
	       leaves_sandybridge, leaves_nehalem),
	.microcode = 0x117, .base_clock = BASE_100,
	.retirement = {.width = 8, .writes_first = true}, .pmi_latency = 6,
	.pmus = {{&pmu_intel_ops, &darkmont}});
