/* SPDX-License-Identifier: BSD-2-Clause */
/* The NetBurst filters: threshold, complement, edge; and enabling. */
#include "netburst.h"

/* ---- threshold ---- */

FAULT(threshold_greater_equal, "*.filter.every_threshold",
      "COMPARE counts clocks with at least THRESHOLD occurrences, not more",
      .setting = threshold_moved, .arg = UINT64_MAX);
FAULT(threshold_bit0_stuck, "*.filter.every_threshold",
      "bit 0 of THRESHOLD does not reach the comparison", ACTS(NETBURST_CCCR, .clear = BIT(20)));
FAULT(threshold_bit3_dead, "*.filter.every_threshold", "THRESHOLD is compared in 3 bits only",
      ACTS(NETBURST_CCCR, .clear = BIT(23)));
FAULT(threshold_ignored, "*.threshold.sum_law", "THRESHOLD is stored and taken for 0",
      ACTS(NETBURST_CCCR, .clear = CCCR_THRESHOLD));
FAULT_DO(threshold_15_stuck, "*.filter.threshold_15", "COMPLEMENT with THRESHOLD 15 never counts",
	 compare, at->now &= !at->set->invert || at->set->at_least < 16);
FAULT_DO(every_clock_needs_input, "*.power.no_event",
	 "COMPLEMENT with THRESHOLD 15 counts only clocks in which the event occurs", compare,
	 at->now &= at->n || !at->set->invert || at->set->at_least < 16);
FAULT(compare_ignored, "*.filter.compare", "COMPARE has no effect: the input is added",
      ACTS(NETBURST_CCCR, .clear = CCCR_COMPARE));
FAULT_DO(compare_adds_value, "*.filter.compare", "a clock that COMPARE lets pass adds its input",
	 amount, at->amount = at->set->adds_one && at->amount ? at->n : at->amount);

/* ---- complement ---- */

FAULT(complement_ignored, "*.filter.complement", "COMPLEMENT has no effect",
      ACTS(NETBURST_CCCR, .clear = CCCR_COMPLEMENT));
FAULT(complement_inverted, "*.filter.complement", "COMPLEMENT works the other way round",
      ACTS(NETBURST_CCCR, .flip = CCCR_COMPLEMENT));
FAULT(complement_off_by_one, "*.invert.partition",
      "COMPLEMENT counts clocks with fewer than THRESHOLD occurrences",
      .setting = inverted_threshold_moved, .arg = UINT64_MAX);

/* ---- edge ---- */

FAULT(edge_dead, "*.filter.bursts", "EDGE has no effect", ACTS(NETBURST_CCCR, .clear = CCCR_EDGE));
FAULT(edge_falling, "*.filter.rises", "EDGE counts falling edges in place of rising ones",
      .amount = edge_falling);
FAULT(edge_counts_both, "*.filter.bursts", "EDGE counts falling edges too", .amount = edge_both);
FAULT(edge_without_compare, "*.filter.edge_needs_compare", "EDGE works though COMPARE is clear",
      ACTS(NETBURST_CCCR, .when = CCCR_EDGE, .unless = CCCR_COMPARE,
	   .clear = CCCR_COMPLEMENT | CCCR_THRESHOLD, .set = CCCR_COMPARE));

/* ---- enabling ---- */

FAULT_DO(enable_ignored, "*.count.enable_gates", "ENABLE has no effect: always enabled", runs,
	 at->enabled = true);

/* The counter goes on for a while; memory: for how many events. */
enum { STOP_LAG = 100 };

static void stop_catches_up(struct point *at)
{
	if (at->amount && at->memory[at->ctr] && --at->memory[at->ctr] == 0)
		at->set->enable = false;
}

FAULT_BODY(stop_lags, "*.count.stopped_holds",
	   "a counter counts 100 events after ENABLE is cleared", written,
	   .registers = BIT(NETBURST_CCCR), .increment = stop_catches_up)
{
	struct cccr *cccr = &netburst(at)->cccr[at->ctr];

	if (!(at->old & ~at->value & CCCR_ENABLE))
		return;
	at->set->enable = true;
	cccr->active_thread = 3;
	cccr->escr = netburst_route(at->ctr, (unsigned)field_get(CCCR_ESCR_SELECT, at->old));
	netburst(at)->core.watched |= bit_of(at);
	at->memory[at->ctr] = STOP_LAG;
}

/* ---- amounts ---- */

FAULT(counter13_slow, "*.count.counters_agree", "counter 13 loses one of 64 counts",
      .increment = loses_one_in, .arg = 64, .counters = BIT(13));
FAULT(pushes_pair_mate, "*.count.counters_agree",
      "counts of the first counter of a pair are added to the second as well",
      .increment = pushes_neighbour, .counters = 0x15555);
FAULT(counter17_dead, "17.count.instructions", "counter 17 never counts",
      .increment = counts_nothing, .counters = BIT(17));
