/* SPDX-License-Identifier: BSD-2-Clause */
/* All that NetBurst's counters alone can be told, every two things together. */
#include "mode.h"

#define GROUP "modes", "overflow"
#define MODES                                                                                      \
	"SDM vol. 3B, 18.15: ESCR MSRs; CCCR MSRs; Filtering Events; Cascading Counters; "         \
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

static void begin(struct run *t, const uint8_t *m)
{
	const struct netburst_config tags = {.event = NB_UOP_TYPE,
					     .mask = TAG_LOADS,
					     .user = true,
					     .tag_enable = true,
					     .tag_value = 1};

	if (m[PAST] == OTHER_OVF)
		overflow_another(t);
	if (m[BESIDE] == TAGGING)
		nb_upstream(t, 0, &tags);
	/* Samples of events that no counter here counts. */
	if (m[BESIDE] == SAMPLING)
		t->pmu->sampler->arm(t->pmu,
				     &(struct pmu_sampling){.counters = BIT(16), .room = 1});
}

/* A counter that its source has started runs on, and counts what else there is to execute. */
static void end(struct run *t, const uint8_t *m)
{
	if (m[START] != ENABLED) {
		pmu_put(t->pmu, t->pmu->counter[t->counter].ctl, 0);
		pmu_put(t->pmu, t->pmu->counter[nb_mode_twin(m, t->counter)].ctl, 0);
	}
	if (m[BESIDE] == SAMPLING)
		t->pmu->sampler->disarm(t->pmu);
	if (m[BESIDE] == TAGGING || m[PAST] == OTHER_OVF)
		pmu_reset(t->pmu);
}

/* ---- one row ---- */

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

static struct mode_seen see(struct run *t, const uint8_t *m)
{
	static const uint32_t entries[VALUES] = {[WRAP_BY_VECTOR] = VECTOR_PMI,
						 [WRAP_BY_NMI] = APIC_LVT_MODE_NMI,
						 [WRAP_BY_OTHER] = VECTOR_OTHER};
	struct window w = nb_mode_window(t, m);
	struct mode_seen seen;

	clear(t, &w);
	begin(t, m);
	if (nb_mode_interrupts(m))
		pmi_arm(t, entries[m[VALUE]], BIT(t->counter));
	if (m[PAST] == OWN_OVF)
		run_again(t, &w);
	else
		window_run(t, &w);
	if (nb_mode_interrupts(m))
		pmi_disarm(t);
	seen = modes_seen(t, &w, TWIN, TESTED, nb_mode_interrupts(m));
	seen.ovf = netburst_ovf(t->pmu, t->counter);
	seen.twin_ovf = netburst_ovf(t->pmu, w.c[TWIN].ctr);
	end(t, m);
	return seen;
}

/* ---- laws ---- */

/* The two counters of a window open one after the other where nothing else opens and closes them
 * both.  Events that no code there causes cannot be missed. */
static bool are_alike(const struct run *t, const uint8_t *m)
{
	bool opens_alone =
		netburst_counters[t->counter].group == NB_FLAME || nb_mode_walks(t->counter);

	return (m[WHERE] == GATED || opens_alone) && !nb_mode_is_of_clocks(m);
}

/* In ring 0 a page of the program itself may be walked for where one of them is not open: in one of
 * a few windows none is. */
static struct mode_seen see_alike(struct run *t, const uint8_t *m)
{
	struct mode_seen seen;
	unsigned tries = 3;

	do
		seen = see(t, m);
	while (--tries && nb_mode_walks(t->counter) && are_alike(t, m) && seen.count != seen.twin);
	return seen;
}

static void check_twin(struct run *t, const uint8_t *m, const struct mode_seen *seen)
{
	if (are_alike(t, m))
		CHECK_EQ(t, seen->count, seen->twin);
	else
		CHECK_IS(t, seen->count, <=, seen->twin);
}

static bool overflows(const uint8_t *m, uint64_t count)
{
	if (m[VALUE] == FORCED)
		return count > 0;
	return m[VALUE] >= BEFORE_WRAP && count >= WRAPS;
}

/* The handler has cleared the flag that it found. */
static void check_overflow(struct run *t, const uint8_t *m, const struct mode_seen *seen)
{
	bool before = m[PAST] == OWN_OVF && m[FILTER] != NEVER;
	bool undecided = m[PAST] == OWN_OVF && m[FILTER] == ABOVE_1;

	CHECK_EQ(t, seen->all_interrupts, nb_mode_interrupts(m) && seen->count > WRAPS);
	if (undecided)
		return;
	CHECK_EQ(t, seen->ovf + seen->all_interrupts, before || overflows(m, seen->count));
	CHECK_EQ(t, seen->twin_ovf, before || overflows(m, seen->twin));
}

/* All that the payload does, or what of it comes after the overflow of the source; by edges, too:
 * no two events are neighbours. */
static void check_count(struct run *t, const uint8_t *m, const struct mode_seen *seen, uint64_t all)
{
	bool from_source = m[START] == CASCADED || m[START] == EXTENDED;

	if (m[FILTER] == NEVER || m[FILTER] == ABOVE_1)
		CHECK_EQ(t, seen->count, 0);
	else if (nb_mode_is_of_clocks(m))
		CHECK_IS(t, seen->count, >, all);
	else if (!nb_repeats(t->counter) || seen->all_interrupts) {
		if (m[FILTER] <= ABOVE_0)
			CHECK_IS(t, seen->count, >, 0);
	} else if (m[FILTER] <= EDGES)
		CHECK_EQ(t, seen->count, from_source ? all - AFTER : all);
}

/* A window that starts the counters for the first time after an interrupt. */
static void check_first_after(struct run *t)
{
	const uint8_t plain[AXES] = {0};
	const struct mode_seen seen = see(t, plain);

	check_twin(t, plain, &seen);
}

static void check_row(struct run *t, const uint8_t *m)
{
	const uint8_t alone[COVER_AXES] = {
		[MASK] = m[MASK], [WHERE] = m[WHERE], [WHOSE] = m[WHOSE]};
	const uint64_t all = modes_once(t, alone, see).count;
	const struct mode_seen seen = see_alike(t, m);

	check_twin(t, m, &seen);
	check_overflow(t, m, &seen);
	check_count(t, m, &seen, all);
	if (nb_mode_interrupts(m))
		check_first_after(t);
}

/* The outer counter counts more, while the inner one opens and closes: the same, whichever of the
 * two it is. */
static void check_turned(struct run *t, uint8_t where)
{
	const uint8_t m[AXES] = {[WHERE] = where};
	struct window w = nb_mode_window(t, m), turned = w;

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
	modes_run(t, nb_mode_rows(t), 1, check_row);
	for (uint8_t where = 1; where < WHERES && nb_repeats(t->counter); where++)
		check_turned(t, where);
}
