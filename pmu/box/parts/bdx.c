/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadwell-EP and -EX, and Broadwell-DE, which has neither links nor what joins two rings. */
#include "xeon_e5_v3.h"

/* The channels' letters differ between sources, their functions do not. */
#define IN_BOTH                                                                                    \
	E5_FUNCTION(IMC, 0, 20, 0, 0x6fb0), E5_FUNCTION(IMC, 1, 20, 1, 0x6fb1),                    \
		E5_FUNCTION(IMC, 2, 21, 0, 0x6fb4, OPTIONAL),                                      \
		E5_FUNCTION(IMC, 3, 21, 1, 0x6fb5, OPTIONAL), E5_FUNCTION(HA, 0, 18, 1, 0x6f30),   \
		E5_FUNCTION(R2PCIE, 0, 16, 1, 0x6f34),                                             \
		{.kind = IRP, .device = 5, .function = 6, .id = 0x6f39, .on_io_bus = true},        \
		E5_MSRS(UBOX, 0x703, 0, 1), E5_MSRS(PCU_V4, 0x710, 0, 1)

static const struct box_place places[] = {
	IN_BOTH,
	E5_FUNCTION(IMC, 4, 23, 0, 0x6fd0, OPTIONAL),
	E5_FUNCTION(IMC, 5, 23, 1, 0x6fd1, OPTIONAL),
	E5_FUNCTION(IMC, 6, 24, 0, 0x6fd4, OPTIONAL),
	E5_FUNCTION(IMC, 7, 24, 1, 0x6fd5, OPTIONAL),
	E5_FUNCTION(HA, 1, 18, 5, 0x6f38, OPTIONAL),
	E5_LINK(QPI, 0, 8, 0x6f32, 0x6f86),
	E5_LINK(QPI, 1, 9, 0x6f33, 0x6f96),
	E5_LINK(QPI, 2, 10, 0x6f3a, 0x6f46, OPTIONAL),
	E5_FUNCTION(R3QPI, 0, 11, 1, 0x6f36),
	E5_FUNCTION(R3QPI, 1, 11, 2, 0x6f37),
	E5_FUNCTION(R3QPI, 2, 11, 5, 0x6f3e, OPTIONAL),
	E5_MSRS(CBO, 0xe00, 0x10, 24),
	/* As many as the die has rings to join. */
	{.kind = SBO, .base = 0x720, .step = 0x0a, .count = 4, .optional = true},
};
static const struct box_place places_of_de[] = {IN_BOTH, E5_MSRS(CBO, 0xe00, 0x10, 16)};

#define PART(places_)                                                                              \
	V3_PACKAGE, .system = E5_FUNCTION(UBOX, 0, 16, 5, 0x6f1e), .node_at = 0x40,                \
		    .map_at = 0x54, .kinds = xeon_e5_v3_kinds, .places = (places_),                \
		    .places_count = ARRAY_SIZE(places_)

BOX_PART(bdx) = {
	.ops = {BOX_OPS(4), .name = "bdx", .title = "uncore of the Xeon E5-2600 v4",
		.manual = "Intel 334291, chapter 2",
		.processors = "Intel family 6 model 4Fh (Broadwell-EP): as hsx"},
	E5_MODEL(0x4f),
	PART(places),
};
BOX_PART(bdx_de) = {
	.ops = {BOX_OPS(4), .name = "bdx_de", .title = "uncore of the Xeon D-1500",
		.manual = "Intel 334291, chapter 2, as far as the part has its boxes",
		.processors = "Intel family 6 model 56h (Broadwell-DE): as bdx, without links"},
	E5_MODEL(0x56),
	PART(places_of_de),
};
