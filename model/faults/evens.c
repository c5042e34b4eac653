/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in pairs that make a difference, of which still no test can tell, and why. */
#include "generated.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

static bool is_of_all(const struct generated_walk *w)
{
	return !field_get(PAIR_COUNTER, w->defect.arg);
}

static bool is_while(const struct generated_walk *w, const char *condition)
{
	uint64_t one = field_get(PAIR_CONDITION, w->defect.arg),
		 other = field_get(PAIR_OTHER, w->defect.arg);

	return !strcmp(condition_at((unsigned)one)->name, condition) ||
	       (other && !strcmp(condition_at((unsigned)other - 1)->name, condition));
}

static bool is_in(const struct generated_walk *w, const char *box)
{
	return !memcmp(w->reg.box, box, strlen(box));
}

static bool is_slices_first(const struct generated_walk *w)
{
	return !is_of_all(w) && w->reg.counter == 0 && is_in(w, "cbo");
}

/* Why no manual is exact enough to find the fault; NULL: one is. */
static const char *undocumented(const struct generated_walk *w)
{
	if (w->profile->bit != MODEL_K7 || w->part || !is_while(w, "unit_mask"))
		return NULL;
	if (pair_effect(w) == PAIR_INVERTED)
		return "no guide says how often K7's events with unit masks occur in a clock";
	if (pair_effect(w) == PAIR_DEAD && is_of_all(w))
		return "K7's events with unit masks are not in every edition of the guide";
	return NULL;
}

static bool is_one_event(const struct generated_walk *w)
{
	return pair_effect(w) >= PAIR_MORE && pair_effect(w) <= PAIR_LATE_EVENT &&
	       pair_effect(w) != PAIR_LATE_CLOCK;
}

/* The UBox has no box control, and two counters alone. */
static bool is_of_lock_clocks(const struct generated_walk *w)
{
	if (is_while(w, "umask") || is_while(w, "threshold_2") || is_while(w, "threshold_more") ||
	    is_while(w, "threshold_above"))
		return true;
	return pair_effect(w) == PAIR_LESS ? is_while(w, "invert")
					   : is_while(w, "other_runs") && is_of_all(w);
}

/* Counters of these boxes all begin with the first clock, or at once: no other one has wrapped. */
static bool is_before_wraps(const struct generated_walk *w)
{
	return is_while(w, "other_wrapped") && !is_of_all(w) && w->reg.counter == 0 &&
	       (is_in(w, "pcu") || is_in(w, "qpi") || is_in(w, "ubox"));
}

/* Why one event more or less is not seen in a box: no counter can be compared that has it not, too.
 */
static const char *unmatched(const struct generated_walk *w)
{
	enum pair_effect effect = pair_effect(w);
	bool one = effect == PAIR_MORE || effect == PAIR_LESS;

	if (is_while(w, "occ_companion"))
		return "no manual describes what a companion event does to an occupancy";
	if (one && is_in(w, "ubox") && is_of_lock_clocks(w))
		return "counters of the UBox begin and end one after the other, and no manual says "
		       "in how many clocks sequences of a lock start";
	if (effect == PAIR_LESS && (is_in(w, "pcu") || is_in(w, "qpi")) && is_of_all(w) &&
	    is_while(w, "matching"))
		return "no manual says to the last one how many clocks and flits there are, and "
		       "all counters lose the last one";
	if (one && is_before_wraps(w))
		return "events of this box for a program begin with the first clock, in which no "
		       "counter before it has overflowed";
	if (one && is_in(w, "cbo") && is_of_all(w) && (is_while(w, "umask") || is_while(w, "tid")))
		return "no manual says how many requests a slice gets besides those of the "
		       "program";
	if (one && w->reg.fixed)
		return "no manual says whether a fixed counter stops in the same clock as others "
		       "of its box";
	if (effect == PAIR_LESS && is_of_all(w) && is_while(w, "edge"))
		return "no other counter has other edges to compare with, and it is not documented "
		       "whether a condition that is true in the first clock is an edge";
	if (one + (effect == PAIR_INVERTED) && is_while(w, "queue") && is_slices_first(w))
		return "counter 0 of a slice alone counts entries of its queue: others can only be "
		       "compared from one entry on, not from two";
	return NULL;
}

/* An interrupt came a few clocks ago. */
static bool is_in_handler(const struct generated_walk *w)
{
	return is_while(w, "after_vector") || is_while(w, "after_nmi");
}

/* Conditions that hold for all counters that one write stops, or for none. */
static bool is_shared(const struct generated_walk *w)
{
	static const char *const shared[] = {"ring0", "gated", "other_runs", "status_set",
					     "crossed"};

	for (unsigned i = 0; i < ARRAY_SIZE(shared); i++)
		if (is_while(w, shared[i]))
			return true;
	return false;
}

/* Why an event that is late by a clock still comes in time; NULL: it does not.  Boxes are never
 * late. */
static const char *comes_in_time(const struct generated_walk *w)
{
	const bool stops_all = w->profile->bit & (MODEL_PERFMON_V2 | MODEL_V2 | PAIR_YOUNG);

	/* Ring 0 stops counters. */
	if (is_while(w, "ring3") || (is_in_handler(w) && !stops_all))
		return "an event that is late is counted while the counter still runs, though its "
		       "condition has passed";
	if (!stops_all)
		return "a counter that runs on counts it in time; in the clock in which its own "
		       "register stops it, nothing but that clock is lost, and nobody counts "
		       "clocks to the last one";
	if (is_while(w, "usr"))
		return "it counts in rings 1 to 3 alone, and stops clocks after the last of them";
	if (is_while(w, "unit_mask"))
		return "the write that stops counters has clocks of its own, in which no event "
		       "with a unit mask occurs";
	/* Zen 4's write has clocks of its own: only clocks are lost then. */
	if (is_of_all(w) &&
	    (is_shared(w) || (is_in_handler(w) && w->profile->bit & MODEL_PERFMON_V2)))
		return "all counters lose the same clock, and none is left to compare with";
	if (!is_while(w, "edge"))
		return NULL;
	if (is_of_all(w))
		return "no other counter has other edges to compare with, and how many there are "
		       "to the last clock is the pipeline's affair";
	if (w->profile->bit & MODEL_PERFMON_V2)
		return "the write that stops counters has clocks of its own, without an edge, in "
		       "which an edge that is late is counted";
	return NULL;
}

enum { MSR_FIXED_CTR1 = 0x30a, MSR_FIXED_CTR2 = 0x30b };

/* One more, one less, or late, of what fixed counters 1 and 2 count; or that of a few clocks. */
static bool is_one_clock(const struct generated_walk *w)
{
	enum pair_effect effect = pair_effect(w);
	bool one = effect >= PAIR_MORE && effect <= PAIR_LATE_EVENT;
	bool in_one_ring = is_while(w, "usr") || is_while(w, "ring3");

	if (!(w->profile->bit & MODEL_V2) || w->part || is_of_all(w))
		return false;
	if (w->reg.address == MSR_FIXED_CTR1)
		return w->profile->bit == MODEL_SKYLAKE && one && in_one_ring;
	return w->reg.address == MSR_FIXED_CTR2 &&
	       (one || (effect == PAIR_DEAD && is_in_handler(w)));
}

enum { MSR_MS_COUNTER0 = 0x304, MSR_FLAME_COUNTER0 = 0x308, MSR_IQ_COUNTER0 = 0x30c };

static bool is_before(const struct generated_walk *w, uint32_t counter)
{
	return w->profile->bit & MODEL_NETBURST && !is_of_all(w) && w->reg.address < counter;
}

/* The last six of NetBurst's counters alone count branches, and the last branch of a handler can be
 * near its begin.  Events of the others go on. */
static bool goes_on(const struct generated_walk *w)
{
	return is_before(w, MSR_IQ_COUNTER0) && is_in_handler(w);
}

/* NetBurst compares in all rings: a comparison that is true without events is true in each clock.
 */
static bool is_of_clocks(const struct generated_walk *w)
{
	bool is_flame = is_before(w, MSR_IQ_COUNTER0) && !is_before(w, MSR_FLAME_COUNTER0);

	if (is_while(w, "threshold_above"))
		return w->profile->bit & MODEL_NETBURST;
	if (is_while(w, "threshold_more") && is_flame)
		return true;
	return (is_while(w, "threshold_2") || is_while(w, "threshold_more")) &&
	       is_before(w, MSR_MS_COUNTER0);
}

/* Is an event lost?  A late one is, in a window in which no event follows the last one. */
static bool is_first_lost(const struct generated_walk *w)
{
	return pair_effect(w) == PAIR_LESS || pair_effect(w) == PAIR_LATE_EVENT;
}

/* Why one event more or less is not seen on NetBurst; NULL: it is. */
static const char *uncounted(const struct generated_walk *w)
{
	if (is_of_clocks(w))
		return "nothing comes so often in a clock: it counts the clocks in which that is "
		       "so, and no manual says which clocks are the first and the last";
	if (is_first_lost(w) && is_of_all(w) && is_while(w, "invert") &&
	    w->profile->bit & MODEL_NETBURST)
		return "a complement is of clocks and of edges, and it is not documented whether a "
		       "condition that is true in the first clock is an edge";
	if (pair_effect(w) == PAIR_LATE_EVENT && goes_on(w))
		return "it counts clocks and micro-ops, which go on when the condition has passed: "
		       "the late one is counted then";
	if (goes_on(w))
		return "it counts clocks and micro-ops there, and no manual says how many a "
		       "handler begins with";
	return NULL;
}

/* Why broken and healthy counters are alike over more than a clock; NULL: they are not. */
const char *pair_evens_out(const struct generated_walk *w)
{
	if (w->reg.upright && is_while(w, "invert"))
		return "the comparison of this counter cannot be inverted";
	if (is_one_clock(w))
		return "no other counter counts the same to the clock: none counts reference "
		       "clocks, and by erratum SKL117 each counter of one ring misses clocks of "
		       "its own";
	if (pair_effect(w) == PAIR_LATE_CLOCK)
		return comes_in_time(w);
	if (pair_effect(w) == PAIR_INVERTED && is_while(w, "threshold_none"))
		return "without a threshold a comparison is of edges alone, and the edges of a "
		       "condition and of its opposite alternate";
	if (pair_effect(w) == PAIR_INVERTED && is_while(w, "edge") && is_of_all(w))
		return "no other counter has other edges to compare with, and the edges of a "
		       "condition and of its opposite alternate";
	if (is_one_event(w) && uncounted(w))
		return uncounted(w);
	if (pair_effect(w) == PAIR_MUTE && is_while(w, "ovf"))
		return "OVF stays set, and its request stands, until software clears it: another "
		       "overflow makes no difference";
	return w->part ? unmatched(w) : undocumented(w);
}
