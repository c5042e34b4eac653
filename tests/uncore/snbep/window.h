/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of uncore boxes share: windows that a box opens and closes itself. */
#ifndef SNBEP_WINDOW_H
#define SNBEP_WINDOW_H

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
#define WINDOW_US 50u
void wait_a_window(void);

/* A write acts some tens of nanoseconds after it: clocks at 5 GHz. */
#define WRITE_LAG 500u

/* Counter ctr[i] (NULL: counter i) of the box under test on cfg[i], from 0, enabled; frozen. */
void box_program(struct run *t, unsigned n, const unsigned *ctr, const struct snbep_config *cfg);

/* So programmed, with the load between opening and closing all of them at once. */
void box_window(struct run *t, unsigned n, const unsigned *ctr, const struct snbep_config *cfg,
		box_load *load, uint64_t *out);

/* All counters of the box under test. */
void box_read(const struct run *t, uint64_t *out);
void box_program_clocks(struct run *t);

/* The counter under test, and those after it in a circle. */
void counters_in_turn(const struct run *t, unsigned n, unsigned *ctr);

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
