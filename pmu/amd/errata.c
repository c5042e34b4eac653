/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata of AMD processors that a test may meet. */
#include "amd.h"

#define OVERCOUNT "retired instructions and branches may overcount"
#define RETIRING  "count.*,privilege.*,overflow.*"

/*
 * AMD revision guides 48063 (15h 00-0F), 51810, 53072 (16h), 55449 (17h 00-0F), 56323 (17h 30-3F),
 * 56683 (19h 00-0F). These two have 1291 and 1292 for one signature each.  But AMD's patch for
 * Linux of February 2022 gives 1292 to all of family 19h, models 00h to 0Fh, and says that the
 * issue "exists on all previous Zen revisions", with another workaround: all of 17h, and so Hygon's
 * 18h, which has the first Zen core, though nobody has published it of that.  Where it does not
 * happen, the witness says so.
 */
const struct pmu_erratum amd_errata[] = {
	{"593", "LastBranchToIP may be wrong", 0x00600f12, 0x00600f12, .tests = "pair.*",
	 .effect = LAST_TARGET_MISTOLD},
	{"794", "clocks may count while halted", 0x00700f00, 0x00730fff, .tests = "count.cycles"},
	{"795", "a counter disabled in the clock of a carry into bit 32 loses its low half",
	 0x00700f00, 0x00730fff, .tests = "overflow.*"},
	{"990", "FP and MMX events may overcount", 0x00800f11, 0x00800f12,
	 .tests = "count.unit_mask"},
	{"990", "FP and MMX events may overcount", 0x00800f82, 0x00800f82,
	 .tests = "count.unit_mask"},
	{"1023", "interrupts may stop with two or more interrupting counters", 0x00800f11,
	 0x00800f11, .tests = "overflow.all_at_once", .effect = LOSES_INTERRUPTS},
	{"1291", OVERCOUNT, 0x00800f00, 0x009fffff, .tests = RETIRING},
	{"1292", OVERCOUNT, 0x00a00f00, 0x00a00fff, .tests = RETIRING},
	{0},
};

/*
 * Of instruction-based sampling: AMD revision guides 41322 (10h), 48063 (15h 00-0F), 48931 (15h
 * 10-1F), 56323.  336 and 337 are of revision B, 717 is of OR-B2.
 */
#define REVISION_B  0x00100f20, 0x00100f2f
#define FAMILY_10H  0x00100f00, 0x00100fff
#define OR_B2       0x00600f12, 0x00600f12
#define FAMILY_15H  0x00600f00, 0x00610fff
#define OF_A_SAMPLE "samples.place,samples.branches,samples.accesses,samples.operands"

const struct pmu_erratum amd_op_errata[] = {
	{"336", "a period of ops may pass without a sample", REVISION_B, .tests = "samples.*"},
	{"337", "a sample may be up to 16 bytes late, and wrong in all else", REVISION_B,
	 .tests = OF_A_SAMPLE ",samples.retirement", .effect = SAMPLES_MISTOLD},
	{"420", "an interrupt may stay when a tag is under way at the end", FAMILY_10H,
	 .tests = "samples.*"},
	{"443", "what loads and stores may not be told as a store", FAMILY_10H,
	 .tests = "samples.accesses"},
	{"717", "a sample may tell a wrong target of its branch", OR_B2,
	 .tests = "samples.branches", .effect = TARGET_MISTOLD},
	{"718", "flags of a sample stay, and are wrong", FAMILY_15H, .tests = "samples.accesses"},
	{"1212", "a sample may tell wrong clocks up to retirement", 0x00830f00, 0x00830fff,
	 .tests = "samples.retirement", .effect = RETIREMENT_MISTOLD},
	{0},
};

const struct pmu_erratum amd_fetch_errata[] = {
	{"718", "a sample may rarely tell a wrong address", FAMILY_15H, .tests = "samples.fetched",
	 .effect = FETCH_MISPLACED},
	{"719", "a count that is written is ignored", FAMILY_15H, .tests = "samples.*"},
	{0},
};

/* Guides 55449 and 56323: if another counter of this, which is read last, is 0, nothing has
 * overcounted. */
static const struct pmu_event witness = {
	.name = "retirement that may overcount", .code = 0x022, .unit_mask = 0x10};

#define RETIRED 0x0c0, 0x0c1, 0x0c2, 0x0c3, 0x0c4, 0x0c5, 0x0c8, 0x0c9, 0x0ca, 0x0d1, 0x1c7, 0x1d0
static const uint16_t fp[] = {0x002, 0x003, 0x005, 0x0cb, 0};
static const uint16_t retired[] = {RETIRED, 0};
static const uint16_t retired_too[] = {RETIRED, 0x0cc, 0};

/*
 * For 1292 the guide has no witness but a counter that cannot overcount: number 2 with bit 43 of
 * its select register set and INT clear.  It is left out: the bit is reserved in every other text,
 * a test of another counter learns nothing of that one, and AMD calls the erratum very rare, so
 * that it is enough to run a test again.  By how much a count is off it does not say: PAPI's issue
 * 160 reports a factor of 16, and no more than eight retire in a clock.
 */
enum { AT_ONCE = 16 * 8 };

const struct pmu_overcount amd_overcounts[] = {
	{"990", fp, &witness, 0},
	{"1291", retired, &witness, 0},
	{"1292", retired_too, NULL, AT_ONCE},
	{0},
};
