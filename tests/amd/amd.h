/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the AMD drivers alone.
 *
 * Room: what is claimed of AMD counters and of no others.
 * Uses: kernel/svm, pmu/amd, tests/branches, tests/lib, tests/random
 */
#pragma once

#include "pmu/amd/amd.h"
#include "pmu/amd/regs.h"
#include "tests/lib/test.h"

/* For .absent. */
const char *no_pair(const struct pmu *pmu, unsigned ctr);
const char *no_brs(const struct pmu *pmu, unsigned ctr);

/* ---- brs.c: branch sampling ---- */

/* What brs_ring is given: how far it goes, and both writes that it makes ahead of that. */
struct brs_run {
	uint64_t turns;
	struct msr_switch arm __attribute__((aligned(8)));
	struct msr_switch preset __attribute__((aligned(8)));
};
_Static_assert(offsetof(struct brs_run, arm) == 8 && offsetof(struct brs_run, preset) == 32,
	       "as in brs.asm");

/* Code that makes both writes and stops recording at its end.  The counter overflows with the taken
 * branch that has this number, from 1 on, behind them.  Returns what the control then says. */
uint64_t brs_sample(struct run *t, void (*code)(const struct brs_run *), bool armed,
		    uint64_t overflows_at, uint64_t turns);

/* Disabled, with no records. */
void brs_forget(void);
/* How many records there are, by DebugExtnCfg, and where that one goes. */
unsigned brs_recorded(uint64_t config);
uint64_t brs_target(unsigned i);
