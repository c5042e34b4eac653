/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of Nehalem's uncore, which is one box. */
#include "box.h"

enum { WHOLE_MISSED = 0x09 };

/* ---- the global control ---- */

BOX_FAULT(whole_enables_ignored, WHOLE, "unc.*.freeze.each_alone",
	  "counters count without their bits of the global control",
	  SETS(acts, GATE_ENABLES, ALL_OF_IT));
BOX_FAULT(whole_enable_7_is_6, WHOLE, "unc.7.freeze.each_alone",
	  "bit 7 of the global control enables counter 6",
	  EXCHANGES(UNCORE_BOX_CTL, BIT(7), BIT(6)));
BOX_FAULT(whole_fixed_enable_dead, WHOLE, "unc.*.traffic.uclk",
	  "bit 32 of the global control enables nothing", ACTS(UNCORE_BOX_CTL, .clear = BIT(32)));
BOX_FAULT(whole_cores_ignored, WHOLE, "unc.*.interrupt.to_no_core",
	  "an overflow interrupts a core that is not chosen", SETS(acts, GATE_CORES, ALL_OF_IT));
BOX_FAULT(whole_core_2_is_0, WHOLE, "unc.*.interrupt.to_one_core",
	  "the bit of core 2 chooses core 0, too",
	  ACTS(UNCORE_BOX_CTL, .when = BIT(50), .set = BIT(48)));
BOX_FAULT(whole_freeze_dead, WHOLE, "unc.*.interrupt.freezes",
	  "counters go on behind an overflow that is to stop them",
	  CLEARS(acts, GATE_STOPS, ALL_OF_IT));

/* ---- overflows ---- */

BOX_FAULT_DO(whole_status_lost, WHOLE, "unc.3.overflow.status",
	     "an overflow of counter 3 sets no status bit", status, at->value = 0,
	     .counters = BIT(3), .field = STATUS_OVERFLOWS);
BOX_FAULT_DO(whole_status_of_next, WHOLE, "unc.*.overflow.status",
	     "an overflow sets the status bit of the next counter, too", status,
	     at->value |= at->value << 1, .field = STATUS_OVERFLOWS);
BOX_FAULT(whole_status_sticks, WHOLE, "unc.5.overflow.status",
	  "the status bit of counter 5 cannot be cleared", KEEPS(UNCORE_CLEAR, .clear = BIT(5)));
BOX_FAULT(whole_status_clears_all, WHOLE, "unc.*.overflow.status",
	  "to clear one status bit clears all",
	  KEEPS(UNCORE_CLEAR, .some = FIELD(7, 0), .set = FIELD(7, 0)));
BOX_FAULT_DO(whole_interrupt_lost, WHOLE, "unc.2.interrupt.to_these_cores",
	     "an overflow of counter 2 interrupts no core", requests, at->requests = 0,
	     .counters = BIT(2));
BOX_FAULT_DO(whole_interrupt_doubled, WHOLE, "unc.6.interrupt.to_these_cores",
	     "an overflow of counter 6 interrupts its cores twice", requests, at->requests *= 2,
	     .counters = BIT(6));
BOX_FAULT(whole_pmi_ignored, WHOLE, "unc.*.interrupt.to_no_core",
	  "an overflow interrupts though the counter's PMI is 0",
	  SETS(acts, CTL_INTERRUPT, ALL_OF_IT));

/* ---- counting ---- */

/* Where it were dead for all events, nothing would tick, and no box be found. */
BOX_FAULT_DO(whole_invert_dead, WHOLE, "unc.*.invert.queue_partition",
	     "invert has no effect on what the last cache misses", compare,
	     at->now ^= at->set->invert, .event = WHOLE_MISSED);
BOX_FAULT_DO(whole_invert_is_at_most, WHOLE, "unc.*.invert.queue_partition",
	     "inverted, the threshold passes as many occurrences, too", compare,
	     at->now |= at->set->invert && at->set->at_least == at->n, .event = WHOLE_MISSED);
BOX_FAULT_DO(whole_thresh_is_equal, WHOLE, "unc.*.threshold.ladder,unc.*.threshold.sum_law",
	     "a threshold passes as many occurrences alone", compare,
	     at->now &= !at->set->at_least || at->set->invert || at->set->at_least == at->n,
	     .event = WHOLE_MISSED);
BOX_FAULT(whole_edge_dead, WHOLE, "unc.*.edge.alternate", "edge detection has no effect",
	  CLEARS(acts, CTL_EDGE, ALL_OF_IT));
BOX_FAULT(whole_cmask_bit_1_dead, WHOLE, "unc.*.threshold.ladder,unc.*.threshold.sum_law",
	  "bit 1 of the threshold counts for nothing", CLEARS(acts, CTL_THRESHOLD, BIT(1)));
BOX_FAULT_DO(whole_cmask_adds_all, WHOLE, "unc.*.threshold.sum_law",
	     "where a threshold is reached all occurrences are added", amount,
	     at->amount = at->now ? at->n : at->amount, .event = WHOLE_MISSED);
BOX_FAULT_DO(whole_misses_lost, WHOLE, "unc.*.traffic.lines_read",
	     "a line that is missed counts as none", arrives, at->n = !request_of(at)->miss);
BOX_FAULT_DO(whole_hits_are_misses, WHOLE, "unc.*.traffic.lines_hit",
	     "a line that the last cache has is missed", arrives, request_of(at)->miss = true);
BOX_FAULT(whole_channel_1_deaf, WHOLE, "unc.*.traffic.lines_read,unc.*.count.unit_mask",
	  "what channel 1 reads is not counted", CLEARS(acts, CTL_UMASK, BIT(1)));
BOX_FAULT(whole_loses_every_64th, WHOLE, "unc.*.event.agree", "counter 5 loses one event in 64",
	  .increment = loses_one_in, .arg = 64, .counters = BIT(5));
BOX_FAULT(whole_counter_4_is_3, WHOLE, "unc.*.access.no_alias", "counter 4 is counter 3",
	  .address = answers_for, .arg = 3, .registers = BIT(UNCORE_CTR), .counters = BIT(4));
BOX_FAULT_DO(whole_uclk_at_half, WHOLE, "unc.*.traffic.clocks", "UCLK counts every second clock",
	     amount, at->amount /= 2, .counters = BIT(UNCORE_FIXED));
APART_FAULT(whole, WHOLE, "the counters of the uncore");
