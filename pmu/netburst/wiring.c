/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: how counters, ESCRs and events are wired. */
#include "wiring.h"

/* group, half, pair mate, cascade source, extended cascade source */
const struct netburst_counter netburst_counters[NETBURST_COUNTERS] = {
	{NB_BPU, 0, 1, 2, -1},    {NB_BPU, 0, 0, 3, -1},    {NB_BPU, 1, 3, 0, -1},
	{NB_BPU, 1, 2, 1, -1},    {NB_MS, 0, 5, 6, -1},     {NB_MS, 0, 4, 7, -1},
	{NB_MS, 1, 7, 4, -1},     {NB_MS, 1, 6, 5, -1},     {NB_FLAME, 0, 9, 10, -1},
	{NB_FLAME, 0, 8, 11, -1}, {NB_FLAME, 1, 11, 8, -1}, {NB_FLAME, 1, 10, 9, -1},
	{NB_IQ, 0, 13, 14, 16},   {NB_IQ, 0, 12, 15, -1},   {NB_IQ, 1, 15, 12, -1},
	{NB_IQ, 1, 14, 13, 17},   {NB_IQ, 0, 12, 14, 17},   {NB_IQ, 1, 14, 15, 16},
};

/* ---- ESCRs ---- */

#define PAIR(group, select, unit, number, msr) [NB_##group][select] = {#unit, number, (msr)&0xff},
const struct netburst_escr_pair netburst_escr_pairs[NB_GROUPS][8] = {NETBURST_ESCR_PAIRS(PAIR)};

static uint32_t pair_msr(const struct netburst_escr_pair *pair, unsigned half)
{
	return 0x300u + pair->low + half;
}

uint32_t netburst_selected_escr(const struct pmu *pmu, unsigned group, unsigned half,
				unsigned select)
{
	const struct netburst_escr_pair *pair = &netburst_escr_pairs[group][select];
	uint32_t msr = pair_msr(pair, half);

	if (!pair->unit[0] || msr == MSR_SSU_ESCR1)
		return 0;
	if (msr - half == MSR_IQ_ESCR0 && netburst(pmu)->model > 2)
		return 0;
	return msr;
}

unsigned netburst_escrs(const struct pmu *pmu, uint32_t msr[NETBURST_ESCRS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < NB_GROUPS * 8 * 2; i++) {
		uint32_t escr = netburst_selected_escr(pmu, i / 16, i % 2, i / 2 % 8);

		if (escr)
			msr[n++] = escr;
	}
	return n;
}

/* ---- events ---- */

enum { TS, TI };
#define EVENT(id, name, group_, select_, escr_, mask_, thread)                                     \
	[NB_##id] = {.group = NB_##group_,                                                         \
		     .select = select_,                                                            \
		     .escr = escr_,                                                                \
		     .mask = mask_,                                                                \
		     .independent = thread},
const struct netburst_event netburst_events[NB_EVENTS] = {NETBURST_EVENTS(EVENT)};

/* One string, as pointers into it would need relocations larger than the names. */
const char *netburst_event_name(enum netburst_event_id event)
{
#define NAME(id, name, ...) #name "\0"
	static const char names[] = "no_event\0" NETBURST_EVENTS(NAME);
	const char *name = names;

	while (event--)
		while (*name++)
			;
	return name;
}

bool netburst_is_thread_independent(enum netburst_event_id event)
{
	return netburst_events[event].independent;
}

bool netburst_has_event(const struct pmu *pmu, enum netburst_event_id event)
{
	if (event == NB_IOQ_ALLOCATION || event == NB_IOQ_ACTIVE_ENTRIES)
		return netburst(pmu)->model < 6;
	return event != NB_INSTR_COMPLETED || netburst(pmu)->model > 2;
}

uint32_t netburst_escr_msr(enum netburst_event_id event, unsigned half)
{
	const struct netburst_event *e = &netburst_events[event];

	return pair_msr(&netburst_escr_pairs[e->group][e->escr], half);
}
