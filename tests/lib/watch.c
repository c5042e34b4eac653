/* SPDX-License-Identifier: BSD-2-Clause */
/* Spare counters that watch what may spoil the counts of a test. */
#include "watch.h"

#include "kernel/lib/bits.h"

static const struct pmu_event *event_of(enum watched what, const struct pmu *pmu)
{
	return what == WATCH_SMIS ? pmu->smis : pmu_witness(pmu);
}

static bool can_watch(const struct pmu *pmu)
{
	return pmu && pmu->counting && pmu->counting->select_all;
}

/* Spare counters are those before the counter under test, which takes its neighbours behind it: so
 * a test has to use nearly all counters to take them, too. */
static unsigned spare(const struct run *t, unsigned n)
{
	return (t->counter + t->pmu->counters - 1 - n) % t->pmu->counters;
}

void watch_begin(struct watch watch[WATCHES], const struct run *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < WATCHES; i++) {
		watch[i] = (struct watch){0};
		if (!can_watch(t->pmu) || n + 1 >= t->pmu->counters || !event_of(i, t->pmu))
			continue;
		watch[i].event = event_of(i, t->pmu);
		watch[i].ctr = spare(t, n++);
		watch_again(t->pmu, &watch[i]);
	}
}

/* A test that had used the counter would have left it stopped, or with another event. */
void watch_look(const struct pmu *pmu, struct watch *w)
{
	w->told = w->event && pmu_get(pmu->counter[w->ctr].ctl) == w->select;
	if (w->told)
		w->count = pmu_get(pmu->counter[w->ctr].ctr) & pmu_mask(pmu, w->ctr);
}

void watch_again(const struct pmu *pmu, struct watch *w)
{
	w->select = pmu_watch(pmu, w->ctr, w->event);
	watch_look(pmu, w);
}

void watch_window(const struct pmu *pmu, struct watch *w)
{
	uint64_t before = w->count;

	watch_look(pmu, w);
	w->kept += w->count - before;
}

void watch_end(struct watch watch[WATCHES], const struct run *t)
{
	for (unsigned i = 0; i < WATCHES; i++)
		watch_look(t->pmu, &watch[i]);
}
