/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of counters in architectural last-branch records. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "lbr", "access"

/* In each turn of the loop as many as a field of two bits can say, or more. */
#define MANY  3u
#define TURNS 100u

static unsigned logging(const struct pmu *pmu)
{
	return (unsigned)field_get(CPUID_1C_ECX_EVENTS, intel(pmu)->cpu.leaf_1c.ecx);
}

ABSENT_UNLESS(no_log, has_branches_of_user(pmu) && pmu->branches->sizes && logging(pmu),
	      "CPUID 1CH does not say that branch records log events")

/* Records of the loop follow each other: each turn leaves one. */
static bool is_of_turn(unsigned entry)
{
	return rdmsr(MSR_IA32_LBR_FROM_IP(entry)) == (uintptr_t)precise_branch &&
	       rdmsr(MSR_IA32_LBR_FROM_IP(entry + 1)) == (uintptr_t)precise_branch;
}

/* Each record but those around the loop has so many of the counter that logs, and none of others.
 */
static void check_entries(struct run *t, unsigned number, uint64_t due)
{
	unsigned judged = 0;

	for (unsigned i = 0; i + 1 < t->pmu->branches->entries; i++) {
		uint64_t info = rdmsr(MSR_IA32_LBR_INFO(i));

		if (!is_of_turn(i))
			continue;
		judged++;
		for (unsigned n = 0; n < 4; n++)
			CHECK_EQ(t, field_get(LBR_INFO_EVENTS(n), info), n == number ? due : 0);
	}
	CHECK_IS(t, judged, >=, t->pmu->branches->entries / 2);
}

static void check_log(struct run *t, unsigned ctr, unsigned event, bool logs, uint64_t due)
{
	const unsigned failures = t->failures;
	struct window w = {
		.n = 1,
		.c = {{.ctr = ctr, .cfg = gated(event), .extra = logs ? PERFEVTSEL_LBR_LOG : 0}},
		.work = in_ring3(&payload_precise, TURNS)};

	if (!pmu_can_count(t->pmu, ctr, event))
		return;
	pmu_reset(t->pmu);
	window_program(t, &w);
	branches_of_user(t);
	window_go_on(t, &w);
	t->pmu->branches->stop(t->pmu);
	check_entries(t, intel_number(t->pmu, ctr), due);
	if (t->failures > failures)
		report_diag("counter %u, event %s%s", ctr, t->pmu->events[event].name,
			    logs ? "" : ", which is not logged");
}

INTEL_TEST(event_log,
	   "a record says how often, up to three, the event of a counter that asks for it came "
	   "since the record before",
	   .clause = "SDM vol. 3B, 19.1.3.3: IA32_LBR_x_INFO; Linux, "
		     "tools/perf/Documentation/perf-record.txt: counter",
	   .needs = PMU_BRANCHES, .absent = no_log)
{
	for (unsigned c = 0; c < intel_general(t->pmu); c++) {
		if (!(logging(t->pmu) >> intel_number(t->pmu, c) & 1))
			continue;
		check_log(t, c, EV_TAKEN_BRANCHES, true, 1);
		check_log(t, c, EV_INSTRUCTIONS, true, MANY);
		check_log(t, c, EV_NEAR_RETURNS, true, 0);
		check_log(t, c, EV_INSTRUCTIONS, false, 0);
	}
}
