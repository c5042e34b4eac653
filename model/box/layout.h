/* SPDX-License-Identifier: BSD-2-Clause */
/* A burst of transactions, laid out in the clocks of a box. */
#pragma once

#include "box.h"

enum { UNCORE_SEGMENTS = 48 };

struct uncore_layout {
	const struct uncore_box *box;
	const struct uncore_queue *queue;
	unsigned slices, links; /* of a socket */
	struct uncore_segment segments[UNCORE_SEGMENTS];
	struct uncore_header headers[UNCORE_SEGMENTS];
	unsigned count;
};

/* ---- layout.c ---- */

/* One more stretch, as without traffic until something is added to it. */
struct uncore_segment *uncore_append(struct uncore_layout *l, uint32_t clocks);

/* The same, in which the requests from first to before end are in the TOR. */
struct uncore_segment *uncore_append_tor(struct uncore_layout *l, uint32_t clocks, unsigned first,
					 unsigned end);

/* ---- channel.c ---- */

/* Requests as a memory channel serves them, all reads or all writes. */
void uncore_lay_out_channel(struct uncore_layout *l);

/* ---- amd.c ---- */

/* Requests as they come to a cache or to the data fabric; as a memory controller serves them; and
 * as a northbridge does. */
void uncore_lay_out_arrivals(struct uncore_layout *l);
void uncore_lay_out_controller(struct uncore_layout *l);
void uncore_lay_out_node(struct uncore_layout *l);

/* ---- whole.c ---- */

/* Requests as an uncore sees them that is one box. */
void uncore_lay_out_whole(struct uncore_layout *l);

/* ---- meters.c ---- */

/* Requests as a controller of a client's memory serves them. */
void uncore_lay_out_memory(struct uncore_layout *l);

/* ---- link.c ---- */

/* Lays out the packets that the queue's requests send over a QPI link, as the box at its end sees
 * them. */
void uncore_lay_out_link(struct uncore_layout *l);
