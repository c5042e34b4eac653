/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: the walk over them, and the one at which it is. */
#include "generated.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

/* ---- which a register has ---- */

static bool is_of_interrupts(unsigned class)
{
	return class == GENERATED_PMI_DROPPED || class == GENERATED_PMI_DOUBLED ||
	       class == GENERATED_PMI_DELAYED || class == GENERATED_ONE_MORE_PER_INTERRUPT;
}

/* Boxes have no interrupts, and what occurs in many clocks of theirs is counted at once. */
static bool may_have(const struct fault_class *class, const struct generated_walk *w)
{
	if (w->reg.simple && w->class >= GENERATED_RARE_LOST)
		return false;
	if (w->part)
		return !is_of_interrupts(w->class) && class->of != TURN &&
		       (!generated_is_pair(w) || pair_effect(w) < PAIR_LATE_CLOCK);
	return !class->models || (class->models & w->profile->bit && !w->again);
}

/* One bit for each fault that the class at which the walk is has in its register. */
static uint64_t bits_of_class(const struct generated_walk *w)
{
	const struct fault_class *class = &generated_classes[w->class];
	const struct pmu_register *reg = &w->reg;
	bool counter = reg->cells && reg->counter >= 0;
	bool first = counter && (w->part ? reg->counter == 0 : !(w->met & (w->met - 1)));

	if (!may_have(class, w))
		return 0;
	switch (class->of) {
	case COUNTER_BIT:
		return counter || reg->shares ? reg->bits : 0;
	case CONTROL_BIT:
		return reg->cells || reg->shares ? 0 : reg->bits;
	case SHARE:
		return reg->shares ? reg->bits & UINT64_C(0x0101010101010101) : 0;
	case REGISTER:
		return reg->next != reg->reg.number;
	case COUNTER:
		return counter;
	case POWER:
		return counter ? class->bits : 0;
	case CARRY:
		return counter ? reg->bits >> 1 : 0;
	case CONDITION:
	case TWO_CONDITIONS:
		return counter ? conditions_of(w->profile, w->part) : 0;
	case CONDITION_OF_ALL:
		return first ? conditions_of(w->profile, w->part) : 0;
	case TURN: /* no register's, but they need a place */
		return w->index == 0 ? class->bits : 0;
	default: /* DELAY: the same */
		return w->index == 0 ? BIT(CLASS_DELAYS) - 1 : 0;
	}
}

/* ---- the one at which the walk is ---- */

/* Boxes have no interrupts. */
static const char *prefix_of(const struct generated_walk *w)
{
	return w->part ? "uncore_" : "";
}

const char *generated_group(const struct generated_walk *w)
{
	if (w->class >= GENERATED_RECORD_FROM)
		return generated_classes[w->class].of == TWO_CONDITIONS ? "triples" : "pairs";
	return w->class < GENERATED_RARE_LOST ? "simple" : "rare";
}

static void name_it(struct generated_walk *w, const struct fault_class *class, unsigned bit)
{
	const char *prefix = prefix_of(w), *what = class->name, *reg = w->reg.name;

	if (generated_is_pair(w)) {
		pair_name(w, class->name, class->says);
		return;
	}
	if (class->of == DELAY || class->of == TURN)
		fmt_print(w->name, sizeof(w->name), "%s-%u", what,
			  class->of == DELAY ? class_delays[bit] : bit);
	else if (class->of == REGISTER || class->of == COUNTER)
		fmt_print(w->name, sizeof(w->name), "%s%s-%s", prefix, what, reg);
	else
		fmt_print(w->name, sizeof(w->name), "%s%s-%s-%u", prefix, what, reg, bit);
	if (class->of == DELAY)
		fmt_print(w->says, sizeof(w->says), "%u %s", class_delays[bit], class->says);
	else if (class->of == TURN)
		fmt_print(w->says, sizeof(w->says), "%s %u", class->says, 1u << bit);
	else if (class->of == POWER)
		fmt_print(w->says, sizeof(w->says), "counter %s %s %u", reg, class->says,
			  1u << bit);
	else if (class->of == REGISTER || class->of == COUNTER)
		fmt_print(w->says, sizeof(w->says), "register %s: %s", reg, class->says);
	else
		fmt_print(w->says, sizeof(w->says), "bit %u of register %s %s", bit, reg,
			  class->says);
}

static const char *tests_of(const struct generated_walk *w, const struct fault_class *class)
{
	if (w->part && class->of >= POWER)
		return "*"; /* boxes have none of the groups that the core has */
	return (class->of == CONTROL_BIT || w->reg.shares) && w->reg.tests ? w->reg.tests
									   : class->tests;
}

/* How many events the tests of rare defects have to see; 0: they need not be many. */
static unsigned needs_events(const struct generated_walk *w, const struct fault_class *class,
			     unsigned bit)
{
	unsigned scarce = w->reg.scarce ? w->reg.scarce : 1;

	if (class->bits == RARE)
		return 6000u << bit; /* twice as many as the fault needs */
	if (class->bits == RARE_RECORDS)
		return 60000u << bit;
	return class->of == POWER ? (3u << bit) * scarce : 0;
}

static const char *more_tests_of(const struct generated_walk *w, const struct fault_class *class)
{
	return w->reg.more_tests && (!w->reg.cells || class->of == POWER) ? w->reg.more_tests : "";
}

static uint64_t arg_of(const struct generated_walk *w, const struct fault_class *class)
{
	if (generated_is_pair(w))
		return pair_arg(w);
	return class->of == REGISTER  ? w->reg.next
	       : class->of == COUNTER ? (unsigned)w->reg.counter
				      : w->one;
}

/* Starts and stops are by any register of the box.  Links have most traffic with two sockets. */
static struct defect defect_of(const struct generated_walk *w, const struct fault_class *class)
{
	struct defect d = class->defect;

	d.place = w->part ? w->reg.place + 1 : 0;
	d.sockets = generated_is_pair(w) || w->reg.remote & w->one ? 2 : 1;
	if (!d.kept && class->of != TURN)
		d.only = w->reg.reg;
	d.twist.clear &= w->one;
	d.twist.set &= w->one;
	d.twist.flip &= w->one;
	d.arg = arg_of(w, class);
	return d;
}

static void fill_in(struct generated_walk *w, uint64_t one)
{
	const struct fault_class *class = &generated_classes[w->class];
	unsigned bit = (unsigned)__builtin_ctzll(one);

	w->one = one;
	name_it(w, class, bit);
	if (generated_is_pair(w) && !w->part)
		pair_tests(w);
	else
		fmt_print(w->tests, sizeof(w->tests), "%s%s%s", more_tests_of(w, class), w->reg.box,
			  tests_of(w, class));
	w->fault = (struct fault){.name = w->name,
				  .models = w->profile->bit,
				  .test = w->tests,
				  .says = w->says,
				  .rare = needs_events(w, class, bit)};
	w->defect = defect_of(w, class);
	w->generated = (struct generated){
		.class = (enum generated_class)w->class,
		.counter = class->of == COUNTER ? (unsigned)w->reg.counter : 0,
		.delay = class->of == DELAY ? class_delays[bit] : 0,
	};
	if (is_of_interrupts(w->class))
		w->fault.generated = &w->generated;
	else if (w->part)
		w->fault.boxes = &w->defect;
	else
		w->fault.core = &w->defect;
}

/* ---- the walk ---- */

/* The healthy PMU of the core, to ask for its registers. */
static _Alignas(uint64_t) uint8_t healthy[CORE_PMU_STATE] LARGE;

void generated_begin(struct generated_walk *w, const struct profile *profile)
{
	*w = (struct generated_walk){.profile = profile, .index = ~0u};
	profile->pmus[0].ops->reset(healthy, profile->pmus[0].traits, NULL);
}

/* The rest of text, behind its beginning; NULL: text does not begin so. */
static const char *behind(const char *text, const char *beginning)
{
	size_t length = strlen(beginning);

	return strlen(text) >= length && !memcmp(text, beginning, length) ? text + length : NULL;
}

/* Does the class have a fault that is called so?  NULL: one of any name. */
static bool has_class(const struct generated_walk *w, const char *wanted)
{
	const char *rest = wanted ? behind(wanted, prefix_of(w)) : NULL;

	rest = rest ? behind(rest, generated_classes[w->class].name) : NULL;
	return !wanted || (rest && *rest == '-');
}

/* Does the register?  Names are made only where it may: there are thousands. */
static bool has_register(const struct generated_walk *w, const char *wanted)
{
	const struct fault_class *class = &generated_classes[w->class];
	size_t before = strlen(prefix_of(w)) + strlen(class->name) + 1;

	return !wanted || class->of == DELAY || class->of == TURN ||
	       class->of == CONDITION_OF_ALL || behind(wanted + before, w->reg.name);
}

/* Registers in each class, classes in each part. */
static bool next_register(struct generated_walk *w, const char *wanted)
{
	for (;;) {
		const struct kind_ops *ops = w->profile->pmus[w->part].ops;
		const void *traits = w->profile->pmus[w->part].traits;

		if (has_class(w, wanted) &&
		    ops->register_at(w->part ? traits : healthy, ++w->index, &w->reg)) {
			break;
		}
		w->index = ~0u;
		w->met = 0;
		if (++w->class < GENERATED_CLASSES)
			continue;
		w->class = 0;
		if (++w->part == PROFILE_PMUS || !w->profile->pmus[w->part].ops)
			return false;
	}
	if (w->part)
		return true;
	fmt_print(w->reg.name, sizeof(w->reg.name), "%x", w->reg.address);
	if (w->reg.cells) {
		w->again = w->met >> w->reg.counter & 1;
		w->met |= BIT(w->reg.counter);
	}
	return true;
}

static bool step(struct generated_walk *w, const char *wanted)
{
	uint64_t one;

	while (!w->left) {
		if (!next_register(w, wanted))
			return false;
		if (has_register(w, wanted))
			w->left = bits_of_class(w);
	}
	one = w->left & -w->left;
	w->left ^= one;
	fill_in(w, one);
	return true;
}

bool generated_next(struct generated_walk *w)
{
	return step(w, NULL);
}

const struct fault *generated_find(const struct profile *profile, const char *name)
{
	static struct generated_walk w;

	generated_begin(&w, profile);
	while (step(&w, name))
		if (!strcmp(w.name, name))
			return &w.fault;
	return NULL;
}
