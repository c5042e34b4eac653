/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of AMD core performance counters, with the manual's names. */
#pragma once

#include "kernel/lib/lib.h"

/* AMD64 APM vol. 2 (24593), 13.2 "Performance Monitoring Counters". */
#define MSR_PERF_LEGACY_CTL(n) (0xc0010000u + (n)) /* PerfEvtSel0..3, family 6 and later */
#define MSR_PERF_LEGACY_CTR(n) (0xc0010004u + (n)) /* PerfCtr0..3 */
#define MSR_PERF_CTL(n)        (0xc0010200u + 2 * (n)) /* CPUID 8000_0001 ECX.PerfCtrExtCore */
#define MSR_PERF_CTR(n)        (0xc0010201u + 2 * (n))
#define AMD_LEGACY_COUNTERS    4u
#define AMD_EXTENDED_COUNTERS  6u
#define AMD_COUNTER_WIDTH      48u

/* PERF_CTL[n] as family 10h and later have it. */
#define PERF_CTL_EVENT_LOW  FIELD(7, 0) /* EventSelect[7:0] */
#define PERF_CTL_UNIT_MASK  FIELD(15, 8)
#define PERF_CTL_USR        BIT(16)
#define PERF_CTL_OS         BIT(17)
#define PERF_CTL_E          BIT(18)
#define PERF_CTL_PC         BIT(19) /* K7 and K8; reserved later */
#define PERF_CTL_INT        BIT(20)
#define PERF_CTL_EN         BIT(22)
#define PERF_CTL_INV        BIT(23)
#define PERF_CTL_CNT_MASK   FIELD(31, 24)
#define PERF_CTL_EVENT_HIGH FIELD(35, 32) /* EventSelect[11:8]; reserved on K7 and K8 */
#define PERF_CTL_GUEST_ONLY BIT(40) /* with EFER.SVME = 0 either of these stops the counter */
#define PERF_CTL_HOST_ONLY  BIT(41)
#define PERF_CTL_RESERVED   (BIT(21) | FIELD(39, 36) | FIELD(63, 42))

/* Fields that every generation has. */
#define PERF_CTL_COMMON                                                                            \
	(PERF_CTL_EVENT_LOW | PERF_CTL_UNIT_MASK | PERF_CTL_USR | PERF_CTL_OS | PERF_CTL_E |       \
	 PERF_CTL_INT | PERF_CTL_EN | PERF_CTL_INV | PERF_CTL_CNT_MASK)

/* Disjoint fields: their OR and their sum are both all ones. */
_Static_assert((PERF_CTL_COMMON | PERF_CTL_PC | PERF_CTL_EVENT_HIGH | PERF_CTL_GUEST_ONLY |
		PERF_CTL_HOST_ONLY | PERF_CTL_RESERVED) == ~UINT64_C(0) &&
		       PERF_CTL_EVENT_LOW + PERF_CTL_UNIT_MASK + PERF_CTL_USR + PERF_CTL_OS +
				       PERF_CTL_E + PERF_CTL_PC + PERF_CTL_INT + PERF_CTL_EN +
				       PERF_CTL_INV + PERF_CTL_CNT_MASK + PERF_CTL_EVENT_HIGH +
				       PERF_CTL_GUEST_ONLY + PERF_CTL_HOST_ONLY +
				       PERF_CTL_RESERVED ==
			       ~UINT64_C(0),
	       "fields tile PERF_CTL");

/* PerfMonV2, CPUID 8000_0022 EAX[0]: APM vol. 2, 13.2.  Bit n stands for counter n. */
#define MSR_PERF_CNTR_GLOBAL_STATUS     0xc0000300u
#define MSR_PERF_CNTR_GLOBAL_CTL        0xc0000301u
#define MSR_PERF_CNTR_GLOBAL_STATUS_CLR 0xc0000302u
#define MSR_PERF_CNTR_GLOBAL_STATUS_SET 0xc0000303u

#define PERF_CNTR_GLOBAL_LBRS_FROZEN    BIT(58) /* EAX[2]: Pmc and LbrStack freeze */
#define PERF_CNTR_GLOBAL_PMC_FROZEN     BIT(59)

/* The stack of the last branches, CPUID 8000_0022 EAX[1]: APM vol. 2, 13.1.1.  Entry 0 is the
 * newest. */
#define MSR_LAST_BRANCH_STACK_SELECT  0xc000010eu
#define LAST_BRANCH_CPL_EQ_0          BIT(0) /* each bit leaves branches out: those that end there, */
#define LAST_BRANCH_CPL_NEQ_0         BIT(1)
#define LAST_BRANCH_KINDS             FIELD(8, 2) /* and enum pmu_branch_kind */
#define MSR_DEBUG_EXTN_CTL            0xc000010fu
#define DEBUG_EXTN_CTL_LBRS           BIT(6) /* all others are 0 */
#define MSR_LAST_BRANCH_STACK_FROM(n) (0xc0010300u + 2 * (n))
#define MSR_LAST_BRANCH_STACK_TO(n)   (0xc0010301u + 2 * (n))
#define LAST_BRANCH_TO_VALID          BIT(63)
#define LAST_BRANCH_TO_SPEC           BIT(62) /* without VALID: of a path that proved wrong */

/* Branch sampling, CPUID 8000_0008 EBX[31]: PPR of family 19h, models 00h to 0Fh, and Linux,
 * arch/x86/events/amd/brs.c.  Zen 3 has it in the places of the stack.  Entry 0 is the oldest. */
#define MSR_DEBUG_EXTN_CFG          0xc000010fu
#define DEBUG_EXTN_CFG_BRSMEN       BIT(2)
#define DEBUG_EXTN_CFG_MUST_BE      FIELD(4, 3) /* 1 */
#define DEBUG_EXTN_CFG_VB           BIT(5) /* there are records */
#define DEBUG_EXTN_CFG_MSROFF       FIELD(19, 16) /* the next one; 0: all are there */
#define MSR_SAMP_BR_FROM(n)         (0xc0010300u + 2 * (n))
#define MSR_SAMP_BR_TO(n)           (0xc0010301u + 2 * (n))
#define AMD_SAMPLED_BRANCHES        16u

#define MSR_DEBUGCTL                0x000001d9u
#define DEBUGCTL_LBR                BIT(0)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI BIT(11) /* EAX[2] */
#define DEBUGCTL_FREEZE_PMC_ON_PMI  BIT(12)

/* The pair of branch records, from K8 on: APM vol. 2, 13.1.1.  Only to be read. */
#define MSR_LAST_BRANCH_FROM_IP    0x000001dbu
#define MSR_LAST_BRANCH_TO_IP      0x000001dcu
#define MSR_LAST_EXCEPTION_FROM_IP 0x000001ddu
#define MSR_LAST_EXCEPTION_TO_IP   0x000001deu

/* Instruction-based sampling, CPUID 8000_0001 ECX.IBS: APM vol. 2, 13.3.  Each engine is there by a
 * bit of its own. */
#define MSR_IBS_FETCH_CTL     0xc0011030u
#define IBS_FETCH_MAX_CNT     FIELD(15, 0) /* bits 19:4 of the period */
#define IBS_FETCH_EN          BIT(48)
#define IBS_FETCH_VAL         BIT(49)
#define IBS_FETCH_COMP        BIT(50)
#define IBS_PHY_ADDR_VALID    BIT(52)
#define IBS_RAND_EN           BIT(57)
#define MSR_IBS_FETCH_LIN_AD  0xc0011031u
#define MSR_IBS_FETCH_PHYS_AD 0xc0011032u

#define MSR_IBS_OP_CTL        0xc0011033u
#define IBS_OP_MAX_CNT        FIELD(15, 0) /* bits 19:4 of the period, */
#define IBS_OP_L3_MISS_ONLY   BIT(16) /* 8000_001B EAX[11] */
#define IBS_OP_EN             BIT(17)
#define IBS_OP_VAL            BIT(18)
#define IBS_OP_CNT_CTL        BIT(19) /* of dispatched ops, else of clocks */
#define IBS_OP_MAX_CNT_HIGH   FIELD(26, 20) /* and bits 26:20 of it */
#define IBS_OP_CUR_CNT        FIELD(58, 32)
#define IBS_OP_LDLAT_THRSH    FIELD(62, 59) /* 8000_001B EAX[12]: units, less one, */
#define IBS_OP_LDLAT_EN       BIT(63) /* below which loads leave no record */
#define IBS_OP_LDLAT_UNIT     128u /* clocks, */
#define IBS_OP_LDLAT_MOST     2048u /* and the most of them */
#define MSR_IBS_OP_RIP        0xc0011034u
#define MSR_IBS_OP_DATA       0xc0011035u
#define IBS_COMP_TO_RET_CTR   FIELD(15, 0)
#define IBS_TAG_TO_RET_CTR    FIELD(31, 16)
#define IBS_OP_RETURN         BIT(34)
#define IBS_OP_BRN_TAKEN      BIT(35)
#define IBS_OP_BRN_RET        BIT(37) /* a branch: these two are valid */
#define IBS_RIP_INVALID       BIT(38)
#define IBS_OP_BRN_FUSE       BIT(39)
#define MSR_IBS_OP_DATA2      0xc0011036u
#define MSR_IBS_OP_DATA3      0xc0011037u
#define IBS_LD_OP             BIT(0)
#define IBS_ST_OP             BIT(1)
#define IBS_DC_MISS           BIT(7)
#define IBS_DC_LOCKED_OP      BIT(15)
#define IBS_DC_LIN_ADDR_VALID BIT(17)
#define IBS_DC_PHY_ADDR_VALID BIT(18)
#define IBS_OP_MEM_WIDTH      FIELD(25, 22) /* 1: a byte, 2: two, 3: four, and so on; 0: none */
#define IBS_DC_MISS_LAT       FIELD(47, 32) /* clocks, of loads alone */
#define MSR_IBS_DC_LIN_AD     0xc0011038u
#define MSR_IBS_DC_PHYS_AD    0xc0011039u
#define MSR_IBS_CONTROL       0xc001103au /* only to be read */
#define IBS_LVT_OFFSET        FIELD(3, 0) /* extended entry of the local APIC, */
#define IBS_LVT_OFFSET_VAL    BIT(8) /* if this says so */
#define MSR_IBS_BR_TARGET     0xc001103bu
#define MSR_IBS_OP_CTL2       0xc001103eu /* 8000_001B EAX[13] */
#define MSR_IBS_FETCH_CTL2    0xc001103fu
#define IBS_CTL2_DIS          BIT(0) /* the engine samples if this is clear, and IBS_OP_EN set */

/* CPUID */
#define CPUID_80000001_ECX_SVM               BIT(2)
#define CPUID_80000001_ECX_IBS               BIT(10)
#define CPUID_80000001_ECX_PERF_CTR_EXT_CORE BIT(23)
#define CPUID_80000008_EBX_BRS               BIT(31)
#define CPUID_8000001B_EAX_VALID             BIT(0)
#define CPUID_8000001B_EAX_FETCH_SAM         BIT(1)
#define CPUID_8000001B_EAX_OP_SAM            BIT(2)
#define CPUID_8000001B_EAX_RDWR_OP_CNT       BIT(3)
#define CPUID_8000001B_EAX_OP_CNT            BIT(4)
#define CPUID_8000001B_EAX_BRN_TRGT          BIT(5)
#define CPUID_8000001B_EAX_OP_CNT_EXT        BIT(6)
#define CPUID_8000001B_EAX_ZEN4              BIT(11) /* filters of misses */
#define CPUID_8000001B_EAX_LD_LAT            BIT(12) /* a filter of loads by latency */
#define CPUID_8000001B_EAX_DISABLE           BIT(13) /* of the engines, in a register of its own */
#define CPUID_80000022_EAX_PERF_MON_V2       BIT(0)
#define CPUID_80000022_EAX_LBR_STACK         BIT(1)
#define CPUID_80000022_EAX_LBR_PMC_FREEZE    BIT(2)
#define CPUID_80000022_EBX_NUM_PERF_CTR_CORE FIELD(3, 0)
#define CPUID_80000022_EBX_LBR_STACK_SIZE    FIELD(9, 4)
