/* SPDX-License-Identifier: BSD-2-Clause */
/* Errata: which part, and which of its counters, has them, by their effects and their counts. */
#include "check/unit/tap.h"
#include "kernel/lib/bits.h"
#include "pmu/pmu.h"

/* The same effect by one erratum of two ranges of parts and by another one of some counters; and
 * another effect in the midst of them. */
static const struct pmu_erratum errata[] = {
	{"AB1, AB12", "x", 3, 5, .tests = "*", .effect = OPENS_LATE},
	{"AB1, AB12", "x", 9, 9, .tests = "*", .effect = OPENS_LATE},
	{"AB2", "x", 5, 7, .tests = "*", .effect = SELECT_MISREADS, .counters = BIT(1) | BIT(32)},
	{"AB3", "x", 7, 7, .tests = "*", .effect = SELECT_MISREADS, .counters = BIT(2)},
	{"AB4", "x", 8, 8, .tests = "*"},
	{0}};
static const struct pmu_ops ops = {.errata = errata}, none;
static const struct pmu_counter counters[] = {
	{.global_bit = 0}, {.global_bit = 1}, {.global_bit = 2}, {.global_bit = 32}};

static struct pmu pmu_of(uint32_t revision)
{
	return (struct pmu){.ops = &ops, .counter = counters, .revision = revision};
}

static const char *by(const struct pmu_erratum *erratum)
{
	return erratum ? erratum->id : "none";
}

static const char *effect_of(uint32_t revision, enum pmu_effect effect)
{
	const struct pmu of = pmu_of(revision);

	return by(pmu_effect(&of, effect));
}

static const char *effect_on(uint32_t revision, enum pmu_effect effect, unsigned ctr)
{
	const struct pmu of = pmu_of(revision);

	return by(pmu_effect_on(&of, effect, ctr));
}

/* On the parts that have it, and by the erratum that these have. */
static void test_effects(void)
{
	struct pmu of = pmu_of(4);

	SAME(effect_of(3, OPENS_LATE), "AB1, AB12");
	SAME(effect_of(9, OPENS_LATE), "AB1, AB12");
	SAME(effect_of(2, OPENS_LATE), "none");
	SAME(effect_of(6, OPENS_LATE), "none");
	SAME(effect_of(5, OPENS_LATE), "AB1, AB12");
	SAME(effect_of(5, SELECT_MISREADS), "AB2");
	SAME(effect_of(4, SELECT_MISREADS), "none");
	SAME(effect_of(8, OPENS_LATE), "none");
	of.ops = &none;
	OK(!pmu_effect(&of, OPENS_LATE));
}

/* Errata of all counters, or of some: each of two has its own. */
static void test_counters(void)
{
	SAME(effect_on(5, OPENS_LATE, 3), "AB1, AB12");
	SAME(effect_on(7, SELECT_MISREADS, 0), "none");
	SAME(effect_on(7, SELECT_MISREADS, 1), "AB2");
	SAME(effect_on(7, SELECT_MISREADS, 2), "AB3");
	SAME(effect_on(5, SELECT_MISREADS, 2), "none");
	SAME(effect_on(7, SELECT_MISREADS, 3), "AB2");
}

/* Overcounts are of the parts that have an erratum of that name, if one of the events is its own.
 */
static void test_overcounts(void)
{
	static const uint16_t codes[] = {0xc0, 0x1c7, 0};
	static const struct pmu_event tells = {.name = "witness"};
	static const struct pmu_overcount overcounts[] = {{"AB", codes, NULL, 2},
							  {"B1", codes, NULL, 2},
							  {"AB1, AB12", codes, NULL, 2},
							  {"", codes, NULL, 2},
							  {"AB2", codes, NULL, 1},
							  {"AB12", codes, &tells, 0},
							  {0}};
	static const struct pmu_ops of = {.errata = errata, .overcounts = overcounts};
	static const struct pmu_event all[EV_OWN + 1] = {
		[EV_CYCLES] = {.name = "clocks", .code = 0x76},
		[EV_INSTRUCTIONS] = {.name = "instructions", .code = 0xc0},
		[EV_OWN] = {.name = "own", .code = 0x1c7},
	};
	const uint64_t one = BIT(EV_INSTRUCTIONS), both = one | BIT(EV_OWN);
	struct pmu has = {.ops = &of, .events = all, .revision = 4};

	OK(pmu_overcount(&has, one) == &overcounts[5] && pmu_witness(&has) == &tells);
	OK(pmu_overcount(&has, both) == &overcounts[5]);
	OK(pmu_overcount(&has, one | BIT(EV_CYCLES)) == &overcounts[5]);
	OK(!pmu_overcount(&has, 0) && !pmu_overcount(&has, BIT(EV_CYCLES) | BIT(EV_NONE)));
	has.revision = 7;
	OK(pmu_overcount(&has, one) == &overcounts[4] && !pmu_witness(&has));
	OK(pmu_overcount(&has, one | BIT(EV_CYCLES) | BIT(EV_NONE)) == &overcounts[4]);
	OK(!pmu_overcount(&has, BIT(EV_CYCLES) | BIT(EV_NONE)) && !pmu_overcount(&has, 0));
	has.revision = 2;
	OK(!pmu_overcount(&has, one) && !pmu_witness(&has));
}

int main(void)
{
	test_effects();
	test_counters();
	test_overcounts();
	return tap_end();
}
