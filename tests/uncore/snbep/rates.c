/* SPDX-License-Identifier: BSD-2-Clause */
/* The clocks of uncore boxes: at which rates they run. */
#include "snbep.h"

#define GROUP   "count"

#define RATE_US 5000u

/* A box, whose fixed counter or else counter 0 runs, is the reference for another one; without one
 * it is the power management timer: firmware calibrates the TSC only roughly. */
struct rate {
	struct run *t;
	const struct pmu *box;
	uint16_t pm_timer; /* port */
	uint32_t pm_start;
};

static uint64_t now(const void *of)
{
	const struct rate *r = of;
	uint32_t fixed = r->box ? snbep_box(r->box)->kind->fixed_ctr : 0;

	if (!r->box)
		return machine_pm_ticks(r->pm_start, inl(r->pm_timer));
	return snbep_get_counter(r->box, fixed ? fixed : r->box->counter[0].ctr.address);
}

/* The channel's fixed counter, where there is one, or else the whole box. */
static void gate(const void *of, bool open)
{
	const struct rate *r = of;
	const struct snbep_kind *kind = kind_of(r->t);

	if (kind->fixed_ctl)
		snbep_put(r->t->pmu, kind->fixed_ctl, open ? FIXED_CTL_EN : 0);
	else
		snbep_put(r->t->pmu, box_ctl_of(r->t), open ? BOX_CTL_RUN : BOX_CTL_STOP);
}

static void measure_once(const void *arg, uint32_t us, struct span *s)
{
	const struct rate *r = arg;
	const struct pmu *pmu = r->t->pmu;
	const struct snbep_kind *kind = kind_of(r->t);
	uint32_t ctr = kind->fixed_ctr ? kind->fixed_ctr : pmu->counter[0].ctr.address;
	struct window w = box_window(r->t, 0, CONFIGS(clock_of(r->t)), NULL);
	struct bracket b = {.of = r, .now = now, .gate = gate};

	window_program(r->t, &w);
	snbep_put_counter(pmu, ctr, 0);
	if (kind->fixed_ctl)
		snbep_run(pmu);
	brackets_run(&b, 1, us);
	*s = bracket_span(&b, snbep_get_counter(pmu, ctr));
}

/* Sharp, or the test has nothing to say. */
static struct span measure_clock(const struct rate *r)
{
	struct span s;

	spans_sharpen(measure_once, r, RATE_US, is_sharp, 1, &s);
	SKIP_IF(r->t, !is_sharp(&s), NOT_SHARP);
	return s;
}

static const struct pmu *find_box(uint32_t kinds)
{
	const struct pmu *pmu;
	unsigned i = 0;

	while ((pmu = snbep_pmu(i)) && (pmu->silent || !(pmu->kinds & kinds)))
		i++;
	return pmu;
}

#define PCU_KHZ 800000u

/* DDR3-800 to -1866: half as many clocks as transfers. */
static void check_dclk(struct run *t)
{
	static const uint32_t legal[] = {400000, 533333, 666667, 800000, 933333};
	const struct pmu *pcu = find_box(SNBEP_PCU);
	const struct rate rate = {.t = t, .box = pcu};
	bool known = false;
	struct span s;

	SKIP_IF(t, !pcu, "no PCU to compare with");
	box_start(pcu, snbep_clock(pcu));
	s = measure_clock(&rate);
	SKIP_IF(t, !s.count && t->pmu->idle, t->pmu->idle);
	for (unsigned i = 0; i < ARRAY_SIZE(legal); i++)
		known |= may_be_rate(&s, legal[i], PCU_KHZ, 0);
	if (!CHECK(t, known))
		report_span("DCLK, by a clock of 800 MHz", &s);
}

/* ---- PCU ---- */

static void check_pcu(struct run *t)
{
	struct rate rate = {.t = t, .pm_timer = machine_pm_timer()};
	struct span s;

	SKIP_IF(t, !rate.pm_timer, "no ACPI power management timer to compare with");
	rate.pm_start = inl(rate.pm_timer);
	s = measure_clock(&rate);
	if (!CHECK(t, may_be_rate(&s, PCU_KHZ * UINT64_C(1000), PM_TIMER_HZ, 0)))
		report_span("clocks, by the power management timer", &s);
}

static void check_uclk(struct run *t)
{
	const struct pmu *ubox = find_box(SNBEP_UBOX);
	const struct rate rate = {.t = t, .box = ubox};
	struct span s;

	SKIP_IF(t, snbep_box(t->pmu)->socket || !ubox, "no UBox within reach to compare with");
	snbep_put(ubox, snbep_box(ubox)->kind->fixed_ctl, FIXED_CTL_EN);
	s = measure_clock(&rate);
	if (!CHECK(t, is_same_rate(&s, WRITE_LAG)))
		report_span("clocks, by UCLK", &s);
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
