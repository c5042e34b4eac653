/* SPDX-License-Identifier: BSD-2-Clause */
/* Bursts in an uncore that is one box: two requests come in a clock. */
#include "layout.h"

enum { WHOLE_LATENCY = 16 };

void uncore_lay_out_whole(struct uncore_layout *l)
{
	struct uncore_segment *segment = NULL;

	for (unsigned i = 0; i < l->queue->count; i++) {
		const struct uncore_request *request = &l->queue->pending[i];
		unsigned channel = (unsigned)(request->address / UNCORE_LINE % WHOLE_CHANNELS);

		if (i % 2 == 0)
			segment = uncore_append(l, 1);
		segment->n[(request->miss ? WHOLE_MISSES : WHOLE_HITS) + request->write]++;
		if (!request->cached)
			segment->n[(request->write ? WHOLE_WRITES : WHOLE_READS) + channel]++;
	}
	uncore_append(l, WHOLE_LATENCY);
}
