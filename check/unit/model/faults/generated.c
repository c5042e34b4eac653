/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults: each has a name of its own, and those of the uncore do what they say. */
#include <string.h>

#include "check/unit/model/box/bench.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

/* MSRs of CBo 0. */
enum { BOX_CTL = 0xd04, CTL0 = 0xd10, CTL1 = 0xd11, CTR0 = 0xd16, CTR1 = 0xd17, CBO2_CTR1 = 0xd57 };
enum { FRZ = 1 << 8, FRZ_EN = 1 << 16, EN = 1 << 22, CLOCKS = 1000, STEP = 211 };

static const struct fault *find(const char *name)
{
	return generated_find(profile_find("sandybridge-ep"), name);
}

static void begin_generated(const char *name)
{
	struct boxes_config config = {.sockets = 1, .tsc_hz = TSC_HZ, .tsc = 1000};

	uncore_reset(&uncore, &uncore_snbep, find(name));
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

/* Faults of control registers.  The counters count event 0: clocks. */
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
	wr(BOX_CTL, FRZ_EN | FRZ);
	wr(CTL1, 0);
	wr(BOX_CTL, FRZ_EN);
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

/* Faults in something that is right nearly always. */
static void test_rare(void)
{
	begin_generated("uncore_rare_doubled-cbo0_ctr0-3");
	wr(CTL0, EN);
	pass(CLOCKS);
	OK(rd(CTR0) == CLOCKS + CLOCKS / 8);
	begin_generated("uncore_rare_stop-cbo0_ctr0-9");
	wr(CTL0, EN);
	pass(CLOCKS);
	OK(rd(CTR0) == 512);
	wr(CTR0, 0);
	pass(100);
	OK(rd(CTR0) == 100);
	begin_generated("uncore_rare_carry-cbo0_ctr0-9");
	wr(CTR0, 0x3ff);
	OK(rd(CTR0) == 0x3ff);
	wr(CTL0, EN);
	pass(2);
	OK(rd(CTR0) == 1);
}

/* Two counters of which each is on its own at first; what they have counted then. */
static uint64_t alone_and_together(const char *fault)
{
	begin_generated(fault);
	wr(CTL0, EN);
	pass(10);
	wr(CTL1, EN);
	pass(3);
	wr(CTL0, 0);
	wr(CTL0, EN);
	pass(1);
	return rd(CTR0) << 8 | rd(CTR1);
}

static void test_pairs(void)
{
	OK(alone_and_together("uncore_pair_dead-cbo0_ctr0-other_runs") == 0xa04);
	OK(alone_and_together("uncore_pair_dead-cbo0-other_runs") == 0xa00);
	OK(alone_and_together("uncore_pair_dead-cbo1-other_runs") == 0xe04);
	OK(alone_and_together("uncore_pair_one_less-cbo0-other_runs") == 0xd03);
	OK(alone_and_together("uncore_pair_one_more-cbo0_ctr1-other_runs") == 0xe05);
	OK(alone_and_together("uncore_pair_dead-cbo0-edge") == 0xe04);
	begin_generated("uncore_pair_inverted-cbo0_ctr0-threshold_2");
	wr(CTL0, EN | 2 << 24);
	wr(CTL1, EN | 2 << 24);
	pass(CLOCKS);
	OK(rd(CTR0) == CLOCKS && rd(CTR1) == 0);
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

/* Why no test can see the fault, "" where one can; NULL: there is none that is called so. */
static const char *why(const char *model, const char *name)
{
	struct generated_walk walk;

	for (generated_begin(&walk, profile_find(model)); generated_next(&walk);)
		if (!strcmp(walk.name, name))
			return generated_unseen(&walk) ? generated_unseen(&walk) : "";
	return NULL;
}

static void test_unseen(void)
{
	OK(strstr(why("k7", "ignored-c0010000-26"), "thresholds"));
	SAME(why("k7", "inverted-c0010000-26"), "");
	SAME(why("zen4", "ignored-c0010200-30"), "");
	OK(strstr(why("p6", "inverted-187-22"), "PerfEvtSel0") && !*why("p6", "inverted-186-22"));
	OK(strstr(why("sandybridge", "ignored-38d-2"), "AnyThread") &&
	   !*why("skylake", "ignored-38d-2"));
	OK(strstr(why("prescott", "ignored-3c4-9"), "in its mask") &&
	   !*why("northwood", "ignored-3c4-9"));
	OK(strstr(why("northwood", "inverted-3a6-25"), "undefined") &&
	   !*why("northwood", "aliased-3a6"));
	OK(strstr(why("willamette", "pmi_delayed-10"), "how late"));
	OK(strstr(why("sandybridge-ep", "uncore_ignored-cbo0_ctl2-5"), "event select"));
	SAME(why("sandybridge-ep", "uncore_inverted-cbo0_ctl2-5"), "");
	OK(strstr(why("ivybridge-ep", "uncore_pair_dead-cbo0_ctr0-invert"), "cannot be inverted"));
	SAME(why("ivybridge-ep", "uncore_pair_dead-pcu_ctr0-invert"), "");
	OK(!why("k7", "ignored-c0010000-21"));
	SAME(why("k7", "pair_inverted-c0010004-edge"), "");
	OK(strstr(why("willamette", "pair_inverted-300-threshold_none"), "no situation"));
	OK(strstr(why("skylake", "pair_inverted-309-usr"), "no situation"));
	OK(strstr(why("k7", "pair_one_less-all-wrapped"), "no situation"));
	SAME(why("k7", "pair_dead-all-wrapped"), "");
	OK(strstr(why("willamette", "pair_dead-30c-extended_cascade"), "cannot be used") &&
	   !*why("prescott", "pair_dead-30c-extended_cascade"));
}

int main(void)
{
	test_stuck();
	test_controls();
	test_aliased();
	test_lost();
	test_starts_and_stops();
	test_overflow();
	test_rare();
	test_pairs();
	test_unknown();
	test_unseen();
	for (unsigned i = 0; profile_at(i); i++)
		test_names(profile_at(i));
	return tap_end();
}
