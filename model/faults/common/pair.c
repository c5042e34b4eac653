/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in pairs: traces of what happened to each counter, and the effects that follow. */
#include "pair.h"

#include "common.h"
#include "kernel/lib/string.h"

enum { FIRST_CLOCKS = 32 }; /* after an interrupt */
/* Are its first ones: behind the last of them the first write of a handler acts. */
enum { CLOCKS_IN_RING = 31 };

_Static_assert(sizeof(struct traces) == sizeof(uint64_t), "a word of a defect's memory");

/* ---- conditions ---- */

/* The linker's, around what CONDITION() makes. */
extern const struct condition *const __start_conditions[], *const __stop_conditions[];

const struct condition *condition_at(unsigned index)
{
	return index < (size_t)(__stop_conditions - __start_conditions) ? __start_conditions[index]
									: NULL;
}

uint64_t conditions_of(const struct profile *profile, bool boxes)
{
	const struct condition *condition;
	uint64_t bits = 0;

	for (unsigned i = 0; (condition = condition_at(i)); i++)
		if (boxes ? condition->boxes : (condition->models & profile->bit) != 0)
			bits |= BIT(i);
	return bits;
}

static bool holds(const struct point *at, const struct traces *t, uint64_t number)
{
	return number == PAIR_ALWAYS || condition_at((unsigned)number)->holds(at, t);
}

/* Does the effect concern this counter as things stand? */
static bool acts(const struct point *at, const struct traces *t)
{
	uint64_t arg = at->defect->arg, counter = field_get(PAIR_COUNTER, arg),
		 other = field_get(PAIR_OTHER, arg);

	return (!counter || counter == at->ctr + 1) &&
	       holds(at, t, field_get(PAIR_CONDITION, arg)) && (!other || holds(at, t, other - 1));
}

static bool is_effect(const struct point *at, enum pair_effect effect)
{
	return field_get(PAIR_EFFECT, at->defect->arg) == effect;
}

/* ---- traces ---- */

struct traces traces_of(const struct point *at, unsigned ctr)
{
	struct traces t;

	memcpy(&t, &at->memory[ctr], sizeof(t));
	return t;
}

static void remember(struct point *at, unsigned ctr, struct traces t)
{
	memcpy(&at->memory[ctr], &t, sizeof(t));
}

static void note_start(struct point *at, unsigned ctr)
{
	struct traces t = traces_of(at, ctr);

	t.counted = t.wrapped = t.beside = false;
	t.pending = 0;
	if (t.window != WINDOW_ANY)
		t.window = t.window == WINDOW_NEXT ? WINDOW_FIRST : WINDOW_ANY;
	remember(at, ctr, t);
}

static void note_beside(struct point *at, unsigned ctr)
{
	struct traces t = traces_of(at, ctr);

	t.beside = true;
	remember(at, ctr, t);
}

void pair_kept(struct point *at)
{
	struct traces t = traces_of(at, 0);

	t.before = (uint32_t)at->running;
	remember(at, 0, t);
}

void pair_written(struct point *at)
{
	uint64_t starts = at->running & ~(uint64_t)traces_of(at, 0).before;
	struct traces t;

	for (uint64_t left = starts; left; left &= left - 1)
		note_start(at, (unsigned)__builtin_ctzll(left));
	if (at->reg.kind != CORE_SELECT)
		return;
	t = traces_of(at, at->ctr);
	t.rewritten = at->value == at->old;
	t.renamed = at->reg.alias;
	remember(at, at->ctr, t);
	for (uint64_t left = at->running & ~BIT(at->ctr) & ~starts; left; left &= left - 1)
		note_beside(at, (unsigned)__builtin_ctzll(left));
}

static void note_interrupts(const struct clock *clock, struct traces *t)
{
	if (t->interrupted)
		t->interrupted--;
	if (!clock->n[SIGNAL_INTERRUPTS])
		return;
	t->interrupted = FIRST_CLOCKS;
	t->nmi = clock->n[SIGNAL_NMIS] != 0;
	t->window = WINDOW_NEXT;
}

static void note_ring(const struct clock *clock, struct traces *t)
{
	const bool ring0 = clock->cpl == 0;

	if (t->crossed)
		t->crossed--;
	if (ring0 != t->ring0)
		t->crossed = CLOCKS_IN_RING;
	t->ring0 = ring0;
}

/* ---- effects ---- */

static void late_clock(struct point *at, struct traces *t, bool late)
{
	uint64_t now = at->amount;

	at->amount = t->pending + (late ? 0 : now);
	t->pending = (uint8_t)(late ? now : 0);
}

static void late_event(struct point *at, struct traces *t, bool late)
{
	if (!at->amount)
		return;
	at->amount += t->pending;
	t->pending = late;
	at->amount -= late;
}

static void change_amount(struct point *at, struct traces *t, bool acts_now)
{
	bool first = acts_now && at->amount && !t->counted;

	switch ((enum pair_effect)field_get(PAIR_EFFECT, at->defect->arg)) {
	case PAIR_DEAD:
		at->amount = acts_now ? 0 : at->amount;
		break;
	case PAIR_MORE:
		at->amount += first;
		break;
	case PAIR_LESS:
		at->amount -= first;
		break;
	case PAIR_LATE_CLOCK:
		late_clock(at, t, acts_now);
		break;
	case PAIR_LATE_EVENT:
		late_event(at, t, acts_now);
		break;
	default: /* no matter of amounts */
		break;
	}
}

/* Called for counters that stand, too: what they would have counted late is lost, and what starts
 * them, a write or another counter, lets them begin anew. */
void pair_increment(struct point *at)
{
	struct traces t = traces_of(at, at->ctr);
	bool events = at->amount;

	if (at->clock) {
		note_interrupts(at->clock, &t);
		note_ring(at->clock, &t);
	}
	if (!at->stands)
		change_amount(at, &t, acts(at, &t));
	t.counted = !at->stands && (t.counted || events);
	if (at->stands)
		t.pending = 0;
	remember(at, at->ctr, t);
}

void pair_compare(struct point *at)
{
	struct traces t = traces_of(at, at->ctr);

	if (is_effect(at, PAIR_INVERTED) && acts(at, &t))
		at->now = !at->now;
}

void pair_overflow(struct point *at)
{
	struct traces t = traces_of(at, at->ctr);

	if (!at->carry)
		return;
	if (is_effect(at, PAIR_MUTE) && acts(at, &t))
		at->carry = false;
	t.wrapped = true;
	remember(at, at->ctr, t);
}
