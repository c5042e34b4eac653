/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that Ice Lake-SP and Snow Ridge have in common: channels of memory, and what their
 * controllers count by themselves, have registers in memory. */
#pragma once

#include "coded.h"
#include "xeon_scalable.h"

/* ---- events ---- */

#define ICX_QUEUE                                                                                  \
	EVENT(SLICE_HELD_BY_0, "COUNTER0_OCCUPANCY", 0x1f, 0x00, ON(1, 3), BY(MEMORY)),            \
		EVENT(OTHER, "LLC_LOOKUP.ALL", 0x34, EXTENDED_BY(0x1fff, 0xff), AGREES,            \
		      BY(MEMORY))
#define ICX_SLICE_EVENTS                                                                           \
	EVENT(SLICE_HELD, "TOR_OCCUPANCY.IA", 0x36, EXTENDED_BY(0xc001ff, 0x01), ON(0, 1)),        \
		EVENT(SLICE_VICTIMS, "LLC_VICTIMS.ALL", 0x37, 0x0f),                               \
		EVENT(SLICE_MEMORY_READS, "IMC_READS_COUNT.NORMAL", 0x59, 0x01, AGREES,            \
		      LINE(LOADED, 1)),                                                            \
		EVENT(OTHER, "IMC_WRITES_COUNT", 0x5b, 0x03, AGREES_BIT_BY_BIT)
#define ICX_MESH_EVENTS                                                                            \
	EVENT(MESH_READS, "IMC_READS.ALL", 0x37, EXTENDED_BY(0x07, 0x04), AGREES, BY(MEMORY)),     \
		EVENT(OTHER, "IMC_READS.CH0_NORMAL", 0x37, EXTENDED_BY(0x01, 0x01), AGREES,        \
		      BY(MEMORY)),                                                                 \
		EVENT(OTHER, "IMC_READS.CH1_NORMAL", 0x37, EXTENDED_BY(0x02, 0x01), AGREES,        \
		      BY(MEMORY)),                                                                 \
		EVENT(OTHER, "IMC_WRITES.CH0_ALL", 0x38, EXTENDED_BY(0x04, 0x10), AGREES),         \
		EVENT(OTHER, "IMC_WRITES.CH1_FULL", 0x38, EXTENDED_BY(0x08, 0x01), AGREES)

extern const uint32_t icx_ddr4[];
extern const struct box_event icx_channel_events[], icx_stack_events[], icx_io_events[],
	icx_power_events[], icx_nothing[];

/* ---- what counts by itself ---- */

/* Sources had dwords before they had 32 bytes: the bound is that of the former. */
#define ICX_PORT(n)                                                                                \
	{                                                                                          \
		.name = "bandwidth in, port " #n, .at = (n), .width = 48, .of = METERED_INWARD,    \
		.most = 8000000                                                                    \
	}
#define ICX_STACK_METERS(clocks_at_)                                                               \
	{.name = "clocks", .at = (clocks_at_), .width = 48, .of = METERED_CLOCKS}, ICX_PORT(0),    \
		ICX_PORT(1), ICX_PORT(2), ICX_PORT(3), ICX_PORT(4), ICX_PORT(5), ICX_PORT(6),      \
		ICX_PORT(7),                                                                       \
	{                                                                                          \
		0                                                                                  \
	}
/* In a millisecond: no controller moves 256 GB/s. */
#define ICX_LINES(name_, at_, of_)                                                                 \
	{                                                                                          \
		.name = (name_), .at = (at_), .width = 48, .of = (of_), .most = 4000000            \
	}
#define ICX_MEMORY_CLOCKS                                                                          \
	{                                                                                          \
		.name = "clocks", .at = 0x20, .width = 48, .of = METERED_CLOCKS                    \
	}

/* ---- kinds ---- */

extern const struct box_select icx_slice, icx_stack, icx_memory_stop;

#define IN_MEMORY .space = REG_MMIO, .whole = true
#define PLAIN     .select = &xeon_e5_select, .gate = &xeon_scalable_gate

#define ICX_CHANNEL                                                                                \
	LIES_AT(0, 0x40, 4, 0x08, .fixed_ctl = 0x54, .fixed_ctr = 0x38), IN_MEMORY, PLAIN,         \
		.name = "imc", .role = BOX_CHANNEL, .numbered = true, .fixed_width = 48,           \
		.fixed = {.enable = BIT(22)}, .fixed_halves = true, .queue = CHANNEL_READ_QUEUE,   \
		.hz = icx_ddr4, .events = icx_channel_events
#define ICX_MC                                                                                     \
	IN_MEMORY, .name = "mc", .role = BOX_MEMORY, .numbered = true,                             \
		   .select = &xeon_e5_select_none,                                                 \
		   .at = {.gate = NOT_THERE, .ctl = NOT_THERE, .ctr = NOT_THERE, E5_NOT_FIXED},    \
		   .channels = 2, .events = icx_nothing
/* Which thread is which number in its filter is not documented. */
#define ICX_CHA                                                                                    \
	V3_MSR(8), .name = "cha", .role = BOX_SLICE, .numbered = true, .width = 48,                \
		   .select = &icx_slice, .gate = &xeon_scalable_gate,                              \
		   .filters = &icx_slice_filters, .own_lines = true, .clusters = true,             \
		   .queue = SLICE_HELD_BY_0
#define ICX_POWER(ctr_, most_)                                                                     \
	V3_MSR(ctr_), .name = "pcu", .role = BOX_POWER, .width = 48, .select = &xeon_e5_v3_power,  \
		      .gate = &xeon_scalable_gate, .queue = POWER_C0, .most = (most_),             \
		      .hz = xeon_scalable_power_hz, .events = icx_power_events
#define ICX_IIO                                                                                    \
	BEHIND_MSRS(4, 8), .select = &icx_stack, .name = "iio", .role = BOX_IO, .numbered = true,  \
			   .meter_dwords = 8, .events = icx_stack_events
#define ICX_IO(ctl_)                                                                               \
	BEHIND_MSRS(2, ctl_), .name = "irp", .role = BOX_IO, .numbered = true,                     \
			      .select = &xeon_e5_select, .events = icx_io_events
#define ICX_M2PCIE(ctl_)                                                                           \
	BEHIND_MSRS(4, ctl_), .name = "m2pcie", .role = BOX_MESH, .numbered = true,                \
			      .select = &xeon_e5_select, .events = xeon_scalable_stop_events
#define BEYOND_100H .space = REG_MMIO, .gate = &xeon_scalable_gate
#define ICX_M2M                                                                                    \
	LIES_AT(0x438, 0x468, 8, 0x440, E5_NOT_FIXED), BEYOND_100H,                                \
		.select = &icx_memory_stop, .name = "m2m", .role = BOX_MESH, .numbered = true

extern const struct box_filters icx_slice_filters;

/* ---- places: how many of each there are, the die and the board say ---- */

/* Function 0.1 beside the system box shows where registers of each controller of memory are. */
#define IN_BLOCK(kind_, number_, bar_, ...)                                                        \
	E5_FUNCTION(kind_, number_, 0, 1, 0x3451, .behind = true, OPTIONAL, .bar_at = (bar_),      \
		    __VA_ARGS__)
#define ICX_CONTROLLER(n)                                                                          \
	IN_BLOCK(CHANNEL, 2 * (n), 0xd8 + 4 * (n), .base = 0x22800, .step = 0x4000, .count = 2),   \
		IN_BLOCK(MC, n, 0xd8 + 4 * (n), .base = 0x2290, .count = 1)
#define RUN(kind_, number_, count_, base_, step_, ...)                                             \
	{                                                                                          \
		.kind = (kind_), .number = (number_), .count = (count_), .base = (base_),          \
		.step = (step_), OPTIONAL, __VA_ARGS__                                             \
	}
