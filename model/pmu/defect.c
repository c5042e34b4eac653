/* SPDX-License-Identifier: BSD-2-Clause */
/* Defects: what they concern, and how they become part of a core's PMU. */
#include "pmu.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

bool is_twisted(const struct twist *t, uint64_t value)
{
	return (value & t->when) == t->when && (!t->some || value & t->some) &&
	       !(value & t->unless);
}

uint64_t twist(const struct twist *t, uint64_t value)
{
	return is_twisted(t, value) ? ((value & ~t->clear) | t->set) ^ t->flip : value;
}

static bool is_among(uint64_t some, unsigned n)
{
	return !some || (n < 64 && some >> n & 1);
}

static bool is_only(const struct point *at)
{
	const struct reg_id *only = &at->defect->only;

	if (at->reg.kind)
		return at->reg.kind == only->kind && at->reg.number == only->number;
	return at->ctr == only->number;
}

static uint32_t hooks_of(const struct defect *defect)
{
	uint32_t hooks = 0;

	for (size_t at = offsetof(struct defect, address); at < sizeof(*defect);
	     at += sizeof(hook *)) {
		hook *act;

		memcpy(&act, (const uint8_t *)defect + at, sizeof(act));
		if (act)
			hooks |= UINT32_C(1)
				 << (at - offsetof(struct defect, address)) / sizeof(act);
	}
	return hooks;
}

struct active active_of(const struct defect *defect, uint64_t *memory, const struct active *next)
{
	return (struct active){defect, memory, next, hooks_of(defect) | (next ? next->hooks : 0)};
}

void point_reach(struct point *at, const struct active *active, hook *act)
{
	const struct defect *d = active->defect;

	at->defect = d;
	at->memory = active->memory;
	if (d->only.kind && !is_only(at))
		return;
	if (at->reg.kind && !is_among(d->registers, at->reg.kind))
		return;
	if (at->ctr != NO_COUNTER && !is_among(d->counters, at->ctr))
		return;
	if (!d->event || d->event == at->event)
		act(at);
}

/* The counters whose clocks the defect is in, as bits. */
static uint32_t counters_of(const struct defect *defect)
{
	if (defect->only.kind)
		return (uint32_t)BIT(defect->only.number);
	return defect->counters ? (uint32_t)defect->counters : UINT32_MAX;
}

/* One clock of a counter: from the first to the last that struct defect has under that heading. */
static const uint32_t clock_hooks = 2 * HOOK_BIT(overflow) - HOOK_BIT(runs);

void core_deviate(void *pmu, const struct defect *defect)
{
	struct core_pmu *core = pmu;
	unsigned n = core->deviations++;

	core->deviation[n] = active_of(defect, core->memory[n], core->active);
	core->active = &core->deviation[n];
	if (hooks_of(defect) & clock_hooks) {
		core->in_clock[n] = active_of(defect, core->memory[n], core->in_clocks);
		core->in_clocks = &core->in_clock[n];
	}
	if (defect->runs || defect->increment)
		core->woken |= counters_of(defect);
	core->holding |= defect->repeats;
}
