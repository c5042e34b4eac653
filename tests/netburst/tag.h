/* SPDX-License-Identifier: BSD-2-Clause */
/* Tagging: an upstream ESCR marks micro-ops, an event at retirement counts the marked ones. */
#pragma once

#include "netburst.h"

#define NBOGUS0 BIT(0) /* execution_event; NBOGUS of the other two */
#define NBOGUS1 BIT(1)
#define BOGUS0  BIT(4)
/* instr_retired */
#define NBOGUSNTAG        BIT(0)
#define NBOGUSTAG         BIT(1)
#define BOGUSNTAG         BIT(2)
#define BOGUSTAG          BIT(3)
#define TAG_LOADS         BIT(1) /* uop_type */
#define TAG_STORES        BIT(2)
#define NB_TAG_ITERATIONS UINT64_C(3)
/* A counter that powers an upstream ESCR, as it counts something of another ESCR. */
#define NB_FEEDER    8u
#define NB_NO_FEEDER NETBURST_COUNTERS
void nb_feed(struct window *w, unsigned feeder);

struct nb_tagging {
	struct netburst_config upstream;
	enum netburst_event_id downstream;
	uint64_t mask; /* of the downstream event */
	const char
		*payload; /* and, behind a dot, what it does that is counted: payload_occasion() */
};

/* Upstream events that tag micro-ops with a value. */
struct netburst_config nb_tagger(enum netburst_event_id event, unsigned tag_value);

/* The count of counter ctr downstream, for NB_TAG_ITERATIONS more iterations. */
uint64_t nb_tagged(struct run *t, const struct nb_tagging *tagging, unsigned half, unsigned ctr,
		   unsigned feeder);
