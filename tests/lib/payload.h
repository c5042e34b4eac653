/* SPDX-License-Identifier: BSD-2-Clause */
/* Payloads: micro-kernels whose counts are constants made by the assembler. */
#pragma once

#include <stdint.h>
#include <word.h>

/* Instructions, branches and so on that one call retires: fixed + n * per_iteration, from entry up
 * to and including the RET.  Signed: the last pass of a loop does not take its branch, so
 * fixed.taken may be negative. */
struct payload_counts {
	union {
		struct {
			int64_t instructions, branches, taken, loads, stores, near_returns;
			int64_t twice; /* instructions that NetBurst may count twice */
		};
		int64_t all[7];
	};
};

struct payload_quantity {
	char name[16];
	int64_t each; /* per iteration */
};

/* Laid out by tests/payloads/payload.inc; offsets asserted in tests/lib/payload.c. */
struct payload {
	char name[16];
	asm_code *entry; /* in .user.text: iterations, at least 1, and a buffer */
	const struct payload_quantity *quantities; /* its own ones; a name of "" ends them */
	const struct payload *stands_for; /* where that one cannot be run; NULL: for none */
	struct payload_counts fixed, per_iteration;
	uint32_t ordinary; /* every counter of retired instructions or branches can count it */
	uint32_t needs; /* bits of CPUID 1 EDX, without which it cannot be run */
};

/* Every file of tests/payloads.  The linker makes both symbols. */
extern const struct payload __start_payloads[],
	__stop_payloads[] __attribute__((visibility("hidden")));
#define FOR_EACH_PAYLOAD(p)                                                                        \
	for (const struct payload *p = __start_payloads; p < __stop_payloads; p++)

/* Instructions, branches and so on of n iterations, with the fixed part. */
struct payload_counts payload_total(const struct payload *payload, uint64_t n);

/* Looks at what the processor has.  Payloads that stand for what it cannot run take its place. */
void payloads_choose(void);
/* Why the processor cannot run it; NULL: it can.  After payloads_choose(). */
const char *payload_missing(const struct payload *payload);

/* How often an iteration does what a member of struct payload_counts, or the payload itself, has
 * this name for; 0: never. */
uint64_t payload_does(const struct payload *payload, const char *quantity);

/* The payload that makes an event occur, as pmu_event.occasion names it; it is a panic if no
 * payload does that. */
struct occasion {
	const struct payload *payload;
	uint64_t each; /* per iteration; 0: the name does not say */
};
struct occasion payload_occasion(const char *name);

/* A debugger's step through a payload: the instruction at from has run, the one at to runs next.
 * Loads and stores it does not tell. */
void payload_step(struct payload_counts *seen, uint64_t from, uint64_t to);

/* The payloads that C code names. */
extern const struct payload payload_apart, payload_branches, payload_bursts, payload_calls,
	payload_chain, payload_code_misses, payload_guess, payload_memory, payload_misses,
	payload_mix, payload_mmx, payload_moves_apart, payload_pages, payload_precise,
	payload_prefetches, payload_spaced, payload_store_misses, payload_straight, payload_streams,
	payload_sub, payload_vector;
