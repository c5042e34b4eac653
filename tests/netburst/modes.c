/* SPDX-License-Identifier: BSD-2-Clause */
/* All that NetBurst's counters alone can be told, every two things together: a counter, and a twin
 * of its group that is told the same in the same window. */
#include "tag.h"

#define GROUP "modes", "overflow"
#define MODES                                                                                      \
	"Intel SDM vol. 3B, 18.15: ESCR MSRs; CCCR MSRs; Filtering Events; Cascading Counters; "   \
	"Extended Cascading; Generating an Interrupt on Overflow"

/* ---- axes ---- */

enum axis { START, FILTER, VALUE, PAST, BESIDE, MASK, WHERE, WHOSE, AXES };
_Static_assert((int)AXES <= COVER_AXES, "one level for each axis");

/* By ENABLE, with CASCADE beside it, by CASCADE, by CASCNTxINTOy. */
enum start { ENABLED, FLAGGED, CASCADED, EXTENDED, STARTS };
enum value { FROM_ZERO, FORCED, BEFORE_WRAP, WRAP_BY_VECTOR, WRAP_BY_NMI, VALUES };
enum past { CLEAR, OWN_OVF, OTHER_OVF, PASTS };
enum beside { NOTHING, TAGGING, SAMPLING, BESIDES };

/* Those that can tell whether the comparison is true where it must never be, and always. */
static const struct {
	bool compare, complement, edge;
	unsigned threshold;
} filter[] = {
	{0},
	{.compare = true},
	{.compare = true, .threshold = 1},
	{.compare = true, .threshold = 15},
	{.compare = true, .edge = true},
	{.compare = true, .complement = true, .edge = true},
};
enum { PLAIN, ABOVE_0, ABOVE_1, NEVER, EDGES };

static const struct {
	enum ring ring;
	bool user, kernel;
} where[] = {
	{RING_3, true, false}, {RING_3, true, true}, {RING_0, false, true}, {RING_0, true, true}};

/* Whose ESCR the twin has. */
enum whose { OTHER_ESCR, SAME_ESCR, WHOSES };

/* The sources overflow with this event, and counters from BEFORE_WRAP with that one. */
#define AFTER      UINT64_C(3)
#define WRAPS      UINT64_C(2)

#define ITERATIONS 5 /* several events each */

struct mode {
	enum start start;
	unsigned filter;
	enum value value;
	enum past past;
	enum beside beside;
	bool several; /* bits of the event mask */
	unsigned where;
	enum whose whose;
};

static struct mode mode_of(const uint8_t level[COVER_AXES])
{
	return (struct mode){level[START],  level[FILTER], level[VALUE], level[PAST],
			     level[BESIDE], level[MASK],   level[WHERE], level[WHOSE]};
}

static bool is_gated(const struct mode *m)
{
	return m->where == 0;
}

static bool interrupts(const struct mode *m)
{
	return m->value == WRAP_BY_VECTOR || m->value == WRAP_BY_NMI;
}

static bool has_sources(const struct mode *m)
{
	return m->start != ENABLED;
}

/* ---- the window ---- */

enum { TWIN, TESTED, SOURCES };

static int source_of(const struct mode *m, unsigned ctr)
{
	const struct netburst_counter *wires = &netburst_counters[ctr];

	if (!has_sources(m))
		return -1;
	return m->start == EXTENDED ? wires->extended_source : wires->cascade_source;
}

static bool is_twin(const struct mode *m, unsigned ctr, unsigned twin)
{
	int source = source_of(m, ctr), other = source_of(m, twin);
	bool same = netburst_counters[ctr].half == netburst_counters[twin].half;

	return twin != ctr && nb_same_group(ctr, twin) && same == (m->whose == SAME_ESCR) &&
	       (!has_sources(m) ||
		(source >= 0 && other >= 0 && (unsigned)source != twin && (unsigned)other != ctr));
}

/* NETBURST_COUNTERS: none. */
static unsigned twin_of(const struct mode *m, unsigned ctr)
{
	unsigned twin = 0;

	while (twin < NETBURST_COUNTERS && !is_twin(m, ctr, twin))
		twin++;
	return twin;
}

static struct netburst_config event_of(const struct mode *m, unsigned ctr)
{
	struct netburst_config cfg = nb_event(ctr);

	/* Jumps and calls besides. */
	if (m->several && netburst_counters[ctr].group == NB_MS)
		cfg.mask |= FIELD(2, 1);
	cfg.user = where[m->where].user;
	cfg.kernel = where[m->where].kernel;
	return cfg;
}

static struct netburst_config config_of(const struct mode *m, unsigned ctr)
{
	struct netburst_config cfg = event_of(m, ctr);

	cfg.compare = filter[m->filter].compare;
	cfg.complement = filter[m->filter].complement;
	cfg.edge = filter[m->filter].edge;
	cfg.threshold = filter[m->filter].threshold;
	cfg.cascade = m->start == FLAGGED || m->start == CASCADED;
	cfg.extended_cascade = m->start == EXTENDED;
	cfg.force_ovf = m->value == FORCED;
	return cfg;
}

static void add_counter(const struct run *t, struct window *w, const struct mode *m, unsigned ctr)
{
	struct slot *slot = nb_add(w, ctr, config_of(m, ctr));

	slot->waits = m->start == CASCADED || m->start == EXTENDED;
	if (m->value >= BEFORE_WRAP)
		slot->from = 0 - WRAPS;
	slot->nb.ovf_pmi = interrupts(m) && ctr == t->counter;
}

static void add_source(struct window *w, const struct mode *m, unsigned ctr)
{
	unsigned source = (unsigned)source_of(m, ctr);

	if (w->n == SOURCES || w->c[w->n - 1].ctr != source)
		nb_add(w, source, event_of(m, ctr))->from = 0 - AFTER;
}

/* Of the counter under test and its twin, and of what starts them. */
static struct window window_of(const struct run *t, const struct mode *m)
{
	struct window w = {.ops = &nb_ops,
			   .nested = !is_gated(m),
			   .work = in_ring(where[m->where].ring, &payload_spaced, ITERATIONS)};
	unsigned twin = twin_of(m, t->counter);

	add_counter(t, &w, m, twin);
	add_counter(t, &w, m, t->counter);
	if (has_sources(m)) {
		add_source(&w, m, twin);
		add_source(&w, m, t->counter);
	}
	return w;
}

/* ---- which levels can come together ---- */

static bool is_there(const struct run *t, const struct mode *m)
{
	if (interrupts(m) && !(t->pmu->features & PMU_INTERRUPT))
		return false;
	if (has_sources(m) && interrupts(m) && !(t->pmu->features & PMU_CASCADE_PMI))
		return false;
	if (m->start == EXTENDED && !(t->pmu->features & PMU_XCASCADE))
		return false;
	if (m->beside == SAMPLING && !(t->pmu->features & PMU_SAMPLER))
		return false;
	return twin_of(m, t->counter) < NETBURST_COUNTERS;
}

/* Whether an interrupt is promised anew while OVF is set, and whether a source that has OVF set
 * starts anything before it overflows again, no manual says. */
static bool is_documented(const struct mode *m)
{
	return m->past != OWN_OVF || (!interrupts(m) && !has_sources(m));
}

/* Ring 0 executes more than the payload: of that only the plain count is the same each time. */
static bool is_known(const struct mode *m)
{
	return is_gated(m) ||
	       (!has_sources(m) && !interrupts(m) && (m->filter == PLAIN || m->filter == NEVER));
}

static bool is_possible(const void *arg, const uint8_t level[COVER_AXES])
{
	const struct run *t = arg;
	const struct mode m = mode_of(level);

	return is_there(t, &m) && is_documented(&m) && is_known(&m);
}

/* ---- what happened before, and what is in use beside ---- */

/* The flag stays set. */
static void overflow_another(struct run *t)
{
	unsigned other = 0;
	struct window w;

	while (nb_same_group(other, t->counter))
		other++;
	w = nb_window(other, nb_event(other), in_ring3(&payload_spaced, 1));
	w.c[0].from = 0 - UINT64_C(1);
	window_run(t, &w);
	CHECK(t, netburst_ovf(t->pmu, other));
}

static void begin(struct run *t, const struct mode *m)
{
	const struct netburst_config tags = {.event = NB_UOP_TYPE,
					     .mask = TAG_LOADS,
					     .user = true,
					     .tag_enable = true,
					     .tag_value = 1};

	if (m->past == OTHER_OVF)
		overflow_another(t);
	if (m->beside == TAGGING)
		nb_upstream(t, 0, &tags);
	/* Of events that no counter here counts. */
	if (m->beside == SAMPLING)
		t->pmu->sampler->arm(t->pmu,
				     &(struct pmu_sampling){.counters = BIT(16), .room = 1});
}

/* A counter that its source has started runs on. */
static void end(struct run *t, const struct mode *m)
{
	if (has_sources(m)) {
		pmu_put(t->pmu, t->pmu->counter[t->counter].ctl, 0);
		pmu_put(t->pmu, t->pmu->counter[twin_of(m, t->counter)].ctl, 0);
	}
	if (m->beside == SAMPLING)
		t->pmu->sampler->disarm(t->pmu);
	if (m->beside == TAGGING || m->past == OTHER_OVF)
		pmu_reset(t->pmu);
}

/* ---- one row ---- */

struct seen {
	uint64_t count, twin; /* without the start values */
	bool ovf, twin_ovf;
	uint64_t interrupts;
};

/* A window that overflows, and then the one that is asked for, with nothing written but the
 * counters. */
static void run_again(struct run *t, struct window *w)
{
	const uint64_t from = w->c[TESTED].from;

	w->c[TESTED].from = w->c[TWIN].from = 0 - UINT64_C(1);
	window_run(t, w);
	w->c[TESTED].from = w->c[TWIN].from = from;
	window_again(t, w);
}

static struct seen see(struct run *t, const struct mode *m)
{
	struct window w = window_of(t, m);
	struct seen seen;

	begin(t, m);
	if (interrupts(m))
		pmi_arm(t, m->value == WRAP_BY_NMI ? APIC_LVT_MODE_NMI : VECTOR_PMI,
			BIT(t->counter));
	if (m->past == OWN_OVF)
		run_again(t, &w);
	else
		window_run(t, &w);
	if (interrupts(m))
		pmi_disarm(t);
	seen = (struct seen){
		.count = slot_counted(t, &w.c[TESTED]),
		.twin = slot_counted(t, &w.c[TWIN]),
		.ovf = netburst_ovf(t->pmu, t->counter),
		.twin_ovf = netburst_ovf(t->pmu, w.c[TWIN].ctr),
		.interrupts = interrupts(m) ? t->log.count : 0,
	};
	return seen;
}

/* ---- laws ---- */

/* A window of two opens one after the other where nothing else opens and closes them both.  What
 * is not executed there cannot be missed. */
static void check_twin(struct run *t, const struct mode *m, const struct seen *seen)
{
	if (is_gated(m) || netburst_counters[t->counter].group == NB_FLAME)
		CHECK_EQ(t, seen->count, seen->twin);
	else
		CHECK(t, seen->count <= seen->twin);
}

static bool overflows(const struct mode *m, uint64_t count)
{
	if (m->value == FORCED)
		return count > 0;
	return m->value >= BEFORE_WRAP && count >= WRAPS;
}

/* The handler has cleared the flag that it found. */
static void check_overflow(struct run *t, const struct mode *m, const struct seen *seen)
{
	bool before = m->past == OWN_OVF && m->filter != NEVER;
	bool undecided = m->past == OWN_OVF && m->filter == ABOVE_1;

	CHECK_EQ(t, seen->interrupts, interrupts(m) && seen->count > WRAPS);
	if (undecided)
		return;
	CHECK_EQ(t, seen->ovf + seen->interrupts, before || overflows(m, seen->count));
	CHECK_EQ(t, seen->twin_ovf, before || overflows(m, seen->twin));
}

/* All that the payload does, or what of it comes after the overflow of the source; by edges, too:
 * no two events are neighbours. */
static void check_count(struct run *t, const struct mode *m, const struct seen *seen, uint64_t all)
{
	bool from_source = m->start == CASCADED || m->start == EXTENDED;

	if (m->filter == NEVER || m->filter == ABOVE_1)
		CHECK_EQ(t, seen->count, 0);
	else if (!nb_repeats(t->counter) || seen->interrupts)
		CHECK(t, seen->count > 0 || m->filter > ABOVE_0);
	else if (m->filter <= EDGES)
		CHECK_EQ(t, seen->count, from_source ? all - AFTER : all);
}

/* What windows count without anything special, once for all: by several bits, where, whose. */
struct plain {
	bool known[2][ARRAY_SIZE(where)][WHOSES];
	uint64_t count[2][ARRAY_SIZE(where)][WHOSES];
};

static uint64_t count_plain(struct run *t, struct plain *plain, const struct mode *m)
{
	const struct mode alone = {.several = m->several, .where = m->where, .whose = m->whose};
	bool *known = &plain->known[m->several][m->where][m->whose];
	uint64_t *count = &plain->count[m->several][m->where][m->whose];

	if (!*known)
		*count = see(t, &alone).count;
	*known = true;
	return *count;
}

static void check_row(struct run *t, struct plain *plain, const struct mode *m)
{
	const uint64_t all = count_plain(t, plain, m);
	const struct seen seen = see(t, m);

	check_twin(t, m, &seen);
	check_overflow(t, m, &seen);
	check_count(t, m, &seen, all);
	end(t, m);
}

/* ---- the test ---- */

NB_COUNTER_TEST(
	of_netburst,
	"however a counter is started, filtered and stopped, it counts what its twin counts",
	.clause = MODES, .needs = PMU_PRIVILEGE)
{
	struct cover rows = {
		.axes = AXES,
		.levels = {[START] = STARTS,
			   [FILTER] = ARRAY_SIZE(filter),
			   [VALUE] = VALUES,
			   [PAST] = PASTS,
			   [BESIDE] = BESIDES,
			   [MASK] = 2,
			   [WHERE] = ARRAY_SIZE(where),
			   [WHOSE] = WHOSES},
		.is_possible = is_possible,
		.arg = t,
		.bases = 3,
		.base = {{0}, {[FILTER] = ABOVE_0}, {[VALUE] = BEFORE_WRAP}},
	};
	struct plain plain = {0};
	uint8_t level[COVER_AXES] = {0};
	unsigned met = 0;

	while (!t->failed && cover_next(&rows, level)) {
		const struct mode m = mode_of(level);

		check_row(t, &plain, &m);
		met++;
	}
	report_diag("%u modes", met);
}
