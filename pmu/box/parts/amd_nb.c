/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD families 15h and 16h: the northbridge.  BKDG 42301 and 48751, 3.24; names as there. */
#include "amd.h"

/* Of the first memory controller, of the second, and of both. */
static const struct box_event northbridge_15h[] = {
	EVENT(NODE_PAGE_HITS, "DRAM accesses: DCT0 page hit", 0x0e0, 0x01),
	EVENT(NODE_PAGE_MISSES, "DRAM accesses: DCT0 page miss", 0x0e0, 0x02),
	EVENT(NODE_PAGE_CONFLICTS, "DRAM accesses: DCT0 page conflict", 0x0e0, 0x04),
	EVENT(NODE_DRAM_0, "DRAM accesses: DCT0", 0x0e0, 0x07),
	EVENT(NODE_DRAM_1, "DRAM accesses: DCT1", 0x0e0, 0x38),
	EVENT(NODE_DRAM, "DRAM accesses", 0x0e0, 0x3f),
	{0},
};
static const struct box_event northbridge_16h[] = {
	EVENT(NODE_PAGE_HITS, "DRAM accesses: page hit", 0x0e0, 0x01),
	EVENT(NODE_PAGE_MISSES, "DRAM accesses: page miss", 0x0e0, 0x02),
	EVENT(NODE_PAGE_CONFLICTS, "DRAM accesses: page conflict", 0x0e0, 0x04),
	EVENT(NODE_DRAM_0, "DRAM accesses", 0x0e0, 0x07),
	EVENT(NODE_DRAM, "DRAM accesses", 0x0e0, 0x07),
	{0},
};

enum { NORTHBRIDGE_15H, NORTHBRIDGE_16H };

#define NORTHBRIDGE                                                                                \
	.name = "nb", .role = BOX_NORTHBRIDGE, AMD_PAIRS(4),                                       \
	.select = {.event = AMD_EVENT_12, .unit_mask = AMD_MASK_8, AMD_EN}

/* On models 00h to 0Fh of family 16h RDPMC may read another counter: erratum 781. */
static const struct box_kind kinds[] = {
	[NORTHBRIDGE_15H] = {NORTHBRIDGE, .rdpmc = 6, .events = northbridge_15h},
	[NORTHBRIDGE_16H] = {NORTHBRIDGE, .events = northbridge_16h},
};

#define PLACE(kind_, family)                                                                       \
	{                                                                                          \
		.kind = (kind_), .base = 0xc0010240, .step = AMD_STEP, .promise = {                \
			.first_family = (family),                                                  \
			.last_family = (family),                                                   \
			.bit = PERF_CTR_EXT_NB                                                     \
		}                                                                                  \
	}

static const struct box_place places[] = {PLACE(NORTHBRIDGE_15H, 0x15),
					  PLACE(NORTHBRIDGE_16H, 0x16)};

BOX_PART(amd_nb) = {
	.ops = {BOX_OPS(4), .name = "amd_nb", .title = "northbridge of AMD families 15h and 16h",
		.manual = "AMD BKDG 42301 and 48751, 3.24",
		.processors = "AMD family 15h and 16h, as CPUID 8000_0001h tells: northbridge"},
	.vendors = AMD_VENDORS,
	.first_family = 0x15,
	.last_family = 0x16,
	.any_model = true,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
