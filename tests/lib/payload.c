/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of payloads, and the layout that payload.inc relies on. */
#include "payload.h"

#include <stddef.h>

_Static_assert(sizeof(struct payload_counts) == 6 * 8, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, instructions) == 0, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, branches) == 8, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, taken) == 16, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, loads) == 24, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, stores) == 32, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload_counts, near_returns) == 40, "payload.inc, COUNTS");
_Static_assert(offsetof(struct payload, name) == 0, "payload.inc, END_PAYLOAD");
_Static_assert(offsetof(struct payload, entry) == 8, "payload.inc, END_PAYLOAD");
_Static_assert(offsetof(struct payload, fixed) == 16, "payload.inc, END_PAYLOAD");
_Static_assert(offsetof(struct payload, per_iteration) == 64, "payload.inc, END_PAYLOAD");

const struct payload *const payloads[] = {
	&payload_straight, &payload_chain,
	&payload_branches, &payload_calls,
	&payload_memory,   &payload_bursts,
	&payload_mix,      &payload_sub,
	&payload_spaced,   &payload_vector,
	&payload_misses,   &payload_awkward,
	&payload_kinds,    NULL,
};
