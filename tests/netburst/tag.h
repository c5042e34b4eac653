/* SPDX-License-Identifier: BSD-2-Clause */
/* Tagging: an upstream ESCR marks micro-ops, an event at retirement counts the marked ones. */
#ifndef NETBURST_TAG_H
#define NETBURST_TAG_H

#include "netburst.h"

#define NBOGUS0 BIT(0) /* execution_event; NBOGUS of the other two */
#define NBOGUS1 BIT(1)
#define BOGUS0  BIT(4)
/* instr_retired */
#define NBOGUSNTAG        BIT(0)
#define NBOGUSTAG         BIT(1)
#define BOGUSNTAG         BIT(2)
#define BOGUSTAG          BIT(3)
#define NB_TAG_ITERATIONS UINT64_C(3)
#define NB_NO_FEEDER      NETBURST_COUNTERS
/* A counter that powers an upstream ESCR, as it counts something of another ESCR. */
#define NB_FEEDER 8u
struct netburst_config nb_feed(void);

struct nb_tagging {
	struct netburst_config upstream;
	unsigned half; /* of the upstream ESCR */
	enum netburst_event_id downstream; /* NB_NO_EVENT: execution_event */
	uint64_t mask; /* of the downstream event */
	unsigned feeder; /* a counter enabled only to power the upstream ESCR */
};

/* Tags the MMX instruction of payload_spaced. */
struct netburst_config nb_mmx_tagger(unsigned tag_value);

/* What counter ctr counts downstream, by NB_TAG_ITERATIONS more iterations. */
uint64_t nb_tagged(struct run *t, const struct nb_tagging *tagging, unsigned ctr,
		   const struct payload *payload);

#endif
