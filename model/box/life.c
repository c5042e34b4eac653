/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore as a whole: its life, and whether the guest's accesses to memory matter. */
#include "box.h"
#include "kernel/lib/string.h"

/* Where there is no gate, counters are programmed before they are enabled: which lines are where is
 * up to what happens from then on. */
static bool box_watches(const struct uncore_box *box)
{
	const bool early = !box->kind->field[GATE_FREEZE];

	for (unsigned i = 0; i < box->kind->counters; i++)
		if ((early || box->counter[i].set.enable) && box->selection[i].event &&
		    box->selection[i].event->traffic)
			return true;
	return false;
}

static void update_box(struct uncore *u, struct uncore_box *box)
{
	u->watching -= box->watching;
	box->watching = box_watches(box);
	u->watching += box->watching;
}

void uncore_update_watching(struct uncore *u, struct uncore_box *written)
{
	update_box(u, written);
	for (unsigned socket = 0; u->defect && socket < u->sockets; socket++)
		for (unsigned i = 0; i < u->boxes; i++)
			update_box(u, &u->box[socket][i]);
}

/* Boxes of one role stand side by side, and no part has more than there is room for. */
static void place_boxes(struct uncore *u)
{
	for (const struct uncore_kind *kind = u->part->kinds; kind->boxes; kind++) {
		u->role[kind->role].first = u->boxes;
		u->role[kind->role].count = kind->boxes;
		u->boxes += kind->boxes;
	}
	if (u->boxes > UNCORE_BOXES)
		panic("%u boxes of a socket, where there is room for %u", u->boxes,
		      (unsigned)UNCORE_BOXES);
}

void uncore_reset(struct uncore *u, const struct uncore_part *part, const struct fault *fault)
{
	memset(u, 0, sizeof(*u));
	u->part = part;
	u->defect = fault ? fault->boxes : NULL;
	u->sockets = 1;
	u->tsc_hz = 1;
	u->memory.core_ways = part->core_ways ? part->core_ways : UNCORE_CORE_WAYS;
	place_boxes(u);
	for (unsigned i = 0; part->msrs[i].msr; i++)
		u->msr[i] = part->msrs[i].value;
	u->stopped = part->global_enable;
	u->window_global = part->window.global ? 1 : 0;
	for (unsigned socket = 0; socket < UNCORE_SOCKETS; socket++)
		for (unsigned i = 0; i < u->boxes; i++)
			uncore_box_reset(u, &u->box[socket][i], socket, i);
}

unsigned uncore_sockets(const struct fault *fault)
{
	return fault->boxes && fault->boxes->sockets ? fault->boxes->sockets : 1;
}

void uncore_configure(void *uncore, const struct boxes_config *config)
{
	struct uncore *u = uncore;

	u->sockets = config->sockets ? config->sockets : 1;
	u->home = config->home;
	u->core = config->core;
	memcpy(u->hidden, config->hidden, sizeof(u->hidden));
	u->hidden_count = config->hidden_count;
	u->tsc_hz = config->tsc_hz;
	u->origin = u->now = config->tsc;
	/* Neighbouring seeds shall differ. */
	u->fixed_thaws = config->seed * UINT32_C(2654435761) >> 31;
}

static bool is_common(const struct uncore *u, const struct uncore_box *box, unsigned levels)
{
	const enum uncore_role role = box->kind->role;

	if (u->defect && u->defect->apart &&
	    uncore_concerns(u->defect, box->kind, box->place, box->number))
		return false;
	return (role != ROLE_CACHE || levels & BIT(3)) && (role != ROLE_L2 || levels & BIT(2));
}

/* All is the package's, but for boxes of a cache that only some of its cores have. */
void uncore_share(void *uncore, const void *other, unsigned levels)
{
	static struct uncore own LARGE;
	struct uncore *u = uncore;

	own = *u;
	*u = *(const struct uncore *)other;
	u->core = own.core;
	for (unsigned socket = 0; socket < UNCORE_SOCKETS; socket++)
		for (unsigned i = 0; i < u->boxes; i++)
			if (!is_common(u, &u->box[socket][i], levels))
				u->box[socket][i] = own.box[socket][i];
}
