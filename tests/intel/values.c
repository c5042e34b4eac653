/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of counters in records of precise event-based sampling: Linux, arch/x86/events/intel/ds.c,
 * intel_pmu_late_setup() and __setup_pebs_counter_group(). */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"

/* Words ahead of the values, which say whose they are: bits of the global registers, and this if
 * slots and their shares are among them. */
enum { HEADER = 2, BOTH_METRICS = 3 };

uint64_t values_wanted(uint64_t counters)
{
	return DATA_CFG_VALUES | field_put(DATA_CFG_GENERAL, counters & FIELD(15, 0)) |
	       field_put(DATA_CFG_FIXED, counters >> GLOBAL_FIXED_FIRST);
}

uint64_t values_of(uint64_t data_cfg)
{
	return field_get(DATA_CFG_GENERAL, data_cfg) | field_get(DATA_CFG_FIXED, data_cfg)
							       << GLOBAL_FIXED_FIRST;
}

/* Some that the slots of a window may have: 255 together, and parts of these. */
#define SHARES UINT64_C(0x0a14051e40401a65)

/* Shares are those of the slots that their counter has by then. */
void known_values_load(struct run *t)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;

	for (unsigned c = 0; c < t->pmu->counters; c++)
		pmu_write(t->pmu, c, (c + 1) * UINT64_C(0x9e3779b97f4a7c15));
	if (!metrics)
		return;
	pmu_write(t->pmu, metrics->counter, SLOTS_LEAST);
	metrics->write(t->pmu, SHARES & FIELD(8 * metrics->bytes - 1, 0));
}

/* The counter of the record has just overflowed, or been reset: no manual says which comes first.
 */
static void check_own(struct run *t, unsigned ctr, uint64_t value)
{
	const uint64_t reset = (value - preset_for(t, PERIOD)) & pmu_mask(t->pmu, ctr);

	CHECK_IS(t, value < reset ? value : reset, <=, ARMING);
}

const uint8_t *check_values(struct run *t, const uint8_t *group, struct valued what, unsigned ctr)
{
	unsigned at = HEADER;

	CHECK_EQ(t, record_word(group, 0), what.counters);
	CHECK_EQ(t, record_word(group, 1) & FIELD(31, 0), what.metrics ? BOTH_METRICS : 0);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		if (!(what.counters & pmu_global_bit(t->pmu, c)))
			continue;
		if (c == ctr)
			check_own(t, c, record_word(group, at));
		else
			CHECK_EQ(t, record_word(group, at), pmu_read(t->pmu, c));
		at++;
	}
	if (what.metrics) {
		CHECK_EQ(t, record_word(group, at++), pmu_read(t->pmu, t->pmu->metrics->counter));
		CHECK_EQ(t, record_word(group, at++), t->pmu->metrics->read(t->pmu));
	}
	return group + at * sizeof(uint64_t);
}

/* ---- while they count ---- */

/* Of a record of the value of one counter. */
enum { SIZE = 32 + 16 + 8, VALUE = 6 };

static unsigned twin_of(struct run *t, unsigned ctr, unsigned event)
{
	unsigned other = 0;

	while (other < intel_general(t->pmu) &&
	       (other == ctr || !pmu_can_count(t->pmu, other, event)))
		other++;
	SKIP_IF(t, other == intel_general(t->pmu), "no other counter counts the same");
	return other;
}

/* A window of which a counter makes records, with the value of another one that counts the same. */
static uint64_t record_twin(struct run *t, struct window *w)
{
	const unsigned ctr = w->c[0].ctr;
	struct pmu_sampling what = {.counters = BIT(ctr), .room = ROOM};

	what.preset[ctr] = preset_for(t, PERIOD);
	pmu_reset(t->pmu);
	window_program(t, w);
	t->pmu->sampler->arm(t->pmu, &what);
	wrmsr(MSR_PEBS_DATA_CFG, values_wanted(pmu_global_bit(t->pmu, w->c[1].ctr)));
	window_go_on(t, w);
	return t->pmu->sampler->disarm(t->pmu);
}

const char *not_of_values(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return intel_pebs_is_adaptive(intel(pmu)) &&
			       intel_pebs_format(intel(pmu)) >= PEBS_FMT_VALUES
		       ? NULL
		       : "records have no values of counters: IA32_PERF_CAPABILITIES, bits 11:8";
}

/* Whether the event of the record has been counted by then nobody says. */
INTEL_TEST(values_move, "the value of a counter that runs is that at the time of the record",
	   .clause = "Linux, struct pebs_cntr_header; __setup_pebs_counter_group()",
	   .needs = PMU_SAMPLER | PMU_ATOMIC_START, .absent = not_of_values)
{
	const struct pmu_sampler *sampler = sampler_of(t);
	const unsigned ctr = lowest_bit(sampler->counters);
	const struct pmu_config cfg = gated(sampler->event);
	struct window w = {.n = 2,
			   .c = {{.ctr = ctr,
				  .cfg = cfg,
				  .from = preset_for(t, PERIOD),
				  .extra = PERFEVTSEL_ADAPTIVE},
				 {.ctr = twin_of(t, ctr, sampler->event), .cfg = cfg}},
			   .work = sampled_loop(sampler->event, EVENTS_FOR(RECORDS))};
	const uint8_t *record = intel(t->pmu)->store.records;

	REQUIRE_EQ(t, record_twin(t, &w), RECORDS * SIZE);
	for (unsigned i = 1; i <= RECORDS; i++, record += SIZE) {
		CHECK_IS(t, record_word(record, VALUE) + ARMING, >=, i * PERIOD);
		CHECK_IS(t, record_word(record, VALUE), <=, i * (PERIOD + ARMING));
	}
}
