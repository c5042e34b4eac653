/* SPDX-License-Identifier: BSD-2-Clause */
/* All that a counter of NetBurst alone can be told: a mode of it, and a twin of its group that is
 * told the same in the same window. */
#pragma once

#include "tag.h"

/* By ENABLE, with CASCADE beside it, by CASCADE, by CASCNTxINTOy. */
enum start { ENABLED, FLAGGED, CASCADED, EXTENDED, STARTS };
enum value { FROM_ZERO, FORCED, BEFORE_WRAP, WRAP_BY_VECTOR, WRAP_BY_NMI, VALUES };
/* Or all is written twice. */
enum past { CLEAR, OWN_OVF, OTHER_OVF, WRITTEN_TWICE, PASTS };
enum beside { NOTHING, TAGGING, SAMPLING, BESIDES };

/* Rings of the payload, with rings that are counted; the first one is the gate. */
enum { NB_WHERES = 4 };

/* Whose ESCR the twin has. */
enum whose { OTHER_ESCR, SAME_ESCR, WHOSES };

/* Comparisons, by what is true: anything, one or more, two or more, more than any clock has; and
 * edges of the first and of its opposite; three or less, and no more than any clock has, which is
 * true in every clock of every ring. */
enum filter { PLAIN, ABOVE_0, ABOVE_1, NEVER, EDGES, OPPOSITE_EDGES, AT_MOST_3, ALWAYS, FILTERS };

/* The sources overflow with this event, and counters from BEFORE_WRAP with that one. */
#define AFTER UINT64_C(3)
#define WRAPS UINT64_C(2)

struct mode {
	enum start start;
	enum filter filter;
	enum value value;
	enum past past;
	enum beside beside;
	bool several; /* bits of the event mask */
	unsigned where; /* 0: through the gate, where nothing but the payload counts */
	enum whose whose;
};

/* The slots of a mode's window. */
enum { TWIN, TESTED, SOURCES };

struct mode nb_mode_of(const uint8_t level[COVER_AXES]);
/* The covering array for the counter under test. */
struct cover nb_mode_rows(struct run *t);
bool nb_mode_is_gated(const struct mode *m);
/* Does it count clocks, in ring 0 too? */
bool nb_mode_is_of_clocks(const struct mode *m);
bool nb_mode_interrupts(const struct mode *m);
/* Does the overflow of another counter start it, or could it? */
bool nb_mode_has_sources(const struct mode *m);
/* The twin in the counter's group, which can be told the same; NETBURST_COUNTERS: none. */
unsigned nb_mode_twin(const struct mode *m, unsigned ctr);
/* Do counters of this group count page walks?  No more is known of what they can count than that
 * all of them count the same. */
bool nb_mode_walks(unsigned ctr);
/* The window of the counter under test and its twin, and of the sources that start them. */
struct window nb_mode_window(const struct run *t, const struct mode *m);
