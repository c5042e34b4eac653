/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore registers: what may be written stays, each is a register of its own, and resets. */
#include "snbep.h"

#define GROUP       "access"
#define RESETS      "Intel 327043-001, 2.1: rst_ctrl, rst_ctrs, rst; 2.5 on iMC fixed control"
#define BEFORE_WRAP 1000u /* clocks; a window has more */

/* Frozen or not enabled, so that nothing counts in between. */
static const uint64_t patterns[] = {
	UINT64_C(0x5555555555555555),
	UINT64_C(0xaaaaaaaaaaaaaaaa),
	UINT64_C(0xffffffffffffffff),
	UINT64_C(0x0123456789abcdef),
	0,
};

/* Bits above the width: an MSR may refuse them, so they are not written there. */
static void check_counter_holds(struct run *t, uint32_t reg, unsigned width)
{
	uint64_t mask = ~UINT64_C(0) >> (64 - width);

	for (unsigned i = 0; i < ARRAY_SIZE(patterns); i++) {
		snbep_put_counter(t->pmu, reg, kind_of(t)->pci ? patterns[i] : patterns[i] & mask);
		CHECK_EQ(t, snbep_get_counter(t->pmu, reg), patterns[i] & mask);
	}
}

SNBEP_TEST(counter_holds, "a stopped counter holds its width of bits, and those above read 0",
	   .clause = UNCORE, .per_counter = true)
{
	t->programmed = BIT(t->counter);
	check_counter_holds(t, t->pmu->counter[t->counter].ctr.address,
			    t->pmu->counter[t->counter].width);
}

/* One bit more of each bit's number at a time, and the opposite: no two bits are ever alike. */
static void check_fields_hold(struct run *t, uint32_t reg, uint64_t fields)
{
	static const uint32_t numbers[] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0,
					   0xff00ff00, 0xffff0000, 0xffffffff};

	for (unsigned i = 0; i < 2 * ARRAY_SIZE(numbers); i++) {
		uint64_t value = (i % 2 ? ~numbers[i / 2] : numbers[i / 2]) & fields;

		snbep_put(t->pmu, reg, (uint32_t)value);
		CHECK_EQ(t, snbep_get(t->pmu, reg) & fields, value);
	}
}

SNBEP_TEST(control_holds, "a counter control register holds each documented bit",
	   .clause = COUNTER_CONTROL, .per_counter = true)
{
	check_fields_hold(t, t->pmu->counter[t->counter].ctl.address, t->pmu->ctl_writable);
}

SNBEP_TEST(filter_holds, "the filter registers of a box hold each documented bit",
	   .clause = "Intel 327043-001, chapter 2: filter, match and mask registers",
	   .kinds = SNBEP_CBO | SNBEP_PCU | SNBEP_HA | SNBEP_QPI)
{
	const struct snbep_kind *kind = kind_of(t);

	SKIP_IF(t, snbep_box(t->pmu)->no_match, snbep_box(t->pmu)->no_match);
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		check_fields_hold(t, snbep_reg(t->pmu, kind->filter[i].reg),
				  kind->filter[i].fields);
}

/* UCLK, or DCLK where there is one, carries into this bit. */
static void check_fixed_carries(struct run *t, unsigned bit)
{
	const struct snbep_kind *kind = kind_of(t);
	uint64_t from = BIT(bit) - BEFORE_WRAP, value;

	snbep_put_counter(t->pmu, kind->fixed_ctr, from);
	snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_EN);
	snbep_run(t->pmu);
	wait_a_window();
	snbep_put(t->pmu, kind->fixed_ctl, 0);
	value = snbep_get_counter(t->pmu, kind->fixed_ctr);
	if (value != from || !t->pmu->idle)
		CHECK(t, value > BIT(bit) && value - BIT(bit) < BIT(31));
}

/* The UBox has 44 bits by one page of the manual and 48 by another, so the upper ones are told. */
SNBEP_TEST(fixed_holds,
	   "a fixed counter and its control hold what is written, and it counts on from there",
	   .clause = RESETS, .kinds = SNBEP_IMC | SNBEP_UBOX)
{
	const struct snbep_kind *kind = kind_of(t);

	check_fields_hold(t, kind->fixed_ctl, FIXED_CTL_EN);
	check_counter_holds(t, kind->fixed_ctr, kind->fixed_width);
	check_fixed_carries(t, 32);
	check_fixed_carries(t, kind->fixed_width - 1u);
	if (kind->bit == SNBEP_IMC) {
		snbep_put_counter(t->pmu, kind->fixed_ctr, patterns[0]);
		snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_RST);
		CHECK_EQ(t, snbep_get_counter(t->pmu, kind->fixed_ctr), 0);
		CHECK_EQ(t, snbep_get(t->pmu, kind->fixed_ctl), 0);
		return;
	}
	snbep_put_counter(t->pmu, kind->fixed_ctr, FIELD(47, 0));
	report_diag("UCLK: %s bits",
		    snbep_get_counter(t->pmu, kind->fixed_ctr) == FIELD(47, 0) ? "48" : "44");
}

/* ---- width ---- */

/* From before this value, on the clock: what is then in the counter, and how far it went beyond by
 * the other counter. */
static void check_passes(struct run *t, uint64_t value)
{
	struct window w =
		box_window(t, t->counter, CONFIGS(clock_of(t), clock_of(t)), wait_a_window);
	uint64_t clock, passed;

	w.c[0].from = value - BEFORE_WRAP;
	window_run(t, &w);
	passed = snbep_get_counter(t->pmu, t->pmu->counter[t->counter].ctr.address);
	clock = w.c[1].out;
	REQUIRE(t, clock > BEFORE_WRAP);
	CHECK_EQ(t, passed, (value & pmu_mask(t->pmu, t->counter)) + clock - BEFORE_WRAP);
}

/* A carry into the top bit, and one out of it. */
SNBEP_CLOCK_TEST(counter_wraps, "a counter goes from its largest value to 0 and on, unhindered",
		 .clause = "Intel 327043-001, 2.1.1: counter overflow", .per_counter = true)
{
	check_passes(t, BIT(t->pmu->counter[t->counter].width - 1));
	check_passes(t, BIT(t->pmu->counter[t->counter].width));
}

/* ---- a register of its own ---- */

/* Counters, controls and filters of a box: all 0, or what mark() left. */
static uint64_t counter_mark(unsigned c)
{
	return UINT64_C(0x010203040506) * (c + 1);
}

static uint32_t filter_mark(unsigned i, uint32_t fields)
{
	return (uint32_t)(patterns[i % 2] << i) & fields;
}

static void mark(const struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	for (unsigned c = 0; c < pmu->counters; c++) {
		pmu_write(pmu, c, counter_mark(c));
		snbep_put(pmu, pmu->counter[c].ctl.address, c + 1);
	}
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		snbep_put(pmu, snbep_reg(pmu, kind->filter[i].reg),
			  filter_mark(i, kind->filter[i].fields));
	if (kind->fixed_ctr)
		snbep_put_counter(pmu, kind->fixed_ctr, counter_mark(pmu->counters));
}

static void check_reg(struct run *t, const struct pmu *pmu, uint32_t reg, uint64_t got,
		      uint64_t want)
{
	if (!CHECK_EQ(t, got, want))
		report_diag("%s: register %x", pmu->name, reg);
}

static void check_registers(struct run *t, const struct pmu *pmu, bool marked)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	for (unsigned c = 0; c < pmu->counters; c++) {
		check_reg(t, pmu, pmu->counter[c].ctr.address, pmu_read(pmu, c),
			  marked ? counter_mark(c) & pmu_mask(pmu, c) : 0);
		check_reg(t, pmu, pmu->counter[c].ctl.address,
			  snbep_get(pmu, pmu->counter[c].ctl.address), marked ? c + 1 : 0);
	}
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++) {
		uint32_t reg = snbep_reg(pmu, kind->filter[i].reg);
		uint32_t fields = snbep_box(pmu)->no_match ? 0 : kind->filter[i].fields;

		check_reg(t, pmu, reg, snbep_get(pmu, reg) & fields,
			  marked ? filter_mark(i, fields) : 0);
	}
	if (kind->fixed_ctr)
		check_reg(t, pmu, kind->fixed_ctr, snbep_get_counter(pmu, kind->fixed_ctr),
			  marked ? counter_mark(pmu->counters) : 0);
}

SNBEP_TEST(no_alias, "no write to a register of this box reaches another one, here or elsewhere",
	   .clause = UNCORE)
{
	const struct pmu *other;

	mark(t->pmu);
	check_registers(t, t->pmu, true);
	for (unsigned i = 0; (other = snbep_pmu(i)); i++)
		if (other != t->pmu && !other->silent)
			check_registers(t, other, false);
	/* What came elsewhere must not be held against the next box. */
	for (unsigned i = 0; t->failed && (other = snbep_pmu(i)); i++)
		if (!other->silent)
			snbep_reset(other);
}

/* ---- resets ---- */

static void fill_counters(struct run *t)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		pmu_write(t->pmu, c, counter_mark(c));
		snbep_put(t->pmu, t->pmu->counter[c].ctl.address, c + 1);
		t->programmed |= BIT(c);
	}
}

static void check_filled(struct run *t, bool ctls, uint64_t ctrs)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		CHECK_EQ(t, snbep_get(t->pmu, t->pmu->counter[c].ctl.address), ctls ? c + 1 : 0);
		CHECK_EQ(t, pmu_read(t->pmu, c),
			 ctrs & BIT(c) ? counter_mark(c) & pmu_mask(t->pmu, t->counter) : 0);
	}
}

static void check_box_resets(struct run *t, uint64_t all)
{
	fill_counters(t);
	snbep_put(t->pmu, box_ctl_of(t), BOX_CTL_STOP | BOX_CTL_RST_CTRS);
	check_filled(t, true, 0);
	fill_counters(t);
	snbep_put(t->pmu, box_ctl_of(t), BOX_CTL_STOP | BOX_CTL_RST_CTRL);
	check_filled(t, false, all);
	CHECK_EQ(t, snbep_get(t->pmu, box_ctl_of(t)) & (BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS), 0);
}

SNBEP_TEST(resets, "each reset bit clears what it names, and nothing else", .clause = RESETS,
	   .kinds = SNBEP_QPI | SNBEP_R2PCIE | SNBEP_R3QPI | SNBEP_CBO | SNBEP_PCU | SNBEP_UBOX)
{
	uint64_t all = BIT(t->pmu->counters) - 1;

	if (kind_of(t)->box_ctl)
		check_box_resets(t, all);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		fill_counters(t);
		snbep_put(t->pmu, t->pmu->counter[c].ctl.address, (uint32_t)CTL_RST | (c + 1));
		check_filled(t, true, all & ~BIT(c));
	}
}

/* ---- reading while it runs ---- */

#define CARRY      (UINT64_C(1) << 32)
#define CARRIES    8u
#define READS_MAX  64u
#define BEFORE     2000u /* clocks: some reads of the fastest box */
#define STEP_LIMIT (UINT64_C(1) << 31)

/* Reads of one value until the carry is behind it: steps forward, and small ones. */
static void check_carry(struct run *t, uint64_t from)
{
	struct window w = box_window(t, 0, CONFIGS(clock_of(t)), NULL);
	uint64_t last = from, value = from;

	w.c[0].from = from;
	window_program(t, &w);
	window_open(t, &w);
	for (unsigned i = 0; i < READS_MAX && last < CARRY; i++) {
		value = pmu_read(t->pmu, 0);
		REQUIRE(t, value - last < STEP_LIMIT);
		last = value;
	}
	window_close(t, &w);
	CHECK(t, value >= CARRY);
}

SNBEP_CLOCK_TEST(running_read,
		 "a running counter is read whole while a carry passes between its halves",
		 .clause = UNCORE)
{
	for (unsigned i = 0; i < CARRIES; i++)
		check_carry(t, CARRY - BEFORE - i * (BEFORE / CARRIES));
}
