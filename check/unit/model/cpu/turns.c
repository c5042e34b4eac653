/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of a loop at once: so many that 32 bits cannot tell how often its path was gone, and some
 * while nothing counts. */
#include <inttypes.h>

#include "check/unit/tap.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

/* Of zen4: event select and counter; retired instructions in all rings. */
enum { PERF_CTL0 = 0xc0010000, PERF_CTR0 = 0xc0010004, INSTRUCTIONS = 0x4300c0 };
#define TURNS UINT64_C(9000000000)

static struct silicon *const cpu = &silicon_cpu;

/* JE to itself. */
static void make_loop(struct block *loop, struct insn *insn)
{
	static const uint8_t code[15] = {0x74, 0xfe};

	insn_decode(code, sizeof(code), CODE_64, insn);
	insn->address = 0x1000;
	*loop = (struct block){.count = 1, .insn = {insn}};
	silicon_block(loop);
}

static struct block b;

/* Power-on, and the loop. */
static void begin(void)
{
	static struct insn insn;

	silicon_reset(cpu, profile_find("zen4"), NULL);
	make_loop(&b, &insn);
}

static void turn(uint64_t turns)
{
	while (turns && silicon_takes_block(cpu, &b, 0)) {
		uint64_t times = silicon_block_times(cpu, &b);

		times = times < turns ? times : turns;
		silicon_retire_loop(cpu, &b, (unsigned)times, true, true);
		turns -= times;
	}
	OK(!turns);
}

static bool has_counted(uint64_t turns)
{
	uint64_t value;

	silicon_rdmsr(cpu, PERF_CTR0, &value);
	if (value != turns)
		printf("# %" PRIu64 " of %" PRIu64 " turns\n", value, turns);
	return value == turns;
}

static void test_many(void)
{
	begin();
	silicon_wrmsr(cpu, PERF_CTL0, INSTRUCTIONS);
	turn(TURNS);
	OK(has_counted(TURNS));
}

static void test_idle(void)
{
	begin();
	for (unsigned i = 0; i < 3; i++) {
		silicon_wrmsr(cpu, PERF_CTL0, INSTRUCTIONS);
		turn(1000);
		silicon_wrmsr(cpu, PERF_CTL0, 0);
		turn(10);
	}
	OK(has_counted(3000));
}

int main(void)
{
	test_many();
	test_idle();
	return tap_end();
}
