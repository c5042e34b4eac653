/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations of tests, and the functions that they may call.
 *
 * Room: what all tests share: windows, interrupts, payloads, checks.
 * Uses: kernel, kernel/console, kernel/lib, pmu
 * Uses: tests/lib/cause, tests/lib/cover
 */
#pragma once

#include "battery.h"
#include "event.h"
#include "extent.h"
#include "kernel/console/console.h"
#include "kernel/kernel.h"
#include "kernel/lib/lib.h"
#include "modes.h"
#include "overflow.h"
#include "payload.h"
#include "pmi.h"
#include "pmu/pmu.h"
#include "span.h"
#include "vitals.h"
#include "window.h"

/* One running test.  Fresh for each; the runner resets PMU and LVT ahead of the first and after
 * each. A test of an uncore box leaves the counters of the core alone. */
struct run {
	const struct test *test;
	const struct pmu *pmu; /* NULL for tests without a PMU */
	const struct pmu_set *beside; /* all PMUs that were found: t->pmu is one of them */
	unsigned counter; /* the counter under test, for .per_counter tests */
	bool failed;
	const char *skip; /* reason, or NULL */
	const char *known; /* published erratum, or NULL */
	bool refused; /* the driver refused a configuration: our own error */
	uint64_t programmed; /* bit n: counter n has been programmed, so that a failure shows it */
	struct traits used; /* what all its windows have programmed */
	struct traits last; /* what the last one has */
	struct traits shown; /* last, when the first check failed */
	struct pmi_log log;
	unsigned failures; /* checks failed so far */
	unsigned of; /* the counter that the check is of, plus 1: OF_COUNTER(); 0: none is said */
	struct flips flips; /* that CHECK_EQ() has found */
	uint64_t off; /* the most by which CHECK_COUNT() failed; UINT64_MAX: others failed, too */
	uint64_t lack; /* the most by which CHECK_COUNT() found too few; UINT64_MAX: none at all */
	bool lost; /* a counter overflowed, and the interrupt that was due did not come */
	/* Events that are not the test's own, are counted now and then, and leave no trace; NULL:
	 * there are none. */
	const char *entries;

	/* Facts by which the runner judges a failure: watch.h. */
	struct watch *witness; /* a spare counter that watches for published overcounts */
	uint64_t events; /* bit n: the last window counts event n; EV_NONE: one without a name */
	/* One that is published of events of a window whose check failed; NULL: there is none. */
	const struct pmu_overcount *overcount;
	bool plain; /* a check failed, and nothing is published of the events of its window */
};

/* A test that asks for nothing of a PMU (.driver, .of_boxes, .needs, .min_counters, .per_counter
 * all zero) runs once, without one, and its id begins with "-.-". */
struct test {
	/* Two texts behind one pointer each, the second behind the NUL of the first: there are
	 * hundreds of tests.  Its name, and one sentence that can be false. */
	const char *id;
	/* The name of its group, and that of the one that it leans on, which runs before it, or
	 * nothing. */
	const char *group;
	const char *clause; /* manual and section it rests on */
	union { /* .of_boxes says which */
		/* Only on PMUs of this driver, or of its kin; NULL: on every one. */
		const struct pmu_ops *driver;
		uint64_t kinds; /* only on boxes of one of these kinds (pmu->kinds); 0: on all */
	};
	uint32_t needs; /* enum pmu_feature that must all be there */
	uint8_t min_counters;
	uint8_t counts; /* enum pmu_event_id that the counter under test must be able to count */
	bool of_boxes : 1; /* on boxes outside of the cores alone */
	bool exact : 1; /* it must be repeatable to the last count */
	bool per_counter : 1; /* run once per counter, each reported */
	bool rare : 1; /* as long as the option rare= says: extent.h */
	bool drawn : 1; /* of as many programs as the option random= says: extent.h */
	/* Also with counters and events that alive has found not to count, where others end as
	 * skipped: vitals.h. */
	bool even_ill : 1;
	bool hidden : 1; /* only when its group is named: tests of the runner itself */
	bool resets : 1; /* the machine: only with checkpoints */
	/* NULL, or why the test can never apply to this PMU, or this counter of it. */
	const char *(*absent)(const struct pmu *pmu, unsigned ctr);
	void (*body)(struct run *t);
};

static inline const char *text_behind(const char *text)
{
	return text + strlen(text) + 1;
}

static inline const char *test_claim(const struct test *test)
{
	return text_behind(test->id);
}

/* NULL: it leans on none. */
static inline const char *test_leans_on(const struct test *test)
{
	const char *group = text_behind(test->group);

	return *group ? group : NULL;
}

/* A file of tests says "#define GROUP "name", "group that it leans on"" before its first TEST; an
 * empty one: it leans on none. */
#define GROUPS(name, leans_on) name "\0" leans_on
#define CLAIMS(id, claim)      id "\0" claim
#define GROUPS_OF(...)         GROUPS(__VA_ARGS__)
#define TEST(name, claim_, ...)                                                                    \
	static void name(struct run *t);                                                           \
	static const struct test test_##name                                                       \
		__attribute__((used, section(".tests." #name))) = {.id = CLAIMS(#name, claim_),    \
								   .group = GROUPS_OF(GROUP),      \
								   .body = name,                   \
								   __VA_ARGS__};                   \
	static void name(struct run *t)

/* A function for .absent, where the test can apply to all counters of pmu or to none. */
#define ABSENT_IF(name, condition, why)                                                            \
	static const char *name(const struct pmu *pmu, unsigned ctr)                               \
	{                                                                                          \
		(void)ctr;                                                                         \
		return (condition) ? why : NULL;                                                   \
	}
#define ABSENT_UNLESS(name, condition, why) ABSENT_IF(name, !(condition), why)

/* CHECK reports and goes on.  REQUIRE reports and ends the test, SKIP_IF ends it as skipped, from
 * however deep a call: nothing of the test runs after them, and the runner cleans up. */
#define TEXT_OF(token)        #token
#define LINE_TEXT(line, text) __FILE_NAME__ ":" TEXT_OF(line) ": " text
/* Each macro makes its text itself: handed on to another one, what it names would be expanded. */
#define CHECK_EQ(t, got, want)                                                                     \
	test_check_near(t, LINE_TEXT(__LINE__, #got " == " #want), got, want, 0)
/* Give or take slack, for which the caller has a reason. */
#define CHECK_NEAR(t, got, want, slack)                                                            \
	test_check_near(t, LINE_TEXT(__LINE__, #got " == " #want), got, want, slack)
/* Of counts alone: events that are not the test's own may be among them where t->entries says so.
 */
#define CHECK_COUNT(t, got, want)                                                                  \
	test_check_count(t, LINE_TEXT(__LINE__, #got " == " #want), got, want)
/* Of differences of counts, of which 0 is one like others. */
#define CHECK_DIFFERENCE(t, got, want)                                                             \
	test_check_difference(t, LINE_TEXT(__LINE__, #got " == " #want), got, want)
#define CHECK_COUNT_MOST(t, got, most)                                                             \
	test_check_count_most(t, LINE_TEXT(__LINE__, #got " <= " #most), got, most)
#define CHECK_COUNT_LEAST(t, got, least)                                                           \
	test_check_count_least(t, LINE_TEXT(__LINE__, #got " >= " #least), got, least)
/* Instructions that may fault: each in this way, or FAULT_NONE.  A failure names the register. */
#define CHECK_FAULT(t, what, where, fault, want)                                                   \
	test_check_fault(t, LINE_TEXT(__LINE__, what), where, fault, want)
#define CHECK_RDMSR(t, msr, value, want) CHECK_FAULT(t, "RDMSR", msr, rdmsr_safe(msr, value), want)
#define CHECK_WRMSR(t, msr, value, want) CHECK_FAULT(t, "WRMSR", msr, wrmsr_safe(msr, value), want)
#define CHECK_RDPMC(t, index, value, want)                                                         \
	CHECK_FAULT(t, "RDPMC", index, rdpmc_safe(index, value), want)
/* relation: <, <=, >, >= or !=; a failure shows both numbers, where CHECK() has the condition
 * alone. */
#define CHECK_IS(t, got, relation, than)                                                           \
	test_check_is(t, LINE_TEXT(__LINE__, #got " " #relation " " #than), got, #relation, than)
/* A check in a loop: what fails names the counter that it was of. */
#define OF_COUNTER(t, ctr, check) ((t)->of = (ctr) + 1u, (void)(check), (t)->of = 0)
#define CHECK(t, cond)            test_check(t, LINE_TEXT(__LINE__, #cond), cond)
#define END_UNLESS(check)                                                                          \
	do {                                                                                       \
		if (!(check))                                                                      \
			test_end();                                                                \
	} while (0)
#define REQUIRE_EQ(t, got, want)                                                                   \
	END_UNLESS(test_check_near(t, LINE_TEXT(__LINE__, #got " == " #want), got, want, 0))
#define REQUIRE_IS(t, got, relation, than)                                                         \
	END_UNLESS(test_check_is(t, LINE_TEXT(__LINE__, #got " " #relation " " #than), got,        \
				 #relation, than))
#define REQUIRE(t, cond) END_UNLESS(test_check(t, LINE_TEXT(__LINE__, #cond), cond))
#define SKIP_IF(t, cond, why)                                                                      \
	do {                                                                                       \
		if (cond)                                                                          \
			test_skip(t, why);                                                         \
	} while (0)

bool test_check_near(struct run *t, const char *text, uint64_t got, uint64_t want, uint64_t slack);
bool test_check_is(struct run *t, const char *text, uint64_t got, const char *relation,
		   uint64_t than);
bool test_check_count(struct run *t, const char *text, uint64_t got, uint64_t want);
bool test_check_difference(struct run *t, const char *text, uint64_t got, uint64_t want);
bool test_check_count_most(struct run *t, const char *text, uint64_t got, uint64_t most);
bool test_check_count_least(struct run *t, const char *text, uint64_t got, uint64_t least);
bool test_check_fault(struct run *t, const char *text, uint32_t where, long got, long want);
bool test_check(struct run *t, const char *text, bool ok);
/* End the test: as it is, as skipped, as known; as failed in any case if a check has failed. */
_Noreturn void test_end(void);
_Noreturn void test_skip(struct run *t, const char *why);
_Noreturn void test_known(struct run *t, const char *erratum);
/* Is it published of this PMU that the event, of instructions or branches, counts IRET twice?  Then
 * the test goes on, and ends as known unless a check fails. */
bool test_iret_twice(struct run *t, unsigned event);
/* Is it published of this PMU that the select register at msr may read otherwise than it was
 * written? Then the test goes on, too, as above. */
bool test_misread(struct run *t, uint32_t msr);
/* And as our own error: the driver has refused a configuration. */
_Noreturn void test_refused(struct run *t, const char *why);

/* Is this a guest of KVM? */
bool test_in_kvm(void);

/* Part of the claim fails as it is known to: the test goes on, and ends as known unless a check
 * fails.  The cause is KVM, which does otherwise than the silicon: source says where that is
 * published.  False: this is no guest of KVM, nothing has happened. */
bool test_known_of_kvm(struct run *t, const char *source);

/* Part of the claim cannot be judged here: the test goes on, and ends as skipped unless a check
 * fails. */
void test_cannot_judge(struct run *t, const char *why);

/* Starts the other logical processor of the core, until the end of the test.  Ends the
 * test as skipped where there is none, as failed where it does not come. */
void test_start_sibling(struct run *t);

/* The reason of a guard that test_end() has ended. */
extern const char test_ended[];
