/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured windows: program, open, run the payload, close, read. */
#include "watch.h"

/* So often is a window run in which something may have counted too much. */
#define TRIES 4u

struct work work_for(const struct payload *payload, uint64_t instructions)
{
	uint64_t each = (uint64_t)payload->per_iteration.instructions;

	return in_ring3(payload, instructions / each + 1);
}

/* payloads/pages.asm loads from so many. */
static void forget_pages(void)
{
	enum { PAGES = 12, PAGE = 4096 };
	const char *buffer = user_buffer();

	for (unsigned i = 0; i < PAGES; i++)
		invlpg(buffer + i * PAGE);
}

void work_do(const struct work *work)
{
	static const uint8_t levels[] = {[RING_1] = 1, [RING_2] = 2, [RING_3] = 3};
	const struct payload *payload = work->payload;

	if (work->walks)
		forget_pages();
	if (work->act)
		work->act();
	else if (work->on_sibling)
		sibling_call(&(struct sibling_job){.entry = payload->entry,
						   .di = work->iterations,
						   .si = user_buffer(),
						   .ring_3 = work->ring == RING_3});
	else if (work->ring == RING_0)
		kernel_call(payload->entry, work->iterations, user_buffer());
	else
		ring_call(levels[work->ring], payload->entry, work->iterations, user_buffer(), 0);
}

/* ---- the PMUs of a window ---- */

static const struct pmu *next_box(const struct run *t, const struct window *w, unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = t->pmu->box->each((*i)++)))
		if (pmu->kinds & w->kinds && !pmu->silent)
			break;
	return pmu;
}

/* From *i = 0 on; NULL after the last.  Inlined: counters count it. */
__attribute__((always_inline)) static inline const struct pmu *
next_pmu(const struct run *t, const struct window *w, unsigned *i)
{
	if (w->kinds)
		return next_box(t, w, i);
	return (*i)++ ? NULL : t->pmu;
}

static uint64_t enabled(const struct window *w)
{
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < w->n; i++)
		ctrs |= (uint64_t)!w->c[i].waits << w->c[i].ctr;
	return ctrs;
}

/* Is some counter of the window deaf to what it is to count?  PMUs with such counters have global
 * enables. */
static bool is_widened(const struct pmu *pmu, const struct window *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (pmu_is_deaf(pmu, w->c[i].ctr, &w->c[i].cfg))
			return true;
	return false;
}

static const char *program_config(const struct pmu *pmu, const struct window *w,
				  const struct slot *slot)
{
	struct pmu_config cfg = slot->cfg;

	if (cfg.user && is_widened(pmu, w))
		cfg.kernel = true;
	return pmu_program(pmu, slot->ctr, &cfg);
}

static void program_slot(struct run *t, const struct pmu *pmu, const struct window *w,
			 const struct slot *slot)
{
	const struct pmu_reg ctl = pmu->counter[slot->ctr].ctl;
	const char *impossible;

	if (w->ops && w->ops->program)
		impossible = w->ops->program(pmu, slot);
	else
		impossible = program_config(pmu, w, slot);
	if (impossible)
		test_refused(t, impossible);
	if (slot->extra)
		pmu_put(pmu, ctl, pmu_get(ctl) | slot->extra);
	pmu_write(pmu, slot->ctr, slot->from & pmu_mask(pmu, slot->ctr));
}

static void program_pmu(struct run *t, const struct pmu *pmu, const struct window *w)
{
	if (w->ops && w->ops->prepare)
		w->ops->prepare(pmu);
	for (unsigned i = 0; i < w->n; i++)
		program_slot(t, pmu, w, &w->c[i]);
}

static void open_pmu(const struct pmu *pmu, const struct window *w)
{
	if (w->ops && w->ops->open)
		w->ops->open(pmu, w);
	else if (!w->nested)
		pmu_start(pmu, enabled(w));
	for (unsigned i = 0; w->nested && i < w->n; i++)
		if (!w->c[i].waits)
			pmu_start(pmu, BIT(w->c[i].ctr));
}

static void close_pmu(const struct pmu *pmu, const struct window *w)
{
	if (w->ops && w->ops->close)
		w->ops->close(pmu, w);
	else if (!w->nested)
		pmu_stop(pmu, enabled(w));
	for (unsigned i = w->n; w->nested && i-- > 0;)
		if (!w->c[i].waits)
			pmu_stop(pmu, BIT(w->c[i].ctr));
}

/* ---- a window ---- */

void window_program(struct run *t, const struct window *w)
{
	bool raw = w->ops && w->ops->program; /* the test may say what it counts */
	const struct pmu *pmu;
	const char *hindrance;

	if (w->work.payload)
		SKIP_IF(t, payload_missing(w->work.payload), payload_missing(w->work.payload));
	watch_look(t->pmu, t->witness); /* it may be programmed otherwise now */
	t->programmed = t->events = 0;
	for (unsigned i = 0; i < w->n; i++) {
		t->programmed |= BIT(w->c[i].ctr);
		t->events |= BIT(raw ? t->test->counts : w->c[i].cfg.event);
	}
	t->last = window_traits(t->pmu, w);
	t->last.modes |= interrupt_traits(&t->log);
	traits_add(&t->used, &t->last);
	hindrance = t->test->even_ill ? NULL : vitals_hinder(t->pmu, t->programmed, t->events);
	SKIP_IF(t, hindrance, hindrance);
	for (unsigned i = 0; (pmu = next_pmu(t, w, &i));)
		program_pmu(t, pmu, w);
}

void window_open(struct run *t, const struct window *w)
{
	const struct pmu *pmu;

	watch_look(t->pmu, t->witness);
	for (unsigned i = 0; (pmu = next_pmu(t, w, &i));)
		open_pmu(pmu, w);
}

void window_close(struct run *t, struct window *w)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_pmu(t, w, &i));)
		close_pmu(pmu, w);
	watch_window(t->pmu, t->witness);
	for (unsigned s = 0; s < w->n; s++) {
		w->c[s].out = 0;
		for (unsigned i = 0; (pmu = next_pmu(t, w, &i));)
			w->c[s].out += pmu_read(pmu, w->c[s].ctr);
	}
}

/* Where the top bit is all that tells of an overflow, a counter that begins without it would have
 * overflowed from the start. */
static bool may_overflow(const struct pmu *pmu, const struct slot *slot)
{
	return slot->from &
	       (pmu->counting->overflowed ? UINT64_MAX : BIT(pmu->counter[slot->ctr].width - 1));
}

static void arm(struct run *t, const struct window *w)
{
	uint64_t armed = 0;

	for (unsigned i = 0; i < w->n; i++)
		if (w->c[i].cfg.interrupt && may_overflow(t->pmu, &w->c[i]))
			armed |= BIT(w->c[i].ctr);
	pmi_arm(t, w->lvt, armed);
	t->log.due = w->due;
	for (unsigned i = 0; i < w->n; i++) {
		t->log.rearm_from[w->c[i].ctr] = w->c[i].rearm_from;
		t->log.rearm_by[w->c[i].ctr] = w->c[i].rearm_by;
	}
}

static void write_meanwhile(const struct pmu *pmu, const struct window *w)
{
	for (unsigned i = 0; w->renamed && i < w->n; i++) {
		const struct pmu_counter *c = &pmu->counter[w->c[i].ctr];

		if (c->ctl_alias.space != REG_NONE)
			pmu_put(pmu, c->ctl_alias, pmu_get(c->ctl));
	}
	if (w->beside)
		pmu_put(pmu, w->beside->ctl, pmu_get(w->beside->ctl));
}

/* Not inlined: all windows must execute the same instructions. */
__attribute__((noinline)) void window_go_on(struct run *t, struct window *w)
{
	window_open(t, w);
	if (w->twice)
		window_open(t, w);
	if (w->renamed || w->beside)
		write_meanwhile(t->pmu, w);
	work_do(&w->work);
	window_close(t, w);
}

void window_again(struct run *t, struct window *w)
{
	for (unsigned i = 0; i < w->n; i++)
		pmu_write(t->pmu, w->c[i].ctr, w->c[i].from & pmu_mask(t->pmu, w->c[i].ctr));
	window_go_on(t, w);
}

/* Is an interrupt still due of the counter, which is to interrupt?  Where that waits for the next
 * event, none is for what nothing has followed. */
static bool is_due(const struct run *t, unsigned ctr)
{
	uint64_t unseen = unseen_by_interrupt(t);

	return !unseen || pmu_read(t->pmu, ctr) > unseen;
}

static void disarm(struct run *t)
{
	uint64_t left = pmi_disarm(t);

	for (; left && !t->lost; left &= left - 1)
		t->lost = is_due(t, lowest_bit(left));
}

static void run_once(struct run *t, struct window *w)
{
	if (w->lvt)
		arm(t, w);
	window_program(t, w);
	if (w->twice)
		window_program(t, w);
	if (w->held)
		irq_disable();
	window_go_on(t, w);
	if (w->held)
		irq_enable();
	if (w->lvt)
		disarm(t);
}

struct window_tries window_tries(const struct run *t)
{
	return (struct window_tries){.kept = t->witness->kept};
}

bool window_spoilt(const struct run *t, struct window_tries *tries)
{
	bool again = t->witness->kept != tries->kept && ++tries->taken < TRIES;

	/* A window that is taken again counts for nothing. */
	if (again)
		t->witness->kept = tries->kept;
	return again;
}

int window_watching(const struct run *t)
{
	return t->witness->event ? (int)t->witness->ctr : -1;
}

void window_watch(const struct run *t)
{
	watch_again(t->pmu, t->witness);
}

void window_run(struct run *t, struct window *w)
{
	struct window_tries tries = window_tries(t);

	do
		run_once(t, w);
	while (window_spoilt(t, &tries));
}

void window_difference(struct run *t, struct window *w)
{
	struct window twice = *w;

	twice.work.iterations *= 2;
	window_run(t, w);
	window_run(t, &twice);
	for (unsigned i = 0; i < w->n; i++)
		w->c[i].out = (twice.c[i].out - w->c[i].out) & pmu_mask(t->pmu, w->c[i].ctr);
}

uint64_t window_look(struct run *t, struct window *w)
{
	uint32_t index = t->pmu->counter[w->c[0].ctr].rdpmc;
	uint64_t seen;

	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	window_program(t, w);
	window_open(t, w);
	seen = user_call(user_rdpmc, index, NULL, 0);
	window_close(t, w);
	return seen;
}

uint64_t slot_counted(const struct run *t, const struct slot *slot)
{
	return (slot->out - slot->from) & pmu_mask(t->pmu, slot->ctr);
}

/* ---- one counter ---- */

uint64_t count(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work)
{
	struct window w = {.n = 1, .c = {{.ctr = ctr, .cfg = cfg}}, .work = work};

	window_run(t, &w);
	return w.c[0].out;
}

uint64_t count_difference(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work)
{
	struct window w = {.n = 1, .c = {{.ctr = ctr, .cfg = cfg}}, .work = work};

	window_difference(t, &w);
	return w.c[0].out;
}
