/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions: settings and moments of any kind of counter, in which something else breaks. */
#include "common.h"
#include "pair.h"

/* NetBurst's modes are the ESCR's. */
#define BY_SELECT (MODEL_AMD | MODEL_INTEL)
/* More than a clock of a core ever has of any event; boxes have more. */
enum { HIGH = 16 };

static bool is_level(const struct setting *set, bool user, bool os)
{
	return set->user == user && set->os == os;
}

static bool is_threshold(const struct setting *set, unsigned least, unsigned most)
{
	return set->adds_one && set->at_least >= least && set->at_least <= most;
}

/* Boxes have no modes. */
static bool runs(const struct point *at, unsigned ctr)
{
	const struct setting *set = &at->counter[ctr].set;

	return set->enable && (at->box || set->user || set->os);
}

static bool another_runs(const struct point *at)
{
	for (unsigned i = 0; i < at->count; i++)
		if (i != at->ctr && runs(at, i))
			return true;
	return false;
}

static bool another_wrapped(const struct point *at)
{
	for (unsigned i = 0; i < at->count; i++)
		if (i != at->ctr && traces_of(at, i).wrapped && runs(at, i))
			return true;
	return false;
}

/* Boxes and fixed counters have other numbers of events. */
static bool is_company(const struct point *at, unsigned ctr)
{
	return ctr != at->ctr && runs(at, ctr) && at->counter[ctr].set.event == at->set->event;
}

static bool has_company(const struct point *at)
{
	for (unsigned i = 0; i < at->count; i++)
		if (is_company(at, i))
			return true;
	return false;
}

static bool has_opposite(const struct point *at)
{
	for (unsigned i = 0; at->set->user != at->set->os && i < at->count; i++)
		if (is_company(at, i) &&
		    is_level(&at->counter[i].set, !at->set->user, !at->set->os))
			return true;
	return false;
}

static const struct core_pmu *core_of(const struct point *at)
{
	return at->pmu;
}

static bool has_other_vector(const struct point *at)
{
	return !core_of(at)->entry.nmi && core_of(at)->entry.vector != core_of(at)->entry.first;
}

/* ---- modes ---- */

CORE_CONDITION(MODEL_ALL, ring0, "ring 0 executes", at->clock->cpl == 0);
CORE_CONDITION(MODEL_ALL, ring3, "ring 3 executes", at->clock->cpl == 3);
CORE_CONDITION(BY_SELECT, usr, "it counts in rings 1 to 3 only", is_level(at->set, true, false));
CORE_CONDITION(BY_SELECT, os, "it counts in ring 0 only", is_level(at->set, false, true));
CORE_CONDITION(BY_SELECT, both, "it counts in all rings", is_level(at->set, true, true));

/* ---- comparisons ---- */

CONDITION(edge, "it counts edges", at->set->edge);
CONDITION(invert, "its comparison is inverted", at->set->invert);
CONDITION(threshold_none, "it has no threshold", !at->set->adds_one);
CONDITION(threshold_1, "one occurrence reaches its threshold", is_threshold(at->set, 0, 1));
CONDITION(threshold_2, "two occurrences reach its threshold", is_threshold(at->set, 2, 2));
CONDITION(threshold_more, "more than two occurrences reach its threshold",
	  is_threshold(at->set, 3, HIGH - 1));
/* AMD's guides before Zen allow thresholds up to what retires in a clock. */
CONDITION_IN(threshold_above, "threshold_above", MODEL_ALL & ~MODEL_BEFORE_ZEN, true,
	     "16 occurrences or more reach its threshold", is_threshold(at->set, HIGH, ~0u),
	     .may = NULL);
CORE_CONDITION(BY_SELECT, unit_mask, "its unit mask is not 0", at->set->unit_mask);

/* ---- interrupts ---- */

CORE_CONDITION(BY_SELECT, interrupt, "its interrupt is enabled", at->set->interrupt);
CORE_CONDITION(MODEL_ALL, after_vector, "an interrupt by vector came 32 clocks ago at most",
	       t->interrupted && !t->nmi);
CORE_CONDITION(MODEL_ALL, after_nmi, "an NMI came 32 clocks ago at most", t->interrupted && t->nmi);
KIND_CONDITION(PAIR_MODELS, by_nmi, "the local APIC is to make its interrupts NMIs",
	       core_of(at)->entry.nmi, true);
KIND_CONDITION(PAIR_MODELS, vector,
	       "the local APIC has another vector for its interrupts than first",
	       has_other_vector(at), true, .tests = "*.first.interrupts");
CORE_CONDITION(MODEL_ALL, window_after, "it has been started the first time after an interrupt",
	       t->window == WINDOW_FIRST);

/* ---- its history, and others ---- */

CONDITION(wrapped, "it has overflowed since its start", t->wrapped);
CONDITION(other_runs, "another counter is enabled", another_runs(at));
CONDITION(other_wrapped, "another enabled counter has overflowed since its start",
	  another_wrapped(at));
KIND_CONDITION(MODEL_ALL, crossed, "one of the first clocks in a ring passes", t->crossed, true,
	       .tests = "*.privilege.user_gate,*.overflow.value_after,*.overflow.all_at_once,"
			"*.random.programs");
KIND_CONDITION(BY_SELECT, company, "another enabled counter counts the same", has_company(at),
	       !reg->fixed);
KIND_CONDITION(BY_SELECT, opposite, "another enabled counter counts the same in the other rings",
	       has_opposite(at), !reg->fixed,
	       .tests = "*.privilege.sum_law,*.overflow.beside_opposite,*.random.programs");
KIND_CONDITION(BY_SELECT, beside, "the select of another counter was written while it ran",
	       t->beside, true);
/* Fixed counters share a register, and have no select. */
KIND_CONDITION(MODEL_ALL, rewritten, "its select was written again as it was", t->rewritten,
	       !reg->fixed);
