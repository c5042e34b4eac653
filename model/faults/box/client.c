/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of clients' boxes: slices of the last cache, and the arbiter. */
#include "box.h"

enum { LOOKUP = 0x34 };

BOX_FAULT_DO(global_ignored, CLIENTS, "cbo*.freeze.all_boxes,arb*.freeze.all_boxes",
	     "counters count without the global enable", runs, at->frozen = false);
BOX_FAULT(core_en_ignored, CORE_SLICES, "cbo*.count.enable_alone",
	  "counters of a slice count without EN", SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT_DO(core_slice_2_deaf, CORE_SLICES, "cbo*.count.*,cbo*.traffic.*",
	     "slice 2 counts no lookups", arrives, at->n = 0, ONLY(2), .event = LOOKUP);
BOX_FAULT_DO(core_misses_are_hits, CORE_SLICES, "cbo*.traffic.line_lookups",
	     "a line that no cache has is found modified", arrives,
	     request_of(at)->state = request_of(at)->state == LINE_I ? LINE_M
								     : request_of(at)->state,
	     .event = LOOKUP);
BOX_FAULT_DO(core_hits_are_misses, CORE_SLICES, "cbo*.traffic.line_hits",
	     "a line that a cache has is found in no state", arrives,
	     request_of(at)->state = LINE_I, .event = LOOKUP);
BOX_FAULT_DO(core_thresh_adds_all, CLIENTS, "cbo*.threshold.of_most,arb*.threshold.of_most",
	     "where a threshold is not reached all occurrences are added", amount,
	     at->amount = at->set->adds_one ? at->n : at->amount, .event = LOOKUP);
/* From Ice Lake on nothing else would show that a slice is there. */
SEEDED(core_invert_dead, "uncore_core_invert_dead", MODEL_SKYLAKE, "cbo*.invert.all_clocks",
       "invert of a slice has no effect",
       .boxes = &(const struct defect){CORE_SLICES, CLEARS(acts, CTL_INVERT, ALL_OF_IT)});
BOX_FAULT_DO(arb_edges_lost, ARBITERS, "arb.*.threshold.of_one", "the arbiter finds no edges",
	     amount, at->amount = at->set->edge ? 0 : at->amount);
BOX_FAULT(core_carry_into_36_lost, CORE_SLICES, "cbo*.count.carries", "a carry into bit 36 is lost",
	  .hold = carry_lost, .arg = FIELD(35, 0));
BOX_FAULT_DO(core_slice_1_is_0, CORE_SLICES, "cbo*.access.no_alias",
	     "slice 1 has the registers of slice 0", address, at->box = box_beside(at, -1),
	     ONLY(1));
BOX_FAULT(core_thresh_bit_4_lost, CORE_SLICES, "cbo*.access.control_holds",
	  "the top bit of a slice's threshold cannot be set", CLEARS(kept, CTL_THRESHOLD, BIT(4)));
BOX_FAULT(arb_counter_1_is_0, ARBITERS, "arb*.access.no_alias",
	  "counter 1 of the arbiter is its counter 0", .address = answers_for, .arg = 0,
	  .registers = BIT(UNCORE_CTR), .counters = BIT(1));
BOX_FAULT_DO(arb_requests_lost, ARBITERS, "arb.*.traffic.tracked",
	     "every read to memory counts as none", arrives, at->n = request_of(at)->write);
BOX_FAULT(arb_loses_every_64th, ARBITERS, "arb.*.count.counters_agree",
	  "counter 1 of the arbiter loses one in 64", .increment = loses_one_in, .arg = 64,
	  .counters = BIT(1));
BOX_FAULT(core_edge_dead, CLIENTS, "cbo*.edge.always,arb*.edge.always",
	  "edge detection has no effect", CLEARS(acts, CTL_EDGE, ALL_OF_IT));
BOX_FAULT_DO(core_invert_is_at_most, CLIENTS, "cbo*.invert.again,arb*.invert.again",
	     "inverted, the threshold passes as many occurrences, too", compare,
	     at->now |= at->set->invert && at->set->at_least == at->n);

APART_FAULT(arb, ARBITERS, "the counters of the arbiter");
