/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: which there are, and what they do. */
#include "generated.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/faults/common/common.h"

/* ---- which there are ---- */

enum { LOST_MOST = 10 };

static const unsigned delays[] = {1, 10, 1000};

/* Counters that count nothing exactly have no test of "overflow". */
#define INTERRUPT_TESTS "*.overflow.*,*.ovf.*,*.fixed.interrupt"

#define STUCK(twist_)   .hold = twisted, .shown = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define ACTING(twist_)  .acts = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define AT_WRITES(do_)  .kept = notes_running, .written = do_
#define NO_HOOK         .arg = 0 /* it is between the PMU and the local APIC */

/* Of each class the words, and whose faults they are: one for each bit of a counter or of a control
 * register, for each register, for each counter, for each power of 2 of a counter's events; and the
 * defect, whose twist is of all bits. */
#define CLASS(class_, name_, of_, tests_, says_, ...)                                              \
	[GENERATED_##class_] = {name_, says_, tests_, of_, {__VA_ARGS__}}

static const struct class
{
	const char *name, *says, *tests;
	enum { COUNTER_BIT, CONTROL_BIT, REGISTER, COUNTER, POWER, DELAY } of;
	struct defect defect;
} classes[GENERATED_CLASSES] = {
	CLASS(STUCK_0, "stuck_0", COUNTER_BIT, "*.access.*", "is always 0", STUCK(clear)),
	CLASS(STUCK_1, "stuck_1", COUNTER_BIT, "*.access.*", "is always 1", STUCK(set)),
	CLASS(IGNORED, "ignored", CONTROL_BIT, "*", "acts as 0", ACTING(clear)),
	CLASS(INVERTED, "inverted", CONTROL_BIT, "*", "acts as its opposite", ACTING(flip)),
	CLASS(ALIASED, "aliased", REGISTER, "*.access.*", "reaches the next of its kind",
	      .address = answers_for),
	CLASS(PMI_DROPPED, "pmi_dropped", COUNTER, INTERRUPT_TESTS, "its interrupts get lost",
	      NO_HOOK),
	CLASS(PMI_DOUBLED, "pmi_doubled", COUNTER, INTERRUPT_TESTS, "its interrupts come twice",
	      NO_HOOK),
	CLASS(PMI_DELAYED, "pmi_delayed", DELAY, "*.overflow.*",
	      "instructions later come interrupts", NO_HOOK),
	CLASS(ONE_MORE_PER_START, "one_more_per_start", COUNTER, "*", "counts one at each start",
	      AT_WRITES(one_more_per_start)),
	CLASS(ONE_MORE_PER_STOP, "one_more_per_stop", COUNTER, "*", "counts one at each stop",
	      AT_WRITES(one_more_per_stop)),
	CLASS(ONE_MORE_PER_OVERFLOW, "one_more_per_overflow", COUNTER, "*",
	      "counts one at each overflow", .overflow = one_more_per_overflow),
	CLASS(ONE_MORE_PER_INTERRUPT, "one_more_per_interrupt", COUNTER, "*",
	      "counts one at each interrupt of its own", NO_HOOK),
	CLASS(LOST, "lost", POWER, "*", "loses one event in every", .increment = loses_one_in),
};

static bool is_of_interrupts(unsigned class)
{
	return class == GENERATED_PMI_DROPPED || class == GENERATED_PMI_DOUBLED ||
	       class == GENERATED_PMI_DELAYED || class == GENERATED_ONE_MORE_PER_INTERRUPT;
}

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

	if (is_of_interrupts(w->class) && w->part)
		return 0;
	switch (class->of) {
	case COUNTER_BIT:
		return counter ? reg->bits : 0;
	case CONTROL_BIT:
		return reg->cells ? 0 : reg->bits;
	case REGISTER:
		return reg->next != reg->reg.number;
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

static uint64_t arg_of(const struct generated_walk *w, const struct class *class)
{
	return class->of == REGISTER  ? w->reg.next
	       : class->of == COUNTER ? (unsigned)w->reg.counter
				      : w->one;
}

/* Starts and stops are by any register of the box. */
static struct defect defect_of(const struct generated_walk *w, const struct class *class)
{
	struct defect d = class->defect;

	d.boxes = w->part ? BIT(w->reg.place) : 0;
	d.sockets = w->reg.remote & w->one ? 2 : 1;
	if (!d.written)
		d.only = w->reg.reg;
	d.twist.clear &= w->one;
	d.twist.set &= w->one;
	d.twist.flip &= w->one;
	d.arg = arg_of(w, class);
	return d;
}

static void fill_in(struct generated_walk *w, uint64_t one)
{
	const struct class *class = &classes[w->class];
	unsigned bit = (unsigned)__builtin_ctzll(one);

	w->one = one;
	name_it(w, class, bit);
	fmt_print(w->tests, sizeof(w->tests), "%s%s%s", more_tests_of(w, class), w->reg.box,
		  tests_of(w, class));
	w->fault = (struct fault){
		.name = w->name, .models = w->profile->bit, .test = w->tests, .says = w->says};
	w->defect = defect_of(w, class);
	w->generated = (struct generated){
		.class = (enum generated_class)w->class,
		.counter = class->of == COUNTER ? (unsigned)w->reg.counter : 0,
		.delay = class->of == DELAY ? delays[bit] : 0,
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
		if (!strcmp(w.name, name))
			return &w.fault;
	return NULL;
}

/* ---- what they do to interrupts ---- */

static bool holds(const struct generated *g, const struct pmu_ops *ops, const void *pmu)
{
	return ops->held_by && (ops->held_by(pmu, 0) | ops->held_by(pmu, 1)) >> g->counter & 1;
}

unsigned generated_clock(const struct generated *g, const struct pmu_ops *ops, void *pmu,
			 const struct clock *clock)
{
	uint64_t *cell = ops->cell(pmu, g->counter), before = *cell;
	bool held = holds(g, ops, pmu), asked;
	unsigned requests = ops->clock(pmu, clock);

	asked = (*cell < before && requests) || (holds(g, ops, pmu) && !held);
	if (asked && g->class == GENERATED_ONE_MORE_PER_INTERRUPT)
		++*cell;
	if (asked && g->class == GENERATED_PMI_DROPPED)
		return 0;
	return asked && g->class == GENERATED_PMI_DOUBLED ? 2 : requests;
}

unsigned generated_delay(const struct generated *g)
{
	return g ? g->delay : 0;
}

uint32_t generated_held(const struct generated *g, uint32_t held)
{
	return g && g->class == GENERATED_PMI_DROPPED ? held & ~(UINT32_C(1) << g->counter) : held;
}
