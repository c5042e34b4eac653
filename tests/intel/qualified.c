/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of which a register of their own says which occurrences count: instructions by what their
 * fetch missed, and loads by how long they took. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "qualified", "count"

enum { TURNS = 200 };

/* Does the value let something of each turn through, or nothing that the payload does?  No manual
 * says how much: loads are tagged at random, and interrupts and the other thread make others miss.
 * An eighth of the turns is far more than these do in so short a time, and far less than a value
 * that has no effect. */
struct row {
	uint32_t value;
	const struct payload *payload;
	bool some;
};

static const struct row fetch_rows[] = {
	{FRONTEND_L1I_MISS, &payload_code_misses, true},
	{FRONTEND_L1I_MISS, &payload_misses, false},
	{FRONTEND_L2_MISS, &payload_code_misses, true},
	{FRONTEND_LATENCY | 2 << FRONTEND_BUBBLES_SHIFT, &payload_code_misses, true},
	{FRONTEND_LATENCY | 0xfff << FRONTEND_BUBBLES_SHIFT, &payload_code_misses, false},
};

static const struct row load_rows[] = {
	{LD_LAT_LEAST, &payload_misses, true},
	{64, &payload_misses, true},
	{0xffff, &payload_misses, false},
};

/* stop: the erratum by which nothing may count; NULL: there is none. */
static void check_row(struct run *t, const struct row *row, uint64_t count,
		      const struct pmu_erratum *stop)
{
	if (row->some && !count && stop && !t->failed)
		test_known(t, stop->id);
	if (row->some)
		CHECK_IS(t, count, >, 0);
	else
		CHECK_IS(t, count, <, TURNS / 8);
}

static bool is_kept(uint32_t msr, uint64_t value)
{
	uint64_t kept = 0;

	wrmsr_safe(msr, value);
	rdmsr_safe(msr, &kept);
	return kept == value;
}

/* One counter, beside which others may have to count something. */
static struct window window_of(uint32_t select, unsigned ctr, const struct row *row)
{
	return (struct window){.ops = &intel_selects,
			       .n = 1,
			       .c = {{.ctr = ctr, .select = select | PERFEVTSEL_USR}},
			       .work = in_ring3(row->payload, TURNS)};
}

/* ---- by their fetch ---- */

static const char *not_frontend(const struct pmu *pmu, unsigned ctr)
{
	if (!intel_frontend(&intel(pmu)->cpu).select)
		return "no such register is known here";
	return ctr < INTEL_OFFCORE_COUNTERS ? NULL : "counters 0 to 3 alone have it everywhere";
}

INTEL_TEST(fetches, "instructions count by what their fetch missed, or by how long it took",
	   .clause = "SDM vol. 3B, 20.3.8.3: MSR_PEBS_FRONTEND",
	   .needs = PMU_SELECT | PMU_USER_ALONE, .per_counter = true, .absent = not_frontend)
{
	const struct intel_frontend frontend = intel_frontend(&intel(t->pmu)->cpu);

	SKIP_IF(t, !is_kept(MSR_PEBS_FRONTEND, FRONTEND_L1I_MISS) && test_in_kvm(), "KVM has none");
	for (unsigned i = 0; i < ARRAY_SIZE(fetch_rows); i++) {
		struct window w = window_of(frontend.select, t->counter, &fetch_rows[i]);
		bool by_time = fetch_rows[i].value >> FRONTEND_BUBBLES_SHIFT;

		wrmsr(MSR_PEBS_FRONTEND, fetch_rows[i].value | (by_time ? frontend.width : 0));
		window_run(t, &w);
		check_row(t, &fetch_rows[i], w.c[0].out, NULL);
	}
}

/* ---- by how long they took ---- */

/* IA32_PMC3 is among those that can, on each part; and the one before it has the company. */
enum { LOAD_COUNTER = 3, COMPANY = 2 };

/* There may be holes in the numbers of counters. */
static unsigned load_counter(const struct pmu *pmu)
{
	unsigned ctr = 0;

	while (ctr < intel_general(pmu) && intel_number(pmu, ctr) != LOAD_COUNTER)
		ctr++;
	return ctr;
}

ABSENT_UNLESS(not_loads,
	      load_counter(pmu) < intel_general(pmu) && intel_load_latency(&intel(pmu)->cpu).select,
	      "no such register is known here, or counter 3 is missing")

/* Only while they could be recorded; none is, as the counter does not overflow. */
static uint64_t count_loads(struct run *t, const struct row *row)
{
	const struct intel_load_latency by = intel_load_latency(&intel(t->pmu)->cpu);
	const unsigned ctr = load_counter(t->pmu);
	const struct pmu_sampling sampling = {.counters = BIT(ctr), .room = ROOM};
	struct window w = window_of(by.select, ctr, row);

	if (by.company)
		w.c[w.n++] = (struct slot){.ctr = COMPANY, .select = by.company | PERFEVTSEL_USR};
	wrmsr(MSR_PEBS_LD_LAT_THRESHOLD, row->value);
	window_program(t, &w);
	t->pmu->sampler->arm(t->pmu, &sampling);
	if (by.enable)
		wrmsr(MSR_PEBS_ENABLE, rdmsr(MSR_PEBS_ENABLE) | by.enable << LOAD_COUNTER);
	window_go_on(t, &w);
	t->pmu->sampler->disarm(t->pmu);
	return w.c[0].out;
}

INTEL_TEST(loads, "loads count that take more than so many clocks, and no others",
	   .clause = "SDM vol. 3B, 20.3.1.1.2: MSR_PEBS_LD_LAT_THRESHOLD",
	   .needs = PMU_SELECT | PMU_USER_ALONE | PMU_SAMPLER, .absent = not_loads)
{
	SKIP_IF(t, !is_kept(MSR_PEBS_LD_LAT_THRESHOLD, LD_LAT_LEAST) && test_in_kvm(),
		"KVM has none");
	for (unsigned i = 0; i < ARRAY_SIZE(load_rows); i++)
		check_row(t, &load_rows[i], count_loads(t, &load_rows[i]),
			  pmu_effect(t->pmu, LATE_LOADS_STOP));
}
