/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of memory traffic share. */
#include "traffic.h"

#include "kernel/console/report.h"

#define WINDOWS 3u
#define ALIKE   8u /* lines by which two undisturbed windows may differ */

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

static void program(const struct pmu *pmu, const struct traffic *traffic)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_reset(pmu);
	for (unsigned c = 0; c < traffic->n; c++)
		snbep_put(pmu, pmu->counter[c].ctl.address, snbep_encode(kind, &traffic->cfg[c]));
	/* Reset to 0 they are; and those of a link may be out of reach. */
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX; i++)
		if (traffic->filter[i])
			snbep_put(pmu, snbep_reg(pmu, kind->filter[i].reg), traffic->filter[i]);
}

static void for_boxes(const struct traffic *traffic, void (*act)(const struct pmu *pmu))
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = traffic_box(traffic, &i));)
		act(pmu);
}

/* Without the prefetchers: they would fetch lines twice, or others. */
void traffic_run(struct run *t, const struct traffic *traffic)
{
	const struct pmu *pmu;

	t->programmed = BIT(traffic->n) - 1;
	for (unsigned i = 0; (pmu = traffic_box(traffic, &i));)
		program(pmu, traffic);
	snbep_prefetchers(false);
	memory_use(traffic->place);
	if (traffic->prepare)
		traffic->prepare();
	for_boxes(traffic, snbep_run);
	traffic->load();
	for_boxes(traffic, snbep_freeze);
	memory_use(0);
	snbep_prefetchers(true);
}

static uint64_t sum_of(const struct traffic *traffic, unsigned ctr)
{
	const struct pmu *pmu;
	uint64_t sum = 0;

	for (unsigned i = 0; (pmu = traffic_box(traffic, &i));)
		sum += pmu_read(pmu, ctr);
	return sum;
}

uint64_t traffic_once(struct run *t, const struct traffic *traffic)
{
	traffic_run(t, traffic);
	return sum_of(traffic, 0);
}

static bool alike(uint64_t a, uint64_t b)
{
	return a <= b + ALIKE && b <= a + ALIKE;
}

static uint64_t middle(const uint64_t *v)
{
	uint64_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];

	return v[2] < low ? low : v[2] > high ? high : v[2];
}

/* Two windows that are alike will do; else of three the middle one, for each counter. */
void traffic_sums(struct run *t, const struct traffic *traffic, uint64_t *sums)
{
	uint64_t sum[SNBEP_COUNTERS_MAX][WINDOWS];
	bool done = false;

	for (unsigned w = 0; w < WINDOWS && !done; w++) {
		traffic_run(t, traffic);
		done = w > 0;
		for (unsigned c = 0; c < traffic->n; c++) {
			sum[c][w] = sum_of(traffic, c);
			done = done && alike(sum[c][0], sum[c][1]);
			sums[c] = w == WINDOWS - 1 ? middle(sum[c]) : sum[c][w];
		}
	}
}

uint64_t traffic_sum(struct run *t, const struct traffic *traffic)
{
	uint64_t sums[SNBEP_COUNTERS_MAX];

	traffic_sums(t, traffic, sums);
	return sums[0];
}
