/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore registers: what may be written stays, each is a register of its own, and resets. */
#include "snbep.h"

#define GROUP  "access", "truth"
#define RESETS "Intel 327043-001, 2.1: rst_ctrl, rst_ctrs, rst; 2.5 on iMC fixed control"

/* ---- what is written stays ---- */

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
		snbep_put(t->pmu, reg, kind_of(t)->pci ? patterns[i] : patterns[i] & mask);
		CHECK_EQ(t, snbep_get(t->pmu, reg), patterns[i] & mask);
	}
}

SNBEP_TEST(counter_holds, "a stopped counter holds its width of bits, and those above read 0",
	   .clause = UNCORE, .per_counter = true)
{
	t->programmed = BIT(t->counter);
	check_counter_holds(t, pmu_number(t->pmu->counter[t->counter].ctr),
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
	check_fields_hold(t, pmu_number(t->pmu->counter[t->counter].ctl), t->pmu->ctl_writable);
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

/* ---- carries ---- */

#define BEFORE_WRAP 1000u /* clocks; a window has more */

/* UCLK, or DCLK where there is one, carries into this bit. */
static void check_fixed_carries(struct run *t, unsigned bit)
{
	const struct snbep_kind *kind = kind_of(t);
	uint64_t from = BIT(bit) - BEFORE_WRAP, value;

	snbep_put(t->pmu, kind->fixed_ctr, from);
	snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_EN);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	snbep_put(t->pmu, kind->fixed_ctl, 0);
	value = snbep_get(t->pmu, kind->fixed_ctr);
	if (value != from || !t->pmu->idle)
		CHECK(t, value > BIT(bit) && value - BIT(bit) < BIT(31));
}

static void check_fixed_reset(struct run *t)
{
	const struct snbep_kind *kind = kind_of(t);

	snbep_put(t->pmu, kind->fixed_ctr, patterns[0]);
	snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_RST);
	CHECK_EQ(t, snbep_get(t->pmu, kind->fixed_ctr), 0);
	CHECK_EQ(t, snbep_get(t->pmu, kind->fixed_ctl), 0);
}

/* Whether DCLK stops with its box the manual does not say. */
static void report_frozen_clock(const struct run *t)
{
	const struct snbep_kind *kind = kind_of(t);
	uint64_t before;

	t->pmu->box->freeze(t->pmu);
	snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_EN);
	before = snbep_get(t->pmu, kind->fixed_ctr);
	wait_a_window();
	report_diag("DCLK %s with the box",
		    snbep_get(t->pmu, kind->fixed_ctr) == before ? "stops" : "does not stop");
}

/* The UBox has 44 bits by one page of the manual and 48 by another. */
static void report_width(const struct run *t)
{
	const uint16_t ctr = kind_of(t)->fixed_ctr;

	snbep_put(t->pmu, ctr, FIELD(47, 0));
	report_diag("UCLK: %s bits", snbep_get(t->pmu, ctr) == FIELD(47, 0) ? "48" : "44");
}

SNBEP_TEST(fixed_holds,
	   "a fixed counter and its control hold what is written, and it counts on from there",
	   .clause = RESETS, .kinds = SNBEP_IMC | SNBEP_UBOX)
{
	const struct snbep_kind *kind = kind_of(t);

	check_fields_hold(t, kind->fixed_ctl, FIXED_CTL_EN);
	check_counter_holds(t, kind->fixed_ctr, kind->fixed_width);
	check_fixed_carries(t, 32);
	check_fixed_carries(t, kind->fixed_width - 1u);
	if (kind->bit == SNBEP_UBOX) {
		report_width(t);
		return;
	}
	check_fixed_reset(t);
	report_frozen_clock(t);
}

/* A carry into the top bit, and one out of it, this many events after the start: what is then in
 * the counter, and how far it went beyond by the other counter. */
static void check_wraps(struct run *t, struct snbep_config event, box_load *load, uint64_t before)
{
	struct trial trial = {.cfg = {event, event}, .load = load};
	uint32_t ctr = pmu_number(t->pmu->counter[t->counter].ctr);
	unsigned width = t->pmu->counter[t->counter].width;
	uint64_t out[SNBEP_COUNTERS_MAX];

	for (unsigned bit = width - 1; bit <= width; bit++) {
		trial.from = BIT(bit) - before;
		trial_run(t, &trial, out);
		REQUIRE(t, out[1] > before);
		CHECK_EQ(t, snbep_get(t->pmu, ctr),
			 (BIT(bit) & pmu_mask(t->pmu, t->counter)) + out[1] - before);
	}
}

SNBEP_TEST(counter_wraps, "a counter goes from its largest value to 0 and on, unhindered",
	   .clause = OVERFLOW, .kinds = CLOCKED | SNBEP_UBOX, .per_counter = true)
{
	SKIP_IF(t, t->pmu->idle, t->pmu->idle);
	if (kind_of(t)->bit == SNBEP_UBOX)
		check_wraps(t, (struct snbep_config){UBOX_LOCK_CYCLES}, split_locks, 1);
	else
		check_wraps(t, (struct snbep_config){CLOCKS}, NULL, BEFORE_WRAP);
}

/* Reads of one value until the carry is behind it: steps forward, and small ones. */
#define CARRY      (UINT64_C(1) << 32)
#define CARRIES    8u
#define READS_MAX  64u
#define BEFORE     2000u /* clocks: some reads of the fastest box */
#define STEP_LIMIT (UINT64_C(1) << 31)

static void check_carry(struct run *t, uint64_t from)
{
	uint64_t last = from, value = from;

	put_clocks(t, t->pmu);
	pmu_write(t->pmu, 0, from);
	t->pmu->box->run(t->pmu);
	for (unsigned i = 0; i < READS_MAX && last < CARRY; i++) {
		value = pmu_read(t->pmu, 0);
		REQUIRE(t, value - last < STEP_LIMIT);
		last = value;
	}
	CHECK(t, value >= CARRY);
}

SNBEP_TEST(running_read, "a running counter is read whole while a carry passes between its halves",
	   .clause = UNCORE, ON_CLOCKED)
{
	for (unsigned i = 0; i < CARRIES; i++)
		check_carry(t, CARRY - BEFORE - i * (BEFORE / CARRIES));
}

/* ---- each is a register of its own ---- */

#define REGISTERS_MAX (2 * SNBEP_COUNTERS_MAX + SNBEP_FILTERS_MAX + 1)

struct mark {
	struct pmu_reg reg;
	uint64_t fields, value; /* bits that are there, and what is written to them */
};

/* The marks of a box, in this order: each counter and its control, filters, a fixed counter. */
static unsigned marks_of(const struct pmu *pmu, struct mark *mark)
{
	const struct snbep_box *box = snbep_box(pmu);
	const struct snbep_kind *kind = box->kind;
	const uint64_t number = UINT64_C(0x010203040506), all = ~UINT64_C(0);
	unsigned n = 0;

	for (unsigned c = 0; c < pmu->counters; c++) {
		mark[n++] = (struct mark){pmu->counter[c].ctr, pmu_mask(pmu, c), number * (c + 1)};
		mark[n++] = (struct mark){pmu->counter[c].ctl, all, c + 1};
	}
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		mark[n++] = (struct mark){snbep_place(box, snbep_reg(pmu, kind->filter[i].reg)),
					  box->no_match ? 0 : kind->filter[i].fields,
					  patterns[i % 2] << i};
	if (kind->fixed_ctr)
		mark[n++] = (struct mark){snbep_place(box, kind->fixed_ctr), all,
					  number * (pmu->counters + 1)};
	for (unsigned i = 0; i < n; i++)
		mark[i].value &= mark[i].fields;
	return n;
}

static void put_marks(const struct pmu *pmu, const struct mark *mark, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pmu_put(pmu, mark[i].reg, mark[i].value);
}

static void check_mark(struct run *t, const struct pmu *pmu, const struct mark *mark, bool marked)
{
	if (!CHECK_EQ(t, pmu_get(mark->reg) & mark->fields, marked ? mark->value : 0))
		report_diag("%s: register %llx", pmu->name, (unsigned long long)mark->reg.address);
}

SNBEP_TEST(no_alias, "no write to a register of this box reaches another one, here or elsewhere",
	   .clause = UNCORE)
{
	struct mark mark[REGISTERS_MAX];
	const struct pmu *pmu;

	put_marks(t->pmu, mark, marks_of(t->pmu, mark));
	for (unsigned b = 0; (pmu = snbep_pmu(b)); b++)
		for (unsigned i = pmu->silent ? 0 : marks_of(pmu, mark); i-- > 0;)
			check_mark(t, pmu, &mark[i], pmu == t->pmu);
	/* What came elsewhere must not be held against the next box. */
	for (unsigned b = 0; t->failed && (pmu = snbep_pmu(b)); b++)
		if (!pmu->silent)
			pmu_reset_registers(pmu);
}

/* ---- resets ---- */

/* With all counters and controls marked, a write of this value clears those counters and perhaps
 * all controls. */
static void check_clears(struct run *t, uint32_t reg, uint64_t value, uint64_t ctrs, bool ctls)
{
	struct mark mark[REGISTERS_MAX];
	unsigned n = 2 * t->pmu->counters;

	marks_of(t->pmu, mark);
	put_marks(t->pmu, mark, n);
	t->programmed = BIT(t->pmu->counters) - 1;
	snbep_put(t->pmu, reg, (uint32_t)value);
	for (unsigned i = 0; i < n; i++)
		check_mark(t, t->pmu, &mark[i], i % 2 ? !ctls : !(ctrs >> i / 2 & 1));
}

SNBEP_TEST(resets, "each reset bit clears what it names, and nothing else", .clause = RESETS,
	   .kinds = SNBEP_QPI | SNBEP_R2PCIE | SNBEP_R3QPI | SNBEP_CBO | SNBEP_PCU | SNBEP_UBOX)
{
	uint64_t all = BIT(t->pmu->counters) - 1;

	if (kind_of(t)->box_ctl) {
		uint32_t box_ctl = snbep_reg(t->pmu, kind_of(t)->box_ctl);

		check_clears(t, box_ctl, BOX_CTL_STOP | BOX_CTL_RST_CTRS, all, false);
		check_clears(t, box_ctl, BOX_CTL_STOP | BOX_CTL_RST_CTRL, 0, true);
		CHECK_EQ(t, snbep_get(t->pmu, box_ctl) & (BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS), 0);
	}
	for (unsigned c = 0; c < t->pmu->counters; c++)
		check_clears(t, pmu_number(t->pmu->counter[c].ctl), CTL_RST | (c + 1), BIT(c),
			     false);
}
