/* SPDX-License-Identifier: BSD-2-Clause */
/* UBox: its fixed counter UCLK, and lock sequences as the one event that a program causes.  It has
 * no box control register: its counters open and close one after the other, but no lock comes in
 * between, so that what they say of the same locks is the same. */
#include "kernel/console/report.h"
#include "kernel/cpu.h"
#include "kernel/fault.h"
#include "kernel/machine.h"
#include "window.h"

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
static void lock_window(struct run *t, const struct snbep_config *cfg, uint64_t *out)
{
	unsigned ctr[2];

	counters_in_turn(t, 2, ctr);
	box_window(t, 2, ctr, cfg, split_locks, out);
}

#define GROUP "count"

/* How many sequences a lock takes is open; that it starts one is not. */
SNBEP_TEST(locks, "each lock that crosses a line starts a lock sequence, on both counters alike",
	   .clause = LOCK, .kinds = SNBEP_UBOX)
{
	const struct snbep_config cfg[2] = {{UBOX_LOCK_CYCLES}, {UBOX_LOCK_CYCLES}};
	uint64_t out[2];

	lock_window(t, cfg, out);
	CHECK(t, out[0] >= SPLIT_LOCKS);
	CHECK_EQ(t, out[1], out[0]);
}

SNBEP_TEST(enable_gates, "a counter counts if its en is set, and else stands still",
	   .clause = COUNTER_CONTROL, .kinds = SNBEP_UBOX, .per_counter = true)
{
	const struct snbep_config cfg[2] = {{UBOX_LOCK_CYCLES}, {UBOX_LOCK_CYCLES}};
	unsigned ctr[2];

	counters_in_turn(t, 2, ctr);
	box_program(t, 2, ctr, cfg);
	snbep_put(t->pmu, t->pmu->counter[ctr[1]].ctl.address, cfg[1].event);
	split_locks();
	CHECK(t, pmu_read(t->pmu, ctr[0]) >= SPLIT_LOCKS);
	CHECK_EQ(t, pmu_read(t->pmu, ctr[1]), 0);
}

/* ---- messages ---- */

#define MESSAGES      "Intel 327043-001, 2.2: EVENT_MSG"
#define MESSAGE_KINDS 5u
#define MESSAGES_US   1000
/* So many in a window, and half of them in the microsecond that it is longer, is no chance. */
#define MANY_MESSAGES 100u

/* out[0] in all of the window of out[1] and a little more: they open as they are programmed. */
static void nested_window(struct run *t, const unsigned ctr[2], const struct snbep_config *cfg,
			  uint64_t out[2])
{
	const struct snbep_config both[2] = {*cfg, *cfg};

	box_program(t, 2, ctr, both);
	machine_delay_us(MESSAGES_US);
	snbep_put(t->pmu, t->pmu->counter[ctr[1]].ctl.address, 0);
	snbep_put(t->pmu, t->pmu->counter[ctr[0]].ctl.address, 0);
	for (unsigned i = 0; i < 2; i++)
		out[i] = pmu_read(t->pmu, ctr[i]);
}

/* They come from devices and other cores, if any come: two windows that are almost the same. */
SNBEP_TEST(messages, "of two windows the longer one has no fewer messages, and if many, both have",
	   .clause = MESSAGES, .kinds = SNBEP_UBOX, .per_counter = true)
{
	unsigned ctr[2];
	uint64_t out[2];

	counters_in_turn(t, 2, ctr);
	for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) {
		const struct snbep_config cfg = {SNBEP_EVENT(0x42, (uint8_t)(1u << kind))};

		nested_window(t, ctr, &cfg, out);
		CHECK(t, out[0] >= out[1]);
		CHECK(t, out[0] < MANY_MESSAGES || out[1] >= out[0] / 2);
	}
}

#undef GROUP
#define GROUP "access"

/* A carry into the top bit, and one out of it. */
SNBEP_TEST(counter_wraps, "a counter goes from its largest value to 0 and on, unhindered",
	   .clause = "Intel 327043-001, 2.1.1: counter overflow", .kinds = SNBEP_UBOX,
	   .per_counter = true)
{
	const struct snbep_config cfg[2] = {{UBOX_LOCK_CYCLES}, {UBOX_LOCK_CYCLES}};
	uint64_t passed, locks;
	unsigned ctr[2];

	counters_in_turn(t, 2, ctr);
	for (unsigned bit = t->pmu->counter[t->counter].width - 1u;
	     bit <= t->pmu->counter[t->counter].width; bit++) {
		box_program(t, 2, ctr, cfg);
		pmu_write(t->pmu, ctr[0], BIT(bit) - 1);
		split_locks();
		passed = snbep_get_counter(t->pmu, t->pmu->counter[ctr[0]].ctr.address);
		locks = pmu_read(t->pmu, ctr[1]);
		CHECK_EQ(t, passed, (BIT(bit) & pmu_mask(t->pmu, t->counter)) + locks - 1);
	}
}

#undef GROUP
#define GROUP "threshold"

SNBEP_TEST(lock_steps, "a clock starts one lock sequence or none, and never two or more",
	   .clause = THRESHOLDS, .kinds = SNBEP_UBOX, .per_counter = true)
{
	struct snbep_config cfg[2] = {{UBOX_LOCK_CYCLES}, {UBOX_LOCK_CYCLES}};
	uint64_t out[2];

	/* Each bit of the field. */
	for (unsigned n = 1; n <= t->pmu->max_threshold; n *= 2) {
		cfg[0].at_least = (uint8_t)n;
		lock_window(t, cfg, out);
		CHECK(t, out[1] >= SPLIT_LOCKS);
		CHECK_EQ(t, out[0], n == 1 ? out[1] : 0);
	}
}

#undef GROUP
#define GROUP    "invert"

#define COUNTERS 2u

/* One after the other; straight at the registers, as what lies between two accesses blurs the
 * window. */
static void count_clocks(struct run *t, uint32_t us, struct span *s)
{
	const struct snbep_config locks[COUNTERS] = {{UBOX_LOCK_CYCLES}, {UBOX_LOCK_CYCLES}};
	const struct snbep_config none = {UBOX_LOCK_CYCLES, .below = 1};
	const uint32_t value = snbep_encode(kind_of(t), &none);
	uint64_t opened[COUNTERS + 1], closed[COUNTERS + 1];

	box_program(t, COUNTERS, NULL, locks);
	snbep_put(t->pmu, U_MSR_PMON_UCLK_FIXED_CTL, FIXED_CTL_EN);
	opened[0] = rdmsr(U_MSR_PMON_UCLK_FIXED_CTR);
	for (unsigned c = 0; c < COUNTERS; c++) {
		wrmsr(t->pmu->counter[c].ctl.address, value);
		opened[c + 1] = rdmsr(U_MSR_PMON_UCLK_FIXED_CTR);
	}
	machine_delay_us(us);
	closed[0] = rdmsr(U_MSR_PMON_UCLK_FIXED_CTR);
	for (unsigned c = 0; c < COUNTERS; c++) {
		wrmsr(t->pmu->counter[c].ctl.address, 0);
		closed[c + 1] = rdmsr(U_MSR_PMON_UCLK_FIXED_CTR);
	}
	for (unsigned c = 0; c < COUNTERS; c++)
		s[c] = (struct span){closed[c] - opened[c + 1], closed[c + 1] - opened[c],
				     pmu_read(t->pmu, c)};
}

SNBEP_TEST(lock_clocks, "a clock in which no lock sequence starts is one with fewer than one",
	   .clause = THRESHOLDS, .kinds = SNBEP_UBOX)
{
	uint32_t us = VERY_SHARP_FIRST_US;
	struct span s[COUNTERS];

	count_clocks(t, us, s);
	for (unsigned i = 1; i < SHARP_TRIES && !all_spans(s, COUNTERS, is_very_sharp); i++) {
		us = very_sharp_us(s, COUNTERS, us);
		count_clocks(t, us, s);
	}
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
	uint64_t out[2];

	lock_window(t, (const struct snbep_config[]){rises, {UBOX_LOCK_CYCLES}}, out);
	CHECK(t, out[0] > 0 && out[0] <= out[1]);
	lock_window(t, (const struct snbep_config[]){falls, rises}, out);
	CHECK(t, out[0] <= out[1] + 1 && out[1] <= out[0] + 1);
}
