/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: which there are, and what they do. */
#include "generated.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/faults/common/common.h"

/* ---- which there are ---- */

static const unsigned delays[] = {1, 10, 1000};

/* Counters that count nothing exactly have no test of "overflow". */
#define INTERRUPT_TESTS "*.overflow.*,*.ovf.*,*.fixed.interrupt"

#define STUCK(twist_)   .hold = twisted, .shown = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define ACTING(twist_)  .acts = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define AT_WRITES(do_)  .kept = notes_running, .written = do_
#define NO_HOOK         .arg = 0 /* it is between the PMU and the local APIC */

/* Classes: the words of each, and whose faults they are: one for each bit of a counter or of a
 * control register, for each register, for each counter, for each power of 2 (bits) of a counter's
 * events or of what all of the core do in turns; and the defect, whose twist is of all bits. */
#define CLASS(class_, name_, of_, tests_, says_, ...)                                              \
	[GENERATED_##class_] = {name_, says_, tests_, of_, 0, 0, {__VA_ARGS__}}
#define POWERS(class_, name_, of_, bits_, tests_, models_, says_, ...)                             \
	[GENERATED_##class_] = {name_, says_, tests_, of_, bits_, models_, {__VA_ARGS__}}
/* Powers of 2 of interrupts, and of records of PEBS: the longest window that the program takes has
 * as many as the highest bit. */
#define RARE         FIELD(14, 1)
#define RARE_RECORDS FIELD(10, 1)
/* Powers of 2 of records: branches come in hundreds, and a buffer of PEBS has no more than these.
 */
#define RECORDS(class_, name_, bits_, models_, tests_, says_, ...)                                 \
	POWERS(RECORD_##class_, "record_" name_, TURN, bits_, tests_, models_, says_, __VA_ARGS__)
#define WITH_BRANCHES ((MODEL_AMD & ~MODEL_K7) | MODEL_V2 | PAIR_YOUNG)
#define OF_BRANCHES(class_, name_, models_, says_, ...)                                            \
	RECORDS(class_, name_, FIELD(8, 0), models_, "*.lbr.*,*.pair.*,*.brs.*",                   \
		"branch records since a write: " says_, __VA_ARGS__,                               \
		.written = counts_records_anew)
#define OF_PEBS(class_, name_, says_, ...)                                                         \
	RECORDS(class_, name_, FIELD(4, 0), MODEL_V2 | MODEL_NETBURST | PAIR_YOUNG,                \
		"*.pebs.*,*.tag.pebs,*.rare.records", "records of PEBS since a write: " says_,     \
		__VA_ARGS__, .written = counts_records_anew)
/* The classes of an effect: on one counter, on all, and on one by two conditions. */
#define FORM(number_, name_, of_, says_)                                                           \
	[GENERATED_PAIRS + (number_)] = {name_, says_, "*", of_, 0, PAIR_MODELS, {PAIR_HOOKS}}
#define PAIR(effect_, name_, says_)                                                                \
	FORM(3 * (effect_), "pair_" name_, CONDITION, says_),                                      \
		FORM(3 * (effect_) + 1, "pair_" name_, CONDITION_OF_ALL, says_),                   \
		FORM(3 * (effect_) + 2, "triple_" name_, TWO_CONDITIONS, says_)

static hook notes_shares, shows_all, shows_written;

static const struct class
{
	const char *name, *says, *tests;
	enum {
		COUNTER_BIT, /* or of shares */
		CONTROL_BIT,
		SHARE, /* a byte of them */
		REGISTER,
		COUNTER,
		POWER,
		CARRY,
		DELAY,
		TURN,
		CONDITION,
		CONDITION_OF_ALL,
		TWO_CONDITIONS,
	} of;
	uint64_t bits;
	uint64_t models; /* whose cores have it; 0: all */
	struct defect defect;
} classes[GENERATED_CLASSES] = {
	CLASS(STUCK_0, "stuck_0", COUNTER_BIT, "*.access.*", "is always 0", STUCK(clear)),
	CLASS(STUCK_1, "stuck_1", COUNTER_BIT, "*.access.*", "is always 1", STUCK(set)),
	CLASS(IGNORED, "ignored", CONTROL_BIT, "*", "acts as 0", ACTING(clear)),
	CLASS(INVERTED, "inverted", CONTROL_BIT, "*", "acts as its opposite", ACTING(flip)),
	CLASS(SHARE_FULL, "share_full", SHARE, "*.metrics.*", "begins a share that is all",
	      .written = notes_shares, .shown = shows_all),
	CLASS(SHARE_STANDS, "share_stands", SHARE, "*.metrics.*",
	      "begins a share that keeps what was written", .written = notes_shares,
	      .shown = shows_written),
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
	POWERS(LOST, "lost", POWER, FIELD(10, 0), "*", 0, "loses one event in every",
	       .increment = loses_one_in),
	POWERS(RARE_LOST, "rare_lost", POWER, FIELD(20, 11), "*.rare.*", MODEL_ALL,
	       "loses one event in every", .increment = loses_one_in),
	POWERS(RARE_DOUBLED, "rare_doubled", POWER, FIELD(20, 0), "*.rare.*", MODEL_ALL,
	       "counts twice one event in every", .increment = gains_one_in),
	POWERS(RARE_CARRY, "rare_carry", CARRY, 0, "*.rare.*", MODEL_ALL,
	       "has no carry out of it while it counts", .hold = carries_not),
	POWERS(RARE_STOP, "rare_stop", POWER, FIELD(20, 0), "*.rare.*", MODEL_ALL,
	       "stops after events:", .increment = stops_after, .written = forgets),
	POWERS(RARE_PMI_LOST, "rare_pmi_lost", TURN, RARE, "*.rare.overflows", MODEL_ALL,
	       "interrupts of all counters: one is lost in every", .requests = loses_request_in),
	/* NetBurst holds a request until it is withdrawn: it comes once. */
	POWERS(RARE_PMI_DOUBLED, "rare_pmi_doubled", TURN, RARE, "*.rare.overflows",
	       MODEL_AMD | MODEL_INTEL, "interrupts of all counters: one comes twice in every",
	       .requests = doubles_request_in),
	POWERS(RARE_RELOAD, "rare_reload", TURN, RARE_RECORDS, "*.rare.records",
	       MODEL_V2 | MODEL_NETBURST,
	       "records of PEBS: 0 is put back, not the reset value, once in every",
	       .pebs = reloads_wrongly_in),
	POWERS(RARE_FREEZE, "rare_freeze", TURN, RARE, "*.rare.freezes", MODEL_V2,
	       "interrupts: nothing freezes once in every", .freeze = freezes_not_in),
	OF_BRANCHES(FROM, "from", WITH_BRANCHES, "bit 0 of where from is wrong in number",
		    .lbr = record_from_wrong),
	OF_BRANCHES(TO, "to", WITH_BRANCHES, "bit 0 of where to is wrong in number",
		    .lbr = record_to_wrong),
	OF_BRANCHES(LOST, "lost", MODEL_V2 | PAIR_YOUNG | MODEL_PERFMON_V2, "there is no number",
		    .branch = record_lost),
	OF_PEBS(PEBS_IP, "pebs_ip", "bit 20 of the address is wrong in number",
		.pebs = pebs_ip_wrong),
	OF_PEBS(PEBS_LOST, "pebs_lost", "there is no number", .pebs = pebs_lost),
	RECORDS(SAMPLE, "sample", FIELD(4, 0), MODEL_K10 | MODEL_PILEDRIVER | MODEL_ZEN_ON,
		"ibs_*.samples.*", "samples: bit 0 of the first word is wrong in one of",
		.sample = sample_wrong),
	PAIR(PAIR_DEAD, "dead", "counts nothing"),
	PAIR(PAIR_INVERTED, "inverted", "compares the other way round"),
	PAIR(PAIR_MORE, "one_more", "counts one more at its first event"),
	PAIR(PAIR_LESS, "one_less", "does not count its first event"),
	PAIR(PAIR_LATE_CLOCK, "late_clock", "counts what occurs a clock later"),
	PAIR(PAIR_LATE_EVENT, "late_event", "counts what occurs at the next event"),
	PAIR(PAIR_MUTE, "mute", "overflows without a word"),
};

/* A byte, which begins at bit arg, of shares that have gone on from what was written. */
static uint64_t share_of(const struct point *at)
{
	return at->value == *at->memory ? 0 : at->defect->arg * 0xff;
}

static void notes_shares(struct point *at)
{
	*at->memory = at->value;
}

static void shows_all(struct point *at)
{
	at->value |= share_of(at);
}

static void shows_written(struct point *at)
{
	const uint64_t share = share_of(at);

	at->value = (at->value & ~share) | (*at->memory & share);
}

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

const char *generated_group(const struct generated_walk *w)
{
	if (w->class >= GENERATED_RECORD_FROM)
		return classes[w->class].of == TWO_CONDITIONS ? "triples" : "pairs";
	return w->class < GENERATED_RARE_LOST ? "simple" : "rare";
}

/* Boxes have no interrupts, and what occurs in many clocks of theirs is counted at once. */
static bool may_have(const struct class *class, const struct generated_walk *w)
{
	if (w->reg.simple && w->class >= GENERATED_RARE_LOST)
		return false;
	if (w->part)
		return !is_of_interrupts(w->class) && class->of != TURN &&
		       (!generated_is_pair(w) || pair_effect(w) < PAIR_LATE_CLOCK);
	return !class->models || (class->models & w->profile->bit && !w->again);
}

/* One bit for each fault that the class has in the register. */
static uint64_t bits_of(const struct class *class, const struct generated_walk *w)
{
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
		return w->index == 0 ? BIT(ARRAY_SIZE(delays)) - 1 : 0;
	}
}

/* ---- the one at which the walk is ---- */

static void name_it(struct generated_walk *w, const struct class *class, unsigned bit)
{
	const char *prefix = prefix_of(w), *what = class->name, *reg = w->reg.name;

	if (generated_is_pair(w)) {
		pair_name(w, class->name, class->says);
		return;
	}
	if (class->of == DELAY || class->of == TURN)
		fmt_print(w->name, sizeof(w->name), "%s-%u", what,
			  class->of == DELAY ? delays[bit] : bit);
	else if (class->of == REGISTER || class->of == COUNTER)
		fmt_print(w->name, sizeof(w->name), "%s%s-%s", prefix, what, reg);
	else
		fmt_print(w->name, sizeof(w->name), "%s%s-%s-%u", prefix, what, reg, bit);
	if (class->of == DELAY)
		fmt_print(w->says, sizeof(w->says), "%u %s", delays[bit], class->says);
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

static const char *tests_of(const struct generated_walk *w, const struct class *class)
{
	if (w->part && class->of >= POWER)
		return "*"; /* boxes have none of the groups that the core has */
	return (class->of == CONTROL_BIT || w->reg.shares) && w->reg.tests ? w->reg.tests
									   : class->tests;
}

/* How many events the tests of rare defects have to see; 0: they need not be many. */
static unsigned needs_events(const struct generated_walk *w, const struct class *class,
			     unsigned bit)
{
	unsigned scarce = w->reg.scarce ? w->reg.scarce : 1;

	if (class->bits == RARE)
		return 6000u << bit; /* twice as many as the fault needs */
	if (class->bits == RARE_RECORDS)
		return 60000u << bit;
	return class->of == POWER ? (3u << bit) * scarce : 0;
}

static const char *more_tests_of(const struct generated_walk *w, const struct class *class)
{
	return w->reg.more_tests && (!w->reg.cells || class->of == POWER) ? w->reg.more_tests : "";
}

static uint64_t arg_of(const struct generated_walk *w, const struct class *class)
{
	if (generated_is_pair(w))
		return pair_arg(w);
	return class->of == REGISTER  ? w->reg.next
	       : class->of == COUNTER ? (unsigned)w->reg.counter
				      : w->one;
}

/* Starts and stops are by any register of the box.  Links have most traffic with two sockets. */
static struct defect defect_of(const struct generated_walk *w, const struct class *class)
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
	const struct class *class = &classes[w->class];
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

	rest = rest ? behind(rest, classes[w->class].name) : NULL;
	return !wanted || (rest && *rest == '-');
}

/* Does the register?  Names are made only where it may: there are thousands. */
static bool has_register(const struct generated_walk *w, const char *wanted)
{
	const struct class *class = &classes[w->class];
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
