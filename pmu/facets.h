/* SPDX-License-Identifier: BSD-2-Clause */
/* Facets of PMUs that a few have beside counters: shares of slots, meters, boxes. */
#pragma once

#include "counter.h"

struct pmu;

/* Shares of what has become of the slots that one counter counts, in bytes that are 255 together:
 * .parts of level 1, and where there are more bytes, each is a part of the one so many before. */
struct pmu_metrics {
	unsigned counter; /* of slots, by its number */
	unsigned per_clock; /* slots, with the other thread of the core at rest; 0: not known */
	unsigned bytes, parts; /* that are known of: further ones may be there */
	/* Empties them, behind the counter. */
	void (*reset)(const struct pmu *pmu);
	/* Starts them and these counters by one write; and stops them. */
	void (*start)(const struct pmu *pmu, uint64_t ctrs);
	void (*stop)(const struct pmu *pmu, uint64_t ctrs);
	uint64_t (*read)(const struct pmu *pmu);
	void (*write)(const struct pmu *pmu, uint64_t value);
	uint32_t rdpmc; /* index for RDPMC */
	/* Has it empty them and the counter, until the next pmu_reset().  NULL: it cannot. */
	void (*clear_by_rdpmc)(const struct pmu *pmu);
};

/* A register that counts by itself, and that software only reads. */
struct pmu_meter {
	const char *name;
	struct pmu_reg reg;
	uint8_t of; /* what it counts: the driver's own */
	uint8_t width; /* bits; those above read 0 */
	bool moves; /* it must advance while this processor executes */
	uint64_t most; /* it advances by this at most, in a millisecond, */
	bool by_tsc; /* or in a tick of the TSC */
	unsigned updated_ms; /* it may stand still for so long */
	struct pmu_reg second; /* another name of the same register, or REG_NONE */
};

struct pmu_meters {
	unsigned count;
	const struct pmu_meter *meter;
};

/* A box outside of the cores. */
struct pmu_box {
	/* All its counters stop, or go on, in the same clock. */
	void (*freeze)(const struct pmu *pmu);
	void (*run)(const struct pmu *pmu);
	/* The boxes of this driver one after the other, silent ones too; NULL after the last. */
	const struct pmu *(*each)(unsigned i);
};
