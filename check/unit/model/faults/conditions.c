/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions of generated pairs, and records of a number, on a Zen 4: each holds when it says, and
 * then alone. */
#include "model/faults/faults.h"
#include "model/pmu/amd/amd.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

#define CTL(n)       (UINT32_C(0xc0010200) + 2 * (n))
#define CTR(n)       (UINT32_C(0xc0010201) + 2 * (n))
#define OLD_CTL0     UINT32_C(0xc0010000)
#define GLOBAL       UINT32_C(0xc0000301)
#define CONFIG       UINT32_C(0xc000010f)
#define FROM(n)      (UINT32_C(0xc0010300) + 2 * (n))
#define TO(n)        (UINT32_C(0xc0010301) + 2 * (n))

#define INSTRUCTIONS UINT64_C(0x4000c0)
#define CLOCKS       UINT64_C(0x400076)
#define USR          BIT(16)
#define OS           BIT(17)

enum { VECTOR = 0xe1, OTHER_VECTOR = 0xfe };

static struct pmu_amd pmu;

static void write(uint32_t msr, uint64_t value)
{
	pmu_amd_ops.wrmsr(&pmu, msr, value);
}

static uint64_t read(uint32_t msr)
{
	uint64_t value = 0;

	pmu_amd_ops.rdmsr(&pmu, msr, &value);
	return value;
}

static void begin(const char *fault)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen4")->pmus[0].traits,
			  generated_find(profile_find("zen4"), fault));
	core_show_entry(&pmu.core, VECTOR, false);
}

/* Counter 0 counts instructions of all rings, and runs. */
static void start(const char *fault)
{
	begin(fault);
	write(CTL(0), INSTRUCTIONS | USR | OS);
	write(GLOBAL, FIELD(5, 0));
}

/* What counter 0 counts in so many clocks, of an instruction each. */
static uint64_t counts(unsigned clocks, unsigned cpl)
{
	const uint64_t before = read(CTR(0));
	struct clock clock = {.cpl = cpl};

	clock.n[SIGNAL_CYCLES] = clock.n[SIGNAL_INSTRUCTIONS] = 1;
	while (clocks--)
		pmu_amd_ops.core->clock(&pmu, &clock);
	return read(CTR(0)) - before;
}

static void test_crossed(void)
{
	start("pair_dead-c0010201-crossed");
	counts(40, 0);
	OK(counts(10, 0) == 10);
	OK(counts(10, 3) == 0 && counts(40, 3) == 40 - 21 && counts(10, 3) == 10);
	OK(counts(10, 0) == 0);
}

static void test_company(void)
{
	start("pair_dead-c0010201-company");
	OK(counts(5, 0) == 5);
	write(CTL(3), CLOCKS | USR | OS);
	OK(counts(5, 0) == 5);
	write(CTL(3), INSTRUCTIONS | OS);
	OK(counts(5, 0) == 0);
}

static void test_opposite(void)
{
	start("pair_dead-c0010201-opposite");
	write(CTL(3), INSTRUCTIONS | OS);
	OK(counts(5, 0) == 5);
	write(CTL(0), INSTRUCTIONS | USR);
	OK(counts(5, 3) == 0);
	write(CTL(3), INSTRUCTIONS | USR);
	OK(counts(5, 3) == 5);
}

static void test_beside(void)
{
	start("pair_dead-c0010201-beside");
	write(CTL(0), INSTRUCTIONS | USR | OS);
	OK(counts(5, 0) == 5);
	write(CTL(3), 0);
	OK(counts(5, 0) == 0);
	write(GLOBAL, 0);
	write(CTL(3), 0);
	write(GLOBAL, FIELD(5, 0));
	OK(counts(5, 0) == 5);
}

static void test_renamed(void)
{
	start("pair_dead-c0010201-renamed");
	OK(counts(5, 0) == 5);
	write(OLD_CTL0, INSTRUCTIONS | USR | OS);
	OK(counts(5, 0) == 0);
	write(CTL(0), INSTRUCTIONS | USR | OS);
	OK(counts(5, 0) == 5);
}

static uint64_t counts_by(uint8_t vector, bool nmi)
{
	core_show_entry(&pmu.core, vector, nmi);
	return counts(5, 0);
}

static void test_entry(void)
{
	start("pair_dead-c0010201-vector");
	OK(counts_by(VECTOR, false) == 5 && counts_by(OTHER_VECTOR, false) == 0);
	OK(counts_by(0, true) == 5 && counts_by(VECTOR, false) == 5);
	start("pair_dead-c0010201-by_nmi");
	OK(counts_by(OTHER_VECTOR, false) == 5 && counts_by(0, true) == 0);
}

/* ---- records ---- */

/* From 10h to 20h, from 20h to 30h, and so on. */
static void branches(unsigned count)
{
	for (unsigned i = 1; i <= count; i++) {
		struct branch b = {.class = INSN_JMP,
				   .vector = -1,
				   .from = 0x10 * (uint64_t)i,
				   .to = 0x10 * (uint64_t)(i + 1)};

		pmu_amd_ops.core->branched(&pmu, &b);
	}
}

static void record(const char *fault, unsigned count)
{
	begin(fault);
	write(CONFIG, LBR_ENABLE);
	branches(count);
}

static void test_records(void)
{
	record("record_from-2", 6);
	OK(read(FROM(0)) == 0x60 && read(FROM(1)) == 0x50 && read(FROM(2)) == 0x41 &&
	   read(FROM(3)) == 0x30);
	branches(6);
	OK(read(FROM(2)) == 0x40);
	write(CONFIG, LBR_ENABLE);
	branches(6);
	OK(read(FROM(2)) == 0x41);
	record("record_to-0", 2);
	OK((uint32_t)read(TO(1)) == 0x21 && (uint32_t)read(TO(0)) == 0x30);
	record("record_lost-1", 3);
	OK(read(FROM(0)) == 0x30 && read(FROM(1)) == 0x10 && read(FROM(2)) == 0);
}

int main(void)
{
	test_crossed();
	test_company();
	test_opposite();
	test_beside();
	test_renamed();
	test_entry();
	test_records();
	return tap_end();
}
