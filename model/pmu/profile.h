/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles: the data that distinguish one modelled processor from another. */
#pragma once

#include "model/signals/signals.h"

#define MODEL(n)         (UINT64_C(1) << (n))
#define MODEL_K7         MODEL(0)
#define MODEL_K8         MODEL(1)
#define MODEL_ZEN2       MODEL(2)
#define MODEL_ZEN4       MODEL(3)
#define MODEL_WILLAMETTE MODEL(4)
#define MODEL_NORTHWOOD  MODEL(5)
#define MODEL_PRESCOTT   MODEL(6)
#define MODEL_P6         MODEL(7)
#define MODEL_CORE2      MODEL(8)
#define MODEL_NEHALEM    MODEL(9)
#define MODEL_SANDY      MODEL(10)
#define MODEL_SANDY_EP   MODEL(11)
#define MODEL_SKYLAKE    MODEL(12)
#define MODEL_ICELAKE    MODEL(13)
#define MODEL_ZEN3       MODEL(14)
#define MODEL_HASWELL    MODEL(15)
#define MODEL_BROADWELL  MODEL(16)
#define MODEL_GRACEMONT  MODEL(17)
#define MODEL_GOLDENCOVE MODEL(18)
#define MODEL_ALDERLAKE  MODEL(19)
#define MODEL_K10        MODEL(20)
#define MODEL_PILEDRIVER MODEL(21)
#define MODEL_ZEN5       MODEL(22)
#define MODEL_IVY_EP     MODEL(23)
#define MODEL_HASWELL_EP MODEL(30)
#define MODEL_SKYLAKE_SP MODEL(31)
#define MODEL_ICELAKE_SP MODEL(32)
#define MODEL_SAPPHIRE   MODEL(33)
#define MODEL_ZHAOXIN    MODEL(40)
#define MODEL_LIONCOVE   MODEL(41)
#define MODEL_SKYMONT    MODEL(42)
#define MODEL_COUGARCOVE MODEL(43)
#define MODEL_DARKMONT   MODEL(44)
#define MODEL_REDWOOD    MODEL(45)
#define MODEL_JAGUAR     MODEL(47)

/* Groups, by which faults name models.  MODEL_ZHAOXIN is in none of them, nor are those of
 * MODEL_FOR_ERRATA and MODEL_SERVERS. */

/* AMD's with global control (PerfMonV2). */
#define MODEL_PERFMON_V2 (MODEL_ZEN4 | MODEL_ZEN5)
/* AMD's from Zen on: thresholds up to 127. */
#define MODEL_ZEN_ON (MODEL_ZEN2 | MODEL_PERFMON_V2)
/* AMD's with six counters. */
#define MODEL_EXTENDED (MODEL_PILEDRIVER | MODEL_ZEN_ON)
/* AMD's before Zen: thresholds up to what retires in a clock. */
#define MODEL_BEFORE_ZEN (MODEL_K7 | MODEL_K8 | MODEL_K10 | MODEL_PILEDRIVER | MODEL_JAGUAR)
/* All of AMD's. */
#define MODEL_AMD (MODEL_BEFORE_ZEN | MODEL_ZEN_ON)
/* All of the Pentium 4. */
#define MODEL_NETBURST (MODEL_WILLAMETTE | MODEL_NORTHWOOD | MODEL_PRESCOTT)
/* Intel's with architectural performance monitoring, version 4 or later. */
#define MODEL_V4 (MODEL_SKYLAKE | MODEL_ICELAKE)
/* Sandy Bridge and later ones. */
#define MODEL_SANDY_ON (MODEL_SANDY | MODEL_V4)
/* Version 3 or later. */
#define MODEL_V3 (MODEL_NEHALEM | MODEL_SANDY_ON)
/* Version 2 or later. */
#define MODEL_V2 (MODEL_CORE2 | MODEL_V3)
/* All of Intel's but NetBurst. */
#define MODEL_INTEL (MODEL_P6 | MODEL_V2)

/* But for the uncore, MODEL_SANDY_EP and MODEL_IVY_EP are MODEL_SANDY, MODEL_HASWELL_EP is
 * MODEL_HASWELL, MODEL_SKYLAKE_SP MODEL_SKYLAKE, and MODEL_ICELAKE_SP MODEL_ICELAKE: faults of
 * their cores need no second look.  Nor do those of models that are there for the errata of their
 * parts, or for what their PEBS takes: others have the same circuits, and a campaign would take
 * hours more. */
#define MODEL_FOR_ERRATA                                                                           \
	(MODEL_ZEN3 | MODEL_HASWELL | MODEL_BROADWELL | MODEL_GRACEMONT | MODEL_GOLDENCOVE |       \
	 MODEL_ALDERLAKE | MODEL_LIONCOVE | MODEL_SKYMONT | MODEL_COUGARCOVE | MODEL_DARKMONT |    \
	 MODEL_REDWOOD | MODEL_SAPPHIRE)
/* Models with the circuits of others: faults by hand are seeded in them, too, as their events and
 * counters differ, and those that are generated for each bit of each register are not. */
#define MODEL_SISTERS (MODEL_K10 | MODEL_PILEDRIVER | MODEL_JAGUAR | MODEL_ZEN5 | MODEL_ZHAOXIN)
/* Of these, models with boxes that no other has: faults of boxes are generated, too. */
#define MODEL_OWN_BOXES (MODEL_PILEDRIVER | MODEL_JAGUAR)
/* Servers with boxes; the cores of the first two are that of MODEL_SANDY. */
#define MODEL_SANDY_SERVERS (MODEL_SANDY_EP | MODEL_IVY_EP)
#define MODEL_SCALABLE      (MODEL_SKYLAKE_SP | MODEL_ICELAKE_SP)
#define MODEL_SERVERS       (MODEL_SANDY_SERVERS | MODEL_HASWELL_EP | MODEL_SCALABLE)
/* Servers whose tables of discovery say where boxes are. */
#define MODEL_DISCOVERED MODEL_SAPPHIRE
#define MODEL_ALL        (MODEL_AMD | MODEL_NETBURST | MODEL_INTEL)

struct kind_ops;

enum { PROFILE_PMUS = 3 };

/* A leaf of CPUID, and what it says.  Topologies are those of the part: topology.c. */
struct cpuid_leaf {
	uint32_t leaf, subleaf, r[4]; /* EAX, EBX, ECX, EDX */
};
#define CPUID_END UINT32_MAX /* in the place of a leaf */

struct profile {
	const char *name;
	const char *says;
	uint64_t bit; /* MODEL_*: how faults name it */
	uint32_t signature; /* CPUID 1 EAX */
	const char *brand;
	uint32_t microcode; /* revision */
	uint32_t base_clock; /* in Hz, of which the TSC is a multiple; 0: no register tells */
	/* Tables of CPUID, each ends with CPUID_END, up to NULL: the first one that has a leaf
	 * counts.  All others are 0. */
	const struct cpuid_leaf *const *leaves;
	struct retirement retirement;
	unsigned pmi_latency; /* instructions retired between overflow and interrupt request */
	/* The first is the core's, the others are boxes outside of it. */
	struct {
		const struct kind_ops *ops; /* NULL: no more */
		const void *traits; /* as ops want it */
	} pmus[PROFILE_PMUS];
};
