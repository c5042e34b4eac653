/* SPDX-License-Identifier: BSD-2-Clause */
/* Modelled processors of Intel with P6 or architectural counters. */

#include "model/pmu/intel/intel.h"
#include "kernel/lib/bits.h"
#include "model/box/parts/parts.h"
#include "profiles.h"

#define SELECT_P6        UINT64_C(0xffdfffff) /* all but ANY */
#define SELECT_V3        UINT64_C(0xffffffff)

#define DEBUGCTL_P6      FIELD(6, 0)
#define DEBUGCTL_CORE2   (FIELD(12, 6) | FIELD(1, 0))
#define DEBUGCTL_NEHALEM (DEBUGCTL_CORE2 | FIELD(14, 13))

#define LBR_SELECT_BITS  FIELD(8, 0)
#define LBR_CALL_STACK   BIT(9)

/* A core by its CPUID leaf 0AH.  The leaf has one more event where a fixed counter 3 counts it
 * (slots).  From version 5 on it shows fixed counters as bits too, and says that AnyThread is gone.
 */
#define SHOWS(version_, counters_, fixed_, width_)                                                 \
	.perfmon = {((fixed_) < 4 ? 7 : 8) << 24 | (width_) << 16 | (counters_) << 8 | (version_), \
		    0, (version_) < 5 ? 0 : (1 << (fixed_)) - 1,                                   \
		    ((version_) < 5 ? 0 : 1 << 15) | (width_) << 5 | (fixed_)}
#define HAS(version_, counters_, fixed_, width_)                                                   \
	.version = (version_), .counters = (counters_), .fixed = (1u << (fixed_)) - 1,             \
	.width = (width_)
#define ARCHITECTURAL(...) SHOWS(__VA_ARGS__), HAS(__VA_ARGS__)

/* The records of last branches are at the same place from Nehalem on. */
#define LBR_FROM_NEHALEM .from = 0x680, .to = 0x6c0, .has_tos = true

static const struct intel_traits p6 = {
	.counters = 2,
	.width = 40,
	.select_bits = SELECT_P6,
	.debugctl_bits = DEBUGCTL_P6,
	.bus_ratio = 5,
	.lbr = {.depth = 1, .from = 0x1db, .to = 0x1dc},
	.model = MODEL_P6,
};

static const struct intel_traits core2 = {
	ARCHITECTURAL(2, 2, 3, 40),
	.capabilities = 0x000000c1,
	.select_bits = SELECT_P6,
	.debugctl_bits = DEBUGCTL_CORE2,
	.pebs_counters = BIT(0),
	.bus_ratio = 8,
	.lbr = {.depth = 4, .from = 0x40, .to = 0x60, .has_tos = true},
	.model = MODEL_CORE2,
};

static const struct intel_traits nehalem = {
	.hyper_threading = true,
	ARCHITECTURAL(3, 4, 3, 48),
	.capabilities = 0x000011c3,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.pebs_counters = FIELD(3, 0),
	.load_latency = true,
	.offcore_registers = 1,
	.bus_ratio = 20,
	.lbr = {.depth = 16,
		LBR_FROM_NEHALEM,
		.select_bits = LBR_SELECT_BITS,
		.jump_bits_drop_calls = true},
	.model = MODEL_NEHALEM,
};

/* Without Hyper-Threading the thread has all eight counters. */
static const struct intel_traits sandybridge = {
	ARCHITECTURAL(3, 8, 3, 48),
	.capabilities = 0x000031c3,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(7, 0),
	.pebs_counters = FIELD(3, 0),
	.precise_distribution = BIT(1),
	.precise_event = 0x01c0,
	.load_latency = true,
	.precise_store = true,
	.offcore_registers = 2,
	.bus_ratio = 34,
	.lbr = {.depth = 16, LBR_FROM_NEHALEM, .select_bits = LBR_SELECT_BITS},
	.model = MODEL_SANDY,
};

/* Haswell and Broadwell: PEBS tells where an event was, LBRs have flags of transactions. */
#define HASWELL(counters_)                                                                         \
	ARCHITECTURAL(3, counters_, 3, 48),                                                        \
		.capabilities = 0x000032c4, .select_bits = SELECT_V3,                              \
		.debugctl_bits = DEBUGCTL_NEHALEM, .global_ctrl = FIELD((counters_)-1, 0),         \
		.pebs_counters = FIELD(3, 0), .precise_distribution = BIT(1),                      \
		.precise_event = 0x01c0, .load_latency = true, .offcore_registers = 2,             \
		.bus_ratio = 35,                                                                   \
		.lbr = {                                                                           \
			.depth = 16,                                                               \
			LBR_FROM_NEHALEM,                                                          \
			.select_bits = LBR_SELECT_BITS | LBR_CALL_STACK,                           \
	}

static const struct intel_traits haswell = {
	HASWELL(4),
	.hyper_threading = true,
	.model = MODEL_HASWELL,
};

static const struct intel_traits broadwell = {
	HASWELL(8),
	.model = MODEL_BROADWELL,
};

static const struct intel_traits skylake = {
	.hyper_threading = true,
	ARCHITECTURAL(4, 4, 3, 48),
	.capabilities = 0x000033c5,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(3, 0),
	.pebs_counters = FIELD(3, 0),
	.precise_distribution = BIT(1),
	.precise_event = 0x01c0,
	.load_latency = true,
	.force_abort = true,
	.frontend = true,
	.offcore_registers = 2,
	.bus_ratio = 40,
	.lbr = {.depth = 32,
		LBR_FROM_NEHALEM,
		.info = 0xdc0,
		.select_bits = LBR_SELECT_BITS | LBR_CALL_STACK},
	.model = MODEL_SKYLAKE,
};

static const struct intel_traits icelake = {
	ARCHITECTURAL(5, 8, 4, 48),
	.capabilities = 0x0000f4c5,
	.select_bits = SELECT_P6 | SELECT_ADAPTIVE,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(7, 0),
	.pebs_counters = FIELD(35, 32) | FIELD(7, 0),
	.precise_distribution = BIT(32),
	.load_latency = true,
	.frontend = true,
	.offcore_registers = 2,
	.bus_ratio = 38,
	.slots = 5,
	.metrics = 4,
	.lbr = {.depth = 32,
		LBR_FROM_NEHALEM,
		.info = 0xdc0,
		.select_bits = LBR_SELECT_BITS | LBR_CALL_STACK},
	.model = MODEL_ICELAKE,
};

/* CPUID: InstLatx64, dumps of 000B06E0: leaf
 * 1AH says Atom though no flag says hybrid.  PEBS as from Tremont on: adaptive, of all counters,
 * and with a precise distribution of counters 0 (Linux, intel_grt_pebs_event_constraints[]). */
static const struct intel_traits gracemont = {
	ARCHITECTURAL(5, 6, 3, 48),
	.capabilities = 0x000074c0,
	.select_bits = SELECT_P6 | SELECT_ADAPTIVE,
	.debugctl_bits = DEBUGCTL_NEHALEM & ~BIT(0),
	.global_ctrl = FIELD(5, 0),
	.pebs_counters = FIELD(34, 32) | FIELD(5, 0),
	.precise_distribution = BIT(32) | BIT(0),
	.offcore_registers = 2,
	.bus_ratio = 34,
	.lbr = {LBR_ARCHITECTURAL},
	.model = MODEL_GRACEMONT,
};

/* An i9-12900K whose E-cores the setup has switched off: so CPUID shows all counters of a P-core,
 * and still says hybrid (InstLatx64, a dump of 00090672).  PEBS has the baseline and format 4
 * (Linux, from its log).  Counter 0 and PEBS: Linux, intel_glc_pebs_event_constraints[]. */
#define GOLDENCOVE                                                                                 \
	HAS(5, 8, 4, 48), .select_bits = SELECT_P6 | SELECT_ADAPTIVE,                              \
			  .debugctl_bits = DEBUGCTL_NEHALEM & ~BIT(0), .global_ctrl = FIELD(7, 0), \
			  .metrics = INTEL_METRICS, .pebs_counters = FIELD(35, 32) | FIELD(7, 0),  \
			  .pebs_without_c0 = BIT(0), .precise_distribution = BIT(32) | BIT(0),     \
			  .load_latency = true, .frontend = true, .offcore_registers = 2,          \
			  .bus_ratio = 32, .slots = 6, .lbr = {LBR_ARCHITECTURAL},                 \
			  .model = MODEL_GOLDENCOVE

static const struct intel_traits goldencove = {GOLDENCOVE, SHOWS(5, 8, 4, 48),
					       .capabilities = 0x0000f4c0};

/* Its sister with the E-cores on, as parts are shipped: CPUID shows the counters that both kinds of
 * cores have (InstLatx64, another dump of 00090672), and IA32_PERF_CAPABILITIES hides PERF_METRICS
 * (erratum RPL018). */
static const struct intel_traits alderlake = {GOLDENCOVE, SHOWS(5, 6, 3, 48),
					      .capabilities = 0x000074c0};

/* A Core Ultra 7 155U, P-core: leaf 0AH shows what all its cores have, and leaf 23H, which version
 * 6 brings elsewhere, what this one has.  PEBS tells of no latency of retirement, which it does on
 * silicon. */
static const struct intel_traits redwoodcove = {GOLDENCOVE, SHOWS(5, 8, 3, 48),
						.capabilities = 0x000074c0};

PROFILE(p6, "p6", MODEL_P6,
	"Intel Pentium III, family 6 model 0Bh: 2 counters with one enable bit, no overflow status",
	.signature = 0x000006b1, .brand = "Intel(R) Pentium(R) III CPU (pmutest86 model)",
	LEAVES(leaves_p6), .microcode = 0x1c, .retirement = {.width = 3, .by_uops = true},
	.pmi_latency = 2, .pmus = {{&pmu_intel_ops, &p6}});

PROFILE(core2, "core2", MODEL_CORE2,
	"Intel Core 2, family 6 model 17h: version 2, 2 + 3 counters, PEBS, 4 LBRs",
	.signature = 0x00010676, .brand = "Intel(R) Core(TM)2 Duo CPU (pmutest86 model)",
	LEAVES(leaves_core2), .microcode = 0x60c, .retirement = {.width = 4, .writes_first = true},
	.pmi_latency = 4, .pmus = {{&pmu_intel_ops, &core2}});

PROFILE(nehalem, "nehalem", MODEL_NEHALEM,
	"Intel Core i7, family 6 model 1Ah: version 3, 4 + 3 counters, PEBS, 16 LBRs; the "
	"uncore",
	.signature = 0x000106a5, .brand = "Intel(R) Core(TM) i7 CPU 920 (pmutest86 model)",
	LEAVES(leaves_nehalem), .microcode = 0x1d, .base_clock = BASE_133,
	.retirement = {.width = 4, .writes_first = true}, .pmi_latency = 6,
	.pmus = {{&pmu_intel_ops, &nehalem}, {&uncore_ops, &uncore_nhm}});

PROFILE(sandybridge, "sandybridge", MODEL_SANDY,
	"Intel Core i5, family 6 model 2Ah: version 3, 8 + 3 counters with full-width writes, "
	"PEBS, 16 LBRs",
	.signature = 0x000206a7, .brand = "Intel(R) Core(TM) i5-2500 CPU (pmutest86 model)",
	LEAVES(leaves_sandybridge, leaves_nehalem), .microcode = 0x2f, .base_clock = BASE_100,
	.retirement = {.width = 4, .writes_first = true}, .pmi_latency = 9,
	.pmus = {{&pmu_intel_ops, &sandybridge}});

PROFILE(sandybridge_ep, "sandybridge-ep", MODEL_SANDY_EP,
	"Intel Xeon E5-2680, family 6 model 2Dh: the core PMU of sandybridge, and the uncore boxes "
	"of one or two sockets",
	.signature = 0x000206d7, .brand = "Intel(R) Xeon(R) CPU E5-2680 0 (pmutest86 model)",
	LEAVES(leaves_sandybridge_ep, leaves_sandybridge, leaves_nehalem), .microcode = 0x71a,
	.base_clock = BASE_100, .retirement = {.width = 4, .writes_first = true}, .pmi_latency = 9,
	.pmus = {{&pmu_intel_ops, &sandybridge}, {&uncore_ops, &uncore_snbep}});

/* Its core is Sandy Bridge's, as far as it is modelled. */
PROFILE(ivybridge_ep, "ivybridge-ep", MODEL_IVY_EP,
	"Intel Xeon E5-2600 v2, family 6 model 3Eh: the core PMU of sandybridge, and the uncore "
	"boxes of one or two sockets with six cores",
	.signature = 0x000306e4, .brand = "Intel(R) Xeon(R) CPU E5-2600 v2 (model)",
	LEAVES(leaves_ivybridge_ep, leaves_sandybridge_ep, leaves_sandybridge, leaves_nehalem),
	.microcode = 0x42e, .base_clock = BASE_100,
	.retirement = {.width = 4, .writes_first = true}, .pmi_latency = 9,
	.pmus = {{&pmu_intel_ops, &sandybridge}, {&uncore_ops, &uncore_ivt}});

PROFILE(haswell, "haswell", MODEL_HASWELL,
	"Intel Core i7, family 6 model 3Ch: version 3, 4 + 3 counters, PEBS, 16 LBRs",
	.signature = 0x000306c3, .brand = "Intel(R) Core(TM) i7-4770 CPU (pmutest86 model)",
	LEAVES(leaves_haswell, leaves_sandybridge, leaves_nehalem), .microcode = 0x28,
	.base_clock = BASE_100, .retirement = {.width = 4, .writes_first = true}, .pmi_latency = 7,
	.pmus = {{&pmu_intel_ops, &haswell}});

PROFILE(haswell_ep, "haswell-ep", MODEL_HASWELL_EP,
	"Intel Xeon E5-2600 v3, family 6 model 3Fh: the core PMU of haswell, and the uncore boxes "
	"of "
	"one or two sockets with six cores",
	.signature = 0x000306f2, .brand = "Intel(R) Xeon(R) CPU E5-2600 v3 (model)",
	LEAVES(leaves_haswell_ep, leaves_haswell, leaves_sandybridge, leaves_nehalem),
	.microcode = 0x49, .base_clock = BASE_100, .retirement = {.width = 4, .writes_first = true},
	.pmi_latency = 7, .pmus = {{&pmu_intel_ops, &haswell}, {&uncore_ops, &uncore_hsx}});

PROFILE(broadwell, "broadwell", MODEL_BROADWELL,
	"Intel Core i5, family 6 model 47h: version 3, 8 + 3 counters, PEBS, 16 LBRs",
	.signature = 0x00040671, .brand = "Intel(R) Core(TM) i5-5675C CPU (pmutest86 model)",
	LEAVES(leaves_broadwell, leaves_sandybridge, leaves_nehalem), .microcode = 0x22,
	.base_clock = BASE_100, .retirement = {.width = 4, .writes_first = true}, .pmi_latency = 8,
	.pmus = {{&pmu_intel_ops, &broadwell}});

PROFILE(skylake, "skylake", MODEL_SKYLAKE,
	"Intel Core i7, family 6 model 5Eh: version 4, 4 + 3 counters, PEBS, 32 LBRs",
	.signature = 0x000506e3, .brand = "Intel(R) Core(TM) i7-6700 CPU (pmutest86 model)",
	LEAVES(leaves_skylake, leaves_broadwell, leaves_sandybridge, leaves_nehalem),
	.microcode = 0xd6, .base_clock = BASE_100, .retirement = {.width = 4, .writes_first = true},
	.pmi_latency = 5, .pmus = {{&pmu_intel_ops, &skylake}, {&uncore_ops, &uncore_skl}});

PROFILE(skylake_sp, "skylake-sp", MODEL_SKYLAKE_SP,
	"Intel Xeon Scalable, family 6 model 55h: the core PMU of skylake, and the uncore boxes of "
	"one or two sockets with six cores",
	.signature = 0x00050654, .brand = "Intel(R) Xeon(R) Scalable CPU (pmutest86 model)",
	LEAVES(leaves_skylake_sp, leaves_skylake, leaves_broadwell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0x2007006, .base_clock = BASE_100,
	.retirement = {.width = 4, .writes_first = true}, .pmi_latency = 5,
	.pmus = {{&pmu_intel_ops, &skylake}, {&uncore_ops, &uncore_skx}});

PROFILE(icelake, "icelake", MODEL_ICELAKE,
	"Intel Core i7, family 6 model 7Eh: version 5, 8 + 4 counters, adaptive PEBS, 32 LBRs, "
	"PERF_METRICS of 4 fields",
	.signature = 0x000706e5, .brand = "Intel(R) Core(TM) i7-1065G7 CPU (model)",
	LEAVES(leaves_icelake, leaves_broadwell, leaves_sandybridge, leaves_nehalem),
	.microcode = 0x18, .base_clock = BASE_100, .retirement = {.width = 5, .writes_first = true},
	.pmi_latency = 11, .pmus = {{&pmu_intel_ops, &icelake}});

PROFILE(icelake_sp, "icelake-sp", MODEL_ICELAKE_SP,
	"Intel Xeon Scalable, family 6 model 6Ah: the core PMU of icelake, and the uncore boxes of "
	"one or two sockets with six cores",
	.signature = 0x000606a6, .brand = "Intel(R) Xeon(R) Scalable CPU (pmutest86 model)",
	LEAVES(leaves_icelake_sp, leaves_icelake, leaves_broadwell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0xd000404, .base_clock = BASE_100,
	.retirement = {.width = 5, .writes_first = true}, .pmi_latency = 11,
	.pmus = {{&pmu_intel_ops, &icelake}, {&uncore_ops, &uncore_icx}});

PROFILE(gracemont, "gracemont", MODEL_GRACEMONT,
	"Intel Processor N100, family 6 model BEh: version 5, 6 + 3 counters, adaptive PEBS, "
	"32 architectural LBRs",
	.signature = 0x000b06e0, .brand = "Intel(R) N100 (pmutest86 model)",
	LEAVES(leaves_gracemont, leaves_broadwell, leaves_sandybridge, leaves_nehalem),
	.microcode = 0x1a, .base_clock = BASE_100, .retirement = {.width = 5, .writes_first = true},
	.pmi_latency = 6, .pmus = {{&pmu_intel_ops, &gracemont}});

PROFILE(goldencove, "goldencove", MODEL_GOLDENCOVE,
	"Intel Core i9, P-core, family 6 model 97h: version 5, 8 + 4 counters, adaptive PEBS, 32 "
	"architectural LBRs, PERF_METRICS of 8 fields",
	.signature = 0x00090672, .brand = "12th Gen Intel(R) Core(TM) i9-12900K (model)",
	LEAVES(leaves_goldencove, leaves_alderlake, leaves_haswell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0x1f, .base_clock = BASE_100, .retirement = {.width = 6, .writes_first = true},
	.pmi_latency = 10, .pmus = {{&pmu_intel_ops, &goldencove}, {&uncore_ops, &uncore_adl}});

PROFILE(sapphirerapids, "sapphirerapids", MODEL_SAPPHIRE,
	"Intel Xeon Scalable, family 6 model 8Fh: the core PMU of goldencove, and those uncore "
	"boxes behind MSRs of one or two sockets with six cores, as tables of discovery have them",
	.signature = 0x000806f8, .brand = "Intel(R) Xeon(R) Scalable CPU (pmutest86 model)",
	LEAVES(leaves_sapphirerapids, leaves_alderlake, leaves_haswell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0x2b000571, .base_clock = BASE_100,
	.retirement = {.width = 6, .writes_first = true}, .pmi_latency = 10,
	.pmus = {{&pmu_intel_ops, &goldencove}, {&uncore_ops, &uncore_spr}});

PROFILE(alderlake, "alderlake", MODEL_ALDERLAKE,
	"Intel Core i7, P-core beside E-cores, family 6 model 97h: version 5, 8 + 4 counters, and "
	"CPUID shows 6 + 3; adaptive PEBS, 32 architectural LBRs; hides PERF_METRICS",
	.signature = 0x00090672, .brand = "12th Gen Intel(R) Core(TM) i7-12700K (model)",
	LEAVES(leaves_alderlake, leaves_haswell, leaves_sandybridge, leaves_nehalem),
	.microcode = 0x1f, .base_clock = BASE_100, .retirement = {.width = 6, .writes_first = true},
	.pmi_latency = 8, .pmus = {{&pmu_intel_ops, &alderlake}});

PROFILE(redwoodcove, "redwoodcove", MODEL_REDWOOD,
	"Intel Core Ultra, P-core beside E-cores, family 6 model AAh: version 5, 8 + 4 counters, "
	"of which leaf 23H tells; adaptive PEBS, 32 architectural LBRs; hides PERF_METRICS",
	.signature = 0x000a06a4, .brand = "Intel(R) Core(TM) Ultra 7 155U (pmutest86 model)",
	LEAVES(leaves_redwoodcove, leaves_alderlake, leaves_haswell, leaves_sandybridge,
	       leaves_nehalem),
	.microcode = 0x1c, .base_clock = BASE_100, .retirement = {.width = 6, .writes_first = true},
	.pmi_latency = 7, .pmus = {{&pmu_intel_ops, &redwoodcove}});
