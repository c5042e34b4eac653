/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults of the uncore: a bit of a register, a register, or a counter, of one box. */
#include <stddef.h>

#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/faults/faults.h"
#include "model/uncore/snbep/hooks.h"

enum { NAME = 48, SAYS = 120, TESTS = 32, BOX_NAME = 8, LOST_MOST = 10 };

/* As GENERATED_* of the same names. */
enum class {
	STUCK_0,
	STUCK_1,
	IGNORED,
	INVERTED,
	ALIASED,
	ONE_MORE_PER_START,
	ONE_MORE_PER_STOP,
	ONE_MORE_PER_OVERFLOW,
	LOST,
	CLASSES
};
static const struct {
	const char *name, *says, *tests;
} classes[CLASSES] = {
	[STUCK_0] = {"uncore_stuck_0", "is always 0", "*.access.*"},
	[STUCK_1] = {"uncore_stuck_1", "is always 1", "*.access.*"},
	[IGNORED] = {"uncore_ignored", "acts as 0", "*"},
	[INVERTED] = {"uncore_inverted", "acts as its opposite", "*"},
	[ALIASED] = {"uncore_aliased", "reaches the next of its kind", "*.access.*"},
	[ONE_MORE_PER_START] = {"uncore_one_more_per_start", "counts one at each start", "*"},
	[ONE_MORE_PER_STOP] = {"uncore_one_more_per_stop", "counts one at each stop", "*"},
	[ONE_MORE_PER_OVERFLOW] = {"uncore_one_more_per_overflow", "counts one at each overflow",
				   "*"},
	[LOST] = {"uncore_lost", "loses one event in every", "*"},
};

static const char *const registers[] = {
	[UNCORE_CTR] = "ctr",
	[UNCORE_CTL] = "ctl",
	[UNCORE_FILTER] = "filter",
	[UNCORE_BOX_CTL] = "box_ctl",
	[UNCORE_FIXED_CTL] = "fixed_ctl",
	[UNCORE_FIXED_CTR] = "fixed_ctr",
};

static const char *const kinds[UNCORE_KINDS] = {
	[UNCORE_CBO] = "cbo",       [UNCORE_UBOX] = "ubox",   [UNCORE_PCU] = "pcu",
	[UNCORE_HA] = "ha",         [UNCORE_IMC] = "imc",     [UNCORE_QPI] = "qpi",
	[UNCORE_R2PCIE] = "r2pcie", [UNCORE_R3QPI] = "r3qpi",
};
/* The first of several; 0: there is one only, without a number. */
static const unsigned first[UNCORE_KINDS] = {
	[UNCORE_IMC] = BOX_IMC, [UNCORE_QPI] = BOX_QPI, [UNCORE_R3QPI] = BOX_R3QPI};

/* The fault that was looked for last, in both sockets. */
static struct {
	enum class class;
	enum uncore_register kind;
	unsigned box, number;
	uint64_t bit; /* of the register; LOST: events */
	uint64_t shadow; /* as the guest wrote the register */
	uint64_t events[UNCORE_SOCKETS]; /* counted since the last was lost */
	bool ran[UNCORE_SOCKETS];
} made;
static struct fault found;
static char name[NAME], says[SAYS], tests[TESTS];

/* ---- what they do ---- */

static bool hits(const struct uncore_box *box, enum uncore_register kind, unsigned number)
{
	return box->number == made.box && kind == made.kind && number == made.number;
}

/* Of the counter; all fixed ones are 48 bits wide. */
static uint64_t mask_of(const struct uncore_box *box)
{
	return made.kind == UNCORE_FIXED_CTR ? FIELD(47, 0) : uncore_counter_mask(box);
}

static uint64_t stuck(uint64_t value)
{
	if (made.class == STUCK_0)
		return value & ~made.bit;
	return made.class == STUCK_1 ? value | made.bit : value;
}

static void address(struct uncore *u, struct uncore_reg *reg)
{
	(void)u;
	if (made.class == ALIASED && hits(reg->box, reg->kind, reg->number))
		reg->number = (reg->number + 1) % reg->box->traits->counters;
}

static uint64_t keep(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (reg->box->number == made.box && reg->kind == UNCORE_BOX_CTL &&
	    made.kind == UNCORE_CTL && value & BOX_CTL_RST_CTRL)
		made.shadow = 0;
	if (!hits(reg->box, reg->kind, reg->number))
		return value;
	made.shadow = value;
	if (made.class == IGNORED)
		return value & ~made.bit;
	return made.class == INVERTED ? value ^ made.bit : stuck(value);
}

static uint64_t shown(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (!hits(reg->box, reg->kind, reg->number))
		return value;
	if (made.class == IGNORED || made.class == INVERTED)
		return (value & ~made.bit) | (made.shadow & made.bit);
	return stuck(value);
}

/* The events that are lost of so many more. */
static uint64_t lost(const struct uncore_box *box, uint64_t events)
{
	uint64_t *since = &made.events[box->socket], all = *since + events;

	*since = all % made.bit;
	return all / made.bit;
}

static uint64_t hold(const struct uncore_box *box, unsigned ctr, uint64_t old, uint64_t value)
{
	bool fixed = ctr == UNCORE_COUNTERS;

	if (!hits(box, fixed ? UNCORE_FIXED_CTR : UNCORE_CTR, fixed ? 0 : ctr))
		return value;
	if (made.class == LOST)
		return value - lost(box, (value - old) & mask_of(box));
	if (made.class == ONE_MORE_PER_OVERFLOW && value < old)
		return value + 1;
	return stuck(value);
}

/* A counter starts or stops by its own control register or that of the box. */
static void written(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	struct uncore_box *box = reg->box;
	bool fixed = made.kind == UNCORE_FIXED_CTR;
	uint64_t *cell = fixed ? &box->fixed : &box->ctr[made.number];
	bool runs, ran;

	(void)value;
	if (box->number != made.box || (made.kind != UNCORE_CTR && !fixed))
		return;
	ran = made.ran[box->socket];
	runs = uncore_runs(u, box, fixed ? UNCORE_COUNTERS : made.number);
	made.ran[box->socket] = runs;
	if ((made.class == ONE_MORE_PER_START && runs && !ran) ||
	    (made.class == ONE_MORE_PER_STOP && !runs && ran))
		*cell = (*cell + 1) & mask_of(box);
}

/* .sockets: as the fault needs it. */
static struct uncore_hooks hooks = {
	.address = address, .keep = keep, .shown = shown, .hold = hold, .written = written};

/* ---- which there are ---- */

/* Bits that start something are not held by the register, and left out. */
static uint64_t bits_of_control(const struct uncore_reg *reg)
{
	switch (reg->kind) {
	case UNCORE_CTL:
		return uncore_writable(reg) & ~CTL_RST;
	case UNCORE_BOX_CTL:
		return BOX_CTL_FRZ | BOX_CTL_FRZ_EN;
	case UNCORE_FIXED_CTL:
		return FIXED_CTL_EN;
	default:
		return uncore_writable(reg);
	}
}

/* One bit for each fault that the class has in the register. */
static uint64_t bits_of(enum class class, const struct uncore_reg *reg)
{
	bool counter = reg->kind == UNCORE_CTR || reg->kind == UNCORE_FIXED_CTR;

	if (!uncore_has(reg) || (reg->kind > UNCORE_FILTER && reg->number))
		return 0;
	switch (class) {
	case ALIASED:
		return reg->kind <= UNCORE_CTL;
	case IGNORED:
	case INVERTED:
		return counter ? 0 : bits_of_control(reg);
	case STUCK_0:
	case STUCK_1:
		return counter ? uncore_writable(reg) : 0;
	case LOST:
		return counter ? FIELD(LOST_MOST, 0) : 0;
	default:
		return counter;
	}
}

static void name_box(const struct uncore_box *box, char box_name[BOX_NAME])
{
	enum uncore_kind kind = box->traits->kind;

	if (kind == UNCORE_CBO || first[kind])
		fmt_print(box_name, BOX_NAME, "%s%u", kinds[kind], box->number - first[kind]);
	else
		fmt_print(box_name, BOX_NAME, "%s", kinds[kind]);
}

static void name_register(const char *box_name, char reg[NAME])
{
	if (made.kind <= UNCORE_FILTER)
		fmt_print(reg, NAME, "%s_%s%u", box_name, registers[made.kind], made.number);
	else
		fmt_print(reg, NAME, "%s_%s", box_name, registers[made.kind]);
}

static void name_fault(const char *reg)
{
	const char *class = classes[made.class].name, *what = classes[made.class].says;
	unsigned bit = (unsigned)__builtin_ctzll(made.bit);

	if (made.class >= ALIASED && made.class != LOST) {
		fmt_print(name, NAME, "%s-%s", class, reg);
		fmt_print(says, SAYS, "%s %s", reg, what);
		return;
	}
	fmt_print(name, NAME, "%s-%s-%u", class, reg, bit);
	if (made.class == LOST)
		fmt_print(says, SAYS, "%s %s %llu", reg, what, (unsigned long long)made.bit);
	else
		fmt_print(says, SAYS, "bit %u of %s %s", bit, reg, what);
}

static bool is_slice_filter(const struct uncore_box *box)
{
	return box->traits->kind == UNCORE_CBO && made.kind == UNCORE_FILTER;
}

/* What a link's counters count, and which packets. */
static bool is_link_control(const struct uncore_box *box)
{
	return box->traits->kind == UNCORE_QPI &&
	       (made.kind == UNCORE_CTL || made.kind == UNCORE_FILTER);
}

/* Of links and node numbers there is little to see without another socket. */
static unsigned sockets_for(const struct uncore_box *box)
{
	bool node = is_slice_filter(box) && made.bit & FILTER_NID;

	return node || is_link_control(box) ? 2 : 1;
}

/* Tests of all boxes of a kind run with the first one. */
static const char *first_tests(const struct uncore_box *box)
{
	if (box->traits->kind == UNCORE_IMC && made.kind == UNCORE_FIXED_CTR && made.class == LOST)
		return "imc0.*.count.fixed_matches,";
	if (is_slice_filter(box))
		return "cbo0.*.traffic.*,";
	return is_link_control(box) ? "qpi0.*.traffic.*," : "";
}

static void fill_in(const struct uncore_box *box)
{
	char box_name[BOX_NAME], reg[NAME];

	name_box(box, box_name);
	name_register(box_name, reg);
	name_fault(reg);
	fmt_print(tests, TESTS, "%s%s%s", first_tests(box), box_name, classes[made.class].tests);
	hooks.sockets = sockets_for(box);
	found = (struct fault){
		.name = name,
		.models = MODEL_SANDY_EP,
		.test = tests,
		.says = says,
		.uncore = &hooks,
	};
}

static bool find_in_register(const struct uncore_reg *reg, unsigned *n)
{
	for (uint64_t left = bits_of(made.class, reg); left; left &= left - 1)
		if (!(*n)--) {
			made.kind = reg->kind;
			made.number = reg->number;
			made.bit = left & -left;
			return true;
		}
	return false;
}

/* The n-th of a class in a box, which *n is counted down by. */
static const struct fault *find_in_box(enum class class, unsigned number, unsigned *n)
{
	struct uncore_box box = {.traits = uncore_traits_of(number), .number = number};

	made.class = class;
	made.box = number;
	made.shadow = 0;
	memset(made.events, 0, sizeof(made.events));
	memset(made.ran, 0, sizeof(made.ran));
	for (unsigned kind = UNCORE_CTR; kind <= UNCORE_FIXED_CTR; kind++)
		for (unsigned i = 0; i < UNCORE_COUNTERS; i++) {
			struct uncore_reg reg = {&box, (enum uncore_register)kind, i};

			if (find_in_register(&reg, n)) {
				fill_in(&box);
				return &found;
			}
		}
	return NULL;
}

const struct fault *generated_uncore_at(unsigned index)
{
	const struct fault *fault;

	for (unsigned class = 0; class < CLASSES; class ++)
		for (unsigned i = 0; i < UNCORE_BOXES; i++)
			if ((fault = find_in_box((enum class) class, i, &index)))
				return fault;
	return NULL;
}

/* What follows the prefix and the separator; NULL: text does not begin so. */
static const char *behind(const char *text, const char *prefix, char separator)
{
	size_t length = strlen(prefix);

	if (strlen(text) <= length || memcmp(text, prefix, length) || text[length] != separator)
		return NULL;
	return text + length + 1;
}

static const struct fault *find_named(enum class class, unsigned box, const char *wanted)
{
	const struct fault *fault;

	for (unsigned i = 0, n = 0; (fault = find_in_box(class, box, &n)); n = ++i)
		if (strlen(name) == strlen(wanted) && !memcmp(name, wanted, strlen(name)))
			return fault;
	return NULL;
}

/* Only where class and box are right are names made: there are thousands. */
const struct fault *generated_uncore_find(const char *wanted)
{
	const struct fault *fault = NULL;

	for (unsigned class = 0; class < CLASSES; class ++) {
		const char *rest = behind(wanted, classes[class].name, '-');

		for (unsigned i = 0; rest && !fault && i < UNCORE_BOXES; i++) {
			struct uncore_box box = {.traits = uncore_traits_of(i), .number = i};
			char box_name[BOX_NAME];

			name_box(&box, box_name);
			if (behind(rest, box_name, '_'))
				fault = find_named((enum class) class, i, wanted);
		}
	}
	return fault;
}
