/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore as a whole: its life, and whether the guest's accesses to memory matter. */
#include <stddef.h>

#include "hooks.h"
#include "kernel/lib/string.h"

static const struct uncore_hooks healthy;

static bool box_watches(const struct uncore_box *box)
{
	for (unsigned i = 0; i < box->traits->counters; i++)
		if (box->set[i].en && box->set[i].event && box->set[i].event->traffic)
			return true;
	return false;
}

void uncore_update_watching(struct uncore *u)
{
	u->watching = false;
	for (unsigned socket = 0; socket < u->sockets; socket++)
		for (unsigned i = 0; i < UNCORE_BOXES; i++) {
			struct uncore_box *box = &u->box[socket][i];

			box->watching = box_watches(box);
			u->watching |= box->watching;
		}
}

void uncore_reset(struct uncore *u, bool present, const struct fault *fault)
{
	memset(u, 0, sizeof(*u));
	u->present = present;
	u->hooks = fault && fault->uncore ? fault->uncore : &healthy;
	u->sockets = 1;
	u->tsc_hz = 1;
	for (unsigned socket = 0; socket < UNCORE_SOCKETS; socket++)
		for (unsigned i = 0; i < UNCORE_BOXES; i++)
			uncore_box_reset(u, &u->box[socket][i], socket, i);
}

static unsigned clock_event(const struct uncore_box *box, unsigned counter)
{
	const struct uncore_event *event = box->traits->events;

	for (; event->counters; event++)
		if (event->counting == COUNTS_CLOCK && event->counters >> counter & 1)
			return event->code;
	return 0;
}

static void leave_box_running(struct uncore *u, struct uncore_box *box)
{
	for (unsigned i = 0; i < box->traits->counters; i++)
		uncore_write(u, (struct uncore_reg){box, UNCORE_CTL, i},
			     CTL_EN | field_put(CTL_EV_SEL, clock_event(box, i)));
	if (box->traits->fixed)
		uncore_write(u, (struct uncore_reg){box, UNCORE_FIXED_CTL, 0}, FIXED_CTL_EN);
}

void uncore_leave_running(struct uncore *u)
{
	for (unsigned socket = 0; u->present && socket < u->sockets; socket++)
		for (unsigned i = 0; i < UNCORE_BOXES; i++)
			leave_box_running(u, &u->box[socket][i]);
}

void uncore_configure(struct uncore *u, const struct uncore_config *config)
{
	u->sockets = config->sockets ? config->sockets : 1;
	memcpy(u->hidden, config->hidden, sizeof(u->hidden));
	u->hidden_count = config->hidden_count;
	u->tsc_hz = config->tsc_hz;
	u->origin = u->now = config->tsc;
}
