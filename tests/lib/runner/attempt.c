/* SPDX-License-Identifier: BSD-2-Clause */
/* One test, run under guard and reported. */
#include "attempt.h"

#include "kernel/svm/svm.h"
#include "tests/lib/watch.h"

/* A test that fails while something from outside is counted is run again, but only a few times. */
#define RERUNS 3u

static void call_body(void *arg)
{
	struct run *t = arg;

	t->test->body(t);
}

void attempt_put_right(void)
{
	entrances_restore();
	svm_end();
	user_memory_use(USER_WRITE_BACK);
}

/* Guarded, and in the known state after it. */
static const char *run_guarded(struct run *t, void (*call)(void *arg), struct watch watch[WATCHES],
			       unsigned timeout_ms, void (*settle)(const struct pmu *pmu))
{
	uintptr_t cr4 = read_cr4();
	const char *ended, *stray;

	/* Tests write to it by WRMSR itself. */
	if (t->pmu && t->pmu->counters)
		pmu_touch(t->pmu, t->pmu->counter[t->counter].ctl);
	ended = guard_run(call, t, timeout_ms);
	watch_end(watch, t);
	sibling_stop();
	vectors_restore();
	write_cr4(cr4);
	attempt_put_right();
	settle(t->pmu);
	stray = pmi_clean_up(t);
	traps_restore();
	return ended && ended != test_ended ? ended : stray;
}

/* Nothing tells how many entries there were. */
static const char *entries_counted(const struct cpu_identity *cpu)
{
	return identify_is_kvm(cpu) && strcmp(cpu->vendor, "GenuineIntel") != 0
		       ? "KVM counts its VMRUN: kvm-unit-tests 89126fa4"
		       : NULL;
}

/* One run of a test. */
struct tried {
	struct run t;
	const char *ended; /* why it was ended early; NULL: it was not */
	const char *spoilt_by; /* why a failure means nothing; NULL: it does mean something */
	const char *erratum; /* that has been seen to spoil it; or NULL */
	bool untold; /* its witness cannot tell whether one has */
	bool rarely; /* the cause that may have is rare, and has no witness */
};

/* Has an erratum spoilt it? */
static bool is_overcount(struct tried *tried, const struct watch *witness)
{
	enum meaning meaning = watch_judge(&tried->t, witness);

	if (meaning == MEANS_ERRATUM) {
		report_diag("beside it counter %u counted %llu of %s", witness->ctr,
			    (unsigned long long)witness->kept, witness->event->name);
		tried->erratum = tried->t.overcount->erratum;
	}
	tried->untold = meaning == MEANS_NOTHING && tried->t.overcount->witness;
	/* In the long windows of a rare test it is not that rare. */
	tried->rarely =
		meaning == MEANS_NOTHING && !tried->t.overcount->witness && !tried->t.test->rare;
	return meaning != MEANS_FAILURE;
}

/* So long that what spoils each run of a test is likely to be met, and so short that what does not
 * is not.  It is not taken again when it is met, as the window of a count is. */
static void call_long_window(void *arg)
{
	struct run *t = arg;
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter, .cfg = gated(EV_INSTRUCTIONS)}},
			   .work = work_for(&payload_mix, 4000)};

	window_program(t, &w);
	window_go_on(t, &w);
}

/* Where a test has taken all counters and failed each time: does it happen behind it? */
static void look_behind(struct tried *tried, const struct run *fresh, const struct battery *battery,
			void (*settle)(const struct pmu *pmu))
{
	struct watch watch[WATCHES];
	struct run t = *fresh;

	if (!tried->untold)
		return;
	watch_begin(watch, fresh);
	t.witness = &watch[WATCH_WITNESS];
	t.overcount = tried->t.overcount;
	run_guarded(&t, call_long_window, watch, battery->timeout_ms, settle);
	is_overcount(tried, t.witness);
}

/* An erratum that was seen each time is the result. */
static void settle_for_erratum(struct tried *tried)
{
	if (!tried->erratum)
		return;
	tried->t.failed = false;
	tried->t.known = tried->erratum;
}

static void settle_for_entries(struct tried *tried)
{
	struct run *t = &tried->t;

	if (!t->failed || tried->ended || !t->entries || t->off > ENTRIES_MOST ||
	    t->lack > ENTRIES_MOST)
		return;
	t->failed = false;
	t->known = t->entries;
}

/* KVM may have too few counters of its own to let more run than a test needs: there they watch
 * every other time. */
static bool watches(const struct tried *tried, unsigned again)
{
	return !tried->t.entries || again % 2;
}

/* Interrupts from outside of the test: some came; or nobody knows, as nothing tells of SMIs. */
struct outside {
	bool came, untold;
};

/* What comes from outside only adds: counts, interrupts, records.  It takes no request away, and
 * leaves no counter at 0. */
static const char *judge(struct tried *tried, const struct watch watch[WATCHES],
			 struct outside outside)
{
	struct run *t = &tried->t;

	if ((!t->failed && !tried->ended) || t->refused || t->lost || t->lack == UINT64_MAX)
		return NULL;
	if (outside.came || (watch[WATCH_SMIS].told && watch[WATCH_SMIS].count))
		return "SMIs or NMIs came";
	if (t->pmu && !tried->ended && is_overcount(tried, &watch[WATCH_WITNESS]))
		return "a published miscount may have come";
	if (t->entries && !tried->ended && t->lack <= ENTRIES_MOST)
		return "KVM may have counted its own VMRUN";
	if (tried->ended || !outside.untold || watch[WATCH_SMIS].told)
		return NULL;
	tried->rarely = true;
	return "an SMI may have come unseen";
}

static unsigned timeout_ms(const struct test *test, const struct battery *battery)
{
	unsigned times = 1;

	if (test->rare)
		times += battery->rare / RARE_TIMED;
	if (test->drawn)
		times += battery->random / PROGRAMS_TIMED;
	return battery->timeout_ms * times;
}

/* The firmware would reset the processor in the middle of a test. */
static void end_in_time(const struct battery *battery)
{
	if (battery->until && rdtsc() >= battery->until)
		guard_abort("cpu-timeout= is over");
}

/* Its again-th repetition. */
static struct tried try(const struct run *fresh, unsigned again, const struct battery *battery,
			void (*settle)(const struct pmu *pmu))
{
	struct tried tried = {.t = *fresh};
	struct watch watch[WATCHES] = {0};
	unsigned nmis = trap_stray_nmis();
	struct outside outside;
	uint32_t before, after;

	end_in_time(battery);
	tried.t.entries = entries_counted(battery->cpu);
	if (watches(&tried, again))
		watch_begin(watch, fresh);
	tried.t.witness = &watch[WATCH_WITNESS];
	identify_smi_count(battery->cpu, &before);
	tried.ended =
		run_guarded(&tried.t, call_body, watch, timeout_ms(fresh->test, battery), settle);
	outside.untold = !identify_smi_count(battery->cpu, &after);
	outside.came = after != before || trap_stray_nmis() != nmis;
	tried.spoilt_by = judge(&tried, watch, outside);
	return tried;
}

static void note_cause(const struct run *t, bool failed)
{
	const struct test *test = t->test;
	const char *kind = t->pmu ? t->pmu->kind_name : NULL;

	cause_note(&(struct cause_result){.pmu = kind     ? kind
						 : t->pmu ? t->pmu->name
							  : NULL,
					  .group = test->group,
					  .after = test_leans_on(test),
					  .test = test->id,
					  .counter = test->per_counter ? (int)t->counter : -1,
					  .failed = failed,
					  .used = t->used,
					  .shown = t->shown,
					  .flips = t->flips});
}

/* A test ended early failed: its machine trapped, hung or stormed.  Only a configuration that the
 * driver refuses is our own error. */
static void report_run(const char *id, const struct run *t, const char *ended)
{
	if (ended && !t->refused)
		report_result(id, OUTCOME_FAIL, ended);
	else if (ended)
		report_result(id, OUTCOME_ERROR, ended);
	else if (t->failed)
		report_result(id, OUTCOME_FAIL, NULL);
	else if (t->known)
		report_result(id, OUTCOME_KNOWN, t->known);
	else if (t->skip)
		report_result(id, OUTCOME_SKIP, t->skip);
	else
		report_result(id, OUTCOME_PASS, NULL);
}

void attempt_report_claim(const struct test *test)
{
	report_diag("claim: %s", test_claim(test));
	report_diag("clause: %s", test->clause ? test->clause : "-");
}

static bool has_failed(const struct tried *tried)
{
	return tried->t.failed || tried->ended;
}

/* A failure that something spoilt means nothing: the test is tried again until a run passes.  Where
 * tests are spoilt rarely, one of so few runs is, and all others have to pass: a defect that shows
 * in some of them would hide otherwise. */
static bool goes_on(const struct tried *tried, bool rarely)
{
	return rarely ? !has_failed(tried) : tried->spoilt_by != NULL;
}

static void report_reruns(unsigned again, const struct tried *tried, const char *spoilt_by,
			  bool rarely)
{
	const char *still =
		rarely ? ", which hardly happens twice" : ", and did so each time: it may be them";

	if (again)
		report_diag("run %u times in all: %s while it failed%s", again + 1, spoilt_by,
			    tried->spoilt_by ? still : "");
}

void attempt(const struct run *fresh, const char *id, const struct battery *battery,
	     void (*settle)(const struct pmu *pmu))
{
	struct tried tried = try(fresh, 0, battery, settle);
	const char *spoilt_by = tried.spoilt_by;
	bool rarely = tried.rarely;
	unsigned again = 0;

	while (again < RERUNS && (again ? goes_on(&tried, rarely) : spoilt_by != NULL)) {
		report_drop_diag();
		report_measured(NULL);
		spoilt_by = tried.spoilt_by ? tried.spoilt_by : spoilt_by;
		tried = try(fresh, ++again, battery, settle);
	}
	look_behind(&tried, fresh, battery, settle);
	settle_for_erratum(&tried);
	settle_for_entries(&tried);
	report_reruns(again, &tried, spoilt_by, rarely);
	if (has_failed(&tried) && tried.t.lost)
		report_diag("a counter has overflowed and no interrupt told of it");
	if (has_failed(&tried) || (battery->watch && report_is_verbose()))
		attempt_report_claim(tried.t.test);
	if (!tried.t.refused && (has_failed(&tried) || (!tried.t.known && !tried.t.skip)))
		note_cause(&tried.t, has_failed(&tried));
	report_run(id, &tried.t, tried.ended);
}
