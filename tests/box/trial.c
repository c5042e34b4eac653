/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows on one box or on all boxes of a kind. */
#include "box.h"

#define WINDOW_US 50u

void wait_a_window(void)
{
	machine_delay_us(WINDOW_US);
}

void put_clocks(struct run *t, const struct pmu *pmu)
{
	const struct box_kind *kind = box_of(pmu)->kind;
	const struct box_config clocks = {CLOCKS};
	bool has_clock = box_event(kind, BOX_CLOCKS);

	box_reset(pmu);
	for (unsigned c = 0; has_clock && c < pmu->counters; c++)
		box_select(pmu, c, &clocks);
	if (!has_clock)
		pmu_put(pmu, box_fixed_ctl(pmu), kind->fixed.enable);
	t->programmed = BIT(t->pmu->counters) - 1;
}

/* ---- boxes ---- */

const char *why_no_inversion(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return box_of(pmu)->kind->select->invert ? NULL
						 : "boxes of this kind cannot invert a threshold";
}

const char *why_no_fixed(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return box_has_fixed(pmu) ? NULL : "this box has no fixed counter";
}

const char *why_no_locks(const struct pmu *pmu, unsigned ctr)
{
	const struct box_kind *kind = box_of(pmu)->kind;

	(void)ctr;
	return kind->role == BOX_SYSTEM && !box_event(kind, SYSTEM_LOCKS)
		       ? "no event of such a box is known that a program causes"
		       : NULL;
}

static const struct pmu *next_box(uint64_t kinds, unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = box_pmu((*i)++)))
		if (pmu->kinds & kinds && !pmu->silent)
			break;
	return pmu;
}

const struct pmu *find_box(uint64_t kinds)
{
	unsigned i = 0;

	return next_box(kinds, &i);
}

uint64_t trial_kinds(const struct run *t, const struct trial *trial)
{
	return trial->all ? trial->all : t->test->kinds / BOX_FIRST(UINT64_C(1));
}

const struct pmu *trial_box(const struct run *t, const struct trial *trial, unsigned *i)
{
	if (trial_kinds(t, trial))
		return next_box(trial_kinds(t, trial), i);
	return (*i)++ ? NULL : t->pmu;
}

/* ---- one window ---- */

/* As all boxes are programmed, before their filters are: no cache line is fetched twice. */
static void prepare(const struct pmu *pmu)
{
	box_reset(pmu);
	box_prefetchers(pmu, false);
}

/* Enabled at once where the box is frozen, else as the window opens; without an enable bit a
 * control that is to wait says nothing. */
static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	const struct box_kind *kind = box_of(pmu)->kind;
	bool at_once = box_has_gate(kind) && !slot->waits;
	struct box_config cfg;
	uint64_t ctl;

	memcpy(&cfg, slot->own, sizeof(cfg));
	ctl = box_encode(kind, &cfg);
	if (!at_once)
		ctl = kind->select->enable ? ctl & ~(uint64_t)kind->select->enable : 0;
	pmu_put(pmu, pmu->counter[slot->ctr].ctl, ctl);
	return NULL;
}

static struct traits traits(const struct pmu *pmu, const struct slot *slot)
{
	const struct box_kind *kind = box_of(pmu)->kind;
	const struct box_event *event;
	struct box_config cfg;

	memcpy(&cfg, slot->own, sizeof(cfg));
	event = cfg.row ? &kind->events[cfg.row - 1] : box_event(kind, cfg.event);
	return (struct traits){
		.events = event ? cause_event(event->name) : 0,
		.modes = trait_if(cfg.edge, TRAIT_EDGE) | trait_if(cfg.at_least, TRAIT_THRESHOLD) |
			 trait_if(cfg.below, TRAIT_INVERSION) | trait_if(cfg.bit, TRAIT_UNIT_MASK),
	};
}

static const struct window_ops boxes = {.prepare = prepare, .program = program, .traits = traits};

static bool uses_queue(const struct trial *trial)
{
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		if (trial->cfg[i].event == BOX_QUEUE)
			return true;
	return false;
}

/* The slot of the window that the trial calls its first counter. */
static unsigned first_of(const struct run *t, const struct trial *trial)
{
	return uses_queue(trial) && kind_of(t)->queue == SLICE_HELD_BY_0;
}

/* The first counter that has the event of the queue, if the trial is about it. */
static unsigned from_of(const struct run *t, const struct trial *trial)
{
	const struct box_event *queue = box_event(kind_of(t), kind_of(t)->queue);

	return uses_queue(trial) && !first_of(t, trial) && queue ? queue->first : 0;
}

static unsigned counter_of(const struct run *t, const struct trial *trial, unsigned slot)
{
	return (t->counter + trial->first + from_of(t, trial) + slot) % t->pmu->counters;
}

static struct slot *add_slot(struct window *w, unsigned ctr, struct box_config cfg)
{
	w->c[w->n] = (struct slot){.ctr = ctr};
	memcpy(w->c[w->n].own, &cfg, sizeof(cfg));
	return &w->c[w->n++];
}

static struct box_config resolve(const struct pmu *pmu, struct box_config cfg)
{
	if (cfg.event == BOX_QUEUE)
		cfg.event = box_of(pmu)->kind->queue;
	return cfg;
}

/* No configuration: the ones before it are all. */
static bool is_end(const struct box_config *cfg)
{
	return !cfg->event && !cfg->row;
}

unsigned trial_counters(const struct trial *trial)
{
	unsigned n = 0;

	while (n < TRIAL_COUNTERS && !is_end(&trial->cfg[n]))
		n++;
	return n;
}

static void add_slots(const struct run *t, const struct trial *trial, struct window *w)
{
	for (unsigned i = 0; w->n < t->pmu->counters && i < trial_counters(trial); i++)
		add_slot(w, counter_of(t, trial, w->n), resolve(t->pmu, trial->cfg[i]))->waits =
			trial->off >> i & 1;
}

static struct window window_of(const struct run *t, const struct trial *trial, unsigned times)
{
	struct window w = {
		.ops = &boxes,
		.kinds = trial_kinds(t, trial),
		.nested = trial->nested,
		.work.act = trial->load ? trial->load : wait_a_window,
	};
	unsigned first = first_of(t, trial);

	if (first)
		add_slot(&w, counter_of(t, trial, 0), (struct box_config){.event = SLICE_HELD});
	while (times--)
		add_slots(t, trial, &w);
	w.c[first].from = trial->from;
	return w;
}

static uint64_t field_in(unsigned filter, struct box_field field, uint64_t value)
{
	return field.mask && field.filter == filter
		       ? field_put(field.mask, value & field_max(field.mask))
		       : 0;
}

/* What lets all opcodes pass gives way to one. */
static uint64_t opcode_in(const struct box_filters *filters, unsigned i,
			  const struct trial_filters *pass)
{
	const unsigned code = pass->request == RFO ? filters->rfo : filters->drd;
	const uint64_t rests = filters->rests[i];

	if (pass->request == ANY_REQUEST || filters->opcode.filter != i)
		return rests;
	return (rests & ~(uint64_t)filters->any_opcode) |
	       field_in(i, filters->opcode, code ^ pass->flipped);
}

static uint64_t filter_of(const struct box_filters *filters, const struct trial_filters *pass,
			  unsigned i)
{
	return opcode_in(filters, i, pass) | pass->reg[i] |
	       field_in(i, filters->thread, pass->thread) |
	       field_in(i, filters->nodes, pass->nodes) |
	       field_in(i, filters->states, pass->states);
}

/* Filters rest otherwise, and the filters of a link may be out of reach. */
static void put_filters(const struct run *t, const struct trial *trial)
{
	const struct pmu *pmu;

	if (!trial->filters)
		return;
	for (unsigned b = 0; (pmu = trial_box(t, trial, &b));)
		for (unsigned i = 0; i < BOX_FILTERS_MAX; i++) {
			const struct box_filters *filters = box_filters(box_of(pmu)->kind);
			uint64_t value = filter_of(filters, trial->filters, i);

			if (value != filters->rests[i])
				pmu_put(pmu, box_filter(box_of(pmu), i), value);
		}
}

const char *trial_lacks(const struct run *t, const struct trial *trial)
{
	unsigned first = 0;
	const struct pmu *pmu = trial_box(t, trial, &first);

	for (unsigned i = 0; pmu && i < TRIAL_COUNTERS && !is_end(&trial->cfg[i]); i++) {
		const struct box_config cfg = resolve(t->pmu, trial->cfg[i]);
		const char *why = box_lacks(box_of(pmu)->kind, &cfg);

		if (why)
			return why;
	}
	return NULL;
}

/* From this slot of the window on. */
static void take_counts(const struct run *t, const struct trial *trial, const struct window *w,
			unsigned first, uint64_t out[TRIAL_COUNTERS])
{
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		out[i] = i < trial_counters(trial) && first + i < w->n
				 ? slot_counted(t, &w->c[first + i])
				 : 0;
}

void trial_run_beside(struct run *t, const struct trial *trial, unsigned times,
		      uint64_t out[][TRIAL_COUNTERS])
{
	struct window w = window_of(t, trial, times);
	unsigned first = first_of(t, trial);

	SKIP_IF(t, trial_lacks(t, trial), trial_lacks(t, trial));
	memory_use(trial->place);
	window_program(t, &w);
	put_filters(t, trial);
	if (trial->prepare)
		trial->prepare();
	window_open(t, &w);
	work_do(&w.work);
	window_close(t, &w);
	memory_use(0);
	for (unsigned i = 0; i < times; i++)
		take_counts(t, trial, &w, first + i * trial_counters(trial), out[i]);
}

void trial_run(struct run *t, const struct trial *trial, uint64_t out[TRIAL_COUNTERS])
{
	trial_run_beside(t, trial, 1, (uint64_t(*)[TRIAL_COUNTERS])out);
}

/* Between two windows the silicon model must look at each access to memory else. */
void trial_end(const struct run *t, const struct trial *trial)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = trial_box(t, trial, &i));)
		if (!box_has_gate(box_of(pmu)->kind) || !box_of(pmu)->kind->select->enable)
			box_reset(pmu);
}

void trial_all(struct run *t, struct all_counters *all, box_load *load)
{
	struct window w = {.ops = &boxes, .nested = true, .work.act = load};

	for (unsigned c = 0; c < t->pmu->counters; c++)
		add_slot(&w, c, all->cfg[c])->from = all->from;
	if (all->programmed)
		window_again(t, &w);
	else
		window_run(t, &w);
	all->programmed = true;
	for (unsigned c = 0; c < t->pmu->counters; c++)
		all->out[c] = slot_counted(t, &w.c[c]);
}

uint64_t trial_count(struct run *t, const struct trial *trial)
{
	uint64_t out[TRIAL_COUNTERS];

	trial_run(t, trial, out);
	return out[0];
}

uint64_t trial_read(const struct run *t, const struct trial *trial, const struct pmu *box,
		    unsigned i)
{
	return pmu_read(box, counter_of(t, trial, first_of(t, trial) + i));
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

#define ALIKE_LINES 8u /* by which two undisturbed windows may differ */

static bool alike(const uint64_t *a, const uint64_t *b)
{
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		if (a[i] > b[i] + ALIKE_LINES || b[i] > a[i] + ALIKE_LINES)
			return false;
	return true;
}

void trial_sums(struct run *t, const struct trial *trial, uint64_t out[TRIAL_COUNTERS])
{
	uint64_t first[TRIAL_COUNTERS], second[TRIAL_COUNTERS];

	trial_run(t, trial, first);
	trial_run(t, trial, out);
	if (alike(first, out))
		return;
	memcpy(second, out, sizeof(second));
	trial_run(t, trial, out);
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		out[i] = middle(first[i], second[i], out[i]);
}
