/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel event tables against libpfm4's, for every microarchitecture that it knows, wherever it has
 * a name for the event.  It has none of P6, Pentium M and Core Duo on 64 bits. */
#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/pmu/find.h"
#include "check/unit/tap.h"
#include "pmu/intel/intel.h"
#include "pmu/intel/regs.h"

/* libpfm4's names; those that it has for all of them are the architectural ones. */
struct names {
	const char *pmu;
	uint8_t model;
	const char *instructions, *branches, *taken, *far, *near_returns, *interrupts, *slots,
		*mispredicted, *references, *misses, *not_taken, *indirect, *offcore;
	struct {
		const char *ours, *theirs;
	} vector[3]; /* sub-events of one core alone */
};

#define BRANCH_SUB_EVENTS                                                                          \
	.taken = "BR_INST_RETIRED:NEAR_TAKEN", .far = "BR_INST_RETIRED:FAR_BRANCH",                \
	.near_returns = "BR_INST_RETIRED:NEAR_RETURN"
#define RETIRED       .instructions = "INST_RETIRED:ANY_P", .branches = "BRANCH_INSTRUCTIONS_RETIRED"
#define ARCHITECTURAL RETIRED, .mispredicted = "MISPREDICTED_BRANCH_RETIRED"
#define CACHE         .references = "LLC_REFERENCES", .misses = "LLC_MISSES"
#define RECENT        .instructions = "INST_RETIRED:ANY_P", .branches = "BR_INST_RETIRED:ALL_BRANCHES"
#define NOT_TAKEN     .not_taken = "BR_INST_RETIRED:NOT_TAKEN"
#define BIG           ARCHITECTURAL, BRANCH_SUB_EVENTS, NOT_TAKEN
#define CONDITIONAL_NOT_TAKEN                                                                      \
	.not_taken = "BR_INST_RETIRED:COND_NTAKEN", .indirect = "BR_INST_RETIRED:INDIRECT"
#define OFFCORE .offcore = "OFFCORE_REQUESTS:ALL_REQUESTS"
#define CORE2_VECTOR                                                                               \
	.vector = {{"SIMD_INST_RETIRED.VECTOR", "SIMD_INST_RETIRED:VECTOR"},                       \
		   {"SIMD_UOP_TYPE_EXEC.ARITHMETIC", "SIMD_UOP_TYPE_EXEC:ARITHMETIC"},             \
		   {"X87_OPS_RETIRED.ANY", "X87_OPS_RETIRED:ANY"}}
#define NEHALEM_VECTOR                                                                             \
	.vector = {                                                                                \
		{"FP_COMP_OPS_EXE.SSE_FP_PACKED", "FP_COMP_OPS_EXE:SSE_FP_PACKED"},                \
		{"FP_COMP_OPS_EXE.SSE_FP_SCALAR", "FP_COMP_OPS_EXE:SSE_FP_SCALAR"},                \
		{"FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION", "FP_COMP_OPS_EXE:SSE_DOUBLE_PRECISION"}}
#define SANDY_BRIDGE_VECTOR                                                                        \
	.vector = {{"FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE"},  \
		   {"FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE", "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE"}}
#define ATOM                                                                                       \
	ARCHITECTURAL, .far = "BR_INST_RETIRED:FAR_BRANCH", .near_returns = "BR_INST_RETIRED:RETURN"
#define RECEIVED .interrupts = "HW_INTERRUPTS:RECEIVED"

static const struct names names[] = {
	{"core", 0x0f, ARCHITECTURAL, CACHE, .interrupts = "HW_INT_RCV", CORE2_VECTOR},
	{"atom", 0x1c, ARCHITECTURAL, CACHE, .taken = "BR_INST_RETIRED:TAKEN"},
	{"nhm", 0x1a, RETIRED, CACHE, NEHALEM_VECTOR},
	{"nhm_ex", 0x2e, RETIRED, CACHE, NEHALEM_VECTOR},
	/* It has the precise sub-event of instructions alone, and Sandy Bridge that of branches. */
	{"wsm", 0x25, CACHE, .branches = "BR_INST_RETIRED:ALL_BRANCHES", NEHALEM_VECTOR},
	{"wsm_dp", 0x2c, CACHE, .branches = "BR_INST_RETIRED:ALL_BRANCHES", NEHALEM_VECTOR},
	{"snb", 0x2a, CACHE, .instructions = "INST_RETIRED:ANY_P", BRANCH_SUB_EVENTS, NOT_TAKEN,
	 SANDY_BRIDGE_VECTOR},
	{"snb_ep", 0x2d, CACHE, .instructions = "INST_RETIRED:ANY_P", BRANCH_SUB_EVENTS, NOT_TAKEN,
	 SANDY_BRIDGE_VECTOR},
	{"ivb", 0x3a, CACHE, BIG},
	{"ivb_ep", 0x3e, CACHE, BIG},
	{"hsw", 0x3c, BIG},
	{"hsw_ep", 0x3f, BIG},
	{"bdw", 0x3d, BIG},
	{"bdw_ep", 0x4f, BIG},
	{"skl", 0x5e, BIG, RECEIVED, OFFCORE},
	{"skx", 0x55, BIG, RECEIVED, OFFCORE},
	{"clx", 0x55, BIG, RECEIVED, OFFCORE},
	{"icl", 0x7e, RECENT, BRANCH_SUB_EVENTS, .slots = "TOPDOWN:SLOTS_P", CONDITIONAL_NOT_TAKEN},
	{"icx", 0x6a, RECENT, BRANCH_SUB_EVENTS, .slots = "TOPDOWN:SLOTS_P", CONDITIONAL_NOT_TAKEN},
	{"spr", 0x8f, RECENT, BRANCH_SUB_EVENTS, .slots = "TOPDOWN:SLOTS_P", CONDITIONAL_NOT_TAKEN},
	{"slm", 0x37, CACHE, ATOM, .taken = "BR_INST_RETIRED:ALL_TAKEN_BRANCHES"},
	{"glm", 0x5c, ATOM, RECEIVED, .taken = "BR_INST_RETIRED:ALL_TAKEN_BRANCHES"},
	{"knl", 0x57, CACHE, ATOM},
	{"knm", 0x85, CACHE, ATOM},
	{"tmt", 0x86, .branches = "BR_INST_RETIRED:ALL_BRANCHES"},
};

static bool encode_pfm(const char *pmu, const char *name, uint64_t *code)
{
	char full[128];
	uint64_t *codes = NULL;
	int count = 0;
	bool known;

	snprintf(full, sizeof(full), "%s::%s", pmu, name);
	known = !pfm_get_event_encoding(full, PFM_PLM0 | PFM_PLM3, NULL, NULL, &codes, &count) &&
		count > 0;
	if (known)
		*code = codes[0] & (PERFEVTSEL_EVENT | PERFEVTSEL_UMASK);
	free(codes);
	return known;
}

static void check(const char *pmu, const struct pmu_event *event, const char *name)
{
	uint64_t theirs = 0, ours = (uint64_t)event->unit_mask << 8 | event->code;
	bool known;

	if (!name)
		return;
	known = encode_pfm(pmu, name, &theirs);
	printf("# %s::%s: theirs %llx, ours %llx\n", pmu, name, (unsigned long long)theirs,
	       (unsigned long long)ours);
	OK(known);
	OK(event->name && theirs == ours);
}

/* Of the driver's own; events[EV_NONE]: none. */
static const struct pmu_event *find_code(const struct pmu_event *events, unsigned code,
					 unsigned mask)
{
	unsigned e = PMU_EVENTS_MAX;

	while (--e >= EV_OWN)
		if (events[e].name && events[e].code == code && events[e].unit_mask == mask)
			return &events[e];
	return &events[EV_NONE];
}

/* With all architectural events and one counter of each kind. */
static void check_names(const struct names *n)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};
	const struct intel_leaves leaves = {
		.leaf_0 = {0xa, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = (uint32_t)(0x600 | (n->model & 0xf) << 4 | (n->model >> 4) << 16),
			   .edx = CPUID_1_EDX_MSR},
		.leaf_a = {.eax = 0x08300405, .ecx = 0xf, .edx = 0x8604},
	};
	struct intel_cpu cpu;

	OK(intel_decode(&leaves, &cpu));
	intel_events(&cpu, events);
	check(n->pmu, &events[EV_CYCLES], "UNHALTED_CORE_CYCLES");
	check(n->pmu, &events[EV_INSTRUCTIONS], n->instructions);
	check(n->pmu, &events[EV_BRANCHES], n->branches);
	check(n->pmu, &events[EV_TAKEN_BRANCHES], n->taken);
	check(n->pmu, &events[EV_FAR_TRANSFERS], n->far);
	check(n->pmu, &events[EV_NEAR_RETURNS], n->near_returns);
	check(n->pmu, &events[EV_INTERRUPTS], n->interrupts);
	check(n->pmu, find_event(events, "TOPDOWN.SLOTS_P"), n->slots);
	check(n->pmu, find_code(events, 0xc5, 0), n->mispredicted);
	check(n->pmu, find_code(events, 0x2e, 0x4f), n->references);
	check(n->pmu, find_code(events, 0x2e, 0x41), n->misses);
	check(n->pmu, &events[EV_NOT_TAKEN_BRANCHES], n->not_taken);
	check(n->pmu, find_event(events, "BR_INST_RETIRED.INDIRECT"), n->indirect);
	check(n->pmu, find_event(events, "OFFCORE_REQUESTS.ALL_REQUESTS"), n->offcore);
	for (size_t i = 0; i < ARRAY_SIZE(n->vector); i++)
		if (n->vector[i].ours)
			check(n->pmu, find_event(events, n->vector[i].ours), n->vector[i].theirs);
}

/* Is there a core PMU of Intel's that libpfm4 knows and this file does not? */
static bool listed(const char *pmu)
{
	static const char *const others[] = {"netburst", "netburst_p", "ix86arch", "knc"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].pmu, pmu))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i], pmu))
			return true;
	return false;
}

static void check_all_listed(void)
{
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof(info)};

		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS ||
		    info.type != PFM_PMU_TYPE_CORE || strncmp(info.desc, "Intel", 5))
			continue;
		printf("# %s: %s\n", info.name, info.desc);
		OK(listed(info.name));
	}
}

int main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS) {
		printf("Bail out! libpfm4 cannot be initialised\n");
		return 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		check_names(&names[i]);
	check_all_listed();
	return tap_end();
}
