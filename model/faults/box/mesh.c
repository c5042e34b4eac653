/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of boxes around a mesh: slices that are homes, stacks of devices, and its ends. */
#include "box.h"

enum { IMC_READS_COUNT = 0x59 };

/* ---- slices ---- */

BOX_FAULT(any_opcode_stuck, SLICES, "cha0.*.traffic.opcodes",
	  "the filter lets all opcodes pass, whatever it says",
	  SETS(acts, FILTER_ANY_OPCODE, ALL_OF_IT));
BOX_FAULT(any_opcode_dead, SLICES, "cha0.*.traffic.tor_misses",
	  "the filter lets no opcode pass but its own", CLEARS(acts, FILTER_ANY_OPCODE, ALL_OF_IT));
BOX_FAULT(local_is_not_let_pass, SLICES, "cha0.*.traffic.tor_inserts",
	  "the filter keeps requests for this socket's memory out",
	  CLEARS(acts, FILTER_LOCAL, ALL_OF_IT));
BOX_FAULT_DO(home_reads_twice, SLICES, "cha0.*.traffic.memory_reads",
	     "a slice counts each line that it reads from memory twice", occurrences, at->n *= 2,
	     .event = IMC_READS_COUNT);

/* ---- stacks of devices, and their way to memory ---- */

BOX_FAULT(stack_deaf_to_freeze, STACKS, "iio*.freeze.stops_all", "a stack that is frozen counts on",
	  CLEARS(acts, GATE_FREEZE, ALL_OF_IT));
BOX_FAULT(stack_thresh_bit_11_lost, STACKS, "iio*.access.control_holds",
	  "the top bit of a stack's threshold cannot be set", CLEARS(kept, CTL_THRESHOLD, BIT(11)));
BOX_FAULT(stack_thresh_bit_9_dead, STACKS, "iio*.threshold.clock_steps",
	  "bit 9 of a stack's threshold counts for nothing", CLEARS(acts, CTL_THRESHOLD, BIT(9)));
BOX_FAULT(stack_port_1_lost, STACKS, "iio*.event.agree", "counter 2 of a stack never sees port 1",
	  ACTS(UNCORE_CTL, .clear = BIT(37)), .counters = BIT(2));
BOX_FAULT(stack_ports_lost, STACKS, "iio*.access.control_holds",
	  "the mask of ports cannot be set in counter 1", KEEPS(UNCORE_CTL, .clear = FIELD(43, 36)),
	  .counters = BIT(1));
BOX_FAULT_DO(stack_1_is_0, STACKS, "iio*.access.no_alias",
	     "the second stack has the registers of the first", address,
	     at->box = box_beside(at, -1), ONLY(1));
BOX_FAULT_DO(stack_3_is_2, STACKS, "iio*.access.no_alias",
	     "the fourth stack has counters 1 to 3 of the third", address,
	     at->box = box_beside(at, -1), .registers = BIT(UNCORE_CTR), .counters = FIELD(3, 1),
	     ONLY(3));
BOX_FAULT(irp_counter_1_is_0, DEVICES, "irp*.access.no_alias",
	  "counter 1 of the way of devices to memory is its counter 0", .address = answers_for,
	  .arg = 0, .registers = BIT(UNCORE_CTR), .counters = BIT(1));

/* ---- what counts by itself in a stack ---- */

BOX_FAULT(meter_stands_still, STACKS, "iio*.meters.moves", "a stack's meter of clocks stands still",
	  SHOWS(UNCORE_METER, .clear = FIELD(35, 0)), .counters = BIT(0));
BOX_FAULT_DO(meter_too_wide, STACKS, "iio*.meters.in_width", "a stack's meters have a bit too many",
	     shown, at->value |= BIT(box_of(at)->kind->meters[at->ctr].width), ON_METERS);
BOX_FAULT_DO(meter_freezes, STACKS, "iio*.freeze.meters_go_on",
	     "a stack's meters show nothing while it is frozen", shown,
	     at->value = box_of(at)->frozen ? 0 : at->value, ON_METERS);
BOX_FAULT(meter_1_is_5, STACKS, "iio*.traffic.meters",
	  "a stack's meter of the first port is another one's", .address = answers_for, .arg = 5,
	  ON_METERS, .counters = BIT(1));

/* ---- ends of the mesh ---- */

BOX_FAULT_DO(mesh_high_write_lost, MEMORY_STOPS, "m2m*.access.counter_holds",
	     "a write of the high dword of a counter beyond 100h is lost", kept,
	     at->value = at->high_half ? at->old : at->value);
BOX_FAULT(mesh_loses_one_in_64, MEMORY_STOPS, "m2m0.*.count.counters_agree",
	  "counter 3 where the mesh meets memory loses one in 64", .increment = loses_one_in,
	  .arg = 64, .counters = BIT(3));
/* Where those of its channels are in the unit mask. */
SEEDED(mesh_channels_ignored, "uncore_mesh_channels_ignored", MODEL_ICELAKE_SP,
       "m2m0.*.event.agree",
       "counter 2 where the mesh meets memory counts both channels, whatever the unit mask says",
       .boxes = &(const struct defect){MEMORY_STOPS, ACTS(UNCORE_CTL, .set = FIELD(35, 32)),
				       .counters = BIT(2)});
SEEDED(mesh_extension_lost, "uncore_mesh_extension_lost", MODEL_ICELAKE_SP,
       "m2m*.access.control_holds",
       "what extends the unit mask where the mesh meets memory cannot be set",
       .boxes = &(const struct defect){MEMORY_STOPS, KEEPS(UNCORE_CTL, .clear = FIELD(39, 32))});
BOX_FAULT(port_classes_lost, PORTS, "upi*.access.control_holds",
	  "the high dword of a port's control cannot be set",
	  KEEPS(UNCORE_CTL, .clear = FIELD(43, 32)));
BOX_FAULT(port_en_ignored, PORTS, "upi0.*.count.enable_gates", "UPI counters count without en",
	  SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT_DO(link_stop_deaf, LINK_STOPS, "m3upi0.*.count.clocks_run",
	     "counter 2 where the mesh meets links has no events", setting,
	     box_of(at)->selection[2].event = NULL, .counters = BIT(2));
