/* SPDX-License-Identifier: BSD-2-Clause */
/* The axes of modes, and which of their levels can come together. */
#include "mode.h"

/* ---- levels ---- */

/* Filters that can tell whether the comparison is true where it must never be, and where it always
 * must be. */
static const struct {
	bool compare, complement, edge;
	unsigned threshold;
} filter[FILTERS] = {
	{0},
	{.compare = true},
	{.compare = true, .threshold = 1},
	{.compare = true, .threshold = 15},
	{.compare = true, .edge = true},
	{.compare = true, .complement = true, .edge = true},
	{.compare = true, .complement = true, .threshold = 3},
	{.compare = true, .complement = true, .threshold = 15},
};

static const struct {
	enum ring ring;
	bool user, kernel;
} where[WHERES] = {
	{RING_3, true, false}, {RING_3, true, true}, {RING_0, false, true}, {RING_0, true, true}};

#define ITERATIONS 5 /* several events each */

bool nb_mode_is_of_clocks(const uint8_t *m)
{
	return m[FILTER] == AT_MOST_3 || m[FILTER] == ALWAYS;
}

bool nb_mode_interrupts(const uint8_t *m)
{
	return m[VALUE] >= WRAP_BY_VECTOR;
}

/* ---- the window ---- */

static int source_of(const uint8_t *m, unsigned ctr)
{
	const struct netburst_counter *wires = &netburst_counters[ctr];

	if (m[START] == ENABLED)
		return -1;
	return m[START] == EXTENDED ? wires->extended_source : wires->cascade_source;
}

static bool is_twin(const uint8_t *m, unsigned ctr, unsigned twin)
{
	int source = source_of(m, ctr), other = source_of(m, twin);
	bool same = netburst_counters[ctr].half == netburst_counters[twin].half;

	return twin != ctr && nb_same_group(ctr, twin) && same == (m[WHOSE] == SAME_ESCR) &&
	       (m[START] == ENABLED ||
		(source >= 0 && other >= 0 && (unsigned)source != twin && (unsigned)other != ctr));
}

unsigned nb_mode_twin(const uint8_t *m, unsigned ctr)
{
	unsigned twin = 0;

	while (twin < NETBURST_COUNTERS && !is_twin(m, ctr, twin))
		twin++;
	return twin;
}

bool nb_mode_walks(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_BPU;
}

static struct netburst_config event_of(const uint8_t *m, unsigned ctr)
{
	struct netburst_config cfg = nb_event(ctr);

	/* Walks for data, and those for code besides. */
	if (nb_mode_walks(ctr))
		cfg = nb_user(NB_PAGE_WALK_TYPE, m[MASK] ? 3 : 1);
	/* Stores, and loads besides. */
	if (m[MASK] && netburst_counters[ctr].group == NB_FLAME)
		cfg = nb_user(NB_X87_SIMD_MOVES_UOP, FIELD(4, 3));
	/* Jumps and calls besides. */
	if (m[MASK] && netburst_counters[ctr].group == NB_MS)
		cfg.mask |= FIELD(2, 1);
	cfg.user = where[m[WHERE]].user;
	cfg.kernel = where[m[WHERE]].kernel;
	return cfg;
}

static struct netburst_config config_of(const uint8_t *m, unsigned ctr)
{
	struct netburst_config cfg = event_of(m, ctr);

	cfg.compare = filter[m[FILTER]].compare;
	cfg.complement = filter[m[FILTER]].complement;
	cfg.edge = filter[m[FILTER]].edge;
	cfg.threshold = filter[m[FILTER]].threshold;
	cfg.cascade = m[START] == FLAGGED || m[START] == CASCADED;
	cfg.extended_cascade = m[START] == EXTENDED;
	cfg.force_ovf = m[VALUE] == FORCED;
	return cfg;
}

static void add_counter(const struct run *t, struct window *w, const uint8_t *m, unsigned ctr)
{
	struct slot *slot = nb_add(w, ctr, config_of(m, ctr));

	slot->waits = m[START] == CASCADED || m[START] == EXTENDED;
	if (m[VALUE] >= BEFORE_WRAP)
		slot->from = 0 - WRAPS;
	nb(slot)->ovf_pmi = nb_mode_interrupts(m) && ctr == t->counter;
}

static void add_source(struct window *w, const uint8_t *m, unsigned ctr)
{
	unsigned source = (unsigned)source_of(m, ctr);

	if (w->n == SOURCES || w->c[w->n - 1].ctr != source)
		nb_add(w, source, event_of(m, ctr))->from = 0 - AFTER;
}

struct window nb_mode_window(const struct run *t, const uint8_t *m)
{
	struct window w = {.ops = &nb_ops,
			   .nested = m[WHERE] != GATED || nb_mode_is_of_clocks(m),
			   .twice = m[PAST] == WRITTEN_TWICE,
			   .work = in_ring(where[m[WHERE]].ring, &payload_spaced, ITERATIONS)};
	unsigned twin = nb_mode_twin(m, t->counter);

	if (nb_mode_walks(t->counter)) {
		w.work = in_ring(where[m[WHERE]].ring, &payload_pages, 1);
		w.work.walks = true;
	}
	if (m[MASK] && netburst_counters[t->counter].group == NB_FLAME)
		w.work.payload = &payload_moves_apart;
	add_counter(t, &w, m, twin);
	add_counter(t, &w, m, t->counter);
	if (m[START] != ENABLED) {
		add_source(&w, m, twin);
		add_source(&w, m, t->counter);
	}
	return w;
}

/* ---- which levels can come together ---- */

static bool is_there(const struct run *t, const uint8_t *m)
{
	if (nb_mode_interrupts(m) && !(t->pmu->features & PMU_INTERRUPT))
		return false;
	if (m[START] != ENABLED && nb_mode_interrupts(m) && !(t->pmu->features & PMU_CASCADE_PMI))
		return false;
	if (m[START] == EXTENDED && !(t->pmu->features & PMU_XCASCADE))
		return false;
	if (m[BESIDE] == SAMPLING && !(pmu_abilities(t->pmu) & PMU_SAMPLER))
		return false;
	return nb_mode_twin(m, t->counter) < NETBURST_COUNTERS;
}

/* Whether an interrupt is promised anew while OVF is set, and whether a source that has OVF set
 * starts anything before it overflows again, no manual says. */
static bool is_documented(const uint8_t *m)
{
	return m[PAST] != OWN_OVF || (!nb_mode_interrupts(m) && m[START] == ENABLED);
}

/* A write while a counter counts may clear its overflow, and the event that starts it may be over
 * before the second write. */
static bool is_overwritten(const uint8_t *m)
{
	return m[PAST] == WRITTEN_TWICE &&
	       (m[WHERE] != GATED || nb_mode_is_of_clocks(m) || m[START] != ENABLED);
}

/* A source that goes on when a counter has stopped starts it once more: there are always clocks. */
static bool starts_again(const uint8_t *m)
{
	return nb_mode_is_of_clocks(m) && m[START] != ENABLED;
}

/* Ring 0 executes more than the payload: of that only the plain count is the same each time. */
static bool is_known(const uint8_t *m)
{
	return m[WHERE] == GATED || (m[START] == ENABLED && !nb_mode_interrupts(m) &&
				     (m[FILTER] == PLAIN || m[FILTER] == NEVER));
}

static bool is_possible(const void *t, const uint8_t *m)
{
	return is_there(t, m) && is_documented(m) && is_known(m) && !is_overwritten(m) &&
	       !starts_again(m);
}

/* The one event of micro-ops whose mask has several bits is not in each edition of the manual. */
static bool has_several(struct run *t)
{
	const uint8_t several[AXES] = {[MASK] = true};
	const unsigned twin = nb_mode_twin(several, t->counter);

	return netburst_counters[t->counter].group != NB_FLAME ||
	       nb_count(t, twin, event_of(several, twin), in_ring3(&payload_moves_apart, 1));
}

struct cover nb_mode_rows(struct run *t)
{
	return (struct cover){
		.axes = AXES,
		.levels = {[START] = STARTS,
			   [FILTER] = FILTERS,
			   [VALUE] = VALUES,
			   [PAST] = PASTS,
			   [BESIDE] = BESIDES,
			   [MASK] = has_several(t) ? 2 : 1,
			   [WHERE] = WHERES,
			   [WHOSE] = WHOSES},
		.is_possible = is_possible,
		.bases = 3,
		.base = {{0}, {[FILTER] = ABOVE_0}, {[VALUE] = BEFORE_WRAP}},
	};
}
