/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects: what goes wrong once in a million events, or at one bit of one counter. */
#include "core.h"

#define GROUP "rare", "interrupt"
#define EXACT                                                                                      \
	"AMD 22007 appendix D; BKDG/PPR of each family: PMCx0C0, 0C2, 0C4; SDM vol. 3B: "          \
	"events of each family"
#define WIDTH "AMD64 APM vol. 2, 13.2.1: PERF_CTR; SDM vol. 3B: counters of each family"
#define PERIODS                                                                                    \
	"AMD64 APM vol. 2, 13.2.3; SDM vol. 3B: programming the counters for overflow "            \
	"interrupts"

/* ---- what each counter counts ---- */

/* Events that the payloads here make occur, and how often: so many, less others. */
static const struct {
	const char *quantity, *less;
} known[EV_OWN] = {
	[EV_INSTRUCTIONS] = {"instructions", ""},
	[EV_BRANCHES] = {"branches", ""},
	[EV_TAKEN_BRANCHES] = {"taken", ""},
	[EV_NOT_TAKEN_BRANCHES] = {"branches", "taken"},
};

static bool is_exact(const struct pmu *pmu, unsigned event)
{
	return event < EV_OWN && known[event].quantity && pmu->events[event].name &&
	       pmu_is_exact(pmu, event);
}

bool slot_is_exact(const struct run *t, const struct slot *slot)
{
	return is_exact(t->pmu, slot->cfg.event);
}

/* EV_NONE: it counts none exactly. */
static unsigned exact_of(const struct pmu *pmu, unsigned ctr)
{
	FOR_EACH_EVENT (pmu, event)
		if (pmu_can_count(pmu, ctr, event) && is_exact(pmu, event))
			return event;
	return EV_NONE;
}

static unsigned first_of(const struct pmu *pmu, unsigned ctr)
{
	FOR_EACH_EVENT (pmu, event)
		if (pmu_can_count(pmu, ctr, event) && !pmu->events[event].edition)
			return event;
	return EV_NONE;
}

static bool is_alone(const struct window *w, unsigned slot)
{
	for (unsigned i = 0; i < w->n; i++)
		if (i != slot && w->c[i].cfg.event == w->c[slot].cfg.event)
			return false;
	return true;
}

/* The last one that can and has a peer of its own takes the other's event. */
static void find_peer(const struct run *t, struct window *w, unsigned slot)
{
	for (unsigned i = w->n; i-- > 0;) {
		unsigned event = w->c[slot].cfg.event;

		if (i == slot || !pmu_can_count(t->pmu, w->c[i].ctr, event) || is_alone(w, i))
			continue;
		w->c[i].cfg.event = event;
		return;
	}
}

struct window window_of_mixed(const struct run *t, struct pmu_config levels)
{
	struct window w = {0};

	for (unsigned ctr = 0; ctr < t->pmu->counters; ctr++) {
		struct slot slot = {.ctr = ctr, .cfg = levels};

		slot.cfg.event = exact_of(t->pmu, ctr);
		if (slot.cfg.event == EV_NONE)
			slot.cfg.event = first_of(t->pmu, ctr);
		if (slot.cfg.event != EV_NONE)
			w.c[w.n++] = slot;
	}
	for (unsigned i = 0; i < w.n; i++)
		if (!slot_is_exact(t, &w.c[i]) && is_alone(&w, i))
			find_peer(t, &w, i);
	return w;
}

/* ---- what it has counted ---- */

/* The published erratum by which the event is miscounted while nothing tells when; NULL: there is
 * none. */
static const struct pmu_overcount *untold(const struct pmu *pmu, unsigned event)
{
	const struct pmu_overcount *published = pmu_overcount(pmu, BIT(event));

	return published && !published->witness ? published : NULL;
}

/* Errata of which nothing tells whether they have come: a window of many events may have met them,
 * however often it is run, and what is a little too high or too low for it may be that.  "Rare",
 * they all say: one in a thousand is an assumption, and one may come in any window. */
static const char *miscount(const struct run *t, unsigned event, uint64_t off, uint64_t of)
{
	const struct pmu_overcount *published = untold(t->pmu, event);

	return published && off <= published->at_once + of / 1000 ? published->erratum : NULL;
}

/* One for each interrupt of the host, of which there may be ten thousand in a second: many fewer
 * than one in ten thousand events. */
static const char *host_entries(const struct run *t, uint64_t off, uint64_t of)
{
	return off <= 1 + of / 10000 ? t->entries : NULL;
}

static bool may_be_miscount(struct run *t, unsigned event, uint64_t got, uint64_t want, uint64_t of)
{
	uint64_t off = got - want < want - got ? got - want : want - got; /* modulo 2^64 */
	const char *why = miscount(t, event, off, of);

	if (!why)
		why = host_entries(t, off, of);
	if (why)
		t->known = why;
	return why != NULL;
}

void check_count(struct run *t, unsigned event, uint64_t got, uint64_t want, uint64_t of)
{
	if (got == want || may_be_miscount(t, event, got, want, of))
		return;
	if (of)
		CHECK_DIFFERENCE(t, got, want);
	else
		CHECK_COUNT(t, got, want);
}

static void check_alike(struct run *t, const struct window *w, const struct slot *a,
			const struct slot *b)
{
	uint64_t got = slot_counted(t, a), want = slot_counted(t, b);
	unsigned interrupts = w->lvt ? (unsigned)t->log.count : 0;
	uint64_t hidden = counts_hidden(t, &a->cfg, GATE_CHANGES * (1 + interrupts));

	if (hidden)
		CHECK_NEAR(t, got, want, hidden);
	else
		check_count(t, a->cfg.event, got, want, got);
}

void check_peers(struct run *t, const struct window *w)
{
	for (unsigned i = 1; i < w->n; i++)
		for (unsigned before = i; before-- > 0;)
			if (w->c[before].cfg.event == w->c[i].cfg.event) {
				check_alike(t, w, &w->c[i], &w->c[before]);
				break;
			}
}

bool slot_carries(const struct run *t, struct slot *slot, unsigned bit, uint64_t after)
{
	uint64_t from = (BIT(bit) - after) & pmu_mask(t->pmu, slot->ctr);
	bool can = pmu_can_write(t->pmu, slot->ctr, from);

	slot->from = can ? from : 0;
	return can;
}

static void check_exact(struct run *t, const struct slot *slot, uint64_t once, struct work work)
{
	unsigned event = slot->cfg.event;
	uint64_t each = payload_does(work.payload, known[event].quantity) -
			payload_does(work.payload, known[event].less);
	uint64_t want = once + (work.iterations - 1) * each, got = slot_counted(t, slot);

	check_count(t, event, got, want, got ? want : 0);
}

/* Events that came now and then in so many instructions come in a few of them, too. */
static void check_counts_still(struct run *t, const struct window *w)
{
	struct window more = *w;

	more.work = work_for(w->work.payload, 10000);
	window_go_on(t, &more);
	for (unsigned i = 0; i < w->n; i++)
		if (slot_counted(t, &w->c[i]) > rare_events() / 1000)
			OF_COUNTER(t, w->c[i].ctr, CHECK_IS(t, more.c[i].out, !=, w->c[i].out));
}

/* Each from a value below another bit, into which it carries in the middle. */
static void check_long(struct run *t, struct window *w)
{
	struct window once = *w;

	once.work = in_ring3(&payload_mix, 1);
	window_run(t, &once);
	w->work = work_for(&payload_mix, rare_events());
	for (unsigned i = 0; i < w->n; i++) {
		unsigned width = t->pmu->counter[w->c[i].ctr].width;

		/* Above all that the window can reach by itself. */
		slot_carries(t, &w->c[i], 28 + 3 * i % (width - 28), rare_events() / 2);
	}
	window_run(t, w);
	for (unsigned i = 0; i < w->n; i++)
		if (slot_is_exact(t, &w->c[i]))
			check_exact(t, &w->c[i], slot_counted(t, &once.c[i]), w->work);
	check_peers(t, w);
	check_counts_still(t, w);
}

/* Can the counter count it exactly, and is no rare miscount of it published? */
static bool is_reliable(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	return pmu_can_count(pmu, ctr, event) && is_exact(pmu, event) && !untold(pmu, event);
}

/* A count that may end as known proves little: the counter takes another event if it can. */
static void avoid_miscounts(const struct run *t, struct window *w)
{
	for (unsigned i = 0; i < w->n; i++) {
		if (!slot_is_exact(t, &w->c[i]) || !untold(t->pmu, w->c[i].cfg.event))
			continue;
		FOR_EACH_EVENT (t->pmu, event)
			if (is_reliable(t->pmu, w->c[i].ctr, event)) {
				w->c[i].cfg.event = event;
				break;
			}
	}
}

/* By an erratum a change of ring hides clocks from counters of one ring, as many as the rarest
 * defect may lose: these are in both, and one write starts and stops them all. */
static void leave_nothing_hidden(const struct run *t, struct window *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (counts_hidden(t, &w->c[i].cfg, GATE_CHANGES))
			w->c[i].cfg.kernel = true;
}

/* The counter that watches for a published overcount in the window of all others: of clocks none is
 * published. */
static void check_watching(struct run *t, unsigned ctr)
{
	struct window w = {
		.n = 2,
		.c = {{.ctr = ctr, .cfg = gated(EV_CYCLES)}, {.ctr = 0, .cfg = gated(EV_CYCLES)}}};

	check_long(t, &w);
	window_watch(t);
}

RARE_TEST(exact, "in a window of millions of events no counter misses or invents one", 0,
	  .clause = EXACT)
{
	struct window w = window_of_mixed(t, gated(EV_NONE));

	/* The last one watches for a published overcount: tests/lib/watch.c. */
	w.n -= window_watching(t) >= 0;
	avoid_miscounts(t, &w);
	leave_nothing_hidden(t, &w);
	check_long(t, &w);
	if (window_watching(t) >= 0)
		check_watching(t, (unsigned)window_watching(t));
}

/* ---- carries ---- */

#define LOWEST_BIT 8u /* into those below it every window carries */

/* One window; returns how many counters carry into the bit that is their turn. */
static unsigned check_carries(struct run *t, struct window *w, const uint64_t *all, unsigned turn)
{
	unsigned carry = 0;

	for (unsigned i = 0; i < w->n; i++) {
		unsigned bits = t->pmu->counter[w->c[i].ctr].width - LOWEST_BIT;

		/* In the middle: some errata are of a carry at the end. */
		carry += slot_carries(t, &w->c[i], LOWEST_BIT + (turn + 5 * i) % bits, all[i] / 2);
	}
	window_run(t, w);
	for (unsigned i = 0; i < w->n; i++)
		if (slot_is_exact(t, &w->c[i]))
			OF_COUNTER(t, w->c[i].ctr,
				   CHECK_COUNT(t, slot_counted(t, &w->c[i]), all[i]));
	check_peers(t, w);
	return carry;
}

static void check_all_carries(struct run *t, const struct payload *payload)
{
	struct window w = window_of_mixed(t, gated(EV_NONE));
	uint64_t all[PMU_COUNTERS_MAX];
	unsigned turns = 0, carry = 0;

	/* The last one watches for a published overcount: tests/lib/watch.c. */
	w.n -= window_watching(t) >= 0;
	w.work = work_for(payload, 110);
	window_run(t, &w);
	for (unsigned i = 0; i < w.n; i++) {
		all[i] = w.c[i].out;
		if (t->pmu->counter[w.c[i].ctr].width - LOWEST_BIT > turns)
			turns = t->pmu->counter[w.c[i].ctr].width - LOWEST_BIT;
	}
	for (unsigned turn = 0; turn < turns; turn++)
		carry += check_carries(t, &w, all, turn);
	CHECK_IS(t, carry, >, 0);
}

RARE_TEST(carries, "a carry into any bit while a counter counts loses no event", 0, .clause = WIDTH)
{
	check_all_carries(t, &payload_mix);
	check_all_carries(t, &payload_sub);
}

/* ---- interrupts ---- */

#define PERIOD UINT64_C(1000)

/* Interrupts to take, of all counters one after the other; a thousand at the default length. */
static unsigned interrupts(void)
{
	return (unsigned)(rare_events() / 3 / PERIOD);
}

/* All are answered by now, in or behind the window: what the counter holds, and what each answer
 * has taken from it, is what it has counted. */
static void check_answers(struct run *t, struct window *w)
{
	struct slot *slot = &w->c[0];
	uint64_t answers = t->log.per_counter[slot->ctr], counted, unseen = unseen_by_interrupt(t);

	slot->out = pmu_read(t->pmu, slot->ctr) + answers * PERIOD;
	counted = slot_counted(t, slot);
	CHECK_IS(t, answers * PERIOD, <=, counted);
	CHECK_IS(t, (answers + 1) * PERIOD, >, counted - (counted < unseen ? counted : unseen));
	CHECK_EQ(t, t->log.count, answers);
	check_peers(t, w);
}

/* A counter that is deaf to ring 3 alone counts the handler, and not while that moves it back. */
static bool sees_handler(const struct run *t, const struct slot *slot)
{
	return pmu_is_deaf(t->pmu, slot->ctr, &slot->cfg);
}

/* One counter interrupts, and one that counts the same does not, if there is one: among several,
 * the interrupt of one would have the handler find what another's has failed to tell. */
static void check_overflows_of(struct run *t, const struct window *all, unsigned slot)
{
	struct window w = {
		.n = 1,
		.c = {all->c[slot]},
		.work = work_for(&payload_mix, interrupts() * PERIOD / all->n),
		.lvt = VECTOR_PMI,
		.due = 10 * interrupts(), /* clocks may be more than instructions */
	};

	for (unsigned i = 0; i < all->n && w.n == 1; i++)
		if (i != slot && !sees_handler(t, &all->c[i]) &&
		    all->c[i].cfg.event == w.c[0].cfg.event)
			w.c[w.n++] = all->c[i];
	w.c[0].cfg.interrupt = true;
	w.c[0].rearm_by = PERIOD;
	w.c[0].from = t->pmu->interrupt_after - PERIOD;
	window_run(t, &w);
	if (t->log.latest >= PERIOD / 2)
		test_cannot_judge(t, "interrupts come so late that the next one is due");
	else
		check_answers(t, &w);
}

RARE_TEST(overflows, "of a thousand overflows each is answered, and no event lost", PMU_INTERRUPT,
	  .clause = PERIODS)
{
	const struct window all = window_of_mixed(t, gated(EV_NONE));

	for (unsigned i = 0; i < all.n; i++)
		if (!sees_handler(t, &all.c[i]))
			check_overflows_of(t, &all, i);
}
