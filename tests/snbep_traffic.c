/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of memory traffic share. */
#include "snbep_traffic.h"

#include "report.h"

#define WINDOWS 3u

bool is_about(uint64_t count, uint64_t n)
{
	return count + TRAFFIC_SLACK >= n && count <= n + TRAFFIC_SLACK;
}

void tell(const char *what, uint64_t count, uint64_t n)
{
	report_diag("%s: %llu, of %llu", what, (unsigned long long)count, (unsigned long long)n);
}

/* The next box that takes part, from *i on. */
static const struct pmu *next_box(const struct traffic *traffic, unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = snbep_pmu((*i)++)))
		if (pmu->kinds & traffic->kind && !pmu->silent &&
		    !(traffic->own_socket && snbep_box(pmu)->socket))
			break;
	return pmu;
}

static void program(const struct pmu *pmu, const struct traffic *traffic)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_reset(pmu);
	for (unsigned c = 0; c < traffic->n; c++)
		snbep_put(pmu, pmu->ctl_msr[c], snbep_encode(kind, &traffic->cfg[c]));
	for (unsigned i = 0; i < ARRAY_SIZE(traffic->filter) && kind->filter[i].reg; i++)
		snbep_put(pmu, snbep_reg(pmu, kind->filter[i].reg), traffic->filter[i]);
}

static void for_boxes(const struct traffic *traffic, void (*act)(const struct pmu *pmu))
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_box(traffic, &i));)
		act(pmu);
}

/* Without the prefetchers: they would fetch lines twice, or others. */
static void run_window(const struct traffic *traffic)
{
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_box(traffic, &i));)
		program(pmu, traffic);
	snbep_prefetchers(false);
	if (traffic->prepare)
		traffic->prepare();
	for_boxes(traffic, snbep_run);
	traffic->load();
	for_boxes(traffic, snbep_freeze);
	snbep_prefetchers(true);
}

static uint64_t sum_of(const struct traffic *traffic, unsigned ctr)
{
	const struct pmu *pmu;
	uint64_t sum = 0;

	for (unsigned i = 0; (pmu = next_box(traffic, &i));)
		sum += pmu->ops->read(pmu, ctr);
	return sum;
}

static uint64_t middle(const uint64_t *v)
{
	uint64_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];

	return v[2] < low ? low : v[2] > high ? high : v[2];
}

void traffic_sums(struct run *t, const struct traffic *traffic, uint64_t *sums)
{
	uint64_t sum[SNBEP_COUNTERS_MAX][WINDOWS];

	t->programmed = BIT(traffic->n) - 1;
	for (unsigned w = 0; w < WINDOWS; w++) {
		run_window(traffic);
		for (unsigned c = 0; c < traffic->n; c++)
			sum[c][w] = sum_of(traffic, c);
	}
	for (unsigned c = 0; c < traffic->n; c++)
		sums[c] = middle(sum[c]);
}

uint64_t traffic_sum(struct run *t, const struct traffic *traffic)
{
	uint64_t sums[SNBEP_COUNTERS_MAX];

	traffic_sums(t, traffic, sums);
	return sums[0];
}

unsigned traffic_shares(struct run *t, const struct traffic *traffic, uint64_t *share)
{
	const struct pmu *pmu;
	unsigned n = 0;

	t->programmed = BIT(0);
	run_window(traffic);
	for (unsigned i = 0; (pmu = next_box(traffic, &i));)
		share[n++] = pmu->ops->read(pmu, 0);
	return n;
}
