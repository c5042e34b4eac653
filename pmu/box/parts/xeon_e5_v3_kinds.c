/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds of boxes of Haswell-EP and Broadwell-EP, which differ in power control alone. */
#include "xeon_e5_v3.h"

/* Whether frz needs frz_en (16) is not documented for these. */
#define WITHOUT_RESETS .stop = 0x10100, .run = 0x10000
#define GATE           WITHOUT_RESETS, .reset_ctls = 1, .reset_ctrs = 2
static const struct box_gating no_resets = {WITHOUT_RESETS}, gate = {GATE},
			       gate_by_bits = {GATE, .bit_by_bit = true};

static const struct box_event power_events[] = {V3_POWER_EVENTS(.first = 0), {0}};
/* Of Broadwell-EP counter 0 cannot count occupancies. */
static const struct box_event power_v4_events[] = {V3_POWER_EVENTS(ON(1, 3)), {0}};
static const uint32_t power_v4_hz[] = {1000000000, 0};

#define POWER(cores_, hz_, events_)                                                                \
	{                                                                                          \
		V3_MSR(7), .name = "pcu", .role = BOX_POWER, .width = 48,                          \
			   .select = &xeon_e5_v3_power, .gate = &gate,                             \
			   .filters = &xeon_e5_v3_power_filters, .residency = E5_RESIDENCY,        \
			   .queue = POWER_C0, .most = (cores_), .hz = (hz_), .events = (events_)   \
	}

/* No source names an inversion of them. */
static const struct box_select slice = {E5_SELECT(E5_EVENT, E5_MASK), E5_THRESHOLD_8, E5_RESET,
					.thread = BIT(19)};
static const struct box_filters slice_filters = {
	.reg = {{5, FIELD(23, 17) | FIELD(9, 0)}, {6, FIELD(31, 20) | FIELD(15, 0)}},
	.thread = {0, FIELD(5, 0)},
	.states = {0, FIELD(23, 17)},
	.nodes = {1, FIELD(15, 0)},
	.opcode = {1, FIELD(28, 20)},
	E5_REQUESTS,
};
const struct box_filters xeon_e5_v3_power_filters = {.reg = {{5, FIELD(31, 0)}}};

const struct box_kind xeon_e5_v3_kinds[] = {
	[IMC] = {E5_CHANNEL, .name = "imc", .role = BOX_CHANNEL, .numbered = true,
		 .select = &xeon_e5_select, .gate = &no_resets, .queue = CHANNEL_READ_QUEUE,
		 .hz = xeon_e5_v3_ddr4, .events = xeon_e5_v3_channel_events},
	[HA] = {E5_PCI(4), .name = "ha", .role = BOX_HOME, .numbered = true, .width = 48,
		.select = &xeon_e5_select, .gate = &no_resets, E5_HOME_FILTERS,
		.events = xeon_e5_v3_home_events},
	/* A flit goes in each clock, and nothing comes twice in one. */
	[QPI] = {E5_PCI(4), .name = "qpi", .role = BOX_LINK, .numbered = true, .width = 48,
		 .select = &xeon_e5_select_link, .gate = &gate, E5_LINK_FILTERS,
		 .events = xeon_e5_v3_link_events},
	[R2PCIE] = {E5_PCI(4), .name = "r2pcie", .role = BOX_PCIE_STOP, .width = 48,
		    .select = &xeon_e5_select_resets, .gate = &gate,
		    .events = xeon_e5_v3_pcie_stop_events},
	[R3QPI] = {E5_PCI(3), .name = "r3qpi", .role = BOX_LINK_STOP, .numbered = true, .width = 44,
		   .wider = 48, .select = &xeon_e5_select_resets, .gate = &gate,
		   .events = xeon_e5_v3_link_stop_events},
	/* Where counters 1 to 3 lie sources differ. */
	[IRP] = {E5_PCI(1), .name = "irp", .role = BOX_IO, .width = 48, .select = &xeon_e5_select,
		 .gate = &no_resets, .events = xeon_e5_v3_io_events},
	[CBO] = {V3_MSR(8), .name = "cbo", .role = BOX_SLICE, .numbered = true, .width = 48,
		 .select = &slice, .gate = &gate, .filters = &slice_filters, E5_ENTRIES,
		 .queue = SLICE_HELD_BY_0, .events = xeon_e5_v3_slice_events},
	/* Its gate takes one bit more at a time. */
	[SBO] = {V3_MSR(6), .name = "sbo", .role = BOX_RING_SWITCH, .numbered = true, .width = 44,
		 .wider = 48, .select = &xeon_e5_select_resets, .gate = &gate_by_bits,
		 .events = xeon_e5_v3_switch_events},
	[UBOX] = {V3_SYSTEM_AT, .width = 44, .wider = 48, .events = xeon_e5_v3_system_events},
	[PCU_V3] = POWER(18, xeon_e5_power, power_events),
	[PCU_V4] = POWER(24, power_v4_hz, power_v4_events),
};
