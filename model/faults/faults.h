/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of seeded faults: each is one or two hooks into the healthy model of a PMU. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdint.h>

struct amd_hooks; /* model/pmu/amd/hooks.h */
struct netburst_hooks; /* model/pmu/netburst/hooks.h */
struct intel_hooks; /* model/pmu/intel/hooks.h */
struct uncore_hooks; /* model/uncore/snbep/hooks.h */
struct generated; /* generated.h */

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

/* Enumerates the catalogue; NULL past the end. */
const struct fault *fault_at(unsigned index);

/* The parts of the catalogue, each in its file and ended by an entry without name. */
extern const struct fault faults_amd_counting[];
extern const struct fault faults_amd_registers[];
extern const struct fault faults_amd_interrupts[];
extern const struct fault faults_intel_counting[];
extern const struct fault faults_intel_registers[];
extern const struct fault faults_intel_global[];
extern const struct fault faults_intel_freezing[];
extern const struct fault faults_intel_interrupts[];
extern const struct fault faults_intel_sampling[];
extern const struct fault faults_intel_cpuid[];
extern const struct fault faults_intel_smi[];
extern const struct fault faults_uncore_registers[];
extern const struct fault faults_uncore_counting[];
extern const struct fault faults_uncore_events[];
extern const struct fault faults_lvt[];
extern const struct fault faults_netburst_filters[];
extern const struct fault faults_netburst_events[];
extern const struct fault faults_netburst_overflow[];
extern const struct fault faults_netburst_cascade[];
extern const struct fault faults_netburst_registers[];
extern const struct fault faults_netburst_pebs[];

#endif
