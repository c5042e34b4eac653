/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Faults in pairs: an effect X that a counter has only while Y is in use.  An effect is a few lines
 * in pair.c; a condition is one statement below model/faults, CONDITION() or one of its kin, and no
 * list.  The faults are their product: model/faults/generated.c.
 */
#pragma once

#include "model/pmu/pmu.h"

/* Traces of what happened to a counter, kept in the word of memory that a defect has for each. */
struct traces {
	uint32_t before; /* of counter 0 alone: the counters that ran before the write */
	uint8_t pending; /* occurrences that are late */
	uint8_t interrupted; /* so many clocks more are the first ones after an interrupt */
	/* events since the start; an overflow, too; a write to the select that changed nothing */
	uint8_t counted : 1, wrapped : 1, rewritten : 1;
	uint8_t nmi : 1; /* the last interrupt was one */
	uint8_t renamed : 1; /* its select was written by its other name */
	uint8_t beside : 1; /* while it ran, the select of another one was written */
	uint8_t ring0 : 1; /* in the last clock */
	uint8_t crossed : 5; /* so many clocks more are the first in a ring */
	enum { WINDOW_ANY, WINDOW_NEXT, WINDOW_FIRST } window : 2; /* after an interrupt */
};

struct traces traces_of(const struct point *at, unsigned ctr);

/* Models that have pairs; these have those alone whose condition names them. */
#define PAIR_YOUNG  (MODEL_GOLDENCOVE | MODEL_LIONCOVE)
#define PAIR_MODELS (MODEL_ALL | PAIR_YOUNG)

struct condition {
	const char *name, *says; /* "while ..." */
	uint64_t models; /* whose core's counters can have it */
	bool boxes; /* and counters of boxes */
	bool (*holds)(const struct point *at, const struct traces *t);
	/* May this counter ever be so?  For conditions that only one kind of PMU has, else NULL;
	 * counter -1: may any one? */
	bool (*may)(const void *traits, const struct pmu_register *reg);
	const char *tests; /* that bring it about, beside those of pair_tests(); NULL: none */
};

/* Enumerates all; NULL past the end. */
const struct condition *condition_at(unsigned index);
/* The conditions that a PMU of the profile can have, as bits: of the core, or of its boxes. */
uint64_t conditions_of(const struct profile *profile, bool boxes);

#define CONDITION_IN(token_, name_, models_, boxes_, says_, true_, ...)                            \
	static bool holds_##token_(const struct point *at, const struct traces *t)                 \
	{                                                                                          \
		(void)at;                                                                          \
		(void)t;                                                                           \
		return true_;                                                                      \
	}                                                                                          \
	static const struct condition condition_##token_ = {.name = name_,                         \
							    .says = says_,                         \
							    .models = models_,                     \
							    .boxes = boxes_,                       \
							    .holds = holds_##token_,               \
							    __VA_ARGS__};                          \
	static const struct condition *const entry_##token_                                        \
		__attribute__((used, section("conditions"))) = &condition_##token_
#define CONDITION_MAY(token_, name_, models_, boxes_, says_, true_, possible_, ...)                \
	static bool may_##token_(const void *traits, const struct pmu_register *reg)               \
	{                                                                                          \
		(void)traits;                                                                      \
		(void)reg;                                                                         \
		return possible_;                                                                  \
	}                                                                                          \
	CONDITION_IN(token_, name_, models_, boxes_, says_, true_, .may = may_##token_, __VA_ARGS__)

/* Conditions of the core's counters; of all counters; and of counters of one kind of PMU, with when
 * they may hold. */
#define CORE_CONDITION(models_, name_, ...)                                                        \
	CONDITION_IN(name_, #name_, models_, false, __VA_ARGS__, .may = NULL)
#define CONDITION(name_, ...) CONDITION_IN(name_, #name_, MODEL_ALL, true, __VA_ARGS__, .may = NULL)
#define KIND_CONDITION(models_, name_, ...)                                                        \
	CONDITION_MAY(name_, #name_, models_, false, __VA_ARGS__)
#define BOX_CONDITION(name_, ...) CONDITION_MAY(name_, #name_, 0, true, __VA_ARGS__)

enum pair_effect {
	PAIR_DEAD, /* counts nothing */
	PAIR_INVERTED, /* the comparison is the opposite */
	PAIR_MORE, /* one more at the first event after a start */
	PAIR_LESS,
	PAIR_LATE_CLOCK, /* events count in the next clock */
	PAIR_LATE_EVENT, /* one event waits for the next one */
	PAIR_MUTE, /* its overflow gets lost */
	PAIR_EFFECTS,
};

/* Fields of the arg of a defect.  COUNTER: its number + 1, 0: all; OTHER: of a second condition,
 * its number + 1, 0: none. */
enum { PAIR_ALWAYS = 63 }; /* stands for a condition that holds */
#define PAIR_EFFECT    UINT64_C(0xff)
#define PAIR_CONDITION UINT64_C(0xff00)
#define PAIR_OTHER     UINT64_C(0xff0000)
#define PAIR_COUNTER   UINT64_C(0xff000000)

hook pair_kept, pair_written, pair_compare, pair_increment, pair_overflow;
#define PAIR_HOOKS                                                                                 \
	.sees_entry = true, .kept = pair_kept, .written = pair_written, .compare = pair_compare,   \
	.increment = pair_increment, .overflow = pair_overflow
