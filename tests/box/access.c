/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore registers: what may be written stays, each is a register of its own, and resets. */
#include "box.h"

#define GROUP  "access", "alive"
#define RESETS "uncore guide, 2.1: rst_ctrl, rst_ctrs, rst; 2.5 on iMC fixed control"

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
static void check_holds(struct run *t, struct pmu_reg reg, unsigned width)
{
	uint64_t mask = ~UINT64_C(0) >> (64 - width);

	for (unsigned i = 0; i < ARRAY_SIZE(patterns); i++) {
		pmu_put(t->pmu, reg, reg.space == REG_MSR ? patterns[i] & mask : patterns[i]);
		CHECK_EQ(t, pmu_get(reg), patterns[i] & mask);
	}
}

/* One that may sleep is woken for it. */
static void check_sleeper_holds(struct run *t, unsigned ctr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(patterns); i++) {
		pmu_write(t->pmu, ctr, patterns[i]);
		CHECK_EQ(t, pmu_get(t->pmu->counter[ctr].ctr), patterns[i] & pmu_mask(t->pmu, ctr));
	}
}

static const char *why_not_written(const struct pmu *pmu, unsigned ctr)
{
	return pmu->counter[ctr].read_only ? "no source says that this counter takes a write"
					   : NULL;
}

BOX_TEST(counter_holds, "a stopped counter holds its width of bits, and those above read 0",
	 .clause = UNCORE, .per_counter = true, .absent = why_not_written)
{
	const struct pmu_counter *counter = &t->pmu->counter[t->counter];

	t->programmed = BIT(t->counter);
	if (counter->awake)
		check_sleeper_holds(t, t->counter);
	else
		check_holds(t, counter->ctr, counter->width);
}

ABSENT_IF(why_no_rdpmc, !box_of(pmu)->kind->rdpmc, "RDPMC reads no counter of such a box")

BOX_TEST(rdpmc, "RDPMC of a counter reads what RDMSR does", .per_counter = true,
	 .clause = "AMD APM volume 3, RDPMC", .absent = why_no_rdpmc)
{
	const struct pmu_counter *counter = &t->pmu->counter[t->counter];
	uint64_t value;

	t->programmed = BIT(t->counter);
	for (unsigned i = 0; i < ARRAY_SIZE(patterns); i++) {
		pmu_write(t->pmu, t->counter, patterns[i] & pmu_mask(t->pmu, t->counter));
		CHECK_RDPMC(t, counter->rdpmc, &value, FAULT_NONE);
		CHECK_EQ(t, value, pmu_get(counter->ctr));
	}
}

#define TWICE(bits) (UINT64_C(bits) << 32 | (bits))

/* One bit more of each bit's number at a time, and the opposite: no two bits are ever alike. */
static void check_fields_hold(struct run *t, struct pmu_reg reg, uint64_t fields)
{
	static const uint64_t numbers[] = {
		TWICE(0xaaaaaaaa), TWICE(0xcccccccc), TWICE(0xf0f0f0f0),   TWICE(0xff00ff00),
		TWICE(0xffff0000), TWICE(0xffffffff), 0xffffffff00000000u,
	};
	unsigned halves = fields >> 32 ? ARRAY_SIZE(numbers) : ARRAY_SIZE(numbers) - 1;

	for (unsigned i = 0; i < 2 * halves; i++) {
		uint64_t value = (i % 2 ? ~numbers[i / 2] : numbers[i / 2]) & fields;

		pmu_put(t->pmu, reg, value);
		CHECK_EQ(t, pmu_get(reg) & fields, value);
	}
}

BOX_TEST(control_holds, "a counter control register holds each documented bit",
	 .clause = COUNTER_CONTROL, .per_counter = true)
{
	check_fields_hold(t, t->pmu->counter[t->counter].ctl, t->pmu->ctl_writable);
}

BOX_TEST(filter_holds, "the filter registers of a box hold each documented bit",
	 .clause = "uncore guide, chapter 2: filter, match and mask registers",
	 .kinds = BOX_SLICE | BOX_POWER | BOX_HOME | BOX_LINK)
{
	const struct box_filters *filters = box_filters(kind_of(t));

	SKIP_IF(t, box_of(t->pmu)->no_filter, box_of(t->pmu)->no_filter);
	for (unsigned i = 0; i < BOX_FILTERS_MAX && filters->reg[i].fields; i++)
		check_fields_hold(t, box_filter(box_of(t->pmu), i), filters->reg[i].fields);
}

/* ---- carries ---- */

#define BEFORE_WRAP 1000u /* clocks; a window has more */

/* The fixed counter carries into this bit. */
static void check_fixed_carries(struct run *t, unsigned bit)
{
	const struct pmu_reg ctl = box_fixed_ctl(t->pmu), ctr = box_fixed_ctr(t->pmu);
	uint64_t from = BIT(bit) - BEFORE_WRAP, value;

	pmu_put(t->pmu, ctr, from);
	pmu_put(t->pmu, ctl, kind_of(t)->fixed.enable);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	pmu_put(t->pmu, ctl, 0);
	value = pmu_get(ctr);
	if (value == from && t->pmu->idle)
		return;
	CHECK_IS(t, value, >, BIT(bit));
	CHECK_IS(t, value, <, BIT(bit) + BIT(31));
}

static void check_fixed_reset(struct run *t)
{
	pmu_put(t->pmu, box_fixed_ctr(t->pmu), patterns[0]);
	pmu_put(t->pmu, box_fixed_ctl(t->pmu), kind_of(t)->fixed.reset);
	CHECK_EQ(t, pmu_get(box_fixed_ctr(t->pmu)), 0);
	CHECK_EQ(t, pmu_get(box_fixed_ctl(t->pmu)), 0);
}

/* Whether a fixed counter stops with its box the manual does not say. */
static void report_frozen_clock(const struct run *t)
{
	uint64_t before;

	t->pmu->box->freeze(t->pmu);
	pmu_put(t->pmu, box_fixed_ctl(t->pmu), kind_of(t)->fixed.enable);
	before = pmu_get(box_fixed_ctr(t->pmu));
	wait_a_window();
	report_diag("DCLK %s with the box",
		    pmu_get(box_fixed_ctr(t->pmu)) == before ? "stops" : "does not stop");
}

/* The system box has 44 bits by one page of the manual and 48 by another. */
static void report_width(const struct run *t)
{
	pmu_put(t->pmu, box_fixed_ctr(t->pmu), FIELD(47, 0));
	report_diag("UCLK: %s bits", pmu_get(box_fixed_ctr(t->pmu)) == FIELD(47, 0) ? "48" : "44");
}

BOX_TEST(fixed_holds,
	 "a fixed counter and its control hold what is written, and it counts on from there",
	 .clause = RESETS, .kinds = BOX_CHANNEL | HAS_UCLK, .absent = why_no_fixed)
{
	const struct box_kind *kind = kind_of(t);

	check_fields_hold(t, box_fixed_ctl(t->pmu), kind->fixed.enable);
	check_holds(t, box_fixed_ctr(t->pmu), kind->fixed_width);
	check_fixed_carries(t, 32);
	check_fixed_carries(t, kind->fixed_width - 1u);
	if (kind->fixed.reset)
		check_fixed_reset(t);
	if (kind->role == BOX_CHANNEL)
		report_frozen_clock(t);
	else
		report_width(t);
}

/* A box has no other counter: it went beyond, but not far. */
static void check_wrapped_alone(struct run *t, uint64_t value, uint64_t carried)
{
	CHECK_IS(t, value, >=, carried);
	CHECK_IS(t, value, <, carried + BIT(31));
}

/* A carry into the top bit, and one out of it, this many events after the start: what is then in
 * the counter, and how far it went beyond by the other counter. */
static void check_wraps(struct run *t, struct box_config event, box_load *load, uint64_t before)
{
	struct trial trial = {.cfg = {event, event}, .load = load};
	const struct pmu_reg ctr = t->pmu->counter[t->counter].ctr;
	unsigned width = t->pmu->counter[t->counter].width;
	uint64_t out[TRIAL_COUNTERS], carried;

	for (unsigned bit = width - 1; bit <= width; bit++) {
		trial.from = BIT(bit) - before;
		trial_run(t, &trial, out);
		carried = BIT(bit) & pmu_mask(t->pmu, t->counter);
		if (t->pmu->counters == 1) {
			check_wrapped_alone(t, pmu_get(ctr), carried);
			continue;
		}
		REQUIRE_IS(t, out[1], >, before);
		CHECK_EQ(t, pmu_get(ctr), carried + out[1] - before);
	}
}

BOX_TEST(counter_wraps, "a counter goes from its largest value to 0 and on, unhindered",
	 .clause = OVERFLOW, .kinds = CLOCKED | BOX_SYSTEM, .per_counter = true,
	 .absent = why_no_locks)
{
	SKIP_IF(t, t->pmu->idle, t->pmu->idle);
	if (kind_of(t)->role == BOX_SYSTEM)
		check_wraps(t, (struct box_config){.event = SYSTEM_LOCKS}, split_locks, 1);
	else
		check_wraps(t, (struct box_config){CLOCKS}, NULL, BEFORE_WRAP);
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
		REQUIRE_IS(t, value - last, <, STEP_LIMIT);
		last = value;
	}
	CHECK_IS(t, value, >=, CARRY);
}

BOX_TEST(running_read, "a running counter is read whole while a carry passes between its halves",
	 .clause = UNCORE, ON_CLOCKED)
{
	for (unsigned i = 0; i < CARRIES; i++)
		check_carry(t, CARRY - BEFORE - i * (BEFORE / CARRIES));
}

/* ---- each is a register of its own ---- */

#define REGISTERS_MAX (2 * BOX_COUNTERS_MAX + BOX_FILTERS_MAX + 1)

struct mark {
	struct pmu_reg reg;
	uint64_t fields, value; /* bits that are there, and what is written to them */
	uint8_t ctr; /* one more than the number of the counter whose value it is; 0: none */
};

/* The marks of a box, in this order: each counter and its control, filters, a fixed counter. */
static unsigned marks_of(const struct pmu *pmu, struct mark *mark)
{
	const struct box *box = box_of(pmu);
	const struct box_filters *filters = box_filters(box->kind);
	const uint64_t number = UINT64_C(0x010203040506), all = ~UINT64_C(0);
	unsigned n = 0;

	for (unsigned c = 0; c < pmu->counters; c++) {
		const uint64_t held = pmu->counter[c].read_only ? 0 : pmu_mask(pmu, c);

		mark[n++] = (struct mark){pmu->counter[c].ctr, held, number * (c + 1),
					  (uint8_t)(c + 1)};
		mark[n++] = (struct mark){pmu->counter[c].ctl, all, c + 1, 0};
	}
	for (unsigned i = 0; i < BOX_FILTERS_MAX && filters->reg[i].fields; i++)
		mark[n++] = (struct mark){box_filter(box, i),
					  box->no_filter ? 0 : filters->reg[i].fields,
					  patterns[i % 2] << i, 0};
	if (box_has_fixed(pmu))
		mark[n++] = (struct mark){box_fixed_ctr(pmu), all, number * (pmu->counters + 1), 0};
	for (unsigned i = 0; i < n; i++)
		mark[i].value &= mark[i].fields;
	return n;
}

static void put_marks(const struct pmu *pmu, const struct mark *mark, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (mark[i].ctr)
			pmu_write(pmu, mark[i].ctr - 1u, mark[i].value);
		else
			pmu_put(pmu, mark[i].reg, mark[i].value);
}

static void check_mark(struct run *t, const struct pmu *pmu, const struct mark *mark, bool marked)
{
	if (!CHECK_EQ(t, pmu_get(mark->reg) & mark->fields, marked ? mark->value : mark->reg.rests))
		report_diag("%s: register %llx", pmu->name, (unsigned long long)mark->reg.address);
}

ABSENT_UNLESS(why_no_registers, pmu->counters, "no register of such a box is written")

BOX_TEST(no_alias, "no write to a register of this box reaches another one, here or elsewhere",
	 .clause = UNCORE, .absent = why_no_registers)
{
	struct mark mark[REGISTERS_MAX];
	unsigned n = marks_of(t->pmu, mark);
	const struct pmu *pmu;

	put_marks(t->pmu, mark, n);
	for (unsigned b = 0; (pmu = box_pmu(b)); b++)
		for (unsigned i = pmu->silent ? 0 : marks_of(pmu, mark); i-- > 0;)
			check_mark(t, pmu, &mark[i], pmu == t->pmu);
	/* Writes that came elsewhere must not be held against the next box. */
	for (unsigned b = 0; t->failed && (pmu = box_pmu(b)); b++)
		if (!pmu->silent)
			pmu_reset_registers(pmu);
}

/* ---- resets ---- */

/* With all counters and controls marked, a write of this value clears those counters and perhaps
 * all controls. */
static void check_clears(struct run *t, struct pmu_reg reg, uint64_t value, uint64_t ctrs,
			 bool ctls)
{
	struct mark mark[REGISTERS_MAX];
	unsigned n = 2 * t->pmu->counters;

	marks_of(t->pmu, mark);
	put_marks(t->pmu, mark, n);
	t->programmed = BIT(t->pmu->counters) - 1;
	pmu_put(t->pmu, reg, (uint32_t)value);
	for (unsigned i = 0; i < n; i++)
		check_mark(t, t->pmu, &mark[i], i % 2 ? !ctls : !(ctrs >> i / 2 & 1));
}

ABSENT_UNLESS(why_no_resets,
	      !box_of(pmu)->kind->read_only && (box_of(pmu)->kind->select->reset ||
						box_gating(box_of(pmu)->kind)->reset_ctls),
	      "boxes of this kind have no reset bits")

BOX_TEST(resets, "each reset bit clears what it names, and nothing else", .clause = RESETS,
	 .absent = why_no_resets)
{
	const struct box_kind *kind = kind_of(t);
	const uint32_t stop = box_gating(kind)->stop, ctls = box_gating(kind)->reset_ctls,
		       ctrs = box_gating(kind)->reset_ctrs;
	const struct pmu_reg gate = t->pmu->bank->gate;

	if (ctls && ctrs) {
		check_clears(t, gate, stop | ctrs, BIT(t->pmu->counters) - 1, false);
		check_clears(t, gate, stop | ctls, 0, true);
		CHECK_EQ(t, pmu_get(gate) & (ctls | ctrs), 0);
	}
	for (unsigned c = 0; kind->select->reset && c < t->pmu->counters; c++)
		check_clears(t, t->pmu->counter[c].ctl, kind->select->reset | (c + 1), BIT(c),
			     false);
}
