/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel: a name is that of libpfm4, too, with "." for ":". */
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "pmu/intel/intel.h"

/* CPUID 0AH as it was when the core was new: architectural events without and with slots, and so
 * many fixed counters. */
enum leaf { NO_LEAF, VERSION_1, NO_SLOTS, WITH_SLOTS };

static const struct cpuid_regs leaves[] = {
	[NO_LEAF] = {0},
	[VERSION_1] = {.eax = 0x07280201},
	[NO_SLOTS] = {.eax = 0x07300405, .edx = 0x0603},
	[WITH_SLOTS] = {.eax = 0x08300805, .edx = 0x0604},
};

enum { P_CORE, E_CORE };

static const struct processor {
	const char *pmu;
	uint8_t model, leaf, core; /* core: beside P-cores of this model */
} processors[] = {
	{"ppro", 0x01, NO_LEAF, P_CORE},         {"p6", 0x0b, NO_LEAF, P_CORE},
	{"coreduo", 0x0e, VERSION_1, P_CORE},    {"core", 0x0f, NO_SLOTS, P_CORE},
	{"nhm", 0x1a, NO_SLOTS, P_CORE},         {"nhm_ex", 0x2e, NO_SLOTS, P_CORE},
	{"wsm", 0x25, NO_SLOTS, P_CORE},         {"wsm_dp", 0x2c, NO_SLOTS, P_CORE},
	{"snb", 0x2a, NO_SLOTS, P_CORE},         {"snb_ep", 0x2d, NO_SLOTS, P_CORE},
	{"ivb", 0x3a, NO_SLOTS, P_CORE},         {"ivb_ep", 0x3e, NO_SLOTS, P_CORE},
	{"hsw", 0x3c, NO_SLOTS, P_CORE},         {"hsw_ep", 0x3f, NO_SLOTS, P_CORE},
	{"bdw", 0x3d, NO_SLOTS, P_CORE},         {"bdw_ep", 0x4f, NO_SLOTS, P_CORE},
	{"skl", 0x5e, NO_SLOTS, P_CORE},         {"skx", 0x55, NO_SLOTS, P_CORE},
	{"clx", 0x55, NO_SLOTS, P_CORE},         {"icl", 0x7e, WITH_SLOTS, P_CORE},
	{"icx", 0x6a, WITH_SLOTS, P_CORE},       {"spr", 0x8f, WITH_SLOTS, P_CORE},
	{"lion_cove", 0xbd, WITH_SLOTS, P_CORE}, {"cougar_cove", 0xcc, WITH_SLOTS, P_CORE},
	{"atom", 0x1c, NO_SLOTS, P_CORE},        {"slm", 0x37, NO_SLOTS, P_CORE},
	{"knl", 0x57, NO_SLOTS, P_CORE},         {"knm", 0x85, NO_SLOTS, P_CORE},
	{"glm", 0x5c, NO_SLOTS, P_CORE},         {"goldmont_plus", 0x7a, NO_SLOTS, P_CORE},
	{"tmt", 0x86, NO_SLOTS, P_CORE},         {"gracemont", 0xbe, NO_SLOTS, P_CORE},
	{"skymont", 0xbd, NO_SLOTS, E_CORE},     {"darkmont", 0xdd, NO_SLOTS, P_CORE},
	{"unknown", 0x02, WITH_SLOTS, P_CORE},
};

static bool decode(const struct processor *processor, struct intel_cpu *cpu)
{
	struct intel_leaves all = {
		.leaf_0 = {0xa, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = 0x600u | (processor->model & 0xfu) << 4 |
				  (uint32_t)processor->model >> 4 << 16,
			   .edx = CPUID_1_EDX_MSR},
		.leaf_a = leaves[processor->leaf],
	};

	if (processor->core == E_CORE) {
		all.leaf_7.edx = CPUID_7_EDX_HYBRID;
		all.leaf_1a.eax = (uint32_t)field_put(CPUID_1A_EAX_CORE_TYPE, CORE_TYPE_ATOM);
	}
	return intel_decode(&all, cpu);
}

/* An event of a fixed counter alone goes by that counter's code. */
static uint64_t code_of(const struct pmu_event *event, uint32_t general, uint32_t fixed)
{
	if (general)
		return field_put(PERFEVTSEL_EVENT, event->code) |
		       field_put(PERFEVTSEL_UMASK, event->unit_mask);
	return field_put(PERFEVTSEL_UMASK, lowest_bit(fixed) + 1);
}

/* X_P is on general counters what X is on a fixed one. */
static void name_fixed(const char *name, char fixed_name[])
{
	size_t length = strlen(name);

	strcpy(fixed_name, name);
	if (length > 2 && !strcmp(name + length - 2, "_P"))
		fixed_name[length - 2] = '\0';
}

static void check_event(const char *pmu, const struct intel_cpu *cpu, const struct pmu_event *event)
{
	uint32_t all = (uint32_t)(BIT(cpu->general) - 1), general = event->counters & all;
	struct fact fact = {
		.pmu = pmu,
		.fields = PERFEVTSEL_EVENT | PERFEVTSEL_UMASK,
		.code = code_of(event, general, event->counters >> cpu->general),
		.counters = general == all ? ALL_COUNTERS : general,
		.fixed = event->counters >> cpu->general,
	};

	snprintf(fact.name, sizeof(fact.name), "%s", event->name);
	snprintf(fact.theirs, sizeof(fact.theirs), "%s", event->name);
	name_fixed(event->name, fact.fixed_name);
	check_fact(&fact);
}

void check_intel(void)
{
	uint32_t parts = 0;

	for (size_t i = 0; i < ARRAY_SIZE(processors); i++) {
		struct pmu_event events[PMU_EVENTS_MAX] = {0};
		struct intel_cpu cpu;

		check(decode(&processors[i], &cpu), "%s: is driven", processors[i].pmu);
		parts |= 1u << cpu.part;
		intel_events(&cpu, events);
		for (unsigned e = EV_CYCLES; e < EV_OWN || events[e].name; e++)
			if (events[e].name)
				check_event(processors[i].pmu, &cpu, &events[e]);
	}
	for (unsigned part = INTEL_UNKNOWN; part <= INTEL_DARKMONT; part++)
		check(parts >> part & 1, "part %u of Intel is compared", part);
}
