/* SPDX-License-Identifier: BSD-2-Clause */
/* Event tables against libpfm4's, wherever that library knows the event by a name. */
#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/tap.h"
#include "pmu/amd/amd.h"
#include "pmu/amd/regs.h"

struct row {
	enum pmu_event_id id;
	const char *name; /* libpfm4's */
};

static const struct row common[] = {
	{EV_CYCLES, "CPU_CLK_UNHALTED"},
	{EV_INSTRUCTIONS, "RETIRED_INSTRUCTIONS"},
	{EV_BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS"},
	{EV_TAKEN_BRANCHES, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"},
	{EV_FAR_TRANSFERS, "RETIRED_FAR_CONTROL_TRANSFERS"},
	{EV_MISPREDICTED, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED"},
	{0, NULL},
};
static const struct row k7_rows[] = {
	{EV_INTERRUPTS, "INTERRUPTS_TAKEN"},
	{0, NULL},
};
static const struct row k8_rows[] = {
	{EV_INTERRUPTS, "INTERRUPTS_TAKEN"},
	{EV_NEAR_RETURNS, "RETIRED_NEAR_RETURNS"},
	{EV_SUB_A, "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87"},
	{EV_SUB_B, "RETIRED_MMX_AND_FP_INSTRUCTIONS:MMX_AND_3DNOW"},
	{EV_SUB_BOTH, "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87:MMX_AND_3DNOW"},
	{EV_CS_LOADS, "SEGMENT_REGISTER_LOADS:CS"},
	{EV_SS_LOADS, "SEGMENT_REGISTER_LOADS:SS"},
	{EV_DS_LOADS, "SEGMENT_REGISTER_LOADS:DS"},
	{EV_FS_LOADS, "SEGMENT_REGISTER_LOADS:FS"},
	{EV_GS_LOADS, "SEGMENT_REGISTER_LOADS:GS"},
	{EV_STREAMED_LINES, "MEMORY_REQUESTS:STREAMING_STORE"},
	{0, NULL},
};
static const struct row bobcat_rows[] = {
	{EV_INTERRUPTS, "INTERRUPTS_TAKEN"},
	{EV_NEAR_RETURNS, "RETIRED_NEAR_RETURNS"},
	{0, NULL},
};
static const struct row bulldozer_rows[] = {
	{EV_INTERRUPTS, "INTERRUPTS_TAKEN"},
	{EV_NEAR_RETURNS, "RETIRED_NEAR_RETURNS"},
	{EV_SUB_A, "RETIRED_MMX_FP_INSTRUCTIONS:X87"},
	{EV_SUB_B, "RETIRED_MMX_FP_INSTRUCTIONS:MMX"},
	{0, NULL},
};
static const struct row zen_rows[] = {
	{EV_CYCLES, "CYCLES_NOT_IN_HALT"},
	{EV_INSTRUCTIONS, "RETIRED_INSTRUCTIONS"},
	{EV_BRANCHES, "RETIRED_BRANCH_INSTRUCTIONS"},
	{EV_TAKEN_BRANCHES, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"},
	{EV_FAR_TRANSFERS, "RETIRED_FAR_CONTROL_TRANSFERS"},
	{EV_NEAR_RETURNS, "RETIRED_NEAR_RETURNS"},
	{EV_MISPREDICTED, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED"},
	{EV_SUB_A, "RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR"},
	{EV_SUB_B, "RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR"},
	{0, NULL},
};

static const struct row zen2_rows[] = {
	{EV_INTERRUPTS, "INTERRUPT_TAKEN"},
	{EV_MISPREDICTED_DIRECTION, "RETIRED_BRANCH_MISPREDICTED_DIRECTION_MISMATCH"},
	{0, NULL},
};
static const struct row zen2_to_3_rows[] = {
	{EV_SSE, "RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR"},
	{EV_L2_STORES, "REQUESTS_TO_L2_GROUP1:RD_BLK_X"},
	{EV_L2_READS, "REQUESTS_TO_L2_GROUP1:RD_BLK_L"},
	{EV_L2_MISSES, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C"},
	{EV_L2_CODE_READS, "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ"},
	{0, NULL},
};
/* libpfm4 has it for Zen 1 alone, Linux for Zen 1 to 3. */
static const struct row zen1_to_3_rows[] = {
	{EV_STREAMED_LINES, "LS_TO_L2_WBC_REQUESTS:WCB_CLOSE"},
	{0, NULL},
};

static const struct row zen3_rows[] = {
	{EV_OP_CACHE, "OP_CACHE_HIT_MISS:ALL_OC_ACCESS"},
	{0, NULL},
};
static const struct row zen4_rows[] = {
	{EV_PACKED_FP, "RETIRED_FP_OPS_BY_TYPE:VECTOR_ALL"},
	{0, NULL},
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
	const struct pmu_event *events = amd_events(family, model);

	for (; row->name; row++) {
		uint64_t theirs = 0;
		bool known = encode_pfm(pmu, row->name, &theirs);

		printf("# %s::%s: theirs %llx, ours %llx\n", pmu, row->name,
		       (unsigned long long)theirs, (unsigned long long)encode(&events[row->id]));
		OK(known);
		OK(events[row->id].name && theirs == encode(&events[row->id]));
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
