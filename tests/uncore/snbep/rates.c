/* SPDX-License-Identifier: BSD-2-Clause */
/* The clocks of uncore boxes: at which rates they run. */
#include "snbep.h"

#define GROUP   "count"
#define FIXED   "Intel 327043-001, 2.5: iMC fixed counter"
#define NO_DCLK "no memory channel of which event 00h counts DCLK"

/* Long against the time that the accesses take. */
#define RATE_US 5000u

/* ---- references ---- */

/* The low half, in which a window has room: one access, so that it is known sharply when. */
uint64_t by_counter(const void *of)
{
	const struct clock *clock = of;

	return snbep_get(clock->reference, clock->reference_ctr);
}

/* The ACPI power management timer, from the start of the window on, as it soon wraps. */
static uint32_t pm_timer_start;

static uint64_t by_pm_timer(const void *of)
{
	(void)of;
	return machine_pm_ticks(pm_timer_start, inl(machine_pm_timer()));
}

/* ---- measuring ---- */

static void gate(const void *of, bool open)
{
	const struct clock *clock = of;

	snbep_put(clock->box, clock->ctl, open ? clock->on : clock->off);
}

/* Each box frozen, or closed by another register, and its reference running. */
static void prepare(struct run *t, const struct clock *clock)
{
	const struct pmu *reference = clock->reference;

	put_clocks(t, clock->box);
	if (snbep_box(clock->box)->kind->fixed_ctl)
		snbep_run(clock->box);
	if (!reference || reference == clock->box)
		return;
	put_clocks(t, reference);
	snbep_run(reference);
}

struct job {
	struct run *t;
	const struct clock *clock;
	unsigned n;
};

static void measure(const void *arg, uint32_t us, struct span *s)
{
	const struct job *job = arg;
	struct bracket b[SNBEP_BOXES_MAX];

	for (unsigned i = 0; i < job->n; i++) {
		prepare(job->t, &job->clock[i]);
		b[i] = (struct bracket){
			.of = &job->clock[i], .now = job->clock[i].now, .gate = gate};
	}
	pm_timer_start = machine_pm_timer() ? inl(machine_pm_timer()) : 0;
	brackets_run(b, job->n, us);
	for (unsigned i = 0; i < job->n; i++)
		s[i] = bracket_span(&b[i], snbep_get_counter(job->clock[i].box, job->clock[i].ctr));
}

void measure_clocks(struct run *t, const struct clock *clock, unsigned n, bool very, struct span *s)
{
	spans_sharpen(measure, &(struct job){t, clock, n}, very ? VERY_SHARP_FIRST_US : RATE_US,
		      very ? is_very_sharp : is_sharp, n, s);
	SKIP_IF(t, !all_spans(s, n, is_sharp), NOT_SHARP);
}

/* ---- clocks of boxes ---- */

/* The channel's fixed counter, where there is one, else counter 0 on the clock event. */
static struct clock clock_of(const struct pmu *box, uint64_t (*now)(const void *clock),
			     const struct pmu *reference)
{
	const struct snbep_kind *kind = snbep_box(box)->kind;
	struct clock clock = {
		.box = box,
		.now = now,
		.reference = reference,
		.ctl = kind->fixed_ctl ? kind->fixed_ctl : snbep_reg(box, kind->box_ctl),
		.on = (uint32_t)(kind->fixed_ctl ? FIXED_CTL_EN : BOX_CTL_RUN),
		.off = (uint32_t)(kind->fixed_ctl ? 0 : BOX_CTL_STOP),
		.ctr = kind->fixed_ctl ? kind->fixed_ctr : box->counter[0].ctr.address,
	};

	if (reference)
		clock.reference_ctr = snbep_box(reference)->kind->clock
					      ? reference->counter[0].ctr.address
					      : snbep_box(reference)->kind->fixed_ctr;
	return clock;
}

#define PCU_KHZ 800000u

/* DDR3-800 to -1866: half as many clocks as transfers. */
static void check_dclk(struct run *t)
{
	static const uint32_t legal[] = {400000, 533333, 666667, 800000, 933333};
	const struct pmu *pcu = find_box(SNBEP_PCU);
	const struct clock clock = clock_of(t->pmu, by_counter, pcu);
	bool known = false;
	struct span s;

	SKIP_IF(t, !pcu, "no PCU to compare with");
	measure_clocks(t, &clock, 1, false, &s);
	SKIP_IF(t, !s.count && t->pmu->idle, t->pmu->idle);
	for (unsigned i = 0; i < ARRAY_SIZE(legal); i++)
		known |= may_be_rate(&s, legal[i], PCU_KHZ, 0);
	if (!CHECK(t, known))
		report_span("DCLK, clocks of the PCU", &s);
}

/* Firmware calibrates the TSC only roughly. */
static void check_pcu(struct run *t)
{
	const struct clock clock = clock_of(t->pmu, by_pm_timer, NULL);
	struct span s;

	SKIP_IF(t, !machine_pm_timer(), "no ACPI power management timer to compare with");
	measure_clocks(t, &clock, 1, false, &s);
	if (!CHECK(t, may_be_rate(&s, PCU_KHZ * UINT64_C(1000), PM_TIMER_HZ, 0)))
		report_span("clocks, ticks of the power management timer", &s);
}

static void check_uclk(struct run *t)
{
	const struct pmu *ubox = find_box(SNBEP_UBOX);
	const struct clock clock = clock_of(t->pmu, by_counter, ubox);
	struct span s;

	SKIP_IF(t, snbep_box(t->pmu)->socket || !ubox, "no UBox within reach to compare with");
	measure_clocks(t, &clock, 1, false, &s);
	if (!CHECK(t, is_same_rate(&s, WRITE_LAG)))
		report_span("clocks, UCLK", &s);
}

SNBEP_TEST(clock_rate, "the clock of a box has the documented rate",
	   .clause = "Intel 327043-001, 2.3 to 2.9: clocks of DRAM, PCU (800 MHz) and UCLK",
	   .kinds = SNBEP_IMC | SNBEP_HA | SNBEP_R2PCIE | SNBEP_CBO | SNBEP_PCU)
{
	if (kind_of(t)->bit == SNBEP_IMC)
		check_dclk(t);
	else if (kind_of(t)->bit == SNBEP_PCU)
		check_pcu(t);
	else
		check_uclk(t);
}

/* ---- DCLK, which the fixed counter of a channel counts: of all channels in the same window ----
 */

static unsigned find_channels(struct clock *clock, uint64_t (*now)(const void *clock))
{
	const struct pmu *pmu;
	unsigned n = 0;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_IMC && !pmu->silent && !pmu->idle)
			clock[n++] = clock_of(pmu, now, pmu);
	return n;
}

SNBEP_TEST(fixed_matches, "the fixed counter counts the clocks that a general counter counts",
	   .clause = FIXED, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	struct clock clock[SNBEP_BOXES_MAX];
	struct span s[SNBEP_BOXES_MAX];
	unsigned n = find_channels(clock, by_counter);

	SKIP_IF(t, !n, NO_DCLK);
	measure_clocks(t, clock, n, true, s);
	for (unsigned i = 0; i < n; i++)
		if (!CHECK(t, is_same_rate(&s[i], WRITE_LAG)))
			report_span(clock[i].box->name, &s[i]);
}

#undef GROUP
#define GROUP "traffic"

SNBEP_TEST(dclk_agree, "DCLK has the same rate on all channels", .clause = FIXED,
	   .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	struct clock clock[SNBEP_BOXES_MAX];
	struct span s[SNBEP_BOXES_MAX];
	unsigned n = find_channels(clock, bracket_tsc);

	SKIP_IF(t, !n, NO_DCLK);
	measure_clocks(t, clock, n, false, s);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			CHECK(t, s[i].count * s[j].outer >= s[j].count * s[i].inner);
}
