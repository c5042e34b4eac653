/* SPDX-License-Identifier: BSD-2-Clause */
/* Which event PEBS is asked to record, and on which counter, by the model of family 6. */
#include "check/unit/tap.h"
#include "pmu/intel/intel.h"

static void check(unsigned model, uint16_t select, unsigned ctr, bool branches)
{
	const struct intel_leaves leaves = {
		.leaf_0 = {0xa, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = (uint32_t)(0x600 | (model & 0xf) << 4 | (model >> 4) << 16)},
		.leaf_a = {.eax = 0x08300405, .ecx = 0xf, .edx = 0x8604},
	};
	const struct intel_precise *precise;
	struct intel_cpu cpu;

	OK(intel_decode(&leaves, &cpu));
	precise = intel_precise_event(&cpu);
	printf("# model %x: select %x, counter %u\n", model, precise->select, precise->ctr);
	OK(precise->select == select);
	OK(precise->ctr == ctr);
	OK(precise->branches == branches);
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
	return tap_end();
}
