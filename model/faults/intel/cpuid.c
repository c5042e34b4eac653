/* SPDX-License-Identifier: BSD-2-Clause */
/* Absurd values of what Intel's core PMU says of itself: no test can see them, the program must. */
#include "model/pmu/intel/hooks.h"

enum { EAX, EBX, ECX, EDX, LEAF_PERFMON = 0xa };

#define EAX_VERSION  (uint32_t) FIELD(7, 0)
#define EAX_COUNTERS (uint32_t) FIELD(15, 8)
#define EAX_WIDTH    (uint32_t) FIELD(23, 16)
#define EAX_EVENTS   (uint32_t) FIELD(31, 24)
#define EDX_FIXED    (uint32_t) FIELD(4, 0)
#define EDX_WIDTH    (uint32_t) FIELD(12, 5)

/* Puts number into field of register r of leaf 0AH. */
static void say(uint32_t leaf, uint32_t *r, uint32_t field, uint32_t number)
{
	if (leaf == LEAF_PERFMON)
		*r = (*r & ~field) | (uint32_t)field_put(field, number);
}

static void version_255(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_VERSION, 255);
}

static void no_counters(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_COUNTERS, 0);
}

static void counters_255(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_COUNTERS, 255);
}

static void width_0(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_WIDTH, 0);
}

static void width_64(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_WIDTH, 64);
}

static void no_events(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EBX], ~UINT32_C(0), ~UINT32_C(0));
}

static void event_length_0(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EAX], EAX_EVENTS, 0);
}

static void no_instructions(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EBX], ~UINT32_C(0), 2);
}

static void fixed_31(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EDX], EDX_FIXED, 31);
}

static void fixed_width_255(uint32_t leaf, uint32_t r[4])
{
	say(leaf, &r[EDX], EDX_WIDTH, 255);
}

static void all_ones(uint32_t leaf, uint32_t r[4])
{
	for (unsigned i = 0; i < 4; i++)
		say(leaf, &r[i], ~UINT32_C(0), ~UINT32_C(0));
}

static void last_leaf_9(uint32_t leaf, uint32_t r[4])
{
	if (leaf == 0)
		r[EAX] = 9;
}

#define CPUID_FAULT(name_, says_, function_)                                                       \
	{                                                                                          \
		.name = #name_, .models = MODEL_V2, .test = "-", .says = says_, .cpuid = function_ \
	}

const struct fault faults_intel_cpuid[] = {
	CPUID_FAULT(cpuid_0a_version_255, "CPUID 0AH names version 255", version_255),
	CPUID_FAULT(cpuid_0a_0_counters, "CPUID 0AH names no general counters", no_counters),
	CPUID_FAULT(cpuid_0a_255_counters, "CPUID 0AH names 255 general counters", counters_255),
	CPUID_FAULT(cpuid_0a_width_0, "CPUID 0AH names counters of no bits", width_0),
	CPUID_FAULT(cpuid_0a_width_64, "CPUID 0AH names counters of 64 bits", width_64),
	CPUID_FAULT(cpuid_0a_no_events, "CPUID 0AH says that no event is available", no_events),
	CPUID_FAULT(cpuid_0a_event_length_0, "CPUID 0AH names a list of no events", event_length_0),
	CPUID_FAULT(cpuid_0a_no_instructions, "CPUID 0AH says that instructions are not counted",
		    no_instructions),
	CPUID_FAULT(cpuid_0a_31_fixed, "CPUID 0AH names 31 fixed counters", fixed_31),
	CPUID_FAULT(cpuid_0a_fixed_width_255, "CPUID 0AH names fixed counters of 255 bits",
		    fixed_width_255),
	CPUID_FAULT(cpuid_0a_all_ones, "CPUID 0AH is all ones", all_ones),
	CPUID_FAULT(cpuid_ends_before_0a, "the last leaf of CPUID is 9", last_leaf_9),
	INTEL_FAULT(misc_enable_no_perfmon, MODEL_V2, "-",
		    "IA32_MISC_ENABLE says that there is no performance monitoring",
		    .misc_clear = MISC_PERFMON),
	{0},
};
