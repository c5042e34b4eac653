/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Windows in which counters write records, and what must be in a record.
 *
 * Room: what is claimed of any sampler that records the overflows of counters.
 * Uses: tests/lib
 */
#pragma once

#include "tests/lib/test.h"

#define IBS  "AMD64 APM vol. 2, 13.3: instruction-based sampling"
#define PEBS "SDM vol. 3B, 20.3.1.1, 20.9: precise event based sampling"

/* Long beside ARMING, and its low six bits are zero, as Broadwell wants them (BDM055; Linux,
 * bdw_limit_period()). */
#define PERIOD 1024u
/*
 * A record is of the first event after the counter is armed, which takes its time after the
 * overflow, and an event may be lost on the way.  No document bounds either.  So this is an
 * assumption: so many events at most for both.  It rests on errata BJ103, HSD011 and BDM011, by
 * which even the counter that is armed ahead of its overflow needs 100 events for that.
 */
#define ARMING   100u
#define RECORDS  5u
#define ROOM     8u
#define IN_A_ROW 16u /* and room for one more, however early they come */
/* Ends half-way between the last of n records, if all are as late as can be, and the overflow of
 * the next, if none is: what happens at the end of a window is not judged. */
#define EVENTS_FOR(n) (((n) * (PERIOD + ARMING) + ((n) + 1) * PERIOD) / 2)

_Static_assert(PERIOD > 2 * RECORDS * ARMING, "room for the end of a window");

#pragma GCC visibility push(hidden)
extern const char precise_loop[], precise_dec[], precise_branch[], precise_end[];
#pragma GCC visibility pop

/* With so many events of this kind at least. */
struct work sampled_loop(unsigned event, uint64_t events);
bool in_loop(uint64_t ip);

/* For .absent: of which no generic event is recorded. */
const char *not_of_counters(const struct pmu *pmu, unsigned ctr);
/* The sampler; ends the test as skipped where the event that it records is not known. */
const struct pmu_sampler *sampler_of(struct run *t);
/* With so many events one is written, however late it is. */
#define RECORD_DUE (PERIOD + 2 * ARMING)
/* Is a record due of this window?  What the counter counts need not occur in the loop, or not
 * each time alike. */
bool record_is_due(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work);
/* In ring 3. */
struct slot sampled_slot(struct run *t, unsigned ctr, uint64_t from);
/* Arms these counters, programs the slots for what is recorded, runs the window, disarms.  Returns
 * the bytes written. */
uint64_t sampled_run(struct run *t, struct window *w, const struct pmu_sampling *what);

/* Checks the registers, as any instruction of the loop leaves them. */
void check_registers(struct run *t, const struct pmu_sample *sample);
/* Checks the registers, addresses and size of a record of the loop that has all groups. */
void check_record(struct run *t, unsigned record, uint64_t counters);

/* ---- own.c: code of which each instruction is known ---- */

/* An instruction of known_mix. */
enum known_is {
	KNOWN_OTHER, /* around the loop */
	KNOWN_NOP,
	KNOWN_PLAIN, /* of registers alone */
	KNOWN_LOAD,
	KNOWN_STORE,
	KNOWN_BOTH,
	KNOWN_LOCKED, /* the same with a LOCK prefix */
	KNOWN_JUMP,
	KNOWN_NEVER, /* a conditional branch that is never taken, */
	KNOWN_LAST, /* and that at the end of the loop */
	KNOWN_CALL,
	KNOWN_RETURN,
};
struct known {
	uint16_t at; /* behind known_first; 0: there are no more */
	uint16_t where; /* its operand in the buffer, or behind known_first where it branches to */
	uint8_t is; /* enum known_is */
	uint8_t width; /* of its operand, in bytes */
};

#pragma GCC visibility push(hidden)
extern asm_code known_mix;
extern const char known_first[];
#pragma GCC visibility pop

/* Runs the code between the writes of another MSR, as interrupts are.  Returns what it holds
 * ahead of the last one. */
uint64_t own_run_by(struct run *t, struct msr_switch by, asm_code *code, unsigned turns);
/* NULL: none of known_mix begins there. */
const struct known *own_find(uint64_t ip);

/* For .absent: of a sampler that has no period of its own. */
const char *not_of_its_own(const struct pmu *pmu, unsigned ctr);
/* Takes the record; without one there is nothing to judge, and the test ends. */
struct pmu_sample own_take(struct run *t);
/* If more checks have failed than these: describes the last record, and ends the test where others
 * would say the same once more. */
void own_describe(struct run *t, unsigned failures);
/* Ends it; as known if a check failed of what an erratum of this part says that records tell wrong.
 */
_Noreturn void own_end(struct run *t);
