/* SPDX-License-Identifier: BSD-2-Clause */
/* One seeded defect: one or two hooks into the healthy model of a PMU. */
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include <stdint.h>

struct amd_hooks; /* model/pmu/amd/hooks.h */
struct netburst_hooks; /* model/pmu/netburst/hooks.h */
struct intel_hooks; /* model/pmu/intel/hooks.h */
struct uncore_hooks; /* model/uncore/snbep/hooks.h */
struct generated; /* model/faults/generated.h */

struct fault {
	const char *name;
	unsigned models; /* MODEL_*: where it can be seeded */
	/* Glob over the ids of the one test that must report it; "-": none, but the report must say
	 * clearly what is amiss. */
	const char *test;
	const char *says; /* what is broken, one sentence */
	/* What is broken in the local APIC: its LVT entry, as it takes it when an interrupt is due.
	 * NULL: as it stands. */
	uint32_t (*lvt)(uint32_t entry);
	/* What CPUID says amiss, as silicon_cpuid(). */
	void (*cpuid)(uint32_t leaf, uint32_t r[4]);
	/* One of the simple defects that any kind of PMU may have. */
	const struct generated *generated;
	/* What is broken in which kind of PMU; NULL: nothing. */
	const struct amd_hooks *amd;
	const struct netburst_hooks *netburst;
	const struct intel_hooks *intel;
	const struct uncore_hooks *uncore;
};

#endif
