/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of boxes' registers, of which each kind says where it has them. */
#pragma once

enum uncore_field {
	NO_FIELD,
	/* -- of the control register of a counter -- */
	CTL_EVENT,
	CTL_EXTENSION, /* bit 8 of the event's number */
	CTL_UMASK,
	CTL_RESET,
	CTL_EDGE,
	CTL_THREAD, /* the filter of threads is on */
	CTL_ENABLE,
	CTL_INVERT,
	CTL_THRESHOLD,
	/* A bit of the event: the occupancy of a state is counted, which the unit mask names; and
	 * what inverts its comparison, and finds its edges. */
	CTL_OCCUPANCY,
	CTL_OCCUPANCY_INVERT,
	CTL_OCCUPANCY_EDGE,
	/* AMD: a bit for each slice and thread, or a number of a slice and of a core, and what lets
	 * all pass; reads or writes that are left out; and bits that act on nothing here. */
	CTL_SLICES,
	CTL_SLICE,
	CTL_ALL_SLICES,
	CTL_THREADS,
	CTL_CORE,
	CTL_ALL_CORES,
	CTL_OTHER,
	/* An overflow interrupts, with both of these, one core of the node, by its number. */
	CTL_INTERRUPT,
	CTL_ONE_CORE,
	CTL_OF_CORE,
	CTL_OVERFLOW, /* an overflow is told to the box's status and to the part's global one */
	/* -- of that of the fixed counter -- */
	FIXED_ENABLE,
	FIXED_INTERRUPT,
	FIXED_OVERFLOW,
	FIXED_RESET,
	/* -- of box control: its counters stand still if all bits of both of the first are set --
	 */
	GATE_FREEZE,
	GATE_FREEZE_ENABLE,
	/* Or: counters that may count, a bit for each, and behind those the fixed one's; cores that
	 * overflows interrupt, a bit for each; and an overflow that does clears all of the first.
	 */
	GATE_ENABLES,
	GATE_CORES,
	GATE_STOPS,
	/* Bits without which the part's global control does not stop it, and is told of no
	 * overflow. */
	GATE_LISTENS,
	GATE_TELLS,
	GATE_RESET_CONTROLS,
	GATE_RESET_COUNTERS,
	GATE_IGNORED, /* may be written, and does nothing */
	/* -- of the filters: the first register is the low half, the second one the high half -- */
	FILTER_THREAD,
	FILTER_NODE,
	FILTER_STATE,
	FILTER_OPCODE,
	FILTER_ANY_OPCODE, /* one: all opcodes pass; */
	FILTER_REMOTE, /* memory of other sockets, */
	FILTER_LOCAL, /* of this one, */
	FILTER_FAR, /* that is no cache of other memory */
	/* -- of the status, and of what clears it: overflows as the counters' enables, the
	 * interrupt, and the fixed counter's where that is not behind the others' -- */
	STATUS_OVERFLOWS,
	STATUS_INTERRUPT,
	STATUS_FIXED,
	UNCORE_FIELDS,
};
