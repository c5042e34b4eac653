/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata: what they do, which PMUs have them, and which counts they make wrong. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pmu;
struct pmu_event;

/* Effects of errata.  Tests ask for an effect, and never for the number that a vendor has given to
 * an erratum: each driver's table says which erratum has the effect, and on which parts. */
enum pmu_effect {
	NO_EFFECT, /* that a test asks for: the report names the erratum, and that is all */
	OPENS_LATE, /* a fixed counter counts too much behind the write that starts all, so that
		     * it is started after the others */
	HIDES_CLOCKS_AT_RING_CHANGE, /* from a counter of one ring */
	INVERSE_COUNTS_OTHER_RING, /* clocks of a ring that an inverted counter filters out */
	INTERRUPTS_TWICE_WHILE_HELD, /* and on, until the status bit is cleared */
	INTERRUPTS_TWICE_AS_IT_FREEZES, /* an overflow of the first fixed counter */
	FLAG_STAYS, /* of a counter that is stopped as it overflows, whatever is acknowledged */
	LOSES_INTERRUPTS, /* of several counters that interrupt, all but the first may be lost */
	IRET_COUNTS_TWICE, /* as an instruction */
	FAR_COUNTS_TWICE, /* a far transfer, as IRET is one: as an instruction and as a branch */
	DEAF_TO_USER_ALONE, /* a counter counts ring 3 together with ring 0 only */
	SELECT_MISREADS, /* otherwise than it was written, and works as it was written */
	SAMPLES_MISTOLD, /* each of its facts may be wrong, and it is up to 16 bytes late */
	TARGET_MISTOLD, /* where a branch goes, in a sample */
	FETCH_MISPLACED, /* in a few samples */
	RETIREMENT_MISTOLD, /* the clocks up to retirement in a sample */
	LAST_TARGET_MISTOLD, /* where the last branch went to, in AMD's pair of branch records */
	LATE_LOADS_STOP, /* counting, for good */
	REFERENCE_AT_MAXIMUM_RATIO, /* the TSC ticks at the one that the firmware has set */
};

/* A published erratum that may make a test fail on a processor that is as its maker left it.  It is
 * reported, and changes no outcome unless a test asks for its effect and finds a deviation of the
 * erratum's own form: a seeded or real defect must not hide behind one. */
struct pmu_erratum {
	const char *id, *what; /* id: its names in the documents, with ", " between */
	uint32_t first, last; /* pmu->revision */
	const char *tests; /* glob of those that may see it */
	enum pmu_effect effect;
	uint64_t
		counters; /* the ones that it is about, by their bits in global registers; 0: all */
};

/* An erratum by which counts may be wrong, and so those of any other event that they are compared
 * with look wrong: of which events, and what tells whether they are. */
struct pmu_overcount {
	const char *erratum; /* one of its names */
	const uint16_t *codes; /* of the events; 0 ends them */
	/* For pmu_watch(): where it has not occurred, none of them has counted too much.
	 * NULL: nothing tells, */
	const struct pmu_event *witness;
	unsigned at_once; /* and each time counts are off by at most so many */
};

/* Is it published of this PMU? */
bool pmu_erratum_applies(const struct pmu *pmu, const struct pmu_erratum *e);

/* The erratum by which this PMU, or counter ctr of it, does that, or may do if no table knows the
 * part: its id is what a test that meets it reports.  NULL: nothing of the kind is published of it.
 */
const struct pmu_erratum *pmu_effect(const struct pmu *pmu, enum pmu_effect effect);
const struct pmu_erratum *pmu_effect_on(const struct pmu *pmu, enum pmu_effect effect,
					unsigned ctr);

/* The erratum that is published of this PMU and by which the count of one of these events (as bits,
 * by their places) may be wrong; NULL: there is none. */
const struct pmu_overcount *pmu_overcount(const struct pmu *pmu, uint64_t events);

/* The witness of some overcount that is published of this PMU; NULL: there is none. */
const struct pmu_event *pmu_witness(const struct pmu *pmu);
