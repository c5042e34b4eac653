/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that only a counter of the uncore can be in, while something else is broken. */
#include "box.h"

static bool is_matching(const struct point *at)
{
	const struct uncore_box *box = box_of(at);

	if (box->kind->role == ROLE_SLICE)
		return false;
	for (unsigned i = 0; i < UNCORE_FILTERS; i++)
		if (box->filter[i])
			return true;
	return false;
}

static const struct uncore_kind *kind_of(const void *part, const struct pmu_register *reg)
{
	unsigned number;

	return uncore_kind_at(part, reg->place, &number);
}

static bool has(const void *part, const struct pmu_register *reg, enum uncore_field field)
{
	return !reg->fixed && kind_of(part, reg)->field[field];
}

static bool has_matches(const struct uncore_kind *kind)
{
	return kind->role != ROLE_SLICE && kind->filter[0];
}

/* Can its events come several times in a clock?  Events of other boxes come once at most, as far as
 * manuals say. */
static bool has_queue(const void *part, const struct pmu_register *reg)
{
	const uint64_t roles =
		BIT(ROLE_SLICE) | BIT(ROLE_CHANNEL) | BIT(ROLE_POWER) | BIT(ROLE_LINK);

	return !reg->fixed && roles >> kind_of(part, reg)->role & 1;
}

BOX_CONDITION(umask, "its unit mask is not 0", selection_of(at)->umask, !reg->fixed);
BOX_CONDITION(occupancy, "it counts the occupancy of a state", selection_of(at)->occupancy,
	      has(traits, reg, CTL_OCCUPANCY));
BOX_CONDITION(occ_companion, "a companion event lets its occupancy count",
	      selection_of(at)->companion, has(traits, reg, CTL_OCCUPANCY));
BOX_CONDITION(queue, "its event occurs more than once in a clock", at->n > 1,
	      has_queue(traits, reg));
BOX_CONDITION(tid, "it filters by thread", selection_of(at)->thread, has(traits, reg, CTL_THREAD));
BOX_CONDITION(filter_opc, "the filter of the slice has an opcode",
	      uncore_filtered(box_of(at), FILTER_OPCODE), has(traits, reg, FILTER_OPCODE));
BOX_CONDITION(filter_node, "the filter of the slice has a node",
	      uncore_filtered(box_of(at), FILTER_NODE), has(traits, reg, FILTER_NODE));
BOX_CONDITION(filter_state, "the filter of the slice has a state",
	      uncore_filtered(box_of(at), FILTER_STATE), has(traits, reg, FILTER_STATE));
BOX_CONDITION(matching, "a match register is not 0", is_matching(at),
	      has_matches(kind_of(traits, reg)));
BOX_CONDITION(freezable, "the box is enabled for freezes",
	      uncore_get(box_of(at)->kind, GATE_FREEZE_ENABLE, box_of(at)->acting_box_ctl),
	      kind_of(traits, reg)->field[GATE_FREEZE_ENABLE]);
