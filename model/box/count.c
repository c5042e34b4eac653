/* SPDX-License-Identifier: BSD-2-Clause */
/* The counters of a box in its clocks: threshold, inversion, edge detection, gating. */
#include "box.h"

/* ---- one stretch ---- */

static unsigned occupancy_of(const struct uncore_selection *selection,
			     const struct uncore_segment *segment)
{
	return selection->umask ? segment->n[POWER_C0 + selection->umask - 1] : 0;
}

/* n in each clock of the segment; false: the companion event of an occupancy forbids to count. */
DATAPATH bool look(struct point *at)
{
	struct uncore_box *box = at->box;
	const struct uncore_selection *selection = &box->selection[at->ctr];
	unsigned n = selection->event ? uncore_occurrences(at->pmu, box, at->ctr, at->segment) : 0;

	at->n = selection->occupancy ? occupancy_of(selection, at->segment) : n;
	at->passes = true;
	return !selection->companion || (n > 0) != selection->companion_inverted;
}

/* Increments of the first clock, and of each one after it.  An edge is one of the comparison,
 * whether the companion is active or not: it only lets the clock count. */
DATAPATH uint64_t count(struct point *at, uint32_t clocks, const struct active *active)
{
	bool counts = look(at);
	struct point rest = *at;

	datapath_filter(at, active);
	if (clocks > 1)
		datapath_filter(&rest, active);
	return counts ? at->amount + rest.amount * (clocks - 1) : 0;
}

/* ---- overflows ---- */

/* By the counter's control, or by that of the box. */
static bool interrupts_core(const struct uncore_box *box, unsigned ctr, unsigned core)
{
	const struct uncore_kind *kind = box->kind;
	const uint64_t ctl = box->selection[ctr].ctl;

	if (!uncore_get(kind, ctr == UNCORE_FIXED ? FIXED_INTERRUPT : CTL_INTERRUPT, ctl))
		return false;
	if (kind->field[GATE_CORES])
		return uncore_get(kind, GATE_CORES, box->acting_box_ctl) >> core & 1;
	return uncore_get(kind, CTL_ONE_CORE, ctl) && uncore_get(kind, CTL_OF_CORE, ctl) == core;
}

static uint64_t status_bit(const struct uncore_kind *kind, unsigned ctr)
{
	uint64_t bits = kind->field[STATUS_OVERFLOWS];

	if (ctr == UNCORE_FIXED && kind->field[STATUS_FIXED])
		return kind->field[STATUS_FIXED];
	for (unsigned n = ctr == UNCORE_FIXED ? kind->counters : ctr; n; n--)
		bits &= bits - 1;
	return bits & -bits;
}

static void stop(struct uncore_box *box)
{
	const uint64_t enables = box->kind->field[GATE_ENABLES];

	box->box_ctl &= ~enables;
	box->acting_box_ctl &= ~enables;
	box->allowed = uncore_allowed(box->kind, box->acting_box_ctl);
}

/* Where a bit says whether an overflow is told, it does; else each one is. */
static bool is_told(const struct uncore_box *box, unsigned ctr)
{
	const enum uncore_field tells = ctr == UNCORE_FIXED ? FIXED_OVERFLOW : CTL_OVERFLOW;
	const struct uncore_kind *kind = box->kind;

	return !kind->field[CTL_OVERFLOW] || uncore_get(kind, tells, box->selection[ctr].ctl);
}

/* The counter has overflowed. */
static void overflowed(struct point *at, const struct active *active)
{
	struct uncore_box *box = at->box;
	struct uncore *u = at->pmu;

	if (!is_told(box, at->ctr))
		return;
	at->value = status_bit(box->kind, at->ctr);
	REACH(at, active, status);
	box->status |= at->value;
	uncore_tell(u, box, at->ctr);
	at->requests = interrupts_core(box, at->ctr, u->core);
	REACH(at, active, requests);
	u->requests += at->requests;
	if (!at->requests)
		return;
	box->status |= box->kind->field[STATUS_INTERRUPT];
	if (uncore_get(box->kind, GATE_STOPS, box->acting_box_ctl))
		stop(box);
}

DATAPATH void add(struct point *at, uint64_t amount, const struct active *active)
{
	struct uncore_box *box = at->box;

	box->added[at->ctr] += amount;
	at->amount = amount;
	if (box->kind->saturates && amount > at->mask - box->counter[at->ctr].value) {
		box->counter[at->ctr].value = at->mask;
		box->full |= (uint32_t)BIT(at->ctr);
		return;
	}
	if (datapath_count(at, active))
		overflowed(at, active);
}

/* Does the counter see every other clock alone? */
static inline bool is_halved(const struct uncore *u, const struct uncore_box *box, unsigned ctr)
{
	return ctr == UNCORE_FIXED && box->kind->fixed_halves && !uncore_varies(u, UNCORE_WHOLE);
}

uint64_t uncore_look(struct uncore *u, struct uncore_box *box, unsigned ctr,
		     const struct uncore_segment *segment)
{
	const bool halves = is_halved(u, box, ctr);
	struct point at = uncore_point(u, box, ctr);

	at.segment = segment;
	return count(&at, halves ? segment->clocks / 2 : segment->clocks, NULL);
}

void uncore_add(struct uncore *u, struct uncore_box *box, unsigned ctr, uint64_t amount)
{
	struct point at = uncore_point(u, box, ctr);

	add(&at, amount, uncore_active(box));
}

/* A bit of its control may say that it listens to what is there for all boxes. */
static inline bool is_held(const struct uncore_box *box)
{
	const uint64_t listens = box->kind->field[GATE_LISTENS];

	return box->held && (box->acting_box_ctl & listens) == listens;
}

/* By what is there for all boxes. */
static inline bool all_stopped(const struct uncore *u, const struct uncore_box *box)
{
	if (is_held(box))
		return true;
	return box->kind->window ? uncore_get(box->kind, GATE_FREEZE, u->window_global)
				 : u->stopped;
}

DATAPATH bool is_stopped(const struct point *at)
{
	const struct uncore *u = at->pmu;
	const struct uncore_box *box = at->box;

	return all_stopped(u, box) || !(box->allowed >> at->ctr & 1) ||
	       (box->frozen && !(u->fixed_thaws && at->ctr == UNCORE_FIXED));
}

DATAPATH bool runs(struct point *at, const struct active *active)
{
	at->enabled = at->set->enable;
	at->frozen = is_stopped(at);
	return datapath_runs(at, active);
}

/* In a box with a defect. */
static uint64_t running_with_defect(struct uncore *u, struct uncore_box *box)
{
	uint64_t running = 0;

	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
		struct point at = uncore_point(u, box, i);

		running |= runs(&at, &box->active) ? BIT(i) : 0;
	}
	return running;
}

uint64_t uncore_running(struct uncore *u, struct uncore_box *box)
{
	if (box->active.defect)
		return running_with_defect(u, box);
	if (all_stopped(u, box))
		return 0;
	if (!box->frozen)
		return box->enabled & box->allowed;
	return u->fixed_thaws ? box->enabled & BIT(UNCORE_FIXED) : 0;
}

/* Clocks of the segment that the counter sees, behind which the box's clock stands. */
static inline uint32_t seen_by(const struct uncore *u, const struct uncore_box *box, unsigned ctr,
			       const struct uncore_segment *segment)
{
	if (!is_halved(u, box, ctr))
		return segment->clocks;
	return (uint32_t)(box->clock / 2 - (box->clock - segment->clocks) / 2);
}

DATAPATH void run_counter(struct uncore *u, struct uncore_box *box, unsigned ctr,
			  const struct uncore_segment *segment, const struct active *active)
{
	const uint32_t clocks = seen_by(u, box, ctr, segment);
	struct point at = uncore_point(u, box, ctr);

	at.segment = segment;
	if (clocks && (!active || runs(&at, active)))
		add(&at, count(&at, clocks, active), active);
}

static void run_with_defect(struct uncore *u, struct uncore_box *box,
			    const struct uncore_segment *segment)
{
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		if (box->counter[i].set.enable || box->active.defect->runs)
			run_counter(u, box, i, segment, &box->active);
}

void uncore_run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment)
{
	box->clock += segment->clocks;
	if (box->active.defect) {
		run_with_defect(u, box, segment);
		return;
	}
	for (uint64_t left = uncore_running(u, box); left; left &= left - 1)
		run_counter(u, box, (unsigned)__builtin_ctzll(left), segment, NULL);
}

/* ---- time ---- */

static uint64_t hz_of(struct uncore *u, struct uncore_box *box)
{
	struct point at = uncore_point(u, box, 0);

	at.value = box->kind->hz;
	REACH(&at, uncore_active(box), rate);
	return at.value;
}

/* Scales in two parts, neither of which overflows. */
static uint64_t scale(uint64_t time, uint64_t from_hz, uint64_t to_hz)
{
	return time / from_hz * to_hz + time % from_hz * to_hz / from_hz;
}

uint64_t uncore_tsc_of(struct uncore *u, struct uncore_box *box)
{
	return u->origin + scale(box->clock, hz_of(u, box), u->tsc_hz) + 1;
}

uint64_t uncore_clock_at(struct uncore *u, struct uncore_box *box, uint64_t tsc)
{
	return scale(tsc - u->origin, u->tsc_hz, hz_of(u, box));
}
