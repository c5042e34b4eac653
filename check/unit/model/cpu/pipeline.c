/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline: instructions become clocks; and the way of an interrupt request. */
#include "model/cpu/pipeline.h"
#include "kernel/lib/bits.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

#define CTL              UINT32_C(0xc0010000)
#define CTR              UINT32_C(0xc0010004)
#define COUNTER_ALL_ONES (BIT(48) - 1)

static struct silicon *const cpu = &silicon_cpu;
static struct pipeline pipeline;
static char trace[256]; /* one letter per clock: instructions retired; capitals: ring 3 */
static unsigned sums[SIGNAL_COUNT];

static void record(void *arg, const struct clock *clock)
{
	size_t length = strlen(trace);

	(void)arg;
	trace[length] = (char)((clock->cpl ? 'A' : 'a') + clock->n[SIGNAL_INSTRUCTIONS]);
	trace[length + 1] = '\0';
	for (unsigned i = 0; i < SIGNAL_COUNT; i++)
		sums[i] += clock->n[i];
}

static struct insn plain(void)
{
	return (struct insn){.uops = 1};
}

static void retire(enum insn_class class, unsigned cpl, bool taken)
{
	struct insn insn = plain();

	insn.class = class;
	pipeline_retire(&pipeline, &insn, cpl, taken, true);
}

static void begin(unsigned width)
{
	static struct retirement rules = {.counts_deliveries = true};

	rules.width = width;
	pipeline_reset(&pipeline, &rules, record, NULL);
	trace[0] = '\0';
	memset(sums, 0, sizeof(sums));
}

static void test_width(void)
{
	begin(3);
	for (unsigned i = 0; i < 7; i++)
		retire(INSN_PLAIN, 0, false);
	SAME(trace, "dd");
	pipeline_close(&pipeline);
	SAME(trace, "ddb");
	pipeline_close(&pipeline);
	SAME(trace, "ddb");
	begin(4);
	for (unsigned i = 0; i < 8; i++)
		retire(INSN_PLAIN, 3, false);
	SAME(trace, "EE");
}

static void test_branch_ends_clock(void)
{
	begin(3);
	retire(INSN_PLAIN, 0, false);
	retire(INSN_JCC, 0, true);
	retire(INSN_JCC, 0, false);
	retire(INSN_PLAIN, 0, false);
	retire(INSN_PLAIN, 0, false);
	retire(INSN_RET, 0, true);
	retire(INSN_CALL, 0, true);
	retire(INSN_JMP, 0, false); /* to the next instruction: taken all the same */
	SAME(trace, "cdbbb");
	OK(sums[SIGNAL_BRANCHES] == 5 && sums[SIGNAL_TAKEN] == 4);
	OK(sums[SIGNAL_CONDITIONAL] == 2 && sums[SIGNAL_NEAR_RETURNS] == 1);
	OK(sums[SIGNAL_FAR] == 0 && sums[SIGNAL_CYCLES] == 5 && sums[SIGNAL_MASKED_CYCLES] == 0);
}

static void test_dependency(void)
{
	struct insn writer = plain(), reader = plain(), other = plain();

	writer.writes = 1 << 9;
	reader.reads = 1 << 9;
	other.reads = 1 << 9;
	begin(3);
	pipeline_retire(&pipeline, &writer, 0, false, true);
	pipeline_retire(&pipeline, &reader, 0, false, true);
	pipeline_retire(&pipeline, &other, 0, false, true);
	pipeline_retire(&pipeline, &writer, 0, false, true);
	pipeline_retire(&pipeline, &writer, 0, false, true);
	pipeline_retire(&pipeline, &other, 0, false, true);
	pipeline_close(&pipeline);
	SAME(trace, "bdbb");
}

static void test_stalls(void)
{
	struct insn divide = plain(), load = plain(), fence = plain();

	divide.long_latency = true;
	load.loads = 1;
	fence.serializing = true;
	begin(3);
	retire(INSN_PLAIN, 0, false);
	pipeline_retire(&pipeline, &divide, 0, false, true);
	pipeline_close(&pipeline);
	SAME(trace, "baaab");
	begin(3);
	for (unsigned i = 0; i < 9; i++)
		pipeline_retire(&pipeline, &load, 0, false, true);
	SAME(trace, "ddbaaaaa"); /* the eighth misses */
	begin(3);
	retire(INSN_PLAIN, 0, false);
	pipeline_retire(&pipeline, &fence, 0, false, false);
	SAME(trace, "bbaaaa");
	OK(sums[SIGNAL_MASKED_CYCLES] == 5);
}

/* An instruction that changes the level is counted in the mode that it goes to. */
static void test_crossing(void)
{
	begin(3);
	retire(INSN_PLAIN, 0, false);
	retire(INSN_FAR, 3, true); /* IRETQ */
	retire(INSN_PLAIN, 3, false);
	retire(INSN_INT, 3, false); /* nothing: its delivery counts */
	pipeline_deliver(&pipeline, DELIVERY_SOFTWARE, 0);
	retire(INSN_SYSRET, 3, true);
	retire(INSN_SYSCALL, 0, true);
	SAME(trace, "bBAAAABbaaaaBAAAAbaaaa");
	OK(sums[SIGNAL_FAR] == 4 && sums[SIGNAL_BRANCHES] == 4 && sums[SIGNAL_TAKEN] == 4);
	OK(sums[SIGNAL_INTERRUPTS] == 0 && sums[SIGNAL_INSTRUCTIONS] == 6);
	pipeline_deliver(&pipeline, DELIVERY_HARDWARE, 0);
	pipeline_deliver(&pipeline, DELIVERY_EXCEPTION, 0);
	OK(sums[SIGNAL_FAR] == 6 && sums[SIGNAL_INTERRUPTS] == 1);
	OK(sums[SIGNAL_INSTRUCTIONS] == 8);
}

static void test_sub_events(void)
{
	struct insn fp = plain(), segment = plain();

	fp.sub_event = SUB_MMX;
	segment.sub_event = SUB_SEGMENT(3);
	begin(3);
	pipeline_retire(&pipeline, &fp, 0, false, true);
	pipeline_retire(&pipeline, &fp, 0, false, true);
	pipeline_retire(&pipeline, &segment, 0, false, true);
	OK(sums[SIGNAL_FP] == 0 && sums[SIGNAL_FP + 1] == 2);
	OK(sums[SIGNAL_SEGMENT] == 0 && sums[SIGNAL_SEGMENT + 3] == 1);
}

/* ---- the whole processor ---- */

static uint64_t counter(unsigned n)
{
	uint64_t value = 0;

	silicon_rdmsr(cpu, CTR + n, &value);
	return value;
}

static void run(unsigned count)
{
	struct insn insn = plain();

	while (count--)
		silicon_retire(cpu, &insn, 0, false, true);
}

static void test_exact_reads(void)
{
	struct insn fp = plain();

	silicon_reset(cpu, profile_find("zen2"), NULL);
	OK(!silicon_counting(cpu));
	silicon_wrmsr(cpu, CTL, 0x4300c0);
	OK(silicon_counting(cpu));
	silicon_wrmsr(cpu, CTL + 1, 0x4302cb);
	silicon_wrmsr(cpu, CTL + 2, 0x4303cb);
	silicon_wrmsr(cpu, CTL + 3, 0x430076);
	run(1);
	OK(counter(0) == 1 && counter(3) == 1);
	run(6);
	OK(counter(0) == 7 && counter(3) == 3);
	fp.sub_event = SUB_X87;
	silicon_retire(cpu, &fp, 0, false, true);
	fp.sub_event = SUB_MMX;
	silicon_retire(cpu, &fp, 0, false, true);
	OK(counter(0) == 9 && counter(1) == 1 && counter(2) == 2);
	silicon_wrmsr(cpu, CTL, 0x0300c0);
	OK(silicon_counting(cpu));
	for (unsigned i = 1; i < 4; i++)
		silicon_wrmsr(cpu, CTL + i, 0x400076); /* enabled, in no mode */
	OK(!silicon_counting(cpu));
	silicon_wrmsr(cpu, CTL, UINT64_C(0x100004300c0)); /* guest only, without SVM */
	OK(!silicon_counting(cpu));
}

/* Instructions from the overflow until the request is taken. */
static unsigned latency(const char *profile)
{
	silicon_reset(cpu, profile_find(profile), NULL);
	silicon_wrmsr(cpu, CTR, UINT64_C(0xfffffffffff4)); /* -12: a multiple of either width */
	silicon_wrmsr(cpu, CTL, 0x5300c0);
	run(11);
	OK(silicon_take_pmi(cpu, 0).due == 0);
	run(1);
	for (unsigned i = 0; i < 20; i++) {
		if (silicon_take_pmi(cpu, 0).due)
			return i;
		run(1);
	}
	return 99;
}

static void test_requests(void)
{
	OK(latency("k7") == 0);
	OK(latency("k8") == 3);
	OK(latency("zen2") == 7);
	OK(silicon_take_pmi(cpu, 0).due == 0 && !silicon_take_pmi(cpu, 0).masks_lvt);
	/* A second one while the first is pending merges with it. */
	silicon_wrmsr(cpu, CTR, COUNTER_ALL_ONES);
	run(4);
	silicon_wrmsr(cpu, CTR, COUNTER_ALL_ONES);
	run(4 + 3);
	OK(silicon_take_pmi(cpu, 0).due == 1);
	run(20);
	OK(silicon_take_pmi(cpu, 0).due == 0);
	/* One due after counting has stopped still comes. */
	silicon_wrmsr(cpu, CTR, COUNTER_ALL_ONES);
	run(1);
	silicon_wrmsr(cpu, CTL, 0);
	OK(silicon_take_pmi(cpu, 0).due == 0);
	silicon_flush(cpu);
	OK(silicon_take_pmi(cpu, 0).due == 1);
	OK(silicon_take_pmi(cpu, 0).due == 0);
}

int main(void)
{
	test_width();
	test_branch_ends_clock();
	test_dependency();
	test_stalls();
	test_crossing();
	test_sub_events();
	test_exact_reads();
	test_requests();
	return tap_end();
}
