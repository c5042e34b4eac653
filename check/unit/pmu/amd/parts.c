/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts, and what is expected of each: counters that count some events alone, and parts that no
 * list knows. */
#include "check/unit/pmu/find.h"
#include "check/unit/tap.h"
#include "kernel/lib/bits.h"
#include "pmu/amd/amd.h"

/* ---- counters ---- */

/* Family 15h, from "PERF_CTL[2:0]" and the like beside each event in BKDG 42301, and from Linux,
 * amd_get_event_constraints_f15h(). */
static const struct {
	uint16_t code;
	uint8_t counters; /* 0: all six */
} published[] = {
	{0x000, 0x08}, {0x001, 0x38}, {0x003, 0x08}, {0x004, 0x08}, {0x005, 0x38}, {0x00b, 0x08},
	{0x00c, 0x38}, {0x00d, 0x08}, {0x01f, 0x38}, {0x020, 0x00}, {0x023, 0x07}, {0x02b, 0x00},
	{0x02d, 0x08}, {0x02e, 0x09}, {0x02f, 0x00}, {0x031, 0x07}, {0x040, 0x00}, {0x043, 0x07},
	{0x044, 0x00}, {0x045, 0x07}, {0x046, 0x07}, {0x047, 0x00}, {0x054, 0x07}, {0x055, 0x07},
	{0x05f, 0x00}, {0x060, 0x07}, {0x076, 0x07}, {0x07e, 0x07}, {0x07f, 0x07}, {0x080, 0x07},
	{0x08f, 0x01}, {0x09f, 0x07}, {0x0c0, 0x00}, {0x0c4, 0x00}, {0x0cb, 0x00}, {0x0cf, 0x00},
	{0x0d0, 0x07}, {0x0da, 0x07}, {0x0db, 0x3f}, {0x0df, 0x3f}, {0x187, 0x01}, {0x188, 0x01},
	{0x16c, 0x07}, {0x18a, 0x07}, {0x1c0, 0x38}, {0x1cf, 0x00}, {0x1d6, 0x3f}, {0x1d8, 0x3f},
	{0x1d7, 0x07},
};

static void test_counters(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(published); i++) {
		uint32_t got = amd_counters_of(AMD_BULLDOZER, published[i].code);

		if (!OK(got == published[i].counters))
			printf("#   event %03x: %x\n", published[i].code, got);
		OK(!amd_counters_of(AMD_K8, published[i].code));
		OK(!amd_counters_of(AMD_ZEN5, published[i].code));
	}
}

/* Clocks alone are bound to some counters, of the events that tests use. */
static void test_clocks(void)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	amd_events(amd_part(0x15, 0x02), AMD_EXTENDED_COUNTERS, events);
	OK(events[EV_CYCLES].counters == 0x07);
	for (unsigned e = EV_CYCLES + 1; e < PMU_EVENTS_MAX; e++)
		OK(!events[e].counters);
}

/* A hypervisor may show fewer counters than the part has. */
static void test_fewer_counters(void)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	amd_events(AMD_BULLDOZER, 1, events);
	OK(events[EV_CYCLES].name && events[EV_CYCLES].counters == BIT(0));
}

/* ---- parts ---- */

static const struct {
	unsigned first, last; /* models of family 1Ah */
	enum amd_part part;
} family_1a[] = {
	{0x00, 0x2f, AMD_ZEN5}, {0x40, 0x4f, AMD_ZEN5}, {0x60, 0x7f, AMD_ZEN5},
	{0x50, 0x5f, AMD_ZEN6}, {0x80, 0xaf, AMD_ZEN6}, {0xc0, 0xcf, AMD_ZEN6},
};

static bool is_listed(unsigned family, unsigned model)
{
	for (size_t i = 0; i < ARRAY_SIZE(family_1a); i++)
		if (family == 0x1a && model >= family_1a[i].first && model <= family_1a[i].last)
			return true;
	return false;
}

static void test_listed(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(family_1a); i++)
		for (unsigned model = family_1a[i].first; model <= family_1a[i].last; model++)
			OK(amd_part(0x1a, model) == family_1a[i].part);
}

/* How much a test that uses the event expects of it. */
static unsigned strictness(const struct pmu_event *event)
{
	static const unsigned of[] = {[PMU_UNCERTAIN] = 0, [PMU_AT_LEAST] = 1, [PMU_EXACT] = 2};

	return event->name ? of[event->why->accuracy] : 0;
}

static bool is_bounded_by(const struct pmu_event *event, const struct pmu_event *sister)
{
	return strictness(event) <= strictness(sister) &&
	       (!strictness(event) ||
		(event->code == sister->code && event->unit_mask == sister->unit_mask)) &&
	       (!event->max_per_clock || event->max_per_clock == sister->max_per_clock);
}

static bool is_no_stricter(enum amd_part part, enum amd_part sister)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0}, sisters[PMU_EVENTS_MAX] = {0};
	bool lenient = true;

	amd_events(part, AMD_EXTENDED_COUNTERS, events);
	amd_events(sister, AMD_EXTENDED_COUNTERS, sisters);
	for (unsigned e = EV_CYCLES; e < PMU_EVENTS_MAX; e++)
		if (events[e].name &&
		    !is_bounded_by(&events[e], find_event(sisters, events[e].name))) {
			printf("#   %s\n", events[e].name);
			lenient = false;
		}
	return lenient;
}

/* Parts that no list knows, against each that one does. */
static void test_unlisted(void)
{
	for (unsigned family = 0x1a; family < 0x30; family++)
		for (unsigned model = 0; model < 0x100; model++)
			for (size_t i = 0; !is_listed(family, model) && i < ARRAY_SIZE(family_1a);
			     i++)
				if (!is_no_stricter(amd_part(family, model), family_1a[i].part))
					OK(!"stricter than its sister");
	OK(!is_no_stricter(AMD_ZEN5, AMD_ZEN6));
	OK(is_no_stricter(AMD_ZEN6, AMD_ZEN5));
}

/* Event 0CBh alone is uncertain on Zen 6. */
static void test_zen6(void)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};
	unsigned uncertain = 0;

	amd_events(AMD_ZEN6, AMD_EXTENDED_COUNTERS, events);
	for (unsigned e = EV_CYCLES; e < PMU_EVENTS_MAX; e++) {
		if (!events[e].name)
			continue;
		OK((events[e].code == 0x0cb) == !strictness(&events[e]));
		uncertain += !strictness(&events[e]);
	}
	OK(uncertain == 4);
}

int main(void)
{
	test_counters();
	test_clocks();
	test_fewer_counters();
	test_listed();
	test_unlisted();
	test_zen6();
	return tap_end();
}
