/* SPDX-License-Identifier: BSD-2-Clause */
/* What is made of a table of discovery: boxes where the part's documents have them, and nothing of
 * all else that a table may say. */
#include "check/fuzz/fake_machine.h"

#include <stdlib.h>

#include "pmu/box/box.h"

#include "check/unit/tap.h"

enum { PAGE = 4096, TABLE_FUNCTION = 0x3f << 8 | 3 << 3, STOP = 0x3f << 8 | 12 << 3 };
enum { OTHER = 0x3f << 8 | 13 << 3 };
enum { CHA = 0x2000, MSRS = 16, MEMORY_AT = 0xa00, STOP_AT = 0x438 };

#define CHA_UNIT  UINT64_C(0x108300204)
#define IMC_UNIT  UINT64_C(0x4000000108304004)
#define STOP_UNIT UINT64_C(0x8000000108303004)

static struct pmu_set set;
static uint64_t *table; /* of up to six units; of three quadwords each */
static uint32_t *space; /* of the function that shows it, */
static uint32_t *stop; /* and of one with a box */
static uint8_t *memory; /* of a device, two pages */
static unsigned units;

static void *page_of(unsigned count)
{
	void *page = aligned_alloc(PAGE, (size_t)count * PAGE);

	if (!page)
		abort();
	memset(page, 0, (size_t)count * PAGE);
	return page;
}

static void forget(void)
{
	free(table);
	free(space);
	free(stop);
	free(memory);
}

/* The counters of the box in memory go on, and those of the function's. */
static void tick(unsigned us)
{
	uint64_t *counter = (void *)(memory + MEMORY_AT + 8), *other = (void *)(stop + 0x440 / 4);

	if (counter[0] != UINT64_MAX)
		counter[0] += us;
	other[0] += us;
}

static void no_foreign_msr(uint32_t msr, uint64_t now, uint64_t value)
{
	(void)now;
	(void)value;
	if (msr < CHA || msr >= CHA + MSRS)
		printf("Bail out! MSR %x is written\n", msr), exit(1);
}

/* Sapphire Rapids, whose table is in memory. */
static void begin(void)
{
	fake_begin(FAKE_ECAM | FAKE_ALL_MSRS);
	fake_leaf(0, 0, (struct cpuid_regs){1, 0x756e6547, 0x6c65746e, 0x49656e69});
	fake_leaf(1, 0, (struct cpuid_regs){.eax = 0x806f8, .edx = CPUID_1_EDX_MSR});
	fake_msr(CHA + 8, FAKE_COUNTS, 0, ~UINT64_C(0));
	fake_pci(TABLE_FUNCTION, 0, 0x09a78086);
	fake_pci(STOP, 0, 0x324a8086);
	fake_pci(OTHER, 0, 0x324b8086);
	fake_device(table);
	fake_device(memory);
	fake_space(TABLE_FUNCTION, space);
	fake_space(STOP, stop);
	fake_on_write = no_foreign_msr;
	fake_on_delay = tick;
	units = 0;
}

static void start(void)
{
	table = page_of(1);
	space = page_of(1);
	stop = page_of(1);
	memory = page_of(2);
	space[0x10 / 4] = (uint32_t)(uintptr_t)table | 4;
	space[0x14 / 4] = (uint32_t)((uintptr_t)table >> 32);
	space[0x100 / 4] = 0x00010023;
	space[0x108 / 4] = 0x03010001;
	begin();
}

static void add(uint64_t q0, uint64_t q1, uint64_t q2)
{
	uint64_t *entry = table + 3 * ++units;

	entry[0] = q0;
	entry[1] = q1;
	entry[2] = q2;
	table[0] = (uint64_t)units << 16 | 0x300;
	table[1] = 0x2ff0;
}

/* How many boxes there are; and of one alone what it is silent for. */
static unsigned find(void)
{
	pmu_find_all(&set, true);
	return set.count;
}

static const char *silence(void)
{
	return find() == 1 ? set.pmu[0].silent : "not one box";
}

#define FOREIGN "its table of discovery tells of other registers than are documented"

/* ---- MSRs ---- */

static void test_msrs(void)
{
	start();
	add(CHA_UNIT, CHA, 7 << 16);
	add(CHA_UNIT, CHA, 7 << 16);
	add(UINT64_MAX, CHA, 0);
	OK(find() == 1 && !set.pmu[0].silent && !strcmp(set.pmu[0].name, "cha7"));
	OK(set.pmu[0].counters == 4 && pmu_number(set.pmu[0].counter[3].ctl) == CHA + 5);
	forget();
}

/* No MSR is written but those of boxes. */
static void test_foreign_msrs(void)
{
	static const uint32_t foreign[] = {0x1a0, 0x1fff, 0x3ff1, 0xc0000080, 0xffffff00};

	for (unsigned i = 0; i < ARRAY_SIZE(foreign); i++) {
		start();
		add(CHA_UNIT, foreign[i], 0);
		SAME(silence(), FOREIGN);
		forget();
	}
	start();
	add(CHA_UNIT + (1 << 8), CHA, 0); /* controls elsewhere */
	SAME(silence(), FOREIGN);
	forget();
}

/* ---- memory ---- */

static void test_memory(void)
{
	start();
	add(IMC_UNIT, (uintptr_t)memory + MEMORY_AT, 2 << 16 | 6);
	OK(find() == 1 && !set.pmu[0].silent && !strcmp(set.pmu[0].name, "imc2"));
	OK(set.pmu[0].counter[1].ctl.address == (uintptr_t)memory + MEMORY_AT + 0x44);
	OK(set.pmu[0].counter[1].ctr.address == (uintptr_t)memory + MEMORY_AT + 0x10);
	forget();
}

static void test_hidden_memory(void)
{
	start();
	memset(memory, 0xff, PAGE);
	add(IMC_UNIT, (uintptr_t)memory, 6);
	SAME(silence(), "its registers read all ones: the firmware hides them");
	forget();
}

/* The second page of it is no device's. */
static void test_memory_elsewhere(void)
{
	static const uint64_t elsewhere[] = {PAGE, PAGE - 0x80};

	for (unsigned i = 0; i < ARRAY_SIZE(elsewhere); i++) {
		start();
		add(IMC_UNIT, (uintptr_t)memory + elsewhere[i], 6);
		SAME(silence(), FOREIGN);
		forget();
	}
	start();
	add(IMC_UNIT, UINT64_C(0xffffffffffffff80), 6); /* wraps around */
	SAME(silence(), FOREIGN);
	forget();
}

/* A type of units that is elsewhere than its kind. */
static void test_other_space(void)
{
	start();
	add(CHA_UNIT | BIT(62), (uintptr_t)memory, 0);
	SAME(silence(), FOREIGN);
	forget();
}

/* ---- functions ---- */

#define AT(function, offset) ((uint64_t)(function) << 12 | (offset))

static void test_functions(void)
{
	start();
	add(STOP_UNIT, AT(STOP, STOP_AT), 7);
	/* Counters 8, controls 30h behind box control. */
	OK(find() == 1 && !set.pmu[0].silent && !strcmp(set.pmu[0].name, "m2m0"));
	OK(set.pmu[0].counter[2].ctr.address == (uintptr_t)stop + 0x450);
	forget();
}

static void test_foreign_functions(void)
{
	static const uint64_t foreign[] = {
		AT(OTHER, STOP_AT), /* another device */
		AT(TABLE_FUNCTION, STOP_AT), AT(STOP, STOP_AT + 8),
		AT(STOP, STOP_AT) | BIT(28), /* of another segment */
	};

	for (unsigned i = 0; i < ARRAY_SIZE(foreign); i++) {
		start();
		add(STOP_UNIT, foreign[i], 7);
		SAME(silence(), FOREIGN);
		forget();
	}
}

/* ---- the table ---- */

static void test_no_table(void)
{
	start();
	add(CHA_UNIT, CHA, 0);
	space[0x10 / 4] |= 1; /* in ports */
	OK(!find() || set.pmu[0].silent);
	forget();
	start();
	add(CHA_UNIT, CHA, 0);
	space[0x14 / 4] = 0xffffffff; /* nowhere */
	OK(!find() || set.pmu[0].silent);
	forget();
	start();
	add(CHA_UNIT, CHA, 0);
	table[0] = UINT64_C(0x3ff) << 16 | 0x300; /* more entries than pages */
	OK(!find() || set.pmu[0].silent);
	forget();
}

int main(void)
{
	test_msrs();
	test_foreign_msrs();
	test_memory();
	test_hidden_memory();
	test_memory_elsewhere();
	test_other_space();
	test_functions();
	test_foreign_functions();
	test_no_table();
	return tap_end();
}
