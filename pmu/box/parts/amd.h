/* SPDX-License-Identifier: BSD-2-Clause */
/* How rows of AMD's boxes are written: APM volume 2, 13.2. */
#pragma once

#include "pmu/box/box.h"

#define AMD_VENDORS "AuthenticAMDHygonGenuine"

/* Bits of CPUID 8000_0001h ECX. */
enum { PERF_CTR_EXT_NB = 24, PERF_CTR_EXT_LLC = 28 };

/* Control and counter by turns, from the first MSR on. */
#define AMD_PAIRS(counters_)                                                                       \
	.space = REG_MSR, .counters = (counters_), .width = 48,                                    \
	.at = {.gate = NOT_THERE,                                                                  \
	       .ctl = 0,                                                                           \
	       .ctr = 1,                                                                           \
	       .fixed_ctl = NOT_THERE,                                                             \
	       .fixed_ctr = NOT_THERE,                                                             \
	       .ctl_step = 2,                                                                      \
	       .ctr_step = 2}
#define AMD_STEP     2
#define AMD_EVENT_8  FIELD(7, 0)
#define AMD_EVENT_12 (FIELD(7, 0) | FIELD(35, 32))
#define AMD_MASK_8   FIELD(15, 8)
#define AMD_EN       .enable = BIT(22)

#define EVENT(is_, name_, event_, unit_mask_, ...)                                                 \
	{                                                                                          \
		.is = (is_), .name = (name_), .event = (event_), .unit_mask = (unit_mask_),        \
		__VA_ARGS__                                                                        \
	}
