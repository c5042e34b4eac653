/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore of Nehalem, which is one box: what memory brings, and its overflows. */
#include "box.h"

#define GROUP    "traffic", "count"
#define ON_WHOLE .kinds = BOX_WHOLE
#define EVENTS   .clause = "SDM volume 3B, 20.3.1.2: uncore events 08H, 09H, 2CH, 2FH", ON_WHOLE

/* Of all lines at least: other cores and devices only add to them. */
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT

TRIALS(lines_read, "each line loaded that no cache has is missed, and read from memory",
       (EVENTS, .per_counter = true), {LOADED, COUNTS(.event = WHOLE_MISSES, ALL_LINES)},
       {LOADED, COUNTS(.event = WHOLE_READS, ALL_LINES)})

TRIALS(lines_written, "each line written back is written to memory", (EVENTS),
       {FLUSHED, .around = true, COUNTS(.event = WHOLE_WRITES, ALL_LINES)})

/* Half of the lines: no others miss as often in so short a time. */
TRIALS(lines_hit, "lines that left the core's own caches are found in the last one", (EVENTS),
       {.prepare = memory_fill,
	.load = memory_load_many,
	.cfg = {{.event = WHOLE_MISSES}, {.event = WHOLE_HITS}},
	.law = {{{1}, AT_MOST(MEMORY_LINES / 2)}, {{0, 1}, AT_LEAST(MEMORY_LINES / 4)}}})

BOX_TEST(clocks, "UCLK is what a counter counts of clocks, as one write starts both",
	 .clause = "SDM volume 4: MSR_UNCORE_PERF_GLOBAL_CTRL, MSR_UNCORE_FIXED_CTR0", ON_WHOLE)
{
	put_clocks(t, t->pmu);
	pmu_put(t->pmu, box_fixed_ctl(t->pmu), kind_of(t)->fixed.enable);
	box_run(t->pmu);
	wait_a_window();
	box_freeze(t->pmu);
	CHECK_IS(t, pmu_read(t->pmu, 0), >, 0);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		CHECK_EQ(t, pmu_get(box_fixed_ctr(t->pmu)), pmu_read(t->pmu, c));
}

/* ---- overflows ---- */

#undef GROUP
#define GROUP "overflow", "edge"
#define GLOBALS                                                                                    \
	.clause = "SDM volume 4: MSR_UNCORE_PERF_GLOBAL_CTRL, _STATUS, _OVF_CTRL", ON_WHOLE,       \
	.per_counter = true

enum { FROM_END = MEMORY_LINES / 2 };

/* The counter overflows while memory is read; interrupt: its control says that it interrupts. */
static void prepare(struct run *t, bool interrupt)
{
	const struct box_kind *kind = kind_of(t);
	const struct box_config cfg = {.event = WHOLE_MISSES};

	box_reset(t->pmu);
	pmu_put(t->pmu, t->pmu->counter[t->counter].ctl,
		box_encode(kind, &cfg) | (interrupt ? kind->select->interrupt : 0));
	pmu_write(t->pmu, t->counter, pmu_mask(t->pmu, t->counter) - FROM_END);
	memory_clean();
}

static void run(struct run *t, uint64_t more)
{
	pmu_put(t->pmu, t->pmu->bank->gate, box_gating(kind_of(t))->run | more);
	irq_enable();
	memory_load();
	pmi_settle();
	irq_disable();
}

static uint64_t own_bit(const struct run *t)
{
	return pmu_global_bit(t->pmu, t->counter);
}

BOX_TEST(status, "an overflow sets the counter's status bit, which stands until it is cleared",
	 GLOBALS)
{
	const uint64_t all = kind_of(t)->interrupts->overflows;
	const struct pmu_reg status = box_status(t->pmu);

	prepare(t, false);
	CHECK_EQ(t, pmu_get(status) & all, 0);
	run(t, 0);
	pmu_put(t->pmu, t->pmu->bank->gate, 0);
	CHECK_EQ(t, pmu_get(status) & all, own_bit(t));
	pmu_put(t->pmu, box_clear(t->pmu), all & ~own_bit(t));
	CHECK_EQ(t, pmu_get(status) & all, own_bit(t));
	pmu_put(t->pmu, box_clear(t->pmu), own_bit(t));
	CHECK_EQ(t, pmu_get(status) & all, 0);
}

/* ---- interrupts ---- */

#undef GROUP
#define GROUP      "interrupt", "overflow"
#define INTERRUPTS GLOBALS, .needs = PMU_INTERRUPT

/* The register has no bit for further cores. */
static void skip_if_none(struct run *t)
{
	struct cpu_seat here;

	seat_find(&here);
	SKIP_IF(t, here.core >= bits_in(kind_of(t)->interrupts->cores),
		"the global control has no bit for this core");
}

/* The register is the core's, which gives it back. */
static void let_in(const struct run *t, bool on)
{
	const uint32_t msr = kind_of(t)->interrupts->lets_in.msr;
	const uint64_t bit = kind_of(t)->interrupts->lets_in.bit;

	wrmsr(msr, (rdmsr(msr) & ~bit) | (on ? bit : 0));
}

/* How many come with these bits of the global control, beside those of counters. */
static uint64_t interrupts(struct run *t, bool interrupt, bool heard, uint64_t more, uint32_t lvt)
{
	prepare(t, interrupt);
	let_in(t, heard);
	pmi_arm(t, lvt, BIT(t->counter));
	run(t, more);
	pmu_put(t->pmu, t->pmu->bank->gate, 0);
	pmi_disarm(t);
	return t->log.count;
}

BOX_TEST(to_these_cores, "an overflow interrupts the cores that are chosen, once", INTERRUPTS)
{
	const uint64_t cores = kind_of(t)->interrupts->cores;

	skip_if_none(t);
	CHECK_EQ(t, interrupts(t, true, true, cores, VECTOR_PMI), 1);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	CHECK_EQ(t, pmu_get(box_status(t->pmu)) & kind_of(t)->interrupts->interrupted,
		 kind_of(t)->interrupts->interrupted);
	CHECK_EQ(t, interrupts(t, true, true, cores, APIC_LVT_MODE_NMI), 1);
}

BOX_TEST(to_no_core, "without the counter's PMI, a core, or that core's consent nobody is",
	 INTERRUPTS)
{
	const uint64_t cores = kind_of(t)->interrupts->cores;

	CHECK_EQ(t, interrupts(t, false, true, cores, VECTOR_PMI), 0);
	CHECK_EQ(t, interrupts(t, true, false, cores, VECTOR_PMI), 0);
	CHECK_EQ(t, interrupts(t, true, true, 0, VECTOR_PMI), 0);
}

/* Which of them this core is no source says for each part. */
BOX_TEST(to_one_core, "of the bits that choose cores one is this one's", INTERRUPTS)
{
	uint64_t cores = kind_of(t)->interrupts->cores, sum = 0;

	skip_if_none(t);
	for (; cores; cores &= cores - 1)
		sum += interrupts(t, true, true, cores & -cores, VECTOR_PMI);
	CHECK_EQ(t, sum, 1);
}

BOX_TEST(freezes, "with the freeze bit the first overflow that interrupts stops all counters",
	 INTERRUPTS)
{
	const struct box_kind *kind = kind_of(t);
	const struct box_config clocks = {CLOCKS};
	const unsigned other = (t->counter + 1) % t->pmu->counters;
	uint64_t before;

	skip_if_none(t);
	prepare(t, true);
	box_select(t->pmu, other, &clocks);
	let_in(t, true);
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	run(t, kind->interrupts->cores | kind->interrupts->freezes);
	CHECK_EQ(t, pmu_get(t->pmu->bank->gate) & box_gating(kind)->run, 0);
	before = pmu_read(t->pmu, other);
	wait_a_window();
	CHECK_EQ(t, pmu_read(t->pmu, other), before);
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, 1);
}

/* ---- the global control ---- */

#undef GROUP
#define GROUP "freeze", "count"

/* A bit for each of its counters, from bit 0 on. */
ABSENT_UNLESS(why_no_bits, !(~box_gating(box_of(pmu)->kind)->run & (BIT(pmu->counters) - 1)),
	      "box control has no bit for each counter")

BOX_TEST(each_alone, "a counter counts where its bit of the box's control is set, and no other one",
	 .clause = "SDM volume 4: MSR_UNCORE_PERF_GLOBAL_CTRL; MSR_C0_PMON_BOX_CTRL", ON_CLOCKED,
	 .per_counter = true, .absent = why_no_bits)
{
	const uint64_t bit = own_bit(t);
	uint64_t before[BOX_COUNTERS_MAX] = {0};

	put_clocks(t, t->pmu);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t on = i ? box_gating(kind_of(t))->run & ~bit : bit;

		for (unsigned c = 0; c < t->pmu->counters; c++)
			before[c] = pmu_read(t->pmu, c);
		pmu_put(t->pmu, t->pmu->bank->gate, on);
		wait_a_window();
		pmu_put(t->pmu, t->pmu->bank->gate, 0);
		for (unsigned c = 0; c < t->pmu->counters; c++)
			CHECK_EQ(t, pmu_read(t->pmu, c) > before[c],
				 (on & pmu_global_bit(t->pmu, c)) != 0);
	}
}
