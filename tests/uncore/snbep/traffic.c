/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of memory traffic share. */
#include "traffic.h"

#define ALIKE 8u /* lines by which two undisturbed windows may differ */

bool is_about(uint64_t count, uint64_t n)
{
	return count + TRAFFIC_SLACK >= n && count <= n + TRAFFIC_SLACK;
}

void tell(const char *what, uint64_t count, uint64_t n)
{
	report_diag("%s: %llu, of %llu", what, (unsigned long long)count, (unsigned long long)n);
}

const struct pmu *traffic_box(const struct traffic *traffic, unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = snbep_pmu((*i)++)))
		if (pmu->kinds & traffic->kind && !pmu->silent)
			break;
	return pmu;
}

/* Reset to 0 they are; and those of a link may be out of reach. */
static void set_filters(const struct pmu *pmu, const struct traffic *traffic)
{
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX; i++)
		if (traffic->filter[i])
			snbep_put(pmu, snbep_reg(pmu, snbep_box(pmu)->kind->filter[i].reg),
				  traffic->filter[i]);
}

/* Without the prefetchers: they would fetch lines twice, or others. */
struct window traffic_run(struct run *t, const struct traffic *traffic)
{
	struct window w = box_window(t, 0, traffic->n, traffic->cfg, traffic->load);
	const struct pmu *pmu;

	w.ops = &box_ops_from_reset;
	w.kinds = traffic->kind;
	for (unsigned c = 0; c < w.n; c++)
		w.c[c].ctr = c;
	window_program(t, &w);
	for (unsigned i = 0; (pmu = traffic_box(traffic, &i));)
		set_filters(pmu, traffic);
	snbep_prefetchers(false);
	memory_use(traffic->place);
	if (traffic->prepare)
		traffic->prepare();
	window_open(t, &w);
	traffic->load();
	window_close(t, &w);
	memory_use(0);
	snbep_prefetchers(true);
	return w;
}

uint64_t traffic_once(struct run *t, const struct traffic *traffic)
{
	return traffic_run(t, traffic).c[0].out;
}

static bool alike(uint64_t a, uint64_t b)
{
	return a <= b + ALIKE && b <= a + ALIKE;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Two windows that are alike will do; else of three the middle one, for each counter. */
struct window traffic_sums(struct run *t, const struct traffic *traffic)
{
	struct window w = traffic_run(t, traffic), second = traffic_run(t, traffic), third;
	bool same = true;

	for (unsigned c = 0; c < w.n; c++)
		same = same && alike(w.c[c].out, second.c[c].out);
	if (same)
		return second;
	third = traffic_run(t, traffic);
	for (unsigned c = 0; c < w.n; c++)
		w.c[c].out = middle(w.c[c].out, second.c[c].out, third.c[c].out);
	return w;
}

uint64_t traffic_sum(struct run *t, const struct traffic *traffic)
{
	return traffic_sums(t, traffic).c[0].out;
}
