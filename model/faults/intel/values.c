/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of counters in records of the debug store, and reset values of fixed counters there. */
#include "intel.h"
#include "kernel/lib/string.h"

#define STORE MODEL_STORE_6

/* Groups, and counters, of MSR_PEBS_DATA_CFG; a record has the groups in its first word. */
#define HAS_LBRS    BIT(3)
#define HAS_VALUES  BIT(4)
#define HAS_METRICS BIT(5)
#define COUNTERS    FIELD(55, 32)
#define GENERAL     FIELD(39, 32) /* that both kinds of core have */
#define SIZE        FIELD(63, 48)

/* Words ahead of the values, and of a branch record. */
enum { HEADER = 2, LBR = 3 };

static unsigned count(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* So many values of counters. */
static unsigned values_in(const struct point *at)
{
	return at->record[0] & HAS_VALUES ? count(intel(at)->pebs.data_cfg & COUNTERS) : 0;
}

static unsigned words_of(const struct point *at)
{
	return HEADER + values_in(at) + (at->record[0] & HAS_METRICS ? 2 : 0);
}

/* It is the last one. */
uint64_t *intel_values_group(const struct point *at)
{
	if (!(at->record[0] & (HAS_VALUES | HAS_METRICS)))
		return NULL;
	return at->record + at->words - words_of(at);
}

FAULT_BODY_ON(STORE, pebs_values_not_said, "*.pebs.adaptive_layout",
	      "a record does not say whose values it has", pebs)
{
	uint64_t *group = intel_values_group(at);

	if (group)
		group[0] = 0;
}

FAULT_BODY_ON(STORE, pebs_values_of_next, "*.pebs.adaptive_layout",
	      "the value of a counter in a record is that of the next one", pebs)
{
	uint64_t *group = intel_values_group(at);

	if (group)
		for (unsigned i = 1; i < values_in(at); i++)
			group[HEADER + i - 1] = group[HEADER + i];
}

FAULT_BODY_ON(STORE, pebs_values_cut, "*.pebs.adaptive_layout",
	      "values of counters in a record are cut to 32 bits", pebs)
{
	uint64_t *group = intel_values_group(at);

	if (group)
		for (unsigned i = 0; i < values_in(at); i++)
			group[HEADER + i] &= UINT32_MAX;
}

static void fixed_first(struct point *at)
{
	uint64_t *group = intel_values_group(at), kept[INTEL_COUNTERS];
	unsigned n = values_in(at), general;

	if (!group)
		return;
	general = count(group[0] & UINT32_MAX);
	if (n > INTEL_COUNTERS || general > n)
		return;
	memcpy(kept, group + HEADER, n * sizeof(*kept));
	memcpy(group + HEADER, kept + general, (n - general) * sizeof(*kept));
	memcpy(group + HEADER + n - general, kept, general * sizeof(*kept));
}

FAULT_ON(STORE, pebs_values_fixed_first, "*.pebs.adaptive_layout",
	 "values of fixed counters lie ahead of those of general ones", .pebs = fixed_first);

static void ahead_of_branches(struct point *at)
{
	enum { MOST = HEADER + INTEL_COUNTERS + 2 };
	uint64_t *group = intel_values_group(at), kept[MOST];
	unsigned n = words_of(at);
	unsigned lbrs = LBR * ((unsigned)field_get(FIELD(31, 24), at->record[0]) + 1);

	if (!group || !(at->record[0] & HAS_LBRS) || n > MOST)
		return;
	memcpy(kept, group, n * sizeof(*kept));
	memmove(group - lbrs + n, group - lbrs, lbrs * sizeof(*kept));
	memcpy(group - lbrs, kept, n * sizeof(*kept));
}

FAULT_ON(STORE, pebs_values_ahead_of_lbrs, "*.pebs.adaptive_layout",
	 "values of counters lie ahead of branches", .pebs = ahead_of_branches);

FAULT_DO_ON(STORE, pebs_size_without_values, "*.pebs.adaptive_layout",
	    "a record's size leaves its values out", pebs,
	    if (intel_values_group(at)) at->record[0] -= field_put(SIZE, 8 * words_of(at)));
FAULT_ON(STORE, pebs_values_of_all, "*.pebs.values",
	 "a record has the values of all general counters, whichever are asked for",
	 ACTS(INTEL_PEBS_DATA_CFG, .when = HAS_VALUES, .set = GENERAL));

/* memory[0]: that of the first one. */
FAULT_BODY_ON(STORE, pebs_values_stand, "*.pebs.values_move",
	      "records have the values of the first record of all", pebs)
{
	uint64_t *group = intel_values_group(at);

	if (!group || !values_in(at))
		return;
	if (!at->memory[0])
		at->memory[0] = group[HEADER];
	group[HEADER] = at->memory[0];
}

FAULT_DO_ON(MODEL_LIONCOVE, pebs_metrics_not_said, "*.pebs.adaptive_layout",
	    "a record does not say that it has PERF_METRICS", pebs,
	    if (at->record[0] & HAS_METRICS) intel_values_group(at)[1] = 0);
FAULT_DO_ON(
	MODEL_LIONCOVE, pebs_shares_ahead_of_slots, "*.pebs.adaptive_layout",
	"PERF_METRICS lies ahead of slots in a record", pebs, if (at->record[0] & HAS_METRICS) {
		uint64_t slots = at->record[at->words - 2];

		at->record[at->words - 2] = at->record[at->words - 1];
		at->record[at->words - 1] = slots;
	});

/* ---- reset values ---- */

FAULT_DO_ON(STORE, pebs_fixed_reset_at_80h, "*.pebs.precise_distribution",
	    "reset values of fixed counters are those of format 4, behind eight general ones", pebs,
	    at->machine->read(at->machine->arg,
			      intel(at)->pebs.ds_area + 0x80 + 8 * (at->ctr - INTEL_GENERAL),
			      &at->area->reset, sizeof(at->area->reset)),
	    .counters = FIXED_COUNTERS);
