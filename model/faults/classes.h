/* SPDX-License-Identifier: BSD-2-Clause */
/* Classes of generated faults: of what each register, bit or counter has one, and the defect. */
#pragma once

#include "model/faults/common/pair.h"
#include "model/pmu/pmu.h"

enum generated_class {
	GENERATED_STUCK_0, /* bit of a counter */
	GENERATED_STUCK_1,
	GENERATED_IGNORED, /* bit of a control register: reads back as written, but acts as 0 */
	GENERATED_INVERTED, /* reads back as written, but acts as its opposite */
	GENERATED_SHARE_FULL, /* a byte of shares, when they have gone on from what was written */
	GENERATED_SHARE_STANDS,
	GENERATED_ALIASED, /* a register's address reaches the next one of its kind */
	GENERATED_PMI_DROPPED, /* interrupts of one counter */
	GENERATED_PMI_DOUBLED,
	GENERATED_PMI_DELAYED, /* by instructions more than the profile says */
	GENERATED_ONE_MORE_PER_START, /* of one counter */
	GENERATED_ONE_MORE_PER_STOP,
	GENERATED_ONE_MORE_PER_OVERFLOW,
	GENERATED_ONE_MORE_PER_INTERRUPT,
	GENERATED_LOST, /* one in every 2^n events of one counter */
	/* Faults in something that is right nearly always. */
	GENERATED_RARE_LOST, /* the same, n above 10 */
	GENERATED_RARE_DOUBLED,
	GENERATED_RARE_CARRY, /* no carry out of one bit, while it counts */
	GENERATED_RARE_STOP, /* after 2^n events */
	GENERATED_RARE_PMI_LOST, /* one in every 2^n interrupts of all counters */
	GENERATED_RARE_PMI_DOUBLED,
	GENERATED_RARE_RELOAD, /* by PEBS */
	GENERATED_RARE_FREEZE,
	/* Faults in one record of many. */
	GENERATED_RECORD_FROM,
	GENERATED_RECORD_TO,
	GENERATED_RECORD_LOST,
	GENERATED_RECORD_PEBS_IP,
	GENERATED_RECORD_PEBS_LOST,
	GENERATED_RECORD_SAMPLE,
	/* Three for each effect: on a counter while a condition holds, on all counters, and on one
	 * while two conditions hold. */
	GENERATED_PAIRS,
	GENERATED_CLASSES = GENERATED_PAIRS + 3 * PAIR_EFFECTS,
};

struct fault_class {
	const char *name, *says, *tests;
	enum {
		COUNTER_BIT, /* or of shares */
		CONTROL_BIT,
		SHARE, /* a byte of them */
		REGISTER,
		COUNTER,
		POWER,
		CARRY,
		DELAY,
		TURN,
		CONDITION,
		CONDITION_OF_ALL,
		TWO_CONDITIONS,
	} of;
	uint64_t bits;
	uint64_t models; /* whose cores have it; 0: all */
	struct defect defect; /* whose twist is of all bits */
};
/* By enum generated_class. */
extern const struct fault_class generated_classes[GENERATED_CLASSES];

/* Powers of 2 of interrupts, and of records of PEBS: the longest window that the program takes has
 * as many as the highest bit. */
#define RARE         FIELD(14, 1)
#define RARE_RECORDS FIELD(10, 1)

/* Instructions, by the bit of a DELAY. */
#define CLASS_DELAYS 3
extern const unsigned class_delays[CLASS_DELAYS];
