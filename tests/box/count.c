/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore counting: clocks, enable bits, event and unit mask. */
#include "box.h"

#define GROUP "count", "privilege"

TRIALS(clocks_run, "the clock event counts while the box runs",
       (.clause = COUNTER_CONTROL, ON_COUNTED, .per_counter = true), {COUNTS(CLOCKS, AT_LEAST(1))})

/* Only the counter under test is enabled, and then all but that one. */
TRIALS(enable_gates, "a counter counts if its en is set, whether or not the en of others is",
       (.clause = COUNTER_CONTROL, ON_CLOCKED, .per_counter = true),
       {ON_ALL(CLOCKS), .off = 0xe,
	.law = {{{1}, AT_LEAST(1)},
		{{0, 1}, EXACTLY(0)},
		{{0, 0, 1}, EXACTLY(0)},
		{{0, 0, 0, 1}, EXACTLY(0)}}},
       {ON_ALL(CLOCKS), .off = 0x1,
	.law = {{{1}, EXACTLY(0)},
		{{0, 1}, AT_LEAST(1)},
		{{0, 0, 1}, AT_LEAST(1)},
		{{0, 0, 0, 1}, AT_LEAST(1)}}})

TRIALS(counters_agree, "counters of a box on the same event count the same",
       (.clause = BOX_CONTROL, ON_COUNTED),
       {ON_ALL(CLOCKS), .law = {{{1}, AT_LEAST(1)}, ALIKE}, .each = 0xe})

/* ---- unit masks ---- */

/* Disjoint sub-events and then their union.  Each occurrence is of one of them; but two of the ring
 * may share a clock, and the union counts it once or twice. */
TRIALS(unit_mask, "unit masks choose sub-events: disjoint ones sum to their union",
       (.clause = COUNTER_CONTROL, .kinds = BOX_CHANNEL | BOX_HOME | BOX_LINK | BOX_PCIE_STOP |
					    BOX_LINK_STOP | BOX_RING_SWITCH | BOX_WHOLE),
       {.kinds = BOX_CHANNEL,
	.load = memory_mix,
	.occurs = 3,
	.cfg = {{.event = CHANNEL_READS}, {.event = CHANNEL_WRITES}, {.event = CHANNEL_ALL}},
	.law = {{{1, 1, -1}, EXACTLY(0)}}},
       {.kinds = BOX_HOME,
	.load = memory_mix,
	.occurs = 4,
	.cfg = {{.event = HOME_WRITES_FULL},
		{.event = HOME_WRITES_PARTIAL},
		{.event = HOME_WRITES_ISOCH},
		{.event = HOME_WRITES_ALL}},
	.law = {{{1, 1, 1, -1}, EXACTLY(0)}}},
       {.kinds = BOX_LINK,
	.load = memory_mix,
	.occurs = 4,
	.cfg = {{.event = LINK_IDLE},
		{.event = LINK_DATA},
		{.event = LINK_NON_DATA},
		{.event = LINK_FLITS}},
	.law = {{{1, 1, 1, -1}, EXACTLY(0)}}},
       {.kinds = BOX_PCIE_STOP | BOX_LINK_STOP | BOX_RING_SWITCH,
	.load = memory_mix,
	.occurs = 3,
	.cfg = {{.event = RING_CLOCKWISE},
		{.event = RING_COUNTERCLOCKWISE},
		{.event = RING_REQUESTS}},
	.law = {{{1, 0, -1}, AT_MOST(0)}, {{0, 1, -1}, AT_MOST(0)}, {{1, 1, -1}, AT_LEAST(0)}}},
       {.kinds = BOX_WHOLE,
	.load = memory_mix,
	.occurs = 4,
	.cfg = {{.event = WHOLE_READS_0},
		{.event = WHOLE_READS_1},
		{.event = WHOLE_READS_2},
		{.event = WHOLE_READS}},
	.law = {{{1, 0, 0, -1}, AT_MOST(0)},
		{{0, 1, 0, -1}, AT_MOST(0)},
		{{0, 0, 1, -1}, AT_MOST(0)},
		{{1, 1, 1, -1}, AT_LEAST(0)}}})

/* ---- event select ---- */

ABSENT_UNLESS(why_no_other_event, box_of(pmu)->kind->events[1].name,
	      "of such a box no event but its clocks is known")

/* An event that does not occur in most clocks. */
#define RARE(kinds_, cfg_)                                                                         \
	{                                                                                          \
		.kinds = (kinds_), .cfg = {{cfg_}, {CLOCKS}}, .law = { {{1, -1}, AT_MOST(-1)} }    \
	}
/* A snoop is no data flit; were ev_sel_ext ignored, it would be an idle one. */
TRIALS(event_select, "ev_sel, and ev_sel_ext where there is one, choose the event",
       (.clause = COUNTER_CONTROL, ON_COUNTED, .absent = why_no_other_event),
       RARE(BOX_MESH, .event = MESH_READS), RARE(BOX_CHANNEL, .event = CHANNEL_ERRORS),
       RARE(BOX_HOME, .event = HOME_READS), RARE(BOX_SLICE, .event = SLICE_VICTIMS),
       RARE(BOX_POWER, .event = POWER_TRANSITIONS),
       RARE(BOX_PCIE_STOP | BOX_LINK_STOP | BOX_RING_SWITCH, .event = RING_INVALIDATIONS),
       RARE(BOX_IO, .event = IO_READS), RARE(BOX_MEMORY, .event = MEMORY_WRITES),
       RARE(BOX_WHOLE, .event = WHOLE_MISSES), RARE(BOX_LINK, .event = LINK_SNOOPS),
       {.kinds = BOX_LINK,
	.cfg = {{.event = LINK_SNOOPS}, {.event = LINK_NON_DATA}},
	.law = {{{1, -1}, AT_MOST(0)}}})

/* ---- each bit of event and unit mask acts as it does on other counters ---- */

#undef GROUP
#define GROUP "event", "count"

/* Memory can be made to cause the event, or what is left of it without one of its bits. */
static void check_agreement(struct run *t, unsigned number, unsigned bit)
{
	static const struct trial_filters any_state = {.states = ALL_STATES};
	const struct box_event *row = &kind_of(t)->events[number];
	unsigned n = row->counters ? row->counters : t->pmu->counters, failures = t->failures;
	struct trial trial = {
		.first = row->first,
		.filters = row->by_state ? &any_state : NULL,
		.load = memory_mix,
	};

	judge_alike(t, &trial, 0, n,
		    (struct box_config){.row = (uint8_t)(number + 1), .bit = (uint8_t)bit});
	if (t->failures > failures)
		report_diag("event %s", row->name);
}

BOX_TEST(agree, "counters of a box on one event and unit mask count the same",
	 .clause = COUNTER_CONTROL, ON_COUNTED)
{
	const struct box_event *events = kind_of(t)->events;

	for (unsigned i = 0; events[i].name; i++) {
		uint64_t each = events[i].agree == AGREE_BIT_BY_BIT ? events[i].unit_mask : 0;

		for (; each; each &= each - 1)
			check_agreement(t, i, lowest_bit(each) + 1);
		if (events[i].agree == AGREE)
			check_agreement(t, i, 0);
	}
}
