/* SPDX-License-Identifier: BSD-2-Clause */
/* Event tables against libpfm4's, wherever that library knows the event by a name. */
#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/pmu/find.h"
#include "check/unit/tap.h"
#include "pmu/amd/amd.h"
#include "pmu/amd/regs.h"

struct row {
	const char *name;
	const char *theirs; /* libpfm4's */
};

static const struct row common[] = {
	{"CPU clocks not halted", "CPU_CLK_UNHALTED"},
	{"retired instructions", "RETIRED_INSTRUCTIONS"},
	{"retired branches", "RETIRED_BRANCH_INSTRUCTIONS"},
	{"retired taken branches", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"},
	{"retired far control transfers", "RETIRED_FAR_CONTROL_TRANSFERS"},
	{"retired taken branches mispredicted", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED"},
	{NULL, NULL},
};
static const struct row k7_rows[] = {
	{"interrupts taken", "INTERRUPTS_TAKEN"},
	{NULL, NULL},
};
static const struct row k8_rows[] = {
	{"interrupts taken", "INTERRUPTS_TAKEN"},
	{"retired near returns", "RETIRED_NEAR_RETURNS"},
	{"retired x87 instructions", "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87"},
	{"retired MMX instructions", "RETIRED_MMX_AND_FP_INSTRUCTIONS:MMX_AND_3DNOW"},
	{"retired x87 and MMX instructions", "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87:MMX_AND_3DNOW"},
	{"segment register loads: CS", "SEGMENT_REGISTER_LOADS:CS"},
	{"segment register loads: SS", "SEGMENT_REGISTER_LOADS:SS"},
	{"segment register loads: DS", "SEGMENT_REGISTER_LOADS:DS"},
	{"segment register loads: FS", "SEGMENT_REGISTER_LOADS:FS"},
	{"segment register loads: GS", "SEGMENT_REGISTER_LOADS:GS"},
	{"lines streamed past the caches", "MEMORY_REQUESTS:STREAMING_STORE"},
	{NULL, NULL},
};
static const struct row bobcat_rows[] = {
	{"interrupts taken", "INTERRUPTS_TAKEN"},
	{"retired near returns", "RETIRED_NEAR_RETURNS"},
	{NULL, NULL},
};
static const struct row bulldozer_rows[] = {
	{"interrupts taken", "INTERRUPTS_TAKEN"},
	{"retired near returns", "RETIRED_NEAR_RETURNS"},
	{"retired x87 instructions", "RETIRED_MMX_FP_INSTRUCTIONS:X87"},
	{"retired MMX instructions", "RETIRED_MMX_FP_INSTRUCTIONS:MMX"},
	{NULL, NULL},
};
static const struct row zen_rows[] = {
	{"CPU clocks not halted", "CYCLES_NOT_IN_HALT"},
	{"retired instructions", "RETIRED_INSTRUCTIONS"},
	{"retired branches", "RETIRED_BRANCH_INSTRUCTIONS"},
	{"retired taken branches", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"},
	{"retired far control transfers", "RETIRED_FAR_CONTROL_TRANSFERS"},
	{"retired near returns", "RETIRED_NEAR_RETURNS"},
	{"retired taken branches mispredicted", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED"},
	{"retired x87 instructions", "RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR"},
	{"retired MMX instructions", "RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR"},
	{NULL, NULL},
};

static const struct row zen2_rows[] = {
	{"interrupts taken", "INTERRUPT_TAKEN"},
	{"retired conditional branches mispredicted",
	 "RETIRED_BRANCH_MISPREDICTED_DIRECTION_MISMATCH"},
	{NULL, NULL},
};
static const struct row zen2_to_3_rows[] = {
	{"retired SSE instructions", "RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR"},
	{"L2 requests: data cache stores", "REQUESTS_TO_L2_GROUP1:RD_BLK_X"},
	{"L2 requests: data cache reads", "REQUESTS_TO_L2_GROUP1:RD_BLK_L"},
	{"L2 requests: data cache misses",
	 "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C"},
	{"L2 requests: code reads", "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ"},
	{NULL, NULL},
};
/* libpfm4 has it for Zen 1 alone, Linux for Zen 1 to 3. */
static const struct row zen1_to_3_rows[] = {
	{"write-combining buffers closed", "LS_TO_L2_WBC_REQUESTS:WCB_CLOSE"},
	{NULL, NULL},
};

static const struct row zen3_rows[] = {
	{"op cache look-ups", "OP_CACHE_HIT_MISS:ALL_OC_ACCESS"},
	{NULL, NULL},
};
static const struct row zen4_rows[] = {
	{"retired vector operations", "RETIRED_FP_OPS_BY_TYPE:VECTOR_ALL"},
	{NULL, NULL},
};

/* Event and unit mask alone. */
static uint64_t encode(const struct pmu_event *event)
{
	return (uint64_t)(event->code & 0xff) | (uint64_t)event->unit_mask << 8 |
	       (uint64_t)(event->code >> 8) << 32;
}

static bool encode_pfm(const char *pmu, const char *name, uint64_t *code)
{
	char full[128];
	uint64_t *codes = NULL;
	int count = 0;

	snprintf(full, sizeof(full), "%s::%s", pmu, name);
	if (pfm_get_event_encoding(full, PFM_PLM0 | PFM_PLM3, NULL, NULL, &codes, &count) ||
	    count < 1) {
		free(codes);
		return false;
	}
	*code = codes[0] & (PERF_CTL_EVENT_LOW | PERF_CTL_UNIT_MASK | PERF_CTL_EVENT_HIGH);
	free(codes);
	return true;
}

static void check_rows(const char *pmu, const struct row *row, unsigned family, unsigned model)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	amd_events(amd_part(family, model), events);
	for (; row->name; row++) {
		const struct pmu_event *ours = find_event(events, row->name);
		uint64_t theirs = 0;
		bool known = encode_pfm(pmu, row->theirs, &theirs);

		printf("# %s::%s: theirs %llx, ours %llx\n", pmu, row->theirs,
		       (unsigned long long)theirs, (unsigned long long)encode(ours));
		OK(known);
		OK(ours->name && theirs == encode(ours));
	}
}

int main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS) {
		printf("Bail out! libpfm4 cannot be initialised\n");
		return 2;
	}
	check_rows("amd64_k7", common, 0x06, 0x04);
	check_rows("amd64_k7", k7_rows, 0x06, 0x04);
	check_rows("amd64_k8_revg", common, 0x0f, 0x68);
	check_rows("amd64_k8_revg", k8_rows, 0x0f, 0x68);
	check_rows("amd64_fam10h_barcelona", common, 0x10, 0x02);
	check_rows("amd64_fam14h_bobcat", common, 0x14, 0x01);
	check_rows("amd64_fam14h_bobcat", bobcat_rows, 0x14, 0x01);
	check_rows("amd64_fam15h_interlagos", bulldozer_rows, 0x15, 0x01);
	check_rows("amd64_fam17h_zen1", zen_rows, 0x17, 0x01);
	check_rows("amd64_fam17h_zen2", zen_rows, 0x17, 0x31);
	check_rows("amd64_fam17h_zen2", zen2_rows, 0x17, 0x31);
	check_rows("amd64_fam17h_zen2", zen2_to_3_rows, 0x17, 0x31);
	check_rows("amd64_fam17h_zen1", zen1_to_3_rows, 0x17, 0x31);
	check_rows("amd64_fam17h_zen1", zen1_to_3_rows, 0x19, 0x01);
	check_rows("amd64_fam19h_zen3", zen_rows, 0x19, 0x01);
	check_rows("amd64_fam19h_zen3", zen2_rows, 0x19, 0x01);
	check_rows("amd64_fam19h_zen3", zen2_to_3_rows, 0x19, 0x01);
	check_rows("amd64_fam19h_zen3", zen3_rows, 0x19, 0x01);
	check_rows("amd64_fam19h_zen4", zen_rows, 0x19, 0x11);
	check_rows("amd64_fam19h_zen4", zen3_rows, 0x19, 0x11);
	check_rows("amd64_fam19h_zen4", zen4_rows, 0x19, 0x11);
	return tap_end();
}
