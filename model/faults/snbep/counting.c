/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what an uncore box does in each clock: freeze, threshold, inversion, edges. */
#include "snbep.h"

/* ---- freezing ---- */

static bool frz_freezes_alone(struct uncore *u, const struct uncore_box *box, unsigned ctr,
			      bool frozen)
{
	(void)u, (void)ctr;
	return frozen || (is_kind(box, UNCORE_CBO) && box->box_ctl & BOX_CTL_FRZ);
}

static bool freeze_dead(struct uncore *u, const struct uncore_box *box, unsigned ctr, bool frozen)
{
	(void)u, (void)ctr;
	return frozen && !is_kind(box, UNCORE_IMC);
}

static bool freeze_misses_counter_3(struct uncore *u, const struct uncore_box *box, unsigned ctr,
				    bool frozen)
{
	(void)u, (void)box;
	return frozen && ctr != 3;
}

static bool freezes_next_slice(struct uncore *u, const struct uncore_box *box, unsigned ctr,
			       bool frozen)
{
	const uint32_t both = (uint32_t)(BOX_CTL_FRZ | BOX_CTL_FRZ_EN);

	(void)ctr;
	if (!is_kind(box, UNCORE_CBO) || box->number == BOX_CBO)
		return frozen;
	return frozen || (u->box[box->socket][box->number - 1].box_ctl & both) == both;
}

/* What the next slice has counted so far, it keeps. */
static uint64_t next_slice_counts(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	if (reg->kind == UNCORE_BOX_CTL && is_kind(reg->box, UNCORE_CBO))
		uncore_advance(u, &u->box[reg->box->socket][reg->box->number + 1]);
	return value;
}

static void unfreeze_clears(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (reg->kind == UNCORE_BOX_CTL && is_kind(reg->box, UNCORE_QPI) && !(value & BOX_CTL_FRZ))
		reg->box->ctr[1] = 0;
}

/* Counter 1 stops a clock after the others. */
static void freeze_one_late(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (reg->kind == UNCORE_BOX_CTL && is_kind(reg->box, UNCORE_HA) && value & BOX_CTL_FRZ &&
	    reg->box->set[1].en)
		reg->box->ctr[1]++;
}

static void freeze_disables(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (reg->kind == UNCORE_BOX_CTL && is_kind(reg->box, UNCORE_PCU) && value & BOX_CTL_FRZ)
		reg->box->set[2].en = false;
}

/* ---- thresholds ---- */

static bool inverted(const struct uncore_setting *set)
{
	return set->occupancy ? set->occ_invert : set->invert;
}

static bool thresh_is_greater(const struct uncore_setting *set, unsigned n, bool result)
{
	(void)result;
	return (n > set->threshold) != inverted(set);
}

static bool thresh_is_equal(const struct uncore_setting *set, unsigned n, bool result)
{
	(void)result;
	return (n == set->threshold) != inverted(set);
}

static void thresh_bit_1_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_R2PCIE))
		set->threshold &= (uint8_t)~2u;
}

static void thresh_of_counter_0(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_CBO) && set->counter)
		set->threshold = box->set[0].threshold;
}

static unsigned thresh_adds_all(const struct uncore_setting *set, unsigned n, unsigned amount)
{
	return set->threshold && amount && n ? n : amount;
}

/* ---- inversion ---- */

static void invert_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_CBO))
		set->invert = false;
}

static bool invert_is_at_most(const struct uncore_setting *set, unsigned n, bool result)
{
	return inverted(set) ? n <= set->threshold : result;
}

static bool invert_before_thresh(const struct uncore_setting *set, unsigned n, bool result)
{
	return inverted(set) ? (n == 0) >= set->threshold : result;
}

static bool invert_misses_idle(const struct uncore_setting *set, unsigned n, bool result)
{
	return result && (n || !inverted(set));
}

static void occ_invert_is_invert(const struct uncore_box *box, struct uncore_setting *set)
{
	(void)box;
	set->occ_invert = set->invert;
}

/* ---- edges ---- */

static void edge_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	(void)box;
	set->edge = false;
}

static bool edge_of_inverted_lost(const struct uncore_setting *set, bool before, bool now,
				  bool result)
{
	(void)before, (void)now;
	return result && !inverted(set);
}

/* Inverted or not. */
static bool edge_levels_of_inverted(const struct uncore_setting *set, bool before, bool now,
				    bool result)
{
	(void)before;
	return inverted(set) ? now : result;
}

/* ---- enable bits and counters ---- */

static void en_ignored(const struct uncore_box *box, struct uncore_setting *set)
{
	set->en |= is_kind(box, UNCORE_QPI);
}

static void counter_3_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_IMC) && set->counter == 3)
		set->en = false;
}

static bool no_event_on_counter_2(const struct uncore_box *box, const struct uncore_setting *set,
				  const struct uncore_event *event, bool has)
{
	(void)event;
	return has && !(is_kind(box, UNCORE_R3QPI) && set->counter == 2);
}

static uint64_t counter_1_loses(const struct uncore_box *box, unsigned ctr, uint64_t amount)
{
	return is_kind(box, UNCORE_CBO) && ctr == 1 ? amount - amount / 256 : amount;
}

static uint64_t uclk_stuck(const struct uncore_box *box, unsigned ctr, uint64_t amount)
{
	return is_kind(box, UNCORE_UBOX) && ctr == UNCORE_COUNTERS ? 0 : amount;
}

/* ---- clocks ---- */

static uint64_t dclk_slow(const struct uncore_box *box, uint64_t hz)
{
	return is_kind(box, UNCORE_IMC) ? hz / 2 : hz;
}

static uint64_t channel_2_slow(const struct uncore_box *box, uint64_t hz)
{
	return box->number == BOX_IMC + 2 ? hz / 10 * 9 : hz;
}

static uint64_t pcu_at_half(const struct uncore_box *box, uint64_t hz)
{
	return is_kind(box, UNCORE_PCU) ? hz / 2 : hz;
}

static uint64_t r2pcie_at_half(const struct uncore_box *box, uint64_t hz)
{
	return is_kind(box, UNCORE_R2PCIE) ? hz / 2 : hz;
}

static uint64_t slice_5_slow(const struct uncore_box *box, uint64_t hz)
{
	return box->number == BOX_CBO + 5 ? hz / 2 : hz;
}

const struct fault faults_uncore_counting[] = {
	UNCORE_FAULT(frz_freezes_alone, "cbo0.*.freeze.needs_frz_en",
		     "frz of a slice freezes without frz_en", .frozen = frz_freezes_alone),
	UNCORE_FAULT(freeze_dead, "imc0.*.freeze.stops_all",
		     "frz and frz_en of a channel freeze nothing", .frozen = freeze_dead),
	UNCORE_FAULT(freeze_misses_counter_3, "ha.*.freeze.stops_all",
		     "counter 3 counts while its box is frozen", .frozen = freeze_misses_counter_3),
	UNCORE_FAULT(freezes_next_slice, "cbo0.*.freeze.this_box_only",
		     "freezing a slice freezes the next one too", .frozen = freezes_next_slice,
		     .keep = next_slice_counts),
	UNCORE_FAULT(unfreeze_clears, "qpi0.*.freeze.goes_on",
		     "counter 1 of QPI begins at 0 when it is unfrozen",
		     .written = unfreeze_clears),
	UNCORE_FAULT(freeze_one_late, "ha.*.freeze.goes_on",
		     "counter 1 of the home agent freezes a clock after the others",
		     .written = freeze_one_late),
	UNCORE_FAULT(freeze_disables, "pcu.*.freeze.goes_on",
		     "counter 2 of the PCU does not count any more once it was frozen",
		     .written = freeze_disables),
	UNCORE_FAULT(thresh_is_greater, "r2pcie.*.threshold.clock_steps",
		     "thresh passes more occurrences than it says, not as many",
		     .condition = thresh_is_greater),
	UNCORE_FAULT(thresh_is_equal, "imc0.*.threshold.ladder",
		     "thresh passes exactly as many occurrences as it says",
		     .condition = thresh_is_equal),
	UNCORE_FAULT(thresh_bit_1_dead, "r2pcie.*.threshold.clock_steps",
		     "bit 1 of the R2PCIe threshold counts for nothing",
		     .setting = thresh_bit_1_dead),
	UNCORE_FAULT(thresh_of_counter_0, "cbo0.*.threshold.clock_steps",
		     "all counters of a slice have the threshold of counter 0",
		     .setting = thresh_of_counter_0),
	UNCORE_FAULT(thresh_adds_all, "pcu.*.threshold.sum_law",
		     "where the threshold is reached all occurrences are added, not 1",
		     .per_clock = thresh_adds_all),
	UNCORE_FAULT(invert_dead, "cbo0.*.invert.partition", "invert of a slice has no effect",
		     .setting = invert_dead),
	UNCORE_FAULT(invert_is_at_most, "r3qpi0.*.invert.partition",
		     "inverted, thresh passes as many occurrences too",
		     .condition = invert_is_at_most),
	UNCORE_FAULT(invert_before_thresh, "imc0.*.invert.partition",
		     "the occurrences are inverted, not the comparison",
		     .condition = invert_before_thresh),
	UNCORE_FAULT(invert_misses_idle, "imc0.*.invert.queue_partition",
		     "inverted comparisons are not made in clocks without occurrences",
		     .condition = invert_misses_idle),
	UNCORE_FAULT(occ_invert_is_invert, "pcu.*.traffic.occupancy",
		     "occ_invert has no effect, invert acts on occupancies",
		     .setting = occ_invert_is_invert),
	UNCORE_FAULT(edge_dead, "r3qpi0.*.edge.constant", "edge_det has no effect",
		     .setting = edge_dead),
	UNCORE_FAULT(edge_of_inverted_lost, "imc0.*.edge.alternate",
		     "with invert edge_det counts nothing", .edge = edge_of_inverted_lost),
	UNCORE_FAULT(edge_levels_of_inverted, "imc0.*.edge.alternate",
		     "with invert edge_det counts clocks, not edges",
		     .edge = edge_levels_of_inverted),
	UNCORE_FAULT(en_ignored, "qpi0.*.count.enable_gates", "QPI counters count without en",
		     .setting = en_ignored),
	UNCORE_FAULT(counter_3_dead, "imc0.*.count.clocks_run",
		     "counter 3 of a channel never counts", .setting = counter_3_dead),
	UNCORE_FAULT(no_event_on_counter_2, "r3qpi0.*.count.clocks_run",
		     "counter 2 of the R3QPI box has no events",
		     .has_event = no_event_on_counter_2),
	UNCORE_FAULT(counter_1_loses, "cbo0.*.count.counters_agree",
		     "counter 1 of a slice loses one in 256", .increment = counter_1_loses),
	UNCORE_FAULT(uclk_stuck, "ubox.*.traffic.uclk", "the UBox fixed counter stands still",
		     .increment = uclk_stuck),
	UNCORE_FAULT(dclk_slow, "imc0.*.count.clock_rate", "DCLK runs at half of its rate",
		     .hz = dclk_slow),
	UNCORE_FAULT(channel_2_slow, "imc0.*.traffic.dclk_agree",
		     "DCLK of channel 2 runs slower than that of the others", .hz = channel_2_slow),
	UNCORE_FAULT(pcu_at_half, "pcu.*.count.clock_rate", "the PCU counts every other clock",
		     .hz = pcu_at_half),
	UNCORE_FAULT(r2pcie_at_half, "r2pcie.*.count.clock_rate",
		     "the R2PCIe box counts every other UCLK", .hz = r2pcie_at_half),
	UNCORE_FAULT(slice_5_slow, "cbo5.*.count.clock_rate", "slice 5 counts every other UCLK",
		     .hz = slice_5_slow),
	{0},
};
