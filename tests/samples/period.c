/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own: what their control keeps, and when a record comes. */
#include "own.h"

#define GROUP "samples", "access"

#define OWN_TEST(name, claim, ...)                                                                 \
	TEST(name, claim, .clause = IBS, .needs = PMU_SAMPLER, __VA_ARGS__)

/* ---- the control ---- */

/* Armed and stopped again: in both states the MSR reads as it was written. */
static void check_kept(struct run *t, const struct pmu_sampling *what)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	struct msr_switch by;
	const char *why = sampler->prepare(t->pmu, what, &by);
	uint64_t armed;

	if (why)
		test_refused(t, why);
	wrmsr(by.msr, by.on);
	armed = rdmsr(by.msr);
	wrmsr(by.msr, by.off);
	CHECK_EQ(t, armed & sampler->kept, by.on & sampler->kept);
	CHECK_EQ(t, rdmsr(by.msr) & (sampler->kept | sampler->full), by.off & sampler->kept);
}

/* No period is so short that a record comes before the second write. */
static void check_kept_by(struct run *t, enum pmu_period of)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	struct pmu_sampling what = {.of = of, .period = sampler->longest};

	check_kept(t, &what);
	for (uint64_t bit = sampler->step; bit < sampler->longest; bit *= 2) {
		what.period = bit < 1024 ? 1024 + bit : bit;
		check_kept(t, &what);
		what.period = sampler->longest - bit;
		check_kept(t, &what);
	}
	what.random = sampler->randomizes;
	what.misses_only = sampler->misses;
	check_kept(t, &what);
	for (what.latency = sampler->latency_step; what.latency < sampler->latency_most;
	     what.latency *= 2)
		check_kept(t, &what);
	what.latency = sampler->latency_most;
	check_kept(t, &what);
}

OWN_TEST(control_bits,
	 "the sampler's control reads as it was written: period, what it counts, enable",
	 .absent = not_of_its_own)
{
	for (uint32_t left = t->pmu->sampler->periods; left; left &= left - 1)
		check_kept_by(t, (enum pmu_period)(left & -left));
	t->pmu->sampler->disarm(t->pmu);
}

/* ---- the period of ops ---- */

/* One that is counted may be ahead of its dispatch, and what reads the MSR is of several ops. */
enum { EARLY = 200, SLACK = 40 };
#define NOT_BY_NOW (KNOWN_STRAIGHT + EARLY + SLACK + 10)
#define LONG_AGO   (KNOWN_STRAIGHT / 4 / 16 * 16)

static bool comes_of(struct run *t, const struct pmu_sampling *what, asm_code *code)
{
	bool full = own_run(t, what, code, 0);

	t->pmu->sampler->disarm(t->pmu);
	return full;
}

static bool comes(struct run *t, asm_code *code, uint64_t period, uint64_t passed)
{
	const struct pmu_sampling what = {.of = PERIOD_OPS, .period = period, .passed = passed};

	return comes_of(t, &what, code);
}

_Static_assert(NOT_BY_NOW % 16 == 0, "a multiple of the step");

/* Behind each bit of the period that is longer than this, too, as if it alone were not there. */
OWN_TEST(not_early, "no record comes before the period of ops, less those that had passed, is over",
	 .absent = not_of_ops)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;

	CHECK(t, !comes(t, known_nops(KNOWN_STRAIGHT), NOT_BY_NOW, 0));
	for (uint64_t bit = 4096; bit < sampler->longest; bit *= 2)
		CHECK(t, !comes(t, known_nops(KNOWN_STRAIGHT), bit + sampler->shortest, 0));
	for (uint64_t passed = 16; sampler->presets && passed <= 4096; passed *= 2)
		CHECK(t, !comes(t, known_nops(KNOWN_STRAIGHT), NOT_BY_NOW + passed, passed));
}

/* A tagged op that is thrown away takes another period: so once more where none comes. */
static void check_comes(struct run *t, asm_code *code, uint64_t period, uint64_t passed)
{
	if (!comes(t, code, period, passed))
		CHECK(t, comes(t, code, period, passed));
}

OWN_TEST(in_time, "a record comes within four periods of ops", .absent = not_of_ops)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;

	for (uint64_t period = sampler->shortest; period <= LONG_AGO; period += sampler->step)
		check_comes(t, known_nops(KNOWN_STRAIGHT), period, 0);
	check_comes(t, known_nops(KNOWN_SHORT), KNOWN_SHORT / 4 / 16 * 16, 0);
	for (uint64_t bit = 16; sampler->presets && bit < sampler->longest; bit *= 2)
		check_comes(t, known_nops(KNOWN_SHORT), KNOWN_SHORT / 4 / 16 * 16 + bit, bit);
}

/* ---- and of clocks ---- */

/* Of known_slow: longer than its ops, that may be thrown away with its last branch, too; and it
 * takes three clocks for each. */
enum { SLOW = (KNOWN_SLOW + 2 * EARLY) / 16 * 16 };

OWN_TEST(of_ops_or_clocks, "a period is of what it was said to be of, ops or clocks",
	 .absent = not_of_ops)
{
	struct pmu_sampling what = {.of = PERIOD_OPS, .period = SLOW};
	bool comes = false;

	CHECK(t, !comes_of(t, &what, known_slow));
	/* No manual says how soon. */
	what.of = PERIOD_CLOCKS;
	for (unsigned i = 0; i < 8; i++)
		comes |= comes_of(t, &what, known_slow);
	CHECK(t, comes);
}

/* ---- one at a time ---- */

/* Turns of known_mix in which there are many of the shortest periods, whatever they are of. */
enum { MANY = 1000 };

/* Where what was fetched is not known, there is nothing to judge.  Ahead of a branch that is not
 * there yet, the line behind the code is fetched, too. */
static void check_place(struct run *t, const struct pmu_sample *sample)
{
	bool fetched = !(t->pmu->sampler->has & SAMPLE_EVENT_IP);
	uint64_t at = fetched ? sample->linear : sample->event_ip;

	if (sample->has & (fetched ? SAMPLE_LINEAR : SAMPLE_EVENT_IP)) {
		CHECK_IS(t, at, >=, (uintptr_t)known_first);
		CHECK_IS(t, at, <, (uintptr_t)known_end);
	}
}

static void check_sticky(struct run *t, enum pmu_period of)
{
	const struct pmu_sampling what = {.of = of, .period = t->pmu->sampler->shortest};
	struct pmu_sample sample;

	REQUIRE(t, own_run(t, &what, known_mix, MANY) || own_run(t, &what, known_mix, MANY));
	kernel_call(payload_branches.entry, MANY, user_buffer());
	sample = own_take(t);
	check_place(t, &sample);
	CHECK_EQ(t, t->pmu->sampler->disarm(t->pmu), 0);
}

OWN_TEST(sticky, "a record stands, and no other comes, until the sampler is armed again",
	 .absent = not_of_its_own)
{
	for (uint32_t left = t->pmu->sampler->periods; left; left &= left - 1)
		check_sticky(t, (enum pmu_period)(left & -left));
}
