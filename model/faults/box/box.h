/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of boxes outside of the cores.  A part has all of those whose box, field,
 * counter and event it has.
 * Uses: model/faults/common, model/box
 */
#pragma once

#include "model/box/box.h"
#include "model/faults/common/common.h"

/* boxes_: ALL_BOXES, or others of the words below it. */
#define BOX_FAULT(name_, boxes_, test_, says_, ...)                                                \
	SEEDED(uncore_##name_, "uncore_" #name_, 0, test_, says_,                                  \
	       .boxes = &(const struct defect){boxes_, __VA_ARGS__})
#define BOX_FAULT_DO(name_, boxes_, test_, says_, hook_, statement_, ...)                          \
	HOOK(name_, statement_)                                                                    \
	BOX_FAULT(name_, boxes_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)

#define ALL_BOXES                                                                                  \
	.roles = FIELD(UNCORE_ROLES - 1, 0) &                                                      \
		 ~(BIT(ROLE_CORE_SLICE) | BIT(ROLE_ARBITER) | BIT(ROLE_WHOLE) | BIT(ROLE_MEMORY))
#define SLICES        .roles = BIT(ROLE_SLICE)
#define SYSTEM        .roles = BIT(ROLE_SYSTEM)
#define POWER         .roles = BIT(ROLE_POWER)
#define HOMES         .roles = BIT(ROLE_HOME)
#define CHANNELS      .roles = BIT(ROLE_CHANNEL)
#define LINKS         .roles = BIT(ROLE_LINK)
#define IO_FABRIC     .roles = BIT(ROLE_IO_FABRIC)
#define LINK_FABRIC   .roles = BIT(ROLE_LINK_FABRIC)
#define RING_SWITCHES .roles = BIT(ROLE_RING_SWITCH)
#define OF_MEMORY     .roles = BIT(ROLE_HOME) | BIT(ROLE_CHANNEL)
#define CORE_SLICES   .roles = BIT(ROLE_CORE_SLICE)
#define ARBITERS      .roles = BIT(ROLE_ARBITER)
#define MEMORIES      .roles = BIT(ROLE_MEMORY)
#define CLIENTS       .roles = BIT(ROLE_CORE_SLICE) | BIT(ROLE_ARBITER)
/* AMD's. */
#define CACHES       .roles = BIT(ROLE_CACHE)
#define L2S          .roles = BIT(ROLE_L2)
#define FABRICS      .roles = BIT(ROLE_FABRIC)
#define CONTROLLERS  .roles = BIT(ROLE_CONTROLLER)
#define WHOLE        .roles = BIT(ROLE_WHOLE)
#define NORTHBRIDGES .roles = BIT(ROLE_NORTHBRIDGE)

/* A mesh's. */
#define STACKS       .roles = BIT(ROLE_STACK)
#define DEVICES      .roles = BIT(ROLE_IO)
#define MEMORY_STOPS .roles = BIT(ROLE_MESH_MEMORY)
#define LINK_STOPS   .roles = BIT(ROLE_MESH_LINK)
#define PORTS        .roles = BIT(ROLE_MESH_PORT)
/* It takes two processors. */
#define APART_FAULT(name_, boxes_, which_)                                                         \
	SEEDED(uncore_##name_##_apart, "uncore_" #name_ "_apart", 0, "cpu1.-.box.same_counters",   \
	       "each processor has " which_ " to itself", .cpus = 2,                               \
	       .boxes = &(const struct defect){boxes_, .apart = true})

/* Of registers that count by themselves. */
#define ON_METERS .registers = BIT(UNCORE_METER)
/* Number n of them alone. */
#define ONLY(n) .box = (n) + 1

/* A field acts, or is kept, as 0 or as all ones; as part_, by its own bits, or all of it. */
#define CLEARS(hook_, field_, part_) .hook_ = clears_field, .field = field_, .arg = part_
#define SETS(hook_, field_, part_)   .hook_ = sets_field, .field = field_, .arg = part_
enum { ALL_OF_IT = 0 };

/* ---- registers.c ---- */
hook clears_field, sets_field;
hook keeps_lowest; /* of the bits of a field */
hook carry_lost; /* hold: out of the bits of arg */
/* The bits of a field of the register that is accessed; 0: it has none of it. */
uint64_t field_at(const struct point *at, enum uncore_field field);

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
