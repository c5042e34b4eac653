/* SPDX-License-Identifier: BSD-2-Clause */
/* Adaptive records of precise event-based sampling: what a counter asks for, and a counter that
 * records the very instruction. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"

/* The basic group alone. */
#define BASIC_SIZE 0x20u

/* 0 where another register says so. */
static uint64_t adaptive_bit(const struct pmu *pmu, unsigned ctr)
{
	if (!intel_pebs_is_adaptive(intel(pmu)))
		return 0;
	return ctr < intel_general(pmu) ? PERFEVTSEL_ADAPTIVE
					: FIXED_CTRL_ADAPTIVE(intel_fixed_index(pmu, ctr));
}

/* In windows of so many instructions at least.  Returns the bytes written. */
static uint64_t record_with(struct run *t, unsigned ctr, bool all_groups, uint64_t events,
			    uint64_t *left)
{
	struct pmu_sampling what = {.counters = BIT(ctr), .room = ROOM};
	struct window w = {.n = 1,
			   .c = {{.ctr = ctr,
				  .cfg = gated(first_event(t->pmu, ctr)),
				  .from = preset_for(t, PERIOD),
				  .extra = all_groups ? adaptive_bit(t->pmu, ctr) : 0}},
			   .work = sampled_loop(EV_INSTRUCTIONS, events)};

	what.preset[ctr] = preset_for(t, PERIOD);
	pmu_reset(t->pmu);
	window_program(t, &w);
	t->pmu->sampler->arm(t->pmu, &what);
	window_open(t, &w);
	work_do(&w.work);
	window_close(t, &w);
	*left = w.c[0].out;
	return t->pmu->sampler->disarm(t->pmu);
}

/* A record has its counter's bit of the global registers. */
static void check_groups(struct run *t, unsigned ctr, bool all_groups)
{
	uint64_t size = all_groups ? t->pmu->sampler->size : BASIC_SIZE;
	/* A clock may take some instructions, and the reference clock be a slow one. */
	uint64_t left;
	uint64_t written = record_with(t, ctr, all_groups, 4 * EVENTS_FOR(RECORDS), &left);
	struct pmu_sample first = t->pmu->sampler->take(t->pmu, 0);

	if (!CHECK_IS(t, written, >, 0) || !CHECK_EQ(t, written % size, 0) ||
	    !CHECK_EQ(t, first.size, size) ||
	    !CHECK_EQ(t, first.counters, pmu_global_bit(t->pmu, ctr)))
		report_diag("counter %u, %s", ctr, all_groups ? "all groups" : "the basic group");
	/* Clocks and slots pass ahead of the loop, too, and many where its code is missed. */
	if (all_groups && in_loop(first.ip) && in_loop(first.event_ip))
		check_record(t, 0, pmu_global_bit(t->pmu, ctr));
}

ABSENT_UNLESS(not_adaptive, intel_pebs_is_adaptive(intel(pmu)),
	      "no PEBS_BASELINE: all records are alike")

INTEL_TEST(adaptive_groups, "a counter asks for more than the basic group, or does not",
	   .clause = "Intel SDM vol. 3B, 20.9.3.1: Adaptive_Record", .needs = PMU_SAMPLER,
	   .absent = not_adaptive)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		check_groups(t, c, false);
		check_groups(t, c, true);
	}
}

/* ---- precise distribution ---- */

/* Architectural ones are told of in CPUID 23H.5 EDX: it is among them on all known parts. */
static bool counters_differ(const struct pmu *pmu)
{
	return intel_pebs_is_adaptive(intel(pmu)) || intel_pebs_is_architectural(intel(pmu));
}

static unsigned fixed_0(const struct pmu *pmu)
{
	unsigned ctr = intel_general(pmu);

	while (ctr < pmu->counters && intel_fixed_index(pmu, ctr))
		ctr++;
	return ctr;
}

/* Linux, intel_icl_pebs_event_constraints[] and later ones: INST_RETIRED.PREC_DIST, which all parts
 * with adaptive records have. */
ABSENT_UNLESS(not_distributed, counters_differ(pmu) && fixed_0(pmu) < pmu->counters,
	      "fixed counter 0 does not record with precise distribution")

/* Which instruction of the loop, from 0. */
static uint64_t place_of(uint64_t ip)
{
	uint64_t at = ip - (uintptr_t)precise_loop;
	uint64_t dec = (uint64_t)(precise_dec - precise_loop);

	return at <= dec ? at : dec + 1;
}

/* From one record to the next it is a period, to the very instruction. */
static void check_distances(struct run *t, uint64_t records)
{
	const uint64_t length = place_of((uintptr_t)precise_branch) + 1;
	uint64_t first = place_of(t->pmu->sampler->take(t->pmu, 0).event_ip);

	for (unsigned i = 0; i < records && i < ROOM; i++) {
		uint64_t ip = t->pmu->sampler->take(t->pmu, i).event_ip;

		CHECK(t, in_loop(ip));
		CHECK_EQ(t, place_of(ip), (first + i * PERIOD) % length);
	}
}

INTEL_TEST(precise_distribution, "fixed counter 0 records the very instruction that overflows it",
	   .clause = "Intel SDM vol. 3B, 20.9: precise distribution of instructions retired",
	   .needs = PMU_SAMPLER, .absent = not_distributed)
{
	const unsigned ctr = fixed_0(t->pmu);
	uint64_t total, records, left;

	total = count(t, ctr, gated(first_event(t->pmu, ctr)),
		      sampled_loop(EV_INSTRUCTIONS, EVENTS_FOR(RECORDS)));
	records = record_with(t, ctr, true, EVENTS_FOR(RECORDS), &left) / t->pmu->sampler->size;
	REQUIRE_EQ(t, records, total / PERIOD);
	check_distances(t, records);
	CHECK_EQ(t, left, preset_for(t, PERIOD - total % PERIOD));
}
