/* SPDX-License-Identifier: BSD-2-Clause */
/* All that a counter of NetBurst alone can be told: a mode of it, and a twin of its group that is
 * told the same in the same window. */
#pragma once

#include "tag.h"

enum axis { START, FILTER, VALUE, PAST, BESIDE, MASK, WHERE, WHOSE, AXES };

/* START: by ENABLE, with CASCADE beside it, by CASCADE, by CASCNTxINTOy. */
enum { ENABLED, FLAGGED, CASCADED, EXTENDED, STARTS };
/* Comparisons, by what is true: anything, one or more, two or more, more than any clock has; and
 * edges of the first and of its opposite; three or less, and no more than any clock has, which is
 * true in every clock of every ring. */
enum { PLAIN, ABOVE_0, ABOVE_1, NEVER, EDGES, OPPOSITE_EDGES, AT_MOST_3, ALWAYS, FILTERS };
enum { FROM_ZERO, FORCED, BEFORE_WRAP, WRAP_BY_VECTOR, WRAP_BY_NMI, WRAP_BY_OTHER, VALUES };
/* Or all is written twice. */
enum { CLEAR, OWN_OVF, OTHER_OVF, WRITTEN_TWICE, PASTS };
enum { NOTHING, TAGGING, SAMPLING, BESIDES };
/* Rings of the payload, with rings that are counted; through the gate nothing but the payload
 * counts. */
enum { GATED, WHERES = 4 };
/* The twin's ESCR. */
enum { OTHER_ESCR, SAME_ESCR, WHOSES };

/* The sources overflow with this event, and counters from BEFORE_WRAP with that one. */
#define AFTER UINT64_C(3)
#define WRAPS UINT64_C(2)

/* The slots of a mode's window: of the counter under test and its twin, and of the sources that
 * start them. */
enum { TWIN, TESTED, SOURCES };
struct window nb_mode_window(const struct run *t, const uint8_t *m);

/* The covering array for the counter under test. */
struct cover nb_mode_rows(struct run *t);
/* Does it count clocks, in ring 0 too? */
bool nb_mode_is_of_clocks(const uint8_t *m);
bool nb_mode_interrupts(const uint8_t *m);
/* The twin in the counter's group, which can be told the same; NETBURST_COUNTERS: none. */
unsigned nb_mode_twin(const uint8_t *m, unsigned ctr);
/* Do counters of this group count page walks?  No more is known of what they can count than that
 * all of them count the same. */
bool nb_mode_walks(unsigned ctr);
