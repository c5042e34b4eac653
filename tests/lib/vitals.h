/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters of a core do not count as they should at all.  What else is tested with them would
 * fail for the same cause, so it is skipped. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pmu;

enum vital {
	VITAL_WELL,
	VITAL_DEAD, /* it counts nothing */
	VITAL_SLOW, /* it counts far too few */
	VITAL_ALONE, /* it counts as long as no other counter does */
};

/* Another battery begins: all counters are taken for well. */
void vitals_forget(void);
/* A counter of a core's PMU has been found so; what was found of it before is void. */
void vitals_note(const struct pmu *pmu, unsigned ctr, enum vital found);
/* Bit n: counter n of pmu was found so. */
uint64_t vitals_of(const struct pmu *pmu, enum vital found);

/* No counter of pmu that is well counts the event, which several should. */
void vitals_note_event(const struct pmu *pmu, unsigned event);
/* Bit n: event n was found so. */
uint64_t vitals_events(const struct pmu *pmu);

/* Why these events on counters that run together (bit n: event or counter n) would tell of that
 * alone; NULL: they would not. */
const char *vitals_hinder(const struct pmu *pmu, uint64_t ctrs, uint64_t events);

/* Reports a line for each finding about pmu: which counters, and in a guest of a hypervisor what of
 * the host is the likely cause. */
void vitals_report(const struct pmu *pmu, bool is_guest);
