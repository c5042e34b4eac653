/* SPDX-License-Identifier: BSD-2-Clause */
/* The clocks of uncore boxes: at which rates they run. */
#include "box.h"
#include "tests/lib/extent.h"

#define GROUP   "count", "privilege"
#define FIXED   "uncore guide, 2.5: iMC fixed counter"
#define NO_DCLK "no memory channel of which event 00h counts DCLK"

/* ---- references ---- */

/* Reads only the low half of a counter of two dwords, which is wide enough for a window: the moment
 * of a single access is known most sharply. */
uint64_t by_counter(const void *of)
{
	struct pmu_reg reg = ((const struct clock *)of)->reference_ctr;

	if (reg.space == REG_PCI)
		reg.bytes = 4;
	return pmu_get(reg);
}

/* The ACPI power management timer wraps soon: it is read relative to a window's start. */
static uint32_t pm_timer_start;

static uint64_t by_pm_timer(const void *of)
{
	(void)of;
	return pm_timer_ticks(pm_timer_start, inl(machine_pm_timer()));
}

/* ---- measuring ---- */

static void gate(const void *of, bool open)
{
	const struct clock *clock = of;

	pmu_put(clock->box, clock->ctl, open ? clock->on : clock->off);
}

/* Counter 0, which is all that is measured of it. */
static void close_first(const struct pmu *box)
{
	pmu_put(box, box->counter[0].ctl, 0);
	pmu_write(box, 0, 0);
}

/* Leaves the box frozen, or closed by its fixed control or that of counter 0, and its reference
 * running. */
static void prepare(struct run *t, const struct clock *clock)
{
	const struct pmu *reference = clock->reference;

	put_clocks(t, clock->box);
	if (box_has_fixed(clock->box))
		box_run(clock->box);
	else if (!box_has_gate(box_of(clock->box)->kind))
		close_first(clock->box);
	if (!reference || reference == clock->box)
		return;
	put_clocks(t, reference);
	reference->box->run(reference);
}

struct measuring {
	struct run *t;
	const struct clock *clock;
	unsigned n;
};

static void measure(const void *arg, uint32_t us, struct span *s)
{
	const struct measuring *of = arg;
	struct bracket b[CLOCKS_MAX];

	for (unsigned i = 0; i < of->n; i++) {
		prepare(of->t, &of->clock[i]);
		b[i] = (struct bracket){.of = &of->clock[i], .now = of->clock[i].now, .gate = gate};
	}
	pm_timer_start = machine_pm_timer() ? inl(machine_pm_timer()) : 0;
	brackets_run(b, of->n, us);
	for (unsigned i = 0; i < of->n; i++)
		s[i] = bracket_span(&b[i], pmu_get(of->clock[i].ctr));
}

void measure_clocks(struct run *t, const struct clock *clock, unsigned n, uint32_t us,
		    unsigned sharpness, struct span *s)
{
	spans_sharpen(measure, &(struct measuring){t, clock, n}, us, sharpness, n, s);
	SKIP_IF(t, !all_sharp(s, n, SHARP), NOT_SHARP);
}

/* ---- clocks of boxes ---- */

/* The clock is the fixed counter where the box has one, else counter 0 with the clock event, which
 * the gate opens, or its own control. */
static struct clock clock_of_counter(const struct pmu *box, uint64_t (*now)(const void *clock))
{
	static const struct box_config clocks = {CLOCKS};

	return (struct clock){
		.box = box,
		.now = now,
		.ctl = box->counter[0].ctl,
		.on = (uint32_t)box_encode(box_of(box)->kind, &clocks),
		.ctr = box->counter[0].ctr,
	};
}

static struct clock clock_of(const struct pmu *box, uint64_t (*now)(const void *clock),
			     const struct pmu *reference)
{
	const struct box_kind *kind = box_of(box)->kind;
	bool fixed = box_has_fixed(box);
	struct clock clock = {
		.box = box,
		.now = now,
		.reference = reference,
		.ctl = fixed ? box_fixed_ctl(box) : box->bank->gate,
		.on = fixed ? kind->fixed.enable : (uint32_t)box_gating(kind)->run,
		.off = fixed ? 0 : box_gating(kind)->stop,
		.ctr = fixed ? box_fixed_ctr(box) : box->counter[0].ctr,
	};

	if (reference)
		clock.reference_ctr = box_event(box_of(reference)->kind, BOX_CLOCKS)
					      ? reference->counter[0].ctr
					      : box_fixed_ctr(reference);
	return clock;
}

/* References for the clocks of boxes.  Rows say at which rates both may run; without rates, both
 * run at the same.  Firmware calibrates the TSC only roughly: the PCU is compared with the power
 * management timer. */
static const struct rate {
	uint64_t kinds, reference;
	const char *alone; /* without the reference */
} rates[] = {
	{BOX_CHANNEL, BOX_POWER, "no PCU to compare with"},
	{BOX_POWER, 0, "no ACPI power management timer to compare with"},
	{BOX_HOME | BOX_PCIE_STOP | BOX_RING_SWITCH | BOX_SLICE, BOX_SYSTEM,
	 "no UBox within reach to compare with"},
};

static const struct rate *rate_of(const struct run *t)
{
	const struct rate *rate = rates;

	while (!(rate->kinds & t->pmu->kinds))
		rate++;
	return rate;
}

/* Only the UBox of this processor's socket is within reach. */
static bool is_alone(const struct run *t, const struct rate *rate, const struct pmu *reference)
{
	if (!rate->reference)
		return !machine_pm_timer();
	if (!reference)
		return true;
	return !kind_of(t)->hz && box_of(t->pmu)->socket != box_of(reference)->socket;
}

/* The clock that it is compared with has one rate. */
static bool is_legal(const struct run *t, const struct pmu *reference, const struct span *s)
{
	const uint32_t *hz = kind_of(t)->hz;
	bool legal = false;

	if (!hz)
		return is_same_rate(s, WRITE_LAG);
	for (; *hz; hz++)
		legal |= may_be_rate(s, *hz, reference ? *box_of(reference)->kind->hz : PM_TIMER_HZ,
				     0);
	return legal;
}

ABSENT_IF(why_no_rate,
	  (box_of(pmu)->kind->role & (BOX_POWER | BOX_CHANNEL)) && !box_of(pmu)->kind->hz,
	  "no rate is documented for this box")

BOX_TEST(clock_rate, "the clock of a box has the documented rate", .absent = why_no_rate,
	 .clause = "uncore guide, 2.3 to 2.9: clocks of DRAM, PCU and UCLK",
	 .kinds = BOX_CHANNEL | BOX_HOME | BOX_PCIE_STOP | BOX_RING_SWITCH | BOX_SLICE | BOX_POWER)
{
	const struct rate *rate = rate_of(t);
	const struct pmu *reference = rate->reference ? find_box(rate->reference) : NULL;
	const struct clock clock =
		clock_of(t->pmu, rate->reference ? by_counter : by_pm_timer, reference);
	struct span s;

	SKIP_IF(t, is_alone(t, rate, reference), rate->alone);
	measure_clocks(t, &clock, 1, FIRST_US, SHARP, &s);
	SKIP_IF(t, !s.count && t->pmu->idle && box_has_fixed(t->pmu), t->pmu->idle);
	if (!CHECK(t, is_legal(t, reference, &s)))
		report_span("its clocks, and those it is compared with", &s);
}

/* ---- DCLK, which fixed counters count: all channels are measured in the same window ---- */

/* All clocks run at the same rate, in windows of the same time. */
static void check_alike(struct run *t, const struct clock *clock, unsigned n)
{
	struct span s[CLOCKS_MAX];

	measure_clocks(t, clock, n, FIRST_US, SHARP, s);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			CHECK_IS(t, s[i].count * s[j].outer, >=, s[j].count * s[i].inner);
}

static unsigned find_channels(struct clock *clock, uint64_t (*now)(const void *clock))
{
	const struct pmu *pmu;
	unsigned n = 0;

	for (unsigned i = 0; n < CLOCKS_MAX && (pmu = box_pmu(i)); i++)
		if (pmu->kinds & BOX_CHANNEL && !pmu->silent && !pmu->idle)
			clock[n++] = clock_of(pmu, now, pmu);
	return n;
}

/* Each, or every other one where sources differ. */
static bool counts_clocks(const struct clock *clock, const struct span *s)
{
	return is_same_rate(s, WRITE_LAG) ||
	       (box_of(clock->box)->kind->fixed_halves && may_be_rate(s, 1, 2, WRITE_LAG));
}

BOX_TEST(fixed_matches, "the fixed counter counts the clocks that a general counter counts",
	 .clause = FIXED, .kinds = BOX_FIRST(BOX_CHANNEL))
{
	struct clock clock[CLOCKS_MAX];
	struct span s[CLOCKS_MAX];
	unsigned n = find_channels(clock, by_counter);

	SKIP_IF(t, !n, NO_DCLK);
	measure_clocks(t, clock, n, FIRST_US, VERY_SHARP, s);
	for (unsigned i = 0; i < n; i++)
		if (!CHECK(t, counts_clocks(&clock[i], &s[i])))
			report_span(clock[i].box->name, &s[i]);
}

#undef GROUP
#define GROUP "traffic", "count"

BOX_TEST(dclk_agree, "DCLK has the same rate on all channels", .clause = FIXED,
	 .kinds = BOX_FIRST(BOX_CHANNEL))
{
	struct clock clock[CLOCKS_MAX];
	unsigned n = find_channels(clock, bracket_tsc);

	SKIP_IF(t, !n, NO_DCLK);
	check_alike(t, clock, n);
}

/* One controller may stand still, as one that is not in use. */
BOX_TEST(clocks_agree, "all memory controllers count clocks at the same rate",
	 .clause = "AMD PPR of family 19h model 11h, 2.1.14: UMC event 00h",
	 .kinds = BOX_FIRST(BOX_CONTROLLER))
{
	struct clock clock[CLOCKS_MAX];
	const struct pmu *pmu;
	unsigned n = 0;

	for (unsigned i = 0; n < CLOCKS_MAX && (pmu = box_pmu(i)); i++)
		if (pmu->kinds & BOX_CONTROLLER && !pmu->silent && !pmu->idle)
			clock[n++] = clock_of_counter(pmu, bracket_tsc);
	SKIP_IF(t, n < 2, "no two controllers of which event 00h counts clocks");
	check_alike(t, clock, n);
}

/* ---- in windows of millions of clocks ---- */

#undef GROUP
#define GROUP "rare", "interrupt"

/* How many clocks its fixed counter, which counts each or every other one, has counted more than
 * the general one. */
static int64_t more_of(const struct clock *clock)
{
	const uint64_t fixed = pmu_get(clock->ctr), general = pmu_get(clock->reference_ctr);
	const bool halves = box_of(clock->box)->kind->fixed_halves && fixed < general / 4 * 3;

	return (int64_t)((halves ? 2 * fixed : fixed) - general);
}

/* Of each channel, while its box runs. */
static void count_more(struct run *t, const struct clock *clock, unsigned n, uint32_t us,
		       int64_t *more)
{
	for (unsigned i = 0; i < n; i++) {
		put_clocks(t, clock[i].box);
		gate(&clock[i], true);
	}
	for (unsigned i = 0; i < n; i++)
		box_run(clock[i].box);
	machine_delay_us(us);
	for (unsigned i = 0; i < n; i++)
		box_freeze(clock[i].box);
	for (unsigned i = 0; i < n; i++)
		more[i] = more_of(&clock[i]);
}

static bool stands_still(const struct clock *clock)
{
	uint64_t before = pmu_get(clock->ctr);

	wait_a_window();
	return pmu_get(clock->ctr) == before;
}

/* So many clocks of the slowest DCLK, 400 MHz, for each event, so that of a million of them one is
 * seen behind what the ends of two windows may differ by: a clock each. */
#define DCLK_US(events) ((events) / 25)
#define ENDS            4

/* Half clocks end windows up to two clocks apart. */
static bool are_close(const struct clock *clock, int64_t a, int64_t b)
{
	const int64_t slack = box_of(clock->box)->kind->fixed_halves ? 2 * ENDS : ENDS;

	return a - b <= slack && b - a <= slack;
}

BOX_TEST(dclk, "the fixed counter counts each clock that a general counter counts", .clause = FIXED,
	 .kinds = BOX_FIRST(BOX_CHANNEL), .rare = true)
{
	struct clock clock[CLOCKS_MAX];
	int64_t less[CLOCKS_MAX], more[CLOCKS_MAX];
	unsigned n = find_channels(clock, by_counter);

	SKIP_IF(t, !n, NO_DCLK);
	count_more(t, clock, n, FIRST_US, less);
	count_more(t, clock, n, DCLK_US(rare_events()), more);
	SKIP_IF(t, !stands_still(&clock[0]),
		"box control does not stop the fixed counter, and rates are known less sharply");
	for (unsigned i = 0; i < n; i++)
		if (!CHECK(t, are_close(&clock[i], more[i], less[i])))
			report_diag("%s: %lld more in a long window, %lld more in a short one",
				    clock[i].box->name, (long long)more[i], (long long)less[i]);
}
