/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test is declared, and what it may call. */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "payload.h"
#include "pmu/pmu.h"

/* One running test.  Fresh for each; the runner resets PMU and LVT ahead of the first and after
 * each. A test of an uncore box leaves the counters of the core alone. */
struct run {
	const struct test *test;
	const struct pmu *pmu; /* NULL for tests without a PMU */
	unsigned counter; /* the counter under test, for .per_counter tests */
	bool failed;
	const char *skip; /* reason, or NULL */
	const char *known; /* published erratum, or NULL */
	bool refused; /* the driver refused a configuration: our own error */
	uint64_t programmed; /* bit n: measure() has programmed counter n, so a failure shows it */
	unsigned failures; /* checks failed so far */
};

/* A test that asks for nothing of a PMU (.driver, .needs, .min_counters, .per_counter all zero)
 * runs once, without one, and its id begins with "-.-". */
struct test {
	const char *id;
	const char *group;
	const char *claim; /* one sentence that can be false */
	const char *clause; /* manual and section it rests on */
	const struct pmu_ops *driver; /* only on PMUs of this driver; NULL: on every one */
	uint32_t kinds; /* only on boxes of one of these kinds (pmu->kinds); 0: on all */
	uint32_t needs; /* enum pmu_feature that must all be there, else skip */
	uint8_t min_counters; /* fewer: skip */
	uint8_t counts; /* enum pmu_event_id that the counter under test must be able to count */
	bool per_counter; /* run once per counter, each reported */
	bool hidden; /* only when its group is named: tests of the runner itself */
	bool resets; /* the machine: only with checkpoints */
	void (*body)(struct run *t);
};

/* A file of tests says "#define GROUP "name"" once before its first TEST. */
#define TEST(name, claim_, ...)                                                                    \
	static void name(struct run *t);                                                           \
	static const struct test test_##name __attribute__((used, section(".tests." #name))) = {   \
		.id = #name, .group = GROUP, .claim = claim_, .body = name, __VA_ARGS__};          \
	static void name(struct run *t)

/* CHECK reports and goes on.  REQUIRE reports and ends the test, SKIP_IF ends it as skipped, from
 * however deep a call: nothing of the test runs after them, and the runner cleans up. */
#define TEXT_OF(token)         #token
#define LINE_TEXT(line, text)  "line " TEXT_OF(line) ": " text
#define CHECK_EQ(t, got, want) test_check_eq(t, LINE_TEXT(__LINE__, #got " == " #want), got, want)
#define CHECK(t, cond)         test_check(t, LINE_TEXT(__LINE__, #cond), cond)
#define REQUIRE_EQ(t, got, want)                                                                   \
	do {                                                                                       \
		if (!CHECK_EQ(t, got, want))                                                       \
			test_end();                                                                \
	} while (0)
#define REQUIRE(t, cond)                                                                           \
	do {                                                                                       \
		if (!CHECK(t, cond))                                                               \
			test_end();                                                                \
	} while (0)
#define SKIP_IF(t, cond, why)                                                                      \
	do {                                                                                       \
		if (cond)                                                                          \
			test_skip(t, why);                                                         \
	} while (0)

bool test_check_eq(struct run *t, const char *text, uint64_t got, uint64_t want);
bool test_check(struct run *t, const char *text, bool ok);
/* End the test: as it is, as skipped, as known; as failed in any case if a check has failed. */
_Noreturn void test_end(void);
_Noreturn void test_skip(struct run *t, const char *why);
_Noreturn void test_known(struct run *t, const char *erratum);

/* Part of the claim cannot be judged here: the test goes on, and ends as skipped unless a check
 * fails. */
void test_cannot_judge(struct run *t, const char *why);

/* Starts the other logical processor of the core, until the end of the test: sibling.h.  Ends the
 * test as skipped where there is none, as failed where it does not come. */
void test_start_sibling(struct run *t);

/* The reason of a guard that test_end() has ended. */
extern const char test_ended[];

/* Where a window counts: payload called in ring 0, or in ring 3 through the user gate. */
enum ring { RING_0, RING_3 };

/*
 * One measured window: cfg[i] is programmed on counter ctr[i], i < n, from the start value from[i]
 * (NULL: all 0); the payload runs iterations times in ring; out[i] receives the counter.  In RING_3
 * with user-only configurations the ring crossing opens and closes all counters in the same
 * instant.  Registers programmed are kept for the diagnostics of a failed check.
 */
void measure(struct run *t, unsigned n, const unsigned *ctr, const struct pmu_config *cfg,
	     const uint64_t *from, const struct payload *payload, uint64_t iterations,
	     enum ring ring, uint64_t *out);

/* Of such a window the beginning: the counter is programmed, not started.  Ends the test if the
 * driver refuses. */
void measure_program(struct run *t, unsigned ctr, const struct pmu_config *cfg, uint64_t from);

/* One counter: the difference of 2n and n iterations, where all constant overhead vanishes. */
uint64_t measure_difference(struct run *t, unsigned ctr, const struct pmu_config *cfg,
			    const struct payload *payload, uint64_t n, enum ring ring);

/* Counting PMIs: arm before the window; the handler counts, notes RIP and the counters that have
 * overflowed, and re-arms with rearm_from[ctr], or by moving back by rearm_by[ctr], when that is
 * non-zero. */
struct pmi_log {
	uint64_t count; /* interrupts taken */
	uint64_t unexplained; /* of these: found no armed counter overflowed */
	uint64_t rip; /* at the last one */
	uint64_t per_counter[PMU_COUNTERS_MAX];
	uint64_t value_at_pmi[PMU_COUNTERS_MAX]; /* counter value first seen by the handler */
	uint64_t rearm_from[PMU_COUNTERS_MAX], rearm_by[PMU_COUNTERS_MAX];
	uint64_t armed; /* bit n: counter n is armed */
};
/* lvt: APIC_LVT_MODE_NMI, or VECTOR_PMI, plus APIC_LVT_MASKED.  The log lives until the end of
 * pmi_disarm(). */
void pmi_arm(struct run *t, struct pmi_log *log, uint32_t lvt);
/* Waits the 50 us in which a late interrupt may still come (AMD: Linux 914123fa3904), disarms. */
void pmi_disarm(void);
/* The runner, after each test: takes what is still armed or under way.  Interrupts off. */
void pmi_clean_up(void);
/* More interrupts than this in one window end the test. */
#define PMI_STORM 200u

/* Runs the battery: filter is a comma-separated list of globs over ids, NULL: all not hidden. */
struct battery {
	const struct cpu_identity *cpu;
	const char *filter;
	unsigned timeout_ms; /* per test */
	unsigned repeat;
	bool verbose;
	bool stop_on_fail; /* the first fail or error is the last test that runs */
	/* Before each test that runs, by its number in the plan, and after the last: the machine
	 * may be given back meanwhile.  NULL: none. */
	void (*checkpoint)(void *arg, unsigned number);
	void *checkpoint_arg;
	/* Number of the test during which the machine was reset; the report has all before it and
	 * the plan.  0: it begins here. */
	unsigned resume_at;
};
void battery_run(const struct battery *battery);
/* Prints the PMUs known, and every test id with its claim and clause, through console_print(). */
void battery_list(const char *filter);

#endif
