/* SPDX-License-Identifier: BSD-2-Clause */
/* Listed differences: rows of the drivers' tables for which libpfm4 4.13.0 has no word, or another.
 */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "events.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- other spellings ---- */

#define K8_ALIKE "amd64_k8_* amd64_fam10h_* amd64_fam11h_* amd64_fam12h_*"
#define BOBCAT   "amd64_fam14h_* amd64_fam16h"
#define BEFORE   "amd64_k7 amd64_fam15h_* " K8_ALIKE " " BOBCAT
#define ZENS     "amd64_fam1[79]h_*"
#define ALL      BEFORE " " ZENS

#define SHORTER  "AMD's guide of K7, 22007, has it in these words, and the driver for all families"
#define MASKS    "a unit mask by what it selects: AMD's guides number the bits"
#define WORDS    "AMD's guides have a mnemonic for the unit mask, the driver words"
#define NO_ARCH  "libpfm4 has the architectural event by a name of its own alone"

static const struct spelling spellings[] = {
	{BEFORE, "CPU clocks not halted", "CPU_CLK_UNHALTED",
	 "AMD's guides: CPU Clocks not Halted"},
	{ZENS, "CPU clocks not halted", "CYCLES_NOT_IN_HALT", "K8's words for all families"},
	{ALL, "retired branches", "RETIRED_BRANCH_INSTRUCTIONS", SHORTER},
	{ALL, "retired taken branches", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", SHORTER},
	{ALL, "retired taken branches mispredicted",
	 "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", SHORTER},
	{ZENS, "retired conditional branches mispredicted",
	 "RETIRED_BRANCH_MISPREDICTED_DIRECTION_MISMATCH", WORDS},
	{ZENS, "retired conditional branches", "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", WORDS},
	{"amd64_fam17h_zen2 amd64_fam19h_*", "interrupts taken", "INTERRUPT_TAKEN",
	 "AMD's guides: Interrupts Taken"},
	{K8_ALIKE, "retired x87 instructions", "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87", MASKS},
	{K8_ALIKE, "retired MMX instructions", "RETIRED_MMX_AND_FP_INSTRUCTIONS:MMX_AND_3DNOW",
	 MASKS},
	{K8_ALIKE, "retired x87 and MMX instructions",
	 "RETIRED_MMX_AND_FP_INSTRUCTIONS:X87:MMX_AND_3DNOW", MASKS},
	{"amd64_fam15h_*", "retired x87 instructions", "RETIRED_MMX_FP_INSTRUCTIONS:X87", MASKS},
	{"amd64_fam15h_*", "retired MMX instructions", "RETIRED_MMX_FP_INSTRUCTIONS:MMX", MASKS},
	{"amd64_fam15h_*", "retired x87 and MMX instructions",
	 "RETIRED_MMX_FP_INSTRUCTIONS:X87:MMX", MASKS},
	{ZENS, "retired x87 instructions", "RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR", MASKS},
	{ZENS, "retired MMX instructions", "RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR", MASKS},
	{ZENS, "retired x87 and MMX instructions",
	 "RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR:MMX_INSTR", MASKS},
	{ZENS, "retired SSE instructions", "RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR", MASKS},
	{ZENS, "retired vector operations", "RETIRED_FP_OPS_BY_TYPE:VECTOR_ALL", WORDS},
	{K8_ALIKE, "lines streamed past the caches", "MEMORY_REQUESTS:STREAMING_STORE", WORDS},
	{ZENS, "L2 requests: data cache stores", "REQUESTS_TO_L2_GROUP1:RD_BLK_X", WORDS},
	{ZENS, "L2 requests: data cache reads", "REQUESTS_TO_L2_GROUP1:RD_BLK_L", WORDS},
	{ZENS, "L2 requests: data cache misses",
	 "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", WORDS},
	{ZENS, "L2 requests: code reads", "REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ", WORDS},
	{ZENS, "op cache look-ups", "OP_CACHE_HIT_MISS:ALL_OC_ACCESS", WORDS},

	{"core nhm* wsm* atom", "CPU_CLK_UNHALTED.REF", "UNHALTED_REFERENCE_CYCLES", NO_ARCH},
	{"snb* ivb* hsw* bdw* sk[lx] clx slm kn[lm]", "CPU_CLK_UNHALTED.REF_TSC",
	 "UNHALTED_REFERENCE_CYCLES", NO_ARCH},
	{"hsw* bdw* sk[lx] clx", "CPU_CLK_UNHALTED.THREAD_P", "CPU_CLK_THREAD_UNHALTED:THREAD_P",
	 "Intel's lists: CPU_CLK_UNHALTED.THREAD_P"},
	{"glm", "CPU_CLK_UNHALTED.CORE_P", "UNHALTED_CORE_CYCLES",
	 "libpfm4 codes CORE_P as 00H there; Intel's list as 3CH"},
	{"wsm*", "INST_RETIRED.ANY_P", "INSTRUCTION_RETIRED",
	 "libpfm4's ANY_P is the precise one, C0H 01H; SDM vol. 3B 20.2.1: C0H 00H"},
	{"tmt", "INST_RETIRED.ANY_P", "INSTRUCTION_RETIRED", NO_ARCH},
	{"core", "BR_INST_RETIRED.MISPRED", "BR_INST_RETIRED_MISPRED",
	 "Intel's list: BR_INST_RETIRED.MISPRED"},
	{"atom", "BR_INST_RETIRED.MISPRED", "MISPREDICTED_BRANCH_RETIRED",
	 "libpfm4's MISPRED is C4H 0AH; Intel's list: C5H 00H"},
	{"core atom", "L2_RQSTS.SELF.DEMAND.MESI", "LLC_REFERENCES", NO_ARCH},
	{"core atom", "L2_RQSTS.SELF.DEMAND.I_STATE", "LLC_MISSES", NO_ARCH},
	{"snb* slm", "LONGEST_LAT_CACHE.REFERENCE", "LLC_REFERENCES", NO_ARCH},
	{"snb* slm", "LONGEST_LAT_CACHE.MISS", "LLC_MISSES", NO_ARCH},
	{"ic[lx]", "LONGEST_LAT_CACHE.REFERENCE", "LONGEST_LAT_CACHE:REFERENCES",
	 "Intel's lists of other cores and SDM vol. 3B: REFERENCE"},
	{"snb*", "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE",
	 "Intel's list has no FP_ there"},
};

/* ---- events that libpfm4 has not, or not with this code ---- */

/* EventSelect[11:0] and unit mask of PERF_CTL; unit mask and event select of IA32_PERFEVTSEL; event
 * select and mask of an ESCR with the number of this ESCR in a CCCR. */
#define AMD(event, mask)   ((event)&0xff) | (mask) << 8 | (uint64_t)((event) >> 8) << 32
#define INTEL(event, mask) (event) | (mask) << 8
#define ESCR(event, mask, number)                                                                  \
	(uint64_t)(number) << 45 | (uint64_t)(event) << 25 | (uint64_t)(mask) << 9

#define GUIDE_E      "AMD 22007, edition E, table 11"
#define PPR          "AMD's guides of Zen 3 and Zen 4; amd64_fam1ah_zen5 of later libpfm4; Linux amdzen6"
#define LINUX(list)  "Linux, tools/perf/pmu-events/arch/x86/" list
#define ZEN5         "amd64_fam1ah_zen5 zen6"

#define SDM(section) "Intel SDM vol. 3B, " section
#define TABLE_20_1   SDM("20.2.1, table 20-1; Intel's event lists")
#define LISTS        "Intel's event lists (perfmon): GLP, ADL, LNL, PTL"
#define P6_LIST      SDM("events of the P6 family; libpfm4 of 32 bits")
#define YONAH_LIST   SDM("events of Core Solo and Core Duo; libpfm4 of 32 bits")
#define SOME         "lion_cove cougar_cove goldmont_plus gracemont skymont darkmont unknown"
#define TS_TABLE     SDM("events of NetBurst, table of thread-specific events")

static const struct lacking lackings[] = {
	{"amd64_k7", "retired near returns", AMD(0xc8, 0), GUIDE_E},
	{"amd64_k7", "segment register loads: ES", AMD(0x20, 0x01), GUIDE_E},
	{"amd64_k7", "segment register loads: CS", AMD(0x20, 0x02), GUIDE_E},
	{"amd64_k7", "segment register loads: SS", AMD(0x20, 0x04), GUIDE_E},
	{"amd64_k7", "segment register loads: DS", AMD(0x20, 0x08), GUIDE_E},
	{"amd64_k7", "segment register loads: ES, DS", AMD(0x20, 0x09), GUIDE_E},
	{"amd64_k7", "segment register loads: FS", AMD(0x20, 0x10), GUIDE_E},
	{"amd64_k7", "segment register loads: GS", AMD(0x20, 0x20), GUIDE_E},
	{"amd64_k7", "requests for memory of type WB", AMD(0x65, 0x40), GUIDE_E},
	{"amd64_k7", "L2 read-modify-writes", AMD(0x79, 0x80), GUIDE_E},
	{"amd64_fam17h_zen1", "interrupts taken", AMD(0x2c, 0), "AMD's later lists of family 17h"},
	{"amd64_fam17h_zen2 amd64_fam19h_zen3", "write-combining buffers closed", AMD(0x63, 0x20),
	 LINUX("amdzen2, amdzen3")},
	{"amd64_fam17h_zen2", "switches to the op cache", AMD(0x28a, 0x01), LINUX("amdzen2")},
	{ZEN5, "CPU clocks not halted", AMD(0x76, 0), PPR},
	{ZEN5, "retired instructions", AMD(0xc0, 0), PPR},
	{ZEN5, "retired branches", AMD(0xc2, 0), PPR},
	{ZEN5, "retired taken branches", AMD(0xc4, 0), PPR},
	{ZEN5, "retired taken branches mispredicted", AMD(0xc5, 0), PPR},
	{ZEN5, "retired far control transfers", AMD(0xc6, 0), PPR},
	{ZEN5, "retired near returns", AMD(0xc8, 0), PPR},
	{ZEN5, "retired conditional branches", AMD(0xd1, 0), PPR},
	{ZEN5, "retired conditional branches mispredicted", AMD(0x1c7, 0), PPR},
	{ZEN5, "interrupts taken", AMD(0x2c, 0), PPR},
	{ZEN5, "retired x87 instructions", AMD(0xcb, 0x01), PPR},
	{ZEN5, "retired MMX instructions", AMD(0xcb, 0x02), PPR},
	{ZEN5, "retired x87 and MMX instructions", AMD(0xcb, 0x03), PPR},
	{ZEN5, "retired SSE instructions", AMD(0xcb, 0x04), PPR},
	{ZEN5, "L2 requests: data cache stores", AMD(0x60, 0x40), PPR},
	{ZEN5, "L2 requests: data cache reads", AMD(0x60, 0x80), PPR},
	{ZEN5, "L2 requests: data cache misses", AMD(0x64, 0x08), PPR},
	{ZEN5, "L2 requests: code reads", AMD(0x60, 0x10), PPR},
	{ZEN5, "op cache look-ups", AMD(0x28f, 0x07), PPR},

	{"ppro p6", "CPU_CLK_UNHALTED", INTEL(0x79, 0), P6_LIST},
	{"ppro p6", "INST_RETIRED", INTEL(0xc0, 0), P6_LIST},
	{"ppro p6", "BR_INST_RETIRED", INTEL(0xc4, 0), P6_LIST},
	{"ppro p6", "BR_TAKEN_RETIRED", INTEL(0xc9, 0), P6_LIST},
	{"ppro p6", "BR_MISS_PRED_RETIRED", INTEL(0xc5, 0), P6_LIST},
	{"ppro p6", "HW_INT_RX", INTEL(0xc8, 0), P6_LIST},
	{"ppro p6", "SEGMENT_REG_LOADS", INTEL(0x06, 0), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 01H", INTEL(0xb3, 0x01), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 02H", INTEL(0xb3, 0x02), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 04H", INTEL(0xb3, 0x04), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 08H", INTEL(0xb3, 0x08), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 10H", INTEL(0xb3, 0x10), P6_LIST},
	{"p6", "MMX_INSTR_TYPE_EXEC 20H", INTEL(0xb3, 0x20), P6_LIST},
	{"coreduo", "Unhalted_Core_Cycles", INTEL(0x3c, 0), YONAH_LIST},
	{"coreduo", "Instr_Ret", INTEL(0xc0, 0), YONAH_LIST},
	{"coreduo", "Br_Instr_Ret", INTEL(0xc4, 0), YONAH_LIST},
	{"coreduo", "Br_MisPred_Ret", INTEL(0xc5, 0), YONAH_LIST},
	{"coreduo", "LLC_Reference", INTEL(0x2e, 0x4f), YONAH_LIST},
	{"coreduo", "LLC_Misses", INTEL(0x2e, 0x41), YONAH_LIST},
	{"coreduo", "HW_Int_Rx", INTEL(0xc8, 0), YONAH_LIST},
	{"nhm*", "BR_MISP_RETIRED.ALL_BRANCHES", INTEL(0xc5, 0), TABLE_20_1},
	/* libpfm4's are precise, 04H; so are Intel's of Nehalem. */
	{"snb*", "BR_INST_RETIRED.ALL_BRANCHES", INTEL(0xc4, 0), TABLE_20_1},
	{"snb*", "BR_MISP_RETIRED.ALL_BRANCHES", INTEL(0xc5, 0), TABLE_20_1},
	{"goldmont_plus gracemont skymont darkmont", "CPU_CLK_UNHALTED.CORE_P", INTEL(0x3c, 0),
	 TABLE_20_1},
	{"lion_cove cougar_cove unknown", "CPU_CLK_UNHALTED.THREAD_P", INTEL(0x3c, 0), TABLE_20_1},
	{SOME, "CPU_CLK_UNHALTED.REF_TSC", INTEL(0, 0x03), LISTS},
	{SOME, "INST_RETIRED.ANY_P", INTEL(0xc0, 0), TABLE_20_1},
	{SOME, "BR_INST_RETIRED.ALL_BRANCHES", INTEL(0xc4, 0), TABLE_20_1},
	{SOME, "BR_MISP_RETIRED.ALL_BRANCHES", INTEL(0xc5, 0), TABLE_20_1},
	{SOME, "LONGEST_LAT_CACHE.REFERENCE", INTEL(0x2e, 0x4f), TABLE_20_1},
	{SOME, "LONGEST_LAT_CACHE.MISS", INTEL(0x2e, 0x41), TABLE_20_1},
	{"lion_cove cougar_cove unknown", "TOPDOWN.SLOTS_P", INTEL(0xa4, 0x01), TABLE_20_1},
	{"lion_cove", "BR_INST_RETIRED.NEAR_TAKEN", INTEL(0xc4, 0x20), LISTS},
	{"lion_cove", "BR_INST_RETIRED.COND_NTAKEN", INTEL(0xc4, 0x10), LISTS},
	{"lion_cove", "BR_INST_RETIRED.FAR_BRANCH", INTEL(0xc4, 0x40), LISTS},
	{"lion_cove", "BR_INST_RETIRED.INDIRECT", INTEL(0xc4, 0x80), LISTS},
	{"cougar_cove darkmont", "BR_INST_RETIRED.NEAR_TAKEN", INTEL(0xc4, 0xfb), LISTS},
	{"lion_cove cougar_cove darkmont", "BR_INST_RETIRED.NEAR_RETURN", INTEL(0xc4, 0x08), LISTS},
	{"gracemont skymont", "BR_INST_RETIRED.NEAR_TAKEN", INTEL(0xc4, 0xc0), LISTS},
	{"gracemont skymont", "BR_INST_RETIRED.NEAR_RETURN", INTEL(0xc4, 0xf7), LISTS},
	{"skymont darkmont", "TOPDOWN_BAD_SPECULATION.ALL_P", INTEL(0x73, 0), LISTS},
	{"skymont darkmont", "TOPDOWN_FE_BOUND.ALL_P", INTEL(0x9c, 0x01), LISTS},
	{"skymont darkmont", "TOPDOWN_RETIRING.ALL_P", INTEL(0xc2, 0x02), LISTS},
	{"goldmont_plus", "BR_INST_RETIRED.ALL_TAKEN_BRANCHES", INTEL(0xc4, 0x80), LISTS},
	{"goldmont_plus tmt", "BR_INST_RETIRED.RETURN", INTEL(0xc4, 0xf7), LISTS ", EHL"},
	{"goldmont_plus tmt gracemont skymont", "BR_INST_RETIRED.FAR_BRANCH", INTEL(0xc4, 0xbf),
	 LISTS ", EHL"},
	{"goldmont_plus tmt", "HW_INTERRUPTS.RECEIVED", INTEL(0xcb, 0x01), LISTS ", EHL"},

	{"netburst_p", "retired_branch_type UNCONDITIONAL", ESCR(0x04, 0x01, 2), TS_TABLE},
	{"netburst_p", "memory_complete USC", ESCR(0x08, 0x04, 2), TS_TABLE},
	{"netburst_p", "memory_complete ULC", ESCR(0x08, 0x08, 2), TS_TABLE},
	{"netburst_p", "x87_SIMD_moves_uop ALLP0", ESCR(0x2e, 0x08, 1),
	 "perfctr, FreeBSD, OProfile"},
	{"netburst_p", "x87_SIMD_moves_uop ALLP2", ESCR(0x2e, 0x10, 1),
	 "perfctr, FreeBSD, OProfile"},
};

/* ---- rows that not all general counters count, and no other: libpfm4 tells of few ---- */

#define TABLE_20_2        SDM("20.2.2, table 20-2")
#define NETBURST_COUNTERS SDM("events of NetBurst, counters of each ESCR")

static const struct counting countings[] = {
	{"*", "INST_RETIRED.ANY_P", ALL_COUNTERS, 1 << 0, TABLE_20_2},
	{"*", "CPU_CLK_UNHALTED.THREAD_P", ALL_COUNTERS, 1 << 1, TABLE_20_2},
	{"*", "CPU_CLK_UNHALTED.CORE_P", ALL_COUNTERS, 1 << 1, TABLE_20_2},
	{"*", "CPU_CLK_UNHALTED.REF", 0, 1 << 2, TABLE_20_2},
	{"*", "CPU_CLK_UNHALTED.REF_TSC", 0, 1 << 2, TABLE_20_2},
	{"*", "TOPDOWN.SLOTS_P", ALL_COUNTERS, 1 << 3, TABLE_20_2},
	{"amd64_fam15h_*", "CPU clocks not halted", 0x07, 0,
	 "Linux amd_get_event_constraints_f15h(), by BKDG 42301"},
	{"netburst_p", "global_power_events RUNNING", 0x0000f, 0, NETBURST_COUNTERS},
	{"netburst_p", "retired_branch_type RETURN", 0x000f0, 0, NETBURST_COUNTERS},
	{"netburst_p", "64bit_MMX_uop ALL", 0x00f00, 0, NETBURST_COUNTERS},
	{"netburst_p", "instr_retired NBOGUSNTAG NBOGUSTAG", 0x3f000, 0, NETBURST_COUNTERS},
	{"netburst_p", "branch_retired MMNP MMNM MMTP MMTM", 0x3f000, 0, NETBURST_COUNTERS},
	{"netburst_p", "branch_retired MMTP MMTM", 0x3f000, 0, NETBURST_COUNTERS},
};

/* ---- PMUs that no table is compared with ---- */

static const char *const apart[] = {
	"netburst", /* netburst_p knows all that it does */
	"ix86arch", /* by CPUID of the machine at hand */
	"knc", /* Knights Corner is not driven */
	"amd64_fam17h", /* an older name of amd64_fam17h_zen1 */
};

/* Rows that were asked for. */
static bool spelled[ARRAY_SIZE(spellings)], lacked[ARRAY_SIZE(lackings)],
	counted[ARRAY_SIZE(countings)];

static bool matches(const char *pmus, const char *pmu)
{
	char glob[80];

	for (size_t length; *pmus; pmus += length + (pmus[length] == ' ')) {
		length = strcspn(pmus, " ");
		memcpy(glob, pmus, length);
		glob[length] = '\0';
		if (!fnmatch(glob, pmu, 0))
			return true;
	}
	return false;
}

#define FIND(table, asked)                                                                         \
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)                                             \
		if (!strcmp((table)[i].name, fact->name) && matches((table)[i].pmus, fact->pmu)) { \
			(asked)[i] = true;                                                         \
			return &(table)[i];                                                        \
		}                                                                                  \
	return NULL

const struct spelling *listed_spelling(const struct fact *fact)
{
	FIND(spellings, spelled);
}

const struct lacking *listed_lacking(const struct fact *fact)
{
	FIND(lackings, lacked);
}

const struct counting *listed_counting(const struct fact *fact)
{
	FIND(countings, counted);
}

bool listed_apart(const char *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(apart); i++)
		if (!strcmp(apart[i], pmu))
			return true;
	return false;
}

#define CHECK_ASKED(table, asked)                                                                  \
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)                                             \
	check((asked)[i], "%s: %s: is in a table", (table)[i].pmus, (table)[i].name)

void listed_end(void)
{
	CHECK_ASKED(spellings, spelled);
	CHECK_ASKED(lackings, lacked);
	CHECK_ASKED(countings, counted);
}
