/* SPDX-License-Identifier: BSD-2-Clause */
/* Errata published of a PMU, by what they do and by the counts that they make wrong. */
#include "pmu.h"

bool pmu_erratum_applies(const struct pmu *pmu, const struct pmu_erratum *e)
{
	return pmu->revision >= e->first && pmu->revision <= e->last;
}

/* An erratum published of some part is granted to parts of which nobody has published anything. */
static bool is_granted(const struct pmu *pmu, const struct pmu_erratum *e)
{
	return pmu_erratum_applies(pmu, e) || (pmu->ops->may_have && pmu->ops->may_have(pmu, e));
}

static const struct pmu_erratum *find(const struct pmu *pmu, enum pmu_effect effect,
				      uint64_t counters)
{
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (e->effect == effect && is_granted(pmu, e) &&
		    (!e->counters || e->counters & counters))
			return e;
	return NULL;
}

const struct pmu_erratum *pmu_effect(const struct pmu *pmu, enum pmu_effect effect)
{
	return find(pmu, effect, ~UINT64_C(0));
}

const struct pmu_erratum *pmu_effect_on(const struct pmu *pmu, enum pmu_effect effect, unsigned ctr)
{
	return find(pmu, effect, pmu_global_bit(pmu, ctr));
}

/* ---- counts that are wrong ---- */

/* Is the name one of the list? */
static bool is_named(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (;; list += 2) {
		size_t end = 0;

		while (list[end] && list[end] != ',')
			end++;
		if (end == length && !memcmp(list, name, length))
			return true;
		list += end;
		if (!*list)
			return false;
	}
}

static bool has_erratum(const struct pmu *pmu, const char *name)
{
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (is_granted(pmu, e) && is_named(e->id, name))
			return true;
	return false;
}

static bool is_among(const uint16_t *codes, unsigned code)
{
	while (*codes && *codes != code)
		codes++;
	return *codes;
}

static bool has_one_of(const uint16_t *codes, const struct pmu *pmu, uint64_t events)
{
	for (; events; events &= events - 1) {
		const struct pmu_event *event = &pmu->events[lowest_bit(events)];

		if (event->name && is_among(codes, event->code))
			return true;
	}
	return false;
}

const struct pmu_overcount *pmu_overcount(const struct pmu *pmu, uint64_t events)
{
	for (const struct pmu_overcount *o = pmu->ops->overcounts; o && o->erratum; o++)
		if (has_erratum(pmu, o->erratum) && has_one_of(o->codes, pmu, events))
			return o;
	return NULL;
}

const struct pmu_event *pmu_witness(const struct pmu *pmu)
{
	for (const struct pmu_overcount *o = pmu->ops->overcounts; o && o->erratum; o++)
		if (o->witness && has_erratum(pmu, o->erratum))
			return o->witness;
	return NULL;
}
