/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMUs that no processor has, in an image of their own: a sampler without counters in the core, and
 * as many boxes as two sockets of a server of today have, whose registers are memory.
 */
#include "tests/lib/test.h"

#define GROUP  "made_up", ""
#define MANUAL "none: made up"

enum { BOXES = 400, KINDS = 3, COUNTERS = 4 };

/* ---- the sampler: one record, in a register of its own, which stands until it is taken ---- */

#define A_PLACE UINT64_C(0x401000)
#define RECORD  8u
static bool armed;
static unsigned records;

static void arm(const struct pmu *pmu, const struct pmu_sampling *what)
{
	(void)pmu;
	(void)what;
	armed = true;
}

static uint64_t disarm(const struct pmu *pmu)
{
	(void)pmu;
	records = armed;
	armed = false;
	return records * RECORD;
}

static struct pmu_sample take(const struct pmu *pmu, unsigned record)
{
	(void)pmu;
	return (struct pmu_sample){.size = RECORD, .ip = record < records ? A_PLACE : 0};
}

static struct pmu_bank no_registers;
static uint64_t nothing_saved[PMU_SAVED(0, 0)];

static bool probe_sampler(struct pmu *pmu, const struct cpu_identity *cpu)
{
	static const struct pmu_sampler sampler = {
		.has = SAMPLE_IP, .size = RECORD, .arm = arm, .disarm = disarm, .take = take};

	(void)cpu;
	no_registers.saved = nothing_saved;
	pmu->bank = &no_registers;
	pmu->sampler = &sampler;
	return true;
}

static const struct pmu_ops made_up_sampler = {
	.name = "sampler",
	.title = "a sampler without counters",
	.manual = MANUAL,
	.processors = "all",
	.probe = probe_sampler,
};
PMU_DRIVER(made_up_sampler);

/* It names no driver: every sampler in a core is judged by it. */
TEST(takes_one, "a sampler that was armed has a record, with all that it says it has",
     .clause = MANUAL, .needs = PMU_SAMPLER)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const struct pmu_sampling one = {.room = 1};
	struct pmu_sample record;

	sampler->arm(t->pmu, &one);
	CHECK_EQ(t, sampler->disarm(t->pmu), sampler->size);
	record = sampler->take(t->pmu, 0);
	CHECK_EQ(t, record.size, sampler->size);
	CHECK_EQ(t, record.ip, sampler->has & SAMPLE_IP ? A_PLACE : 0);
	CHECK_EQ(t, sampler->counters, 0);
}

/* ---- the boxes ---- */

static uint64_t memory[BOXES][2 * COUNTERS];

struct box {
	struct pmu_counter counter[COUNTERS];
	uint64_t saved[PMU_SAVED(COUNTERS, 0)];
	struct pmu_bank bank;
};

static unsigned kind_of(const struct pmu *pmu)
{
	return pmu->instance % KINDS;
}

/* Boxes of one kind have registers of 4 bytes. */
static uint8_t bytes_of(const struct pmu *pmu)
{
	return kind_of(pmu) == 1 ? 4 : 8;
}

static struct pmu_reg word_of(const struct pmu *pmu, unsigned n)
{
	return (struct pmu_reg){.space = REG_MMIO,
				.address = (uintptr_t)&memory[pmu->instance][n],
				.bytes = bytes_of(pmu)};
}

/* None of its kind can stop all its counters at once. */
static bool probe_box(struct pmu *pmu, const struct cpu_identity *cpu)
{
	static const struct pmu_box kind;
	struct box *box = pmu->state;

	(void)cpu;
	if (pmu->instance == BOXES)
		return false;
	for (unsigned c = 0; c < COUNTERS; c++)
		box->counter[c] = (struct pmu_counter){.ctl = word_of(pmu, 2 * c),
						       .ctr = word_of(pmu, 2 * c + 1),
						       .width = 8 * bytes_of(pmu),
						       .write_bits = 8 * bytes_of(pmu)};
	fmt_print(pmu->name, sizeof(pmu->name), "box%u", pmu->instance);
	box->bank.saved = box->saved;
	pmu->bank = &box->bank;
	pmu->box = &kind;
	pmu->kinds = (uint32_t)BIT(kind_of(pmu));
	pmu->counter = box->counter;
	pmu->counters = COUNTERS;
	return true;
}

static const struct pmu_ops made_up_boxes = {
	.name = "boxes",
	.title = "boxes of memory",
	.manual = MANUAL,
	.processors = "all",
	.state_size = sizeof(struct box),
	.uncore = true,
	.probe = probe_box,
};
PMU_DRIVER(made_up_boxes);

TEST(keeps, "a counter keeps what is written to it, and no other counter does", .clause = MANUAL,
     .driver = &made_up_boxes, .per_counter = true)
{
	const uint64_t value = pmu_mask(t->pmu, t->counter) - t->pmu->instance;

	pmu_write(t->pmu, t->counter, value);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		CHECK_EQ(t, pmu_read(t->pmu, c), c == t->counter ? value : 0);
}

/* ---- some of them are broken, if that is asked for ---- */

enum { WRONG = 150, TRAPS, HANGS, SKIPPED, IDLE, KNOWN, REFUSED, RESETS = 200 };

TEST(goes_wrong, "box 150 and those behind it go wrong, each in its own way", .clause = MANUAL,
     .driver = &made_up_boxes, .per_counter = true, .hidden = true)
{
	const unsigned box = t->pmu->instance;

	SKIP_IF(t, box == IDLE, "nothing happens here");
	if (t->counter != 2)
		return;
	CHECK(t, box != WRONG);
	if (box == TRAPS)
		__asm__ volatile("ud2");
	while (box == HANGS)
		cpu_pause();
	SKIP_IF(t, box == SKIPPED, "nothing happens on counter 2");
	if (box == KNOWN)
		test_known(t, "erratum 1");
	if (box == REFUSED)
		test_refused(t, "no such configuration");
}

/* By the register of the south bridge, as tests/core/selftest.c has it. */
TEST(resets, "box 200 resets the machine", .clause = MANUAL, .driver = &made_up_boxes,
     .hidden = true, .resets = true)
{
	if (t->pmu->instance != RESETS)
		return;
	outb(0xcf9, 2);
	outb(0xcf9, 6);
	for (;;)
		cpu_pause();
}
