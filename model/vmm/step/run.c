/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs: instructions in a row that the VMM can execute itself.  Questions that each of them would
 * need by itself, such as where its bytes are and whether they are as before, are asked once.
 */
#include "kernel/lib/string.h"
#include "native.h"

enum { PAGE = 4096, RUNS = 16384, PLACES = 131072, OPERAND_MOST = 16 /* bytes */ };
enum { MARGIN = 16 /* behind a run: no instruction is longer */ };

/* Runs in the order in which they were met, and the number of each by its address; number 0 is
 * none. To find one anew costs: its code is translated by QEMU. */
static struct insn_run runs[RUNS] LARGE;
static uint16_t numbers[PLACES] LARGE;
static uint16_t met;

/* The code from rip to the end of the page, which the instruction at rip does not cross; none where
 * no page is mapped. */
static const uint8_t *code_at(const struct guest *g, uint64_t rip, unsigned *available)
{
	const uint8_t *code = guest_code(g, rip, available);
	unsigned left = (unsigned)(PAGE - rip % PAGE);

	if (*available)
		*available = left < RUN_BYTES ? left : RUN_BYTES;
	return code;
}

/* ---- a new one ---- */

/* Finds the pieces of a run.  A run without pieces has the bytes of the instruction that is the
 * reason. */
static void find_pieces(const struct guest *g, struct insn_run *run, const uint8_t *code,
			unsigned available)
{
	enum plan_kind kind = PLAN_NATIVE;

	while (kind < PLAN_JCC && run->count < RUN_MOST && run->bytes + MARGIN <= available) {
		const struct known *known =
			native_known(run->rip + run->bytes, code + run->bytes, 15, g->size);

		kind = known->plan.kind;
		if (kind == PLAN_STEP || kind > PLAN_RET) {
			run->bytes = run->count ? run->bytes : known->insn.length;
			break;
		}
		if (run->bytes + known->insn.length + MARGIN > available)
			break;
		run->piece[run->count++] = (struct piece){.known = known, .stamp = known->stamp};
		run->bytes += known->insn.length;
	}
}

static uint64_t behind(const struct insn_run *run, unsigned i)
{
	const struct known *known = run->piece[i].known;

	return known->rip + known->insn.length;
}

/* A system's FPU is the guest mode's: see native.c. */
static bool is_straight(const struct guest *g, const struct plan *plan)
{
	return plan->straight && !(plan->kind == PLAN_FPU && g->system);
}

static void join_straight(const struct guest *g, struct insn_run *run)
{
	uint8_t *slot = run->slots;
	unsigned after = 0;

	run->fpu = false;
	for (unsigned i = run->count; i-- > 0;) {
		const struct plan *plan = &run->piece[i].known->plan;

		run->piece[i].straight = after = is_straight(g, plan) ? after + 1 : 0;
		run->fpu |= after && plan->kind == PLAN_FPU;
	}
	for (unsigned i = 0; i < run->count; i++) {
		const struct plan *plan = &run->piece[i].known->plan;

		if (!run->piece[i].straight)
			continue;
		run->piece[i].slot = slot;
		run->piece[i].behind = behind(run, i + run->piece[i].straight - 1);
		memcpy(slot, plan->slot, plan->slot_length);
		slot += plan->slot_length;
		if (run->piece[i].straight == 1) {
			native_end(slot);
			slot += NATIVE_END;
		}
	}
}

static bool changes_memory(const struct plan *plan)
{
	return plan->writes || plan->kind == PLAN_PUSH || plan->kind == PLAN_PUSHF ||
	       plan->kind == PLAN_STRING;
}

static void join_block(struct insn_run *run)
{
	run->block.count = run->count;
	for (unsigned i = 0; i < run->count; i++) {
		run->block.insn[i] = &run->piece[i].known->insn;
		run->piece[i].changes = changes_memory(&run->piece[i].known->plan);
	}
	silicon_block(&run->block);
}

COLD static void learn(const struct guest *g, struct insn_run *run, uint64_t rip,
		       const uint8_t *code, unsigned available)
{
	run->rip = rip;
	run->size = g->size;
	run->count = run->bytes = run->stamp = 0;
	if (!native_has_room(RUN_MOST))
		return;
	find_pieces(g, run, code, available);
	memcpy(run->code, code, run->bytes);
	join_straight(g, run);
	join_block(run);
	loop_join(run);
}

/* ---- one that was met before ---- */

/* Is the code still the same?  It is compared by words, and each time, as programs may change. */
static bool has_same_bytes(const struct insn_run *run, const uint8_t *code)
{
	typedef uint64_t word __attribute__((aligned(1), may_alias));
	const word *a = (const word *)run->code, *b = (const word *)code;
	unsigned whole = run->bytes / 8, rest = run->bytes % 8;
	uint64_t differs = (a[whole] ^ b[whole]) & ((UINT64_C(1) << 8 * rest) - 1);

	for (unsigned i = 0; i < whole; i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

static bool has_same_plans(struct insn_run *run)
{
	uint32_t differs = 0;

	if (run->stamp == native_stamp)
		return true;
	run->stamp = native_stamp;
	for (unsigned i = 0; i < run->count; i++)
		differs |= run->piece[i].known->stamp ^ run->piece[i].stamp;
	return !differs;
}

/* When there are too many, the oldest ones make room. */
static struct insn_run *run_at(uint64_t rip)
{
	uint16_t *number = &numbers[rip % PLACES];

	if (!*number)
		*number = met = (uint16_t)(met % (RUNS - 1) + 1);
	return &runs[*number];
}

/* Looks at where its code is, and makes it another one where that is not the same. */
APART static void look_at(const struct guest *g, struct insn_run *run, uint64_t rip)
{
	unsigned available;
	const uint8_t *code = code_at(g, rip, &available);

	if (run->rip != rip || run->size != g->size || !run->bytes ||
	    run->bytes + MARGIN > available || !has_same_bytes(run, code) || !has_same_plans(run))
		learn(g, run, rip, code, available);
}

/* As many bytes as a run has are there whenever its page is, but for the reason why there are no
 * pieces, which may go on in the next page. */
HOT const struct insn_run *run_find(const struct guest *g, uint64_t rip)
{
	struct insn_run *run = run_at(rip);
	const uint8_t *code = guest_code_here(g, rip);

	if (!code || run->rip != rip || run->size != g->size || !run->bytes ||
	    rip % PAGE > PAGE - MARGIN || run->stamp != native_stamp || !has_same_bytes(run, code))
		look_at(g, run, rip);
	return run;
}

void run_forget(void)
{
	for (unsigned i = 0; i < RUNS; i++)
		runs[i].bytes = 0;
}

/* ---- execution ---- */

/* Executes pieces one by one, where an interrupt comes after one of the first. */
static void execute_some(struct guest *g, const struct piece *first, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct known *known = first[i].known;

		native_run(g, known->plan.slot, known->rip + known->insn.length);
	}
}

HOT void run_straight(struct guest *g, const struct piece *first, unsigned count)
{
	if (count == first->straight)
		native_run(g, first->slot, first->behind);
	else
		execute_some(g, first, count);
}

/* The place in the page tells, as the page may be mapped elsewhere, too. */
HOT bool run_may_be_overwritten(const struct insn_run *run, const struct plan *plan)
{
	return plan->kind == PLAN_STRING ||
	       (native_written - run->rip + OPERAND_MOST) % PAGE < run->bytes + OPERAND_MOST;
}

bool run_is_overwritten(const struct guest *g, const struct insn_run *run)
{
	const uint8_t *code = guest_code_here(g, run->rip);

	return !code || !has_same_bytes(run, code);
}
