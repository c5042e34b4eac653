/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows that Haswell-EP and Broadwell-EP have in common: Intel Xeon Processor E5 and E7 v3 Family
 * Uncore Performance Monitoring Reference Manual, 331051, and of v4, 334291; Linux and libpfm4 for
 * what they name besides.  As before there is frz_en, and inversion; MSRs lie closer together.
 */
#pragma once

#include "xeon_e5.h"

#define V3_INVERT .invert = BIT(23)
#define V3_PLAIN  E5_SELECT(E5_EVENT, E5_MASK), V3_INVERT, E5_THRESHOLD_8
/* Whether frz needs frz_en (16) is not documented for these. */
#define V3_GATE                .stop = 0x10100, .run = 0x10000, .reset_ctls = 1, .reset_ctrs = 2
#define V3_GATE_WITHOUT_RESETS .stop = 0x10100, .run = 0x10000

/* From the first MSR of a box on: its gate, four controls, and behind filters, if there are any,
 * and a status register its counters. */
#define V3_MSR(ctr_)                                                                               \
	.space = REG_MSR, .counters = 4,                                                           \
	.at = {.gate = 0, .ctl = 1, .ctl_step = 1, .ctr = (ctr_), .ctr_step = 1, E5_NOT_FIXED}

#define V3_CHANNEL                                                                                 \
	{                                                                                          \
		E5_CHANNEL, .name = "imc", .role = BOX_CHANNEL, .numbered = true,                  \
			    .select = {V3_PLAIN}, .gate = {V3_GATE_WITHOUT_RESETS},                \
			    .queue = CHANNEL_READ_QUEUE, .hz = xeon_e5_v3_ddr4,                    \
			    .events = xeon_e5_v3_channel_events                                    \
	}
#define V3_HOME                                                                                    \
	{                                                                                          \
		E5_PCI(4), .name = "ha", .role = BOX_HOME, .numbered = true, .width = 48,          \
			   .select = {V3_PLAIN}, .gate = {V3_GATE_WITHOUT_RESETS},                 \
			   E5_HOME_FILTERS, .events = xeon_e5_v3_home_events                       \
	}
/* A flit goes in each clock, and nothing comes twice in one. */
#define V3_LINK                                                                                    \
	{                                                                                          \
		E5_PCI(4), .name = "qpi", .role = BOX_LINK, .numbered = true, .width = 48,         \
			   .select = {E5_SELECT(E5_EXTENDED, E5_MASK), V3_INVERT, E5_THRESHOLD_8,  \
				      E5_RESET},                                                   \
			   .gate = {V3_GATE}, E5_LINK_FILTERS, .events = xeon_e5_v3_link_events    \
	}
#define V3_PCIE_STOP                                                                               \
	{                                                                                          \
		E5_PCI(4), .name = "r2pcie", .role = BOX_PCIE_STOP, .width = 48,                   \
			   .select = {V3_PLAIN, E5_RESET}, .gate = {V3_GATE},                      \
			   .events = xeon_e5_v3_pcie_stop_events                                   \
	}
#define V3_LINK_STOP                                                                               \
	{                                                                                          \
		E5_PCI(3), .name = "r3qpi", .role = BOX_LINK_STOP, .numbered = true, .width = 44,  \
			   .wider = 48, .select = {V3_PLAIN, E5_RESET}, .gate = {V3_GATE},         \
			   .events = xeon_e5_v3_link_stop_events                                   \
	}
/* Where counters 1 to 3 lie sources differ. */
#define V3_IO                                                                                      \
	{                                                                                          \
		E5_PCI(1), .name = "irp", .role = BOX_IO, .width = 48, .select = {V3_PLAIN},       \
			   .gate = {V3_GATE_WITHOUT_RESETS}, .events = xeon_e5_v3_io_events        \
	}
/* No source names an inversion of slices. */
#define V3_SLICE                                                                                   \
	{                                                                                          \
		V3_MSR(8), .name = "cbo", .role = BOX_SLICE, .numbered = true, .width = 48,        \
			   .select = {E5_SELECT(E5_EVENT, E5_MASK), E5_THRESHOLD_8, E5_RESET,      \
				      .thread = BIT(19)},                                          \
			   .gate = {V3_GATE}, .filters = &xeon_e5_v3_slice_filters, E5_ENTRIES,    \
			   .queue = SLICE_HELD_BY_0, .events = xeon_e5_v3_slice_events             \
	}
/* Its gate takes one bit more at a time. */
#define V3_RING_SWITCH                                                                             \
	{                                                                                          \
		V3_MSR(6), .name = "sbo", .role = BOX_RING_SWITCH, .numbered = true, .width = 44,  \
			   .wider = 48, .select = {V3_PLAIN, E5_RESET},                            \
			   .gate = {V3_GATE, .bit_by_bit = true},                                  \
			   .events = xeon_e5_v3_switch_events                                      \
	}
#define V3_SYSTEM_AT                                                                               \
	.space = REG_MSR, .counters = 2, .fixed_width = 48,                                        \
	.at = {.gate = NOT_THERE,                                                                  \
	       .fixed_ctl = 0,                                                                     \
	       .fixed_ctr = 1,                                                                     \
	       .ctl = 2,                                                                           \
	       .ctl_step = 1,                                                                      \
	       .ctr = 6,                                                                           \
	       .ctr_step = 1},                                                                     \
	.fixed = {.enable = BIT(22)}, .name = "ubox", .role = BOX_SYSTEM,                          \
	.select = {E5_SELECT(E5_EVENT, E5_MASK), V3_INVERT, E5_THRESHOLD_5, E5_RESET}
#define V3_SYSTEM                                                                                  \
	{                                                                                          \
		V3_SYSTEM_AT, .width = 44, .wider = 48, .events = xeon_e5_v3_system_events         \
	}
#define V3_POWER(cores_, hz_, events_)                                                             \
	{                                                                                          \
		V3_MSR(7), .name = "pcu", .role = BOX_POWER, .width = 48,                          \
			   .select = {E5_SELECT(E5_EVENT, E5_OCC_SEL), V3_INVERT, E5_THRESHOLD_5,  \
				      E5_RESET},                                                   \
			   .other_if = E5_OCCUPANCY, .other = &xeon_e5_v3_occupancy,               \
			   .gate = {V3_GATE}, .filters = &xeon_e5_v3_power_filters,                \
			   .residency = E5_RESIDENCY, .queue = POWER_C0, .most = (cores_),         \
			   .hz = (hz_), .events = (events_)                                        \
	}

/* The kinds of a part, in this order. */
enum { IMC, HA, QPI, R2PCIE, R3QPI, IRP, CBO, SBO, UBOX, PCU };
#define V3_KINDS(cores_, hz_, power_events_)                                                       \
	[IMC] = V3_CHANNEL, [HA] = V3_HOME, [QPI] = V3_LINK, [R2PCIE] = V3_PCIE_STOP,              \
	[R3QPI] = V3_LINK_STOP, [IRP] = V3_IO, [CBO] = V3_SLICE, [SBO] = V3_RING_SWITCH,           \
	[UBOX] = V3_SYSTEM, [PCU] = V3_POWER(cores_, hz_, power_events_)

/* Occupancies are of counters as rest_ says. */
#define V3_POWER_EVENTS(...)                                                                       \
	E5_BAND_EVENTS, EVENT(OTHER, "DEMOTIONS_CORE0", 0x30, 0x00, AGREES),                       \
		EVENT(POWER_TRANSITIONS, "FREQ_TRANS_CYCLES", 0x74, 0x00, AGREES),                 \
		EVENT(POWER_C0, "POWER_STATE_OCCUPANCY.CORES_C0", E5_OCCUPANCY, 1, AGREES,         \
		      __VA_ARGS__),                                                                \
		EVENT(POWER_C3, "POWER_STATE_OCCUPANCY.CORES_C3", E5_OCCUPANCY, 2, AGREES,         \
		      __VA_ARGS__),                                                                \
		EVENT(POWER_C6, "POWER_STATE_OCCUPANCY.CORES_C6", E5_OCCUPANCY, 3, __VA_ARGS__)

/* DDR4-1333 to -2400. */
extern const struct box_filters xeon_e5_v3_slice_filters, xeon_e5_v3_power_filters;
extern const uint32_t xeon_e5_v3_ddr4[];
extern const struct box_select xeon_e5_v3_occupancy;
extern const struct box_event xeon_e5_v3_channel_events[], xeon_e5_v3_home_events[],
	xeon_e5_v3_link_events[], xeon_e5_v3_pcie_stop_events[], xeon_e5_v3_link_stop_events[],
	xeon_e5_v3_io_events[], xeon_e5_v3_slice_events[], xeon_e5_v3_switch_events[],
	xeon_e5_v3_system_events[];
