/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nehalem-EX and Westmere-EX, the Xeons 7500 and E7: SDM volume 4, MSR_C0_PMON_..., Linux
 * (uncore_nhmex.c) and LIKWID, whose lists have the events.  Box control has a bit for each
 * counter, and the U box one that lets all count.  Of these boxes no event is a clock that both
 * lists have for all counters: counted are clocks that have fewer of another one than the largest
 * threshold.
 *
 * Not driven: the U box, whose one counter has what lets all others count as its own control; the B
 * boxes, each counter of which has events of its own, but no clock; the M boxes, of whose clock the
 * lists differ, and whose other events further registers choose; and the R boxes, whose events
 * these alone make.
 */
#include "xeon_e5.h"

#define CLOCKS_OF(name_, event_, unit_mask_, most_)                                                \
	EVENT(BOX_CLOCKS, name_ ", inverted", event_, unit_mask_, .below = (most_))

static const struct box_event slice_events[] = {
	CLOCKS_OF("LLC_MISSES", 0x14, 0x07, 0x1f),
	EVENT(OTHER, "ARB_WINS", 0x0a, 0x7f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "LLC_MISSES", 0x14, 0x07, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "LLC_HITS", 0x15, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "LLC_VICTIMS", 0x17, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "SNP_HITS", 0x28, 0xff, AGREES_BIT_BY_BIT),
	{0},
};
static const struct box_event stop_events[] = {
	CLOCKS_OF("TO_R_SNP_MSGQ_CYCLES_FULL", 0x08, 0x00, 0xff),
	EVENT(OTHER, "EGRESS_ARB_WINS", 0x41, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "PKTS_SENT_HOM", 0x60, 0x03, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "PKTS_SENT_DRS", 0x64, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "PKTS_RCVD_DRS_FROM_B", 0x73, 0x00, AGREES, BY(MEMORY)),
	{0},
};
static const struct box_event power_events[] = {
	CLOCKS_OF("PROCHOT", 0x02, 0x00, 0xff),
	EVENT(OTHER, "C_C0_THROTTLE_DIE", 0x01, 0xff, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "C_CYCLES_TURBO", 0x04, 0xff, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "RATIO_CHANGE_ABORT", 0x08, 0xff, AGREES_BIT_BY_BIT),
	{0},
};

/* Controls and counters in turn. */
#define BOX(counters_, select_, ...)                                                               \
	.space = REG_MSR, .counters = (counters_), .width = 48,                                    \
	.at = {.gate = 0,                                                                          \
	       .status = 1,                                                                        \
	       .clear = 2,                                                                         \
	       .ctl = 0x10,                                                                        \
	       .ctl_step = 2,                                                                      \
	       .ctr = 0x11,                                                                        \
	       .ctr_step = 2,                                                                      \
	       __VA_ARGS__},                                                                       \
	.select = (select_)

enum { SLICE, STOP, POWER };

/* Bits 31:29 LIKWID does not have as threshold. */
static const struct box_gating slice_gate = {.run = FIELD(5, 0)}, stop_gate = {.run = FIELD(3, 0)},
			       power_gate = {.run = BIT(31) | FIELD(3, 0)};
static const struct box_select slice = {E5_SELECT(E5_EVENT, E5_MASK), E5_INVERT, E5_THRESHOLD_5};

static const struct box_kind kinds[] = {
	[SLICE] = {BOX(6, &slice, E5_NOT_FIXED), .name = "cbox", .role = BOX_SLICE,
		   .numbered = true, .gate = &slice_gate, .events = slice_events},
	[STOP] = {BOX(4, &xeon_e5_select, E5_NOT_FIXED), .name = "sbox", .role = BOX_LINK_STOP,
		  .numbered = true, .gate = &stop_gate, .events = stop_events},
	[POWER] = {BOX(4, &xeon_e5_select, .fixed_ctr = 0x394 - 0xc80, .fixed_ctl = 0x395 - 0xc80),
		   .name = "wbox", .role = BOX_POWER, .fixed_width = 48,
		   .fixed = {.enable = BIT(0)}, .gate = &power_gate, .events = power_events},
};

enum { WESTMERE_EX = 0x2f };

#define ONE(number_, base_, ...)                                                                   \
	{                                                                                          \
		.kind = SLICE, .number = (number_), .base = (base_), .count = 1, OPTIONAL,         \
		__VA_ARGS__                                                                        \
	}
static const struct box_place places[] = {
	ONE(0, 0xd00, ),
	ONE(1, 0xd80, ),
	ONE(2, 0xd40, ),
	ONE(3, 0xdc0, ),
	ONE(4, 0xd20, ),
	ONE(5, 0xda0, ),
	ONE(6, 0xd60, ),
	ONE(7, 0xde0, ),
	ONE(8, 0xf40, .model = WESTMERE_EX),
	ONE(9, 0xfc0, .model = WESTMERE_EX),
	{.kind = STOP, .base = 0xc40, .step = 0x80, .count = 2, OPTIONAL},
	E5_MSRS(POWER, 0xc80, 0, 1),
};

BOX_PART(nhmex) = {
	.ops = {BOX_OPS(6), .name = "nhmex", .title = "uncore of the Xeons 7500 and E7",
		.manual = "SDM vol. 4; Linux; LIKWID",
		.processors = "Intel family 6 models 2Eh, 2Fh (Nehalem-EX, Westmere-EX): slices, "
			      "ends of the ring, power control"},
	E5_MODEL(0x2e),
	.models = {WESTMERE_EX},
	.global = {0xc00, BIT(28)},
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
