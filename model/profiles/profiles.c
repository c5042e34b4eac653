/* SPDX-License-Identifier: BSD-2-Clause */
/* The modelled processors: registers, events and CPUID. */
#include <stddef.h>

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/cpu/cpu.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"
#include "model/uncore/snbep/snbep.h"
#include "profiles.h"

/*
 * What every family has.  0C0h counts deliveries of interrupts and exceptions as well (K7 guide:
 * "includes exceptions, interrupts"); which signals a delivery raises is in pipeline.c.
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
static const struct event k7_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 8, 0, 0},
	{0x065, SIGNAL_MISSED_LOADS, 1, 6, 0}, /* of all types WB alone */
	{0x079, SIGNAL_MISSED_STORES, 1, 7, 0}, /* each is a read-modify-write */
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0, 0, 0, 0, 0},
};

/* BKDG 26094.  Of 0CBh only x87 and MMX are modelled: SSE classes count 0. */
static const struct event k8_events[] = {
	COMMON_EVENTS,
	{0x020, SIGNAL_SEGMENT, 8, 0, 0},
	{0x065, SIGNAL_MET + MET_WC_EVICT, 1, 7, 0}, /* streaming stores alone */
	{0x0cb, SIGNAL_FP, 2, 0, 0},
	{0x0cd, SIGNAL_MASKED_CYCLES, 0, 0, 0},
	{0x0cf, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0, 0, 0, 0, 0},
};

static const struct event zen2_events[] = {
	COMMON_EVENTS,
	{0x02c, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0x060, SIGNAL_MISSED_STORES, 2, 6, 0}, /* what misses the first-level cache misses all */
	{0x060, SIGNAL_MET + MET_TRACE_MISS, 1, 4, 0}, /* code */
	{0x063, SIGNAL_MET + MET_WC_EVICT, 1, 5, 0},
	{0x064, SIGNAL_MISSED_LOADS, 1, 3, 0},
	{0x0cb, SIGNAL_FP, 3, 0, 0},
	{0x0d1, SIGNAL_CONDITIONAL, 0, 0, 0},
	{0x1c7, SIGNAL_MISPREDICTED_TYPE + TYPE_CONDITIONAL, 0, 0, 0},
	{0x28a, SIGNAL_MET + MET_TRACE_MISS, 1, 0, 0}, /* code not in the op cache, which then is */
	{0, 0, 0, 0, 0},
};

/* Each instruction is looked up in the op cache by itself, and always found. */
static const struct event zen4_events[] = {
	COMMON_EVENTS,
	{0x00a, SIGNAL_COMPUTE + COMPUTE_PACKED_SP, 2, 0, 0xf0},
	{0x02c, SIGNAL_INTERRUPTS, 0, 0, 0},
	{0x060, SIGNAL_MISSED_STORES, 2, 6, 0},
	{0x060, SIGNAL_MET + MET_TRACE_MISS, 1, 4, 0},
	{0x064, SIGNAL_MISSED_LOADS, 1, 3, 0},
	{0x0cb, SIGNAL_FP, 3, 0, 0},
	{0x0d1, SIGNAL_CONDITIONAL, 0, 0, 0},
	{0x1c7, SIGNAL_MISPREDICTED_TYPE + TYPE_CONDITIONAL, 0, 0, 0},
	{0x28f, SIGNAL_INSTRUCTIONS, 1, 0, 0},
	{0, 0, 0, 0, 0},
};

#define SELECT_BITS_32 UINT64_C(0xffdfffff) /* all but bit 21 */

static const struct amd_traits k7 = {
	.counters = 4,
	.select_bits = SELECT_BITS_32,
	.events = k7_events,
};

static const struct amd_traits k8 = {
	.counters = 4,
	.select_bits = SELECT_BITS_32,
	.events = k8_events,
};

/*
 * Zen 2 has NB/DF (24) and L3 (28) counters and IBS (10) on silicon: they are not modelled, so
 * their bits are clear and their registers fault.  Whether it keeps bit 19 is not known; it is
 * kept here, as Zen 3 was seen to do.
 */
static const struct amd_traits zen2 = {
	.features = (uint32_t)(BIT(22) | BIT(23)),
	.counters = 6,
	.extended = true,
	.select_bits = SELECT_BITS_32 | FIELD(35, 32) | BIT(40) | BIT(41),
	.events = zen2_events,
};

/* The same is left out; LbrAndPmcFreeze, too, as not every Zen 4 has it. */
static const struct amd_traits zen4 = {
	.features = (uint32_t)(BIT(22) | BIT(23)),
	.counters = 6,
	.extended = true,
	.global = true,
	.select_bits = SELECT_BITS_32 | FIELD(35, 32) | BIT(40) | BIT(41),
	.events = zen4_events,
};

/* The interrupt of a cascading counter is broken on real Northwoods: it works here. */
static const struct netburst_traits willamette = {
	.iq_escrs = true,
	.basic_leaves = 2,
};

static const struct netburst_traits northwood = {
	.hyper_threading = true,
	.extended_cascade = true,
	.iq_escrs = true,
	.ioq_on_both = true,
	.ioq_needs_all = true,
	.basic_leaves = 2,
};

static const struct netburst_traits prescott = {
	.extended_cascade = true,
	.instr_completed = true,
	.ioq_on_both = true,
	.ioq_needs_all = true,
	.basic_leaves = 5,
};

const struct profile profiles[] = {
	{
		.name = "k7",
		.says = "AMD Athlon, family 6 model 4: 4 counters, retires 3, PMI at once",
		.bit = MODEL_K7,
		.signature = 0x00000642,
		.brand = "AMD Athlon(tm) Processor (pmutest86 model)",
		.cpuid = cpuid_amd,
		.retirement = {.width = 3, .counts_deliveries = true},
		.pmi_latency = 0,
		.pmus = {{&pmu_amd_ops, &k7}},
	},
	{
		.name = "k8",
		.says = "AMD Athlon 64, family 0Fh: 4 counters, retires 3, PMI 3 instructions late",
		.bit = MODEL_K8,
		.signature = 0x00000f4a,
		.brand = "AMD Athlon(tm) 64 (pmutest86 model)",
		.cpuid = cpuid_amd,
		.retirement = {.width = 3, .counts_deliveries = true},
		.pmi_latency = 3,
		.pmus = {{&pmu_amd_ops, &k8}},
	},
	{
		.name = "zen2",
		.says = "AMD EPYC, family 17h model 31h: 6 counters with legacy aliases, retires "
			"4, "
			"PMI 7 instructions late; no IBS, DF and L3 counters",
		.bit = MODEL_ZEN2,
		.signature = 0x00830f10,
		.brand = "AMD EPYC 7002 (pmutest86 model)",
		.cpuid = cpuid_amd,
		.retirement = {.width = 4, .counts_deliveries = true},
		.pmi_latency = 7,
		.pmus = {{&pmu_amd_ops, &zen2}},
	},
	{
		.name = "zen4",
		.says = "AMD EPYC, family 19h model 11h: PerfMonV2 with 6 counters, retires 6, PMI "
			"5 instructions late; no IBS, DF, L3 and UMC counters, no branch records",
		.bit = MODEL_ZEN4,
		.signature = 0x00a10f11,
		.brand = "AMD EPYC 9004 (pmutest86 model)",
		.cpuid = cpuid_amd,
		.retirement = {.width = 6, .counts_deliveries = true},
		.pmi_latency = 5,
		.pmus = {{&pmu_amd_ops, &zen4}},
	},
	{
		.name = "willamette",
		.says = "Intel Pentium 4, model 1: 18 counters, 45 ESCRs, no extended cascade",
		.bit = MODEL_WILLAMETTE,
		.signature = 0x00000f12,
		.brand = "Intel(R) Pentium(R) 4 CPU (pmutest86 model)",
		.cpuid = cpuid_intel,
		.retirement = {.width = 3, .by_uops = true},
		.pmi_latency = 2,
		.pmus = {{&pmu_netburst_ops, &willamette}},
	},
	{
		.name = "northwood",
		.says = "Intel Pentium 4, model 2: extended cascade, Hyper-Threading layout with "
			"one processor at work",
		.bit = MODEL_NORTHWOOD,
		.signature = 0x00000f27,
		.brand = "Intel(R) Pentium(R) 4 CPU 3.06GHz (model)",
		.cpuid = cpuid_intel,
		.retirement = {.width = 3, .by_uops = true},
		.pmi_latency = 5,
		.pmus = {{&pmu_netburst_ops, &northwood}},
	},
	{
		.name = "prescott",
		.says = "Intel Pentium 4, model 4: 43 ESCRs, instr_completed, 64-bit",
		.bit = MODEL_PRESCOTT,
		.signature = 0x00000f41,
		.brand = "Intel(R) Pentium(R) 4 CPU 3.20GHz (model)",
		.cpuid = cpuid_intel,
		.retirement = {.width = 3, .by_uops = true},
		.pmi_latency = 7,
		.pmus = {{&pmu_netburst_ops, &prescott}},
	},
	{
		.name = "p6",
		.says = "Intel Pentium III, family 6 model 0Bh: 2 counters with one enable bit, no "
			"overflow status",
		.bit = MODEL_P6,
		.signature = 0x000006b1,
		.brand = "Intel(R) Pentium(R) III CPU (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 3, .by_uops = true},
		.pmi_latency = 2,
		.pmus = {{&pmu_intel_ops, &intel_p6}},
	},
	{
		.name = "core2",
		.says = "Intel Core 2, family 6 model 17h: version 2, 2 + 3 counters, PEBS, 4 LBRs",
		.bit = MODEL_CORE2,
		.signature = 0x00010676,
		.brand = "Intel(R) Core(TM)2 Duo CPU (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 4, .writes_first = true},
		.pmi_latency = 4,
		.pmus = {{&pmu_intel_ops, &intel_core2}},
	},
	{
		.name = "nehalem",
		.says = "Intel Core i7, family 6 model 1Ah: version 3, 4 + 3 counters, PEBS, "
			"16 LBRs",
		.bit = MODEL_NEHALEM,
		.signature = 0x000106a5,
		.brand = "Intel(R) Core(TM) i7 CPU 920 (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 4, .writes_first = true},
		.pmi_latency = 6,
		.pmus = {{&pmu_intel_ops, &intel_nehalem}},
	},
	{
		.name = "sandybridge",
		.says = "Intel Core i5, family 6 model 2Ah: version 3, 8 + 3 counters with "
			"full-width writes, PEBS, 16 LBRs",
		.bit = MODEL_SANDY,
		.signature = 0x000206a7,
		.brand = "Intel(R) Core(TM) i5-2500 CPU (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 4, .writes_first = true},
		.pmi_latency = 9,
		.pmus = {{&pmu_intel_ops, &intel_sandybridge}},
	},
	{
		.name = "sandybridge-ep",
		.says = "Intel Xeon E5-2680, family 6 model 2Dh: the core PMU of sandybridge, and "
			"the uncore boxes of one or two sockets",
		.bit = MODEL_SANDY_EP,
		.signature = 0x000206d7,
		.brand = "Intel(R) Xeon(R) CPU E5-2680 0 (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 4, .writes_first = true},
		.pmi_latency = 9,
		.pmus = {{&pmu_intel_ops, &intel_sandybridge}, {&uncore_snbep_ops, NULL}},
	},
	{
		.name = "skylake",
		.says = "Intel Core i7, family 6 model 5Eh: version 4, 4 + 3 counters, PEBS, "
			"32 LBRs",
		.bit = MODEL_SKYLAKE,
		.signature = 0x000506e3,
		.brand = "Intel(R) Core(TM) i7-6700 CPU (pmutest86 model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 4, .writes_first = true},
		.pmi_latency = 5,
		.pmus = {{&pmu_intel_ops, &intel_skylake}},
	},
	{
		.name = "icelake",
		.says = "Intel Core i7, family 6 model 7Eh: version 5, 8 + 4 counters, adaptive "
			"PEBS, 32 LBRs; no PERF_METRICS",
		.bit = MODEL_ICELAKE,
		.signature = 0x000706e5,
		.brand = "Intel(R) Core(TM) i7-1065G7 CPU (model)",
		.cpuid = cpuid_core,
		.retirement = {.width = 5, .writes_first = true},
		.pmi_latency = 11,
		.pmus = {{&pmu_intel_ops, &intel_icelake}},
	},
};
const unsigned profiles_count = ARRAY_SIZE(profiles);

const struct profile *profile_find(const char *name)
{
	size_t length = strlen(name);

	for (unsigned i = 0; i < profiles_count; i++)
		if (strlen(profiles[i].name) == length && !memcmp(profiles[i].name, name, length))
			return &profiles[i];
	return NULL;
}
