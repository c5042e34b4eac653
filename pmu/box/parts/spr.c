/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sapphire Rapids and Emerald Rapids, whose tables of discovery say where boxes are: Intel uncore
 * guide 639778, Linux (uncore_discovery.c, uncore_snbep.c) and its lists of events.  Of the boxes
 * those behind MSRs are driven.  Controls have no enable bit, and gates other bits than before.
 */
#include "xeon_e5.h"

/* ---- events ---- */

/* Unit masks as they are written there, and what extends them, which is bits 55:32 of a control. */
#define EXTENDED_BY(extension, mask) ((mask) | UINT32_C(extension) << 8)
static const struct box_event slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "LLC_LOOKUP.ALL", 0x34, EXTENDED_BY(0x1fff, 0xff), AGREES, BY(MEMORY)),
	EVENT(SLICE_LOADS, "TOR_INSERTS.IA_DRD", 0x35, EXTENDED_BY(0xc817ff, 0x01), AGREES,
	      LINE(LOADED, 1), LINE(STORED, NONE)),
	EVENT(SLICE_LOADS_MISSED, "TOR_INSERTS.IA_MISS_DRD", 0x35, EXTENDED_BY(0xc817fe, 0x01),
	      LINE(LOADED, 1), LINE(STORED, NONE)),
	EVENT(SLICE_STORES, "TOR_INSERTS.IA_RFO", 0x35, EXTENDED_BY(0xc807ff, 0x01),
	      LINE(LOADED, NONE), LINE(STORED, 1)),
	EVENT(SLICE_MISSES, "TOR_INSERTS.IA_MISS", 0x35, EXTENDED_BY(0xc001fe, 0x01), BY(MEMORY)),
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(SLICE_MEMORY_READS, "IMC_READS_COUNT.NORMAL", 0x59, 0x01, AGREES, LINE(LOADED, 1)),
	EVENT(OTHER, "IMC_WRITES_COUNT.FULL", 0x5b, 0x01, AGREES),
	{0},
};

/* Bits of ports, and behind these of classes. */
#define OF_STACK(mask, ports) ((mask) | (ports) << 8 | UINT32_C(7) << 20)
static const struct box_event stack_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(IO_DATA_WRITTEN, "DATA_REQ_OF_CPU.MEM_WRITE", 0x83, OF_STACK(0x01, 0xff), AGREES,
	      ON(0, 2)),
	EVENT(IO_READS, "TXN_REQ_OF_CPU.MEM_READ", 0x84, OF_STACK(0x04, 0xff), AGREES),
	EVENT(OTHER, "TXN_REQ_OF_CPU.MEM_WRITE", 0x84, OF_STACK(0x01, 0xff), AGREES),
	{0},
};

static const struct box_event clock_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	{0},
};

static const struct box_event system_events[] = {
	EVENT(SYSTEM_MESSAGES, "EVENT_MSG.DOORBELL_RCVD", 0x42, 0x08),
	{0},
};

/* ---- kinds ---- */

#define SELECT(unit_mask_, threshold_)                                                             \
	.select = {.event = E5_EVENT,                                                              \
		   .unit_mask = (unit_mask_),                                                      \
		   .edge = BIT(18),                                                                \
		   .invert = BIT(23),                                                              \
		   .threshold = (threshold_),                                                      \
		   E5_RESET}
#define GATE .gate = {.stop = BIT(0), .run = 0, .reset_ctls = BIT(8), .reset_ctrs = BIT(9)}
/* From box control on, behind which a status lies. */
#define AT .gate = 0, .ctl = 2, .ctl_step = 1, .ctr = 8, .ctr_step = 1
#define BEHIND_MSRS(name_, type_, counters_)                                                       \
	.name = (name_), .unit = (type_), .space = REG_MSR, .counters = (counters_), .width = 48,  \
	.at = {AT, E5_NOT_FIXED}, GATE

enum { CHA, IIO, IRP, M2PCIE, PCU, UBOX };

/* Sources differ on bit 31 of the thresholds of power control and of the system box. */
static const struct box_kind kinds[] = {
	{BEHIND_MSRS("cha", CHA, 4), SELECT(E5_MASK | FIELD(55, 32), FIELD(31, 24)),
	 .role = BOX_SLICE, .numbered = true, .own_lines = true, .clusters = true,
	 .events = slice_events},
	{BEHIND_MSRS("iio", IIO, 4), SELECT(E5_MASK | FIELD(50, 36), FIELD(35, 24)), .role = BOX_IO,
	 .numbered = true, .events = stack_events},
	{BEHIND_MSRS("irp", IRP, 2), SELECT(E5_MASK, FIELD(31, 24)), .role = BOX_IO,
	 .numbered = true, .events = clock_events},
	{BEHIND_MSRS("m2pcie", M2PCIE, 4), SELECT(E5_MASK, FIELD(31, 24)), .role = BOX_MESH,
	 .numbered = true, .events = clock_events},
	{BEHIND_MSRS("pcu", PCU, 4), SELECT(E5_MASK, FIELD(30, 24)), .role = BOX_POWER,
	 .events = clock_events},
	{.name = "ubox",
	 .unit = UBOX,
	 .role = BOX_SYSTEM,
	 .space = REG_MSR,
	 .counters = 2,
	 .width = 48,
	 .fixed_width = 48,
	 SELECT(E5_MASK, FIELD(30, 24)),
	 .at = {AT, .fixed_ctl = 0x0e, .fixed_ctr = 0x0f},
	 .fixed = {.enable = BIT(22)},
	 GATE,
	 .events = system_events},
	{0},
};

BOX_PART(spr) = {
	.ops = {BOX_OPS(4), .name = "spr", .title = "uncore of Sapphire Rapids",
		.manual = "Intel 639778, chapter 2; Linux",
		.processors = "Intel family 6 models 8Fh, CFh (Sapphire, Emerald Rapids): of its "
			      "boxes those behind MSRs"},
	E5_MODEL(0x8f),
	.models = {0xcf},
	.discovery = 0x09a7,
	.unit_msrs = {0x2000, 0x3ff0},
	.kinds = kinds,
};
