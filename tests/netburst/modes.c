/* SPDX-License-Identifier: BSD-2-Clause */
/* All that NetBurst's counters alone can be told, every two things together. */
#include "mode.h"

#define GROUP "modes", "overflow"
#define MODES                                                                                      \
	"Intel SDM vol. 3B, 18.15: ESCR MSRs; CCCR MSRs; Filtering Events; Cascading Counters; "   \
	"Extended Cascading; Generating an Interrupt on Overflow"

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
	/* Samples of events that no counter here counts. */
	if (m->beside == SAMPLING)
		t->pmu->sampler->arm(t->pmu,
				     &(struct pmu_sampling){.counters = BIT(16), .room = 1});
}

/* A counter that its source has started runs on, and counts what else there is to execute. */
static void end(struct run *t, const struct mode *m)
{
	if (nb_mode_has_sources(m)) {
		pmu_put(t->pmu, t->pmu->counter[t->counter].ctl, 0);
		pmu_put(t->pmu, t->pmu->counter[nb_mode_twin(m, t->counter)].ctl, 0);
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

/* The overflow that a row before has left on a source could start what is programmed first. */
static void clear(struct run *t, const struct window *w)
{
	for (unsigned i = 0; i < w->n; i++)
		pmu_put(t->pmu, t->pmu->counter[w->c[i].ctr].ctl, 0);
}

static struct seen see(struct run *t, const struct mode *m)
{
	struct window w = nb_mode_window(t, m);
	struct seen seen;

	clear(t, &w);
	begin(t, m);
	if (nb_mode_interrupts(m))
		pmi_arm(t, m->value == WRAP_BY_NMI ? APIC_LVT_MODE_NMI : VECTOR_PMI,
			BIT(t->counter));
	if (m->past == OWN_OVF)
		run_again(t, &w);
	else
		window_run(t, &w);
	if (nb_mode_interrupts(m))
		pmi_disarm(t);
	seen = (struct seen){
		.count = slot_counted(t, &w.c[TESTED]),
		.twin = slot_counted(t, &w.c[TWIN]),
		.ovf = netburst_ovf(t->pmu, t->counter),
		.twin_ovf = netburst_ovf(t->pmu, w.c[TWIN].ctr),
		.interrupts = nb_mode_interrupts(m) ? t->log.count : 0,
	};
	end(t, m);
	return seen;
}

/* ---- laws ---- */

/* The two counters of a window open one after the other where nothing else opens and closes them
 * both.  Events that no code there causes cannot be missed. */
static bool are_alike(const struct run *t, const struct mode *m)
{
	bool opens_alone =
		netburst_counters[t->counter].group == NB_FLAME || nb_mode_walks(t->counter);

	return (nb_mode_is_gated(m) || opens_alone) && !nb_mode_is_of_clocks(m);
}

/* In ring 0 a page of the program itself may be walked for where one of them is not open: in one of
 * a few windows none is. */
static struct seen see_alike(struct run *t, const struct mode *m)
{
	struct seen seen;
	unsigned tries = 3;

	do
		seen = see(t, m);
	while (--tries && nb_mode_walks(t->counter) && are_alike(t, m) && seen.count != seen.twin);
	return seen;
}

static void check_twin(struct run *t, const struct mode *m, const struct seen *seen)
{
	if (are_alike(t, m))
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

	CHECK_EQ(t, seen->interrupts, nb_mode_interrupts(m) && seen->count > WRAPS);
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
	else if (nb_mode_is_of_clocks(m))
		CHECK(t, seen->count > all);
	else if (!nb_repeats(t->counter) || seen->interrupts)
		CHECK(t, seen->count > 0 || m->filter > ABOVE_0);
	else if (m->filter <= EDGES)
		CHECK_EQ(t, seen->count, from_source ? all - AFTER : all);
}

/* Counts of windows without anything special, taken once for all: by several bits, where, whose. */
struct plain {
	bool known[2][NB_WHERES][WHOSES];
	uint64_t count[2][NB_WHERES][WHOSES];
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

/* A window that starts the counters for the first time after an interrupt. */
static void check_first_after(struct run *t)
{
	const struct mode plain = {0};
	const struct seen seen = see(t, &plain);

	check_twin(t, &plain, &seen);
}

static void check_row(struct run *t, struct plain *plain, const struct mode *m)
{
	const uint64_t all = count_plain(t, plain, m);
	const struct seen seen = see_alike(t, m);

	check_twin(t, m, &seen);
	check_overflow(t, m, &seen);
	check_count(t, m, &seen, all);
	if (nb_mode_interrupts(m))
		check_first_after(t);
}

/* The outer counter counts more, while the inner one opens and closes: the same, whichever of the
 * two it is. */
static void check_turned(struct run *t, unsigned where)
{
	const struct mode m = {.where = where};
	struct window w = nb_mode_window(t, &m), turned = w;

	turned.c[TESTED].ctr = w.c[TWIN].ctr;
	turned.c[TWIN].ctr = w.c[TESTED].ctr;
	window_run(t, &w);
	window_run(t, &turned);
	CHECK_EQ(t, w.c[TWIN].out - w.c[TESTED].out, turned.c[TWIN].out - turned.c[TESTED].out);
}

/* ---- the test ---- */

NB_COUNTER_TEST(
	of_netburst,
	"however a counter is started, filtered and stopped, it counts what its twin counts",
	.clause = MODES, .needs = PMU_PRIVILEGE)
{
	struct cover rows = nb_mode_rows(t);
	struct plain plain = {0};
	uint8_t level[COVER_AXES] = {0};
	unsigned met = 0;

	while (!t->failed && cover_next(&rows, level)) {
		const struct mode m = nb_mode_of(level);

		check_row(t, &plain, &m);
		met++;
	}
	for (unsigned where = 1; where < NB_WHERES && nb_repeats(t->counter); where++)
		check_turned(t, where);
	report_diag("%u modes", met);
}
