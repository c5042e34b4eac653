/* SPDX-License-Identifier: BSD-2-Clause */
/* Meters: registers that count by themselves, and that software only reads. */
#pragma once

#include "counter.h"

struct pmu_meter {
	const char *name;
	struct pmu_reg reg;
	uint8_t width; /* bits; those above read 0 */
	bool moves; /* it must advance while this processor executes */
	uint64_t most_per_ms; /* it advances by this at most, in a millisecond */
	unsigned updated_us; /* it may stand still for so long */
};

struct pmu_meters {
	unsigned count;
	const struct pmu_meter *meter;
};
