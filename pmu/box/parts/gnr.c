/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Granite Rapids, Sierra Forest, Grand Ridge and Clearwater Forest, with tables of discovery as
 * Sapphire Rapids: Linux (uncore_discovery.c, uncore_snbep.c) and its lists of events, Intel PCM.
 * Each half of a channel has an event of its own for its commands.  Not driven: what meets the mesh
 * in PCI functions, whose device ids are not published, CXL, and free-running counters.
 */
#include "discovered.h"

/* ---- events ---- */

/* Cores that are all E-cores load by DRd_Opt. */
#define SLICE_EVENTS(loads_, code_)                                                                \
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),                                               \
		EVENT(OTHER, "LLC_LOOKUP.DATA_RD", 0x34, EXTENDED_BY(0x1bc1, 0xff), AGREES,        \
		      BY(MEMORY)),                                                                 \
		CODED_REQUESTS_OF(loads_, code_),                                                  \
		EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY))
static const struct box_event slice_events[] = {SLICE_EVENTS("DRD", 0xc817), {0}};
static const struct box_event e_core_slice_events[] = {SLICE_EVENTS("DRD_OPT", 0xc827), {0}};

/* Commands of the first half of a channel, and of the second. */
static const struct box_event channel_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x01),
	EVENT(OTHER, "ACT_COUNT.ALL", 0x02, 0xf7, AGREES, BY(MEMORY)),
	EVENT(OTHER, "CAS_COUNT_SCH0.ALL", 0x05, 0xff, AGREES, BY(MEMORY)),
	EVENT(OTHER, "CAS_COUNT_SCH1.ALL", 0x06, 0xff, AGREES, BY(MEMORY)),
	{0},
};

/* ---- kinds ---- */

enum { GRANITE_RAPIDS = 0xad, GRANITE_RAPIDS_D, GRAND_RIDGE = 0xb6 };

/* The fixed counter of the system box lies ahead of its control, but on Grand Ridge. */
static const struct box_kind kinds[] = {
	{CHA_KIND(slice_events), .model = GRANITE_RAPIDS, .last_model = GRANITE_RAPIDS_D},
	{CHA_KIND(e_core_slice_events)},
	IIO_KIND,
	IRP_KIND(4),
	PCU_KIND,
	{UBOX_KIND(0x0e, 0x0f), .model = GRAND_RIDGE},
	{UBOX_KIND(0x0e, 0x0d)},
	{BEHIND_MSRS("mdf", MDF, 4), .select = &discovered_select, .role = BOX_MESH,
	 .numbered = true, .events = discovered_clock_events},
	IMC_KIND(channel_events, BOX_NO_EVENT),
	{0},
};

BOX_PART(gnr) = {
	.ops = {BOX_OPS(4), .name = "gnr", .title = "uncore of Granite Rapids",
		.manual = "Linux, uncore_snbep.c",
		.processors =
			"Intel family 6 models ADh, AEh, AFh, B6h, DDh (Granite Rapids, Sierra "
			"Forest, Grand Ridge, Clearwater Forest): as spr, without a mesh"},
	E5_MODEL(GRANITE_RAPIDS),
	.models = {GRANITE_RAPIDS_D, 0xaf, GRAND_RIDGE, 0xdd},
	.discovery = 0x09a7,
	.unit_msrs = {0x2000, 0x3ff0},
	.kinds = kinds,
};
