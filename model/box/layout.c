/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments of a burst that is being laid out. */
#include "layout.h"

struct uncore_segment *uncore_append(struct uncore_layout *l, uint32_t clocks)
{
	struct uncore_segment *segment = &l->segments[l->count++];

	*segment = l->box->kind->idle->segments[0];
	segment->clocks = clocks;
	return segment;
}

struct uncore_segment *uncore_append_tor(struct uncore_layout *l, uint32_t clocks, unsigned first,
					 unsigned end)
{
	struct uncore_segment *segment = uncore_append(l, clocks);

	for (unsigned i = first; i < end; i++)
		segment->entries[segment->entry_count++] = &l->queue->pending[i];
	return segment;
}
