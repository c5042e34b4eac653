/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the boxes that parts with tables of discovery have in common: Linux' lists of them. */
#include "discovered.h"

#define SELECT(more, threshold_)                                                                   \
	.event = E5_EVENT, .unit_mask = E5_MASK | (more), .edge = BIT(18), E5_INVERT,              \
	.threshold = (threshold_), E5_RESET
const struct box_select discovered_select = {SELECT(0, FIELD(31, 24))};
const struct box_select discovered_slice = {SELECT(FIELD(55, 32), FIELD(31, 24))};
const struct box_select discovered_stack = {SELECT(FIELD(50, 36), FIELD(35, 24))};
/* Sources differ on bit 31. */
const struct box_select discovered_system = {SELECT(0, FIELD(30, 24))};

const struct box_gating discovered_gate = {
	.stop = BIT(0), .run = 0, .reset_ctls = BIT(8), .reset_ctrs = BIT(9)};

/* Bits of ports, and behind these of classes. */
#define OF_STACK(mask, ports) ((mask) | (ports) << 8 | UINT32_C(7) << 20)
const struct box_event discovered_stack_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(IO_DATA_WRITTEN, "DATA_REQ_OF_CPU.MEM_WRITE", 0x83, OF_STACK(0x01, 0xff), AGREES,
	      ON(0, 2)),
	EVENT(IO_READS, "TXN_REQ_OF_CPU.MEM_READ", 0x84, OF_STACK(0x04, 0xff), AGREES),
	EVENT(OTHER, "TXN_REQ_OF_CPU.MEM_WRITE", 0x84, OF_STACK(0x01, 0xff), AGREES),
	{0},
};

const struct box_event discovered_clock_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	{0},
};

const struct box_event discovered_system_events[] = {
	EVENT(SYSTEM_MESSAGES, "EVENT_MSG.DOORBELL_RCVD", 0x42, 0x08),
	{0},
};
