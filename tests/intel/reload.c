/* SPDX-License-Identifier: BSD-2-Clause */
/* Auto counter reload: the overflow of one counter gives others a value to go on from. */
#include "intel.h"

#define GROUP  "reload", "overflow"
#define RELOAD "SDM vol. 4, IA32_PMC_GPn_CFG_B, IA32_PMC_GPn_CFG_C; CPUID leaf 23H, subleaf 2"

ABSENT_UNLESS(none_is_reloaded, intel(pmu)->cpu.reloaded,
	      "CPUID 23H tells of no counter that is reloaded")

static bool is_in(const struct pmu *pmu, unsigned c, uint64_t global_bits)
{
	return pmu_global_bit(pmu, c) & global_bits;
}

static bool is_reloaded(const struct pmu *pmu, unsigned c)
{
	return is_in(pmu, c, intel(pmu)->cpu.reloaded);
}

static void name_sources(const struct pmu *pmu, unsigned c, uint64_t sources, uint64_t value)
{
	pmu_put(pmu, intel_cfg_c(&pmu->counter[c]), value & CFG_C_RELOAD);
	pmu_put(pmu, intel_cfg_b(&pmu->counter[c]), sources);
}

/* ---- registers ---- */

/* Sources that are there, and those that surely are not; of counters that are not driven nothing is
 * asked. */
static void check_sources(struct run *t, uint32_t cfg_b)
{
	const struct intel_cpu *cpu = &intel(t->pmu)->cpu;
	uint64_t driven = pmu_global_bits(t->pmu, all_counters(t->pmu));
	uint64_t refused = (cpu->absent | driven) & ~cpu->reloading;

	for (uint64_t left = cpu->reloading; left; left &= left - 1) {
		CHECK_WRMSR(t, cfg_b, left & -left, FAULT_NONE);
		CHECK_EQ(t, rdmsr(cfg_b), left & -left);
	}
	wrmsr(cfg_b, 0);
	check_bits_fault(t, cfg_b, refused);
}

INTEL_TEST(sources,
	   "a counter that is reloaded takes the sources that CPUID tells of, and no others",
	   .clause = RELOAD, .per_counter = true, .absent = none_is_reloaded)
{
	const struct pmu_counter *counter = &t->pmu->counter[t->counter];
	const uint32_t cfg_b = pmu_number(intel_cfg_b(counter)),
		       cfg_c = pmu_number(intel_cfg_c(counter));

	if (!is_reloaded(t->pmu, t->counter)) {
		CHECK_WRMSR(t, cfg_b, 0, FAULT_GP);
		return;
	}
	check_sources(t, cfg_b);
	for (unsigned bit = 0; bit < 32; bit++) {
		wrmsr(cfg_c, BIT(bit));
		CHECK_EQ(t, rdmsr(cfg_c), BIT(bit));
	}
	wrmsr(cfg_c, 0);
}

/* ---- reloading ---- */

#define FROM   UINT64_C(1000)
#define PERIOD 40u
/* Far from all that is counted here; of 32 bits, of which the last goes on upwards, and of which
 * each below is once 0 and once 1. */
static const uint32_t values[] = {0xd5555555, 0xaaaaaaaa};
static const struct work work = {.payload = &payload_straight, .iterations = 40, .ring = RING_3};

enum { RELOADED, SOURCE, BYSTANDER, ROLES };

/* Another that could be reloaded. */
static unsigned bystander(const struct pmu *pmu, unsigned reloaded, unsigned source)
{
	unsigned c = reloaded;

	do
		c = (c + 1) % pmu->counters;
	while (c == source || !is_reloaded(pmu, c));
	return c;
}

/* One that counts alike each time, if the counter can count it. */
static unsigned event_of(const struct pmu *pmu, unsigned c)
{
	return pmu_can_count(pmu, c, EV_INSTRUCTIONS) ? EV_INSTRUCTIONS : first_event(pmu, c);
}

/* The bystander counts what the counter under test does, if it can. */
static struct window window_with(struct run *t, unsigned source)
{
	const unsigned other = bystander(t->pmu, t->counter, source);
	const unsigned event = event_of(t->pmu, t->counter);

	return (struct window){
		.n = other == t->counter ? BYSTANDER : ROLES,
		.c = {[RELOADED] = {.ctr = t->counter, .from = FROM, .cfg = gated(event)},
		      [SOURCE] = {.ctr = source,
				  .from = preset_for(t, PERIOD),
				  .cfg = gated(event_of(t->pmu, source))},
		      [BYSTANDER] = {.ctr = other,
				     .from = FROM,
				     .cfg = gated(pmu_can_count(t->pmu, other, event)
							  ? event
							  : event_of(t->pmu, other))}},
		.work = work,
	};
}

/* Events of the counter under test in the window: as its bystander has counted them, or as it has
 * itself when nothing was reloaded. */
static uint64_t all_events(const struct window *w, const struct window *usual)
{
	bool alike = w->n > BYSTANDER && w->c[BYSTANDER].cfg.event == w->c[RELOADED].cfg.event;

	return (alike ? w->c[BYSTANDER].out : usual->c[RELOADED].out) - FROM;
}

/* No more than all of the window come behind the reload: how soon behind the overflow it is, no
 * manual says. */
static void check_source(struct run *t, unsigned source, uint32_t reload)
{
	const uint64_t value = (uint64_t)(int32_t)reload & pmu_mask(t->pmu, t->counter);
	const uint64_t bit = pmu_global_bit(t->pmu, source);
	struct window w = window_with(t, source), usual = w;

	name_sources(t->pmu, t->counter, 0, reload);
	window_run(t, &usual);
	CHECK_IS(t, usual.c[RELOADED].out, >, FROM);
	CHECK_IS(t, usual.c[RELOADED].out, <, value);
	CHECK_IS(t, usual.c[SOURCE].out, <, w.c[SOURCE].from);
	pmu_acknowledge(t->pmu, all_counters(t->pmu));
	name_sources(t->pmu, bystander(t->pmu, t->counter, source), 0, reload);
	name_sources(t->pmu, t->counter, bit, reload);
	window_run(t, &w);
	CHECK_IS(t, w.c[RELOADED].out, >=, value);
	CHECK_IS(t, w.c[RELOADED].out - value, <, all_events(&w, &usual));
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & pmu_global_bits(t->pmu, all_counters(t->pmu)), bit);
	if (w.n > BYSTANDER)
		CHECK_IS(t, w.c[BYSTANDER].out, <, value);
	name_sources(t->pmu, t->counter, 0, 0);
}

static const char *is_never(const struct pmu *pmu, unsigned ctr)
{
	return is_reloaded(pmu, ctr) ? NULL
				     : "CPUID 23H does not tell that this counter is reloaded";
}

INTEL_TEST(by_others, "the overflow of a source reloads the counter that names it, and no other",
	   .clause = RELOAD, .needs = PMU_PRIVILEGE | PMU_GLOBAL | PMU_USER_ALONE,
	   .min_counters = 2, .per_counter = true, .absent = is_never)
{
	for (unsigned source = 0; source < t->pmu->counters; source++) {
		if (source == t->counter || !is_in(t->pmu, source, intel(t->pmu)->cpu.reloading))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(values); i++)
			check_source(t, source, values[i]);
	}
}

INTEL_TEST(by_itself,
	   "a counter that names itself goes on from its value at each overflow, and shows none",
	   .clause = RELOAD, .needs = PMU_PRIVILEGE | PMU_GLOBAL | PMU_USER_ALONE,
	   .per_counter = true, .absent = is_never)
{
	const uint64_t bit = pmu_global_bit(t->pmu, t->counter);
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .from = preset_for(t, PERIOD),
				  .cfg = gated(first_event(t->pmu, t->counter))}},
			   .work = work};

	window_run(t, &w);
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & bit, bit);
	CHECK_IS(t, w.c[0].out, <, w.c[0].from);
	pmu_acknowledge(t->pmu, BIT(t->counter));
	name_sources(t->pmu, t->counter, bit, w.c[0].from);
	window_run(t, &w);
	CHECK_IS(t, w.c[0].out, >=, w.c[0].from);
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & bit, 0);
}
