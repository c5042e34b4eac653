/* SPDX-License-Identifier: BSD-2-Clause */
/* Both logical processors of a core: whose events count, when, and who is interrupted. */
#include "check/unit/model/pmu/netburst/processor.h"
#include "model/pmu/intel/intel.h"

/* instr_retired NBOGUSNTAG, but for the bits of the threads; CRU_ESCR0. */
#define INSTRUCTIONS UINT64_C(0x04000200)
#define CLOCKS       UINT64_C(0x26000200) /* global_power_events RUNNING; FSB_ESCR0 */
#define MODES        UINT64_C(0x02000000) /* TC_deliver_mode; TC_ESCR0 */
#define TC_ESCR0     0x3c4u
#define COUNT_TC     0x00033000u

/* Number n executes at that level, the other one is active in ring 3 or halted. */
static void turn(unsigned n, unsigned cpl, bool other_active)
{
	struct threads threads = {.now = n, .state = {THREAD_HALTED, THREAD_HALTED}};

	threads.state[n] = THREAD_ACTIVE;
	threads.cpl[n] = cpl;
	threads.cpl[1 - n] = 3;
	if (other_active)
		threads.state[1 - n] = THREAD_ACTIVE;
	silicon_switch(cpu, &threads);
}

/* Instructions counted of one in each ring on each thread, as decimal digits: T1 user, T1 system,
 * T0 user, T0 system. */
static unsigned counted(uint64_t flags)
{
	unsigned digits = 0, weight = 1;

	reset("northwood");
	use(12, CRU_ESCR0, INSTRUCTIONS | flags, COUNT_CRU);
	for (unsigned n = 0; n < THREADS; n++)
		for (unsigned cpl = 0; cpl <= 3; cpl += 3) {
			uint64_t before = count(12);

			turn(n, cpl, false);
			retire(nop, sizeof(nop), cpl, true);
			turn(n, cpl, false);
			digits += weight * (unsigned)(count(12) - before);
			weight *= 10;
		}
	return digits;
}

static void test_flags(void)
{
	OK(counted(0) == 0);
	OK(counted(ESCR_T0_OS) == 1 && counted(ESCR_T0_USR) == 10);
	OK(counted(ESCR_T1_OS) == 100 && counted(ESCR_T1_USR) == 1000);
	OK(counted(ESCR_T0_USR | ESCR_T1_OS) == 110);
}

/* A thread-independent event, whoever executes. */
static void test_independent(void)
{
	reset("northwood");
	use(8, FIRM_ESCR0, 0x05000000 | ESCR_T0_OS, 0x00033000); /* 64bit_MMX_uop ALL */
	turn(1, 0, false);
	RUN(paddb);
	turn(0, 0, false);
	OK(count(8) == 1);
}

static void test_clocks(void)
{
	reset("northwood");
	use(0, FSB_ESCR0, CLOCKS | ESCR_T0_USR, 0x0003d000);
	turn(1, 0, true);
	RUN(cpuid);
	OK(count(0) == 3 + 4); /* of number 0 as well: it waits in ring 3 */
	turn(1, 0, false);
	RUN(cpuid);
	OK(count(0) == 3 + 4);
}

/* Instructions of one while both are active, and of one alone. */
static unsigned active(uint64_t field)
{
	uint64_t both;

	reset("northwood");
	use(12, CRU_ESCR0, INSTRUCTIONS | ESCR_T1_OS,
	    (COUNT_CRU & ~(uint64_t)CCCR_ACTIVE_THREAD) | field << 16);
	turn(1, 0, true);
	RUN(nop);
	turn(1, 0, false);
	both = count(12);
	RUN(nop);
	turn(1, 0, false);
	return (unsigned)(10 * both + count(12) - both);
}

static void test_active_thread(void)
{
	OK(active(0) == 0 && active(1) == 1 && active(2) == 10 && active(3) == 11);
}

static bool is_held(uint64_t flags, unsigned thread)
{
	reset("northwood");
	turn(0, 0, true);
	write(COUNTER(12), NEGATIVE(1));
	use(12, CRU_ESCR0, INSTRUCTIONS | ESCR_T0_OS, COUNT_CRU | flags);
	for (unsigned i = 0; i < 20; i++)
		RUN(cpuid);
	return silicon_take_pmi(cpu, thread).held;
}

static void test_interrupt(void)
{
	OK(is_held(CCCR_OVF_PMI_T0, 0) && !is_held(CCCR_OVF_PMI_T0, 1));
	OK(!is_held(CCCR_OVF_PMI_T1, 0) && is_held(CCCR_OVF_PMI_T1, 1));
	OK(is_held(CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1, 0) &&
	   is_held(CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1, 1));
	OK(!is_held(0, 0) && !is_held(0, 1));
}

/* One that waits to be started is interrupted by nobody. */
static void test_waiting(void)
{
	reset("northwood");
	write(COUNTER(12), NEGATIVE(1));
	use(12, CRU_ESCR0, INSTRUCTIONS | ESCR_T0_OS, COUNT_CRU | CCCR_OVF_PMI_T1);
	for (unsigned i = 0; i < 20; i++)
		RUN(cpuid);
	OK(count(12) == 19 && !silicon_take_pmi(cpu, 1).held);
	write(CCCR(12), CCCR_OVF_PMI_T1 | CCCR_OVF);
	OK(!silicon_counting(cpu));
}

/* The bit of the mode that counts while n executes out of a trace, or builds one. */
static uint64_t mode(unsigned n, bool builds, bool other_active)
{
	uint64_t found = 0;

	for (unsigned bit = 0; bit < 16; bit++) {
		reset("northwood");
		use(4, TC_ESCR0, MODES | BIT(bit + 9) | ESCR_T0_OS, COUNT_TC);
		turn(n, 0, other_active);
		RUN(nop);
		turn(n, 0, other_active);
		if (!builds) {
			write(COUNTER(4), 0);
			RUN(nop);
			turn(n, 0, other_active);
		}
		found |= count(4) ? BIT(bit) : 0;
	}
	return found;
}

static void test_modes(void)
{
	OK(mode(0, false, true) == BIT(0) && mode(1, false, true) == BIT(0)); /* DD */
	OK(mode(1, true, true) == BIT(1) && mode(0, true, true) == BIT(3)); /* DB, BD */
	OK(mode(0, false, false) == BIT(2) && mode(0, true, false) == BIT(5)); /* DI, BI */
	OK(mode(1, false, false) == BIT(6) && mode(1, true, false) == BIT(7)); /* ID, IB */
}

/* ---- Intel's cores: the counters are those of number 0 ---- */

enum { EVTSEL = 0x186, PMC = 0xc1, GLOBAL_CTRL = 0x38f };

/* Counts an event in one NOP of number 1, and in one of number 0 behind it, as decimal digits;
 * number 0 is in ring 3 meanwhile, or halted. */
static unsigned counted_of(uint64_t select, bool active)
{
	uint64_t value[2];

	reset("nehalem");
	write(GLOBAL_CTRL, 1);
	write(EVTSEL, SELECT_EN | select);
	turn(1, 0, active);
	RUN(nop);
	turn(0, 0, true);
	silicon_rdmsr(cpu, PMC, &value[0]);
	RUN(nop);
	turn(0, 0, true);
	silicon_rdmsr(cpu, PMC, &value[1]);
	return (unsigned)(10 * value[0] + value[1] - value[0]);
}

static void test_any(void)
{
	const uint64_t instructions = 0xc0, clocks = 0x3c;

	OK(counted_of(instructions | SELECT_OS, true) == 1);
	OK(counted_of(instructions | SELECT_OS | SELECT_ANY, true) == 11);
	OK(counted_of(instructions | SELECT_USR | SELECT_ANY, true) == 0);
	OK(counted_of(clocks | SELECT_USR, true) == 10);
	OK(counted_of(clocks | SELECT_USR, false) == 0);
	OK(counted_of(clocks | SELECT_OS | SELECT_ANY, false) == 11);
	OK(counted_of(clocks | SELECT_USR | SELECT_ANY, true) == 10);
	/* A clock of number 0 without an instruction, and one with. */
	OK(counted_of(instructions | SELECT_USR | SELECT_INV | BIT(24), true) == 10);
}

int main(void)
{
	test_flags();
	test_independent();
	test_clocks();
	test_active_thread();
	test_interrupt();
	test_waiting();
	test_modes();
	test_any();
	return tap_end();
}
