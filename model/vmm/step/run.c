/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions in a row that work on registers alone.  Nothing can keep the VMM from executing
 * them, so it does that at once: what a single one costs is mostly the exchange of registers.
 */
#include "kernel/lib/string.h"
#include "native.h"

enum { PAGE = 4096, RUNS = 2048 };

static struct run runs[RUNS] LARGE;

/* Up to the end of the page, which the one at rip does not cross. */
static const uint8_t *code_at(const struct guest *g, uint64_t rip, unsigned *available)
{
	const uint8_t *code = guest_code(g, rip, available);
	unsigned left = (unsigned)(PAGE - rip % PAGE);

	*available = left < RUN_BYTES ? left : RUN_BYTES;
	return code;
}

static void learn(struct run *run, uint64_t rip, const uint8_t *code, unsigned available)
{
	run->rip = rip;
	run->count = run->bytes = 0;
	while (run->count < RUN_MOST && run->bytes + 16 <= available) {
		const struct known *known = native_known(rip + run->bytes, code + run->bytes, 15);

		if (!known->plan.straight)
			break;
		run->insn[run->count++] = known->insn;
		run->bytes += known->insn.length;
	}
	memcpy(run->code, code, run->bytes);
	memcpy(run->slot, code, run->bytes);
	native_end(run->slot + run->bytes);
}

/* By words: this is done each time, as programs may change. */
static bool is_same(const struct run *run, const uint8_t *code)
{
	typedef uint64_t word __attribute__((aligned(1), may_alias));
	const word *a = (const word *)run->code, *b = (const word *)code;
	unsigned whole = run->bytes / 8, rest = run->bytes % 8;
	uint64_t differs = (a[whole] ^ b[whole]) & ((UINT64_C(1) << 8 * rest) - 1);

	for (unsigned i = 0; i < whole; i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

HOT const struct run *run_find(const struct guest *g, uint64_t rip)
{
	struct run *run = &runs[rip % RUNS];
	unsigned available;
	const uint8_t *code = code_at(g, rip, &available);

	if (run->rip != rip || run->bytes + 16 > available || !is_same(run, code))
		learn(run, rip, code, available);
	return run;
}

/* One by one: where an interrupt comes after one of the first. */
static void execute_some(struct guest *g, const struct run *run, unsigned count)
{
	const uint8_t *code = run->code;

	for (unsigned i = 0; i < count; i++) {
		uint64_t rip = g->vmcb->rip;
		unsigned length = run->insn[i].length;

		native_run(g, native_known(rip, code, length)->plan.slot, rip + length);
		code += length;
	}
}

HOT void run_execute(struct guest *g, const struct run *run, unsigned count)
{
	if (count == run->count)
		native_run(g, run->slot, run->rip + run->bytes);
	else
		execute_some(g, run, count);
}
