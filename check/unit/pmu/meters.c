/* SPDX-License-Identifier: BSD-2-Clause */
/* Meters of energy: what a unit register and a domain make of a meter, by worked values. */
#include "check/fuzz/fake_machine.h"
#include "check/unit/tap.h"
#include "pmu/pmu.h"

/* A Skylake whose unit register holds that, and whose package and memory have taken something. */
static const struct pmu_meters *meters_by(uint64_t unit)
{
	static struct pmu_set set;

	fake_begin(FAKE_ALL_MSRS);
	fake_leaf(0, 0, (struct cpuid_regs){0xd, 0x756e6547, 0x6c65746e, 0x49656e69});
	fake_leaf(1, 0, (struct cpuid_regs){0x000506e3, 0x00000800, 0x00008000, 0x00200220});
	fake_leaf(0xa, 0, (struct cpuid_regs){0x07300404, 0, 0, 0x603});
	fake_msr(0x1a0, 0, BIT(7), ~UINT64_C(0));
	fake_msr(0x606, FAKE_WRITE_FAULT, unit, 0);
	fake_msr(0x611, FAKE_WRITE_FAULT, 1, 0);
	fake_msr(0x619, FAKE_WRITE_FAULT, 1, 0);
	pmu_find_all(&set, true);
	for (unsigned i = 0; i < set.count; i++)
		if (set.pmu[i].meters)
			return set.pmu[i].meters;
	return NULL;
}

/* 2 kW in a millisecond, in the unit; but memory of servers has 15.3 microjoules whatever that
 * says, so that no unit is taken as longer.  Silvermont's are microjoules times 2 to its power. */
static void test_units(void)
{
	static const struct {
		uint64_t unit, most;
	} rows[] = {
		{0xa0e03, 131072}, /* 61.04 microjoules */
		{0xa1003, 131072}, /* 15.259 */
		{0xa1203, 524288}, /* 3.8 */
		{0x00505, 131072}, /* Silvermont: 32 */
		{0x00205, 500000}, /* Silvermont: 4 */
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct pmu_meters *meters = meters_by(rows[i].unit);

		if (!OK(meters && meters->count == 2))
			continue;
		for (unsigned m = 0; m < meters->count; m++)
			OK(meters->meter[m].width == 32 && meters->meter[m].most == rows[i].most);
		OK(meters->meter[0].reg.address == 0x611 && meters->meter[1].reg.address == 0x619);
	}
	OK(!meters_by(0x00003));
}

int main(void)
{
	test_units();
	return tap_end();
}
