/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AMD's northbridges, and the second-level cache of family 16h: BKDG 42301 and 48751, 3.24; names
 * as there.  Before family 15h counters of the core have their events, 0E0h and up, which they
 * count whatever the rings are: BKDG 26094, 31116, 41131 and 43170, 3.12.
 */
#include "amd.h"

/* Of the first memory controller, of the second, and of both. */
static const struct box_event two_controllers[] = {
	EVENT(NODE_PAGE_HITS, "DRAM accesses: DCT0 page hit", 0x0e0, 0x01),
	EVENT(NODE_PAGE_MISSES, "DRAM accesses: DCT0 page miss", 0x0e0, 0x02),
	EVENT(NODE_PAGE_CONFLICTS, "DRAM accesses: DCT0 page conflict", 0x0e0, 0x04),
	EVENT(NODE_DRAM_0, "DRAM accesses: DCT0", 0x0e0, 0x07),
	EVENT(NODE_DRAM_1, "DRAM accesses: DCT1", 0x0e0, 0x38),
	EVENT(NODE_DRAM, "DRAM accesses", 0x0e0, 0x3f),
	{0},
};
static const struct box_event one_controller[] = {
	EVENT(NODE_PAGE_HITS, "DRAM accesses: page hit", 0x0e0, 0x01),
	EVENT(NODE_PAGE_MISSES, "DRAM accesses: page miss", 0x0e0, 0x02),
	EVENT(NODE_PAGE_CONFLICTS, "DRAM accesses: page conflict", 0x0e0, 0x04),
	EVENT(NODE_DRAM_0, "DRAM accesses", 0x0e0, 0x07),
	EVENT(NODE_DRAM, "DRAM accesses", 0x0e0, 0x07),
	{0},
};

/* Names as in the list of Kabini that AMD has given LIKWID: of data, and of what is fetched ahead.
 */
static const struct box_event cache_16h[] = {
	EVENT(L2_REQUESTS, "requests to L2 cache: data fill, prefetcher", 0x07d, 0x42),
	EVENT(L2_MISSES, "L2 cache misses: data fill, prefetcher", 0x07e, 0x12),
	{0},
};

enum { NORTHBRIDGE_K8, NORTHBRIDGE_10H, NORTHBRIDGE_15H, NORTHBRIDGE_16H, CACHE_16H };

static const struct box_scopes of_core = {.one_core = BIT(36), .core = FIELD(40, 37)};
#define OF_12    .event = AMD_EVENT_12, .unit_mask = AMD_MASK_8
#define BY_RINGS .enable = BIT(22) | FIELD(17, 16)
static const struct box_select select_k8 = {.event = AMD_EVENT_8,
					    .unit_mask = AMD_MASK_8,
					    BY_RINGS},
			       select_10h = {OF_12, BY_RINGS},
			       select_apart = {OF_12, AMD_EN, .interrupt = BIT(20),
					       .scopes = &of_core},
			       select_l2 = {OF_12, AMD_EN};

#define NORTHBRIDGE                                                                                \
	.name = "nb", .role = BOX_NORTHBRIDGE, AMD_PAIRS(4), .common = COMMON_NODE,                \
	.select = &select_apart

/* PerfEvtSel and PerfCtr.  With no ring selected a counter of the core stands still. */
#define IN_CORE(select_)                                                                           \
	.name = "nb", .role = BOX_NORTHBRIDGE, .space = REG_MSR, .counters = 4, .width = 48,       \
	.in_core = true,                                                                           \
	.at = {.gate = NOT_THERE,                                                                  \
	       .ctl = 0,                                                                           \
	       .ctr = 4,                                                                           \
	       .fixed_ctl = NOT_THERE,                                                             \
	       .fixed_ctr = NOT_THERE,                                                             \
	       .ctl_step = 1,                                                                      \
	       .ctr_step = 1},                                                                     \
	.select = (select_)

/* On models 00h to 0Fh of family 16h RDPMC may read another counter: erratum 781. */
static const struct box_kind kinds[] = {
	[NORTHBRIDGE_K8] = {IN_CORE(&select_k8), .events = one_controller},
	[NORTHBRIDGE_10H] = {IN_CORE(&select_10h), .events = two_controllers},
	[NORTHBRIDGE_15H] = {NORTHBRIDGE, .rdpmc = 6, .events = two_controllers},
	[NORTHBRIDGE_16H] = {NORTHBRIDGE, .events = one_controller},
	[CACHE_16H] = {.name = "l2i",
		       .role = BOX_L2,
		       .common = COMMON_L2,
		       AMD_PAIRS(4),
		       .select = &select_l2,
		       .rdpmc = 10,
		       .events = cache_16h},
};

/* Family 11h is left out: no list of its events was found. */
#define PLACE(kind_, base_, family, bit_)                                                          \
	{                                                                                          \
		.kind = (kind_), .base = (base_), .step = AMD_STEP, .promised = true, .promise = { \
			.first_family = (family),                                                  \
			.last_family = (family),                                                   \
			.bit = (bit_)                                                              \
		}                                                                                  \
	}
#define PLACE_IN_CORE(kind_, family) PLACE(kind_, 0xc0010000, family, 0)
#define PLACE_APART(kind_, family)   PLACE(kind_, 0xc0010240, family, PERF_CTR_EXT_NB)

static const struct box_place places[] = {
	PLACE_IN_CORE(NORTHBRIDGE_K8, 0x0f),
	PLACE_IN_CORE(NORTHBRIDGE_10H, 0x10),
	PLACE_IN_CORE(NORTHBRIDGE_10H, 0x12),
	PLACE_IN_CORE(NORTHBRIDGE_K8, 0x14),
	PLACE_APART(NORTHBRIDGE_15H, 0x15),
	PLACE_APART(NORTHBRIDGE_16H, 0x16),
	PLACE(CACHE_16H, 0xc0010230, 0x16, PERF_CTR_EXT_LLC),
};

BOX_PART(amd_nb) = {
	.ops = {BOX_OPS(4), .name = "amd_nb",
		.title = "northbridge of AMD families 0Fh to 16h, L2 cache of 16h",
		.manual = "AMD BKDG 42301 and 48751, 3.24; 26094, 31116, 41131 and 43170, 3.12",
		.processors =
			"AMD families 0Fh, 10h, 12h, 14h, and 15h and 16h as CPUID 8000_0001h "
			"tells: northbridge, L2 cache of family 16h"},
	.vendors = AMD_VENDORS,
	.first_family = 0x0f,
	.last_family = 0x16,
	.any_model = true,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
