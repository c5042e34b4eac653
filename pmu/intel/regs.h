/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of Intel core performance counters, P6 to version 6, with the manual's names. */
#pragma once

#include "kernel/lib/lib.h"

/* Intel SDM vol. 4 tables 2-2 and 2-20 ff.; vol. 3B 20.2, architectural performance monitoring. */
#define MSR_IA32_PMC(n)            (0x0c1u + (n))
#define MSR_IA32_PERFEVTSEL(n)     (0x186u + (n))
#define MSR_IA32_MISC_ENABLE       0x1a0u
#define MSR_OFFCORE_RSP(n)         (0x1A6u + (n))
#define MSR_LBR_SELECT             0x1c8u
#define MSR_LASTBRANCH_TOS         0x1c9u
#define MSR_IA32_DEBUGCTL          0x1d9u
#define MSR_IA32_FIXED_CTR(n)      (0x309u + (n)) /* version 2 */
#define MSR_TSX_FORCE_ABORT        0x10fu /* CPUID 7 EDX[13] */
#define MSR_PERF_METRICS           0x329u /* PERF_CAPABILITIES.PERF_METRICS, but see intel.h */
#define MSR_IA32_PERF_CAPABILITIES 0x345u /* CPUID 1 ECX.PDCM */
#define MSR_IA32_FIXED_CTR_CTRL    0x38du
#define MSR_GLOBAL_STATUS          0x38eu /* IA32_PERF_GLOBAL_STATUS, version 2 */
#define MSR_GLOBAL_CTRL            0x38fu /* IA32_PERF_GLOBAL_CTRL */
#define MSR_GLOBAL_OVF_CTRL        0x390u /* IA32_PERF_GLOBAL_STATUS_RESET from version 4 on */
#define MSR_GLOBAL_STATUS_SET      0x391u /* version 4 */
#define MSR_GLOBAL_INUSE           0x392u
#define MSR_PEBS_ENABLE            0x3f1u
#define MSR_PEBS_DATA_CFG          0x3f2u /* PEBS_BASELINE */
#define MSR_IA32_PEBS_BASE         0x3f4u /* these two: CPUID 23H.4, 23H.5 */
#define MSR_IA32_PEBS_INDEX        0x3f5u
#define MSR_IA32_A_PMC(n)          (0x4c1u + (n)) /* PERF_CAPABILITIES.FW_WRITE */
#define MSR_IA32_DS_AREA           0x600u
#define MSR_IA32_LBR_INFO(k)       (0x1200u + (k)) /* these: CPUID 7 EDX[19] */
#define MSR_IA32_LBR_CTL           0x14ceu
#define MSR_IA32_LBR_DEPTH         0x14cfu
#define MSR_IA32_LBR_FROM_IP(k)    (0x1500u + (k))
#define MSR_IA32_LBR_TO_IP(k)      (0x1600u + (k))

/* Version 6: a block of registers for each counter, beside the old names.  Linux, msr-index.h:
 * MSR_IA32_PMC_V6_GP0_CTR and those that follow. */
#define MSR_IA32_PMC_GP_CTR(n)   (0x1900u + 4 * (n))
#define MSR_IA32_PMC_GP_CFG_A(n) (0x1901u + 4 * (n)) /* IA32_PERFEVTSELn */
#define MSR_IA32_PMC_GP_CFG_B(n) (0x1902u + 4 * (n)) /* these two: CPUID 23H.2 */
#define MSR_IA32_PMC_GP_CFG_C(n) (0x1903u + 4 * (n))
#define MSR_IA32_PMC_FX_CTR(i)   (0x1980u + 4 * (i))
#define MSR_IA32_PMC_FX_CFG_B(i) (0x1982u + 4 * (i))
#define MSR_IA32_PMC_FX_CFG_C(i) (0x1983u + 4 * (i))

/* IA32_PMC_*_CFG_C: what the counter goes on from, its last bit copied upwards; and where PEBS is
 * architectural, what a record of its overflow has, and whether it makes one.  Linux, perf_event.h:
 * ARCH_PEBS_RELOAD and those that follow. */
#define CFG_C_RELOAD   FIELD(31, 0)
#define CFG_C_ALLOWS   BIT(35) /* records of all counters may have this one's value */
#define CFG_C_GENERAL  BIT(36) /* values of counters, */
#define CFG_C_FIXED    BIT(37)
#define CFG_C_METRICS  BIT(38) /* slots, and PERF_METRICS */
#define CFG_C_LBRS     FIELD(41, 40) /* branch records: 8, 16, all of them */
#define CFG_C_XMMS     BIT(49)
#define CFG_C_YMMS     BIT(50) /* their upper halves */
#define CFG_C_GPRS     BIT(61) /* of registers, */
#define CFG_C_AUX      BIT(62) /* and what memory did */
#define CFG_C_RECORDS  BIT(63)
#define CFG_C_RESERVED (FIELD(48, 42) | BIT(39) | FIELD(34, 32))

/* MSR_PEBS_DATA_CFG: groups that follow the basic one, in this order, and how many branch records,
 * less one.  From PEBS_FMT_VALUES on the last two are one group, and the counters of which it has
 * values are named.  Linux, perf_event.h: PEBS_DATACFG_CNTR and those that follow. */
#define DATA_CFG_MEMORY  BIT(0)
#define DATA_CFG_GPRS    BIT(1)
#define DATA_CFG_XMMS    BIT(2)
#define DATA_CFG_LBRS    BIT(3)
#define DATA_CFG_VALUES  BIT(4)
#define DATA_CFG_METRICS BIT(5)
#define DATA_CFG_ENTRIES FIELD(31, 24)
#define DATA_CFG_GENERAL FIELD(47, 32)
#define DATA_CFG_FIXED   FIELD(55, 48)

/* IA32_PEBS_BASE: a physical address, and the size as a power of two of pages.  IA32_PEBS_INDEX:
 * places in the buffer, in bytes. */
#define PEBS_INDEX_WR         FIELD(26, 4)
#define PEBS_INDEX_FULL       BIT(31)
#define PEBS_INDEX_EN         BIT(32)
#define PEBS_INDEX_THRESH(at) ((uint64_t)(at) << 32)
#define PEBS_INDEX_RESERVED   (FIELD(63, 59) | FIELD(35, 33) | FIELD(30, 27) | FIELD(3, 0))

#define INTEL_OLD_NAMES       8u /* as many as the old addresses reach for certain */
#define INTEL_GENERAL_MAX     16u
#define INTEL_FIXED_MAX       7u
#define RDPMC_FIXED           0x40000000u /* type in bits 31:16, index in 15:0 */
#define RDPMC_METRICS         0x20000000u
#define RDPMC_FAST            0x80000000u /* NetBurst only */
#define P6_COUNTERS           2u
#define P6_COUNTER_WIDTH      40u
#define LEGACY_WRITE_BITS     32u /* WRMSR of IA32_PMCn loads EAX; its bit 31 goes on upwards */

/* IA32_PERFEVTSELn */
#define PERFEVTSEL_EVENT              FIELD(7, 0)
#define PERFEVTSEL_UMASK              FIELD(15, 8)
#define PERFEVTSEL_USR                BIT(16)
#define PERFEVTSEL_OS                 BIT(17)
#define PERFEVTSEL_E                  BIT(18)
#define PERFEVTSEL_PC                 BIT(19) /* before Sandy Bridge */
#define PERFEVTSEL_INT                BIT(20)
#define PERFEVTSEL_ANY                BIT(21) /* versions 3, 4, and 5 unless deprecated */
#define PERFEVTSEL_EN                 BIT(22) /* P6: only in PERFEVTSEL0, for both counters */
#define PERFEVTSEL_INV                BIT(23)
#define PERFEVTSEL_CMASK              FIELD(31, 24)
#define PERFEVTSEL_IN_TX              BIT(32) /* these two: HLE or RTM */
#define PERFEVTSEL_IN_TXCP            BIT(33)
#define PERFEVTSEL_ADAPTIVE           BIT(34) /* PEBS_BASELINE */
#define PERFEVTSEL_LBR_LOG            BIT(35) /* CPUID 1CH */
#define PERFEVTSEL_EQ                 BIT(36) /* these three: CPUID 23H.0 */
#define PERFEVTSEL_RDPMC_USER_DISABLE BIT(37)
#define PERFEVTSEL_UMASK2             FIELD(47, 40)
#define PERFEVTSEL_LATER                                                                           \
	(PERFEVTSEL_LBR_LOG | PERFEVTSEL_EQ | PERFEVTSEL_RDPMC_USER_DISABLE | PERFEVTSEL_UMASK2)
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
#define FIXED_CTRL_EN_OS(i)              BIT(4 * (i))
#define FIXED_CTRL_EN_USR(i)             BIT(4 * (i) + 1)
#define FIXED_CTRL_ANY(i)                BIT(4 * (i) + 2) /* where PERFEVTSEL has it, not of counter 3 */
#define FIXED_CTRL_PMI(i)                BIT(4 * (i) + 3)
#define FIXED_CTRL_METRICS_CLEAR         BIT(14) /* PERF_CAPABILITIES.METRICS_CLEAR */
#define FIXED_CTRL_FIELD(i)              FIELD(4 * (i) + 3, 4 * (i))
#define FIXED_CTRL_ADAPTIVE(i)           BIT(32 + 4 * (i)) /* PEBS_BASELINE */
#define FIXED_CTRL_RDPMC_USER_DISABLE(i) BIT(33 + 4 * (i)) /* CPUID 23H.0 */

/* IA32_PERF_GLOBAL_*: bit n is general counter n. */
#define GLOBAL_FIXED_FIRST   32u
#define GLOBAL_FIXED(i)      BIT(GLOBAL_FIXED_FIRST + (i))
#define GLOBAL_PERF_METRICS  BIT(48)
#define GLOBAL_LBR_FRZ       BIT(58) /* these two: version 4, status registers only */
#define GLOBAL_CTR_FRZ       BIT(59)
#define GLOBAL_OVF_PEBS      BIT(54) /* architectural */
#define GLOBAL_OVF_DS_BUFFER BIT(62)
#define GLOBAL_INUSE_PMI     BIT(63)

/* MSR_PEBS_LD_LAT_THRESHOLD: more clocks than so many, from the least that is legal on. */
#define MSR_PEBS_LD_LAT_THRESHOLD 0x3F6u
#define LD_LAT_LEAST              3u
#define PEBS_ENABLE_LD_LAT        BIT(32) /* of counter 0, before version 5 */
/* MSR_PEBS_FRONTEND */
#define MSR_PEBS_FRONTEND      0x3F7u
#define FRONTEND_L1I_MISS      0x12u
#define FRONTEND_L2_MISS       0x13u
#define FRONTEND_LATENCY       0x06u /* of so many clocks with less than the width */
#define FRONTEND_BUBBLES_SHIFT 8
#define FRONTEND_WIDTH         FIELD(22, 20)

/* MSR_OFFCORE_RSP: kinds of requests, and of responses; from Sandy Bridge on */
#define OFFCORE_RSP_DATA_RD BIT(0) /* demand loads, */
#define OFFCORE_RSP_RFO     BIT(1) /* and stores */
#define OFFCORE_RSP_ANY     BIT(16) /* whatever the response */

/* MSR_LBR_SELECT: 1 suppresses, but for the last one */
#define LBR_SELECT_CPL_EQ_0  BIT(0)
#define LBR_SELECT_CPL_NEQ_0 BIT(1)
#define LBR_SELECT_KINDS     FIELD(8, 2) /* enum pmu_branch_kind */
#define LBR_SELECT_CALLSTACK BIT(9)

/* IA32_LBR_CTL: 1 captures; each field needs its bit of CPUID 1CH EBX */
#define LBR_CTL_EN         BIT(0)
#define LBR_CTL_OS         BIT(1)
#define LBR_CTL_USR        BIT(2)
#define LBR_CTL_CALL_STACK BIT(3)
#define LBR_CTL_KINDS      FIELD(22, 16)
#define LBR_CTL_RESERVED   (FIELD(63, 23) | FIELD(15, 4))

/* IA32_LBR_x_INFO */
#define LBR_INFO_CYC_CNT       FIELD(15, 0)
#define LBR_INFO_EVENTS(n)     FIELD(33 + 2 * (n), 32 + 2 * (n)) /* of general counter n */
#define LBR_INFO_BR_TYPE       FIELD(59, 56)
#define LBR_INFO_CYC_CNT_VALID BIT(60)
#define LBR_INFO_MISPRED       BIT(63)

/* IA32_DEBUGCTL */
#define DEBUGCTL_LBR                    BIT(0)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI     BIT(11) /* these two: PDCM and version 2 */
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI  BIT(12)
#define DEBUGCTL_FREEZE_WHILE_SMM       BIT(14) /* PERF_CAPABILITIES.SMM_FREEZE */

#define MISC_ENABLE_PERFMON             BIT(7)
#define MISC_ENABLE_PEBS_UNAVAILABLE    BIT(12)

#define PERF_CAPABILITIES_PEBS_FMT      FIELD(11, 8)
#define PEBS_FMT_SLOTS                  5u /* with reset values of 32 general counters */
#define PEBS_FMT_VALUES                 6u /* and values of counters in records */
#define PEBS_FMT_ARCHITECTURAL          15u
#define PERF_CAPABILITIES_SMM_FREEZE    BIT(12)
#define PERF_CAPABILITIES_FW_WRITE      BIT(13)
#define PERF_CAPABILITIES_PEBS_BASELINE BIT(14)
#define PERF_CAPABILITIES_PERF_METRICS  BIT(15)
#define PERF_CAPABILITIES_METRICS_CLEAR BIT(19)

/* CPUID */
#define CPUID_1_EDX_DS             BIT(21)
#define CPUID_1_ECX_PDCM           BIT(15)
#define CPUID_1_ECX_HYPERVISOR     BIT(31)
#define TSX_RTM_FORCE_ABORT        BIT(0)
#define CPUID_7_EBX_HLE            BIT(4)
#define CPUID_7_EBX_RTM            BIT(11)
#define CPUID_14_EBX_LOGS          BIT(9) /* counters may log into processor trace */
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
#define CPUID_1C_EAX_DEPTHS        FIELD(7, 0)
#define CPUID_1C_EBX_CPL           BIT(0)
#define CPUID_1C_EBX_KINDS         BIT(1)
#define CPUID_1C_EBX_CALL_STACK    BIT(2)
#define CPUID_1C_ECX_MISPRED       BIT(0)
#define CPUID_1C_ECX_CYC_CNT       BIT(1)
#define CPUID_1C_ECX_BR_TYPE       BIT(2)
#define CPUID_1C_ECX_EVENTS        FIELD(19, 16) /* bit n: general counter n logs */
#define CPUID_23_EAX_COUNTERS      BIT(1) /* there is subleaf 1, with general and fixed ones, */
#define CPUID_23_EAX_RELOAD        BIT(2) /* 2, auto counter reload, */
#define CPUID_23_EAX_EVENTS        BIT(3) /* 3, architectural events */
#define CPUID_23_EAX_PEBS          FIELD(5, 4) /* 4, 5, what records have, and of which counters */
#define CPUID_23_EBX_UMASK2        BIT(0)
#define CPUID_23_EBX_EQ            BIT(1)
#define CPUID_23_EBX_USER_DISABLE  BIT(2)
#define CPUID_1A_EAX_NATIVE_MODEL  FIELD(23, 0)
