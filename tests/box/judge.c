/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws about what a trial has counted. */
#include "box.h"

static bool some_hidden(uint64_t kind)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = box_pmu(i)); i++)
		if (pmu->silent && pmu->kinds & kind)
			return true;
	return false;
}

/* Facts that a law is judged with. */
struct facts {
	const char *what;
	uint64_t kind; /* of boxes that are added up, or 0 */
	int64_t factor; /* of every n */
	const uint64_t *out;
};

static int64_t weight(int8_t by)
{
	const int64_t many = INT64_C(1) << 30;

	return by == MANY ? many : by == -MANY ? -many : by;
}

static int64_t weigh(const struct law *law, const uint64_t *out)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
		sum += weight(law->by[i]) * (int64_t)out[i];
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
	if (!(f->kind & (BOX_CHANNEL | BOX_HOME | BOX_LINK)) || !some_hidden(f->kind) ||
	    weigh(law, f->out) >= least(law, f))
		return NULL;
	return f->kind == BOX_LINK ? "a port is hidden that may have carried lines"
				   : "lines are missing that a hidden box may have counted";
}

/* Several counts of one sign are parts of the only one that has the other sign; TRIAL_COUNTERS:
 * this is no law of parts. */
static unsigned whole_of(const struct law *law)
{
	unsigned n[2] = {0}, last[2] = {0};

	for (unsigned i = 0; i < TRIAL_COUNTERS; i++) {
		bool positive = law->by[i] > 0;

		if (!law->by[i])
			continue;
		if (law->n || law->by[i] < -1 || law->by[i] > 1)
			return TRIAL_COUNTERS;
		n[positive]++;
		last[positive] = i;
	}
	if (n[0] > 1 && n[1] == 1)
		return last[1];
	return n[1] > 1 && n[0] == 1 ? last[0] : TRIAL_COUNTERS;
}

static void show_parts(const struct law *law, const uint64_t *out)
{
	unsigned whole = whole_of(law);
	struct measured shown = {0};
	int32_t under, over;

	if (whole == TRIAL_COUNTERS)
		return;
	under = law->by[whole] < 0 ? law->below : law->above;
	over = law->by[whole] < 0 ? law->above : law->below;
	shown.least = under == NO_LIMIT ? 0 : out[whole];
	shown.most = over == NO_LIMIT ? UINT64_MAX : out[whole];
	shown.slack = (uint64_t)(under < over ? under : over);
	for (unsigned i = 0; i < TRIAL_COUNTERS; i++)
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
	for (unsigned i = counters; i < TRIAL_COUNTERS; i++)
		if (law->by[i])
			return false;
	return law->by[0] || law->by[1] || law->by[2] || law->by[3];
}

static bool goes_by_rows(const struct trial *trial)
{
	return trial->lines && !is_law(&trial->law[0], TRIAL_COUNTERS);
}

/* Law i of a trial, or what the row of its event i says of lines. */
static struct law law_of(const struct run *t, const struct trial *trial, unsigned i)
{
	const struct box_config *cfg = &trial->cfg[i];
	struct law law = {0};
	int n;

	if (!goes_by_rows(trial))
		return trial->law[i];
	if (!cfg->event)
		return law;
	n = box_event(kind_of(t), cfg->event)->per_line[trial->lines];
	law = (struct law){ABOUT(n == NONE ? 0 : n * (int32_t)MEMORY_LINES)};
	law.by[i] = n != 0;
	return law;
}

static void check_laws(struct run *t, const struct trial *trial, bool each, const struct facts *f)
{
	for (unsigned i = 0; i < LAWS_MAX; i++) {
		const struct law law = law_of(t, trial, i);

		if (is_law(&law, t->pmu->counters) && (trial->each >> i & 1) == each)
			check_law(t, &law, f);
	}
}

static void check_each(struct run *t, const struct trial *trial)
{
	const struct pmu *pmu;

	for (unsigned b = 0; (pmu = trial_box(t, trial, &b));) {
		uint64_t out[TRIAL_COUNTERS] = {0};

		for (unsigned i = 0; i < pmu->counters && i < TRIAL_COUNTERS; i++)
			out[i] = trial_read(t, trial, pmu, i);
		check_laws(t, trial, true, &(struct facts){pmu->name, 0, 1, out});
	}
}

static bool counts_lines(const struct trial *trial)
{
	for (unsigned i = 0; i < LAWS_MAX; i++)
		if (trial->law[i].n)
			return true;
	return goes_by_rows(trial);
}

/* So many times in one window, each from the counters on that follow those of the last one. */
static void judge_counts(struct run *t, const struct trial *trial, unsigned times,
			 uint64_t out[][TRIAL_COUNTERS])
{
	struct facts facts = {"counts", trial_kinds(t, trial), 1, NULL};
	struct trial one = *trial;

	if (facts.kind == BOX_CHANNEL && counts_lines(trial))
		facts.factor = channels_per_line(t);
	if (trial->disturbed)
		trial_sums(t, trial, out[0]);
	else
		trial_run_beside(t, trial, times, out);
	for (unsigned i = 0; i < times; i++) {
		facts.out = out[i];
		check_each(t, &one);
		check_laws(t, &one, false, &facts);
		one.first = (uint8_t)(one.first + trial_counters(trial));
	}
	trial_end(t, trial);
}

/* From its first counter on, or from each from there on: as many at once as there are counters
 * for. */
static void judge_from_each(struct run *t, const struct trial *trial,
			    uint64_t out[BOX_COUNTERS_MAX][TRIAL_COUNTERS])
{
	const unsigned step = trial_counters(trial), n = t->pmu->counters;
	uint64_t left = trial->first < n ? FIELD(n - 1, trial->first) : 0;
	struct trial some = *trial;

	while (left) {
		unsigned first = lowest_bit(left), times = 1;

		while (trial->around && (times + 1) * step <= n && first + times * step < n)
			times++;
		some.first = (uint8_t)first;
		judge_counts(t, &some, times, out);
		for (unsigned i = 0; i < times; i++)
			left &= ~BIT(first + i * step);
		if (!trial->around)
			break;
	}
}

void judge_all(struct run *t, const struct trial *trials, unsigned n)
{
	uint64_t out[BOX_COUNTERS_MAX][TRIAL_COUNTERS];
	bool missing = false, judged = false;

	for (unsigned i = 0; i < n; i++) {
		if (trials[i].kinds && !(trials[i].kinds & t->pmu->kinds))
			continue;
		if (n > 1 && trial_lacks(t, &trials[i]))
			continue;
		judge_from_each(t, &trials[i], out);
		judged = true;
		if (trials[i].occurs)
			missing |= !out[0][trials[i].occurs - 1];
	}
	SKIP_IF(t, !judged, "no measurement is known for a box of this kind");
	SKIP_IF(t, missing, "the event that the test is about did not occur here");
}

void judge(struct run *t, const struct trial *trial)
{
	judge_all(t, trial, 1);
}

void check_sum(struct run *t, uint64_t kind, const char *what, uint64_t got, struct law want)
{
	const uint64_t out[TRIAL_COUNTERS] = {got};

	want.by[0] = 1;
	check_law(t, &want, &(struct facts){what, kind, 1, out});
}

bool is_about(uint64_t count, uint64_t n)
{
	return count + TRAFFIC_SLACK >= n && count <= n + TRAFFIC_SLACK;
}

/* ---- counters that are alike ---- */

static void set_alike(struct trial *trial, unsigned slot, unsigned n, struct box_config cfg)
{
	for (unsigned i = 0; i < n; i++)
		trial->cfg[slot + i] = cfg;
	for (unsigned i = 1; i < n; i++) {
		trial->law[i - 1] = (struct law){EXACTLY(0)};
		trial->law[i - 1].by[slot] = 1;
		trial->law[i - 1].by[slot + i] = -1;
	}
}

void judge_alike(struct run *t, const struct trial *trial, unsigned slot, unsigned n,
		 struct box_config cfg)
{
	const unsigned room = TRIAL_COUNTERS - slot;

	for (unsigned before = 0; !before || before + 1 < n; before += room - 1) {
		struct trial some = *trial;

		some.first = (uint8_t)(some.first + before);
		set_alike(&some, slot, n - before < room ? n - before : room, cfg);
		judge(t, &some);
	}
}
