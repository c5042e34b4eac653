/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of PMUs: the one list of what a PMU can do. */
#pragma once

/* Bit of pmu->features and of a test's .needs; the reason given for skipping a test that needs it
 * where it is missing; what it is, for docs/features.md. */
#define PMU_FEATURES(X)                                                                            \
	X(SELECT, "this counter has no select register of its own",                                \
	  "the counter has a select register; fixed counters have none of their own")              \
	X(THRESHOLD, "this PMU has no threshold",                                                  \
	  "counts the clocks in which an event occurs at least, or less than, N times")            \
	X(EDGE, "this PMU has no edge detection", "counts how often a condition begins")           \
	X(PRIVILEGE, "this PMU has no privilege filter", "counts ring 0, rings 1 to 3, or both")   \
	X(INTERRUPT, "no overflow interrupt: the local APIC is absent or disabled",                \
	  "an overflow interrupts")                                                                \
	X(USER_ALONE, "errata BDD116, BDM126: this counter does not count in ring 3 alone",        \
	  "the counter counts in ring 3 alone, too, and not just in both rings or in ring 0")      \
	X(PIN_CONTROL, "this PMU has no documented pin control",                                   \
	  "the select register has a bit for a pin of the processor")                              \
	X(UNIT_MASK, "this PMU has no event whose unit mask is known well enough",                 \
	  "bits of the unit mask select sub-events")                                               \
	X(ATOMIC_START, "this PMU has no global enable", "all counters start in the same clock")   \
	X(LVT_MASKS, "delivery does not mask the LVT entry here",                                  \
	  "delivery of an interrupt sets the mask bit of the LVT entry")                           \
	X(HT, "this core has one logical processor",                                               \
	  "two logical processors share the counters of the core")                                 \
	X(XCASCADE, "this PMU has no extended cascading", "NetBurst: extended cascading")          \
	X(CASCADE_PMI, "cascaded counters of this processor do not interrupt",                     \
	  "NetBurst: a counter that a cascade started can interrupt")                              \
	X(GLOBAL, "this PMU has no global registers",                                              \
	  "Intel: IA32_PERF_GLOBAL_CTRL and its companions, from version 2 on")                    \
	X(STATUS_SET, "global status cannot be set before version 4",                              \
	  "Intel: STATUS_SET, INUSE and streamlined freezing, from version 4 on")                  \
	X(SINGLE_ENABLE, "each counter has an enable bit of its own",                              \
	  "Intel: one enable bit for both counters")                                               \
	X(ANY_THREAD, "this PMU has no AnyThread",                                                 \
	  "Intel: a counter can count for both logical processors of its core")                    \
	X(FREEZE, "this PMU cannot freeze", "an overflow interrupt can freeze the counters")       \
	X(FREEZE_SMM, "counters cannot stand still in system management mode here",                \
	  "Intel: counters can stand still in system management mode")                             \
	X(HOST_GUEST, "this PMU does not tell hosts from guests",                                  \
	  "AMD: a counter can count hosts only, or guests only")                                   \
	X(RETURN_COUNTS, "what faults cost in ring 3 is not published of this PMU",                \
	  "coming back to ring 3 from a fault counts there as coming back from INT n does")        \
	X(TARGET_RING, "no manual says in which ring SYSCALL and SYSRET count",                    \
	  "AMD: what changes the ring counts in the ring that it goes to")                         \
	X(INVERT_FILTERED, "an inverted counter counts clocks of filtered rings here",             \
	  "an inverted counter counts nothing in a ring that is filtered out")

/* Whole subsystems: the same, but for the second column, the member of struct pmu that is NULL
 * where the PMU lacks it. */
#define PMU_FACETS(X)                                                                              \
	X(SAMPLER, sampler, "this PMU keeps no samples",                                           \
	  "samples: records of events, with the registers of the machine, or of instructions")     \
	X(BRANCHES, branches, "no last-branch records of a kind that this program knows",          \
	  "records of the last branches")                                                          \
	X(METRICS, metrics, "this PMU does not say what becomes of slots",                         \
	  "a counter of slots, and shares of what became of them")                                 \
	X(METERS, meters, "this PMU has no meters",                                                \
	  "registers that count by themselves, and that software only reads")

#define PMU_INDEX(name, ...) PMU_INDEX_##name,
enum { PMU_FEATURES(PMU_INDEX) PMU_FACETS(PMU_INDEX) PMU_FEATURE_COUNT };
#define PMU_BIT(name, ...) PMU_##name = 1 << PMU_INDEX_##name,
enum pmu_feature { PMU_FEATURES(PMU_BIT) PMU_FACETS(PMU_BIT) };

#define PMU_OR(name, ...) | PMU_##name
#define PMU_ANY_FACET     (0 PMU_FACETS(PMU_OR))

/* Features that a counter has by its select register, and a fixed one lacks. */
#define PMU_BY_SELECT (PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PIN_CONTROL | PMU_UNIT_MASK)

/* Why a test that needs these features is skipped where they are missing: the reason of the lowest
 * one.  NULL: none is missing. */
const char *pmu_why_missing(unsigned missing);
