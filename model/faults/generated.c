/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: which there are, and what they do. */
#include <stddef.h>

#include "faults.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

/* ---- which there are ---- */

enum { LOST_MOST = 10, NAME = 48, SAYS = 120 };

static const unsigned delays[] = {1, 10, 1000};

/* Counters that count nothing exactly have no test of "overflow". */
#define INTERRUPT_TESTS "*.overflow.*,*.ovf.*,*.fixed.interrupt"

/* The words of each class: one per bit of a register, per register, or per counter. */
static const struct class
{
	const char *name, *says, *tests;
	enum {
		PER_COUNTER_BIT,
		PER_CONTROL_BIT,
		PER_REGISTER,
		PER_DELAY,
		PER_COUNTER,
		PER_POWER
	} per;
} classes[GENERATED_CLASSES] = {
	[GENERATED_STUCK_0] = {"stuck_0", "is always 0", "*.access.*", PER_COUNTER_BIT},
	[GENERATED_STUCK_1] = {"stuck_1", "is always 1", "*.access.*", PER_COUNTER_BIT},
	[GENERATED_IGNORED] = {"ignored", "acts as 0", "*", PER_CONTROL_BIT},
	[GENERATED_INVERTED] = {"inverted", "acts as its opposite", "*", PER_CONTROL_BIT},
	[GENERATED_ALIASED] = {"aliased", "reaches the next of its kind", "*.access.*",
			       PER_REGISTER},
	[GENERATED_PMI_DROPPED] = {"pmi_dropped", "its interrupts get lost", INTERRUPT_TESTS,
				   PER_COUNTER},
	[GENERATED_PMI_DOUBLED] = {"pmi_doubled", "its interrupts come twice", INTERRUPT_TESTS,
				   PER_COUNTER},
	[GENERATED_PMI_DELAYED] = {"pmi_delayed", "instructions later come interrupts",
				   "*.overflow.*", PER_DELAY},
	[GENERATED_ONE_MORE_PER_START] = {"one_more_per_start", "counts one at each start", "*",
					  PER_COUNTER},
	[GENERATED_ONE_MORE_PER_STOP] = {"one_more_per_stop", "counts one at each stop", "*",
					 PER_COUNTER},
	[GENERATED_ONE_MORE_PER_OVERFLOW] = {"one_more_per_overflow", "counts one at each overflow",
					     "*", PER_COUNTER},
	[GENERATED_ONE_MORE_PER_INTERRUPT] = {"one_more_per_interrupt",
					      "counts one at each interrupt of its own", "*",
					      PER_COUNTER},
	[GENERATED_LOST] = {"lost", "loses one event in every", "*", PER_POWER},
};

/* The healthy PMU, to ask for its registers. */
static _Alignas(uint64_t) uint8_t healthy[CORE_PMU_STATE];
/* The fault that was looked for last. */
static struct fault found;
static struct generated made;
static char name[NAME], says[SAYS];
static const char *tests;

static unsigned bits_of(uint64_t value)
{
	unsigned bits = 0;

	for (; value; value &= value - 1)
		bits++;
	return bits;
}

static uint64_t bit_number(uint64_t bits, unsigned n)
{
	while (n--)
		bits &= bits - 1;
	return bits & -bits;
}

/* How many faults of the class does a register have? */
static unsigned faults_in(const struct class *class, const struct pmu_register *reg)
{
	bool is_counter = reg->counter >= 0 && reg->cells;

	switch (class->per) {
	case PER_COUNTER_BIT:
		return is_counter ? bits_of(reg->bits) : 0;
	case PER_CONTROL_BIT:
		return reg->cells ? 0 : bits_of(reg->bits);
	case PER_REGISTER:
		return reg->neighbour != reg->address;
	case PER_COUNTER:
		return is_counter;
	case PER_POWER:
		return is_counter ? LOST_MOST + 1 : 0;
	default:
		return 0;
	}
}

static void fill_in(const struct class *class, const struct pmu_register *reg, unsigned n)
{
	made = (struct generated){
		.class = (enum generated_class)(class - classes),
		.msr = reg->address,
		.neighbour = reg->neighbour,
		.counter = reg->counter,
	};
	tests = class->per == PER_CONTROL_BIT && reg->tests ? reg->tests : class->tests;
	switch (class->per) {
	case PER_COUNTER_BIT:
	case PER_CONTROL_BIT:
		made.bit = bit_number(reg->bits, n);
		fmt_print(name, NAME, "%s-%x-%u", class->name, reg->address,
			  (unsigned)__builtin_ctzll(made.bit));
		fmt_print(says, SAYS, "bit %u of register %x %s",
			  (unsigned)__builtin_ctzll(made.bit), reg->address, class->says);
		break;
	case PER_POWER:
		made.bit = BIT(n);
		fmt_print(name, NAME, "%s-%x-%u", class->name, reg->address, n);
		fmt_print(says, SAYS, "counter %x %s %llu", reg->address, class->says,
			  (unsigned long long)made.bit);
		break;
	default:
		fmt_print(name, NAME, "%s-%x", class->name, reg->address);
		fmt_print(says, SAYS, "register %x: %s", reg->address, class->says);
		break;
	}
}

static bool fill_in_delay(const struct class *class, unsigned n)
{
	if (class->per != PER_DELAY || n >= ARRAY_SIZE(delays))
		return false;
	made = (struct generated){.class = GENERATED_PMI_DELAYED, .counter = -1, .bit = delays[n]};
	tests = class->tests;
	fmt_print(name, NAME, "%s-%u", class->name, delays[n]);
	fmt_print(says, SAYS, "%u %s", delays[n], class->says);
	return true;
}

/* The n-th of a class, which *n is counted down by. */
static bool find_in_class(const struct class *class, const struct profile *profile, unsigned *n)
{
	struct pmu_register reg;

	for (unsigned i = 0; profile->pmus[0].ops->register_at(healthy, i, &reg); i++) {
		unsigned faults = faults_in(class, &reg);

		if (*n < faults) {
			fill_in(class, &reg, *n);
			return true;
		}
		*n -= faults;
	}
	if (fill_in_delay(class, *n))
		return true;
	*n -= class->per == PER_DELAY ? (unsigned)ARRAY_SIZE(delays) : 0;
	return false;
}

static bool take_of_class(const struct class *class, const struct profile *profile, unsigned *n,
			  struct fault *fault)
{
	if (!find_in_class(class, profile, n))
		return false;
	*fault = (struct fault){
		.name = name,
		.models = profile->bit,
		.test = tests,
		.says = says,
		.generated = &made,
	};
	return true;
}

bool generated_at(const struct profile *profile, unsigned index, struct fault *fault)
{
	const struct fault *uncore;

	profile->pmus[0].ops->reset(healthy, profile->pmus[0].traits, NULL);
	for (unsigned i = 0; i < GENERATED_CLASSES; i++)
		if (take_of_class(&classes[i], profile, &index, fault))
			return true;
	uncore = profile->pmus[1].ops ? generated_uncore_at(index) : NULL;
	if (uncore)
		*fault = *uncore;
	return uncore;
}

/* A name begins with that of its class; NULL: this one does not. */
static const struct class *class_of(const char *wanted)
{
	for (unsigned i = 0; i < GENERATED_CLASSES; i++) {
		size_t length = strlen(classes[i].name);

		if (strlen(wanted) > length && !memcmp(wanted, classes[i].name, length) &&
		    wanted[length] == '-')
			return &classes[i];
	}
	return NULL;
}

const struct fault *generated_find(const struct profile *profile, const char *wanted)
{
	const struct class *class = class_of(wanted);
	unsigned n = 0;

	if (!class)
		return profile->pmus[1].ops ? generated_uncore_find(wanted) : NULL;
	profile->pmus[0].ops->reset(healthy, profile->pmus[0].traits, NULL);
	for (unsigned i = 0; take_of_class(class, profile, &n, &found); n = ++i)
		if (strlen(name) == strlen(wanted) && !memcmp(name, wanted, strlen(name)))
			return &found;
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
