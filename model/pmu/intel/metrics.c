/* SPDX-License-Identifier: BSD-2-Clause */
/* PERF_METRICS: what has become of the slots that fixed counter 3 counts, as shares of 255. */
#include "intel.h"
#include "kernel/lib/string.h"

/* Of level 1, and the part of each that is of level 2. */
enum { RETIRING, BAD_SPECULATION, FRONTEND, BACKEND, LEVEL };
enum { HEAVY = LEVEL, MISPREDICTS, FETCH_LATENCY, MEMORY };

enum { ALL = 255 };

/* Slots of a clock that nothing retires in are lost behind, but after a misprediction; of one that
 * retires less than it could, ahead. */
static unsigned lost_in(const struct clock *clock)
{
	if (clock->bogus || clock->n[SIGNAL_OUTCOME + TAKEN_MISPREDICTED] ||
	    clock->n[SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED])
		return BAD_SPECULATION;
	return clock->n[SIGNAL_INSTRUCTIONS] ? FRONTEND : BACKEND;
}

static void pass(struct pmu_intel *p, unsigned field, uint64_t slots, uint64_t part)
{
	p->metrics.slots[field] += slots;
	p->metrics.slots[field + LEVEL] += part < slots ? part : slots;
}

void intel_metrics_pass(struct pmu_intel *p, const struct clock *clock, uint64_t times)
{
	const struct setting *set = &p->core.counter[INTEL_SLOTS_COUNTER].set;
	const unsigned width = p->traits->slots, uops = clock->n[SIGNAL_UOPS];
	const unsigned retired = uops < width ? uops : width, left = width - retired;
	const unsigned lost = lost_in(clock);

	if (!either(clock->cpl == 0, set->os, set->user))
		return;
	p->metrics.moves = true;
	p->metrics.passed += times * width;
	pass(p, RETIRING, times * retired, times * clock->n[SIGNAL_ROM_UOPS]);
	pass(p, lost, times * left,
	     times * (lost == BACKEND ? clock->n[SIGNAL_MISSED_LOADS] : (left + 1) / 2));
}

uint64_t intel_metrics_shown(const struct pmu_intel *p)
{
	const uint64_t passed = p->metrics.passed;
	uint64_t value = 0;

	if (!p->metrics.moves)
		return p->metrics.written;
	for (unsigned i = 0; i < p->traits->metrics; i++)
		value |= (p->metrics.slots[i] * ALL + passed / 2) / passed << 8 * i;
	return value;
}

/* They go on from there, as shares of the slots that the counter has. */
void intel_metrics_write(struct pmu_intel *p, uint64_t value)
{
	const uint64_t slots = p->core.counter[INTEL_SLOTS_COUNTER].value;

	memset(&p->metrics, 0, sizeof(p->metrics));
	p->metrics.written = value;
	p->metrics.passed = slots;
	for (unsigned i = 0; i < p->traits->metrics; i++)
		p->metrics.slots[i] = slots / ALL * (value >> 8 * i & 0xff);
}

void intel_metrics_clear(struct pmu_intel *p)
{
	p->core.counter[INTEL_SLOTS_COUNTER].value = 0;
	intel_metrics_write(p, 0);
}
