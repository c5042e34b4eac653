/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what an uncore box does in each clock: freeze, threshold, inversion, edges. */
#include "box.h"

/* ---- freezing ---- */

/* Is a write to box control at hand that freezes? */
static bool is_freeze(const struct point *at)
{
	return at->value & field_at(at, GATE_FREEZE);
}

BOX_FAULT(frz_freezes_alone, SLICES, "c*0.*.freeze.needs_frz_en",
	  "frz of a slice freezes without frz_en", SETS(acts, GATE_FREEZE_ENABLE, ALL_OF_IT));
BOX_FAULT(freeze_dead, CHANNELS, "imc0.*.freeze.stops_all",
	  "frz and frz_en of a channel freeze nothing", CLEARS(acts, GATE_FREEZE, ALL_OF_IT));
BOX_FAULT_DO(freeze_misses_counter_3, ALL_BOXES, "ha*.*.freeze.stops_all,m2*0.*.freeze.stops_all",
	     "counter 3 counts while its box is frozen", runs, at->frozen = false,
	     .counters = BIT(3), .field = GATE_FREEZE);

BOX_FAULT(sbo_deaf_to_freeze, RING_SWITCHES, "sbo0.*.freeze.stops_all",
	  "a box between rings that is frozen counts on", CLEARS(acts, GATE_FREEZE, ALL_OF_IT));

/* The tests have all boxes frozen at once on parts alone that have what joins rings. */
BOX_FAULT_DO(sbo_goes_on, RING_SWITCHES, "pcu.*.freeze.package",
	     "boxes between rings go on when all boxes of the package are frozen", runs,
	     at->frozen = box_of(at)->frozen);
BOX_FAULT_DO(sbo_stays, RING_SWITCHES, "pcu.*.freeze.package",
	     "boxes between rings stay as they are when those of the package are let go on", runs,
	     at->frozen |= box_of(at)->memory[0] |= box_of(at)->held);

/* The next slice keeps what it has counted so far. */
static void catch_up(struct point *at)
{
	uncore_advance(at->pmu, box_beside(at, 1));
}

BOX_FAULT_DO(freezes_next_slice, SLICES, "c*0.*.freeze.this_box_only",
	     "freezing a slice freezes the next one too", runs,
	     at->frozen |= box_of(at)->number > 0 && box_beside(at, -1)->frozen, .kept = catch_up,
	     .registers = BIT(UNCORE_BOX_CTL));
BOX_FAULT_DO(unfreeze_clears, LINKS, "qpi0.*.freeze.goes_on",
	     "counter 1 of QPI begins at 0 when it is unfrozen", written,
	     at->counter[1].value = is_freeze(at) ? at->counter[1].value : 0,
	     .registers = BIT(UNCORE_BOX_CTL));
BOX_FAULT_DO(freeze_one_late, HOMES, "ha*.*.freeze.goes_on",
	     "counter 1 of the home agent freezes a clock after the others", written,
	     at->counter[1].value += is_freeze(at) && at->counter[1].set.enable,
	     .registers = BIT(UNCORE_BOX_CTL));
BOX_FAULT_DO(freeze_disables, POWER, "pcu.*.freeze.goes_on",
	     "counter 2 of the PCU does not count any more once it was frozen", written,
	     at->counter[2].set.enable &= !is_freeze(at), .registers = BIT(UNCORE_BOX_CTL));

/* ---- thresholds ---- */

BOX_FAULT_DO(thresh_is_greater, ALL_BOXES,
	     "r2pcie.*.threshold.clock_steps,m2pcie0.*.threshold.clock_steps",
	     "thresh passes more occurrences than it says, not as many", setting,
	     at->set->at_least += at->set->adds_one, .field = CTL_THRESHOLD);
BOX_FAULT(thresh_is_equal, CHANNELS, "imc0.*.threshold.ladder",
	  "thresh passes exactly as many occurrences as it says", .compare = threshold_exact,
	  .field = CTL_THRESHOLD);
BOX_FAULT(thresh_bit_1_dead, IO_FABRIC, "r2pcie.*.threshold.clock_steps",
	  "bit 1 of the R2PCIe threshold counts for nothing", CLEARS(acts, CTL_THRESHOLD, BIT(1)));
BOX_FAULT_DO(thresh_of_counter_0, SLICES, "c*0.*.threshold.clock_steps",
	     "all counters of a slice have the threshold of counter 0", setting,
	     at->set->at_least = at->counter[0].set.at_least;
	     at->set->adds_one = at->counter[0].set.adds_one);
BOX_FAULT_DO(thresh_adds_all, ALL_BOXES, "pcu.*.threshold.sum_law",
	     "where the threshold is reached all occurrences are added, not 1", amount,
	     at->amount = at->set->adds_one && at->amount ? at->n : at->amount,
	     .field = CTL_OCCUPANCY);

/* ---- inversion ---- */

BOX_FAULT(invert_dead, SLICES, "c*0.*.invert.partition", "invert of a slice has no effect",
	  CLEARS(acts, CTL_INVERT, ALL_OF_IT));
BOX_FAULT(invert_is_at_most, ALL_BOXES,
	  "r3qpi0.*.invert.partition,m3upi0.*.invert.partition,m2pcie0.*.invert.partition",
	  "inverted, thresh passes as many occurrences too", .setting = inverted_threshold_moved,
	  .arg = 1, .field = CTL_INVERT);
BOX_FAULT_DO(invert_before_thresh, ALL_BOXES, "imc0.*.invert.partition,m2pcie0.*.invert.partition",
	     "the occurrences are inverted, not the comparison", compare,
	     at->now = at->set->invert ? (at->n == 0) >= at->set->at_least : at->now,
	     .field = CTL_INVERT);
BOX_FAULT_DO(invert_misses_idle, CHANNELS, "imc0.*.invert.queue_partition",
	     "inverted comparisons are not made in clocks without occurrences", compare,
	     at->now &= at->n || !at->set->invert, .field = CTL_INVERT);
BOX_FAULT_DO(occ_invert_is_invert, POWER, "pcu.*.traffic.occupancy",
	     "occ_invert has no effect, invert acts on occupancies", acts,
	     at->value = (at->value & ~field_at(at, CTL_OCCUPANCY_INVERT)) |
			 (at->value & field_at(at, CTL_INVERT) ? field_at(at, CTL_OCCUPANCY_INVERT)
							       : 0),
	     .field = CTL_OCCUPANCY_INVERT);

/* ---- edges ---- */

BOX_FAULT(edge_dead, ALL_BOXES,
	  "r3qpi0.*.edge.constant,m3upi0.*.edge.constant,m2pcie0.*.edge.constant",
	  "edge_det has no effect", CLEARS(acts, CTL_EDGE, ALL_OF_IT));
BOX_FAULT_DO(edge_of_inverted_lost, CHANNELS, "imc0.*.edge.alternate",
	     "with invert edge_det counts nothing", amount,
	     at->amount = at->set->edge && at->set->invert ? 0 : at->amount, .field = CTL_INVERT);
BOX_FAULT_DO(edge_levels_of_inverted, CHANNELS, "imc0.*.edge.alternate",
	     "with invert edge_det counts clocks, not edges", amount,
	     at->amount = at->set->edge && at->set->invert ? at->now : at->amount,
	     .field = CTL_INVERT);

/* ---- enable bits and counters ---- */

BOX_FAULT(en_ignored, LINKS, "qpi0.*.count.enable_gates", "QPI counters count without en",
	  SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT(counter_3_dead, CHANNELS, "imc0.*.count.clocks_run",
	  "counter 3 of a channel never counts", .counters = BIT(3),
	  CLEARS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT_DO(no_event_on_counter_2, LINK_FABRIC, "r3qpi0.*.count.clocks_run",
	     "counter 2 of the R3QPI box has no events", setting,
	     box_of(at)->selection[2].event = NULL, .counters = BIT(2));
BOX_FAULT(counter_1_loses, SLICES, "c*0.*.count.counters_agree",
	  "counter 1 of a slice loses one in 256", .increment = loses_one_in, .arg = 256,
	  .counters = BIT(1));
BOX_FAULT(uclk_stuck, SYSTEM, "ubox.*.traffic.uclk", "the UBox fixed counter stands still",
	  .increment = counts_nothing, .counters = BIT(UNCORE_FIXED));

/* ---- clocks ---- */

/* Half of a documented rate may be one, too; none is where no bit enables. */
BOX_FAULT_DO(dclk_slow, CHANNELS, "imc0.*.count.clock_rate",
	     "DCLK runs at seven tenths of its rate", rate, at->value = at->value / 10 * 7,
	     .field = CTL_ENABLE);
BOX_FAULT_DO(channel_2_slow, CHANNELS, "imc0.*.traffic.dclk_agree",
	     "DCLK of channel 2 runs slower than on other channels", rate,
	     at->value = at->value / 10 * 9, ONLY(2));
BOX_FAULT_DO(pcu_at_half, POWER, "pcu.*.count.clock_rate", "the PCU counts every other clock", rate,
	     at->value /= 2, .field = CTL_OCCUPANCY);
BOX_FAULT_DO(r2pcie_at_half, IO_FABRIC, "r2pcie.*.count.clock_rate",
	     "the R2PCIe box counts every other UCLK", rate, at->value /= 2);
BOX_FAULT_DO(sbo_at_half, RING_SWITCHES, "sbo0.*.count.clock_rate",
	     "a box between rings counts every other UCLK", rate, at->value /= 2);
BOX_FAULT_DO(slice_5_slow, SLICES, "c*5.*.count.clock_rate", "slice 5 counts every other UCLK",
	     rate, at->value /= 2, ONLY(5));
