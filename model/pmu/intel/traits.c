/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Intel models differ in. */
#include "intel.h"

#define SELECT_P6        UINT64_C(0xffdfffff) /* all but ANY */
#define SELECT_V3        UINT64_C(0xffffffff)

#define DEBUGCTL_P6      FIELD(6, 0)
#define DEBUGCTL_CORE2   (FIELD(12, 6) | FIELD(1, 0))
#define DEBUGCTL_NEHALEM (DEBUGCTL_CORE2 | FIELD(14, 13))

#define LBR_SELECT_BITS  FIELD(8, 0)
#define LBR_CALL_STACK   BIT(9)

enum { NOT_DISTRIBUTED = INTEL_COUNTERS };

const struct intel_traits intel_p6 = {
	.basic_leaves = 2,
	.counters = 2,
	.width = 40,
	.select_bits = SELECT_P6,
	.debugctl_bits = DEBUGCTL_P6,
	.bus_ratio = 5,
	.lbr = {.depth = 1, .from = 0x1db, .to = 0x1dc},
	.events = intel_p6_events,
};

const struct intel_traits intel_core2 = {
	.basic_leaves = 0xa,
	.perfmon = {0x07280202, 0, 0, 0x00000503},
	.version = 2,
	.counters = 2,
	.fixed = 3,
	.width = 40,
	.capabilities = 0x000000c1,
	.select_bits = SELECT_P6,
	.debugctl_bits = DEBUGCTL_CORE2,
	.pebs_counters = BIT(0),
	.precise_distribution = NOT_DISTRIBUTED,
	.bus_ratio = 8,
	.lbr = {.depth = 4, .from = 0x40, .to = 0x60, .has_tos = true},
	.events = intel_core2_events,
};

const struct intel_traits intel_nehalem = {
	.hyper_threading = true,
	.basic_leaves = 0xb,
	.perfmon = {0x07300403, 0, 0, 0x00000603},
	.version = 3,
	.counters = 4,
	.fixed = 3,
	.width = 48,
	.capabilities = 0x000011c3,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.pebs_counters = FIELD(3, 0),
	.precise_distribution = NOT_DISTRIBUTED,
	.load_latency = true,
	.offcore_registers = 1,
	.bus_ratio = 20,
	.lbr = {.depth = 16,
		.from = 0x680,
		.to = 0x6c0,
		.has_tos = true,
		.select_bits = LBR_SELECT_BITS,
		.jump_bits_drop_calls = true},
	.events = intel_nehalem_events,
};

/* Without Hyper-Threading the thread has all eight counters. */
const struct intel_traits intel_sandybridge = {
	.basic_leaves = 0xd,
	.perfmon = {0x07300803, 0, 0, 0x00000603},
	.version = 3,
	.counters = 8,
	.fixed = 3,
	.width = 48,
	.capabilities = 0x000031c3,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(7, 0),
	.pebs_counters = FIELD(3, 0),
	.precise_distribution = 1,
	.precise_event = 0x01c0,
	.load_latency = true,
	.precise_store = true,
	.offcore_registers = 2,
	.bus_ratio = 34,
	.lbr = {.depth = 16,
		.from = 0x680,
		.to = 0x6c0,
		.has_tos = true,
		.select_bits = LBR_SELECT_BITS},
	.events = intel_sandybridge_events,
};

const struct intel_traits intel_skylake = {
	.hyper_threading = true,
	.basic_leaves = 0xd,
	.perfmon = {0x07300404, 0, 0, 0x00000603},
	.version = 4,
	.counters = 4,
	.fixed = 3,
	.width = 48,
	.capabilities = 0x000033c5,
	.select_bits = SELECT_V3,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(3, 0),
	.pebs_counters = FIELD(3, 0),
	.precise_distribution = 1,
	.precise_event = 0x01c0,
	.load_latency = true,
	.frontend = true,
	.offcore_registers = 2,
	.bus_ratio = 40,
	.lbr = {.depth = 32,
		.from = 0x680,
		.to = 0x6c0,
		.has_tos = true,
		.has_info = true,
		.select_bits = LBR_SELECT_BITS | LBR_CALL_STACK},
	.events = intel_skylake_events,
};

/* PERF_METRICS is on silicon but not modelled: its bit is clear and its register faults. */
const struct intel_traits intel_icelake = {
	.basic_leaves = 0xd,
	.perfmon = {0x08300805, 0, 0x0000000f, 0x00008604},
	.version = 5,
	.counters = 8,
	.fixed = 4,
	.width = 48,
	.capabilities = 0x000074c5,
	.select_bits = SELECT_P6 | EVTSEL_ADAPTIVE,
	.debugctl_bits = DEBUGCTL_NEHALEM,
	.global_ctrl = FIELD(7, 0),
	.pebs_counters = FIELD(35, 32) | FIELD(7, 0),
	.precise_distribution = INTEL_GENERAL,
	.load_latency = true,
	.frontend = true,
	.offcore_registers = 2,
	.bus_ratio = 38,
	.slots = 5,
	.lbr = {.depth = 32,
		.from = 0x680,
		.to = 0x6c0,
		.has_tos = true,
		.has_info = true,
		.select_bits = LBR_SELECT_BITS | LBR_CALL_STACK},
	.events = intel_icelake_events,
};
