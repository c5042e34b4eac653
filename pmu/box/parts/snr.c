/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snow Ridge: boxes like those of Ice Lake-SP, without links, and of one controller of memory.
 * Where they are Linux alone says (uncore_snbep.c), but for memory, as Intel's PCM does, too;
 * events are those of Intel's list, in which its cores load by DRd_Opt.  Not driven: the root port
 * of PCIe (8086:334A), of which no event is listed.
 */
#include "icx.h"

static const struct box_event slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "RxC_INSERTS", 0x13, 0x33, AGREES),
	ICX_QUEUE,
	CODED_REQUESTS_OF("DRD_OPT", 0xc827),
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES, BY(MEMORY)),
	ICX_SLICE_EVENTS,
	{0},
};
static const struct box_event memory_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	ICX_MESH_EVENTS,
	{0},
};

static const struct box_meter stack_meters[] = {ICX_STACK_METERS(0xac)};
static const struct box_meter memory_meters[] = {
	ICX_LINES("reads", 0x00, METERED_READS),
	ICX_LINES("writes", 0x08, METERED_WRITES),
	ICX_MEMORY_CLOCKS,
	{0},
};

enum { CHANNEL, MC, CHA, SYSTEM, POWER, IIO, IO, M2PCIE, M2M };

static const struct box_kind kinds[] = {
	[CHANNEL] = {ICX_CHANNEL},
	[MC] = {ICX_MC, .meters = memory_meters},
	[CHA] = {ICX_CHA, .events = slice_events},
	[SYSTEM] = {V3_SYSTEM(2, 0, 7), .width = 48, .events = xeon_e5_system_events},
	[POWER] = {ICX_POWER(8, 24)},
	[IIO] = {ICX_IIO, .meters = stack_meters},
	[IO] = {ICX_IO(8)},
	[M2PCIE] = {ICX_M2PCIE(8)},
	[M2M] = {ICX_M2M, .events = memory_stop_events},
};

/* Of functions that no source has the place of it is that of Ice Lake-SP's. */
static const struct box_place places[] = {
	ICX_CONTROLLER(0),
	RUN(CHA, 0, 6, 0x1c00, 0x10),
	E5_MSRS(SYSTEM, 0x1f91, 0, 1),
	E5_MSRS(POWER, 0x1ef0, 0, 1),
	RUN(IIO, 0, 5, 0x1e00, 0x10, .meters = 0x1f00, .meters_step = 0x10),
	RUN(IO, 0, 5, 0x1ea0, 0x10),
	RUN(M2PCIE, 0, 5, 0x1e50, 0x10),
	ON_MESH(M2M, 0, 12, 0, 0x344a),
};

/* Of the prefetchers its cores have two: SDM vol. 4, MSR_MISC_FEATURE_CONTROL of Goldmont. */
BOX_PART(snr) = {
	.ops = {BOX_OPS(4), .name = "snr", .title = "uncore of Snow Ridge",
		.manual = "Linux; Intel's list of events",
		.processors = "Intel family 6 model 86h (Snow Ridge): as icx, without links"},
	INTEL_MODEL(0x86),
	.prefetchers = {0x1a4, BIT(0) | BIT(2)},
	.system = E5_FUNCTION(SYSTEM, 0, 0, 0, 0x3460),
	.node_at = 0xc0,
	.map_at = 0xd4,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
