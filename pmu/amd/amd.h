/* SPDX-License-Identifier: BSD-2-Clause */
/* What the AMD drivers share: identification, event tables and the per-counter registers. */
#ifndef AMD_H
#define AMD_H

#include "pmu/pmu.h"

struct amd_cpu {
	unsigned family, model;
	unsigned counters;
	bool extended; /* counters live in the PERF_CTL block; the legacy names are aliases */
	bool perfmon_v2;
};

/* False: not a processor whose registers may be touched (vendor, family, MSR and TSC flags). */
bool amd_identify(struct amd_cpu *cpu);

/* Fills *pmu and tries counter 0; false with pmu->silent set when it does not respond. */
bool amd_fill(struct pmu *pmu, const struct amd_cpu *cpu);

extern const struct pmu_ops pmu_amd, pmu_amd_v2;

/* The events of a family, [EV_COUNT]. */
const struct pmu_event *amd_events(unsigned family, unsigned model);

/* Members of struct pmu_ops that all generations have in common. */
void amd_save(struct pmu *pmu);
void amd_restore(const struct pmu *pmu);
void amd_reset(const struct pmu *pmu);
const char *amd_program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);
void amd_start(const struct pmu *pmu, uint64_t ctrs);
void amd_stop(const struct pmu *pmu, uint64_t ctrs);
uint64_t amd_read(const struct pmu *pmu, unsigned ctr);
void amd_write(const struct pmu *pmu, unsigned ctr, uint64_t value);
uint64_t amd_overflowed(const struct pmu *pmu, uint64_t armed);
uint32_t amd_rdpmc_index(const struct pmu *pmu, unsigned ctr);
void amd_describe(const struct pmu *pmu, unsigned ctr);
void amd_report_errata(void);

#endif
