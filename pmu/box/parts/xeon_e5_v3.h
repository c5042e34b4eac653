/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows that Haswell-EP and Broadwell-EP have in common: Intel Xeon Processor E5 and E7 v3 Family
 * Uncore Performance Monitoring Reference Manual, 331051, and of v4, 334291; Linux and libpfm4 for
 * what they name besides.  As before there is frz_en, and inversion; MSRs lie closer together.
 */
#pragma once

#include "xeon_e5.h"

/* From the first MSR of a box on: its gate, four controls, and behind filters, if there are any,
 * and a status register its counters. */
#define V3_MSR(ctr_)                                                                               \
	.space = REG_MSR, .counters = 4,                                                           \
	.at = {.gate = 0, .ctl = 1, .ctl_step = 1, .ctr = (ctr_), .ctr_step = 1, E5_NOT_FIXED}

#define V3_SYSTEM(fixed_ctl_, ctl_, ctr_)                                                          \
	.space = REG_MSR, .counters = 2, .fixed_width = 48,                                        \
	.at = {.gate = NOT_THERE,                                                                  \
	       .fixed_ctl = (fixed_ctl_),                                                          \
	       .fixed_ctr = (fixed_ctl_) + 1,                                                      \
	       .ctl = (ctl_),                                                                      \
	       .ctl_step = 1,                                                                      \
	       .ctr = (ctr_),                                                                      \
	       .ctr_step = 1},                                                                     \
	.fixed = {.enable = BIT(22)}, .name = "ubox", .role = BOX_SYSTEM,                          \
	.select = &xeon_e5_select_system
#define V3_SYSTEM_AT V3_SYSTEM(0, 2, 6)

/* The kinds of both, of which power control is one's own; in this order. */
enum { IMC, HA, QPI, R2PCIE, R3QPI, IRP, CBO, SBO, UBOX, PCU_V3, PCU_V4 };
extern const struct box_kind xeon_e5_v3_kinds[];

/* GLOBAL_CTL: frz_all, unfrz_all. */
#define V3_PACKAGE .package = {.msr = 0x700, .stop = 31, .run = 29}

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
extern const uint32_t xeon_e5_v3_ddr4[];
/* Of power control. */
extern const struct box_select xeon_e5_v3_power;
extern const struct box_filters xeon_e5_v3_power_filters;
extern const struct box_event xeon_e5_v3_channel_events[], xeon_e5_v3_home_events[],
	xeon_e5_v3_link_events[], xeon_e5_v3_pcie_stop_events[], xeon_e5_v3_link_stop_events[],
	xeon_e5_v3_io_events[], xeon_e5_v3_slice_events[], xeon_e5_v3_switch_events[],
	xeon_e5_v3_system_events[];
