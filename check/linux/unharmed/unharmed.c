/* SPDX-License-Identifier: BSD-2-Clause */
#include "unharmed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/linux/guest.h"

enum { SHOWN_MOST = 5, STACK_ROOM = 1024 };

/* Bytes that FXSAVE stores; those behind them are the program's own. */
enum { FPU_STORED = 416 };

/* The outcome of a run, which is compared with another one's. */
struct outcome {
	struct state state;
	uint64_t memory;
};

static int counter;

static struct outcome run(const struct code *code, enum next_page next, const uint64_t *gpr,
			  bool counted)
{
	struct outcome outcome;

	pages_map(code, next);
	if (counted)
		event_enable(counter, true);
	enter(code, next, gpr);
	if (counted)
		event_enable(counter, false);
	outcome.state = enter_state;
	outcome.memory = pages_digest();
	return outcome;
}

/* The stack pointer near the begin of its page, so that pushes leave it. */
static void draw_registers(struct random *r, uint64_t gpr[GPRS])
{
	for (unsigned i = 0; i < GPRS; i++)
		gpr[i] = (uint64_t)draw(r, UINT32_MAX) << (draw(r, 2) ? 32 : 0) | draw(r, 1000);
	gpr[RBX] = page_address(BASE_PAGE);
	gpr[RSP] = page_address(PAGE_STACK) + draw(r, STACK_ROOM);
}

/* Names the first difference between two outcomes; NULL: they are the same. */
static const char *difference(const struct outcome *a, const struct outcome *b)
{
	if (a->state.signals != b->state.signals)
		return "signals";
	if (a->state.digest != b->state.digest)
		return "registers at a signal";
	if (memcmp(a->state.gpr, b->state.gpr, sizeof(a->state.gpr)))
		return "registers";
	if (a->state.flags != b->state.flags)
		return "flags";
	if (memcmp(a->state.fpu, b->state.fpu, FPU_STORED))
		return "FPU";
	return a->memory != b->memory ? "memory" : NULL;
}

static bool differs(unsigned round, unsigned shown, bool changes)
{
	static struct code code;
	struct random r = {UINT64_C(0x9e3779b97f4a7c15) * (round + 1)};
	enum next_page next = draw(&r, NEXT_KINDS);
	uint64_t gpr[GPRS];
	struct outcome uncounted, counted;
	const char *what;

	code.changes = changes;
	code_draw(&code, &r, (uint64_t)(uintptr_t)enter_exit);
	draw_registers(&r, gpr);
	uncounted = run(&code, next, gpr, false);
	counted = run(&code, next, gpr, true);
	what = difference(&uncounted, &counted);
	if (what && shown < SHOWN_MOST)
		printf("linux: harmed in round %u: %s, signals %llu and %llu\n", round, what,
		       (unsigned long long)uncounted.state.signals,
		       (unsigned long long)counted.state.signals);
	return what;
}

void unharmed_all(unsigned rounds)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .exclude_kernel = 1};
	unsigned harmed = 0;
	bool changes;

	counter = event_open(&attr, 0, -1);
	if (counter < 0 || pages_open() < 0 || !enter_prepare()) {
		printf("linux: unharmed cannot be tried\n");
		return;
	}
	changes = pages_changes_are_seen();
	for (unsigned round = 0; round < rounds; round++)
		harmed += differs(round, harmed, changes);
	printf("linux: unharmed %u of %u %s changes counted %llu\n", rounds - harmed, rounds,
	       changes ? "with" : "without", (unsigned long long)event_read(counter));
	close(counter);
}
