/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the NetBurst driver alone.
 *
 * Room: what is claimed of NetBurst's counters and of no others.
 * Uses: pmu/netburst, tests/lib
 */
#pragma once

#include "pmu/netburst/netburst.h"
#include "tests/lib/test.h"

#define NB_TEST(name, claim, ...)         TEST(name, claim, .driver = &pmu_netburst, __VA_ARGS__)
#define NB_COUNTER_TEST(name, claim, ...) NB_TEST(name, claim, .per_counter = true, __VA_ARGS__)

/* Where user_memory_use() fails; what it did ends with the test. */
#define OTHER_PAT "the page attribute table is not as after a reset"

/* Slots with the manual's terms: nb(slot).  The first one enabled is the last one disabled, so that
 * each one's window holds the windows of those after it. */
extern const struct window_ops nb_ops;
#define NB_WINDOW .ops = &nb_ops, .nested = true

static inline struct netburst_config *nb(struct slot *slot)
{
	_Static_assert(sizeof(struct netburst_config) <= SLOT_OWN, "it has room for it");
	return (struct netburst_config *)(void *)slot->own;
}

/* One counter, and what it counts; and one counter more. */
struct slot nb_slot(unsigned ctr, struct netburst_config cfg);
struct window nb_window(unsigned ctr, struct netburst_config cfg, struct work work);
struct slot *nb_add(struct window *w, unsigned ctr, struct netburst_config cfg);
uint64_t nb_count(struct run *t, unsigned ctr, struct netburst_config cfg, struct work work);

/* An event in ring 3. */
static inline struct netburst_config nb_user(enum netburst_event_id event, uint64_t mask)
{
	return (struct netburst_config){.event = event, .mask = (unsigned)mask, .user = true};
}

/* Programs an upstream ESCR; ends the test when the driver refuses. */
void nb_upstream(struct run *t, unsigned half, const struct netburst_config *cfg);

/*
 * An event that every counter of ctr's group can count, in ring 3 only and at most once in a clock:
 * clocks, near returns, MMX instructions or branches.  All but the clocks are far apart in
 * payload_spaced.
 */
struct netburst_config nb_event(unsigned ctr);
bool nb_counts_clocks(unsigned ctr);
/* The same in each run: what is counted at retirement, unlike clocks and what may be speculative.
 */
bool nb_repeats(unsigned ctr);

static inline bool nb_same_group(unsigned a, unsigned b)
{
	return netburst_counters[a].group == netburst_counters[b].group;
}

/* A counter of the same group that is neither; not counter 1, which may be broken. */
unsigned nb_third(unsigned a, unsigned b);

/* The value of a counter n events before its overflow. */
static inline uint64_t nb_before_overflow(const struct run *t, uint64_t n)
{
	return (0 - n) & pmu_mask(t->pmu, t->counter);
}

/* The flag that lets a counter interrupt a logical processor of its core. */
static inline uint64_t nb_interrupts(const struct run *t, bool other)
{
	return netburst(t->pmu)->thread != other ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;
}
