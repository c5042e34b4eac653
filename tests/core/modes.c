/* SPDX-License-Identifier: BSD-2-Clause */
/* All that a counter can be told, every two things together: what works alone may fail beside
 * another. */
#include "mode.h"

#define GROUP "modes", "overflow"
#define MODES                                                                                      \
	"AMD64 APM vol. 2, 13.2.1 to 13.2.3; SDM vol. 3B: performance event select "               \
	"registers, counter overflow; ESCR and CCCR MSRs"

/* ---- windows ---- */

/* Enough for half of them to be a period that no erratum makes too short. */
static uint64_t iterations_for(const struct run *t)
{
	return 2 * period_from(t, 4);
}

/* 0: there can be no interrupt. */
static uint32_t lvt_of(const struct run *t, const struct window *w, uint8_t interrupt)
{
	static const uint32_t entries[INTERRUPTS] = {[NO_INTERRUPT] = VECTOR_PMI,
						     [BY_VECTOR] = VECTOR_PMI,
						     [BY_NMI] = APIC_LVT_MODE_NMI,
						     [BY_OTHER_VECTOR] = VECTOR_OTHER};
	bool can = t->pmu->features & PMU_INTERRUPT;

	for (unsigned i = 0; can && i < w->n; i++)
		if (w->c[i].cfg.interrupt || w->c[i].from)
			return entries[interrupt];
	return 0;
}

/* A million is more than all that happens. */
static uint64_t start_of(const struct run *t, uint8_t start, uint64_t period)
{
	if (start == FROM_ZERO)
		return 0;
	return preset_for(t, start == FROM_AFAR ? 1u << 20 : period);
}

/* After so many events those that are to overflow do so. */
static uint64_t period_of(const struct run *t, const struct mode *mode)
{
	return iterations_for(t) * (mode->each.least ? mode->each.least : 1) / 2;
}

static struct mode_seen see(struct run *t, const struct mode *mode, uint64_t iterations)
{
	const uint64_t period = period_of(t, mode);
	struct window w = mode_window(t, mode);
	struct slot *mine = &w.c[w.n - 1], *twin = &w.c[0];

	window_assign(t, &w, w.n - 1);
	if (mode->at[PAST] == NEIGHBOUR_WRITTEN)
		w.beside = window_neighbour(t->pmu, &w);
	if (mode->at[COMPANY] == TWIN_OVERFLOWS)
		twin->from = preset_for(t, period);
	if (mode->at[COMPANY] == ONE_THAT_WRAPPED)
		twin->from = preset_for(t, 1);
	mine->from = start_of(t, mode->at[START], period);
	w.work = in_ring(mode->ring, &payload_apart, iterations);
	w.lvt = lvt_of(t, &w, mode->at[INTERRUPT]);
	/* A handler's instructions would be counted. */
	w.held = mode->ring == RING_0;
	window_run(t, &w);
	/* Nobody else does so where nobody was interrupted. */
	pmu_acknowledge(t->pmu, t->programmed);
	return modes_seen(t, &w, 0, w.n - 1, w.lvt);
}

static struct mode_seen see_level(struct run *t, const uint8_t *level)
{
	const struct mode mode = mode_of(t->pmu, level);

	return see(t, &mode, iterations_for(t));
}

/* The same with nothing beside it that could make a difference; plain: without threshold and edge.
 * To stop two counters takes other instructions than to stop one. */
static struct mode_seen see_alone(struct run *t, const struct mode *mode, bool plain)
{
	const uint8_t *at = mode->at;
	const uint8_t level[COVER_AXES] = {
		[WHERE] = at[WHERE],
		[COMPARISON] = plain ? 0 : at[COMPARISON],
		[EDGE] = !plain && at[EDGE],
		[COMPANY] = at[COMPANY] != ALONE && !mode->gated ? TWIN : ALONE,
		[PAST] = at[PAST] >= WRITTEN_TWICE && !mode->gated ? at[PAST] : AS_IT_WAS,
		[EVENT] = at[EVENT],
	};

	return modes_once(t, level, see_level);
}

/* The counter's past, which must not matter. */
static void live_through(struct run *t, const struct mode *mode, uint64_t iterations)
{
	struct pmu_config other = in_all_rings(mode->cfg.event);

	switch (mode->at[PAST]) {
	case INTERRUPTED:
		other.interrupt = true;
		count_overflows(t, other, preset_for(t, iterations / 2),
				in_ring3(&payload_apart, iterations), VECTOR_PMI);
		break;
	case OTHER_SELECT:
		other.user = !mode->cfg.user || !mode->cfg.kernel;
		if (pmu_features(t->pmu, t->counter) & PMU_THRESHOLD) {
			other.edge = !mode->cfg.edge;
			other.at_least = !mode->cfg.at_least;
		}
		count(t, t->counter, other, in_ring0(&payload_apart, 1));
		break;
	default:
		break;
	}
}

/* ---- laws ---- */

/* Clocks and edges that changes of ring hide.  And no manual says what an inverted condition was
 * before the window: it may begin with an edge. */
static uint64_t blur(const struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	unsigned changes = GATE_CHANGES * (1 + (unsigned)seen->all_interrupts);

	return counts_hidden(t, &mode->cfg, changes) + (mode->cfg.edge && mode->cfg.below);
}

static uint64_t slack(const struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	/* Changes of rings begin and end a condition that lasts otherwise. */
	bool lasts = mode->cfg.event == EV_CYCLES && !mode->gated;

	return blur(t, mode, seen) + mode->around + (lasts ? 2 + 2 * seen->all_interrupts : 0);
}

static bool sees_handler(const struct mode *mode, const struct mode_seen *seen)
{
	return seen->all_interrupts && mode->cfg.kernel &&
	       (mode->ring == RING_3 || mode->at[INTERRUPT] == BY_NMI);
}

/* It interrupts if it is to, when it has counted the period, and never else. */
static void check_interrupts(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	bool asked = mode->at[INTERRUPT] != NO_INTERRUPT && mode->at[START] == BEFORE_WRAP;

	if (!asked || seen->count < period_of(t, mode))
		CHECK_EQ(t, seen->interrupts, 0);
	else if (seen->count > period_of(t, mode) + unseen_by_interrupt(t))
		CHECK_EQ(t, seen->interrupts, 1);
	/* By an erratum it may come again while it waits. */
	if (mode->at[COMPANY] != TWIN_OVERFLOWS && !pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD))
		CHECK_EQ(t, seen->all_interrupts, seen->interrupts);
}

/* Two that do the same count the same, if they open and close in the same instant; else the outer
 * one counts no less. */
static void check_twin(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	uint64_t most = blur(t, mode, seen);

	/* By an erratum a fixed counter opens last, whichever it is. */
	if (mode->at[COMPANY] == ALONE || mode->at[COMPANY] == OPPOSITE ||
	    mode->at[COMPANY] == ONE_THAT_WRAPPED ||
	    (!mode->gated && pmu_effect(t->pmu, OPENS_LATE)))
		return;
	if (mode->gated || t->pmu->features & PMU_ATOMIC_START)
		CHECK_COUNT_MOST(t, seen->twin, seen->count + most);
	else
		most += mode->cfg.edge;
	CHECK_COUNT_MOST(t, seen->count, seen->twin + most);
}

/* Some processors have no threshold above the width of their retirement. */
static void check_none(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	enum { MORE_THAN_ANY = 16 }; /* no processor has so many in a clock */

	if (mode->cfg.at_least >= MORE_THAN_ANY)
		CHECK_EQ(t, seen->count, 0);
}

/* Neither the gate nor an interrupt has a near return in ring 3: no count of them may have more
 * than the payload does. */
static void check_returns(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	uint64_t most = seen->iterations * mode->event.each + mode->event.once;

	if (mode->cfg.event == EV_NEAR_RETURNS && mode->each.exact && mode->gated)
		CHECK_COUNT_MOST(t, seen->count,
				 (mode->each.least ? most : 0) + blur(t, mode, seen));
}

static void check_bounds(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	uint64_t n = seen->iterations, most = n * mode->each.most / mode->each.share;

	CHECK_COUNT_MOST(t, n * mode->each.least, seen->count);
	if (mode->each.most != MODE_NO_BOUND && !sees_handler(mode, seen))
		CHECK_COUNT_MOST(t, seen->count, most + mode->around + 2 * seen->all_interrupts);
}

/* Counts that interrupts taken in ring 3 add by returning to it: as many as the gate does.  Only
 * the last one is known not to have been late. */
static struct mode_bounds returns(const struct mode_seen *seen, uint64_t gate)
{
	uint64_t all = seen->all_interrupts, late = all && !seen->last_in_ring3;

	return (struct mode_bounds){.least = late ? 0 : all * gate, .most = (all - late) * gate};
}

/* As the same window counts where nothing is beside it. */
static void check_as_alone(struct run *t, const struct mode *mode, const struct mode_seen *seen)
{
	struct mode_seen alone = see_alone(t, mode, false);
	uint64_t payload =
		mode->each.least ? mode->event.once + mode->each.least * alone.iterations : 0;
	bool gated = mode->gated && payload;
	struct mode_bounds added = returns(seen, gated ? alone.count - payload : 0);

	CHECK_COUNT_MOST(t, alone.count + added.least, seen->count + slack(t, mode, seen));
	CHECK_COUNT_MOST(t, seen->count, alone.count + added.most + slack(t, mode, seen));
}

static uint64_t alone_in(struct run *t, const struct mode *mode, int where)
{
	uint8_t level[COVER_AXES];
	struct mode other;

	memcpy(level, mode->at, sizeof(level));
	level[WHERE] = (uint8_t)where;
	other = mode_of(t->pmu, level);
	return see_alone(t, &other, false).count;
}

/* The count in both rings is the sum of those in each: all three windows execute the same. */
static void check_sum(struct run *t, const struct mode *mode)
{
	const int both = mode->at[WHERE];
	struct pmu_config user = mode->cfg;

	user.kernel = false;
	if (user.user && mode->cfg.kernel && mode->plain && !pmu_is_deaf(t->pmu, t->counter, &user))
		CHECK_COUNT(t, alone_in(t, mode, both - 1) + alone_in(t, mode, both + 1),
			    alone_in(t, mode, both));
}

static void check_exact(struct run *t, const struct mode *mode, const struct mode_seen *seen,
			const struct mode_seen *twice)
{
	uint64_t more = mode->each.least * seen->iterations;

	check_sum(t, mode);
	if (!sees_handler(mode, seen))
		check_as_alone(t, mode, seen);
	/* How the events of a handler fall into clocks is not the same twice. */
	if (mode->plain || !sees_handler(mode, seen))
		CHECK_COUNT_MOST(t, seen->count + more, twice->count + slack(t, mode, twice));
	if (!sees_handler(mode, twice))
		CHECK_COUNT_MOST(t, twice->count, seen->count + more + slack(t, mode, twice));
}

static uint64_t count_around(struct run *t, const struct mode *mode)
{
	uint64_t payload = mode->passes ? iterations_for(t) * mode->event.each : 0;

	if (mode->cfg.event == EV_CYCLES || mode->each.most == MODE_NO_BOUND ||
	    (mode->each.exact && (mode->plain || mode->gated)))
		return 0;
	return see_alone(t, mode, true).count - payload;
}

static void check_row(struct run *t, const uint8_t *level)
{
	const uint64_t iterations = iterations_for(t);
	struct mode mode = mode_of(t->pmu, level);
	struct mode_seen seen, twice;

	mode.around = count_around(t, &mode);
	live_through(t, &mode, iterations);
	seen = see(t, &mode, iterations);
	check_interrupts(t, &mode, &seen);
	check_twin(t, &mode, &seen);
	check_none(t, &mode, &seen);
	check_returns(t, &mode, &seen);
	if (!mode.each.exact) {
		check_bounds(t, &mode, &seen);
		return;
	}
	twice = see(t, &mode, 2 * iterations);
	check_interrupts(t, &mode, &twice);
	check_exact(t, &mode, &seen, &twice);
}

/* ---- the test ---- */

/* Where counters are many, two share the rows. */
TEST(in_pairs, "a counter that counts rightly in one mode does so in every other, too",
     .clause = MODES, .needs = PMU_PRIVILEGE, .per_counter = true, .absent = mode_no_event)
{
	SKIP_IF(t, !mode_choose_events(t, iterations_for(t)),
		"the counter counts no event that is known well enough");
	modes_run(t, mode_array(t), t->pmu->counters > 8 ? 2 : 1, check_row);
}
