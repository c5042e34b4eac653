/* SPDX-License-Identifier: BSD-2-Clause */
/* Bursts in the boxes of AMD's processors. */
#include "layout.h"

/* One after the other, and time to answer. */
enum { AMD_LATENCY = 8 };

void uncore_lay_out_arrivals(struct uncore_layout *l)
{
	for (unsigned i = 0; i < l->queue->count; i++) {
		uncore_append(l, 1)->arrival = &l->queue->pending[i];
		uncore_append(l, AMD_LATENCY);
	}
}

/* Both edges of each clock move data, for eight transfers of one of two half channels. */
enum { DATA_CLOCKS = 8, TRANSFERS = 2 };

void uncore_lay_out_controller(struct uncore_layout *l)
{
	for (unsigned i = 0; i < l->queue->count; i++) {
		struct uncore_segment *segment;

		uncore_append(l, 1)->arrival = &l->queue->pending[i];
		uncore_append(l, AMD_LATENCY);
		segment = uncore_append_tor(l, DATA_CLOCKS, i, i + 1);
		segment->n[CONTROLLER_TRANSFERS] = TRANSFERS;
	}
}

/* Lines take turns: of controllers, and of a page that is open, none that is, another one. */

void uncore_lay_out_node(struct uncore_layout *l)
{
	for (unsigned i = 0; i < l->queue->count; i++) {
		const struct uncore_request *request = &l->queue->pending[i];
		unsigned line = (unsigned)(request->address / UNCORE_LINE);
		struct uncore_segment *segment = uncore_append(l, 1);

		segment->n[NODE_DRAM + (unsigned)request->channel * MEMORY_PAGES +
			   line / MEMORY_CONTROLLERS % MEMORY_PAGES] = 1;
		uncore_append(l, AMD_LATENCY);
	}
}
