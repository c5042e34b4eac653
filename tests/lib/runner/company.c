/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processors in company: each counts in several windows, first while all others wait, then while
 * they count, too; and it takes the interrupts of its counters, and no others.
 *
 * What is not about one processor alone, such as the search for its PMU, one does at a time, under
 * the lock.  They meet ahead of each stretch of a window, and every other one is a stretch behind,
 * in turn: so counters of each are started and stopped while those of others count.  Ring 0, where
 * they wait, does not count.
 */
#include "attempt.h"
#include "plan.h"
#include "tests/lib/watch.h"

#define WINDOWS      4u
#define STRETCHES    3u
#define INSTRUCTIONS 8000u /* of a stretch */
#define PERIOD       1000u /* until the interrupt, which then comes in ring 3 as a rule */
#define WAIT_MS      10000u /* for others, as a model on a busy computer takes; for each of them: */
#define WAIT_EACH_MS 1000u

#define LINES_MOST   6u /* about one processor */

/* So often may the IRET to ring 3 count, behind an interrupt that was taken there. */
#define IRETS_MOST 2u

struct seen {
	uint64_t counted[PMU_COUNTERS_MAX];
	uint64_t interrupts, explained; /* explained: by the counter that overflowed */
	bool in_ring3; /* the last one was taken there */
};

struct company_seat {
	uint64_t state[PMU_STATE_MOST] __attribute__((aligned(PMU_STATE_ALIGNMENT)));
	struct pmu pmu;
	struct run t;
	struct watch witness;
	struct window w;
	unsigned number; /* of the processor */
	unsigned first; /* of its counters that count here */
	unsigned windows; /* of .together */
	struct seen alone[WINDOWS], together[WINDOWS];
	bool done;
};

static struct {
	unsigned members;
	uint64_t patience; /* ticks of the TSC */
	bool locked, broken; /* broken: somebody does not come any more */
	uint32_t arrived, meetings;
} company;

static const char broken[] = "another processor does not come along";

static const struct test in_company = {
	.id = CLAIMS("together",
		     "processors that count and interrupt together do so as each does alone"),
	.group = GROUPS("cpu", ""),
	.clause = "SDM vol. 3B: each logical processor has its counters; AMD64 APM vol. 2, "
		  "13.2: of a core; local APIC: of a processor",
	.even_ill = true, /* alive has judged the counters of one processor alone, in a battery */
};

/* ---- waiting for each other ---- */

static void wait(uint64_t start)
{
	if (rdtsc() - start > company.patience)
		company.broken = true;
	if (__atomic_load_n(&company.broken, __ATOMIC_RELAXED))
		guard_abort(broken);
	cpu_pause();
}

static void lock(void)
{
	uint64_t start = rdtsc();

	while (__atomic_exchange_n(&company.locked, true, __ATOMIC_ACQUIRE))
		wait(start);
}

static void unlock(void)
{
	__atomic_store_n(&company.locked, false, __ATOMIC_RELEASE);
}

static void meet(void)
{
	uint32_t meeting = __atomic_load_n(&company.meetings, __ATOMIC_ACQUIRE);
	uint64_t start = rdtsc();

	if (__atomic_add_fetch(&company.arrived, 1, __ATOMIC_ACQ_REL) == company.members) {
		company.arrived = 0;
		__atomic_store_n(&company.meetings, meeting + 1, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&company.meetings, __ATOMIC_ACQUIRE) == meeting)
		wait(start);
}

/* ---- one window ---- */

/* Of two neighbours one interrupts by NMI, the other one by its vector; and they change places. */
static uint32_t entry_for(const struct company_seat *s, unsigned window)
{
	return (s->number + window / 2) % 2 ? APIC_LVT_MODE_NMI : VECTOR_PMI;
}

/* Another counter interrupts in each. */
static void prepare(struct company_seat *s, unsigned window)
{
	struct slot *slot;

	s->t.counter = s->first;
	s->w = window_of_all(&s->t, gated(EV_INSTRUCTIONS));
	slot = &s->w.c[(window + s->number) % s->w.n];
	s->t.counter = slot->ctr;
	slot->cfg.interrupt = true;
	slot->from = preset_for(&s->t, period_from(&s->t, PERIOD));
	pmi_arm(&s->t, entry_for(s, window), BIT(slot->ctr));
	window_program(&s->t, &s->w);
}

/* Each has a cache line to itself. */
static void work(const struct company_seat *s)
{
	struct work work = work_for(&payload_mix, INSTRUCTIONS);
	char *buffer = user_buffer();

	user_call(work.payload->entry, work.iterations, buffer + s->number % 16 * 64, 0);
}

static void take(struct company_seat *s, struct seen *seen)
{
	pmi_disarm(&s->t);
	for (unsigned i = 0; i < s->w.n; i++)
		seen->counted[i] = slot_counted(&s->t, &s->w.c[i]);
	seen->interrupts = s->t.log.count;
	seen->explained = s->t.log.per_counter[s->t.counter];
	seen->in_ring3 = taken_in_ring3(&s->t);
}

static void run_alone(struct company_seat *s, unsigned window)
{
	prepare(s, window);
	window_open(&s->t, &s->w);
	for (unsigned i = 0; i < STRETCHES; i++)
		work(s);
	window_close(&s->t, &s->w);
	take(s, &s->alone[window]);
}

static void run_together(struct company_seat *s, unsigned window)
{
	const unsigned behind = (s->number + window) % 2;

	lock();
	prepare(s, window);
	unlock();
	for (unsigned i = 0; i < STRETCHES + 1; i++) {
		meet();
		if (i == behind)
			window_open(&s->t, &s->w);
		if (i - behind < STRETCHES)
			work(s);
		if (i - behind == STRETCHES - 1)
			window_close(&s->t, &s->w);
	}
	meet();
	take(s, &s->together[window]);
	s->windows++;
}

/* ---- on each processor ---- */

static const char *missing(struct company_seat *s)
{
	const struct pmu_config cfg = gated(EV_INSTRUCTIONS);
	unsigned *c = &s->first;

	if (!pmu_find_first(&s->pmu, s->state))
		return "it has no counters";
	if (~pmu_abilities(&s->pmu) & (PMU_INTERRUPT | PMU_PRIVILEGE))
		return "its counters do not tell rings apart, or do not interrupt";
	while (*c < s->pmu.counters &&
	       (!pmu_can_count(&s->pmu, *c, EV_INSTRUCTIONS) || pmu_is_deaf(&s->pmu, *c, &cfg)))
		++*c;
	return *c < s->pmu.counters ? NULL : "none of its counters counts instructions of ring 3";
}

static void find(struct company_seat *s)
{
	s->t = (struct run){.test = &in_company, .pmu = &s->pmu, .witness = &s->witness};
	s->t.skip = missing(s);
	if (s->t.skip)
		return;
	pmu_save(&s->pmu);
	pmu_reset(&s->pmu);
	for (unsigned i = 0; i < WINDOWS; i++) {
		run_alone(s, i);
		pmu_reset(&s->pmu);
	}
}

/* One that has no such counters comes along, for the others' sake. */
void company_run(void *seat)
{
	struct company_seat *s = seat;

	lock();
	find(s);
	unlock();
	for (unsigned i = 0; i < WINDOWS; i++) {
		if (!s->t.skip) {
			run_together(s, i);
			pmu_reset(&s->pmu);
			continue;
		}
		for (unsigned n = 0; n < STRETCHES + 2; n++)
			meet();
	}
	s->done = true;
}

void company_leave(struct company_seat *s)
{
	if (!s->done)
		company.broken = true;
	pmi_clean_up(&s->t);
	if (s->pmu.bank && !s->t.skip)
		pmu_restore(&s->pmu);
}

/* ---- on the firmware's processor ---- */

size_t company_size(unsigned members)
{
	return members * sizeof(struct company_seat);
}

struct company_seat *company_seat(void *memory, unsigned member)
{
	return (struct company_seat *)memory + member;
}

void company_take(struct company_seat *s, unsigned number)
{
	memset(s, 0, sizeof(*s));
	s->number = number;
}

void company_begin(unsigned members, uint64_t tsc_per_ms, unsigned most_ms)
{
	uint64_t ms = WAIT_MS + (uint64_t)members * WAIT_EACH_MS;

	memset(&company, 0, sizeof(company));
	company.members = members;
	company.patience = (ms < most_ms ? ms : most_ms) * tsc_per_ms;
	payloads_choose();
}

static void name_result(char *id, size_t size, const char *processor)
{
	fmt_print(id, size, "%s.-.%s.%s", processor, in_company.group, in_company.id);
}

bool company_selected(const char *processor, const char *filter)
{
	char id[48];

	name_result(id, sizeof(id), processor);
	return plan_selects(&in_company, id, filter, false);
}

/* What may come once, from outside: some more, in company; or an interrupt while it was alone. */
struct differences {
	unsigned windows, lines;
	bool same, grave;
};

/* False: enough of them are shown. */
static bool differ(struct differences *d, bool grave)
{
	d->same = false;
	d->grave |= grave;
	return d->lines++ < LINES_MOST;
}

static void compare_counts(const struct company_seat *s, unsigned window, struct differences *d)
{
	const struct seen *together = &s->together[window], *alone = &s->alone[window];
	const uint64_t slack = (test_in_kvm() ? ENTRIES_MOST : 0) +
			       (together->in_ring3 != alone->in_ring3 ? IRETS_MOST : 0);

	for (unsigned i = 0; i < s->w.n; i++) {
		uint64_t got = together->counted[i], want = alone->counted[i];

		if ((got + slack < want || got > want + slack) &&
		    differ(d, got + IRETS_MOST < want))
			report_diag("window %u: counter %u counted %llu, and %llu alone", window,
				    s->w.c[i].ctr, (unsigned long long)got,
				    (unsigned long long)want);
	}
}

static void compare_interrupts(const struct company_seat *s, const char *when, unsigned window,
			       const struct seen *seen, struct differences *d)
{
	if ((seen->interrupts != 1 || seen->explained != 1) &&
	    !pmu_effect(&s->pmu, LOSES_INTERRUPTS) && differ(d, seen->explained != 1))
		report_diag("window %u%s: %u interrupts, %u of them by its counter, expected 1",
			    window, when, (unsigned)seen->interrupts, (unsigned)seen->explained);
}

static bool differs(const struct company_seat *s)
{
	struct differences d = {0};

	for (unsigned i = 0; i < s->windows; i++) {
		d.same = true;
		compare_counts(s, i, &d);
		compare_interrupts(s, " alone", i, &s->alone[i], &d);
		compare_interrupts(s, "", i, &s->together[i], &d);
		d.windows += !d.same;
	}
	return d.grave || d.windows > 1;
}

static enum outcome judge(const struct company_seat *s, const char **why)
{
	if (s->t.refused)
		return OUTCOME_ERROR;
	if (*why && *why != broken && *why != test_ended)
		return OUTCOME_FAIL;
	if (s->t.skip)
		*why = s->t.skip;
	if (*why)
		return OUTCOME_SKIP;
	return differs(s) ? OUTCOME_FAIL : OUTCOME_PASS;
}

void company_report(const struct company_seat *s, const char *processor, const char *why)
{
	enum outcome outcome = judge(s, &why);
	char id[48];

	if (outcome == OUTCOME_FAIL) {
		report_diag("claim: %s", test_claim(&in_company));
		report_diag("clause: %s", in_company.clause);
	} else if (outcome == OUTCOME_PASS) {
		report_drop_diag();
	}
	name_result(id, sizeof(id), processor);
	report_result(id, outcome, why);
}

void company_report_lost(const char *processor, enum outcome outcome, const char *why)
{
	char id[48];

	name_result(id, sizeof(id), processor);
	report_result(id, outcome, why);
}
