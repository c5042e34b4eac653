/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that parts with tables of discovery have in common, from Sapphire Rapids on. */
#pragma once

#include "coded.h"
#include "xeon_e5.h"

/* Types of units in the tables. */
enum { CHA, IIO, IRP, M2PCIE, PCU, UBOX, IMC, M2M, MDF = 20 };

extern const struct box_event discovered_stack_events[], discovered_clock_events[],
	discovered_system_events[];

#define SELECT(unit_mask_, threshold_)                                                             \
	.select = {.event = E5_EVENT,                                                              \
		   .unit_mask = (unit_mask_),                                                      \
		   .edge = BIT(18),                                                                \
		   .invert = BIT(23),                                                              \
		   .threshold = (threshold_),                                                      \
		   E5_RESET}
#define GATE .gate = {.stop = BIT(0), .run = 0, .reset_ctls = BIT(8), .reset_ctrs = BIT(9)}
/* From box control on, behind which a status lies. */
#define AT .gate = 0, .ctl = 2, .ctl_step = 1, .ctr = 8, .ctr_step = 1
#define BEHIND_MSRS(name_, type_, counters_)                                                       \
	.name = (name_), .unit = (type_), .space = REG_MSR, .counters = (counters_), .width = 48,  \
	.at = {AT, E5_NOT_FIXED}, GATE
#define CHA_KIND(events_)                                                                          \
	BEHIND_MSRS("cha", CHA, 4), SELECT(E5_MASK | FIELD(55, 32), FIELD(31, 24)),                \
		.role = BOX_SLICE, .numbered = true, .own_lines = true, .clusters = true,          \
		.events = (events_)
#define IIO_KIND                                                                                   \
	{                                                                                          \
		BEHIND_MSRS("iio", IIO, 4), SELECT(E5_MASK | FIELD(50, 36), FIELD(35, 24)),        \
			.role = BOX_IO, .numbered = true, .events = discovered_stack_events        \
	}
#define IRP_KIND(counters_)                                                                        \
	{                                                                                          \
		BEHIND_MSRS("irp", IRP, counters_), SELECT(E5_MASK, FIELD(31, 24)),                \
			.role = BOX_IO, .numbered = true, .events = discovered_clock_events        \
	}
/* Sources differ on bit 31 of the thresholds of power control and of the system box. */
#define PCU_KIND                                                                                   \
	{                                                                                          \
		BEHIND_MSRS("pcu", PCU, 4), SELECT(E5_MASK, FIELD(30, 24)),                        \
			.role = BOX_POWER, .events = discovered_clock_events                       \
	}
#define UBOX_KIND(fixed_ctl_, fixed_ctr_)                                                          \
	.name = "ubox", .unit = UBOX, .role = BOX_SYSTEM, .space = REG_MSR, .counters = 2,         \
	.width = 48, .fixed_width = 48, SELECT(E5_MASK, FIELD(30, 24)),                            \
	.at = {AT, .fixed_ctl = (fixed_ctl_), .fixed_ctr = (fixed_ctr_)},                          \
	.fixed = {.enable = BIT(22)}, GATE, .events = discovered_system_events
#define IMC_KIND(events_, queue_)                                                                  \
	{                                                                                          \
		.name = "imc", .unit = IMC, .role = BOX_CHANNEL, .numbered = true,                 \
		.space = REG_MMIO, .counters = 4, .width = 48, .fixed_width = 48,                  \
		SELECT(E5_MASK, FIELD(31, 24)),                                                    \
		.at = {.gate = 0,                                                                  \
		       .ctl = 0x40,                                                                \
		       .ctl_step = 4,                                                              \
		       .ctr = 8,                                                                   \
		       .ctr_step = 8,                                                              \
		       .fixed_ctl = 0x54,                                                          \
		       .fixed_ctr = 0x38},                                                         \
		.fixed = {.enable = BIT(22)}, GATE, .queue = (queue_), .events = (events_)         \
	}
