/* SPDX-License-Identifier: BSD-2-Clause */
/* UBox: its fixed counter UCLK, and lock sequences as the one event that a program causes.  It has
 * no box control register: its counters open and close one after the other, but no lock comes in
 * between, so that what they say of the same locks is the same. */
#include "box.h"
#include "tests/lib/extent.h"

#define ON_UBOX .kinds = BOX_SYSTEM

/* Across the end of a line, for which the whole machine is locked.  Ten at a time. */
static void lock_ten(uintptr_t times)
{
	static uint8_t two_lines[128] __attribute__((aligned(64)));

	__asm__ volatile("1: .rept 10\n\tlock addl $1, (%1)\n\t.endr\n\tdec %0\n\tjnz 1b"
			 : "+c"(times)
			 : "r"(two_lines + 62)
			 : "memory", "cc");
}

void split_locks(void)
{
	lock_ten(SPLIT_LOCKS / 10);
}

#define GROUP "count", "privilege"

/* How many sequences a lock takes is open; that it starts one is not. */
TRIALS(locks, "each lock that crosses a line starts a lock sequence, on both counters alike",
       (.clause = LOCK, ON_UBOX, .absent = why_no_locks),
       {.load = split_locks,
	.cfg = {{.event = SYSTEM_LOCKS}, {.event = SYSTEM_LOCKS}},
	.law = {{{1}, AT_LEAST(SPLIT_LOCKS)}, {{1, -1}, EXACTLY(0)}}})

TRIALS(enable_gates, "a counter counts if its en is set, and else stands still",
       (.clause = COUNTER_CONTROL, ON_UBOX, .per_counter = true, .absent = why_no_locks),
       {.load = split_locks,
	.off = 0x2,
	.cfg = {{.event = SYSTEM_LOCKS}, {.event = SYSTEM_LOCKS}},
	.law = {{{1}, AT_LEAST(SPLIT_LOCKS)}, {{0, 1}, EXACTLY(0)}}})

/* ---- messages ---- */

/* So many messages in a window, and half of them in the microsecond that it is longer, are no
 * chance. */
#define MANY_MESSAGES 100u

static bool are_alike(const uint64_t *out)
{
	return out[0] < MANY_MESSAGES || out[1] >= out[0] / 2;
}

/* TSC before the first counter opens, and of the time in which both are open. */
static uint64_t begun, opened, closing;

static void note_begin(void)
{
	begun = rdtsc();
}

static void wait_between(void)
{
	opened = rdtsc();
	memory_drain();
	closing = rdtsc();
}

/* Something has come between the accesses that open or close them: one was open twice as long. */
static bool were_apart(void)
{
	return rdtsc() - begun > 2 * (closing - opened);
}

/* They come from devices and other cores, if any come, in two windows that are almost the same: the
 * other counter's window lies within the tested counter's window.  Windows that were apart, as
 * an SMI or a hypervisor makes them, say nothing of it and are tried again. */
BOX_TEST(messages, "of two windows the longer one has no fewer messages, and if many, both have",
	 .clause = "uncore guide, 2.2: EVENT_MSG", ON_UBOX, .per_counter = true)
{
	uint64_t out[TRIAL_COUNTERS];

	for (uint64_t kinds = box_event(kind_of(t), SYSTEM_MESSAGES)->unit_mask; kinds;
	     kinds &= kinds - 1) {
		const struct box_config cfg = {.event = SYSTEM_MESSAGES,
					       .bit = (uint8_t)(lowest_bit(kinds) + 1)};
		const struct trial trial = {.cfg = {cfg, cfg},
					    .nested = true,
					    .prepare = note_begin,
					    .load = wait_between};
		unsigned tries = 0;

		do {
			trial_run(t, &trial, out);
			CHECK_IS(t, out[0], >=, out[1]);
		} while (!are_alike(out) && were_apart() && ++tries < SHARP_TRIES);
		CHECK(t, are_alike(out));
	}
}

/* ---- UCLK ---- */

#undef GROUP
#define GROUP "traffic", "count"

static uint64_t read_uclk(struct run *t)
{
	return pmu_get(box_fixed_ctr(t->pmu));
}

BOX_TEST(uclk, "UCLK counts while it is enabled, and else stands still",
	 .clause = "uncore guide, 2.2: UBox fixed counter; SDM volume 4: MSR_UNC_PERF_FIXED_CTRL",
	 .kinds = HAS_UCLK, .absent = why_no_fixed)
{
	uint64_t tsc = rdtsc(), before, after;

	pmu_put(t->pmu, box_fixed_ctl(t->pmu), kind_of(t)->fixed.enable);
	box_run(t->pmu);
	before = read_uclk(t);
	wait_a_window();
	after = read_uclk(t);
	SKIP_IF(t, after == before && kind_of(t)->role == BOX_ARBITER,
		"UCLK stands still, as it does on some clients");
	CHECK_IS(t, after, >, before);
	report_diag("UCLK: %llu in %llu TSC ticks", (unsigned long long)(after - before),
		    (unsigned long long)(rdtsc() - tsc));
	pmu_put(t->pmu, box_fixed_ctl(t->pmu), 0);
	before = read_uclk(t);
	wait_a_window();
	CHECK_EQ(t, read_uclk(t), before);
}

/* ---- clocks without a lock ---- */

#undef GROUP
#define GROUP "invert", "threshold"

/* A lock takes a clock at least, and no clock has two locks or two messages. */
static void check_below(struct run *t, struct box_config event)
{
	struct trial trial = {
		.load = split_locks, .cfg = {event}, .law = {{{1}, AT_LEAST(SPLIT_LOCKS)}}};

	for (unsigned n = 2; n <= t->pmu->max_threshold; n *= 2) {
		trial.cfg[0].below = (uint16_t)n;
		judge(t, &trial);
	}
}

/* A clock has a message, or fewer than one. */
static void check_none(struct run *t, struct box_config message)
{
	struct trial trial = {.load = split_locks,
			      .cfg = {message, message},
			      .law = {{{1, 1}, AT_LEAST(SPLIT_LOCKS)}}};

	trial.cfg[0].below = 1;
	judge(t, &trial);
}

BOX_TEST(below_all, "each clock has fewer occurrences than a threshold that none can reach",
	 .clause = THRESHOLDS "; 2.2: EVENT_MSG and LOCK_CYCLES, one in a clock at most", ON_UBOX,
	 .per_counter = true, .absent = why_no_inversion)
{
	const struct box_event *messages = box_event(kind_of(t), SYSTEM_MESSAGES);
	const struct box_config locks = {.event = SYSTEM_LOCKS};

	if (!box_lacks(kind_of(t), &locks))
		check_below(t, locks);
	for (uint64_t kinds = messages->unit_mask; kinds; kinds &= kinds - 1) {
		const struct box_config message = {.event = SYSTEM_MESSAGES,
						   .bit = (uint8_t)(lowest_bit(kinds) + 1)};

		check_below(t, message);
		check_none(t, message);
	}
}

static const struct box_config none = {.event = SYSTEM_LOCKS, .below = 1};

static const char *why_no_clocks_without(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return box_lacks(box_of(pmu)->kind, &none);
}

static struct clock clock_of(const struct run *t, unsigned ctr, struct box_config cfg)
{
	return (struct clock){
		.box = t->pmu,
		.ctl = t->pmu->counter[ctr].ctl,
		.on = (uint32_t)box_encode(kind_of(t), &cfg),
		.ctr = t->pmu->counter[ctr].ctr,
		.now = by_counter,
		.reference = t->pmu,
		.reference_ctr = box_fixed_ctr(t->pmu),
	};
}

BOX_TEST(lock_clocks, "a clock in which no lock sequence starts is one with fewer than one",
	 .clause = THRESHOLDS, ON_UBOX, .absent = why_no_clocks_without)
{
	const struct clock clock[] = {clock_of(t, 0, none), clock_of(t, 1, none)};
	struct span s[2];

	measure_clocks(t, clock, 2, FIRST_US, SHARP, s);
	for (unsigned c = 0; c < 2; c++)
		CHECK(t, is_same_rate(&s[c], WRITE_LAG));
}

/* ---- the same in windows of millions of clocks ---- */

#undef GROUP
#define GROUP "rare", "interrupt"

/* Half a second for three million, which is a billion clocks: of a million one is more than what
 * two writes take on silicon. */
#define UCLK_US(events) ((events) / 6)

/* The processor and its memory stand still for each: 100,000 for three million. */
static uint32_t many_locks(void)
{
	return rare_events() / 30;
}

static void lock_often(void)
{
	lock_ten(many_locks() / 10);
}

BOX_TEST(sequences, "of very many lock sequences both counters count each", .clause = LOCK, ON_UBOX,
	 .rare = true, .absent = why_no_locks)
{
	const struct trial trial = {.load = lock_often,
				    .cfg = {{.event = SYSTEM_LOCKS}, {.event = SYSTEM_LOCKS}}};
	uint64_t out[TRIAL_COUNTERS];

	trial_run(t, &trial, out);
	CHECK_IS(t, out[0], >=, many_locks() / 10 * 10);
	CHECK_EQ(t, out[0], out[1]);
}

/* Locks of others, if there are any, are counted beside them. */
BOX_TEST(clocks,
	 "clocks in which no lock sequence starts, and those in which one does, are all clocks",
	 .clause = THRESHOLDS, ON_UBOX, .per_counter = true, .rare = true,
	 .absent = why_no_clocks_without)
{
	const struct clock clock[] = {
		clock_of(t, t->counter, none),
		clock_of(t, 1 - t->counter, (struct box_config){.event = SYSTEM_LOCKS})};
	struct span s[2];

	measure_clocks(t, clock, 2, UCLK_US(rare_events()), SHARP, s);
	s[0].count += s[1].count;
	if (!CHECK(t, is_same_rate(&s[0], WRITE_LAG)))
		report_span("clocks of both kinds, and UCLK", &s[0]);
}
