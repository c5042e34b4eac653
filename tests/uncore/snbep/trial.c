/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows on one box or on all boxes of a kind, and the laws about their counts. */
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

/* Kind of the boxes of which counts are added up; 0: there is one box. */
static uint32_t all_of(const struct run *t, const struct trial *trial)
{
	return trial->all ? trial->all : t->test->kinds / SNBEP_FIRST(1u);
}

const struct pmu *trial_box(const struct run *t, const struct trial *trial, unsigned *i)
{
	if (all_of(t, trial))
		return next_box(all_of(t, trial), i);
	return (*i)++ ? NULL : t->pmu;
}

static bool some_hidden(uint32_t kind)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->silent && pmu->kinds & kind)
			return true;
	return false;
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
		.kinds = all_of(t, trial),
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

/* ---- laws ---- */

/* What a law is judged with. */
struct facts {
	const char *what;
	uint32_t kind; /* of boxes that are added up, or 0 */
	int64_t factor; /* of every n */
	const uint64_t *out;
};

static int64_t weigh(const struct law *law, const uint64_t *out)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		sum += law->by[i] * (int64_t)out[i];
	return sum;
}

static int64_t least(const struct law *law, const struct facts *f)
{
	return law->below == NO_LIMIT ? INT64_MIN : law->n * f->factor - law->below;
}

static bool holds(const struct law *law, const struct facts *f)
{
	int64_t sum = weigh(law, f->out);

	return sum >= least(law, f) &&
	       (law->above == NO_LIMIT || sum <= law->n * f->factor + law->above);
}

static const char *cannot_judge(const struct law *law, const struct facts *f)
{
	if (!(f->kind & (SNBEP_IMC | SNBEP_HA | SNBEP_QPI)) || !some_hidden(f->kind) ||
	    weigh(law, f->out) >= least(law, f))
		return NULL;
	return f->kind == SNBEP_QPI ? "a port is hidden that may have carried lines"
				    : "lines are missing that a hidden box may have counted";
}

/* Several counts of one sign are parts of the only one that has the other sign; SNBEP_COUNTERS_MAX:
 * this is no law of parts. */
static unsigned whole_of(const struct law *law)
{
	unsigned n[2] = {0}, last[2] = {0};

	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++) {
		bool positive = law->by[i] > 0;

		if (!law->by[i])
			continue;
		if (law->n || law->by[i] < -1 || law->by[i] > 1)
			return SNBEP_COUNTERS_MAX;
		n[positive]++;
		last[positive] = i;
	}
	if (n[0] > 1 && n[1] == 1)
		return last[1];
	return n[1] > 1 && n[0] == 1 ? last[0] : SNBEP_COUNTERS_MAX;
}

static void show_parts(const struct law *law, const uint64_t *out)
{
	unsigned whole = whole_of(law);
	struct measured shown = {0};
	int32_t under, over;

	if (whole == SNBEP_COUNTERS_MAX)
		return;
	under = law->by[whole] < 0 ? law->below : law->above;
	over = law->by[whole] < 0 ? law->above : law->below;
	shown.least = under == NO_LIMIT ? 0 : out[whole];
	shown.most = over == NO_LIMIT ? UINT64_MAX : out[whole];
	shown.slack = (uint64_t)(under < over ? under : over);
	for (unsigned i = 0; i < SNBEP_COUNTERS_MAX; i++)
		if (i != whole && law->by[i])
			shown.part[shown.parts++] = out[i];
	report_measured(&shown);
}

static void check_law(struct run *t, const struct law *law, const struct facts *f)
{
	const char *why = cannot_judge(law, f);
	char text[200];

	show_parts(law, f->out);
	if (holds(law, f))
		return;
	fmt_print(text, sizeof(text),
		  "%s: %llu %llu %llu %llu, times %d %d %d %d: %lld, expected %s%s%lld, slack %d",
		  f->what, (unsigned long long)f->out[0], (unsigned long long)f->out[1],
		  (unsigned long long)f->out[2], (unsigned long long)f->out[3], law->by[0],
		  law->by[1], law->by[2], law->by[3], (long long)weigh(law, f->out),
		  law->above == NO_LIMIT ? "at least " : "",
		  law->below == NO_LIMIT ? "at most " : "", (long long)(law->n * f->factor),
		  law->below == NO_LIMIT ? law->above : law->below);
	if (why) {
		report_diag("%s", text);
		test_cannot_judge(t, why);
	} else
		test_check(t, text, false);
}

/* Is it one, and about counters that the box has? */
static bool is_law(const struct law *law, unsigned counters)
{
	for (unsigned i = counters; i < SNBEP_COUNTERS_MAX; i++)
		if (law->by[i])
			return false;
	return law->by[0] || law->by[1] || law->by[2] || law->by[3];
}

static void check_laws(struct run *t, const struct trial *trial, bool each, const struct facts *f)
{
	for (unsigned i = 0; i < LAWS_MAX; i++)
		if (is_law(&trial->law[i], t->pmu->counters) && trial->law[i].each == each)
			check_law(t, &trial->law[i], f);
}

static void check_each(struct run *t, const struct trial *trial)
{
	const struct pmu *pmu;

	for (unsigned b = 0; (pmu = trial_box(t, trial, &b));) {
		uint64_t out[SNBEP_COUNTERS_MAX] = {0};

		for (unsigned i = 0; i < pmu->counters; i++)
			out[i] = pmu_read(pmu, counter_of(t, trial, first_of(t, trial) + i));
		check_laws(t, trial, true, &(struct facts){pmu->name, 0, 1, out});
	}
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

static bool counts_lines(const struct trial *trial)
{
	for (unsigned i = 0; i < LAWS_MAX; i++)
		if (trial->law[i].n)
			return true;
	return false;
}

static void judge_counts(struct run *t, const struct trial *trial, uint64_t *out)
{
	struct facts facts = {"counts", all_of(t, trial), 1, out};

	if (facts.kind == SNBEP_IMC && counts_lines(trial))
		facts.factor = channels_per_line(t);
	if (trial->disturbed)
		trial_sums(t, trial, out);
	else
		trial_run(t, trial, out);
	check_each(t, trial);
	check_laws(t, trial, false, &facts);
}

void judge_all(struct run *t, const struct trial *trials, unsigned n)
{
	uint64_t out[SNBEP_COUNTERS_MAX];
	bool missing = false, judged = false;

	for (unsigned i = 0; i < n; i++) {
		if (trials[i].kinds && !(trials[i].kinds & t->pmu->kinds))
			continue;
		judge_counts(t, &trials[i], out);
		judged = true;
		if (trials[i].occurs)
			missing |= !out[trials[i].occurs - 1];
	}
	SKIP_IF(t, !judged, "no measurement is known for a box of this kind");
	SKIP_IF(t, missing, "what the test is about did not happen here");
}

void judge(struct run *t, const struct trial *trial)
{
	judge_all(t, trial, 1);
}

void check_sum(struct run *t, uint32_t kind, const char *what, uint64_t got, struct law want)
{
	const uint64_t out[SNBEP_COUNTERS_MAX] = {got};

	want.by[0] = 1;
	check_law(t, &want, &(struct facts){what, kind, 1, out});
}

bool is_about(uint64_t count, uint64_t n)
{
	return count + TRAFFIC_SLACK >= n && count <= n + TRAFFIC_SLACK;
}
