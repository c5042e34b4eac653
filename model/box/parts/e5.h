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
#define HAS_ON_BUS(bus_, device, function, id_, role_, number_, registers_)                        \
	.df = DF_ON_BUS(bus_, device, function), .id = id_, .role = role_, .number = number_,      \
	.registers = registers_
#define HAS(...) HAS_ON_BUS(0, __VA_ARGS__)
#define ID_ON_BUS(bus, device, function, id)                                                       \
	((uint32_t)DF_ON_BUS(bus, device, function) << 16 | (id))
#define ID(...) ID_ON_BUS(0, __VA_ARGS__)

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
/* ov_en, and a status with a bit for each counter, in which the first is the fixed one's. */
#define E5_TELLS [CTL_OVERFLOW] = BIT(20), [STATUS_OVERFLOWS] = FIELD(3, 0)
#define E5_FIXED_TELLS                                                                             \
	[CTL_OVERFLOW] = BIT(20), [FIXED_OVERFLOW] = BIT(20), [STATUS_OVERFLOWS] = FIELD(4, 1),    \
	[STATUS_FIXED] = BIT(0)
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

/* GLOBAL_CTL (frz_all, wk_on_pmi, unfrz_all, pmi_core_sel) and GLOBAL_STATUS of the later ones; and
 * what the part says of them. */
enum { FRZ_ALL = 31, WK_ON_PMI = 30, UNFRZ_ALL = 29 };
#define E5_GLOBAL_MSRS(cores, status)                                                              \
	{GLOBAL_CTL, 0, BIT(FRZ_ALL) | BIT(WK_ON_PMI) | BIT(UNFRZ_ALL) | (cores)},                 \
	{                                                                                          \
		GLOBAL_STATUS, 0, status                                                           \
	}
#define E5_GLOBAL(cores)                                                                           \
	.global = GLOBAL_CTL, .global_status = GLOBAL_STATUS, .global_statuses = 1,                \
	.global_freeze = BIT(FRZ_ALL), .global_unfreeze = BIT(UNFRZ_ALL), .global_cores = (cores)

/* The uncore's bus, and that of devices, behind the uncore of the socket below. */
enum { UNCORE_BUS, DEVICES_BUS };
#define E5_BUSES .bus = {[UNCORE_BUS] = 0x3f, [DEVICES_BUS] = 0}, .buses = 2
#define E5_NODES .node_at = 0x40, .map_at = 0x54

/* ---- runs of events that all of them have ---- */

#define E5_CHANNEL_EVENTS_BEHIND_ACT                                                               \
	{UMASK(0x02, ALL, CHANNEL_PRE, 0x03, true)}, /* PRE_COUNT */                               \
		{UMASK(0x04, ALL, CHANNEL_CAS, 0x0f, true)}, /* CAS_COUNT */                       \
		{UMASK(0x07, ALL, CHANNEL_MODE, 0x0f, true)}, /* MAJOR_MODES */                    \
		{SILENT(0x08, ALL)}, /* PREEMPTION */                                              \
		{SIGNAL(0x10, ALL, CHANNEL_RPQ_INSERTS, true)}, /* RPQ_INSERTS */                  \
		{SIGNAL(0x11, ALL, CHANNEL_RPQ_NE, true)}, /* RPQ_CYCLES_NE */                     \
		{SIGNAL(0x20, ALL, CHANNEL_WPQ_INSERTS, true)}, /* WPQ_INSERTS */                  \
		{SIGNAL(0x21, ALL, CHANNEL_WPQ_NE, true)}, /* WPQ_CYCLES_NE */                     \
		{SILENT(0x43, ALL)}, /* POWER_SELF_REFRESH */                                      \
		{SIGNAL(0x80, ALL, CHANNEL_RPQ_OCCUPANCY, true)}, /* RPQ_OCCUPANCY */              \
		{SIGNAL(0x81, ALL, CHANNEL_WPQ_OCCUPANCY, true)}, /* WPQ_OCCUPANCY */              \
	{                                                                                          \
		0x83, ALL, COUNTS_ANY, CHANNEL_CKE, 0xff, false                                    \
	} /* POWER_CKE_CYCLES */
#define E5_HOME_EVENTS_BEHIND_TRACKER                                                              \
	{UMASK(0x0b, ALL, HOME_CONFLICT, 0x03, false)}, /* CONFLICT_CYCLES */                      \
		{UMASK(0x0c, ALL, HOME_DIRECTORY, 0x03, true)}, /* DIRECTORY_LOOKUP */             \
		{UMASK(0x10, ALL, HOME_BL, 0x07, true)}, /* TxR_BL */                              \
		{SIGNAL(0x11, ALL, HOME_D2C, true)}, /* DIRECT2CORE_COUNT */                       \
		{UMASK(0x14, ALL, HOME_BYPASS, 0x03, true)}, /* BYPASS_IMC */                      \
		{UMASK(0x1a, ALL, HOME_IMC_WRITES, 0x0f, true)}, /* IMC_WRITES */                  \
		{UMASK(0x1b, ALL, HOME_TAD, 0xff, true)}, /* TAD_REQUESTS_G0 */                    \
	{                                                                                          \
		RULE(0x20, ALL, COUNTS_ADDR_OPC_MATCH, true)                                       \
	} /* ADDR_OPC_MATCH */
#define E5_LINK_EVENTS_OF_MESSAGES                                                                 \
	{UMASK(EV_EXT | 0x01, ALL, LINK_TX_G2, 0x1f, true)}, /* TxL_FLITS_G2 */                    \
		{UMASK(EV_EXT | 0x02, ALL, LINK_RX_G1, 0x1f, true)}, /* RxL_FLITS_G1 */            \
		{UMASK(EV_EXT | 0x03, ALL, LINK_RX_G2, 0x1f, true)}, /* RxL_FLITS_G2 */            \
		{SIGNAL(0x08, ALL, LINK_RX_INSERTS, true)}, /* RxL_INSERTS */                      \
		{SIGNAL(0x0a, ALL, LINK_RX_NE, true)}, /* RxL_CYCLES_NE */                         \
	{                                                                                          \
		SIGNAL(0x0b, ALL, LINK_RX_OCCUPANCY, true)                                         \
	} /* RxL_OCCUPANCY */
#define E5_LINK_EVENTS_OF_CLOCKS                                                                   \
	{RULE(0x0c, ALL, COUNTS_CLOCK, false)}, /* TxL0_POWER_CYCLES: the link never sleeps */     \
		{RULE(0x0f, ALL, COUNTS_CLOCK, false)}, /* RxL0_POWER_CYCLES */                    \
		{RULE(0x14, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */                           \
	{                                                                                          \
		RULE(EV_EXT | 0x38, ALL, COUNTS_CTO, true)                                         \
	} /* CTO_COUNT */
