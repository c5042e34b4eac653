/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows on one box or on all boxes of a kind. */
#include "snbep.h"

#define WINDOW_US 50u

void wait_a_window(void)
{
	machine_delay_us(WINDOW_US);
}

void put_clocks(struct run *t, const struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;
	const struct snbep_config clock = snbep_clock(pmu);

	snbep_reset(pmu);
	for (unsigned c = 0; kind->clock && c < pmu->counters; c++)
		snbep_put(pmu, pmu_number(pmu->counter[c].ctl), snbep_encode(kind, &clock));
	if (!kind->clock)
		snbep_put(pmu, kind->fixed_ctl, FIXED_CTL_EN);
	t->programmed = BIT(t->pmu->counters) - 1;
}

/* ---- boxes ---- */

static const struct pmu *next_box(uint32_t kinds, unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = snbep_pmu((*i)++)))
		if (pmu->kinds & kinds && !pmu->silent)
			break;
	return pmu;
}

const struct pmu *find_box(uint32_t kinds)
{
	unsigned i = 0;

	return next_box(kinds, &i);
}

uint32_t trial_kinds(const struct run *t, const struct trial *trial)
{
	return trial->all ? trial->all : t->test->kinds / SNBEP_FIRST(1u);
}

const struct pmu *trial_box(const struct run *t, const struct trial *trial, unsigned *i)
{
	if (trial_kinds(t, trial))
		return next_box(trial_kinds(t, trial), i);
	return (*i)++ ? NULL : t->pmu;
}

/* ---- one window ---- */

static struct snbep_config queue_of(uint32_t kind)
{
	switch (kind) {
	case SNBEP_IMC:
		return (struct snbep_config){IMC_RPQ_OCCUPANCY};
	case SNBEP_QPI:
		return (struct snbep_config){QPI_TXL_FLITS_G0_ALL};
	case SNBEP_CBO:
		return (struct snbep_config){CBO_COUNTER0_OCCUPANCY};
	default:
		return (struct snbep_config){PCU_CORES_C0};
	}
}

static struct snbep_config resolve(const struct pmu *pmu, struct snbep_config cfg)
{
	struct snbep_config event = cfg;

	if (cfg.event == SNBEP_CLOCKS)
		event = snbep_clock(pmu);
	else if (cfg.event == SNBEP_QUEUE)
		event = queue_of(snbep_box(pmu)->kind->bit);
	cfg.event = event.event;
	cfg.unit_mask = event.unit_mask;
	return cfg;
}

/* As all boxes are programmed, before their filters are: no cache line is fetched twice. */
static void prepare(const struct pmu *pmu)
{
	snbep_reset(pmu);
	snbep_prefetchers(false);
}

/* Enabled at once where the box is frozen, else as the window opens. */
static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;
	uint32_t later = kind->box_ctl && !slot->waits ? 0 : (uint32_t)CTL_EN;

	snbep_put(pmu, pmu_number(pmu->counter[slot->ctr].ctl),
		  snbep_encode(kind, &slot->box) & ~later);
	return NULL;
}

static const struct window_ops boxes = {.prepare = prepare, .program = program};

static bool uses_queue(const struct trial *trial)
{
	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		if (trial->cfg[i].event == SNBEP_QUEUE)
			return true;
	return false;
}

/* The slot of the window that the trial calls its first counter. */
static unsigned first_of(const struct run *t, const struct trial *trial)
{
	return uses_queue(trial) && kind_of(t)->bit == SNBEP_CBO;
}

static unsigned counter_of(const struct run *t, const struct trial *trial, unsigned slot)
{
	return (t->counter + trial->first + slot) % t->pmu->counters;
}

static struct slot *add_slot(struct window *w, unsigned ctr, struct snbep_config cfg)
{
	w->c[w->n] = (struct slot){.ctr = ctr, .box = cfg};
	return &w->c[w->n++];
}

static struct window window_of(const struct run *t, const struct trial *trial)
{
	struct window w = {
		.ops = &boxes,
		.kinds = trial_kinds(t, trial),
		.nested = trial->nested,
		.work.act = trial->load ? trial->load : wait_a_window,
	};
	unsigned first = first_of(t, trial);

	if (first)
		add_slot(&w, counter_of(t, trial, 0), (struct snbep_config){CBO_TOR_OCCUPANCY_ALL});
	for (unsigned i = 0; w.n < t->pmu->counters && i < SNBEP_COUNTERS_MAX; i++) {
		if (!trial->cfg[i].event && !trial->cfg[i].unit_mask)
			break;
		add_slot(&w, counter_of(t, trial, w.n), resolve(t->pmu, trial->cfg[i]))->waits =
			trial->off >> i & 1;
	}
	w.c[first].from = trial->from;
	return w;
}

/* Filters are 0 otherwise, and the filters of a link may be out of reach. */
static void put_filters(const struct run *t, const struct trial *trial)
{
	const struct pmu *pmu;

	for (unsigned b = 0; (pmu = trial_box(t, trial, &b));)
		for (unsigned i = 0; i < SNBEP_FILTERS_MAX; i++)
			if (trial->filter[i])
				snbep_put(pmu, snbep_reg(pmu, snbep_box(pmu)->kind->filter[i].reg),
					  trial->filter[i]);
}

void trial_run(struct run *t, const struct trial *trial, uint64_t out[SNBEP_COUNTERS_MAX])
{
	struct window w = window_of(t, trial);
	unsigned first = first_of(t, trial);

	memory_use(trial->place);
	window_program(t, &w);
	put_filters(t, trial);
	if (trial->prepare)
		trial->prepare();
	window_open(t, &w);
	work_do(&w.work);
	window_close(t, &w);
	memory_use(0);
	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		out[i] = first + i < w.n ? w.c[first + i].out : 0;
}

uint64_t trial_count(struct run *t, const struct trial *trial)
{
	uint64_t out[SNBEP_COUNTERS_MAX];

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
	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		if (a[i] > b[i] + ALIKE_LINES || b[i] > a[i] + ALIKE_LINES)
			return false;
	return true;
}

void trial_sums(struct run *t, const struct trial *trial, uint64_t out[SNBEP_COUNTERS_MAX])
{
	uint64_t first[SNBEP_COUNTERS_MAX], second[SNBEP_COUNTERS_MAX];

	trial_run(t, trial, first);
	trial_run(t, trial, out);
	if (alike(first, out))
		return;
	memcpy(second, out, sizeof(second));
	trial_run(t, trial, out);
	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		out[i] = middle(first[i], second[i], out[i]);
}
