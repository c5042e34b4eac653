/* SPDX-License-Identifier: BSD-2-Clause */
/* The clocks of uncore boxes: at which rates they run. */
#include "kernel/console/report.h"
#include "kernel/cpu.h"
#include "kernel/machine.h"
#include "window.h"

#define GROUP   "count"

#define RATE_US 5000u

/* A box of which the fixed counter, or else counter 0, runs; without one the power management
 * timer: firmware calibrates the TSC only roughly. */
struct reference {
	const struct pmu *box;
	uint16_t pm_timer; /* port */
};

static uint64_t now(const struct reference *r)
{
	uint32_t fixed = r->box ? snbep_box(r->box)->kind->fixed_ctr : 0;

	if (!r->box)
		return inl(r->pm_timer);
	return snbep_get_counter(r->box, fixed ? fixed : r->box->counter[0].ctr.address);
}

static uint64_t passed(const struct reference *r, uint64_t from, uint64_t to)
{
	return r->box ? to - from : machine_pm_ticks((uint32_t)from, (uint32_t)to);
}

/* Of the channel's fixed counter, where there is one, else of counter 0 on the clock event. */
static struct span measure_once(struct run *t, const struct reference *r)
{
	const struct snbep_kind *kind = kind_of(t);
	uint32_t gate = kind->fixed_ctl ? kind->fixed_ctl : box_ctl_of(t);
	uint32_t ctr = kind->fixed_ctr ? kind->fixed_ctr : t->pmu->counter[0].ctr.address;
	const struct snbep_config clock = clock_of(t);
	uint64_t before, open, close, after;

	box_program(t, 1, NULL, &clock);
	snbep_put_counter(t->pmu, ctr, 0);
	if (kind->fixed_ctl)
		snbep_run(t->pmu);
	before = now(r);
	snbep_put(t->pmu, gate, (uint32_t)(kind->fixed_ctl ? FIXED_CTL_EN : BOX_CTL_RUN));
	open = now(r);
	machine_delay_us(RATE_US);
	close = now(r);
	snbep_put(t->pmu, gate, (uint32_t)(kind->fixed_ctl ? 0 : BOX_CTL_STOP));
	after = now(r);
	return (struct span){passed(r, open, close), passed(r, before, after),
			     snbep_get_counter(t->pmu, ctr)};
}

/* Sharp, or the test has nothing to say. */
static struct span measure_clock(struct run *t, const struct reference *r)
{
	struct span s = measure_once(t, r);

	for (unsigned i = 1; i < SHARP_TRIES && !is_sharp(&s); i++)
		s = measure_once(t, r);
	SKIP_IF(t, !is_sharp(&s), NOT_SHARP);
	return s;
}

/* May the rate be this one, if the reference has that one?  0.5 %: spread spectrum of
 * the base of the clocks. */
static bool may_be(const struct span *s, uint64_t rate, uint64_t reference_rate)
{
	return s->count * reference_rate / 201 <= rate * s->outer / 200 &&
	       s->count * reference_rate / 199 >= rate * s->inner / 200;
}

static void tell_span(const struct span *s, uint64_t reference_khz)
{
	report_diag("%llu clocks in %llu to %llu at %llu kHz", (unsigned long long)s->count,
		    (unsigned long long)s->inner, (unsigned long long)s->outer,
		    (unsigned long long)reference_khz);
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
	const struct reference reference = {.box = pcu};
	const struct snbep_config clock = {PCU_CLOCKTICKS};
	bool known = false;
	struct span s;

	SKIP_IF(t, !pcu, "no PCU to compare with");
	snbep_put(pcu, pcu->counter[0].ctl.address, snbep_encode(snbep_box(pcu)->kind, &clock));
	snbep_run(pcu);
	s = measure_clock(t, &reference);
	SKIP_IF(t, !s.count && t->pmu->idle, t->pmu->idle);
	for (unsigned i = 0; i < ARRAY_SIZE(legal); i++)
		known |= may_be(&s, legal[i], PCU_KHZ);
	if (!CHECK(t, known) || !CHECK(t, s.inner > 0))
		tell_span(&s, PCU_KHZ);
}

/* ---- PCU ---- */

static void check_pcu(struct run *t)
{
	const struct reference reference = {.pm_timer = machine_pm_timer()};
	struct span s;

	SKIP_IF(t, !reference.pm_timer, "no ACPI power management timer to compare with");
	s = measure_clock(t, &reference);
	if (!CHECK(t, may_be(&s, PCU_KHZ * UINT64_C(1000), PM_TIMER_HZ)))
		tell_span(&s, PM_TIMER_HZ / 1000);
}

static void check_uclk(struct run *t)
{
	const struct pmu *ubox = find_box(SNBEP_UBOX);
	const struct reference reference = {.box = ubox};
	struct span s;

	SKIP_IF(t, snbep_box(t->pmu)->socket || !ubox, "no UBox within reach to compare with");
	snbep_put(ubox, snbep_box(ubox)->kind->fixed_ctl, FIXED_CTL_EN);
	s = measure_clock(t, &reference);
	if (!CHECK(t, is_same_rate(&s, WRITE_LAG)))
		tell_span(&s, 0);
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
