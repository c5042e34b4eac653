/* SPDX-License-Identifier: BSD-2-Clause */
/* Precise event-based sampling: one record per overflow, in memory, of the state of the machine. */
#include "samples.h"

#define GROUP "pebs", "overflow"

struct sampled {
	const struct pmu_sample_layout *layout;
	uint64_t written; /* bytes */
	uint64_t counter; /* what it was left with */
	uint64_t status;
	uint64_t total; /* events of the window */
};

/* A window for so many records, with room for so many, and an interrupt at the last or none. */
static void sample(struct run *t, unsigned records, unsigned room, bool interrupts,
		   struct sampled *s)
{
	const struct intel_precise *event = sampled_event(t);
	struct pmu_sampling what = {.room = room, .interrupt_at = interrupts ? records : 0};
	struct window w = {.n = 1};

	s->layout = t->pmu->sampler->layout;
	w.c[0].ctr = event->ctr;
	w.c[0].select = event->select | PERFEVTSEL_USR | PERFEVTSEL_EN;
	w.work = sampled_loop(event->branches, EVENTS_FOR(records));
	sampled_run(t, &w, &what);
	s->total = w.c[0].out;
	if (is_adaptive(t->pmu))
		w.c[0].select |= PERFEVTSEL_ADAPTIVE;
	w.c[0].from = preset_for(t, PERIOD);
	what.counters = BIT(event->ctr);
	what.preset[event->ctr] = (uint64_t) - (int64_t)PERIOD;
	s->written = sampled_run(t, &w, &what);
	s->counter = w.c[0].out;
	s->status = rdmsr(MSR_GLOBAL_STATUS);
	/* Without a record there is nothing to judge. */
	REQUIRE(t, s->written > 0);
}

INTEL_TEST(record_count, "each overflow writes one record and no interrupt", .clause = PEBS,
	   .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;

	sample(t, RECORDS, ROOM, false, &s);
	CHECK_EQ(t, s.written, RECORDS * s.layout->size);
	/* The counter's own bit may be set (Linux, handle_pmi_common()). */
	CHECK_EQ(t, s.status & GLOBAL_OVF_DS_BUFFER, 0);
}

INTEL_TEST(record_contents, "a record says where in the payload it was taken, with which registers",
	   .clause = PEBS, .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;

	sample(t, RECORDS, ROOM, false, &s);
	for (unsigned i = 0; i < s.written / s.layout->size && i < ROOM; i++)
		check_record(t, i, pmu_global_bit(t->pmu, sampled_event(t)->ctr));
}

/* A record takes the period and one event more at least, as it is of an event after the overflow,
 * but perhaps the period alone where the part may arm counters ahead of their overflows.  More
 * events than there were cannot be used up. */
static uint64_t events_per_record(const struct pmu *pmu)
{
	bool arms_late = intel_is(&intel(pmu)->cpu, INTEL_PENTIUM_PRO, INTEL_ICELAKE);

	return arms_late ? PERIOD + 1 : PERIOD;
}

INTEL_TEST(reset_value, "each record puts the reset value of its counter back", .clause = PEBS,
	   .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;
	uint64_t records, since;

	sample(t, RECORDS, ROOM, false, &s);
	records = s.written / s.layout->size;
	since = (s.counter + PERIOD) & pmu_mask(t->pmu, t->counter);
	CHECK(t, since <= PERIOD);
	CHECK(t, records * events_per_record(t->pmu) + since <= s.total);
	CHECK(t, records * (PERIOD + ARMING) + since >= s.total);
}

INTEL_TEST(threshold,
	   "the record that fills the buffer up to its threshold interrupts, and it alone",
	   .clause = PEBS, .needs = PMU_SAMPLER | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD);
	struct sampled s;

	pmi_arm(t, VECTOR_PMI, 0);
	t->log.samples = true;
	/* No overflow comes when there is no room any more: by BJ101 and BV051 it may interrupt. */
	sample(t, 3, 3, true, &s);
	pmi_disarm(t);
	CHECK_EQ(t, s.written, 3 * s.layout->size);
	CHECK_EQ(t, t->log.full, 1);
	/* The interrupt may repeat until the bit is clear. */
	if (t->log.count == 2 && erratum)
		test_known(t, erratum->id);
	CHECK_EQ(t, t->log.count, 1);
}

/* ---- the groups of adaptive records ---- */

/* The basic group alone. */
#define BASIC_SIZE 0x20u

static uint64_t adaptive_bit(const struct pmu *pmu, unsigned ctr)
{
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
			   .work = sampled_loop(false, events)};

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
	uint64_t size = all_groups ? t->pmu->sampler->layout->size : BASIC_SIZE;
	/* A clock may take some instructions, and the reference clock be a slow one. */
	uint64_t left;
	uint64_t written = record_with(t, ctr, all_groups, 4 * EVENTS_FOR(RECORDS), &left);
	struct pmu_sample first = t->pmu->sampler->take(t->pmu, 0);

	if (!CHECK(t, written > 0 && written % size == 0) || !CHECK_EQ(t, first.size, size) ||
	    !CHECK_EQ(t, first.counters, pmu_global_bit(t->pmu, ctr)))
		report_diag("counter %u, %s", ctr, all_groups ? "all groups" : "the basic group");
	/* Clocks and slots pass ahead of the loop, too, and many where its code is missed. */
	if (all_groups && in_loop(first.ip) && in_loop(first.event_ip))
		check_record(t, 0, pmu_global_bit(t->pmu, ctr));
}

static const char *not_adaptive(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return is_adaptive(pmu) ? NULL : "no PEBS_BASELINE: all records are alike";
}

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

static unsigned fixed_0(const struct pmu *pmu)
{
	unsigned ctr = intel_general(pmu);

	while (ctr < pmu->counters && intel_fixed_index(pmu, ctr))
		ctr++;
	return ctr;
}

/* Linux, intel_icl_pebs_event_constraints[] and later ones: INST_RETIRED.PREC_DIST, which all parts
 * with adaptive records have. */
static const char *not_distributed(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return is_adaptive(pmu) && fixed_0(pmu) < pmu->counters
		       ? NULL
		       : "fixed counter 0 does not record with precise distribution";
}

/* Which instruction of the loop, from 0. */
static uint64_t place_of(uint64_t ip)
{
	uint64_t at = ip - (uintptr_t)precise_loop;
	uint64_t dec = (uintptr_t)precise_branch - 3 - (uintptr_t)precise_loop;

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
		      sampled_loop(false, EVENTS_FOR(RECORDS)));
	records = record_with(t, ctr, true, EVENTS_FOR(RECORDS), &left) /
		  t->pmu->sampler->layout->size;
	REQUIRE_EQ(t, records, total / PERIOD);
	check_distances(t, records);
	CHECK_EQ(t, left, preset_for(t, PERIOD - total % PERIOD));
}
