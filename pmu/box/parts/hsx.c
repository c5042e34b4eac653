/* SPDX-License-Identifier: BSD-2-Clause */
/* Haswell-EP and -EX.  A third link, of the E7, is left alone: nobody names its match and mask. */
#include "xeon_e5_v3.h"

static const struct box_place places[] = {
	E5_FUNCTION(IMC, 0, 20, 0, 0x2fb0),
	E5_FUNCTION(IMC, 1, 20, 1, 0x2fb1),
	/* Two channels each of one controller, or of two on large dies. */
	E5_FUNCTION(IMC, 2, 21, 0, 0x2fb4, OPTIONAL),
	E5_FUNCTION(IMC, 3, 21, 1, 0x2fb5, OPTIONAL),
	E5_FUNCTION(IMC, 4, 23, 0, 0x2fd0, OPTIONAL),
	E5_FUNCTION(IMC, 5, 23, 1, 0x2fd1, OPTIONAL),
	E5_FUNCTION(IMC, 6, 24, 0, 0x2fd4, OPTIONAL),
	E5_FUNCTION(IMC, 7, 24, 1, 0x2fd5, OPTIONAL),
	E5_FUNCTION(HA, 0, 18, 1, 0x2f30),
	E5_FUNCTION(HA, 1, 18, 5, 0x2f38, OPTIONAL),
	E5_LINK(QPI, 0, 8, 0x2f32, 0x2f86),
	E5_LINK(QPI, 1, 9, 0x2f33, 0x2f96),
	E5_FUNCTION(R2PCIE, 0, 16, 1, 0x2f34),
	E5_FUNCTION(R3QPI, 0, 11, 1, 0x2f36),
	E5_FUNCTION(R3QPI, 1, 11, 2, 0x2f37),
	E5_FUNCTION(R3QPI, 2, 11, 5, 0x2f3e, OPTIONAL),
	{.kind = IRP, .device = 5, .function = 6, .id = 0x2f39, .on_io_bus = true},
	E5_MSRS(CBO, 0xe00, 0x10, 18),
	/* As many as the die has rings to join. */
	{.kind = SBO, .base = 0x720, .step = 0x0a, .count = 4, .optional = true},
	E5_MSRS(UBOX, 0x703, 0, 1),
	E5_MSRS(PCU_V3, 0x710, 0, 1),
};

BOX_PART(hsx) = {
	.ops = {BOX_OPS(4), .name = "hsx", .title = "uncore of the Xeon E5-2600 v3",
		.manual = "Intel 331051, chapter 2",
		.processors = "Intel family 6 model 3Fh (Haswell-EP): as ivt, and what joins two "
			      "rings"},
	E5_MODEL(0x3f),
	V3_PACKAGE,
	.system = E5_FUNCTION(UBOX, 0, 16, 5, 0x2f1e),
	.node_at = 0x40,
	.map_at = 0x54,
	.kinds = xeon_e5_v3_kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
