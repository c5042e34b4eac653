/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of Intel NetBurst (family 0Fh) performance counters, with the manual's names. */
#pragma once

#include "kernel/lib/lib.h"

/* Intel SDM vol. 3B (253669), "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)".  Counter n is one of MSR_BPU_COUNTER0..3, MSR_MS_COUNTER0..3,
 * MSR_FLAME_COUNTER0..3, MSR_IQ_COUNTER0..5, in this order; its CCCR is named alike. */
#define NETBURST_COUNTERS      18u
#define NETBURST_COUNTER_WIDTH 40u
#define MSR_COUNTER(n)         (0x300u + (n))
#define MSR_CCCR(n)            (0x360u + (n))

/* CCCR: counter configuration control register. */
#define CCCR_CASCNT_INTO   BIT(11) /* CASCNTxINTOy: counters 12, 15, 16, 17, models 2 and later */
#define CCCR_ENABLE        BIT(12)
#define CCCR_ESCR_SELECT   FIELD(15, 13)
#define CCCR_ACTIVE_THREAD FIELD(17, 16) /* must be 11b without Hyper-Threading */
#define CCCR_COMPARE       BIT(18)
#define CCCR_COMPLEMENT    BIT(19) /* 0: input > THRESHOLD, 1: input <= THRESHOLD */
#define CCCR_THRESHOLD     FIELD(23, 20)
#define CCCR_EDGE          BIT(24) /* this and the two above: only with COMPARE */
#define CCCR_FORCE_OVF     BIT(25)
#define CCCR_OVF_PMI_T0    BIT(26) /* OVF_PMI without Hyper-Threading */
#define CCCR_OVF_PMI_T1    BIT(27) /* reserved without Hyper-Threading */
#define CCCR_CASCADE       BIT(30)
#define CCCR_OVF           BIT(31) /* sticky; what writing 1 does is documented nowhere */
#define CCCR_RESERVED      (FIELD(10, 0) | FIELD(29, 28) | FIELD(63, 32))

/* Disjoint fields: their OR and their sum are both all ones. */
_Static_assert((CCCR_CASCNT_INTO | CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_ACTIVE_THREAD |
		CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD | CCCR_EDGE | CCCR_FORCE_OVF |
		CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1 | CCCR_CASCADE | CCCR_OVF | CCCR_RESERVED) ==
			       ~UINT64_C(0) &&
		       CCCR_CASCNT_INTO + CCCR_ENABLE + CCCR_ESCR_SELECT + CCCR_ACTIVE_THREAD +
				       CCCR_COMPARE + CCCR_COMPLEMENT + CCCR_THRESHOLD + CCCR_EDGE +
				       CCCR_FORCE_OVF + CCCR_OVF_PMI_T0 + CCCR_OVF_PMI_T1 +
				       CCCR_CASCADE + CCCR_OVF + CCCR_RESERVED ==
			       ~UINT64_C(0),
	       "fields tile the CCCR");

/* ESCR: event selection control register.  T0 and T1: the logical processors of a core; without
 * Hyper-Threading T0_USR and T0_OS are USR and OS, and the bits of T1 are reserved. */
#define ESCR_T1_USR       BIT(0) /* USR: privilege levels 1 to 3 */
#define ESCR_T1_OS        BIT(1)
#define ESCR_T0_USR       BIT(2)
#define ESCR_T0_OS        BIT(3)
#define ESCR_TAG_ENABLE   BIT(4)
#define ESCR_TAG_VALUE    FIELD(8, 5)
#define ESCR_EVENT_MASK   FIELD(24, 9)
#define ESCR_EVENT_SELECT FIELD(30, 25)
#define ESCR_RESERVED     FIELD(63, 31)

_Static_assert((ESCR_T1_USR | ESCR_T1_OS | ESCR_T0_USR | ESCR_T0_OS | ESCR_TAG_ENABLE |
		ESCR_TAG_VALUE | ESCR_EVENT_MASK | ESCR_EVENT_SELECT | ESCR_RESERVED) ==
			       ~UINT64_C(0) &&
		       ESCR_T1_USR + ESCR_T1_OS + ESCR_T0_USR + ESCR_T0_OS + ESCR_TAG_ENABLE +
				       ESCR_TAG_VALUE + ESCR_EVENT_MASK + ESCR_EVENT_SELECT +
				       ESCR_RESERVED ==
			       ~UINT64_C(0),
	       "fields tile the ESCR");

/*
 * Which ESCR answers at which value of CCCR_ESCR_SELECT, per group of counters: group, select,
 * name and number and address of the ESCR of the group's first half (half 0: counters 0, 1, 4, 5,
 * 8, 9, 12, 13, 16).  The other half's number and address are each one higher.
 */
#define NETBURST_ESCR_PAIRS(X)                                                                     \
	X(BPU, 0, BPU, 0, 0x3b2)                                                                   \
	X(BPU, 1, IS, 0, 0x3b4)                                                                    \
	X(BPU, 2, MOB, 0, 0x3aa)                                                                   \
	X(BPU, 3, ITLB, 0, 0x3b6)                                                                  \
	X(BPU, 4, PMH, 0, 0x3ac)                                                                   \
	X(BPU, 5, IX, 0, 0x3c8)                                                                    \
	X(BPU, 6, FSB, 0, 0x3a2)                                                                   \
	X(BPU, 7, BSU, 0, 0x3a0)                                                                   \
	X(MS, 0, MS, 0, 0x3c0)                                                                     \
	X(MS, 1, TC, 0, 0x3c4)                                                                     \
	X(MS, 2, TBPU, 0, 0x3c2)                                                                   \
	X(FLAME, 0, FLAME, 0, 0x3a6)                                                               \
	X(FLAME, 1, FIRM, 0, 0x3a4)                                                                \
	X(FLAME, 2, SAAT, 0, 0x3ae)                                                                \
	X(FLAME, 3, U2L, 0, 0x3b0)                                                                 \
	X(FLAME, 5, DAC, 0, 0x3a8)                                                                 \
	X(IQ, 0, IQ, 0, 0x3ba)                                                                     \
	X(IQ, 1, ALF, 0, 0x3ca)                                                                    \
	X(IQ, 2, RAT, 0, 0x3bc)                                                                    \
	X(IQ, 3, SSU, 0, 0x3be)                                                                    \
	X(IQ, 4, CRU, 0, 0x3b8)                                                                    \
	X(IQ, 5, CRU, 2, 0x3cc)                                                                    \
	X(IQ, 6, CRU, 4, 0x3e0)

/* SSU_ESCR1 does not exist, and IQ_ESCR0 and IQ_ESCR1 only on models 0 to 2. */
#define MSR_IQ_ESCR0       0x3bau
#define MSR_SSU_ESCR1      0x3bfu
#define NETBURST_ESCRS_MAX 45u

#define NETBURST_ONE(...)  +1
_Static_assert(2 * (NETBURST_ESCR_PAIRS(NETBURST_ONE)) - 1 == NETBURST_ESCRS_MAX, "45 ESCRs");

/* Replay tagging and PEBS, shared by the logical processors of a core. */
#define MSR_PEBS_ENABLE        0x3f1u
#define PEBS_ENABLE_L1_MISSES  BIT(0)
#define PEBS_ENABLE_UOP_TAG    BIT(24)
#define PEBS_ENABLE_MY_THR     BIT(25)
#define MSR_PEBS_MATRIX_VERT   0x3f2u
#define PEBS_MATRIX_VERT_LOADS BIT(0)
#define MSR_IA32_DS_AREA       0x600u /* CPUID 1 EDX[21] */

/* Availability. */
#define MSR_IA32_MISC_ENABLE         0x1a0u
#define MISC_ENABLE_PERFMON          BIT(7)
#define MISC_ENABLE_PEBS_UNAVAILABLE BIT(12)

/* CPUID */
#define CPUID_1_EBX_APIC_ID_T1 BIT(24)
#define CPUID_1_EDX_DS         BIT(21)
