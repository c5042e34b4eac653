/* SPDX-License-Identifier: BSD-2-Clause */
/* UBox: its fixed counter UCLK, and lock sequences as the one event that a program causes.  It has
 * no box control register: its counters open and close one after the other, but no lock comes in
 * between, so that what they say of the same locks is the same. */
#include "snbep.h"

#define UCLK "Intel 327043-001, 2.2: UBox fixed counter"
#define LOCK "Intel 327043-001, 2.2: LOCK_CYCLES, the number of lock sequences started"

/* ---- UCLK ---- */

static uint64_t read_uclk(struct run *t)
{
	return snbep_get_counter(t->pmu, U_MSR_PMON_UCLK_FIXED_CTR);
}

#define GROUP "traffic"

SNBEP_TEST(uclk, "UCLK counts while it is enabled, and else stands still", .clause = UCLK,
	   .kinds = SNBEP_UBOX)
{
	uint64_t tsc = rdtsc(), before, after;

	snbep_put(t->pmu, U_MSR_PMON_UCLK_FIXED_CTL, FIXED_CTL_EN);
	before = read_uclk(t);
	wait_a_window();
	after = read_uclk(t);
	CHECK(t, after > before);
	report_diag("UCLK: %llu in %llu TSC ticks", (unsigned long long)(after - before),
		    (unsigned long long)(rdtsc() - tsc));
	snbep_put(t->pmu, U_MSR_PMON_UCLK_FIXED_CTL, 0);
	before = read_uclk(t);
	wait_a_window();
	CHECK_EQ(t, read_uclk(t), before);
}

#undef GROUP

/* ---- locks ---- */

#define SPLIT_LOCKS 100u

/* Across the end of a line, for which the whole machine is locked. */
static void split_locks(void)
{
	static uint8_t two_lines[128] __attribute__((aligned(64)));
	uint64_t left = SPLIT_LOCKS;

	__asm__ volatile("1: lock addl $1, (%1)\n\tdec %0\n\tjnz 1b"
			 : "+c"(left)
			 : "r"(two_lines + 62)
			 : "memory", "cc");
}

/* The counter under test on the first configuration, the other one on the second. */
static struct window count_locks(struct run *t, struct snbep_config one, struct snbep_config other)
{
	return box_count(t, t->counter, CONFIGS(one, other), split_locks);
}

static const struct snbep_config lock_cycles = {UBOX_LOCK_CYCLES};

#define GROUP "count"

/* How many sequences a lock takes is open; that it starts one is not. */
SNBEP_TEST(locks, "each lock that crosses a line starts a lock sequence, on both counters alike",
	   .clause = LOCK, .kinds = SNBEP_UBOX)
{
	struct window w = count_locks(t, lock_cycles, lock_cycles);

	CHECK(t, w.c[0].out >= SPLIT_LOCKS);
	CHECK_EQ(t, w.c[1].out, w.c[0].out);
}

SNBEP_TEST(enable_gates, "a counter counts if its en is set, and else stands still",
	   .clause = COUNTER_CONTROL, .kinds = SNBEP_UBOX, .per_counter = true)
{
	struct window w = box_window(t, t->counter, CONFIGS(lock_cycles, lock_cycles), split_locks);

	w.c[1].waits = true;
	window_run(t, &w);
	CHECK(t, w.c[0].out >= SPLIT_LOCKS);
	CHECK_EQ(t, w.c[1].out, 0);
}

/* ---- messages ---- */

#define MESSAGES      "Intel 327043-001, 2.2: EVENT_MSG"
#define MESSAGE_KINDS 5u
#define MESSAGES_US   1000u
/* So many in a window, and half of them in the microsecond that it is longer, is no chance. */
#define MANY_MESSAGES 100u

/* By both counters, of which the first one's window is the longer one; by the TSC. */
static struct span count_messages(struct run *t, struct window *w)
{
	uint64_t before, open, close;

	window_program(t, w);
	before = rdtsc();
	window_open(t, w);
	open = rdtsc();
	machine_delay_us(MESSAGES_US);
	close = rdtsc();
	window_close(t, w);
	return (struct span){.inner = close - open, .outer = rdtsc() - before};
}

/* So that half of the messages are no question of how long the two windows are. */
static bool are_alike(const struct span *s)
{
	return s->outer - s->inner <= s->inner / 4;
}

/* They come from devices and other cores, if any come: two windows that are almost the same. */
SNBEP_TEST(messages, "of two windows the longer one has no fewer messages, and if many, both have",
	   .clause = MESSAGES, .kinds = SNBEP_UBOX, .per_counter = true)
{
	for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) {
		const struct snbep_config cfg = {SNBEP_EVENT(0x42, (uint8_t)(1u << kind))};
		struct window w = box_window(t, t->counter, CONFIGS(cfg, cfg), NULL);
		struct span s = count_messages(t, &w);

		for (unsigned i = 1; i < SHARP_TRIES && !are_alike(&s); i++)
			s = count_messages(t, &w);
		CHECK(t, w.c[0].out >= w.c[1].out);
		if (!are_alike(&s))
			test_cannot_judge(t, "each time something came between the accesses");
		else
			CHECK(t, w.c[0].out < MANY_MESSAGES || w.c[1].out >= w.c[0].out / 2);
	}
}

#undef GROUP
#define GROUP "access"

/* A carry into the top bit, and one out of it. */
SNBEP_TEST(counter_wraps, "a counter goes from its largest value to 0 and on, unhindered",
	   .clause = "Intel 327043-001, 2.1.1: counter overflow", .kinds = SNBEP_UBOX,
	   .per_counter = true)
{
	const unsigned width = t->pmu->counter[t->counter].width;
	struct window w = box_window(t, t->counter, CONFIGS(lock_cycles, lock_cycles), split_locks);

	for (unsigned bit = width - 1; bit <= width; bit++) {
		uint64_t passed;

		w.c[0].from = BIT(bit) - 1;
		window_run(t, &w);
		passed = snbep_get_counter(t->pmu, t->pmu->counter[t->counter].ctr.address);
		CHECK_EQ(t, passed, (BIT(bit) & pmu_mask(t->pmu, t->counter)) + w.c[1].out - 1);
	}
}

#undef GROUP
#define GROUP "threshold"

SNBEP_TEST(lock_steps, "a clock starts one lock sequence or none, and never two or more",
	   .clause = THRESHOLDS, .kinds = SNBEP_UBOX, .per_counter = true)
{
	struct window w = box_window(t, t->counter, CONFIGS(lock_cycles, lock_cycles), split_locks);

	/* Each bit of the field. */
	for (unsigned n = 1; n <= t->pmu->max_threshold; n *= 2) {
		w.c[0].box.at_least = (uint8_t)n;
		window_run(t, &w);
		CHECK(t, w.c[1].out >= SPLIT_LOCKS);
		CHECK_EQ(t, w.c[0].out, n == 1 ? w.c[1].out : 0);
	}
}

#undef GROUP
#define GROUP    "invert"

#define COUNTERS 2u

/* Straight at the registers, as what lies between two accesses blurs the window. */
static uint64_t uclk_now(const void *ctl)
{
	(void)ctl;
	return rdmsr(U_MSR_PMON_UCLK_FIXED_CTR);
}

struct gate {
	uint32_t msr;
	uint64_t open;
};

static void set_gate(const void *of, bool open)
{
	const struct gate *gate = of;

	wrmsr(gate->msr, open ? gate->open : 0);
}

static void count_clocks(const void *arg, uint32_t us, struct span *s)
{
	const struct snbep_config none = {UBOX_LOCK_CYCLES, .below = 1};
	const struct pmu *pmu = arg;
	struct bracket b[COUNTERS];
	struct gate gates[COUNTERS];

	snbep_reset(pmu);
	for (unsigned c = 0; c < COUNTERS; c++) {
		gates[c] = (struct gate){pmu->counter[c].ctl.address,
					 snbep_encode(snbep_box(pmu)->kind, &none)};
		b[c] = (struct bracket){.of = &gates[c], .now = uclk_now, .gate = set_gate};
	}
	snbep_put(pmu, U_MSR_PMON_UCLK_FIXED_CTL, FIXED_CTL_EN);
	brackets_run(b, COUNTERS, us);
	for (unsigned c = 0; c < COUNTERS; c++)
		s[c] = bracket_span(&b[c], pmu_read(pmu, c));
}

SNBEP_TEST(lock_clocks, "a clock in which no lock sequence starts is one with fewer than one",
	   .clause = THRESHOLDS, .kinds = SNBEP_UBOX)
{
	struct span s[COUNTERS];

	t->programmed = BIT(COUNTERS) - 1;
	spans_sharpen(count_clocks, t->pmu, VERY_SHARP_FIRST_US, is_very_sharp, COUNTERS, s);
	SKIP_IF(t, !all_spans(s, COUNTERS, is_sharp), NOT_SHARP);
	for (unsigned c = 0; c < COUNTERS; c++)
		CHECK(t, is_same_rate(&s[c], WRITE_LAG));
}

#undef GROUP
#define GROUP "edge"

/* 1: whether the condition counts as false before the first clock is not documented. */
SNBEP_TEST(lock_edges, "lock sequences begin and end in turn, and begin no more often than counted",
	   .clause = THRESHOLDS, .kinds = SNBEP_UBOX, .per_counter = true)
{
	const struct snbep_config rises = {UBOX_LOCK_CYCLES, .at_least = 1, .edge = true};
	const struct snbep_config falls = {UBOX_LOCK_CYCLES, .below = 1, .edge = true};
	struct window w = count_locks(t, rises, lock_cycles);

	CHECK(t, w.c[0].out > 0 && w.c[0].out <= w.c[1].out);
	w = count_locks(t, falls, rises);
	CHECK(t, w.c[0].out <= w.c[1].out + 1 && w.c[1].out <= w.c[0].out + 1);
}
