/* SPDX-License-Identifier: BSD-2-Clause */
/* Adaptive records of precise event-based sampling: what a counter asks for, and a counter that
 * records the very instruction. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"

/* The basic group alone. */
#define BASIC_SIZE 0x20u
/* The last group. */
#define VALUES (DATA_CFG_VALUES | DATA_CFG_METRICS)

/* 0 where another register says so. */
static uint64_t adaptive_bit(const struct pmu *pmu, unsigned ctr)
{
	if (!intel_pebs_is_adaptive(intel(pmu)))
		return 0;
	return ctr < intel_general(pmu) ? PERFEVTSEL_ADAPTIVE
					: FIXED_CTRL_ADAPTIVE(intel_fixed_index(pmu, ctr));
}

struct asked {
	unsigned ctr, event;
	uint64_t data_cfg; /* groups; 0: the basic one alone */
	uint64_t events; /* instructions of the window, at least */
};

/* The window starts branch records, too, if the record is to have some. */
static void run(struct run *t, struct window *w, uint64_t data_cfg)
{
	if (data_cfg && intel_pebs_is_adaptive(intel(t->pmu)))
		wrmsr(MSR_PEBS_DATA_CFG, data_cfg);
	if (data_cfg & DATA_CFG_LBRS)
		branches_of_user(t);
	window_open(t, w);
	work_do(&w->work);
	window_close(t, w);
	if (data_cfg & DATA_CFG_LBRS)
		t->pmu->branches->stop(t->pmu);
}

/* Returns the bytes written. */
static uint64_t record_with(struct run *t, const struct asked *what, uint64_t *left)
{
	struct pmu_sampling sampling = {.counters = BIT(what->ctr), .room = ROOM};
	struct window w = {.n = 1,
			   .c = {{.ctr = what->ctr,
				  .cfg = gated(what->event),
				  .from = preset_for(t, PERIOD),
				  .extra = what->data_cfg ? adaptive_bit(t->pmu, what->ctr) : 0}},
			   .work = sampled_loop(EV_INSTRUCTIONS, what->events)};

	sampling.preset[what->ctr] = preset_for(t, PERIOD);
	pmu_reset(t->pmu);
	if (what->data_cfg & VALUES)
		known_values_load(t);
	window_program(t, &w);
	t->pmu->sampler->arm(t->pmu, &sampling);
	run(t, &w, what->data_cfg);
	*left = w.c[0].out;
	return t->pmu->sampler->disarm(t->pmu);
}

/* A clock may take some instructions, and the reference clock be a slow one. */
#define INSTRUCTIONS (4 * EVENTS_FOR(RECORDS))

/* A record has its counter's bit of the global registers. */
static void check_groups(struct run *t, unsigned ctr, bool all_groups)
{
	const struct asked what = {.ctr = ctr,
				   .event = first_event(t->pmu, ctr),
				   .data_cfg = all_groups ? DATA_CFG_GPRS : 0,
				   .events = INSTRUCTIONS};
	uint64_t size = all_groups ? t->pmu->sampler->size : BASIC_SIZE;
	uint64_t left, written = record_with(t, &what, &left);
	struct pmu_sample first = t->pmu->sampler->take(t->pmu, 0);

	if (!CHECK_IS(t, written, >, 0) || !CHECK_EQ(t, written % size, 0) ||
	    !CHECK_EQ(t, first.size, size) ||
	    !CHECK_EQ(t, first.counters, pmu_global_bit(t->pmu, ctr)))
		report_diag("counter %u, %s", ctr, all_groups ? "all groups" : "the basic group");
	/* Clocks and slots pass ahead of the loop, too, and many where its code is missed. */
	if (all_groups && in_loop(first.ip) && in_loop(first.event_ip))
		check_record(t, 0, pmu_global_bit(t->pmu, ctr));
}

/* Bit n: counter n counts enough for a record, whichever comes late. */
static uint64_t due_in(struct run *t, uint64_t instructions)
{
	struct window w = {.work = sampled_loop(EV_INSTRUCTIONS, instructions)};
	uint64_t due = 0;

	for (; w.n < t->pmu->counters; w.n++)
		w.c[w.n] = (struct slot){.ctr = w.n, .cfg = gated(first_event(t->pmu, w.n))};
	window_run(t, &w);
	for (unsigned c = 0; c < w.n; c++)
		due |= (uint64_t)(w.c[c].out >= RECORD_DUE) << c;
	return due;
}

ABSENT_UNLESS(not_adaptive, intel_pebs_is_adaptive(intel(pmu)),
	      "no PEBS_BASELINE: all records are alike")

INTEL_TEST(adaptive_groups, "a counter asks for more than the basic group, or does not",
	   .clause = "SDM vol. 3B, 20.9.3.1: Adaptive_Record", .needs = PMU_SAMPLER,
	   .absent = not_adaptive)
{
	const uint64_t due = due_in(t, INSTRUCTIONS);

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		if (!(due >> c & 1)) {
			test_cannot_judge(t, "a counter counts too little for a record");
			continue;
		}
		check_groups(t, c, false);
		check_groups(t, c, true);
	}
}

/* ---- all groups ---- */

/* In the order of a record, by their bits; of branch records and of values of counters each.  Whose
 * values they are is said ahead of them. */
static const uint16_t group_size[] = {32, 144, 256, 24, 8, 16};
enum { VALUES_HEADER = 16 };

static unsigned entries_of(uint64_t data_cfg)
{
	return (unsigned)field_get(DATA_CFG_ENTRIES, data_cfg) + 1;
}

/* So many times the i-th group has its size. */
static unsigned times(unsigned i, uint64_t data_cfg)
{
	unsigned values = 0;

	if (BIT(i) == DATA_CFG_LBRS)
		return entries_of(data_cfg);
	if (BIT(i) != DATA_CFG_VALUES)
		return 1;
	for (uint64_t left = values_of(data_cfg); left; left &= left - 1)
		values++;
	return values;
}

static uint64_t size_of(uint64_t data_cfg)
{
	uint64_t size = BASIC_SIZE + (data_cfg & VALUES ? VALUES_HEADER : 0);

	for (unsigned i = 0; i < ARRAY_SIZE(group_size); i++)
		if (data_cfg >> i & 1)
			size += times(i, data_cfg) * group_size[i];
	return size;
}

/* Where a group is must follow from those ahead of it.  That of memory is of events of memory. */
static void check_contents(struct run *t, const uint8_t *record, const struct asked *what)
{
	const uint64_t data_cfg = what->data_cfg;
	const uint8_t *at = record + BASIC_SIZE;

	if (data_cfg & DATA_CFG_MEMORY)
		at += group_size[0];
	if (data_cfg & DATA_CFG_GPRS)
		at = check_gprs(t, at);
	if (data_cfg & DATA_CFG_XMMS)
		at = check_xmms(t, at);
	if (data_cfg & DATA_CFG_LBRS)
		at = check_lbrs(t, at, entries_of(data_cfg));
	if (data_cfg & VALUES)
		at = check_values(t, at,
				  (struct valued){values_of(data_cfg), data_cfg & DATA_CFG_METRICS},
				  what->ctr);
	CHECK_EQ(t, (uint64_t)(at - record), size_of(data_cfg));
}

/* The low half of a record's first word is what was asked for, and its last bits are its size. */
static void check_set(struct run *t, uint64_t data_cfg)
{
	const struct pmu_sampler *sampler = sampler_of(t);
	const struct asked what = {.ctr = lowest_bit(sampler->counters),
				   .event = sampler->event,
				   .data_cfg = data_cfg,
				   .events = EVENTS_FOR(2)};
	const uint8_t *first = intel(t->pmu)->store.records;
	const unsigned failures = t->failures;
	uint64_t left, written;

	known_vectors_load();
	written = record_with(t, &what, &left);
	vectors_restore();
	if (CHECK_IS(t, written, >, 0)) {
		CHECK_EQ(t, written % size_of(data_cfg), 0);
		CHECK_EQ(t, record_word(first, 0) >> 48, size_of(data_cfg));
		CHECK_EQ(t, record_word(first, 0) & FIELD(31, 0), data_cfg & FIELD(31, 0));
		check_contents(t, first, &what);
	}
	if (t->failures > failures)
		report_diag("MSR_PEBS_DATA_CFG %016llx", (unsigned long long)data_cfg);
}

static uint64_t groups_there(const struct pmu *pmu)
{
	uint64_t groups = DATA_CFG_MEMORY | DATA_CFG_GPRS | DATA_CFG_XMMS;

	groups |= has_branches_of_user(pmu) ? DATA_CFG_LBRS : 0;
	if (not_of_values(pmu, 0))
		return groups;
	return groups | DATA_CFG_VALUES | (pmu->metrics ? DATA_CFG_METRICS : 0);
}

/* With all branch records, and values of all counters. */
static uint64_t whole(const struct pmu *pmu, uint64_t groups)
{
	if (groups & DATA_CFG_LBRS)
		groups |= field_put(DATA_CFG_ENTRIES, pmu->branches->entries - 1);
	if (groups & DATA_CFG_VALUES)
		groups |= values_wanted(pmu_global_bits(pmu, all_counters(pmu)));
	return groups;
}

INTEL_TEST(adaptive_layout,
	   "a record has the groups that are asked for, each behind those before it, and says so",
	   .clause = "SDM vol. 3B, 20.9.3.1: MSR_PEBS_DATA_CFG, Adaptive PEBS record format",
	   .needs = PMU_SAMPLER, .absent = not_adaptive)
{
	const uint64_t there = groups_there(t->pmu);

	for (uint64_t groups = 1; groups <= there; groups++)
		if (!(groups & ~there))
			check_set(t, whole(t->pmu, groups));
	if (there & DATA_CFG_LBRS)
		check_set(t, DATA_CFG_LBRS);
}

INTEL_TEST(values, "a record has the values of those counters alone that are asked for",
	   .clause = "Linux, intel_pmu_late_setup(): PEBS_DATACFG_CNTRS, PEBS_DATACFG_FIX",
	   .needs = PMU_SAMPLER, .absent = not_of_values)
{
	for (unsigned c = 0; c < t->pmu->counters; c++)
		check_set(t, values_wanted(pmu_global_bit(t->pmu, c)));
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
	   .clause = "SDM vol. 3B, 20.9: precise distribution of instructions retired",
	   .needs = PMU_SAMPLER, .absent = not_distributed)
{
	const unsigned ctr = fixed_0(t->pmu);
	const struct asked what = {.ctr = ctr,
				   .event = first_event(t->pmu, ctr),
				   .data_cfg = DATA_CFG_GPRS,
				   .events = EVENTS_FOR(RECORDS)};
	uint64_t total, records, left;

	total = count(t, ctr, gated(what.event), sampled_loop(EV_INSTRUCTIONS, what.events));
	records = record_with(t, &what, &left) / t->pmu->sampler->size;
	REQUIRE_EQ(t, records, total / PERIOD);
	check_distances(t, records);
	CHECK_EQ(t, left, preset_for(t, PERIOD - total % PERIOD));
}
