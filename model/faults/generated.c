/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: which there are, and what they do. */
#include "generated.h"

#include <stddef.h>

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

/* ---- which there are ---- */

enum { LOST_MOST = 10 };

static const unsigned delays[] = {1, 10, 1000};

/* Counters that count nothing exactly have no test of "overflow". */
#define INTERRUPT_TESTS "*.overflow.*,*.ovf.*,*.fixed.interrupt"

/* Of each class the words, and whose faults they are: one for each bit of a counter or of a control
 * register, for each register, for each counter, for each power of 2 of a counter's events. */
static const struct class
{
	const char *name, *says, *tests;
	enum { COUNTER_BIT, CONTROL_BIT, REGISTER, COUNTER, POWER, DELAY } of;
	bool interrupts; /* only where there are any */
} classes[GENERATED_CLASSES] = {
	[GENERATED_STUCK_0] = {"stuck_0", "is always 0", "*.access.*", COUNTER_BIT, false},
	[GENERATED_STUCK_1] = {"stuck_1", "is always 1", "*.access.*", COUNTER_BIT, false},
	[GENERATED_IGNORED] = {"ignored", "acts as 0", "*", CONTROL_BIT, false},
	[GENERATED_INVERTED] = {"inverted", "acts as its opposite", "*", CONTROL_BIT, false},
	[GENERATED_ALIASED] = {"aliased", "reaches the next of its kind", "*.access.*", REGISTER,
			       false},
	[GENERATED_PMI_DROPPED] = {"pmi_dropped", "its interrupts get lost", INTERRUPT_TESTS,
				   COUNTER, true},
	[GENERATED_PMI_DOUBLED] = {"pmi_doubled", "its interrupts come twice", INTERRUPT_TESTS,
				   COUNTER, true},
	[GENERATED_PMI_DELAYED] = {"pmi_delayed", "instructions later come interrupts",
				   "*.overflow.*", DELAY, true},
	[GENERATED_ONE_MORE_PER_START] = {"one_more_per_start", "counts one at each start", "*",
					  COUNTER, false},
	[GENERATED_ONE_MORE_PER_STOP] = {"one_more_per_stop", "counts one at each stop", "*",
					 COUNTER, false},
	[GENERATED_ONE_MORE_PER_OVERFLOW] = {"one_more_per_overflow", "counts one at each overflow",
					     "*", COUNTER, false},
	[GENERATED_ONE_MORE_PER_INTERRUPT] = {"one_more_per_interrupt",
					      "counts one at each interrupt of its own", "*",
					      COUNTER, true},
	[GENERATED_LOST] = {"lost", "loses one event in every", "*", POWER, false},
};

/* Boxes have no interrupts. */
static const char *prefix_of(const struct generated_walk *w)
{
	return w->part ? "uncore_" : "";
}

/* One bit for each fault that the class has in the register. */
static uint64_t bits_of(const struct class *class, const struct generated_walk *w)
{
	const struct pmu_register *reg = &w->reg;
	bool counter = reg->cells && reg->counter >= 0;

	if (class->interrupts && w->part)
		return 0;
	switch (class->of) {
	case COUNTER_BIT:
		return counter ? reg->bits : 0;
	case CONTROL_BIT:
		return reg->cells ? 0 : reg->bits;
	case REGISTER:
		return reg->neighbour != reg->address;
	case COUNTER:
		return counter;
	case POWER:
		return counter ? FIELD(LOST_MOST, 0) : 0;
	default: /* DELAY: no register's, but they need a place */
		return w->index == 0 ? BIT(ARRAY_SIZE(delays)) - 1 : 0;
	}
}

/* ---- the one at which the walk is ---- */

static void name_it(struct generated_walk *w, const struct class *class, unsigned bit)
{
	const char *prefix = prefix_of(w), *what = class->name, *reg = w->reg.name;

	if (class->of == DELAY)
		fmt_print(w->name, sizeof(w->name), "%s-%u", what, delays[bit]);
	else if (class->of == REGISTER || class->of == COUNTER)
		fmt_print(w->name, sizeof(w->name), "%s%s-%s", prefix, what, reg);
	else
		fmt_print(w->name, sizeof(w->name), "%s%s-%s-%u", prefix, what, reg, bit);
	if (class->of == DELAY)
		fmt_print(w->says, sizeof(w->says), "%u %s", delays[bit], class->says);
	else if (class->of == POWER)
		fmt_print(w->says, sizeof(w->says), "counter %s %s %u", reg, class->says,
			  1u << bit);
	else if (class->of == REGISTER || class->of == COUNTER)
		fmt_print(w->says, sizeof(w->says), "register %s: %s", reg, class->says);
	else
		fmt_print(w->says, sizeof(w->says), "bit %u of register %s %s", bit, reg,
			  class->says);
}

static const char *tests_of(const struct generated_walk *w, const struct class *class)
{
	return class->of == CONTROL_BIT && w->reg.tests ? w->reg.tests : class->tests;
}

static const char *more_tests_of(const struct generated_walk *w, const struct class *class)
{
	return w->reg.more_tests && (!w->reg.cells || class->of == POWER) ? w->reg.more_tests : "";
}

static void fill_in(struct generated_walk *w, uint64_t one)
{
	const struct class *class = &classes[w->class];
	const struct profile *profile = w->profile;
	unsigned bit = (unsigned)__builtin_ctzll(one);

	name_it(w, class, bit);
	fmt_print(w->tests, sizeof(w->tests), "%s%s%s", more_tests_of(w, class), w->reg.box,
		  tests_of(w, class));
	w->generated = (struct generated){
		.class = (enum generated_class)w->class,
		.msr = w->reg.address,
		.neighbour = w->reg.neighbour,
		.counter = class->of == DELAY ? -1 : w->reg.counter,
		.bit = class->of == DELAY ? delays[bit] : one,
	};
	w->fault = (struct fault){
		.name = w->name, .models = profile->bit, .test = w->tests, .says = w->says};
	if (w->part)
		w->fault.uncore = generated_uncore(&w->generated, w->reg.remote & one ? 2 : 1);
	else
		w->fault.generated = &w->generated;
}

/* ---- the walk ---- */

/* The healthy PMU of the core, to ask for its registers. */
static _Alignas(uint64_t) uint8_t healthy[CORE_PMU_STATE];

void generated_begin(struct generated_walk *w, const struct profile *profile)
{
	*w = (struct generated_walk){.profile = profile, .index = ~0u};
	profile->pmus[0].ops->reset(healthy, profile->pmus[0].traits, NULL);
}

/* What follows the beginning; NULL: text does not begin so. */
static const char *behind(const char *text, const char *beginning)
{
	size_t length = strlen(beginning);

	return strlen(text) >= length && !memcmp(text, beginning, length) ? text + length : NULL;
}

/* Does the class have a fault that is called so?  NULL: one of any name. */
static bool has_class(const struct generated_walk *w, const char *wanted)
{
	const char *rest = wanted ? behind(wanted, prefix_of(w)) : NULL;

	rest = rest ? behind(rest, classes[w->class].name) : NULL;
	return !wanted || (rest && *rest == '-');
}

/* Does the register?  Names are made only where it may: there are thousands. */
static bool has_register(const struct generated_walk *w, const char *wanted)
{
	const struct class *class = &classes[w->class];
	size_t before = strlen(prefix_of(w)) + strlen(class->name) + 1;

	return !wanted || class->of == DELAY || behind(wanted + before, w->reg.name);
}

/* Registers in each class, classes in each part. */
static bool next_register(struct generated_walk *w, const char *wanted)
{
	for (;;) {
		const struct pmu_ops *ops = w->profile->pmus[w->part].ops;

		if (has_class(w, wanted) &&
		    ops->register_at(w->part ? NULL : healthy, ++w->index, &w->reg))
			break;
		w->index = ~0u;
		if (++w->class < GENERATED_CLASSES)
			continue;
		w->class = 0;
		if (++w->part == PROFILE_PMUS || !w->profile->pmus[w->part].ops)
			return false;
	}
	if (!w->part)
		fmt_print(w->reg.name, sizeof(w->reg.name), "%x", w->reg.address);
	return true;
}

static bool step(struct generated_walk *w, const char *wanted)
{
	uint64_t one;

	while (!w->left) {
		if (!next_register(w, wanted))
			return false;
		if (has_register(w, wanted))
			w->left = bits_of(&classes[w->class], w);
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
		if (strlen(w.name) == strlen(name) && !memcmp(w.name, name, strlen(name)))
			return &w.fault;
	return NULL;
}

/* ---- what they do to registers ---- */

static bool twists(const struct generated *g, uint32_t msr)
{
	return g && g->msr == msr &&
	       (g->class == GENERATED_IGNORED || g->class == GENERATED_INVERTED);
}

uint32_t generated_address(const struct generated *g, uint32_t msr)
{
	return g && g->class == GENERATED_ALIASED && g->msr == msr ? g->neighbour : msr;
}

uint64_t generated_read(const struct generated *g, uint32_t msr, uint64_t value)
{
	return twists(g, msr) ? (value & ~g->bit) | (g->shadow & g->bit) : value;
}

uint64_t generated_write(struct generated *g, uint32_t msr, uint64_t value)
{
	if (!twists(g, msr))
		return value;
	g->shadow = value;
	return g->class == GENERATED_IGNORED ? value & ~g->bit : value ^ g->bit;
}

/* ---- what they do to counters ---- */

static bool holds(const struct generated *g, const struct pmu_ops *ops, const void *pmu)
{
	return ops->held_by && (ops->held_by(pmu, 0) | ops->held_by(pmu, 1)) >> g->counter & 1;
}

void generated_before(struct generated *g, const struct pmu_ops *ops, void *pmu)
{
	if (!g || g->counter < 0)
		return;
	g->before = *ops->cell(pmu, (unsigned)g->counter);
	g->ran = ops->enabled(pmu, (unsigned)g->counter);
	g->held = holds(g, ops, pmu);
}

static void hold(const struct generated *g, uint64_t *cell)
{
	if (g->class == GENERATED_STUCK_0)
		*cell &= ~g->bit;
	else if (g->class == GENERATED_STUCK_1)
		*cell |= g->bit;
}

void generated_written(struct generated *g, const struct pmu_ops *ops, void *pmu)
{
	uint64_t *cell;
	bool runs;

	if (!g || g->counter < 0)
		return;
	cell = ops->cell(pmu, (unsigned)g->counter);
	runs = ops->enabled(pmu, (unsigned)g->counter);
	hold(g, cell);
	if ((g->class == GENERATED_ONE_MORE_PER_START && runs && !g->ran) ||
	    (g->class == GENERATED_ONE_MORE_PER_STOP && !runs && g->ran))
		++*cell;
}

static void lose(struct generated *g, uint64_t *cell)
{
	g->events += *cell - g->before;
	if (g->events < g->bit)
		return;
	g->events -= g->bit;
	--*cell;
}

/* After a clock in which the PMU made requests: how many there are. */
static unsigned after_clock(struct generated *g, const struct pmu_ops *ops, void *pmu,
			    unsigned requests)
{
	uint64_t *cell;
	bool overflowed, asked;

	if (g->counter < 0)
		return requests;
	cell = ops->cell(pmu, (unsigned)g->counter);
	overflowed = *cell < g->before;
	asked = (overflowed && requests) || (holds(g, ops, pmu) && !g->held);
	if (g->class == GENERATED_LOST && *cell > g->before)
		lose(g, cell);
	if ((g->class == GENERATED_ONE_MORE_PER_OVERFLOW && overflowed) ||
	    (g->class == GENERATED_ONE_MORE_PER_INTERRUPT && asked))
		++*cell;
	hold(g, cell);
	if (asked && g->class == GENERATED_PMI_DROPPED)
		return 0;
	return asked && g->class == GENERATED_PMI_DOUBLED ? 2 : requests;
}

unsigned generated_clock(struct generated *g, const struct pmu_ops *ops, void *pmu,
			 const struct clock *clock)
{
	generated_before(g, ops, pmu);
	return after_clock(g, ops, pmu, ops->clock(pmu, clock));
}

unsigned generated_delay(const struct generated *g)
{
	return g && g->class == GENERATED_PMI_DELAYED ? (unsigned)g->bit : 0;
}

uint32_t generated_held(const struct generated *g, uint32_t held)
{
	return g && g->class == GENERATED_PMI_DROPPED ? held & ~(UINT32_C(1) << g->counter) : held;
}
