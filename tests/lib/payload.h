/* SPDX-License-Identifier: BSD-2-Clause */
/* Payloads: micro-kernels whose counts are constants made by the assembler. */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <stdint.h>

/* What one call retires: fixed + n * per_iteration, from entry up to and including the RET.
 * Signed: the last pass of a loop does not take its branch, so fixed.taken may be negative. */
struct payload_counts {
	int64_t instructions, branches, taken, loads, stores, near_returns;
};

/* Laid out by tests/payloads/payload.inc; offsets asserted in tests/lib/payload.c. */
struct payload {
	const char *name;
	uint64_t (*entry)(uint64_t iterations, void *buffer); /* in .user.text; iterations >= 1 */
	struct payload_counts fixed, per_iteration;
};

extern const struct payload payload_straight; /* straight-line ALU */
extern const struct payload payload_chain; /* dependent chain */
extern const struct payload payload_branches; /* taken and not-taken branches */
extern const struct payload payload_calls; /* calls and returns */
extern const struct payload payload_memory; /* loads and stores over a buffer */
extern const struct payload payload_bursts; /* bursts separated by a serialising pause */
extern const struct payload payload_mix;
extern const struct payload payload_sub; /* sub-events: fixed counts of EV_SUB_A and EV_SUB_B */
extern const struct payload payload_spaced; /* branches, returns and MMX instructions far apart */
extern const struct payload payload_vector; /* x87 and packed single-precision additions */
extern const struct payload
	payload_kinds; /* all kinds of SSE arithmetic, and a string instruction */
extern const struct payload payload_misses; /* each load misses the cache */
extern const struct payload payload_awkward; /* loads, stores and lines that cost detours */

/* Not in the table below: */
extern const struct payload payload_segments; /* loads of segment registers */
extern const struct payload payload_store_misses; /* each store misses the cache */
extern const struct payload payload_mmx; /* all kinds of MMX arithmetic */
extern const struct payload payload_code_misses; /* code that no cache has is called */
extern const struct payload payload_stores; /* more of them in a row than there are buffers */
extern const struct payload payload_prefetches; /* each line is prefetched that no cache has */
extern const struct payload payload_streams; /* a line per iteration is written past the caches */
extern const struct payload payload_replays; /* loads behind stores that are not ready */
extern const struct payload payload_aliases; /* loads 64 KiB from what has just been stored */
extern const struct payload payload_moves; /* of MMX registers, from memory and to it */
extern const struct payload payload_guess; /* a branch that no predictor can foresee */
extern const struct payload payload_precise; /* a loop at known addresses */

extern const struct payload *const payloads[]; /* NULL ends it */

#endif
