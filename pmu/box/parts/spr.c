/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sapphire Rapids and Emerald Rapids, whose tables of discovery say where boxes are: Intel uncore
 * guide 639778, Linux (uncore_discovery.c, uncore_snbep.c) and its lists of events.  Controls have
 * no enable bit, and gates other bits than before.  Not driven: UPI, of which counters 0 and 2
 * alone are reported to count, M3UPI, of whose controls sources say two places, MDF, of which no
 * event is listed, CXL and HBM.
 */
#include "discovered.h"

/* ---- events ---- */

static const struct box_event slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "LLC_LOOKUP.ALL", 0x34, EXTENDED_BY(0x1fff, 0xff), AGREES, BY(MEMORY)),
	CODED_REQUESTS,
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(SLICE_MEMORY_READS, "IMC_READS_COUNT.NORMAL", 0x59, 0x01, AGREES, LINE(LOADED, 1)),
	EVENT(OTHER, "IMC_WRITES_COUNT.FULL", 0x5b, 0x01, AGREES),
	{0},
};

/* Bits 7:6 of unit masks: the halves of a channel.  Loads may have directories written. */
static const struct box_event channel_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x01),
	EVENT(OTHER, "ACT_COUNT.ALL", 0x02, 0xff, AGREES, BY(MEMORY)),
	EVENT(OTHER, "PRE_COUNT.ALL", 0x03, 0xff, AGREES, BY(MEMORY)),
	EVENT(CHANNEL_ALL, "CAS_COUNT.ALL", 0x05, 0xff, AGREES, BY(MEMORY)),
	EVENT(CHANNEL_READS, "CAS_COUNT.RD", 0x05, 0xcf, AGREES, LINE(LOADED, 1), LINE(FLUSHED, 1),
	      LINE(STREAMED, NONE)),
	EVENT(CHANNEL_WRITES, "CAS_COUNT.WR", 0x05, 0xf0, AGREES, LINE(FLUSHED, 1),
	      LINE(STREAMED, 1)),
	EVENT(CHANNEL_READ_INSERTS, "RPQ_INSERTS", 0x10, 0x03, AGREES),
	EVENT(CHANNEL_WRITE_INSERTS, "WPQ_INSERTS", 0x20, 0x03, AGREES),
	EVENT(CHANNEL_READ_QUEUE, "RPQ_OCCUPANCY_PCH0", 0x80, 0x00, AGREES, BY(MEMORY)),
	EVENT(OTHER, "RPQ_OCCUPANCY_PCH1", 0x81, 0x00, AGREES, BY(MEMORY)),
	{0},
};

static const struct box_event memory_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(MESH_READS, "IMC_READS.ALL", 0x24, EXTENDED_BY(0x3, 0x04), AGREES, BY(MEMORY)),
	EVENT(OTHER, "IMC_WRITES.ALL", 0x25, EXTENDED_BY(0x18, 0x10), AGREES, BY(MEMORY)),
	{0},
};

/* ---- kinds ---- */

static const struct box_kind kinds[] = {
	{CHA_KIND(slice_events)},
	IIO_KIND,
	IRP_KIND(2),
	{BEHIND_MSRS("m2pcie", M2PCIE, 4), .select = &discovered_select, .role = BOX_MESH,
	 .numbered = true, .events = discovered_clock_events},
	PCU_KIND,
	{UBOX_KIND(0x0e, 0x0f)},
	IMC_KIND(channel_events, CHANNEL_READ_QUEUE),
	{.name = "m2m",
	 .unit = M2M,
	 .unit_id = 0x324a,
	 .role = BOX_MESH,
	 .numbered = true,
	 .space = REG_MMIO,
	 .counters = 4,
	 .width = 48,
	 .select = &discovered_slice,
	 .at = {.gate = 0x438,
		.ctl = 0x468,
		.ctl_step = 8,
		.ctr = 0x440,
		.ctr_step = 8,
		E5_NOT_FIXED},
	 GATE,
	 .events = memory_stop_events},
	{0},
};

BOX_PART(spr) = {
	.ops = {BOX_OPS(4), .name = "spr", .title = "uncore of Sapphire Rapids",
		.manual = "Intel 639778, chapter 2; Linux",
		.processors = "Intel family 6 models 8Fh, CFh (Sapphire, Emerald Rapids): as icx"},
	E5_MODEL(0x8f),
	.models = {0xcf},
	.discovery = 0x09a7,
	.unit_msrs = {0x2000, 0x3ff0},
	.kinds = kinds,
};
