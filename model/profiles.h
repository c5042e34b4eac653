/* SPDX-License-Identifier: BSD-2-Clause */
/* What distinguishes one modelled processor from another: data only. */
#ifndef PROFILES_H
#define PROFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline.h"

#define MODEL_K7         1u
#define MODEL_K8         2u
#define MODEL_ZEN2       4u
#define MODEL_WILLAMETTE 8u
#define MODEL_NORTHWOOD  16u
#define MODEL_PRESCOTT   32u
#define MODEL_AMD        (MODEL_K7 | MODEL_K8 | MODEL_ZEN2)
#define MODEL_NETBURST   (MODEL_WILLAMETTE | MODEL_NORTHWOOD | MODEL_PRESCOTT)
#define MODEL_ALL        (~0u)

struct core_pmu_ops;
struct amd_traits; /* pmu_amd.h */
struct netburst_traits; /* pmu_netburst.h */

struct profile {
	const char *name;
	const char *says;
	unsigned bit; /* MODEL_*: how faults name it */
	uint32_t signature; /* CPUID 1 EAX */
	const char *brand;
	/* CPUID as silicon_cpuid(), but for the leaves of a hypervisor. */
	void (*cpuid)(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
	struct retirement retirement;
	unsigned pmi_latency; /* instructions retired between overflow and interrupt request */
	const struct core_pmu_ops *pmu;
	/* Of the kind of PMU that it has. */
	const struct amd_traits *amd;
	const struct netburst_traits *netburst;
};

extern const struct profile profiles[];
extern const unsigned profiles_count;

/* cpuid.c */
void cpuid_amd(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
void cpuid_intel(const struct profile *profile, uint32_t leaf, uint32_t r[4]);

#endif
