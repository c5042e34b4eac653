/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Uncore boxes of the Xeon E5-2600, for tests of this driver alone: what kinds of boxes there are,
 * their events by the manual's names, and the registers that struct pmu_config has no word for.
 *
 * A box is a struct pmu.  After reset() it is frozen, its controls, counters and filters are 0.
 * Values of registers are as in the manual; a register is named as in struct snbep_kind, by its
 * offset in the box's PCI function or the number of its MSR.  An access that faults reads 0.
 *
 * Room: the uncore counters of the Xeon E5-2600 (Sandy Bridge-EP)
 * Uses: pmu, kernel/lib
 */
#pragma once

#include "pmu/pmu.h"
#include "regs.h"

extern const struct pmu_ops pmu_snbep;

/* As bits, for .kinds of a test. */
#define SNBEP_IMC          BIT(0)
#define SNBEP_HA           BIT(1)
#define SNBEP_QPI          BIT(2)
#define SNBEP_R2PCIE       BIT(3)
#define SNBEP_R3QPI        BIT(4)
#define SNBEP_CBO          BIT(5)
#define SNBEP_UBOX         BIT(6)
#define SNBEP_PCU          BIT(7)
#define SNBEP_FIRST(kind)  ((kind) << 8) /* the first visible one of its kind */

#define SNBEP_KINDS        8u
#define SNBEP_FILTERS_MAX  4u
#define SNBEP_COUNTERS_MAX 4u
#define SNBEP_BOXES_MAX    50u /* four sockets */
#define SNBEP_NUMBERED     (SNBEP_IMC | SNBEP_QPI | SNBEP_R3QPI | SNBEP_CBO)

/* What all boxes of a kind have in common; for MSR boxes the registers of the first. */
struct snbep_kind {
	const char *name, *clock; /* the box's, and of its clock event; NULL: it has none */
	uint32_t bit;
	bool pci;
	uint8_t counters, width, fixed_width;
	uint16_t clock_event;
	uint16_t ctl, ctr, box_ctl, fixed_ctl, fixed_ctr; /* 0: not there */
	uint32_t ctl_fields, thresh;
	struct {
		uint16_t reg;
		uint32_t fields;
	} filter[SNBEP_FILTERS_MAX];
};
extern const struct snbep_kind snbep_kinds[SNBEP_KINDS];

/* One box of this machine. */
struct snbep_box {
	const struct snbep_kind *kind;
	uint8_t socket, number; /* among those of its kind in the socket */
	bool first; /* visible one of its kind */
	uint16_t function; /* kernel/kernel.h */
	uint16_t step; /* from the MSRs of the first box of the kind to those of this one */
	uint8_t node; /* of the socket, as its UBox says */
	uint32_t match; /* QPI: where the function with the match and mask registers is mapped */
	const char *no_match; /* or why there is none */
	char silent[80]; /* empty: all is well */
};

/* What can be saved of a box beside its counters: filters, and a fixed counter with its control. */
#define SNBEP_SHARED_MAX (SNBEP_FILTERS_MAX + 2)

struct snbep {
	const struct snbep_box *box;
	struct pmu_bank bank;
	struct pmu_counter counter[SNBEP_COUNTERS_MAX];
	struct pmu_reg shared[SNBEP_SHARED_MAX];
	uint64_t saved[PMU_SAVED(SNBEP_COUNTERS_MAX, SNBEP_SHARED_MAX)];
};

static inline const struct snbep_box *snbep_box(const struct pmu *pmu)
{
	return ((const struct snbep *)pmu->state)->box;
}

/* All boxes in the order of their probing, hidden ones too; NULL behind the last. */
const struct pmu *snbep_pmu(unsigned i);

/* ---- events ---- */

#define SNBEP_EXT 0x100u /* in an event number: CTL.ev_sel_ext */

/* Name in this program, event, unit mask.  Of a PCU occupancy the mask is CTL.occ_sel, in place. */
#define SNBEP_EVENT(event_, mask_)  .event = (event_), .unit_mask = (mask_)
#define IMC_CAS_COUNT_RD            SNBEP_EVENT(0x04, 0x03)
#define IMC_CAS_COUNT_WR            SNBEP_EVENT(0x04, 0x0c)
#define IMC_CAS_COUNT_ALL           SNBEP_EVENT(0x04, 0x0f)
#define IMC_ECC_CORRECTABLE_ERRORS  SNBEP_EVENT(0x09, 0x00)
#define IMC_RPQ_INSERTS             SNBEP_EVENT(0x10, 0x00)
#define IMC_WPQ_INSERTS             SNBEP_EVENT(0x20, 0x00)
#define IMC_RPQ_CYCLES_NE           SNBEP_EVENT(0x11, 0x00)
#define IMC_RPQ_OCCUPANCY           SNBEP_EVENT(0x80, 0x00)
#define HA_REQUESTS_READS           SNBEP_EVENT(0x01, 0x03)
#define HA_REQUESTS_WRITES          SNBEP_EVENT(0x01, 0x0c)
#define HA_IMC_WRITES_FULL          SNBEP_EVENT(0x1a, 0x01)
#define HA_IMC_WRITES_PARTIAL       SNBEP_EVENT(0x1a, 0x02)
#define HA_IMC_WRITES_ISOCH         SNBEP_EVENT(0x1a, 0x0c) /* full and partial */
#define HA_IMC_WRITES_ALL           SNBEP_EVENT(0x1a, 0x0f)
#define HA_TAD_REQUESTS_G0(region)  SNBEP_EVENT(0x1b, (uint8_t)BIT(region))
#define HA_ADDR_OPC_MATCH_ADDR      SNBEP_EVENT(0x20, 0x01)
#define HA_ADDR_OPC_MATCH_FILT      SNBEP_EVENT(0x20, 0x03) /* address and opcode */
#define QPI_TXL_FLITS_G0_IDLE       SNBEP_EVENT(0x00, 0x01)
#define QPI_TXL_FLITS_G0_DATA       SNBEP_EVENT(0x00, 0x02)
#define QPI_TXL_FLITS_G0_NON_DATA   SNBEP_EVENT(0x00, 0x04)
#define QPI_TXL_FLITS_G0_ALL        SNBEP_EVENT(0x00, 0x07)
#define QPI_TXL0_POWER_CYCLES       SNBEP_EVENT(0x0c, 0x00)
#define QPI_TXL_FLITS_G1_SNP        SNBEP_EVENT(0x00 | SNBEP_EXT, 0x01)
#define QPI_RXL_FLITS_G0_DATA       SNBEP_EVENT(0x01, 0x02)
#define QPI_RXL_FLITS_G0_NON_DATA   SNBEP_EVENT(0x01, 0x04)
#define QPI_RXL_FLITS_G1_HOM_REQ    SNBEP_EVENT(0x02 | SNBEP_EXT, 0x02)
#define QPI_RXL_FLITS_G1_DRS_DATA   SNBEP_EVENT(0x02 | SNBEP_EXT, 0x08)
#define QPI_RXL_FLITS_G1_DRS_HEADER SNBEP_EVENT(0x02 | SNBEP_EXT, 0x10) /* DRS_NONDATA */
#define QPI_RXL_FLITS_G1_DRS        SNBEP_EVENT(0x02 | SNBEP_EXT, 0x18)
#define QPI_CTO_COUNT               SNBEP_EVENT(0x38 | SNBEP_EXT, 0x00)
#define RING_AD_USED_CW             SNBEP_EVENT(0x07, 0x03)
#define RING_AD_USED_CCW            SNBEP_EVENT(0x07, 0x0c)
#define RING_AD_USED_ALL            SNBEP_EVENT(0x07, 0x0f)
#define RING_IV_USED_ANY            SNBEP_EVENT(0x0a, 0x0f)
#define CBO_COUNTER0_OCCUPANCY      SNBEP_EVENT(0x1f, 0x00)
#define CBO_LLC_LOOKUP_DATA_READ    SNBEP_EVENT(0x34, 0x03)
#define CBO_LLC_LOOKUP_WRITE        SNBEP_EVENT(0x34, 0x05)
#define CBO_LLC_LOOKUP_WITHOUT_BIT0 SNBEP_EVENT(0x34, 0x02)
#define CBO_TOR_INSERTS_OPCODE      SNBEP_EVENT(0x35, 0x01)
#define CBO_TOR_INSERTS_MISS        SNBEP_EVENT(0x35, 0x03) /* MISS_OPCODE */
#define CBO_TOR_INSERTS_WB          SNBEP_EVENT(0x35, 0x10)
#define CBO_TOR_INSERTS_NID_MISS    SNBEP_EVENT(0x35, 0x43) /* NID_MISS_OPCODE */
#define CBO_TOR_OCCUPANCY_ALL       SNBEP_EVENT(0x36, 0x08)
#define CBO_TOR_INSERTS_MISS_ALL    SNBEP_EVENT(0x35, 0x0a)
#define CBO_TOR_OCCUPANCY_MISS_ALL  SNBEP_EVENT(0x36, 0x0a)
#define CBO_LLC_VICTIMS_ALL         SNBEP_EVENT(0x37, 0x0f)
#define CBO_MISC_WC_ALIASING        SNBEP_EVENT(0x39, 0x02)
#define PCU_CLOCKTICKS              SNBEP_EVENT(0x00, 0x00)
#define PCU_FREQ_TRANS_CYCLES       SNBEP_EVENT(0x00 | SNBEP_EXT, 0x00)
#define PCU_FREQ_BAND0_CYCLES       SNBEP_EVENT(0x0b, 0x00)
#define PCU_CORES_C0                SNBEP_EVENT(0x80, 0x40)
#define PCU_CORES_C3                SNBEP_EVENT(0x80, 0x80)
#define PCU_CORES_C6                SNBEP_EVENT(0x80, 0xc0)
#define UBOX_EVENT_MSG_VLW_RCVD     SNBEP_EVENT(0x42, 0x01)
#define UBOX_LOCK_CYCLES            SNBEP_EVENT(0x44, 0x00)

/* Codes of TOR requests, for the filter of a CBo. */
#define CBO_OPC_RFO 0x180u
#define CBO_OPC_DRD 0x182u

/* What a counter is to count. */
struct snbep_config {
	uint16_t event; /* with SNBEP_EXT */
	uint8_t unit_mask;
	uint8_t at_least, below; /* as in struct pmu_config */
	bool edge;
	bool tid; /* CBo: only requests of the thread in the filter */
};

/* The counter's control register, enabled.  Pure.  below and edge of a PCU occupancy go into its
 * own bits.  Panics where the kind has no such field, or the value is too wide for it. */
uint32_t snbep_encode(const struct snbep_kind *kind, const struct snbep_config *cfg);

/* The clock event, as often as there are clocks. */
struct snbep_config snbep_clock(const struct pmu *pmu);

/* Package of the node by the two registers of its UBox; -1: the map does not name the node.  Pure.
 */
int snbep_socket(uint32_t cpunodeid, uint32_t gidnidmap);

/* ---- registers ---- */

/* Where a register of the box is: by its offset in the box's PCI function, or the number of its
 * MSR; an address of pmu->counter[] will do, too. */
struct pmu_reg snbep_place(const struct snbep_box *box, uint32_t reg);

/* A counter is read with bits beyond its width as they come; it must not run when it is written. */
uint64_t snbep_get(const struct pmu *pmu, uint32_t reg);
void snbep_put(const struct pmu *pmu, uint32_t reg, uint64_t value);

/* A register of kind->fixed_ctl and so on, which is not in the table of counters, of this box. */
static inline uint32_t snbep_reg(const struct pmu *pmu, uint32_t of_kind)
{
	return of_kind + snbep_box(pmu)->step;
}

/* The box control register: all counters of the box stop, or run on, in the same clock. */
void snbep_freeze(const struct pmu *pmu);
void snbep_run(const struct pmu *pmu);

/* pmu_reset() leaves a box alone that has not been written to since the last time: there are many.
 * This one freezes it in any case, and resets what has been written to. */
void snbep_reset(const struct pmu *pmu);

/* The running core's prefetchers, as they were found (true) or all off.  reset() puts them back.
 * MSR 1A4h is documented for this model; if it refuses the access it is left alone. */
void snbep_prefetchers(bool on);

/* find.c: the boxes of this machine, which has such a processor. */
unsigned snbep_find(struct snbep_box **boxes);

/* Is there a box behind the MSRs?  One keeps what is written, of some counter or control, and its
 * clock moves a counter or its controls reset one: memory does neither, and what a hypervisor
 * ignores keeps nothing.  One dead bit, or one dead register, does not matter.  Where RDMSR of one
 * faults, nobody could give it back, and what ignores registers ignores all: it is taken for a box
 * untried, whose tests report the fault.  All are left as they were found. */
bool snbep_is_box(const struct snbep_box *box);

/* Does its clock event move counter 0?  Leaves the box frozen. */
bool snbep_ticks(const struct pmu *pmu);

/* NULL, or why no clock drives this box, which is as it may be.  Leaves it reset. */
const char *snbep_idle(const struct pmu *pmu);
