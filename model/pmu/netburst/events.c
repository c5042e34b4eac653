/* SPDX-License-Identifier: BSD-2-Clause */
/* ESCRs in a clock: how much they deliver, by event, tags and the filter by privilege. */
#include "netburst.h"

/* The pairs that tag. */
enum { FIRM_ESCR0 = 0x04, RAT_ESCR0 = 0x1c };

#define MATRIX_VERT_LOADS BIT(0)

static bool passes(const struct escr *escr, unsigned thread, unsigned cpl)
{
	return escr->passes[thread][cpl > 0];
}

/* A clock counts for each logical processor that is active. */
static bool passes_other(const struct escr *escr, const struct clock *clock)
{
	return clock->other_active && escr->signal_count && escr->signals[0] == SIGNAL_CYCLES &&
	       passes(escr, 1 - clock->thread, clock->other_cpl);
}

bool netburst_works(const struct pmu_netburst *p, const struct escr *escr,
		    const struct clock *clock)
{
	return p->core.running & escr->power &&
	       (passes(escr, clock->thread, clock->cpl) || passes_other(escr, clock));
}

/* ---- tags ---- */

/* Which micro-ops get a tag of the front end in this clock, by what the upstream ESCRs ask for.
 * Nothing says whether uop_type needs Tag enable.  The model does not ask for it. */
struct front_end {
	bool loads, stores;
};

static struct front_end find_front_end(const struct pmu_netburst *p, const struct clock *clock)
{
	struct front_end tags = {0};

	for (unsigned i = RAT_ESCR0; i < RAT_ESCR0 + 2; i++) {
		const struct escr *escr = &p->escr[i];

		if (escr->event != NETBURST_UOP_TYPE || !netburst_works(p, escr, clock))
			continue;
		tags.loads |= (escr->mask & NETBURST_TAGLOADS) != 0;
		tags.stores |= (escr->mask & NETBURST_TAGSTORES) != 0;
	}
	return tags;
}

static unsigned tagged_instructions(const struct pmu_netburst *p, const struct clock *clock)
{
	const struct front_end tags = find_front_end(p, clock);
	unsigned n = 0;

	if (tags.loads)
		n += clock->n[SIGNAL_LOADING];
	if (tags.stores)
		n += clock->n[SIGNAL_STORING];
	if (tags.loads && tags.stores)
		n -= clock->n[SIGNAL_LOADING_AND_STORING];
	return n;
}

static unsigned front_end_uops(const struct pmu_netburst *p, const struct clock *clock)
{
	const struct front_end tags = find_front_end(p, clock);

	return (tags.loads ? clock->n[SIGNAL_LOAD_UOPS] : 0u) +
	       (tags.stores ? clock->n[SIGNAL_STORE_UOPS] : 0u);
}

/* Micro-ops with one of these tags, each once: both upstream ESCRs may tag the same. */
static unsigned executed_uops(const struct pmu_netburst *p, unsigned tags,
			      const struct clock *clock)
{
	uint32_t kinds = 0;
	unsigned n = 0;

	for (unsigned i = FIRM_ESCR0; i < FIRM_ESCR0 + 2; i++) {
		const struct escr *escr = &p->escr[i];

		if (!escr->tag_enable || !(escr->tag_value & tags) ||
		    !netburst_works(p, escr, clock))
			continue;
		for (unsigned j = 0; j < escr->signal_count; j++)
			kinds |= UINT32_C(1) << (escr->signals[j] - SIGNAL_COMPUTE);
	}
	for (; kinds; kinds &= kinds - 1)
		n += clock->n[SIGNAL_COMPUTE + __builtin_ctz(kinds)];
	return n;
}

static unsigned replayed_uops(const struct pmu_netburst *p, const struct clock *clock)
{
	const uint64_t enables = PEBS_ENABLE_UOP_TAG | PEBS_ENABLE_LOAD_MISS;

	if ((p->pebs_enable & enables) != enables)
		return 0;
	return core_acting(&p->core, NETBURST_PEBS_MATRIX_VERT, 0, p->pebs_matrix_vert) &
			       MATRIX_VERT_LOADS
		       ? clock->n[SIGNAL_MISSED_LOADS]
		       : 0;
}

/* ---- traces ---- */

static bool builds(const struct clock *clock)
{
	return clock->n[SIGNAL_MET + MET_TRACE_MISS];
}

/* The bit of the event mask that says what T0 and T1 do.  Assumed: a processor that waits for the
 * other one in a loop delivers, and both never build at once. */
static unsigned mode(const struct clock *clock)
{
	enum { DELIVERS, BUILDS, INACTIVE, STATES };
	unsigned this = builds(clock) ? BUILDS : DELIVERS;
	unsigned other = clock->other_active ? DELIVERS : INACTIVE;

	if (!clock->n[SIGNAL_UOPS])
		return 0;
	return 1u << (clock->thread ? STATES * other + this : STATES * this + other);
}

static unsigned from_traces(const struct clock *clock)
{
	return clock->n[SIGNAL_UOPS] - clock->n[SIGNAL_ROM_UOPS];
}

/* ---- events ---- */

static bool is_of_hierarchy(unsigned signal)
{
	return (signal >= DERIVED_BUILT_UOPS && signal < OF_BOGUS) ||
	       (signal >= SIGNAL_MET && signal < SIGNAL_MET + METS);
}

static bool is_of_bogus(unsigned signal)
{
	return signal & OF_BOGUS;
}

static bool selects(const struct escr *escr, bool (*is)(unsigned signal))
{
	for (unsigned i = 0; i < escr->signal_count; i++)
		if (is(escr->signals[i]))
			return true;
	return false;
}

void netburst_select(struct pmu_netburst *p, struct escr *escr, uint32_t value)
{
	p->of_hierarchy -= selects(escr, is_of_hierarchy);
	p->of_bogus -= selects(escr, is_of_bogus);
	netburst_take_apart_escr(p, escr, value);
	p->of_hierarchy += selects(escr, is_of_hierarchy);
	p->of_bogus += selects(escr, is_of_bogus);
}

AT_EXIT bool netburst_watches_hierarchy(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return p->of_hierarchy;
}

AT_EXIT bool netburst_watches_bogus(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return p->of_bogus;
}

static unsigned derived(const struct pmu_netburst *p, const struct escr *escr, unsigned signal,
			const struct clock *clock)
{
	switch (signal) {
	case DERIVED_UNTAGGED:
		return clock->n[SIGNAL_INSTRUCTIONS] - tagged_instructions(p, clock);
	case DERIVED_TAGGED:
		return tagged_instructions(p, clock);
	case DERIVED_FRONT_END:
		return front_end_uops(p, clock);
	case DERIVED_EXECUTION: /* BOGUS0 to 3 follow NBOGUS0 to 3 */
		return executed_uops(p, clock->bogus ? escr->mask >> 4 : escr->mask, clock);
	case DERIVED_REPLAY:
		return replayed_uops(p, clock);
	case DERIVED_BUILT_UOPS:
		return builds(clock) ? from_traces(clock) : 0;
	case DERIVED_MODE:
		return escr->mask & mode(clock) ? 1 : 0;
	default:
		return builds(clock) ? 0 : from_traces(clock);
	}
}

static unsigned input_of(const struct pmu_netburst *p, const struct escr *escr, unsigned selected,
			 const struct clock *clock)
{
	unsigned signal = selected & ~OF_BOGUS;

	/* A clock counts even if all that it executed is thrown away. */
	if (is_of_bogus(selected) != clock->bogus && signal != SIGNAL_CYCLES)
		return 0;
	return signal < SIGNAL_COUNT ? clock->n[signal] : derived(p, escr, signal, clock);
}

static bool tags_loads_or_stores(const struct pmu_netburst *p)
{
	return p->escr[RAT_ESCR0].event == NETBURST_UOP_TYPE ||
	       p->escr[RAT_ESCR0 + 1].event == NETBURST_UOP_TYPE;
}

unsigned netburst_alone(const struct pmu_netburst *p, const struct escr *escr)
{
	bool tags = tags_loads_or_stores(p);
	unsigned alone = SIGNAL_COUNT;

	for (unsigned i = 0; i < escr->signal_count; i++) {
		unsigned signal = escr->signals[i];

		if (is_of_bogus(signal) || (signal == DERIVED_TAGGED && !tags))
			continue; /* in clocks of others, or never */
		if (alone != SIGNAL_COUNT)
			return SIGNAL_COUNT;
		alone = signal == DERIVED_UNTAGGED && !tags ? SIGNAL_INSTRUCTIONS : signal;
	}
	return alone < SIGNAL_COUNT ? alone : SIGNAL_COUNT;
}

HOT unsigned netburst_input(const struct pmu_netburst *p, const struct escr *escr,
			    const struct clock *clock)
{
	unsigned n = 0;

	if (!netburst_works(p, escr, clock))
		return 0;
	for (unsigned i = 0; i < escr->signal_count; i++)
		n += input_of(p, escr, escr->signals[i], clock);
	return n < NETBURST_INPUT_MAX ? n : NETBURST_INPUT_MAX;
}
