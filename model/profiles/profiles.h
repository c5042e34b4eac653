/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the modelled processors, as data.
 * Uses: kernel/lib, model/pmu, model/pmu/amd, model/pmu/intel, model/pmu/netburst
 * Uses: model/box/parts
 */
#pragma once

#include "model/pmu/pmu.h"

/* Enumerates the modelled processors; NULL past the end. */
const struct profile *profile_at(unsigned index);
const struct profile *profile_find(const char *name); /* NULL: unknown */

/* ---- leaves_amd.c, leaves_intel.c ---- */

/* Of CPUID: the processor's own, and behind them those that it has in common with others. */
#define LEAVES(...)                                                                                \
	.leaves = (const struct cpuid_leaf *const[])                                               \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}
extern const struct cpuid_leaf leaves_k7[], leaves_k8[], leaves_k10[], leaves_piledriver[],
	leaves_jaguar[], leaves_zen2[], leaves_zen3[], leaves_zen4[], leaves_zen5[],
	leaves_willamette[], leaves_northwood[], leaves_prescott[], leaves_p6[], leaves_core2[],
	leaves_nehalem[], leaves_sandybridge[], leaves_sandybridge_ep[], leaves_ivybridge_ep[],
	leaves_haswell[], leaves_haswell_ep[], leaves_broadwell[], leaves_skylake[],
	leaves_skylake_sp[], leaves_sapphirerapids[], leaves_icelake[], leaves_icelake_sp[],
	leaves_gracemont[], leaves_goldencove[], leaves_alderlake[], leaves_redwoodcove[],
	leaves_lioncove[], leaves_skymont[], leaves_cougarcove[], leaves_darkmont[],
	leaves_zhaoxin[];

/* The records of last branches of all that have leaf 1CH, with these depths (InstLatx64): 8,
 * 16, 32.
 */
#define LBR_ARCHITECTURAL .depth = 32, .depths = 0x0b, .from = 0x1500, .to = 0x1600, .info = 0x1200

/* ---- profiles.c ---- */

/*
 * Microcode: of recorded processors (check/processors/README.md); of nehalem, sandybridge,
 * sandybridge-ep, ivybridge-ep, haswell, haswell-ep and broadwell as Intel published it last, since
 * Linux refuses PEBS with older ones; of k10 as in linux-firmware; of cougarcove lioncove's, as
 * none is known.
 */
enum { BASE_100 = 100000000, BASE_133 = 133333333 };

/* A modelled processor is one statement of a file, which its linker section finds; the rest are
 * members of struct profile. */
#define PROFILE(token_, name_, bit_, says_, ...)                                                   \
	static const struct profile profile_##token_ = {                                           \
		.name = name_, .bit = bit_, .says = says_, __VA_ARGS__};                           \
	static const struct profile *const entry_##token_                                          \
		__attribute__((used, section("profiles"))) = &profile_##token_
