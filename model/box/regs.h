/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes as the uncore guide counts them, and the bits of their registers. */
#pragma once

#include "kernel/lib/bits.h"

enum uncore_kind {
	UNCORE_CBO,
	UNCORE_UBOX,
	UNCORE_PCU,
	UNCORE_HA,
	UNCORE_IMC,
	UNCORE_QPI,
	UNCORE_R2PCIE,
	UNCORE_R3QPI,
	UNCORE_KINDS,
};

enum {
	UNCORE_COUNTERS = 4,
	UNCORE_FIXED = UNCORE_COUNTERS, /* the number of the fixed counter */
	UNCORE_ALL_COUNTERS,
	UNCORE_FILTERS = 4,
	UNCORE_SLICES = 8,
	UNCORE_CHANNELS = 4,
	UNCORE_PORTS = 2, /* of QPI */
	UNCORE_SOCKETS = 2,
};

/* The boxes of one socket. */
enum {
	BOX_CBO = 0,
	BOX_UBOX = BOX_CBO + UNCORE_SLICES,
	BOX_PCU,
	BOX_HA,
	BOX_IMC,
	BOX_QPI = BOX_IMC + UNCORE_CHANNELS,
	BOX_R2PCIE = BOX_QPI + UNCORE_PORTS,
	BOX_R3QPI,
	UNCORE_BOXES = BOX_R3QPI + UNCORE_PORTS,
};

/* PMON_BOX_CTL. */
#define BOX_CTL_RST_CTRL BIT(0)
#define BOX_CTL_RST_CTRS BIT(1)
#define BOX_CTL_FRZ      BIT(8)
#define BOX_CTL_FRZ_EN   BIT(16)

/* PMON_CTL; what the PCU has of its own, last. */
#define CTL_EV_SEL       FIELD(7, 0)
#define CTL_UMASK        FIELD(15, 8)
#define CTL_RST          BIT(17)
#define CTL_EDGE_DET     BIT(18)
#define CTL_TID_EN       BIT(19)
#define CTL_EV_SEL_EXT   BIT(21)
#define CTL_EN           BIT(22)
#define CTL_INVERT       BIT(23)
#define CTL_OCC_SEL      FIELD(15, 14)
#define CTL_OCC_INVERT   BIT(30)
#define CTL_OCC_EDGE_DET BIT(31)

/* Of ev_sel: the PCU counts the occupancy that occ_sel chooses. */
#define EV_SEL_OCCUPANCY 0x80u
/* Event numbers here: ev_sel, and ev_sel_ext above it. */
#define EV_EXT 0x100u

/* FIXED_CTL. */
#define FIXED_CTL_RST BIT(19)
#define FIXED_CTL_EN  BIT(22)

/* FILTER of a CBo. */
#define FILTER_TID   FIELD(4, 0)
#define FILTER_NID   FIELD(17, 10)
#define FILTER_STATE FIELD(22, 18)
#define FILTER_OPC   FIELD(31, 23)

/* Places of filter[]. */
enum { FILTER_ADDRMATCH0 = 0, FILTER_ADDRMATCH1, FILTER_OPCODEMATCH };
enum { FILTER_MATCH0 = 0, FILTER_MATCH1, FILTER_MASK0, FILTER_MASK1 };

/* RNID in the two words of a packet's match and mask. */
#define MATCH_LOW_RNID  BIT(31)
#define MATCH_HIGH_RNID FIELD(3, 0)

/* LLC line states, as bits of FILTER_STATE. */
enum { LINE_I = 1, LINE_S = 2, LINE_E = 4, LINE_M = 8, LINE_F = 16 };
