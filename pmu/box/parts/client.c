/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clients from Sandy Bridge to Panther Lake: SDM volume 3B, 20.3.5 and volume 4, MSR_UNC_...; from
 * Ice Lake on as Linux has them (uncore_snb.c), which lists no event of a slice there: its counters
 * are tried on clocks that have fewer occurrences than any has.  One global register lets all of
 * them count; it has moved twice, and Ice Lake needs none.
 *
 * Not driven: of Panther Lake a second arbiter and what bridges to the cores, as no source says
 * which register lets them count; and what is in memory but no controller of it, as sources differ.
 *
 * What memory's controllers count by themselves is in a window of memory: Linux, and Intel's PCM.
 */
#include "xeon_e5.h"

static const struct box_event slice_events[] = {
	EVENT(CORE_LOOKUPS, "CACHE_LOOKUP.ANY_MESI", 0x34, 0x8f),
	EVENT(CORE_READS, "CACHE_LOOKUP.READ_MESI", 0x34, 0x1f),
	EVENT(CORE_MISSES, "CACHE_LOOKUP.READ_I", 0x34, 0x18),
	{0},
};
static const struct box_event no_events[] = {EVENT(OTHER, "none", 0x00, 0x00), {0}};
static const struct box_event arbiter_events[] = {
	EVENT(REQUESTS_TRACKED, "TRK_REQUESTS.ALL", 0x81, 0x01),
	{0},
};
static const struct box_event mtl_arbiter_events[] = {
	EVENT(REQUESTS_TRACKED, "REQ_TRK_REQUEST.DRD", 0x81, 0x02),
	{0},
};

/* ---- memory ---- */

/* In a millisecond at most: no client's memory moves 256 GB/s. */
#define LINES(name_, at_, width_, of_)                                                             \
	{                                                                                          \
		.name = (name_), .at = (at_), .width = (width_), .of = (of_), .most = 4000000      \
	}
static const struct box_meter snb_meters[] = {
	LINES("graphics' requests", 0x40, 32, METERED_OTHER),
	LINES("cores' requests", 0x44, 32, METERED_ASKED),
	LINES("devices' requests", 0x48, 32, METERED_OTHER),
	LINES("reads", 0x50, 32, METERED_READS),
	LINES("writes", 0x54, 32, METERED_WRITES),
	{0},
};
/* Of Alder Lake's 64 bits PCM reads the lower half alone, and Linux all: they are alike modulo 2 to
 * the 32nd. */
#define METERS_FROM_TGL(width_)                                                                    \
	LINES("requests", 0x40, width_, METERED_ASKED),                                            \
		LINES("reads", 0x58, width_, METERED_READS),                                       \
		LINES("writes", 0xa0, width_, METERED_WRITES),                                     \
	{                                                                                          \
		0                                                                                  \
	}
static const struct box_meter tgl_meters[] = {METERS_FROM_TGL(64)};
static const struct box_meter adl_meters[] = {METERS_FROM_TGL(32)};

/* Its registers are beside those of memory's timings: none is written. */
#define MEMORY(numbered_, meters_)                                                                 \
	{                                                                                          \
		.name = "mc", .role = BOX_MEMORY, .numbered = (numbered_), .space = REG_MMIO,      \
		.whole = true, .events = nothing, .meters = (meters_),                             \
		.select = &xeon_e5_select_none,                                                    \
		.at = {.gate = NOT_THERE,                                                          \
		       .ctl = NOT_THERE,                                                           \
		       .ctr = NOT_THERE,                                                           \
		       E5_NOT_FIXED }                                                              \
	}
static const struct box_event nothing[] = {{0}};

/* Alder Lake's has counters as well, of which no bit but the event enables one. */
static const struct box_event memory_events[] = {
	EVENT(BOX_CLOCKS, "CLK", 0x01, 0x00),
	EVENT(MEMORY_READS, "CAS_RD", 0x22, 0x00, AGREES, BY(MEMORY)),
	EVENT(MEMORY_WRITES, "CAS_WR", 0x23, 0x00, AGREES, BY(MEMORY)),
	{0},
};
static const struct box_select memory_select = {.event = FIELD(7, 0),
						.unit_mask = FIELD(11, 8),
						.edge = BIT(18),
						E5_INVERT,
						E5_THRESHOLD_8};
static const struct box_gating memory_gate = {
	.stop = 1, .run = 0, .reset_ctls = 2, .reset_ctrs = 4, .global_at = 0x1d9c0};
#define MEMORY_WITH_COUNTERS(meters_)                                                              \
	{                                                                                          \
		.name = "mc", .role = BOX_MEMORY, .numbered = true, .space = REG_MMIO,             \
		.whole = true, .events = memory_events, .meters = (meters_), .counters = 5,        \
		.width = 64, .read_only = true,                                                    \
		.at = {.gate = 0x1c4,                                                              \
		       .ctl = 0x1d0,                                                               \
		       .ctl_step = 4,                                                              \
		       .ctr = 0x1e8,                                                               \
		       .ctr_step = 8,                                                              \
		       E5_NOT_FIXED},                                                              \
		.select = &memory_select, .gate = &memory_gate                                     \
	}

/* ---- slices and arbiters ---- */

#define SELECT E5_SELECT(E5_EVENT, E5_MASK), E5_INVERT
static const struct box_select early = {SELECT, E5_THRESHOLD_5},
			       later = {SELECT, .threshold = FIELD(29, 24)};
#define MSRS(width_, counters_, ctl_, ctr_, fixed_ctl_, fixed_ctr_)                                \
	.space = REG_MSR, .counters = (counters_), .width = (width_), .fixed_width = 48,           \
	.at = {.gate = NOT_THERE,                                                                  \
	       .ctl = (ctl_),                                                                      \
	       .ctl_step = 1,                                                                      \
	       .ctr = (ctr_),                                                                      \
	       .ctr_step = 1,                                                                      \
	       .fixed_ctl = (fixed_ctl_),                                                          \
	       .fixed_ctr = (fixed_ctr_)},                                                         \
	.fixed = {.enable = BIT(22)}

#define SLICE(width_, ctr_, select_, events_)                                                      \
	{                                                                                          \
		MSRS(width_, 2, 0, ctr_, NOT_THERE, NOT_THERE),                                    \
			.select = (select_), .name = "cbo", .role = BOX_CORE_SLICE,                \
			.numbered = true, .events = (events_)                                      \
	}
#define ARBITER_WITH(events_, select_, ...)                                                        \
	{                                                                                          \
		MSRS(__VA_ARGS__), .select = (select_), .name = "arb", .role = BOX_ARBITER,        \
				   .events = (events_)                                             \
	}
#define ARBITER(...) ARBITER_WITH(arbiter_events, &early, 44, __VA_ARGS__)

/* Of all parts, in one table. */
enum {
	CBO,
	CBO_ICL,
	CBO_ADL,
	CBO_MTL,
	ARB,
	ARB_ICL,
	ARB_ADL,
	ARB_SECOND,
	ARB_MTL,
	ARB_LNL,
	ARB_PTL,
	MC,
	MC_TGL,
	MC_TGL_H,
	MC_ADL
};

/* 394h and 395h are UCLK's; the arbiter's counters lie from 3B0h on. */
static const struct box_kind kinds[] = {
	[CBO] = SLICE(44, 6, &early, slice_events),
	[CBO_ICL] = SLICE(44, 2, &early, no_events),
	[CBO_ADL] = SLICE(44, 2, &later, no_events),
	[CBO_MTL] = SLICE(48, 6, &later, no_events),
	[ARB] = ARBITER(2, 2, 0, 0x394 - 0x3b0, 0x395 - 0x3b0),
	[ARB_ICL] = ARBITER(1, 2, 0, 0x394 - 0x3b1, 0x395 - 0x3b1),
	[ARB_ADL] = ARBITER(2, 0, 2, 0x0e, 0x0f),
	[ARB_SECOND] = ARBITER(2, 0, 2, NOT_THERE, NOT_THERE),
	[ARB_MTL] = ARBITER_WITH(mtl_arbiter_events, &later, 48, 2, 0, 6, 0x2402 - 0x2412,
				 0x2408 - 0x2412),
	[ARB_LNL] = ARBITER_WITH(no_events, &later, 48, 2, 0, 6, NOT_THERE, NOT_THERE),
	[ARB_PTL] = ARBITER_WITH(no_events, &later, 48, 2, 0, 6, 0x2402 - 0x2412, 0x2408 - 0x2412),
	[MC] = MEMORY(false, snb_meters),
	[MC_TGL] = MEMORY(false, tgl_meters),
	[MC_TGL_H] = MEMORY(true, adl_meters),
	[MC_ADL] = MEMORY_WITH_COUNTERS(adl_meters),
};

#define IN_WINDOW(kind_, base_, ...)                                                               \
	{                                                                                          \
		.kind = (kind_), .base = (base_), .count = 1, .in_window = true, __VA_ARGS__       \
	}
/* One, or two of which a part may lack the second. */
#define ONE_MC IN_WINDOW(MC, 0x5000)
#define TWO_MC(kind_, model_)                                                                      \
	IN_WINDOW(kind_, 0xd800, .model = (model_)),                                               \
		IN_WINDOW(kind_, 0x1d800, .number = 1, OPTIONAL, .model = (model_))

/* The eighth slice lies elsewhere. */
static const struct box_place places[] = {
	E5_MSRS(CBO, 0x700, 0x10, 7),
	{.kind = CBO, .number = 7, .base = 0xf70, .count = 1},
	E5_MSRS(ARB, 0x3b0, 0, 1),
	ONE_MC,
};
/* Of one for neural networks (9Dh) no source says where its memory is counted. */
static const struct box_place icl_places[] = {
	E5_MSRS(CBO_ICL, 0x700, 8, 8),
	E5_MSRS(ARB_ICL, 0x3b1, 0, 1),
	IN_WINDOW(MC, 0x5000, .model = 0x7d),
	IN_WINDOW(MC, 0x5000, .model = 0x7e),
};
/* Tiger Lake-U, Tiger Lake-H and Rocket Lake. */
static const struct box_place tgl_places[] = {
	E5_MSRS(CBO_ICL, 0x700, 8, 8),
	E5_MSRS(ARB, 0x3b0, 0, 1),
	IN_WINDOW(MC_TGL, 0x5000, .model = 0x8c),
	TWO_MC(MC_TGL_H, 0x8d),
	IN_WINDOW(MC, 0x5000, .model = 0xa7),
};
static const struct box_place adl_places[] = {
	E5_MSRS(CBO_ADL, 0x2000, 8, 10),
	E5_MSRS(ARB_ADL, 0x2fd0, 0, 1),
	{.kind = ARB_SECOND, .number = 1, .base = 0x2fd8, .count = 1, .optional = true},
	TWO_MC(MC_ADL, 0),
};

/* Of the die that has the cores; of those beside devices, which another register lets count, one
 * source tells.  UCLK is cNCU's. */
static const struct box_place mtl_places[] = {
	E5_MSRS(CBO_MTL, 0x2442, 0x10, 10),
	E5_MSRS(ARB_MTL, 0x2412, 0, 1),
	TWO_MC(MC_ADL, 0),
};
/* Its UCLK is in memory. */
static const struct box_place lnl_places[] = {
	E5_MSRS(CBO_MTL, 0x2442, 0x10, 4),
	E5_MSRS(ARB_LNL, 0x2412, 0, 1),
	TWO_MC(MC_ADL, 0),
};
/* Of two arbiters (Linux: santa) the one that is where those before it are. */
static const struct box_place ptl_places[] = {
	E5_MSRS(CBO_MTL, 0x2442, 0x10, 6),
	E5_MSRS(ARB_PTL, 0x2412, 0, 1),
	TWO_MC(MC_TGL_H, 0),
};

#define GLOBAL_EN BIT(29)
/* Those from bit 0 on select cores for interrupts, which are not driven. */
#define CLIENT(name_, processors_, places_, model_, ...)                                           \
	.ops = {BOX_OPS(5), .name = name_, .title = "uncore of a client (" name_ ")",              \
		.manual = "SDM vol. 3B, 20.3.5; Linux", .processors = processors_},                \
	E5_MODEL(model_), .models = {__VA_ARGS__}, .window_at = 0x48, .kinds = kinds,              \
	.places = (places_), .places_count = ARRAY_SIZE(places_)

BOX_PART(snb) = {
	CLIENT("snb",
	       "Intel family 6 models 2Ah, 3Ah, 3Ch, 45h, 46h, 3Dh, 47h: slices, arbiter, memory",
	       places, 0x2a, 0x3a, 0x3c, 0x45, 0x46, 0x3d, 0x47),
	.global = {0x391, GLOBAL_EN},
};
BOX_PART(skl) = {
	CLIENT("skl", "Intel family 6 models 4Eh, 5Eh, 8Eh, 9Eh, A5h, A6h: slices, arbiter, memory",
	       places, 0x5e, 0x4e, 0x8e, 0x9e, 0xa5, 0xa6),
	.global = {0xe01, GLOBAL_EN},
};
BOX_PART(icl) = {
	CLIENT("icl", "Intel family 6 models 7Dh, 7Eh, 9Dh: slices, arbiter, memory", icl_places,
	       0x7e, 0x7d, 0x9d),
};
BOX_PART(tgl) = {
	CLIENT("tgl", "Intel family 6 models 8Ch, 8Dh, A7h: slices, arbiter, memory", tgl_places,
	       0x8c, 0x8d, 0xa7),
	.global = {0xe01, GLOBAL_EN},
};
BOX_PART(adl) = {
	CLIENT("adl",
	       "Intel family 6 models 97h, 9Ah, B7h, BAh, BFh, BEh: slices, arbiters, memory",
	       adl_places, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xbe),
	.global = {0x2ff0, GLOBAL_EN},
};
BOX_PART(mtl) = {
	CLIENT("mtl", "Intel family 6 models AAh, ACh, B5h, C5h, C6h: slices, arbiter, memory",
	       mtl_places, 0xaa, 0xac, 0xb5, 0xc5, 0xc6),
	.global = {0x240e, GLOBAL_EN},
};
BOX_PART(lnl) = {
	CLIENT("lnl", "Intel family 6 model BDh: slices, arbiter, memory", lnl_places, 0xbd),
	.global = {0x240e, GLOBAL_EN},
};
BOX_PART(ptl) = {
	CLIENT("ptl", "Intel family 6 models CCh, D5h: slices, arbiter, memory", ptl_places, 0xcc,
	       0xd5),
	.global = {0x240e, GLOBAL_EN},
};
