/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Skylake-SP, Cascade Lake and Cooper Lake: Intel Xeon Processor Scalable Memory Family Uncore
 * Performance Monitoring Reference Manual, 336274; Linux and libpfm4 for what they name besides.
 * Slices are home agents, too; a mesh takes the ring's place; and boxes lie on several buses, those
 * of the mesh and of links beyond 100h of their functions.
 */
#include "skx.h"

/* DDR4-1600 to -3200. */
static const uint32_t ddr4[] = {800000000,  933333333,  1066666667, 1200000000,
				1333333333, 1466666667, 1600000000, 0};
const uint32_t xeon_scalable_power_hz[] = {1000000000, 0};

/* ---- kinds ---- */

#define IN_FUNCTION(counters_)                                                                     \
	E5_PCI(counters_), .width = 48, .select = &xeon_e5_select, .gate = &xeon_scalable_freeze
#define BEYOND_100H(gate_, ctl_, ctr_)                                                             \
	LIES_AT(gate_, ctl_, 8, ctr_, E5_NOT_FIXED), .space = REG_MMIO,                            \
						     .gate = &xeon_scalable_freeze

enum { CHANNEL, CHA, SYSTEM, POWER, IIO, IO, M2M, UPI, M3UPI, M2PCIE };

/* Of a filter: remote, local, all opcodes, near memory, not near memory. */
#define ALL_PASS 0x3b

static const struct box_filters slice_filters = {
	.reg = {{5, FIELD(26, 0)}, {6, BIT(31) | BIT(30) | FIELD(28, 9) | ALL_PASS}},
	.rests = {[1] = ALL_PASS},
	.states = {0, FIELD(26, 17)},
	.opcode = {1, FIELD(18, 9)},
	.any_opcode = BIT(3),
	.drd = 0x202,
	.rfo = 0x200,
};

static const struct box_select stack = {E5_SELECT(E5_EVENT, E5_MASK | FIELD(46, 36)), E5_INVERT,
					.threshold = FIELD(35, 24)},
			       link = {E5_SELECT(E5_EVENT, E5_MASK | FIELD(43, 32) | FIELD(55, 45)),
				       E5_INVERT, E5_THRESHOLD_8};

static const struct box_kind kinds[] = {
	[CHANNEL] = {E5_CHANNEL, .name = "imc", .role = BOX_CHANNEL, .numbered = true,
		     .select = &xeon_e5_select, .gate = &xeon_scalable_freeze,
		     .queue = CHANNEL_READ_QUEUE, .hz = ddr4, .events = xeon_e5_v3_channel_events},
	/* Which thread is which number in its filter is not documented. */
	[CHA] = {V3_MSR(8), .name = "cha", .role = BOX_SLICE, .numbered = true, .width = 48,
		 .select = &xeon_e5_select_slice, .gate = &xeon_scalable_gate,
		 .filters = &slice_filters, .own_lines = true, .clusters = true,
		 .queue = SLICE_HELD_BY_0, .events = xeon_scalable_slice_events},
	[SYSTEM] = {V3_SYSTEM_AT, .width = 48, .events = xeon_e5_system_events},
	[POWER] = {V3_MSR(7), .name = "pcu", .role = BOX_POWER, .width = 48,
		   .select = &xeon_e5_v3_power, .gate = &xeon_scalable_gate,
		   .filters = &xeon_e5_v3_power_filters, .queue = POWER_C0, .most = 28,
		   .hz = xeon_scalable_power_hz, .events = xeon_scalable_power_events},
	[IIO] = {BEHIND_MSRS(4, 8), .name = "iio", .role = BOX_IO, .numbered = true,
		 .select = &stack, .events = xeon_scalable_stack_events,
		 .meters = xeon_scalable_stack_meters},
	[IO] = {BEHIND_MSRS(2, 3), .name = "irp", .role = BOX_IO, .numbered = true,
		.select = &xeon_e5_select, .events = xeon_scalable_io_events},
	[M2M] = {BEYOND_100H(0x258, 0x228, 0x200), .name = "m2m", .role = BOX_MESH,
		 .numbered = true, .select = &xeon_e5_select,
		 .events = xeon_scalable_memory_stop_events},
	[UPI] = {BEYOND_100H(0x378, 0x350, 0x318), .name = "upi", .role = BOX_LINK,
		 .numbered = true, .select = &link, .events = xeon_scalable_link_events},
	[M3UPI] = {IN_FUNCTION(3), .name = "m3upi", .role = BOX_MESH, .numbered = true,
		   .events = xeon_scalable_stop_events},
	[M2PCIE] = {IN_FUNCTION(4), .name = "m2pcie", .role = BOX_MESH, .numbered = true,
		    .events = xeon_scalable_stop_events},
};

/* ---- places: how many of each there are, the die and the board say ---- */

static const struct box_place places[] = {
	ON_MESH(CHANNEL, 0, 10, 2, 0x2042),
	ON_MESH(CHANNEL, 1, 10, 6, 0x2046),
	ON_MESH(CHANNEL, 2, 11, 2, 0x204a),
	ON_MESH(CHANNEL, 3, 12, 2, 0x2042),
	ON_MESH(CHANNEL, 4, 12, 6, 0x2046),
	ON_MESH(CHANNEL, 5, 13, 2, 0x204a),
	ON_MESH(M2M, 0, 8, 0, 0x2066),
	ON_MESH(M2M, 1, 9, 0, 0x2066),
	ON_MESH(UPI, 0, 14, 0, 0x2058),
	ON_MESH(UPI, 1, 15, 0, 0x2058),
	ON_MESH(UPI, 2, 16, 0, 0x2058),
	ON_MESH(UPI, 3, 14, 4, 0x2058), /* of Cooper Lake alone */
	ON_MESH(UPI, 4, 15, 4, 0x2058),
	ON_MESH(UPI, 5, 16, 4, 0x2058),
	ON_MESH(M3UPI, 0, 18, 1, 0x204d),
	ON_MESH(M3UPI, 1, 18, 2, 0x204e),
	ON_MESH(M3UPI, 2, 18, 5, 0x204d),
	ON_MESH(M2PCIE, 0, 21, 1, 0x2088),
	ON_MESH(M2PCIE, 1, 22, 1, 0x2088),
	ON_MESH(M2PCIE, 2, 23, 1, 0x2088),
	ON_MESH(M2PCIE, 3, 21, 5, 0x2088),
	{.kind = CHA, .base = 0xe00, .step = 0x10, .count = 28, OPTIONAL},
	E5_MSRS(SYSTEM, 0x703, 0, 1),
	E5_MSRS(POWER, 0x710, 0, 1),
	{.kind = IIO,
	 .base = 0xa40,
	 .step = 0x20,
	 .count = 6,
	 .meters = 0xb00,
	 .meters_step = 0x10,
	 OPTIONAL},
	{.kind = IO, .base = 0xa58, .step = 0x20, .count = 6, OPTIONAL},
};

BOX_PART(skx) = {
	.ops = {BOX_OPS(4), .name = "skx", .title = "uncore of the Xeon Scalable",
		.manual = "Intel 336274, chapter 2",
		.processors = "Intel family 6 model 55h (Skylake-SP, Cascade Lake, Cooper Lake): "
			      "memory channels, mesh, UPI, slices, stacks of devices, power "
			      "control"},
	E5_MODEL(0x55),
	.system = E5_FUNCTION(SYSTEM, 0, 8, 0, 0x2014),
	.node_at = 0xc0,
	.map_at = 0xd4,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
