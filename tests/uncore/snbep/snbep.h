/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the uncore of the Xeon E5-2600 alone.
 *
 * Room: what is claimed of its boxes.
 * Uses: kernel, kernel/console, kernel/lib, pmu, pmu/uncore/snbep, tests/lib
 */
#ifndef SNBEP_TESTS_H
#define SNBEP_TESTS_H

#include "memory.h"
#include "pmu/uncore/snbep/snbep.h"
#include "tests/lib/test.h"

#define SNBEP_TEST(name, claim, ...) TEST(name, claim, .driver = &pmu_snbep, __VA_ARGS__)

#define UNCORE                       "Intel 327043-001, 2.1"
#define BOX_CONTROL                  "Intel 327043-001, 2.1: box control: frz, frz_en"
#define COUNTER_CONTROL              "Intel 327043-001, 2.1: counter control: ev_sel, umask, en"
#define THRESHOLDS                   "Intel 327043-001, 2.1: counter control: thresh, invert, edge_det"
#define NOT_JUDGED                   "told, not judged: the manual does not say"

/* All that have a clock event, and with it a box control register. */
#define CLOCKED                                                                                    \
	(SNBEP_IMC | SNBEP_HA | SNBEP_QPI | SNBEP_R2PCIE | SNBEP_R3QPI | SNBEP_CBO | SNBEP_PCU)
/* On boxes whose clock runs; others are skipped for their reason. */
#define SNBEP_CLOCK_TEST(name, claim, ...)                                                         \
	SNBEP_TEST(name, claim, .kinds = CLOCKED, .counts = EV_CYCLES, __VA_ARGS__)

#define SNBEP_CLOCK_TEST_OF(kinds_, name, claim, clause_)                                          \
	SNBEP_TEST(name, claim, .kinds = (kinds_), .counts = EV_CYCLES, .clause = (clause_))

/* What happens in a window. */
typedef void box_load(void);

/* Nothing but time: 50 us, 20,000 clocks of the slowest box and more. */
void wait_a_window(void);

/* A write acts some tens of nanoseconds after it: clocks at 5 GHz. */
#define WRITE_LAG 500u

/* Slots with .box, which a box opens and closes in the same clock.  Its other counters are off. */
extern const struct window_ops box_ops;
/* The same, of boxes that are reset at first, filters and all. */
extern const struct window_ops box_ops_from_reset;

/* Slots for n configurations, the first one on counter first, the others on those after it in a
 * circle; load is what happens.  box_count() runs it, too. */
struct window box_window(const struct run *t, unsigned first, unsigned n,
			 const struct snbep_config *cfg, box_load *load);
struct window box_count(struct run *t, unsigned first, unsigned n, const struct snbep_config *cfg,
			box_load *load);
/* Their number and the configurations, as arguments of both. */
#define CONFIGS(...)                                                                               \
	sizeof((struct snbep_config[]){__VA_ARGS__}) / sizeof(struct snbep_config),                \
		(const struct snbep_config[])                                                      \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/* Slot n is counter n on the clock, for wait_a_window(). */
struct window box_clocks(const struct run *t);

/* Resets a box and starts its counter 0 on a configuration. */
void box_start(const struct pmu *pmu, struct snbep_config cfg);

static inline const struct snbep_kind *kind_of(const struct run *t)
{
	return snbep_box(t->pmu)->kind;
}

static inline struct snbep_config clock_of(const struct run *t)
{
	return snbep_clock(t->pmu);
}

static inline uint32_t box_ctl_of(const struct run *t)
{
	return snbep_reg(t->pmu, kind_of(t)->box_ctl);
}

#endif
