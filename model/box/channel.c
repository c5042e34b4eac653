/* SPDX-License-Identifier: BSD-2-Clause */
/* Bursts in a memory channel of Intel's servers: its queues, and the commands that come of them. */
#include "layout.h"

/* Clocks from the last arrival to the first command, for each that waits: so that no depth of a
 * queue is rarer than a smaller one. */
enum { CHANNEL_LATENCY = 6 };
enum { BURST_OF_DATA = 4 }; /* DCLKs that eight transfers take */

/* Bits of unit masks. */
enum { PAGE_CLOSE = 1 };
enum { MODE_READ = 0, MODE_WRITE = 1 };

/* Sixteen lines go to one half, the next ones to the other. */
static uint8_t half_of(const struct uncore_request *request)
{
	return request->address / UNCORE_LINE / 16 % 2;
}

/* Appends a stretch with these requests, from first on, in the queue of reads, or of writes. */
static struct uncore_segment *append_queued(struct uncore_layout *l, uint32_t clocks,
					    unsigned first, unsigned end)
{
	struct uncore_segment *segment = uncore_append(l, clocks);
	bool write = l->queue->pending[0].write;

	segment->n[write ? CHANNEL_WPQ_OCCUPANCY : CHANNEL_RPQ_OCCUPANCY] = (uint8_t)(end - first);
	segment->n[write ? CHANNEL_WPQ_NE : CHANNEL_RPQ_NE] = end > first;
	for (unsigned i = first; i < end; i++)
		segment->n[(write ? CHANNEL_WPQ_OF_HALF : CHANNEL_RPQ_OF_HALF) +
			   half_of(&l->queue->pending[i])]++;
	return segment;
}

/* A single write goes out between reads, several in write major mode. */
static void serve(struct uncore_layout *l, unsigned first)
{
	const struct uncore_request *request = &l->queue->pending[first];
	const unsigned end = l->queue->count;
	bool major = request->write && end > 1;
	struct uncore_segment *segment;

	if (request->partial) {
		segment = append_queued(l, 1, first, end);
		segment->n[CHANNEL_CAS + RD_UNDERFILL] = 1;
		segment->n[CHANNEL_HALF] = half_of(request);
	}
	segment = append_queued(l, 1, first, end);
	segment->n[CHANNEL_HALF] = half_of(request);
	segment->n[CHANNEL_CAS + (major ? WR_WMM : request->write ? WR_RMM : RD_REG)] = 1;
	segment->n[CHANNEL_PRE + PAGE_CLOSE] = 1;
	if (major) {
		segment->n[CHANNEL_MODE + MODE_READ] = 0;
		segment->n[CHANNEL_MODE + MODE_WRITE] = 1;
	}
	append_queued(l, BURST_OF_DATA - 1, first + 1, end);
}

void uncore_lay_out_channel(struct uncore_layout *l)
{
	unsigned n = l->queue->count;
	bool write = l->queue->pending[0].write;

	for (unsigned i = 0; i < n; i++) {
		struct uncore_segment *segment = append_queued(l, 1, 0, i + 1);

		segment->n[write ? CHANNEL_WPQ_INSERTS : CHANNEL_RPQ_INSERTS] = 1;
		segment->n[CHANNEL_ACT] = 1;
		segment->n[CHANNEL_HALF] = half_of(&l->queue->pending[i]);
	}
	append_queued(l, CHANNEL_LATENCY * n, 0, n);
	for (unsigned i = 0; i < n; i++)
		serve(l, i);
}
