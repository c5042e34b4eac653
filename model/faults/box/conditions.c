/* SPDX-License-Identifier: BSD-2-Clause */
/* What an uncore counter alone may be in use with, while something else is broken. */
#include "box.h"

#define SLICE_FILTER(field_) (box_of(at)->traits->kind == UNCORE_CBO && filter_of(at) & (field_))

static uint32_t filter_of(const struct point *at)
{
	return box_of(at)->acting_filter[0];
}

static bool is_matching(const struct point *at)
{
	const struct uncore_box *box = box_of(at);

	if (box->traits->kind == UNCORE_CBO)
		return false;
	for (unsigned i = 0; i < UNCORE_FILTERS; i++)
		if (box->filter[i])
			return true;
	return false;
}

static bool is_of(const struct pmu_register *reg, enum uncore_kind kind)
{
	return !reg->fixed && uncore_traits_of(reg->place)->kind == kind;
}

static bool has_matches(const struct pmu_register *reg)
{
	const struct uncore_traits *traits = uncore_traits_of(reg->place);

	return traits->kind != UNCORE_CBO && traits->filter_bits[0];
}

/* What other boxes have comes once in a clock at most, as far as manuals say. */
static bool has_queue(const struct pmu_register *reg)
{
	return is_of(reg, UNCORE_CBO) || is_of(reg, UNCORE_IMC) || is_of(reg, UNCORE_PCU) ||
	       is_of(reg, UNCORE_QPI);
}

BOX_CONDITION(umask, "its unit mask is not 0", selection_of(at)->umask, !reg->fixed);
BOX_CONDITION(occupancy, "it counts the occupancy of a state", selection_of(at)->occupancy,
	      is_of(reg, UNCORE_PCU));
BOX_CONDITION(occ_companion, "a companion event lets its occupancy count",
	      selection_of(at)->companion, is_of(reg, UNCORE_PCU));
BOX_CONDITION(queue, "its event occurs more than once in a clock", at->n > 1, has_queue(reg));
BOX_CONDITION(tid, "it filters by thread", selection_of(at)->tid_en, is_of(reg, UNCORE_CBO));
BOX_CONDITION(filter_opc, "the filter of the slice has an opcode", SLICE_FILTER(FILTER_OPC),
	      is_of(reg, UNCORE_CBO));
BOX_CONDITION(filter_node, "the filter of the slice has a node", SLICE_FILTER(FILTER_NID),
	      is_of(reg, UNCORE_CBO));
BOX_CONDITION(filter_state, "the filter of the slice has a state", SLICE_FILTER(FILTER_STATE),
	      is_of(reg, UNCORE_CBO));
BOX_CONDITION(matching, "a match register is not 0", is_matching(at), has_matches(reg));
BOX_CONDITION(freezable, "the box is enabled for freezes",
	      box_of(at)->acting_box_ctl &BOX_CTL_FRZ_EN, uncore_traits_of(reg->place)->box_ctl);
