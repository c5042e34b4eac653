/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: each has a name of its own, and those of the uncore do what they say. */
#include <string.h>

#include "check/unit/model/uncore/snbep/bench.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

/* MSRs of CBo 0. */
enum { BOX_CTL = 0xd04, CTL0 = 0xd10, CTL1 = 0xd11, CTR0 = 0xd16, CTR1 = 0xd17, CBO2_CTR1 = 0xd57 };
enum { EN = 1 << 22, CLOCKS = 1000, STEP = 211 };

static const struct fault *find(const char *name)
{
	return generated_find(profile_find("sandybridge-ep"), name);
}

static void begin_generated(const char *name)
{
	struct boxes_config config = {.sockets = 1, .tsc_hz = TSC_HZ, .tsc = 1000};

	uncore_reset(&uncore, find(name));
	uncore_configure(&uncore, &config);
}

static void test_stuck(void)
{
	begin_generated("uncore_stuck_1-cbo2_ctr1-5");
	wr(CBO2_CTR1, 0);
	wr(CTR1, 0);
	OK(rd(CBO2_CTR1) == 0x20);
	OK(rd(CTR1) == 0);
	begin_generated("uncore_stuck_0-cbo0_ctr0-0");
	wr(CTR0, 3);
	OK(rd(CTR0) == 2);
}

/* What counts is the event of number 0: clocks. */
static void test_controls(void)
{
	begin_generated("uncore_ignored-cbo0_ctl0-22");
	wr(CTL0, EN);
	pass(CLOCKS);
	OK(rd(CTL0) == EN);
	OK(rd(CTR0) == 0);
	begin_generated("uncore_inverted-cbo0_ctl0-22");
	wr(CTL0, 0);
	pass(CLOCKS);
	OK(rd(CTL0) == 0);
	OK(rd(CTR0) == CLOCKS);
	wr(CTL0, EN);
	pass(CLOCKS);
	OK(rd(CTR0) == CLOCKS);
}

static void test_aliased(void)
{
	begin_generated("uncore_aliased-cbo0_ctr0");
	wr(CTR0, 7);
	OK(rd(CTR1) == 7);
	wr(CTR1, 8);
	OK(rd(CTR0) == 8);
}

static void test_lost(void)
{
	begin_generated("uncore_lost-cbo0_ctr0-2");
	wr(CTL0, EN);
	wr(CTL1, EN);
	pass(CLOCKS);
	OK(rd(CTR0) == CLOCKS - CLOCKS / 4 && rd(CTR1) == CLOCKS);
	pass(3);
	OK(rd(CTR0) == CLOCKS - CLOCKS / 4 + 3);
	pass(1);
	OK(rd(CTR0) == CLOCKS - CLOCKS / 4 + 3);
	pass(1000 * CLOCKS);
	OK(rd(CTR0) == (1001 * CLOCKS + 4) / 4 * 3 && rd(CTR1) == 1001 * CLOCKS + 4);
}

/* By enable bits, and by a freeze. */
static uint64_t after_starts_and_stops(const char *fault)
{
	begin_generated(fault);
	wr(CTL0, EN);
	wr(CTL1, EN);
	wr(BOX_CTL, BOX_CTL_FRZ_EN | BOX_CTL_FRZ);
	wr(CTL1, 0);
	wr(BOX_CTL, BOX_CTL_FRZ_EN);
	wr(CTL0, EN);
	wr(CTL0, 0);
	wr(BOX_CTL, 0);
	wr(CTL0, EN);
	return rd(CTR0) << 8 | rd(CTR1);
}

static void test_starts_and_stops(void)
{
	OK(after_starts_and_stops("uncore_one_more_per_start-cbo0_ctr0") == 0x300);
	OK(after_starts_and_stops("uncore_one_more_per_stop-cbo0_ctr0") == 0x200);
	OK(after_starts_and_stops("uncore_one_more_per_stop-cbo0_ctr1") == 0x001);
}

static void test_overflow(void)
{
	begin_generated("uncore_one_more_per_overflow-cbo0_ctr0");
	wr(CTR0, FIELD(43, 0));
	wr(CTR1, FIELD(43, 0));
	wr(CTL0, EN);
	wr(CTL1, EN);
	pass(CLOCKS);
	OK(rd(CTR0) == CLOCKS && rd(CTR1) == CLOCKS - 1);
}

static void test_unknown(void)
{
	OK(!find("uncore_stuck_0-cbo8_ctr0-0"));
	OK(!find("uncore_stuck_0-cbo0_ctr0-44"));
	OK(!find("uncore_stuck_0-cbo0_ctl0-0"));
	OK(!find("uncore_stuck_0"));
}

/* Some of each model, found again by their names. */
static void test_names(const struct profile *profile)
{
	const struct fault *again;
	struct generated_walk walk;
	bool found = true;
	unsigned i = 0;

	for (generated_begin(&walk, profile); generated_next(&walk); i++) {
		if (i % STEP)
			continue;
		again = generated_find(profile, walk.name);
		found &= again && !strcmp(again->name, walk.name);
	}
	OK(found);
}

int main(void)
{
	test_stuck();
	test_controls();
	test_aliased();
	test_lost();
	test_starts_and_stops();
	test_overflow();
	test_unknown();
	for (unsigned i = 0; profile_at(i); i++)
		test_names(profile_at(i));
	return tap_end();
}
