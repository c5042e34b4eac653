/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that parts of the Xeon E5 share, and how rows are written. */
#pragma once

#include "parts.h"

/* ---- rows, each within its braces ---- */

#define KIND(name_, role_, boxes_, counters_, width_, hz_, events_, idle_)                         \
	.name = name_, .role = role_, .boxes = boxes_, .counters = counters_, .width = width_,     \
	.hz = hz_, .events = events_, .idle = &(idle_)
/* Behind MSRs from there on. */
#define BEHIND(msr_) .msr = msr_, .msrs_apart = 0x20, .registers = e5_msrs
/* A function with registers of a box; and one without, which has no braces. */
#define HAS(device, function, id_, role_, number_, registers_)                                     \
	.df = DF(device, function), .id = id_, .role = role_, .number = number_,                   \
	.registers = registers_
#define ID(device, function, id) ((uint32_t)DF(device, function) << 16 | (id))

/* Counters that have an event. */
enum { E5_COUNTERS = 4 }; /* that a box has at most */
enum { ALL = 0xf, C0 = 0x1, C01 = 0x3, C012 = 0x7, C123 = 0xe, C23 = 0xc };

/* Events; traffic: memory drives it. */
#define SIGNAL(code, counters, signal, traffic) code, counters, COUNTS_SIGNAL, signal, 0, traffic
#define UMASK(code, counters, signal, bits, traffic)                                               \
	code, counters, COUNTS_UMASK, signal, bits, traffic
#define RULE(code, counters, rule, traffic) code, counters, rule, 0, 0, traffic
#define SILENT(code, counters)              RULE(code, counters, COUNTS_NOTHING, false)
#define BAND(code, number)                  code, ALL, COUNTS_BAND, number, 0, false

#define PATTERN(segments_)                  .segments = segments_, .count = ARRAY_SIZE(segments_)

/* ---- what goes on in a clock of power control: cores by state, 100 MHz, changes ---- */

#define CORES(c0, c3, c6)    [POWER_C0] = c0, [POWER_C3] = c3, [POWER_C6] = c6
#define FREQUENCY(f)         [POWER_FREQUENCY] = f
#define ANY_TRANSITION(core) [POWER_TOTAL_TRANSITION] = 1, [POWER_CORE_TRANSITION + (core)] = 1

/* ---- the Xeon E5, from Sandy Bridge-EP to Broadwell-EP ---- */

/* Fields of control registers, of box control, and registers. */
#define E5_CTL         [CTL_EVENT] = FIELD(7, 0), [CTL_EDGE] = BIT(18), [CTL_ENABLE] = BIT(22)
#define E5_UMASK       [CTL_UMASK] = FIELD(15, 8)
#define E5_RESET       [CTL_RESET] = BIT(17)
#define E5_EXTENSION   [CTL_EXTENSION] = BIT(21)
#define E5_THREAD      [CTL_THREAD] = BIT(19)
#define E5_THRESHOLD   [CTL_THRESHOLD] = FIELD(31, 24)
#define E5_THRESHOLD_5 [CTL_THRESHOLD] = FIELD(28, 24)
#define E5_FIXED       [FIXED_ENABLE] = BIT(22)
#define E5_FREEZE      [GATE_FREEZE] = BIT(8)
#define E5_GATE_RESETS [GATE_RESET_CONTROLS] = BIT(0), [GATE_RESET_COUNTERS] = BIT(1)
#define E5_OCCUPANCY                                                                               \
	[CTL_UMASK] = FIELD(15, 14), [CTL_OCCUPANCY] = BIT(7), [CTL_OCCUPANCY_INVERT] = BIT(30),   \
	[CTL_OCCUPANCY_EDGE] = BIT(31)

#define E5_HOME_FILTERS .filter = {0xffffffc0, 0x00003fff, 0x0000003f}
#define E5_LINK_FILTERS .filter = {0x8003fff8, 0x000f000f, 0x8003fff8, 0x000f000f}

/* Registers of a box behind MSRs, of one in configuration space, of a home there, and of a link's
 * function of filters. */
extern const struct uncore_place e5_msrs[], e5_counters[], e5_home[], e5_link_filters[];

/* By role. */
extern const struct uncore_event e5_slice_events[], e5_system_events[], e5_home_events[],
	e5_channel_events[], e5_link_events[], e5_io_fabric_events[], e5_link_fabric_events[];
extern const struct uncore_pattern e5_quiet, e5_system_idle, e5_home_idle, e5_channel_idle,
	e5_link_idle, e5_linked, e5_io_fabric_idle, e5_link_fabric_idle, e5_v3_link_idle,
	e5_v3_linked;

/* MSRs that belong to no box: the prefetchers' switch, and residencies that power control counts:
 * by the SDM they are the core's, and the one that reads them has no deeper sleep than HLT, as its
 * CPUID knows no MWAIT, and no port brings one about.  And where these and the boxes are. */
#define E5_OTHER_MSRS                                                                              \
	{0x1a4, 0, FIELD(3, 0)}, {0x3fc, 0, 0},                                                    \
	{                                                                                          \
		0x3fd, 0, 0                                                                        \
	}
extern const struct msr_range e5_ranges[];
