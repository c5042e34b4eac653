/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of Intel core performance counters, P6 to version 5, with the manual's names. */
#pragma once

#include "kernel/lib/lib.h"

/* Intel SDM vol. 4 tables 2-2 and 2-20 ff.; vol. 3B 20.2, architectural performance monitoring. */
#define MSR_IA32_PMC(n)            (0x0c1u + (n))
#define MSR_IA32_PERFEVTSEL(n)     (0x186u + (n))
#define MSR_IA32_MISC_ENABLE       0x1a0u
#define MSR_LBR_SELECT             0x1c8u
#define MSR_LASTBRANCH_TOS         0x1c9u
#define MSR_IA32_DEBUGCTL          0x1d9u
#define MSR_IA32_FIXED_CTR(n)      (0x309u + (n)) /* version 2 */
#define MSR_TSX_FORCE_ABORT        0x10fu /* CPUID 7 EDX[13] */
#define MSR_IA32_PERF_CAPABILITIES 0x345u /* CPUID 1 ECX.PDCM */
#define MSR_IA32_FIXED_CTR_CTRL    0x38du
#define MSR_GLOBAL_STATUS          0x38eu /* IA32_PERF_GLOBAL_STATUS, version 2 */
#define MSR_GLOBAL_CTRL            0x38fu /* IA32_PERF_GLOBAL_CTRL */
#define MSR_GLOBAL_OVF_CTRL        0x390u /* IA32_PERF_GLOBAL_STATUS_RESET from version 4 on */
#define MSR_GLOBAL_STATUS_SET      0x391u /* version 4 */
#define MSR_GLOBAL_INUSE           0x392u
#define MSR_PEBS_ENABLE            0x3f1u
#define MSR_PEBS_DATA_CFG          0x3f2u /* PEBS_BASELINE */
#define MSR_IA32_A_PMC(n)          (0x4c1u + (n)) /* PERF_CAPABILITIES.FW_WRITE */
#define MSR_IA32_DS_AREA           0x600u

#define INTEL_GENERAL_MAX          8u /* as many as the old addresses reach for certain */
#define INTEL_FIXED_MAX            4u
#define RDPMC_FIXED                0x40000000u /* type in bits 31:16, index in 15:0 */
#define RDPMC_METRICS              0x20000000u
#define RDPMC_FAST                 0x80000000u /* NetBurst only */
#define P6_COUNTERS                2u
#define P6_COUNTER_WIDTH           40u
#define LEGACY_WRITE_BITS          32u /* WRMSR of IA32_PMCn loads EAX; its bit 31 goes on upwards */

/* IA32_PERFEVTSELn */
#define PERFEVTSEL_EVENT    FIELD(7, 0)
#define PERFEVTSEL_UMASK    FIELD(15, 8)
#define PERFEVTSEL_USR      BIT(16)
#define PERFEVTSEL_OS       BIT(17)
#define PERFEVTSEL_E        BIT(18)
#define PERFEVTSEL_PC       BIT(19) /* before Sandy Bridge */
#define PERFEVTSEL_INT      BIT(20)
#define PERFEVTSEL_ANY      BIT(21) /* versions 3, 4, and 5 unless deprecated */
#define PERFEVTSEL_EN       BIT(22) /* P6: only in PERFEVTSEL0, for both counters */
#define PERFEVTSEL_INV      BIT(23)
#define PERFEVTSEL_CMASK    FIELD(31, 24)
#define PERFEVTSEL_IN_TX    BIT(32) /* these two: HLE or RTM */
#define PERFEVTSEL_IN_TXCP  BIT(33)
#define PERFEVTSEL_ADAPTIVE BIT(34) /* PEBS_BASELINE */
#define PERFEVTSEL_LATER    (FIELD(37, 35) | FIELD(47, 40)) /* by CPUID leaves 1CH and 23H */
#define PERFEVTSEL_RESERVED (FIELD(39, 38) | FIELD(63, 48))

/* The largest threshold where the upper two bits of CMASK serve another purpose. */
#define PARKED_THRESHOLD_MAX 63u

/* Fields that every generation has. */
#define PERFEVTSEL_COMMON                                                                          \
	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK | PERFEVTSEL_USR | PERFEVTSEL_OS | PERFEVTSEL_E |     \
	 PERFEVTSEL_PC | PERFEVTSEL_INT | PERFEVTSEL_INV | PERFEVTSEL_CMASK)

_Static_assert((PERFEVTSEL_COMMON | PERFEVTSEL_ANY | PERFEVTSEL_EN | PERFEVTSEL_IN_TX |
		PERFEVTSEL_IN_TXCP | PERFEVTSEL_ADAPTIVE | PERFEVTSEL_LATER |
		PERFEVTSEL_RESERVED) == ~UINT64_C(0) &&
		       PERFEVTSEL_EVENT + PERFEVTSEL_UMASK + PERFEVTSEL_USR + PERFEVTSEL_OS +
				       PERFEVTSEL_E + PERFEVTSEL_PC + PERFEVTSEL_INT +
				       PERFEVTSEL_ANY + PERFEVTSEL_EN + PERFEVTSEL_INV +
				       PERFEVTSEL_CMASK + PERFEVTSEL_IN_TX + PERFEVTSEL_IN_TXCP +
				       PERFEVTSEL_ADAPTIVE + PERFEVTSEL_LATER +
				       PERFEVTSEL_RESERVED ==
			       ~UINT64_C(0),
	       "fields tile IA32_PERFEVTSEL");

/* IA32_FIXED_CTR_CTRL, of fixed counter i; a second plane of 4 bits each begins at bit 32. */
#define FIXED_CTRL_EN_OS(i)    BIT(4 * (i))
#define FIXED_CTRL_EN_USR(i)   BIT(4 * (i) + 1)
#define FIXED_CTRL_ANY(i)      BIT(4 * (i) + 2) /* where PERFEVTSEL has it, not of counter 3 */
#define FIXED_CTRL_PMI(i)      BIT(4 * (i) + 3)
#define FIXED_CTRL_FIELD(i)    FIELD(4 * (i) + 3, 4 * (i))
#define FIXED_CTRL_ADAPTIVE(i) BIT(32 + 4 * (i)) /* PEBS_BASELINE */

/* IA32_PERF_GLOBAL_*: bit n is general counter n. */
#define GLOBAL_FIXED_FIRST   32u
#define GLOBAL_FIXED(i)      BIT(GLOBAL_FIXED_FIRST + (i))
#define GLOBAL_PERF_METRICS  BIT(48)
#define GLOBAL_LBR_FRZ       BIT(58) /* these two: version 4, status registers only */
#define GLOBAL_CTR_FRZ       BIT(59)
#define GLOBAL_OVF_DS_BUFFER BIT(62)
#define GLOBAL_INUSE_PMI     BIT(63)

/* MSR_LBR_SELECT: 1 suppresses, but for the last one */
#define LBR_SELECT_CPL_EQ_0  BIT(0)
#define LBR_SELECT_CPL_NEQ_0 BIT(1)
#define LBR_SELECT_KINDS     FIELD(8, 2) /* enum pmu_branch_kind */
#define LBR_SELECT_CALLSTACK BIT(9)

/* IA32_DEBUGCTL */
#define DEBUGCTL_LBR                    BIT(0)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI     BIT(11) /* these two: PDCM and version 2 */
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI  BIT(12)
#define DEBUGCTL_FREEZE_WHILE_SMM       BIT(14) /* PERF_CAPABILITIES.SMM_FREEZE */

#define MISC_ENABLE_PERFMON             BIT(7)
#define MISC_ENABLE_PEBS_UNAVAILABLE    BIT(12)

#define PERF_CAPABILITIES_PEBS_FMT      FIELD(11, 8)
#define PERF_CAPABILITIES_SMM_FREEZE    BIT(12)
#define PERF_CAPABILITIES_FW_WRITE      BIT(13)
#define PERF_CAPABILITIES_PEBS_BASELINE BIT(14)
#define PERF_CAPABILITIES_PERF_METRICS  BIT(15)

/* CPUID */
#define CPUID_1_EDX_DS             BIT(21)
#define CPUID_1_ECX_PDCM           BIT(15)
#define CPUID_1_ECX_HYPERVISOR     BIT(31)
#define TSX_RTM_FORCE_ABORT        BIT(0)
#define CPUID_7_EBX_HLE            BIT(4)
#define CPUID_7_EBX_RTM            BIT(11)
#define CPUID_7_EDX_FORCE_ABORT    BIT(13)
#define CPUID_7_EDX_HYBRID         BIT(15)
#define CPUID_7_EDX_ARCH_LBR       BIT(19)
#define CPUID_7_1_EAX_PERFMON_EXT  BIT(8)
#define CPUID_A_EAX_VERSION        FIELD(7, 0)
#define CPUID_A_EAX_COUNTERS       FIELD(15, 8)
#define CPUID_A_EAX_WIDTH          FIELD(23, 16)
#define CPUID_A_EAX_EVENTS         FIELD(31, 24)
#define CPUID_A_EDX_FIXED          FIELD(4, 0)
#define CPUID_A_EDX_FIXED_WIDTH    FIELD(12, 5)
#define CPUID_A_EDX_ANY_DEPRECATED BIT(15)
#define CPUID_23_EAX_COUNTERS      BIT(1) /* there is subleaf 1, with general and fixed ones */
#define CPUID_1A_EAX_CORE_TYPE     FIELD(31, 24)
#define CPUID_1A_EAX_NATIVE_MODEL  FIELD(23, 0)
