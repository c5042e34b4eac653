/* SPDX-License-Identifier: BSD-2-Clause */
/* PAPI's presets over a loop of 10,000 and one of 20,000 turns, read without a system call, and its
 * signals at overflows. */
#include <papi.h>
#include <stdio.h>

enum { TURNS = 10000, TRIES = 3, PERIOD = 20000, LONG = 500000, INSTRUCTIONS = 4 };

/* PAPI's events, and how many of each one turn of the loop has. */
static const struct {
	int code;
	const char *name;
	long each;
} presets[] = {
	{PAPI_TOT_INS, "PAPI_TOT_INS", INSTRUCTIONS},
	{PAPI_BR_INS, "PAPI_BR_INS", 1},
	{PAPI_BR_CN, "PAPI_BR_CN", 1},
	{PAPI_BR_TKN, "PAPI_BR_TKN", 1},
	{PAPI_BR_NTK, "PAPI_BR_NTK", 0},
	{PAPI_BR_MSP, "PAPI_BR_MSP", 0},
};

extern char loop_first[], loop_end[];
static volatile long overflows, inside;

__attribute__((noinline)) static void loop(long turns)
{
	__asm__ volatile(".globl loop_first, loop_end\n"
			 "loop_first:\n"
			 "	nop\n"
			 "	nop\n"
			 "	dec %0\n"
			 "	jnz loop_first\n"
			 "loop_end:"
			 : "+r"(turns));
}

static void on_overflow(int set, void *address, long long vector, void *context)
{
	(void)set, (void)vector, (void)context;
	overflows++;
	inside += (char *)address >= loop_first && (char *)address < loop_end;
}

/* An interrupt may add something to a count, but takes nothing from it. */
static long long least(int set, long turns)
{
	long long best = -1, before, after;

	for (int i = 0; i < TRIES; i++) {
		PAPI_read(set, &before);
		loop(turns);
		PAPI_read(set, &after);
		if (best < 0 || after - before < best)
			best = after - before;
	}
	return best;
}

static void count(int code, const char *name, long each)
{
	int set = PAPI_NULL;
	long long last, one;

	if (PAPI_query_event(code) != PAPI_OK)
		return;
	PAPI_create_eventset(&set);
	if (PAPI_add_event(set, code) != PAPI_OK || PAPI_start(set) != PAPI_OK) {
		printf("peer|%s|refused|%ld\n", name, each * TURNS);
		return;
	}
	one = least(set, TURNS);
	printf("peer|%s|%lld|%ld\n", name, least(set, 2 * TURNS) - one, each * TURNS);
	PAPI_stop(set, &last);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static void sample(void)
{
	int set = PAPI_NULL;
	long long counted;

	PAPI_create_eventset(&set);
	PAPI_add_event(set, PAPI_TOT_INS);
	if (PAPI_overflow(set, PAPI_TOT_INS, PERIOD, 0, on_overflow) != PAPI_OK ||
	    PAPI_start(set) != PAPI_OK) {
		printf("peer|overflows|refused|100\n");
		return;
	}
	loop(LONG);
	PAPI_stop(set, &counted);
	printf("peer|overflows|%ld|%ld\n", overflows, (long)LONG * INSTRUCTIONS / PERIOD);
	printf("peer|overflows inside|%ld|%ld\n", inside, overflows);
}

int main(void)
{
	const PAPI_component_info_t *info;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		printf("peer|library|refused|there\n");
		return 1;
	}
	info = PAPI_get_component_info(0);
	printf("peer|counters are read by RDPMC|%d|1\n", info->fast_counter_read);
	for (unsigned i = 0; i < sizeof(presets) / sizeof(*presets); i++)
		count(presets[i].code, presets[i].name, presets[i].each);
	sample();
	printf("peer done\n");
	return 0;
}
