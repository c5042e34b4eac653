/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of the uncore of the Xeon E5-2600.
 * Uses: model/faults/common, model/box
 */
#pragma once

#include "model/box/box.h"
#include "model/faults/common/common.h"

#define UNCORE_FAULT(name_, boxes_, test_, says_, ...)                                             \
	SEEDED(uncore_##name_, "uncore_" #name_, MODEL_SANDY_EP, test_, says_,                     \
	       .boxes = &(const struct defect){.boxes = boxes_, __VA_ARGS__})
#define UNCORE_FAULT_DO(name_, boxes_, test_, says_, hook_, statement_, ...)                       \
	HOOK(name_, statement_)                                                                    \
	UNCORE_FAULT(name_, boxes_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)

/* Boxes, as bits; 0: all. */
#define ALL_BOXES 0
#define SLICE(n)  BIT(BOX_CBO + (n))
#define SLICES    FIELD(BOX_CBO + UNCORE_SLICES - 1, BOX_CBO)
#define UBOX      BIT(BOX_UBOX)
#define PCU       BIT(BOX_PCU)
#define HA        BIT(BOX_HA)
#define CHANNELS  FIELD(BOX_IMC + UNCORE_CHANNELS - 1, BOX_IMC)
#define QPI       FIELD(BOX_QPI + UNCORE_PORTS - 1, BOX_QPI)
#define R2PCIE    BIT(BOX_R2PCIE)
#define R3QPI     FIELD(BOX_R3QPI + UNCORE_PORTS - 1, BOX_R3QPI)

static inline struct uncore_box *box_of(const struct point *at)
{
	return at->box;
}

/* Another box of the same socket, by its distance. */
static inline struct uncore_box *box_beside(const struct point *at, int distance)
{
	return box_of(at) + distance;
}

static inline const struct uncore_selection *selection_of(const struct point *at)
{
	return &box_of(at)->selection[at->ctr];
}

/* Occurrences of the signal in this clock. */
static inline uint8_t signal(const struct point *at, unsigned signal)
{
	return ((const struct uncore_segment *)at->segment)->n[signal];
}

/* Does the counter count this signal by such a rule?  Of sub-events the first one is named. */
static inline bool counts(const struct point *at, enum uncore_counting counting, unsigned signal)
{
	const struct uncore_event *event = selection_of(at)->event;

	return event && event->counting == counting && event->signal == signal;
}

static inline struct uncore_request *request_of(const struct point *at)
{
	return at->request;
}

static inline const struct uncore_request *arrival(const struct point *at)
{
	return ((const struct uncore_segment *)at->segment)->arrival;
}
