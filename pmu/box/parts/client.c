/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clients from Sandy Bridge to Raptor Lake: SDM volume 3B, 20.3.5 and volume 4, MSR_UNC_...; from
 * Ice Lake on as Linux has them (uncore_snb.c), which lists no event of a slice there: its counters
 * are tried on clocks that have fewer occurrences than any has.  One global register lets all of
 * them count; it has moved twice, and Ice Lake needs none.
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

#define SELECT(threshold_)                                                                         \
	.select = {E5_SELECT(E5_EVENT, E5_MASK), .invert = BIT(23), .threshold = (threshold_)}
#define CMASK FIELD(28, 24)
#define MSRS(counters_, ctl_, ctr_, fixed_ctl_, fixed_ctr_)                                        \
	.space = REG_MSR, .counters = (counters_), .width = 44, .fixed_width = 48,                 \
	.at = {.gate = NOT_THERE,                                                                  \
	       .ctl = (ctl_),                                                                      \
	       .ctl_step = 1,                                                                      \
	       .ctr = (ctr_),                                                                      \
	       .ctr_step = 1,                                                                      \
	       .fixed_ctl = (fixed_ctl_),                                                          \
	       .fixed_ctr = (fixed_ctr_)},                                                         \
	.fixed = {.enable = BIT(22)}

#define SLICE(ctr_, threshold_, events_)                                                           \
	{                                                                                          \
		MSRS(2, 0, ctr_, NOT_THERE, NOT_THERE), SELECT(threshold_),                        \
			.name = "cbo", .role = BOX_CORE_SLICE, .numbered = true,                   \
			.events = (events_)                                                        \
	}
#define ARBITER(...)                                                                               \
	{                                                                                          \
		MSRS(__VA_ARGS__), SELECT(CMASK), .name = "arb", .role = BOX_ARBITER,              \
						  .events = arbiter_events                         \
	}

enum { CBO, ARB, ARB_WITHOUT_CLOCK };

/* 394h and 395h are UCLK's; the arbiter's counters lie from 3B0h on. */
static const struct box_kind kinds[] = {
	[CBO] = SLICE(6, CMASK, slice_events),
	[ARB] = ARBITER(2, 2, 0, 0x394 - 0x3b0, 0x395 - 0x3b0),
};
static const struct box_kind icl_kinds[] = {
	[CBO] = SLICE(2, CMASK, no_events),
	[ARB] = ARBITER(1, 2, 0, 0x394 - 0x3b1, 0x395 - 0x3b1),
};
static const struct box_kind tgl_kinds[] = {
	[CBO] = SLICE(2, CMASK, no_events),
	[ARB] = ARBITER(2, 2, 0, 0x394 - 0x3b0, 0x395 - 0x3b0),
};
static const struct box_kind adl_kinds[] = {
	[CBO] = SLICE(2, FIELD(29, 24), no_events),
	[ARB] = ARBITER(2, 0, 2, 0x0e, 0x0f),
	[ARB_WITHOUT_CLOCK] = ARBITER(2, 0, 2, NOT_THERE, NOT_THERE),
};

/* The eighth slice lies elsewhere. */
static const struct box_place places[] = {
	E5_MSRS(CBO, 0x700, 0x10, 7),
	{.kind = CBO, .number = 7, .base = 0xf70, .count = 1},
	E5_MSRS(ARB, 0x3b0, 0, 1),
};
static const struct box_place icl_places[] = {E5_MSRS(CBO, 0x700, 8, 8), E5_MSRS(ARB, 0x3b1, 0, 1)};
static const struct box_place tgl_places[] = {E5_MSRS(CBO, 0x700, 8, 8), E5_MSRS(ARB, 0x3b0, 0, 1)};
static const struct box_place adl_places[] = {
	E5_MSRS(CBO, 0x2000, 8, 10),
	E5_MSRS(ARB, 0x2fd0, 0, 1),
	{.kind = ARB_WITHOUT_CLOCK, .number = 1, .base = 0x2fd8, .count = 1, .optional = true},
};

#define GLOBAL_EN BIT(29)
/* Those from bit 0 on select cores for interrupts, which are not driven. */
#define CLIENT(name_, processors_, kinds_, places_, model_, ...)                                   \
	.ops = {BOX_OPS(2), .name = name_, .title = "uncore of a client (" name_ ")",              \
		.manual = "Intel SDM vol. 3B, 20.3.5; Linux", .processors = processors_},          \
	E5_MODEL(model_), .models = {__VA_ARGS__}, .kinds = (kinds_), .places = (places_),         \
	.places_count = ARRAY_SIZE(places_)

BOX_PART(snb) = {
	CLIENT("snb", "Intel family 6 models 2Ah, 3Ah, 3Ch, 45h, 46h, 3Dh, 47h: slices, arbiter",
	       kinds, places, 0x2a, 0x3a, 0x3c, 0x45, 0x46, 0x3d, 0x47),
	.global = {0x391, GLOBAL_EN},
};
BOX_PART(skl) = {
	CLIENT("skl", "Intel family 6 models 4Eh, 5Eh, 8Eh, 9Eh, A5h, A6h: slices, arbiter", kinds,
	       places, 0x5e, 0x4e, 0x8e, 0x9e, 0xa5, 0xa6),
	.global = {0xe01, GLOBAL_EN},
};
BOX_PART(icl) = {
	CLIENT("icl", "Intel family 6 models 7Dh, 7Eh, 9Dh: slices, arbiter", icl_kinds, icl_places,
	       0x7e, 0x7d, 0x9d),
};
BOX_PART(tgl) = {
	CLIENT("tgl", "Intel family 6 models 8Ch, 8Dh, A7h: slices, arbiter", tgl_kinds, tgl_places,
	       0x8c, 0x8d, 0xa7),
	.global = {0xe01, GLOBAL_EN},
};
BOX_PART(adl) = {
	CLIENT("adl", "Intel family 6 models 97h, 9Ah, B7h, BAh, BFh, BEh: slices, arbiters",
	       adl_kinds, adl_places, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xbe),
	.global = {0x2ff0, GLOBAL_EN},
};
