/* SPDX-License-Identifier: BSD-2-Clause */
/* By the model of family 6: which event PEBS is asked to record, and on which counters; and which
 * filters of branch records work alone. */
#include "check/unit/tap.h"
#include "pmu/intel/intel.h"

static struct intel_cpu cpu_of(unsigned model)
{
	const struct intel_leaves leaves = {
		.leaf_0 = {0xa, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = (uint32_t)(0x600 | (model & 0xf) << 4 | (model >> 4) << 16)},
		.leaf_a = {.eax = 0x08300405, .ecx = 0xf, .edx = 0x8604},
	};
	struct intel_cpu cpu;

	OK(intel_decode(&leaves, &cpu));
	return cpu;
}

static void check(unsigned model, uint16_t select, unsigned ctr, bool branches)
{
	const struct intel_cpu cpu = cpu_of(model);
	const struct intel_precise *precise = intel_precise_event(&cpu);

	printf("# model %x: select %x, counters %x\n", model, precise->select, precise->counters);
	OK(precise->select == select);
	OK(!select || lowest_bit(precise->counters) == ctr);
	OK(precise->branches == branches);
}

#define ALL                    (BIT(BRANCH_KINDS) - 1)
#define BRANCHING(kinds_, ...) ((struct pmu_branching){.kinds = kinds_, __VA_ARGS__})
#define BOTH(kinds_, ...)      BRANCHING(kinds_, .user = true, .kernel = true, __VA_ARGS__)

static bool records(unsigned model, struct pmu_branching what)
{
	const struct intel_cpu cpu = cpu_of(model);
	const struct intel_lbr lbr = intel_lbr(&cpu);

	return !intel_lbr_refuses(&lbr, &what);
}

/* Kinds of branches that can be left out alone, and that can be recorded alone. */
static void check_filters(unsigned model, uint32_t out, uint32_t alone)
{
	printf("# model %x: kinds of branches\n", model);
	for (unsigned kind = 0; kind < BRANCH_KINDS; kind++) {
		OK(records(model, BOTH(ALL & ~BIT(kind))) == (out >> kind & 1));
		OK(records(model, BOTH(BIT(kind))) == (alone >> kind & 1));
	}
}

static void check_rings(unsigned model, bool one_alone, bool call_stack)
{
	printf("# model %x: rings\n", model);
	OK(records(model, BOTH(ALL)));
	OK(records(model, BRANCHING(ALL, .user = true)) == one_alone);
	OK(records(model, BRANCHING(ALL, .kernel = true)) == one_alone);
	OK(records(model, BOTH(ALL, .call_stack = true)) == call_stack);
}

int main(void)
{
	check(0x17, 0x00c0, 0, false); /* Core 2 */
	check(0x1a, 0x01c0, 0, false); /* Nehalem, */
	check(0x2c, 0x01c0, 0, false); /* Westmere */
	check(0x2a, 0x04c4, 0, true); /* Sandy Bridge to Skylake */
	check(0x3e, 0x04c4, 0, true);
	check(0x3c, 0x04c4, 0, true);
	check(0x4f, 0x04c4, 0, true);
	check(0x5e, 0x04c4, 0, true);
	check(0x7e, 0x00c0, 0, false); /* Ice Lake */
	check(0x8f, 0x00c0, 1, false); /* Golden Cove, */
	check(0xaa, 0x00c0, 1, false); /* Redwood Cove, */
	check(0xbd, 0x00c0, 1, false); /* Lion Cove: not on counter 0 */
	check(0x37, 0x00c0, 0, false); /* Atoms: counter 0 is the only one of some */
	check(0x5c, 0x00c0, 0, false);
	check(0xbe, 0x00c0, 0, false);
	check(0xff, 0, 0, false); /* nobody knows */
	check_filters(0x17, 0, 0); /* Core 2 has none */
	check_rings(0x17, false, false);
	check_filters(0x1a, 0x4f, 0x41); /* Nehalem: jumps take calls and returns with them */
	check_rings(0x1a, true, false);
	check_filters(0x2a, 0x7f, 0x7f); /* Sandy Bridge */
	check_rings(0x2a, true, false);
	check_filters(0x37, 0x4f, 0x41); /* Silvermont: as Nehalem */
	check_filters(0x3c, 0x7f, 0x7f); /* Haswell to Ice Lake: as a call stack, too */
	check_rings(0x3c, true, true);
	check_rings(0x5e, true, true);
	check_rings(0x7e, true, true);
	check_rings(0x5c, true, false); /* Goldmont */
	return tap_end();
}
