/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that two processors have in common. */
#include "kernel/lib/string.h"
#include "model/box/parts/parts.h"
#include "model/faults/faults.h"

#include "bench.h"

/* A counter of the cache, one of the data fabric and one of a memory's controller. */
static const uint32_t counters[] = {0xc0010231, 0xc0010241, 0xc0010801};
enum { CACHE, FABRIC, CONTROLLER, COUNTERS };

static struct uncore other;

static void begin_core(struct uncore *u, const char *fault, unsigned core)
{
	struct boxes_config config = {.tsc_hz = TSC_HZ, .tsc = 1000, .core = core};

	uncore_reset(u, &uncore_zen4, *fault ? fault_find(fault) : NULL);
	uncore_configure(u, &config);
}

/* A controller takes a counter only while one of it is on. */
static void write_all(struct uncore *u, uint64_t value)
{
	uncore_wrmsr(u, 0xc0010800, 0x8000030a);
	for (unsigned i = 0; i < COUNTERS; i++)
		uncore_wrmsr(u, counters[i], value + i);
}

static bool reads(struct uncore *u, unsigned counter, uint64_t value)
{
	uint64_t got = 0;

	return uncore_rdmsr(u, counters[counter], &got) == ACCESS_DONE && got == value;
}

/* What one writes the other reads, to and fro; kept: the counter that each has to itself. */
static void test(const char *fault, unsigned levels, unsigned kept)
{
	begin_core(&uncore, fault, 0);
	write_all(&uncore, 100);
	begin_core(&other, "", 1);
	uncore_share(&other, &uncore, levels);
	for (unsigned i = 0; i < COUNTERS; i++)
		OK(reads(&other, i, i == kept ? 0 : 100 + i));
	write_all(&other, 200);
	uncore_share(&uncore, &other, levels);
	for (unsigned i = 0; i < COUNTERS; i++)
		OK(reads(&uncore, i, (i == kept ? 100 : 200) + i));
	OK(uncore.core == 0 && other.core == 1);
}

int main(void)
{
	test("", BIT(3), COUNTERS);
	test("", BIT(2), CACHE);
	test("uncore_l3_apart", BIT(3), CACHE);
	test("uncore_df_apart", BIT(3), FABRIC);
	test("uncore_umc_apart", BIT(3), CONTROLLER);
	return tap_end();
}
