/* SPDX-License-Identifier: BSD-2-Clause */
/* All states that a program goes through, by the trap flag: what samplers may say of it. */
#include "random.h"

#define RFLAGS_CF BIT(0)
#define RFLAGS_PF BIT(2)
#define RFLAGS_ZF BIT(6)
#define RFLAGS_SF BIT(7)
/* Others are undefined behind some instructions. */
#define FLAGS (RFLAGS_CF | RFLAGS_PF | RFLAGS_ZF | RFLAGS_SF)

struct trace trace_now;

static uint16_t place_of(uint64_t ip)
{
	uint64_t at = ip - (uintptr_t)user_code;

	return at < USER_CODE_SIZE ? (uint16_t)at : UINT16_MAX;
}

/* ---- registers ---- */

uint32_t trace_state(const uint64_t gpr[SAMPLE_GPRS], uint64_t flags)
{
	uint64_t state = flags & FLAGS;

	for (unsigned i = 0; i < WORD_GPRS; i++) {
		state = (state ^ gpr[i]) * UINT64_C(0x9e3779b97f4a7c15);
		state ^= state >> 29;
	}
	return (uint32_t)state;
}

/* What is not in the frame has been pushed below it: EBX, ECX, EDX, and R8 on. */
static uint32_t state_of(const struct trap_frame *frame)
{
	const uintptr_t *below = (const uintptr_t *)frame;
	uint64_t gpr[SAMPLE_GPRS] = {frame->ax, below[-2], below[-3], below[-1],
				     frame->sp, frame->bp, frame->si, frame->di};

	for (unsigned i = 8; i < WORD_GPRS; i++)
		gpr[i] = below[4 - (int)i];
	return trace_state(gpr, frame->flags);
}

/* ---- the way into the program ---- */

asm_code *trace_entry(void)
{
	return (asm_code *)((uintptr_t)user_code + AT_ENTRY);
}

/* MOV of a number to each register that the program leaves alone, and a JMP to it: what called it
 * in ring 3 gets its own registers back. */
static void load_entry(void)
{
	uint8_t *at = image_now.code + AT_ENTRY;
	int32_t back;

	for (unsigned i = 8; i < WORD_GPRS; i++) {
		*at++ = 0x49;
		*at++ = (uint8_t)(0xb8 + i - 8);
		memset(at, (int)(0x10 + i), 8);
		at += 8;
	}
	*at++ = 0xbd; /* ebp */
	memset(at, 0x15, 4);
	at += 4;
	*at++ = 0xe9;
	at += sizeof(back);
	back = (int32_t)(image_now.code - at);
	memcpy(at - sizeof(back), &back, sizeof(back));
	user_code_load(image_now.code, sizeof(image_now.code));
}

/* ---- stepping ---- */

static void stop(struct trap_frame *frame)
{
	frame->flags &= ~RFLAGS_TF;
}

/* The way in is none of it. */
static bool step(struct trap_frame *frame, void *arg)
{
	struct trace *trace = &trace_now;
	bool *done = arg;

	if (!(frame->cs & 3) || (!trace->n && frame->ip != (uintptr_t)user_code))
		return true;
	if (trace->n == TRACE_MAX || *done) {
		stop(frame);
		return true;
	}
	trace->at[trace->n] = place_of(frame->ip);
	trace->state[trace->n++] = state_of(frame);
	*done = !note_at(frame->ip)->is;
	if (*done)
		stop(frame);
	return true;
}

static bool run(void)
{
	bool done = false;

	trace_now.n = 0;
	image_prepare_buffer();
	trap_set_handler(VECTOR_DB, step, &done);
	user_call(trace_entry(), image_now.turns, user_buffer(), RFLAGS_TF);
	trap_set_handler(VECTOR_DB, NULL, NULL);
	return done;
}

bool trace_run(unsigned instructions)
{
	load_entry();
	image_now.turns = 1;
	if (!run())
		return false;
	image_now.turns = 1 + (instructions - 1) / trace_now.n;
	/* A turn depends on the buffer. */
	while (!run() && image_now.turns > 1)
		image_now.turns -= 1 + image_now.turns / 4;
	return true;
}

unsigned trace_next(unsigned from, uint64_t ip)
{
	while (from < trace_now.n && place_of(ip) != trace_now.at[from])
		from++;
	return from;
}

bool trace_goes(uint64_t from, uint64_t to)
{
	for (unsigned i = trace_next(0, from); i + 1 < trace_now.n; i = trace_next(i + 1, from))
		if (trace_now.at[i + 1] == place_of(to))
			return true;
	return false;
}
