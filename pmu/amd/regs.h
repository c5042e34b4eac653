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
 * newest. MSR C000_010F is another one on Zen 3, where it needs bits 4:3. */
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

#define MSR_DEBUGCTL                  0x000001d9u
#define DEBUGCTL_FREEZE_LBRS_ON_PMI   BIT(11) /* EAX[2] */
#define DEBUGCTL_FREEZE_PMC_ON_PMI    BIT(12)

/* CPUID */
#define CPUID_80000001_ECX_SVM               BIT(2)
#define CPUID_80000001_ECX_PERF_CTR_EXT_CORE BIT(23)
#define CPUID_80000022_EAX_PERF_MON_V2       BIT(0)
#define CPUID_80000022_EAX_LBR_STACK         BIT(1)
#define CPUID_80000022_EAX_LBR_PMC_FREEZE    BIT(2)
#define CPUID_80000022_EBX_NUM_PERF_CTR_CORE FIELD(3, 0)
#define CPUID_80000022_EBX_LBR_STACK_SIZE    FIELD(9, 4)
