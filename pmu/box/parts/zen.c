/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AMD from family 17h on: PPR of family 17h models 00h and 31h, 19h models 01h and 11h, 1Ah model
 * 44h, chapters 2.1.14 and 2.1.15; names of events as in Linux's lists (amdzen1 to amdzen6).
 */
#include "amd.h"

/* ---- events ---- */

/* Of event 04h no other unit mask is documented than that of all, of 06h none but these. */
static const struct box_event cache_17h[] = {
	EVENT(CACHE_LOOKUPS, "l3_lookup_state.all_l3_req_typs", 0x04, 0xff),
	EVENT(CACHE_MISSES, "l3_comb_clstr_state.request_miss", 0x06, 0x01),
	EVENT(CACHE_NOTHING, "l3_lookup_state, of no state", 0x04, 0x00),
	{0},
};

static const struct box_event cache_19h[] = {
	EVENT(CACHE_LOOKUPS, "l3_lookup_state.all_coherent_accesses_to_l3", 0x04, 0xff),
	EVENT(CACHE_MISSES, "l3_lookup_state.l3_miss", 0x04, 0x01),
	EVENT(CACHE_HITS, "l3_lookup_state.l3_hit", 0x04, 0xfe),
	EVENT(CACHE_NOTHING, "l3_lookup_state, of no state", 0x04, 0x00),
	{0},
};

/* Of a channel of memory: the number of the first. */
static const struct box_event fabric_17h[] = {
	EVENT(FABRIC_REQUESTS, "dram_channel_data_controller_0", 0x07, 0x38),
	{0},
};

static const struct box_event fabric_v2[] = {
	EVENT(FABRIC_READS, "local_or_remote_socket_read_data_beats_dram_0", 0x1f, 0xffe),
	EVENT(FABRIC_WRITES, "local_or_remote_socket_write_data_beats_dram_0", 0x1f, 0xfff),
	EVENT(FABRIC_READS_HERE, "local_socket_read_data_beats_dram_0", 0x1f, 0x7fe),
	EVENT(FABRIC_READS_ELSEWHERE, "remote_socket_read_data_beats_dram_0", 0x1f, 0xbfe),
	{0},
};

/* The unit mask says what is left out: 1 writes, 2 reads. */
static const struct box_event controller[] = {
	EVENT(BOX_CLOCKS, "umc_mem_clk", 0x00, 0x00),
	EVENT(CONTROLLER_ALL, "umc_cas_cmd.all", 0x0a, 0x0),
	EVENT(CONTROLLER_READS, "umc_cas_cmd.rd", 0x0a, 0x1),
	EVENT(CONTROLLER_WRITES, "umc_cas_cmd.wr", 0x0a, 0x2),
	EVENT(CONTROLLER_OPENS, "umc_act_cmd.all", 0x05, 0x0),
	EVENT(CONTROLLER_CLOSES, "umc_pchg_cmd.all", 0x06, 0x0),
	EVENT(CONTROLLER_DATA, "umc_data_slot_clks.all", 0x14, 0x0),
	{0},
};

/* ---- kinds ---- */

enum { CACHE_17H, CACHE_19H, FABRIC_17H, FABRIC_V2, CONTROLLER };

/* Indices of RDPMC: APM volume 3, RDPMC; from 16 on Linux' driver of the fabric. */
#define CACHE                                                                                      \
	.name = "l3", .role = BOX_CACHE, .common = COMMON_L3, AMD_PAIRS(6), .rdpmc = 10,           \
	.rdpmc_others = 14
static const struct box_scopes scopes_17h = {.slices = {.mask = FIELD(51, 48)},
					     .threads = {.mask = FIELD(63, 56)}},
			       scopes_19h = {.slices = {.all = BIT(46), .number = FIELD(50, 48)},
					     .threads = {.all = BIT(47),
							 .number = FIELD(44, 42),
							 .mask = FIELD(57, 56)}};
#define CACHE_SELECT .event = AMD_EVENT_8, .unit_mask = AMD_MASK_8, AMD_EN
static const struct box_select select_17h = {CACHE_SELECT, .scopes = &scopes_17h},
			       select_19h = {CACHE_SELECT, .scopes = &scopes_19h},
			       select_fabric_17h = {.event = AMD_EVENT_12 | FIELD(60, 59),
						    .unit_mask = AMD_MASK_8,
						    AMD_EN},
			       select_fabric_v2 = {.event = AMD_EVENT_12 | FIELD(37, 36),
						   .unit_mask = AMD_MASK_8 | FIELD(27, 24),
						   AMD_EN,
						   .awake = BIT(22)},
			       select_controller = {.event = AMD_EVENT_8,
						    .unit_mask = FIELD(9, 8),
						    .enable = BIT(31),
						    .awake = BIT(31) | 0x30a};

#define FABRIC(counters_)                                                                          \
	.name = "df", .role = BOX_FABRIC, .common = COMMON_NODE, AMD_PAIRS(counters_),             \
	.instance_bit = 6, .rdpmc = 6, .rdpmc_others = 16

/* A counter of the fabric takes writes while it is off or, if that should not be so on some part,
 * while it is on for event 0, which is none; one of a controller while it is on for CAS commands of
 * which both reads and writes are left out. */
static const struct box_kind kinds[] = {
	[CACHE_17H] = {CACHE, .select = &select_17h, .events = cache_17h},
	[CACHE_19H] = {CACHE, .select = &select_19h, .events = cache_19h},
	[FABRIC_17H] = {FABRIC(4), .instances = 8, .select = &select_fabric_17h,
			.events = fabric_17h},
	[FABRIC_V2] = {FABRIC(16), .instances = 12, .select = &select_fabric_v2,
		       .events = fabric_v2},
	[CONTROLLER] = {.name = "umc",
			.role = BOX_CONTROLLER,
			.common = COMMON_NODE,
			.numbered = true,
			AMD_PAIRS(16),
			.select = &select_controller,
			.events = controller},
};

/* ---- places ---- */

#define FROM(first, last) .first_family = (first), .last_family = (last)

static const struct box_place places[] = {
	{.kind = CACHE_17H,
	 .base = 0xc0010230,
	 .step = AMD_STEP,
	 .promised = true,
	 .promise = {FROM(0x17, 0x18), .bit = PERF_CTR_EXT_LLC}},
	{.kind = CACHE_19H,
	 .base = 0xc0010230,
	 .step = AMD_STEP,
	 .promised = true,
	 .promise = {FROM(0x19, 0x1a), .bit = PERF_CTR_EXT_LLC}},
	{.kind = FABRIC_17H,
	 .base = 0xc0010240,
	 .step = AMD_STEP,
	 .promised = true,
	 .promise = {FROM(0x17, 0x1a), .bit = PERF_CTR_EXT_NB, .perfmon = BEFORE_V2}},
	{.kind = FABRIC_V2,
	 .base = 0xc0010240,
	 .step = AMD_STEP,
	 .promised = true,
	 .promise = {FROM(0x17, 0x1a), .bit = PERF_CTR_EXT_NB, .perfmon = FROM_V2,
		     .counters = FIELD(15, 10)}},
	{.kind = CONTROLLER,
	 .base = 0xc0010800,
	 .step = AMD_STEP,
	 .promised = true,
	 .promise = {FROM(0x17, 0x1a), .perfmon = FROM_V2, .counters = FIELD(23, 16)},
	 .by_channel = true},
};

BOX_PART(zen) = {
	.ops = {BOX_OPS(16), .name = "zen",
		.title = "L3 cache, data fabric and memory controllers of AMD's Zen",
		.manual = "AMD PPR, 2.1.14 and 2.1.15",
		.processors =
			"AMD family 17h, 19h, 1Ah and Hygon family 18h, as CPUID 8000_0001h and "
			"8000_0022h tell: L3 cache, data fabric, memory controllers"},
	.vendors = AMD_VENDORS,
	.first_family = 0x17,
	.last_family = 0x1a,
	.any_model = true,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
