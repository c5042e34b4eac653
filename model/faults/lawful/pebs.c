/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of Intel's PEBS that are late, or otherwise odd, on some parts or now and then on all. */
#include "kernel/lib/string.h"
#include "lawful.h"
#include "model/faults/intel/intel.h"

/*
 * Arming takes its time: the record is of a later event than the one after the overflow (SDM vol.
 * 3B, 20.3.1.1, which gives no bound).  The counter goes on from its reset value at the record.
 * Counters that are armed ahead of their overflow are not late.
 */
static void arms_late(struct point *at)
{
	if (at->n)
		at->n = (unsigned)at->defect->arg;
}

LAWFUL(PARTS_WITH_PEBS, pebs_lag_17, NULL, "a record is of the 17th event after the overflow",
       .arms = arms_late, .arg = 17);
LAWFUL(PARTS_WITH_PEBS, pebs_lag_54, NULL, "a record is of the 54th event after the overflow",
       .arms = arms_late, .arg = 54);

/* The event behind a record is not counted, but on counters that are armed ahead of it. */
static void record_taken(struct point *at)
{
	at->memory[at->ctr] = 1;
}

static void loses_event_behind(struct point *at)
{
	if (at->amount && at->memory[at->ctr]) {
		at->amount--;
		at->memory[at->ctr] = 0;
	}
}

/* A counter that is programmed anew has no record behind it. */
static void programmed(struct point *at)
{
	at->memory[at->reg.number] = 0;
}

LAWFUL(PARTS_WITH_PEBS, pebs_loses_one, NULL, "each record costs its counter an event",
       .counters = FIELD(INTEL_GENERAL - 1, 0), .pebs = record_taken, .amount = loses_event_behind,
       .written = programmed, .registers = BIT(INTEL_EVTSEL));

/* Linux, setup_arch_pebs_sample_data(): the general registers come in a fragment of their own. */
static void splits(struct point *at)
{
	enum { HEADER = 2, FIRST = 8 };
	const uint64_t goes_on = BIT(31), basic = BIT(63), size = FIELD(15, 0);
	unsigned rest = at->words - FIRST;

	if (!rest)
		return;
	memmove(at->record + FIRST + HEADER, at->record + FIRST, rest * sizeof(*at->record));
	at->words += HEADER;
	at->record[FIRST] = (at->record[0] & ~(basic | size)) | (rest + HEADER) * 8;
	at->record[FIRST + 1] = 0;
	at->record[0] = basic | goes_on | FIRST * 8;
}

LAWFUL(PANTHER_LAKE, apebs_fragments, NULL, "a record comes in two fragments", .pebs = splits);

/* Linux, handle_pmi_common(): a counter's own status bit may be set after its record, too. */
static void sets_own_status(struct point *at)
{
	at->memory[0] |= intel_bit(at->ctr);
}

static void shows_own_status(struct point *at)
{
	if (at->reg.kind == INTEL_GLOBAL_STATUS)
		at->value |= at->memory[0];
}

static void clears_own_status(struct point *at)
{
	if (at->reg.kind == INTEL_STATUS_RESET)
		at->memory[0] &= ~at->value;
}

LAWFUL(PARTS_WITH_PEBS, pebs_sets_own_status, NULL,
       "a record leaves the status bit of its counter set",
       .registers = BIT(INTEL_GLOBAL_STATUS) | BIT(INTEL_STATUS_RESET), .pebs = sets_own_status,
       .shown = shows_own_status, .written = clears_own_status);

/* ---- format 6 ---- */

/* Linux, __setup_pebs_counter_group(): the hardware reloads the counter behind the overflow.  It
 * does not say that the value is taken before. */
static void is_reset_before(struct point *at)
{
	uint64_t *group = intel_values_group(at);
	unsigned word = 2;

	if (!group || !(group[0] & intel_bit(at->ctr)))
		return;
	for (uint64_t below = group[0] & (intel_bit(at->ctr) - 1); below; below &= below - 1)
		word++;
	group[word] = at->area->reset & at->mask;
}

LAWFUL(ARROW_LAKE, pebs_value_is_reset, NULL,
       "the value of a counter in its own record is its reset value", .pebs = is_reset_before);

/* Linux, struct pebs_basic: clocks that the instruction took to retire, where
 * IA32_PERF_CAPABILITIES[17] tells of them; and struct pebs_cntr_header: the last word ahead of the
 * values is reserved. */
static void tells_more(struct point *at)
{
	uint64_t *group = intel_values_group(at);

	at->record[0] |= UINT64_C(0x86) << 32;
	if (group)
		group[1] |= UINT64_C(0x86) << 32;
}

LAWFUL(ARROW_LAKE, pebs_tells_more, NULL,
       "records tell clocks of retirement, and something in a reserved word", .pebs = tells_more);

/* Linux, intel_pmu_init_skt(), has counters 0 and 1 of a Skymont record the event that overflows
 * them, which Intel's event lists have of fixed counter 0 alone. */
static void is_distributed(struct point *at)
{
	at->n = 0;
}

LAWFUL(MODEL_SKYMONT, skt_counters_distribute, NULL,
       "counters 0 and 1 record the event that overflows them", .arms = is_distributed,
       .counters = FIELD(1, 0));

/* The other way round: of a Lion Cove Linux takes counter 0, and Intel's event lists 0 and 1. */
static void is_late(struct point *at)
{
	at->n = 1;
}

LAWFUL(MODEL_LIONCOVE, lnc_counter_1_is_late, NULL,
       "counter 1 records the event behind its overflow", .arms = is_late, .counters = BIT(1));
