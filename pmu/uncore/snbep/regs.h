/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore registers of the Xeon E5-2600 (Sandy Bridge-EP), with the manual's names: Intel Xeon
 * Processor E5-2600 Product Family Uncore Performance Monitoring Guide, 327043-001, chapter 2. */
#pragma once

#include "kernel/lib/lib.h"

/* Box control: every box but the UBox.  Bits 1:0 are reserved in HA and iMC. */
#define BOX_CTL_RST_CTRL BIT(0) /* clears the control registers; reads 0 */
#define BOX_CTL_RST_CTRS BIT(1) /* clears the counters; reads 0 */
#define BOX_CTL_FRZ      BIT(8)
#define BOX_CTL_FRZ_EN   BIT(16) /* without it, frz does nothing */
#define BOX_CTL_STOP     (BOX_CTL_FRZ_EN | BOX_CTL_FRZ)
#define BOX_CTL_RUN      BOX_CTL_FRZ_EN

/* Counter control. */
#define CTL_EV_SEL       FIELD(7, 0) /* PCU: bit 7 set counts an occupancy */
#define CTL_UMASK        FIELD(15, 8)
#define CTL_OCC_SEL      FIELD(15, 14) /* PCU: 1 cores in C0, 2 in C3, 3 in C6 */
#define CTL_RST          BIT(17) /* clears this counter; reads 0 */
#define CTL_EDGE_DET     BIT(18)
#define CTL_TID_EN       BIT(19) /* CBo */
#define CTL_EV_SEL_EXT   BIT(21) /* QPI, PCU */
#define CTL_EN           BIT(22)
#define CTL_INVERT       BIT(23)
#define CTL_THRESH       FIELD(31, 24)
#define CTL_THRESH_5     FIELD(28, 24) /* UBox, PCU */
#define CTL_OCC_INVERT   BIT(30) /* PCU: in place of bits 23 and 18 for an occupancy */
#define CTL_OCC_EDGE_DET BIT(31)

#define CTL_COMMON       (CTL_EV_SEL | CTL_EDGE_DET | CTL_EN | CTL_INVERT)
#define CTL_RING         (CTL_COMMON | CTL_UMASK | CTL_THRESH) /* HA, iMC, R2PCIe, R3QPI */
#define CTL_QPI          (CTL_RING | CTL_EV_SEL_EXT)
#define CTL_CBO          (CTL_RING | CTL_TID_EN)
#define CTL_UBOX         (CTL_COMMON | CTL_UMASK | CTL_THRESH_5)
#define CTL_PCU                                                                                    \
	(CTL_COMMON | CTL_OCC_SEL | CTL_EV_SEL_EXT | CTL_THRESH_5 | CTL_OCC_INVERT |               \
	 CTL_OCC_EDGE_DET)

/* What is left of each is reserved: always written 0. */
#define CTL_TILED(fields, reserved)                                                                \
	_Static_assert(((fields) | (reserved)) == FIELD(31, 0) && !((fields) & (reserved)),        \
		       "fields tile the control register")
CTL_TILED(CTL_RING, FIELD(17, 16) | FIELD(21, 19)); /* HA, iMC */
CTL_TILED(CTL_RING | CTL_RST, BIT(16) | FIELD(21, 19)); /* R2PCIe, R3QPI */
CTL_TILED(CTL_QPI | CTL_RST, BIT(16) | FIELD(20, 19));
CTL_TILED(CTL_CBO | CTL_RST, BIT(16) | FIELD(21, 20));
CTL_TILED(CTL_UBOX | CTL_RST, BIT(16) | FIELD(21, 19) | FIELD(31, 29));
CTL_TILED(CTL_PCU | CTL_RST, FIELD(13, 8) | BIT(16) | FIELD(20, 19) | BIT(29));

/* Fixed counters: DCLK of an iMC channel, UCLK of the UBox. */
#define FIXED_CTL_RST BIT(19) /* iMC: clears the counter; reads 0 */
#define FIXED_CTL_EN  BIT(22)

/* In the PCI function of a box; all below 100h. */
#define PCI_PMON_CTR(n)    (0xa0u + 8 * (n)) /* low dword, the high one behind it */
#define PCI_PMON_FIXED_CTR 0xd0u
#define PCI_PMON_CTL(n)    (0xd8u + 4 * (n))
#define PCI_PMON_FIXED_CTL 0xf0u
#define PCI_PMON_BOX_CTL   0xf4u
#define HA_ADDRMATCH0      0x40u
#define HA_ADDRMATCH1      0x44u
#define HA_OPCODEMATCH     0x48u
/* In the function beside the QPI port; beyond 100h. */
#define QPI_PKT_MATCH0 0x228u
#define QPI_PKT_MATCH1 0x22cu
#define QPI_PKT_MASK0  0x238u
#define QPI_PKT_MASK1  0x23cu

/* MSRs of the package; CBo n has them 20h * n further on. */
#define U_MSR_PMON_UCLK_FIXED_CTL 0xc08u
#define U_MSR_PMON_UCLK_FIXED_CTR 0xc09u
#define U_MSR_PMON_CTL0           0xc10u
#define U_MSR_PMON_CTR0           0xc16u
#define PCU_MSR_PMON_BOX_CTL      0xc24u
#define PCU_MSR_PMON_CTL0         0xc30u
#define PCU_MSR_PMON_BOX_FILTER   0xc34u
#define PCU_MSR_PMON_CTR0         0xc36u
#define CBO_MSR_PMON_BOX_CTL      0xd04u
#define CBO_MSR_PMON_CTL0         0xd10u
#define CBO_MSR_PMON_BOX_FILTER   0xd14u
#define CBO_MSR_PMON_CTR0         0xd16u
#define CBO_MSR_STEP              0x20u
#define MSR_MISC_FEATURE_CONTROL  0x1a4u /* SDM vol. 4, 06_2DH */
#define PREFETCHERS_OFF           FIELD(3, 0)
#define MSR_CORE_C3_RESIDENCY     0x3fcu /* free running; never written */
#define MSR_CORE_C6_RESIDENCY     0x3fdu

/* Filter of a CBo. */
#define CBO_FILTER_TID   FIELD(4, 0)
#define CBO_FILTER_NID   FIELD(17, 10)
#define CBO_FILTER_STATE FIELD(22, 18)
#define CBO_FILTER_OPC   FIELD(31, 23)
CTL_TILED(CBO_FILTER_TID | CBO_FILTER_NID | CBO_FILTER_STATE | CBO_FILTER_OPC, FIELD(9, 5));

#define HA_ADDRMATCH0_FIELDS  FIELD(31, 6) /* physical address, bits 31:6 */
#define HA_ADDRMATCH1_FIELDS  FIELD(13, 0) /* bits 45:32 */
#define HA_OPCODEMATCH_FIELDS FIELD(5, 0)
#define QPI_PKT_0_FIELDS      (BIT(31) | FIELD(17, 3))
#define QPI_PKT_1_FIELDS      (FIELD(19, 16) | FIELD(3, 0))
#define PCU_BOX_FILTER_FIELDS FIELD(31, 0) /* four bands of 100 MHz each */

/* UBox, function 11.0: which package is which node. */
#define UBOX_CPUNODEID 0x40u
#define CPUNODEID_NODE FIELD(2, 0)
#define UBOX_GIDNIDMAP 0x54u
