/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own, and code of which each instruction is known to them. */
#pragma once

#include "samples.h"

/* NOPs between the write that arms and the look. */
#define KNOWN_STRAIGHT 3590u
#define KNOWN_SHORT    600u
/* Multiplications of known_slow, each of which waits for the one before it. */
#define KNOWN_SLOW 1000u

#pragma GCC visibility push(hidden)
extern asm_code known_slow, known_missed;
extern const struct code_around known_around;
extern const char known_end[], known_missing[];
extern const struct known known_rows[];
#pragma GCC visibility pop

/* So many NOPs, until another one is made. */
asm_code *known_nops(unsigned nops);

/* For .absent: of a sampler that does not count ops. */
const char *not_of_ops(const struct pmu *pmu, unsigned ctr);

/* Arms the sampler, runs the code, known_mix so many turns, and looks; interrupts are off.  True:
 * there is a record, and the sampler is still armed. */
bool own_run(struct run *t, const struct pmu_sampling *what, asm_code *code, unsigned turns);
/* The same while interrupts are on. */
bool own_run_open(struct run *t, const struct pmu_sampling *what, asm_code *code, unsigned turns);
/* As own_run(), of a sampler that another MSR stops: that is written last, ahead of the code, and
 * stops it again behind it. */
bool own_run_started(struct run *t, const struct pmu_sampling *what, asm_code *code,
		     unsigned turns);
/* Of many records of known_mix, with one period after the other, by ops and by clocks as far as the
 * sampler counts these: judges each whose instruction is known.  NULL: it is of no instruction. */
typedef void own_judge(struct run *t, const struct pmu_sample *sample, const struct known *known);
void own_judge_each(struct run *t, own_judge *judge);
