/* SPDX-License-Identifier: BSD-2-Clause */
/* Steady counters: which ones go on alike in each clock, and that they do. */
#include "check/unit/model/pmu/netburst/processor.h"
#include "kernel/lib/bits.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/select.h"

#define EVERYWHERE (SELECT_EN | SELECT_USR | SELECT_OS)
#define CLOCKS     0x76 /* AMD */
#define UNHALTED   0x3c /* Intel */
#define BUS        0x13c /* in clocks of the bus */

/* Linux counts clocks so: execution_event, all of whose micro-ops are 15 at most. */
#define TAGGED     (UINT64_C(0x0c) << 25 | UINT64_C(0xff) << 9 | ESCR_T0_OS | ESCR_T0_USR)
#define AT_MOST(n) (COUNT_CRU2 | CCCR_COMPLEMENT | THRESHOLD(n))

static uint64_t back(uint32_t msr)
{
	uint64_t value = ~UINT64_C(0);

	silicon_rdmsr(cpu, msr, &value);
	return value;
}

static bool amd(const char *model, uint64_t select)
{
	reset(model);
	write(0xc0010000, select);
	return silicon_is_steady(cpu);
}

static void test_amd(void)
{
	OK(amd("k8", EVERYWHERE | CLOCKS));
	OK(amd("k8", EVERYWHERE | CLOCKS | SELECT_INT));
	OK(amd("k8", EVERYWHERE | CLOCKS | UINT64_C(1) << 24));
	OK(!amd("k8", SELECT_EN | SELECT_USR | CLOCKS));
	OK(!amd("k8", SELECT_EN | SELECT_OS | CLOCKS));
	OK(!amd("k8", EVERYWHERE | 0xc0));
	OK(!amd("k8", EVERYWHERE | 0xc0 | SELECT_INV | UINT64_C(1) << 24));
	OK(!amd("k8", EVERYWHERE | CLOCKS | SELECT_EDGE));
}

/* With another counter beside it. */
static void test_one_of_two(void)
{
	amd("k8", EVERYWHERE | CLOCKS);
	OK(silicon_is_steady(cpu));
	write(0xc0010001, EVERYWHERE | 0xc0);
	OK(!silicon_is_steady(cpu));
	write(0xc0010001, EVERYWHERE | CLOCKS);
	OK(silicon_is_steady(cpu));
	OK(silicon_pass(cpu, 1000000, 3) == 0);
	OK(back(0xc0010004) == 1000000 && back(0xc0010005) == 1000000);
}

static void test_faults(void)
{
	silicon_reset(cpu, profile_find("k8"), fault_find("counter_truncates_32"));
	write(0xc0010000, EVERYWHERE | CLOCKS);
	OK(!silicon_is_steady(cpu));
	silicon_reset(cpu, profile_find("k8"),
		      generated_find(profile_find("k8"), "pmi_dropped-c0010004"));
	write(0xc0010000, EVERYWHERE | CLOCKS);
	OK(!silicon_is_steady(cpu));
}

static void test_intel(void)
{
	reset("core2");
	write(0x38d, 0xb0); /* fixed counter 1 in all rings, interrupts */
	write(0x38f, UINT64_C(1) << 33);
	OK(silicon_is_steady(cpu));
	write(0x38d, 0x90);
	OK(!silicon_is_steady(cpu));
	write(0x38d, 0xb0);
	write(0x1d9, DEBUGCTL_LBR);
	OK(!silicon_is_steady(cpu));
	write(0x1d9, 0);
	OK(silicon_is_steady(cpu));
	reset("icelake");
	write(0x38d, 0xb000); /* slots, of which each clock has the same */
	write(0x38f, UINT64_C(1) << 35);
	OK(!silicon_is_steady(cpu));
	reset("skylake"); /* which has the slowest bus of all */
	write(0x38f, 1);
	write(0x186, EVERYWHERE | BUS);
	OK(silicon_is_steady(cpu));
	write(0x186, SELECT_EN | SELECT_OS | BUS);
	OK(!silicon_is_steady(cpu));
	write(0x186, EVERYWHERE | UNHALTED);
	OK(silicon_is_steady(cpu));
}

/* Reference clocks, those of the bus, core clocks beside them, and the overflow of the first, after
 * so many clocks at once or in parts. */
static void pass_reference(const char *model, uint64_t clocks, uint64_t part, uint64_t got[4])
{
	reset(model);
	write(0x186, EVERYWHERE | BUS);
	write(0x38d, 0xbb0); /* fixed counters 1 and 2 */
	write(0x30b, BIT(48) - 1000);
	write(0x38f, 1 | UINT64_C(6) << 32);
	OK(silicon_is_steady(cpu));
	for (uint64_t left = clocks; left; left -= left < part ? left : part)
		silicon_pass(cpu, left < part ? left : part, 3);
	got[0] = back(0xc1);
	got[1] = back(0x30a);
	got[2] = back(0x30b);
	got[3] = back(0x38e);
}

static void test_reference(void)
{
	for (uint64_t clocks = 1; clocks < 3000; clocks += 97) {
		uint64_t at_once[4], by_one[4];

		pass_reference("skylake", clocks, clocks, at_once);
		pass_reference("skylake", clocks, 1, by_one);
		OK(!memcmp(at_once, by_one, sizeof(by_one)));
		pass_reference("skylake", clocks, 7, by_one);
		OK(!memcmp(at_once, by_one, sizeof(by_one)));
		OK(by_one[1] == clocks &&
		   by_one[2] == ((clocks - clocks / 4 - 1000) & (BIT(48) - 1)));
		OK(by_one[3] == (clocks - clocks / 4 >= 1000 ? UINT64_C(4) << 32 : 0));
	}
}

/* Time goes on where they did: behind clocks passed at once the next ones are those of the phase.
 */
static void test_phase(void)
{
	uint64_t ticks;

	reset("skylake");
	write(0x38d, 0xb00);
	write(0x38f, UINT64_C(4) << 32);
	OK(silicon_counts_tsc(cpu) && silicon_is_steady(cpu));
	write(0x38d, 0xb0);
	write(0x38f, UINT64_C(7) << 32);
	OK(!silicon_counts_tsc(cpu));
	write(0x38d, 0xb00);
	ticks = silicon_tsc_ticks(cpu);
	for (uint64_t clocks = 1; clocks < 40; clocks++) {
		OK(silicon_pass(cpu, clocks, 0) == 0);
		OK(back(0x30b) == silicon_tsc_ticks(cpu) - ticks);
	}
	OK(back(0x30b) == 780 - 780 / 4);
	for (uint64_t more = 0; more < 40; more++) {
		ticks = back(0x30b);
		silicon_pass_ticks(cpu, more, 0);
		OK(back(0x30b) == ticks + more);
	}
}

static void test_netburst(void)
{
	reset("prescott");
	use(12, CRU_ESCR2, TAGGED, AT_MOST(15));
	OK(silicon_is_steady(cpu));
	use(12, CRU_ESCR0, UOPS_RETIRED, COUNT_CRU | CCCR_COMPLEMENT | THRESHOLD(15));
	OK(silicon_is_steady(cpu));
	use(12, CRU_ESCR0, UOPS_RETIRED, COUNT_CRU | CCCR_COMPLEMENT | THRESHOLD(2));
	OK(!silicon_is_steady(cpu));
	use(12, CRU_ESCR2, TAGGED & ~(uint64_t)ESCR_T0_USR, AT_MOST(15));
	OK(silicon_is_steady(cpu)); /* what comes to nothing is at most 15, too */
}

/* Requests taken while so many clocks pass, at once or one by one; and the counter behind them. */
static unsigned pass(uint64_t from, uint64_t clocks, bool at_once, uint64_t *to)
{
	uint64_t step = at_once ? clocks : 1, remained = 0;
	unsigned due = 0;

	reset("k8");
	write(0xc0010000, EVERYWHERE | CLOCKS | SELECT_INT);
	write(0xc0010004, from);
	for (uint64_t left = clocks; left; left -= step) {
		remained += silicon_pass(cpu, step, 0);
		silicon_flush(cpu);
		due += silicon_take_pmi(cpu, 0).due;
	}
	OK(!remained);
	*to = back(0xc0010004);
	return due;
}

static void test_overflow(void)
{
	uint64_t near = BIT(48) - 1000, fast, slow;

	for (uint64_t clocks = 990; clocks < 1010; clocks++) {
		unsigned at_once = pass(near, clocks, true, &fast);

		OK(at_once == pass(near, clocks, false, &slow) && at_once == (clocks >= 1000));
		OK(fast == slow && fast == ((near + clocks) & (BIT(48) - 1)));
	}
	OK(pass(near, UINT64_C(1) << 40, true, &fast) == 1 && fast == (UINT64_C(1) << 40) - 1000);
}

/* The event after the overflow makes NetBurst's request, which is held. */
static void test_held(void)
{
	reset("prescott");
	use(12, CRU_ESCR2, TAGGED, AT_MOST(15) | CCCR_OVF_PMI_T0);
	write(COUNTER(12), BIT(40) - 1000);
	OK(silicon_pass(cpu, 1000, 0) == 0);
	silicon_flush(cpu);
	OK(!silicon_take_pmi(cpu, 0).held);
	OK(silicon_pass(cpu, 1000, 0) == 0 && count(12) == 1000);
	silicon_flush(cpu);
	OK(silicon_take_pmi(cpu, 0).held);
}

/* A counter that an overflow freezes stands still. */
static void test_freeze(void)
{
	reset("skylake");
	write(0x38d, 0xb0);
	write(0x30a, BIT(48) - 10);
	write(0x38f, UINT64_C(1) << 33);
	write(0x1d9, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	OK(silicon_is_steady(cpu));
	silicon_pass(cpu, 1000000, 0);
	OK(back(0x30a) < 10);
}

int main(void)
{
	test_amd();
	test_one_of_two();
	test_faults();
	test_intel();
	test_reference();
	test_phase();
	test_netburst();
	test_overflow();
	test_held();
	test_freeze();
	return tap_end();
}
