/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured windows on NetBurst counters, with the modes that only they have. */
#ifndef NETBURST_WINDOW_H
#define NETBURST_WINDOW_H

#include "pmu/netburst/netburst.h"
#include "tests/lib/test.h"

/* One counter of a window. */
struct nb_counter {
	unsigned ctr;
	struct netburst_config cfg;
	uint64_t from; /* start value, modulo its width */
	bool waits; /* not enabled: its cascade source starts it */
	uint64_t out;
};

/* Where user_memory_use() fails; what it did ends with the test. */
#define OTHER_PAT "the page attribute table is not as after a reset"

/* Programs all, then enables those that do not wait, in order; the first one enabled is the last
 * one disabled, so that each one's window holds the windows of those after it. */
void nb_open(struct run *t, const struct nb_counter *c, unsigned n);
/* Enabled as they are: the payload in ring 3. */
void nb_call(const struct payload *payload, uint64_t iterations);
void nb_close(struct run *t, struct nb_counter *c, unsigned n);

/* All three. */
void nb_measure(struct run *t, struct nb_counter *c, unsigned n, const struct payload *payload,
		uint64_t iterations);
/* The same, n and 2n iterations: out is the difference. */
void nb_difference(struct run *t, struct nb_counter *c, unsigned n, const struct payload *payload,
		   uint64_t iterations);

/* Programs an upstream ESCR; ends the test when the driver refuses. */
void nb_upstream(struct run *t, unsigned half, const struct netburst_config *cfg);

/*
 * What every counter of ctr's group can count, in ring 3 only and at most once in a clock: clocks,
 * near returns, MMX instructions or branches.  All but the clocks are far apart in payload_spaced.
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

static inline uint64_t nb_minus(const struct run *t, uint64_t n)
{
	return (0 - n) & pmu_mask(t->pmu, t->counter);
}

/* The payload on the other logical processor, which has been started, with interrupts on, while
 * this one waits in ring 0. */
void nb_other_call(const struct payload *payload, uint64_t iterations, enum ring ring);

/* Interrupts, by a handler that leaves LVT entry and presets alone if it is told to. */
struct nb_pmis {
	const struct pmu *pmu;
	unsigned ctr; /* whose OVF the handler clears */
	bool unmasks; /* the LVT entry */
	unsigned most; /* at so many it stops the counter, and unmasks no more */
	unsigned count;
	uint32_t lvt; /* as the handler found it */
};
/* Until the end of the test. */
struct nb_pmis *nb_arm(struct run *t, bool unmasks, unsigned most, uint32_t lvt);
/* Time for what is under way. */
void nb_settle(void);

#endif
