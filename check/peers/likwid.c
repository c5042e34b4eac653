/* SPDX-License-Identifier: BSD-2-Clause */
/* Regions of LIKWID's marker API around a known loop, and around known reads of memory:
 *
 *     likwid turns EACH...    how many of each event 10,000 turns have, in the order of the events
 *     likwid lines EACH...    1,024 lines that are in no cache
 */
#define LIKWID_PERFMON
#include <likwid-marker.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 10000, LINES = 1024, LINE = 64, TRIES = 3, EVENTS = 8 };

static char memory[2 * LINES * LINE] __attribute__((aligned(4096)));

static void turns(long count)
{
	__asm__ volatile("1:\n"
			 "	nop\n"
			 "	nop\n"
			 "	dec %0\n"
			 "	jnz 1b"
			 : "+r"(count));
}

/* Each is flushed while the counters run: the model's caches know nothing of what was before. */
static void lines(long count)
{
	for (long i = 0; i < count; i++)
		__asm__ volatile("clflush %0\n\tmfence\n\tmovb %0, %%al"
				 : "+m"(memory[i * LINE])
				 :
				 : "al", "memory");
}

/* The region adds up its visits. */
static void look(double *sums)
{
	int events = EVENTS, visits;
	double seconds;

	LIKWID_MARKER_GET("work", &events, sums, &seconds, &visits);
}

static void visit(void (*work)(long count), long count, double *got)
{
	double before[EVENTS] = {0}, behind[EVENTS] = {0};

	look(before);
	LIKWID_MARKER_START("work");
	work(count);
	LIKWID_MARKER_STOP("work");
	look(behind);
	for (int i = 0; i < EVENTS; i++)
		got[i] = behind[i] - before[i];
}

/* An interrupt may add something to a count, but takes nothing from it. */
static void least(void (*work)(long count), long count, double *best)
{
	double got[EVENTS];

	visit(work, count, best);
	for (int try = 1; try < TRIES; try++) {
		visit(work, count, got);
		for (int i = 0; i < EVENTS; i++)
			best[i] = got[i] < best[i] ? got[i] : best[i];
	}
}

int main(int argc, char **argv)
{
	bool reads = argc > 1 && !strcmp(argv[1], "lines");
	void (*work)(long count) = reads ? lines : turns;
	long count = reads ? LINES : TURNS;
	double one[EVENTS], two[EVENTS];

	memset(memory, 1, sizeof(memory)); /* pages of its own, not the one of zeros */
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_REGISTER("work");
	visit(work, count, one); /* the first one is longer: LIKWID makes room for its sums */
	least(work, count, one);
	least(work, 2 * count, two);
	for (int i = 2; i < argc; i++)
		printf("peer|%s, event %d|%.0f|%s\n", argv[1], i - 2, two[i - 2] - one[i - 2],
		       argv[i]);
	LIKWID_MARKER_CLOSE;
	return 0;
}
