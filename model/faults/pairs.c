/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in pairs: how they are called, and which of them make no difference. */
#include "generated.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

/* ---- the one at which the walk is ---- */

/* By class, of which there are three for each effect. */
enum form { ON_ONE, ON_ALL, BY_TWO, FORMS };

bool generated_is_pair(const struct generated_walk *w)
{
	return w->class >= GENERATED_PAIRS;
}

static enum form form_of(const struct generated_walk *w)
{
	return (w->class - GENERATED_PAIRS) % FORMS;
}

enum pair_effect pair_effect(const struct generated_walk *w)
{
	return (w->class - GENERATED_PAIRS) / FORMS;
}

static unsigned condition_of(const struct generated_walk *w)
{
	return (unsigned)__builtin_ctzll(w->one);
}

/* Goes on from a mixture; FNV-1a. */
static uint64_t mix(uint64_t mixture, const char *text)
{
	while (*text)
		mixture = (mixture ^ (uint8_t)*text++) * UINT64_C(0x100000001b3);
	return mixture;
}

/* The second condition of a triple is drawn from the others, always alike.  By names: programs
 * differ in the order in which the linker has put the conditions. */
static unsigned other_of(const struct generated_walk *w)
{
	uint64_t begun = mix(w->class * 64 + (unsigned)w->reg.counter + (w->reg.place << 16),
			     condition_at(condition_of(w))->name);
	uint64_t best = 0, left = conditions_of(w->profile, w->part) & ~w->one;
	unsigned drawn = 0;

	for (; left; left &= left - 1) {
		unsigned other = (unsigned)__builtin_ctzll(left);
		uint64_t mixture = mix(begun, condition_at(other)->name);

		if (mixture >= best) {
			best = mixture;
			drawn = other;
		}
	}
	return drawn;
}

uint64_t pair_arg(const struct generated_walk *w)
{
	uint64_t arg =
		field_put(PAIR_EFFECT, pair_effect(w)) | field_put(PAIR_CONDITION, condition_of(w));

	if (form_of(w) == BY_TWO)
		arg |= field_put(PAIR_OTHER, other_of(w) + 1);
	if (form_of(w) != ON_ALL)
		arg |= field_put(PAIR_COUNTER, (unsigned)w->reg.counter + 1);
	return arg;
}

void pair_name(struct generated_walk *w, const char *class, const char *says)
{
	const struct condition *one = condition_at(condition_of(w)), *other = NULL;
	const char *prefix = w->part ? "uncore_" : "", *whose = w->reg.name;

	if (form_of(w) == ON_ALL)
		whose = w->part ? w->reg.box : "all";
	if (form_of(w) == BY_TWO)
		other = condition_at(other_of(w));
	fmt_print(w->name, sizeof(w->name), "%s%s-%s-%s%s%s", prefix, class, whose, one->name,
		  other ? "+" : "", other ? other->name : "");
	fmt_print(w->says, sizeof(w->says), "counter %s %s while %s%s%s", whose, says, one->says,
		  other ? " and " : "", other ? other->says : "");
}

/* The tests that try what a counter does beside all else. */
void pair_tests(struct generated_walk *w)
{
	const char *more = condition_at(condition_of(w))->tests;
	char counter[4] = "*";

	if (form_of(w) != ON_ALL && !w->reg.fixed)
		fmt_print(counter, sizeof(counter), "%u", (unsigned)w->reg.counter);
	fmt_print(w->tests, sizeof(w->tests),
		  "*.%s.modes.*,*.interrupt.*handler*,*.%s.count.absolute,"
		  "*.%s.select.*,*.%s.filter.*,*.pebs.*,*.fixed.interrupt%s%s",
		  counter, counter, counter, counter, more ? "," : "", more ? more : "");
}

/* ---- every situation of a counter is tried, and a broken one compared with a healthy one ---- */

enum { MASK = 0xff }; /* of the counters, which are one event before their overflow */

/* A clock of two counters, the first of which is looked at. */
struct situation {
	struct counter counter[2];
	struct traces traces[2];
	struct clock clock;
	unsigned n;
	bool passes;
};

/* A situation has a number, whose digits are choices. */
static unsigned choose(unsigned *number, unsigned choices)
{
	unsigned choice = *number % choices;

	*number /= choices;
	return choice;
}

static void choose_setting(struct setting *set, unsigned *number, const struct generated_walk *w)
{
	static const unsigned thresholds[] = {0, 1, 2, 3, 200};
	const struct comparison kind = {.edge_alone = !(w->profile->bit & MODEL_NETBURST)};
	bool plain = w->reg.fixed;
	unsigned threshold = plain ? 0 : thresholds[choose(number, ARRAY_SIZE(thresholds))];
	bool invert = !plain && choose(number, 2), edge = !plain && choose(number, 2);
	unsigned rings = w->part || w->profile->bit & MODEL_NETBURST ? 0 : choose(number, 3);

	*set = (struct setting){.enable = true, .user = rings != 1, .os = rings != 2};
	set->interrupt = choose(number, 2);
	set->unit_mask = !plain && set->interrupt;
	setting_compare(set, &kind, threshold, threshold, invert, edge);
}

/* An overflow is an event, too. */
static void choose_traces(struct traces traces[2], unsigned *number)
{
	unsigned events = choose(number, 3), interrupt = choose(number, 3);

	traces[0].counted = events > 0;
	traces[0].wrapped = events > 1;
	traces[0].interrupted = interrupt ? 2 : 0;
	traces[0].nmi = interrupt > 1;
	traces[0].rewritten = interrupt > 0;
	traces[0].window = interrupt ? WINDOW_FIRST : WINDOW_ANY;
}

/* False: there are no more. */
static bool choose_situation(struct situation *s, unsigned number, const struct generated_walk *w)
{
	static const unsigned occurrences[] = {1, 0, 2, 3, 15};
	struct counter *c;
	unsigned other;

	*s = (struct situation){.n = occurrences[choose(&number, ARRAY_SIZE(occurrences))]};
	c = s->counter;
	c[0].value = MASK;
	c[0].condition = choose(&number, 2);
	s->clock.cpl = w->part || choose(&number, 2) ? 0 : 3;
	choose_setting(&c[0].set, &number, w);
	choose_traces(s->traces, &number);
	other = choose(&number, 3);
	c[1].set.enable = c[1].set.user = other;
	s->traces[1].wrapped = other > 1;
	s->passes = s->clock.cpl ? c[0].set.user : c[0].set.os;
	return !number;
}

/* One clock; d NULL: healthy.  Returns the counter with its carry. */
static uint64_t pass(struct situation s, const struct defect *d, bool has_clock)
{
	uint64_t memory[2];
	const struct active active = d ? active_of(d, memory, NULL) : (struct active){0},
			    *all = d ? &active : NULL;
	struct point at = {
		.counter = s.counter,
		.count = 2,
		.mask = MASK,
		.set = &s.counter[0].set,
		.clock = has_clock ? &s.clock : NULL,
		.n = s.n,
		.passes = s.passes,
	};

	memcpy(memory, s.traces, sizeof(memory));
	datapath_filter(&at, all);
	return (uint64_t)datapath_count(&at, all) << 32 | s.counter[0].value;
}

/* Leaves the conditions of any counter.  One that only one kind of PMU has is not tried together
 * with the rest: it is taken to hold. */
static void leave_general(uint64_t *arg)
{
	uint64_t one = field_get(PAIR_CONDITION, *arg), other = field_get(PAIR_OTHER, *arg);
	bool one_is = !condition_at((unsigned)one)->may;
	bool other_is = other && !condition_at((unsigned)other - 1)->may;

	*arg &= PAIR_EFFECT;
	*arg |= field_put(PAIR_CONDITION, one_is ? one : other_is ? other - 1 : PAIR_ALWAYS);
	if (one_is && other_is)
		*arg |= field_put(PAIR_OTHER, other);
}

static bool is_found(const struct generated_walk *w, const struct defect *broken)
{
	struct situation s;

	for (unsigned i = 0; choose_situation(&s, i, w); i++)
		if (pass(s, broken, !w->part) != pass(s, NULL, !w->part))
			return true;
	return false;
}

/* All counters of a kind are alike: each answer is remembered. */
static bool changes_anything(const struct generated_walk *w)
{
	enum { UNKNOWN, NO, YES };
	static uint8_t answers[2][2][2][PAIR_EFFECTS][64][65];
	struct defect broken = w->defect;
	uint8_t *answer;

	leave_general(&broken.arg);
	answer = &answers[w->part > 0][(w->profile->bit & MODEL_NETBURST) != 0][w->reg.fixed]
			 [field_get(PAIR_EFFECT, broken.arg)][field_get(PAIR_CONDITION, broken.arg)]
			 [field_get(PAIR_OTHER, broken.arg)];
	if (*answer == UNKNOWN)
		*answer = is_found(w, &broken) ? YES : NO;
	return *answer == YES;
}

/* counter -1: of any. */
static bool may_hold(const struct generated_walk *w, uint64_t condition)
{
	const struct condition *c = condition_at((unsigned)condition);
	struct pmu_register reg = w->reg;

	if (!field_get(PAIR_COUNTER, w->defect.arg))
		reg.counter = -1;
	return !c->may || c->may(w->profile->pmus[w->part].traits, &reg);
}

const char *pair_unseen(const struct generated_walk *w)
{
	uint64_t other = field_get(PAIR_OTHER, w->defect.arg);

	if (!may_hold(w, field_get(PAIR_CONDITION, w->defect.arg)) ||
	    (other && !may_hold(w, other - 1)))
		return "this counter cannot be used so";
	if (!changes_anything(w))
		return "in no situation of a counter does this make a difference";
	return pair_evens_out(w);
}
