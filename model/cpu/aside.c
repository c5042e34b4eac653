/* SPDX-License-Identifier: BSD-2-Clause */
/* Processors that run together: what each is while it is not its turn. */
#include "kernel/lib/string.h"
#include "state.h"

/* Of struct silicon all that is ahead of the boxes. */
enum { CORE_SIZE = offsetof(struct silicon, boxes) };

static struct {
	uint8_t core[CORE_SIZE] __attribute__((aligned(16)));
} aside[PROCESSORS_MAX] LARGE;

static const struct profile *boxes_of;

void silicon_meet(bool on)
{
	company = (struct company){.meeting = on};
	if (on)
		boxes_of = NULL;
}

/* ---- defects ---- */

enum { FOREIGN_MOST = 4096 }; /* instructions in a turn: enough to be seen */

/* A write that would fault there has no effect. */
static void receive(struct silicon *s)
{
	unsigned writes = company.writes, requests = company.requests;

	company.writes = company.requests = 0;
	for (unsigned i = 0; i < writes; i++)
		silicon_wrmsr(s, company.write[i].msr, company.write[i].value);
	if (requests)
		silicon_request(s, LINE_COUNTERS, requests);
	if (company_spoils(s, COMPANY_COUNTS))
		silicon_count_foreign(s, company.executed < FOREIGN_MOST ? company.executed
									 : FOREIGN_MOST);
	company.before = s->tally.retired;
}

/* ---- turns ---- */

void silicon_set_aside(struct silicon *s, unsigned number)
{
	core_now(s);
	if (!boxes_of)
		boxes_of = s->profile;
	company.executed = s->tally.retired - company.before;
	memcpy(aside[number].core, s, CORE_SIZE);
}

void silicon_bring_back(struct silicon *s, unsigned number)
{
	memcpy(s, aside[number].core, CORE_SIZE);
	if (s->profile != boxes_of) {
		s->boxes_count = 0;
		s->boxes_watch = false;
	}
	if (company.meeting)
		receive(s);
}
