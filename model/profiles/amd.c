/* SPDX-License-Identifier: BSD-2-Clause */
/* Modelled processors of AMD. */

#include "model/pmu/amd/amd.h"
#include "kernel/lib/bits.h"
#include "model/box/parts/parts.h"
#include "profiles.h"

/*
 * Events that every family has.  0C0h counts deliveries of interrupts and exceptions, too (K7
 * guide: "includes exceptions, interrupts"); which signals a delivery raises is in pipeline.c.
 */
#define COMMON_EVENTS                                                                              \
	{0x076, SIGNAL_CYCLES, 0, 0, 0}, {0x0c0, SIGNAL_INSTRUCTIONS, 0, 0, 0},                    \
		{0x0c1, SIGNAL_UOPS, 0, 0, 0}, {0x0c2, SIGNAL_BRANCHES, 0, 0, 0},                  \
		{0x0c4, SIGNAL_TAKEN, 0, 0, 0}, {0x0c6, SIGNAL_FAR, 0, 0, 0},                      \
		{0x0c5, SIGNAL_OUTCOME + TAKEN_MISPREDICTED, 0, 0, 0},                             \
	{                                                                                          \
		0x0c8, SIGNAL_NEAR_RETURNS, 0, 0, 0                                                \
	}

/* K7 guide 22007, Table 11 and the extra events of its edition E. */
static const struct amd_event k7_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 6, 0, 0}, /* no instruction loads HS */
	{0x065, SIGNAL_MISSED_LOADS, 1, 6, 0}, /* of all types WB alone */
	{0x079, SIGNAL_MISSED_STORES, 1, 7, 0}, /* each is a read-modify-write */
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0, 0, 0, 0, 0},
};

/* BKDG 26094.  Event 0CBh is modelled for x87 and MMX only: SSE classes count 0. */
static const struct amd_event k8_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 6, 0, 0}, /* no instruction loads HS */
	{0x065, SIGNAL_MET + MET_WC_EVICT, 1, 7, 0}, /* streaming stores alone */
	{0x0cb, SIGNAL_FP, 2, 0, 0},
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	/* Its northbridge has one controller: both halves of what is modelled are its. */
	{0x0e0, SIGNAL_MET + MET_MEMORY, MEMORY_PAGES, 0, 0},
	{0x0e0, SIGNAL_MET + MET_MEMORY + MEMORY_PAGES, MEMORY_PAGES, 0, 0},
	{0, 0, 0, 0, 0},
};

/* BKDG 31116.  Of its events above 0DFh, accesses to memory alone are modelled. */
static const struct amd_event k10_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 6, 0, 0}, /* no instruction loads HS */
	{0x02b, SIGNAL_SMIS, 0, 0, 0},
	{0x065, SIGNAL_MET + MET_WC_EVICT, 1, 7, 0}, /* streaming stores alone */
	{0x0cb, SIGNAL_FP, 3, 0, 0},
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0x0e0, SIGNAL_MET + MET_MEMORY, MEMORY_CONTROLLERS *MEMORY_PAGES, 0, 0},
	{0, 0, 0, 0, 0},
};

/* From family 15h on; what of its unit mask is older than Linux' list of Zen 6 is not known. */
#define SAMPLED_OPS                                                                                \
	{                                                                                          \
		0x1cf, SIGNAL_FATES, FATES, 0, 0                                                   \
	}

/* BKDG 42301.  0C4h has exceptions and interrupts among its branches, and 0C6h counts these: rr
 * takes the difference of both on this family (its pull requests 2255 and 3401). */
static const struct amd_event piledriver_events[] = {
	COMMON_EVENTS,
	{0x02b, SIGNAL_SMIS, 0, 0, 0},
	{0x0cb, SIGNAL_FP, 3, 0, 0},
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	SAMPLED_OPS,
	{0, 0, 0, 0, 0},
};

/* BKDG 48751, and LIKWID's list of Kabini, by AMD: x87 and MMX have one bit of 0CBh. */
static const struct amd_event jaguar_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 6, 0, 0}, /* no instruction loads HS */
	{0x0cb, SIGNAL_FP, 1, 0, 0},
	{0x0cb, SIGNAL_FP + 1, 2, 0, 0},
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0x1cf, SIGNAL_FATES + FATE_TAGGED, 0, 0, 0},
	{0, 0, 0, 0, 0},
};

/* An access that misses the first-level cache misses all; the second row of 060h is code. */
#define ZEN_EVENTS                                                                                 \
	{0x02b, SIGNAL_SMIS, 0, 0, 0}, {0x02c, SIGNAL_INTERRUPTS, 0, 0, 0},                        \
		{0x003, SIGNAL_ADDITIONS, 1, 0, 0}, {0x060, SIGNAL_MISSED_STORES, 2, 6, 0},        \
		{0x060, SIGNAL_MET + MET_TRACE_MISS, 1, 4, 0},                                     \
		{0x064, SIGNAL_MISSED_LOADS, 1, 3, 0}, {0x0cb, SIGNAL_FP, 3, 0, 0},                \
		{0x0d1, SIGNAL_CONDITIONAL, 0, 0, 0}, SAMPLED_OPS,                                 \
	{                                                                                          \
		0x1c7, SIGNAL_MISPREDICTED_TYPE + TYPE_CONDITIONAL, 0, 0, 0                        \
	}

static const struct amd_event zen2_events[] = {
	COMMON_EVENTS,
	ZEN_EVENTS,
	{0x063, SIGNAL_MET + MET_WC_EVICT, 1, 5, 0},
	{0x28a, SIGNAL_MET + MET_TRACE_MISS, 1, 0, 0}, /* code not in the op cache, which then is */
	{0, 0, 0, 0, 0},
};

static const struct amd_event zen3_events[] = {
	COMMON_EVENTS,
	ZEN_EVENTS,
	{0x063, SIGNAL_MET + MET_WC_EVICT, 1, 5, 0},
	{0x28f, SIGNAL_INSTRUCTIONS, 1, 0, 0}, /* as on Zen 4 */
	{0, 0, 0, 0, 0},
};

/* Each instruction is looked up in the op cache by itself, and always found. */
static const struct amd_event zen4_events[] = {
	COMMON_EVENTS,   {0x00a, SIGNAL_COMPUTE + COMPUTE_PACKED_SP, 2, 0, 0xf0},
	ZEN_EVENTS,      {0x28f, SIGNAL_INSTRUCTIONS, 1, 0, 0},
	{0, 0, 0, 0, 0},
};

#define SELECT_BITS_32 UINT64_C(0xffdfffff) /* all but bit 21 */
/* From family 10h on.  Whether these keep bit 19 is not known; it is kept here, as Zen 3 was seen
 * to do. */
#define SELECT_BITS (SELECT_BITS_32 | FIELD(35, 32) | FIELD(41, 40))

static const struct amd_traits k7 = {
	.counters = 4,
	.threshold_most = 3,
	.select_bits = SELECT_BITS_32,
	.events = k7_events,
};

static const struct amd_traits k8 = {
	.counters = 4,
	.threshold_most = 3,
	.select_bits = SELECT_BITS_32,
	.events = k8_events,
	.northbridge = true,
	.pair = true,
};

/*
 * They have SVM (2) and NB or DF (24) and L3 (28)
 * counters; on silicon also LWP (15), which is not modelled, so that its bit is clear and its
 * registers fault.
 */
#define EXTENDED(more)                                                                             \
	.features = (uint32_t)(BIT(2) | BIT(23) | (more)), .counters = 6, .extended = true,        \
	.pair = true
/* IBS as CPUID 8000_001Bh tells of it, which interrupts through that extended entry of the local
 * APIC: the first one, as kernels of all recorded processors say, and the second on family 10h. */
#define AMD_SAMPLES (AMD_IBS | AMD_EXT_APIC)
#define SAMPLES(ibs_, entry, bits)                                                                 \
	.ibs = (ibs_), .ibs_control = CONTROL_ENTRY_VALID | (entry), .ibs_bits = (bits)
#define ZEN_TRAITS(ibs_, more)                                                                     \
	EXTENDED(BIT(22) | BIT(24) | BIT(28) | AMD_SAMPLES), SAMPLES(ibs_, 0, &ibs_zen),           \
		.threshold_most = 0x7f, .merges = true, .select_bits = SELECT_BITS | (more)

static const struct amd_traits k10 = {
	.features = (uint32_t)(BIT(2) | AMD_SAMPLES),
	SAMPLES(0x1f, 1, &ibs_10h),
	.counters = 4,
	.threshold_most = 3,
	.select_bits = SELECT_BITS,
	.events = k10_events,
	.northbridge = true,
	.pair = true,
};

/* Its cores share a second-level cache: 060h to 07Fh, which clocks are among, are counted there. */
static const struct amd_traits piledriver = {
	EXTENDED(BIT(22) | BIT(24) | AMD_SAMPLES),
	SAMPLES(0xff, 0, &ibs_15h),
	.val_sticks = true,
	.threshold_most = 4,
	.select_bits = SELECT_BITS,
	.events = piledriver_events,
	.limit = {0x060, 0x07f, BIT(0) | BIT(1) | BIT(2)},
};

/* Four counters as before family 15h; the northbridge and the second-level cache have their own. */
static const struct amd_traits jaguar = {
	.features = (uint32_t)(BIT(2) | BIT(22) | BIT(24) | BIT(28) | AMD_SAMPLES),
	SAMPLES(0xff, 0, &ibs_zen),
	.val_sticks = true,
	.counters = 4,
	.threshold_most = 2,
	.select_bits = SELECT_BITS,
	.events = jaguar_events,
	.pair = true,
};

static const struct amd_traits zen2 = {ZEN_TRAITS(0x3ff, 0), .val_sticks = true,
				       .events = zen2_events};

/* Google, on its own machines: bits 19 and 42 stay as they were written. */
static const struct amd_traits zen3 = {ZEN_TRAITS(0x3ff, BIT(42)), .brs = true,
				       .events = zen3_events};

/* As a Genoa says it: 6 counters, 16 branch records, 16 DF and 48 UMC counters; twelve active UMCs.
 * And freezing of branch records, which not every Zen 4 has: faults/lawful/amd.c. */
static const struct amd_traits zen4 = {ZEN_TRAITS(0xbff, 0), .perfmon = {7, 0x00304106, 0xfff},
				       .global = true, .events = zen4_events};

/* As a Granite Ridge says it: 6 counters, 16 branch records, 16 DF and 8 UMC counters; two active
 * UMCs. */
static const struct amd_traits zen5 = {ZEN_TRAITS(0x81bff, 0), .perfmon = {7, 0x00084106, 3},
				       .global = true, .events = zen4_events};

PROFILE(k7, "k7", MODEL_K7, "AMD Athlon, family 6 model 4: 4 counters, retires 3, PMI at once",
	.signature = 0x00000642, .brand = "AMD Athlon(tm) Processor (pmutest86 model)",
	LEAVES(leaves_k7), .retirement = {.width = 3, .counts_deliveries = true}, .pmi_latency = 0,
	.pmus = {{&pmu_amd_ops, &k7}});

PROFILE(k8, "k8", MODEL_K8,
	"AMD Athlon 64, family 0Fh: 4 counters, retires 3, PMI 3 instructions late; of the "
	"northbridge's events those of memory",
	.signature = 0x00000f4a, .brand = "AMD Athlon(tm) 64 (pmutest86 model)", LEAVES(leaves_k8),
	.retirement = {.width = 3, .counts_deliveries = true}, .pmi_latency = 3,
	.pmus = {{&pmu_amd_ops, &k8}});

PROFILE(zen2, "zen2", MODEL_ZEN2,
	"AMD EPYC, family 17h model 31h: 6 counters with legacy aliases, retires 4, PMI 7 "
	"instructions late; IBS; 6 L3 and 4 DF counters",
	.signature = 0x00830f10, .brand = "AMD EPYC 7002 (pmutest86 model)", LEAVES(leaves_zen2),
	.microcode = 0x830104d, .retirement = {.width = 4, .counts_deliveries = true},
	.pmi_latency = 7, .pmus = {{&pmu_amd_ops, &zen2}, {&uncore_ops, &uncore_zen2}});

PROFILE(zen3, "zen3", MODEL_ZEN3,
	"AMD EPYC, family 19h model 01h: 6 counters with legacy aliases, retires 6, PMI 6 "
	"instructions late; IBS, BRS; 6 L3 and 4 DF counters; Zen 2 takes its faults but those of "
	"BRS",
	.signature = 0x00a00f11, .brand = "AMD EPYC 7003 (pmutest86 model)",
	LEAVES(leaves_zen3, leaves_zen2), .microcode = 0xa00111d,
	.retirement = {.width = 6, .counts_deliveries = true}, .pmi_latency = 6,
	.pmus = {{&pmu_amd_ops, &zen3}, {&uncore_ops, &uncore_zen3}});

PROFILE(zen4, "zen4", MODEL_ZEN4,
	"AMD EPYC, family 19h model 11h: PerfMonV2 with 6 counters, retires 6, PMI 5 instructions "
	"late; IBS; 6 L3, 16 DF and 12 times 4 UMC counters",
	.signature = 0x00a10f11, .brand = "AMD EPYC 9004 (pmutest86 model)",
	LEAVES(leaves_zen4, leaves_zen3, leaves_zen2), .microcode = 0xa101121,
	.retirement = {.width = 6, .counts_deliveries = true}, .pmi_latency = 5,
	.pmus = {{&pmu_amd_ops, &zen4}, {&uncore_ops, &uncore_zen4}});

PROFILE(k10, "k10", MODEL_K10,
	"AMD Phenom II, family 10h model 04h: 4 counters, retires 3, PMI 2 instructions late; "
	"IBS; of the northbridge's events those of memory",
	.signature = 0x00100f43, .brand = "AMD Phenom(tm) II (pmutest86 model)", LEAVES(leaves_k10),
	.microcode = 0x10000c8, .retirement = {.width = 3, .counts_deliveries = true},
	.pmi_latency = 2, .pmus = {{&pmu_amd_ops, &k10}});

PROFILE(piledriver, "piledriver", MODEL_PILEDRIVER,
	"AMD FX, family 15h model 02h: 6 counters with legacy aliases, of which the first 3 count "
	"clocks, retires 4, PMI 8 instructions late; 4 NB counters; IBS, no LWP",
	.signature = 0x00600f20, .brand = "AMD FX(tm)-8300 (pmutest86 model)",
	LEAVES(leaves_piledriver), .microcode = 0x6000852,
	.retirement = {.width = 4, .counts_deliveries = true}, .pmi_latency = 8,
	.pmus = {{&pmu_amd_ops, &piledriver}, {&uncore_ops, &uncore_piledriver}});

PROFILE(jaguar, "jaguar", MODEL_JAGUAR,
	"AMD Athlon 5350, family 16h model 00h: 4 counters, retires 2, PMI 9 instructions late; 4 "
	"NB "
	"and 4 L2I counters; IBS",
	.signature = 0x00700f01, .brand = "AMD Athlon(tm) 5350 (pmutest86 model)",
	LEAVES(leaves_jaguar), .microcode = 0x700010b,
	.retirement = {.width = 2, .counts_deliveries = true}, .pmi_latency = 9,
	.pmus = {{&pmu_amd_ops, &jaguar}, {&uncore_ops, &uncore_jaguar}});

PROFILE(zen5, "zen5", MODEL_ZEN5,
	"AMD Ryzen, family 1Ah model 44h: PerfMonV2 with 6 counters, retires 8, PMI 4 instructions "
	"late; IBS; 6 L3, 16 DF and 2 times 4 UMC counters",
	.signature = 0x00b40f40, .brand = "AMD Ryzen 9000 (pmutest86 model)",
	LEAVES(leaves_zen5, leaves_zen4, leaves_zen3, leaves_zen2), .microcode = 0xb404023,
	.retirement = {.width = 8, .counts_deliveries = true}, .pmi_latency = 4,
	.pmus = {{&pmu_amd_ops, &zen5}, {&uncore_ops, &uncore_zen5}});
