/* SPDX-License-Identifier: BSD-2-Clause */
/* The event select register that AMD's and Intel's counters share but for some bits. */
#pragma once

#include "datapath.h"
#include "kernel/lib/bits.h"

#define SELECT_EVENT     FIELD(7, 0)
#define SELECT_UNIT_MASK FIELD(15, 8)
#define SELECT_USR       BIT(16)
#define SELECT_OS        BIT(17)
#define SELECT_EDGE      BIT(18)
#define SELECT_PC        BIT(19)
#define SELECT_INT       BIT(20)
#define SELECT_EN        BIT(22)
#define SELECT_INV       BIT(23)
#define SELECT_CMASK     FIELD(31, 24)

/* With CMASK = 0 there is no threshold, and INV is ignored; E works all the same. */
static inline struct setting setting_of_select(uint64_t select)
{
	static const struct comparison as_many = {.edge_alone = true};
	unsigned threshold = (unsigned)field_get(SELECT_CMASK, select);
	struct setting set = {
		.event = (unsigned)field_get(SELECT_EVENT, select),
		.unit_mask = (unsigned)field_get(SELECT_UNIT_MASK, select),
		.user = select & SELECT_USR,
		.os = select & SELECT_OS,
		.interrupt = select & SELECT_INT,
		.enable = select & SELECT_EN,
	};

	setting_compare(&set, &as_many, threshold, threshold, select & SELECT_INV,
			select & SELECT_EDGE);
	return set;
}
