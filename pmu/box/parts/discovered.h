/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that parts with tables of discovery have in common, from Sapphire Rapids on. */
#pragma once

#include "coded.h"
#include "xeon_e5.h"

/* Types of units in the tables. */
enum { CHA, IIO, IRP, M2PCIE, PCU, UBOX, IMC, M2M, MDF = 20 };

extern const struct box_event discovered_stack_events[], discovered_clock_events[],
	discovered_system_events[];

/* Of boxes; slices; where devices come in; and power control with the system box. */
extern const struct box_select discovered_select, discovered_slice, discovered_stack,
	discovered_system;

extern const struct box_gating discovered_gate;
#define GATE .gate = &discovered_gate
/* From box control on, behind which a status lies. */
#define AT .gate = 0, .ctl = 2, .ctl_step = 1, .ctr = 8, .ctr_step = 1
#define BEHIND_MSRS(name_, type_, counters_)                                                       \
	.name = (name_), .unit = (type_), .space = REG_MSR, .counters = (counters_), .width = 48,  \
	.at = {AT, E5_NOT_FIXED}, GATE
#define CHA_KIND(events_)                                                                          \
	BEHIND_MSRS("cha", CHA, 4), .select = &discovered_slice, .role = BOX_SLICE,                \
				    .numbered = true, .own_lines = true, .clusters = true,         \
				    .events = (events_)
#define IIO_KIND                                                                                   \
	{                                                                                          \
		BEHIND_MSRS("iio", IIO, 4), .select = &discovered_stack, .role = BOX_IO,           \
					    .numbered = true, .events = discovered_stack_events    \
	}
#define IRP_KIND(counters_)                                                                        \
	{                                                                                          \
		BEHIND_MSRS("irp", IRP, counters_), .select = &discovered_select, .role = BOX_IO,  \
						    .numbered = true,                              \
						    .events = discovered_clock_events              \
	}
#define PCU_KIND                                                                                   \
	{                                                                                          \
		BEHIND_MSRS("pcu", PCU, 4), .select = &discovered_system, .role = BOX_POWER,       \
					    .events = discovered_clock_events                      \
	}
#define UBOX_KIND(fixed_ctl_, fixed_ctr_)                                                          \
	.name = "ubox", .unit = UBOX, .role = BOX_SYSTEM, .space = REG_MSR, .counters = 2,         \
	.width = 48, .fixed_width = 48, .select = &discovered_system,                              \
	.at = {AT, .fixed_ctl = (fixed_ctl_), .fixed_ctr = (fixed_ctr_)},                          \
	.fixed = {.enable = BIT(22)}, GATE, .events = discovered_system_events
#define IMC_KIND(events_, queue_)                                                                  \
	{                                                                                          \
		.name = "imc", .unit = IMC, .role = BOX_CHANNEL, .numbered = true,                 \
		.space = REG_MMIO, .counters = 4, .width = 48, .fixed_width = 48,                  \
		.select = &discovered_select,                                                      \
		.at = {.gate = 0,                                                                  \
		       .ctl = 0x40,                                                                \
		       .ctl_step = 4,                                                              \
		       .ctr = 8,                                                                   \
		       .ctr_step = 8,                                                              \
		       .fixed_ctl = 0x54,                                                          \
		       .fixed_ctr = 0x38},                                                         \
		.fixed = {.enable = BIT(22)}, GATE, .queue = (queue_), .events = (events_)         \
	}
