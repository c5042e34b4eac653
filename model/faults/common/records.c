/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks of faults in one record of many: number arg since a register was written last, each
 * recorder's own; or, of samples, which take writes of their own, one in arg. */
#include "common.h"

enum { IP = 1 }; /* its word in each kind of record that PEBS has */
#define FAR_AWAY BIT(20) /* more than the code of a window is long */

void counts_records_anew(struct point *at)
{
	for (unsigned i = 0; i < CORE_COUNTERS; i++)
		at->memory[i] = 0;
}

static bool is_number(struct point *at)
{
	return ++at->memory[at->ctr] == at->defect->arg;
}

void record_from_wrong(struct point *at)
{
	at->record[0] ^= is_number(at);
}

void record_to_wrong(struct point *at)
{
	at->record[1] ^= is_number(at);
}

void record_lost(struct point *at)
{
	at->passes = at->passes && !is_number(at);
}

void pebs_ip_wrong(struct point *at)
{
	at->record[IP] ^= is_number(at) ? FAR_AWAY : 0;
}

void pebs_lost(struct point *at)
{
	if (is_number(at))
		at->words = 0;
}

static bool is_sample(struct point *at)
{
	return at->passes && ++at->memory[at->ctr] % at->defect->arg == 0;
}

/* The address of an op, and the status of a fetch.  That none is lost is not documented. */
void sample_wrong(struct point *at)
{
	at->record[0] ^= is_sample(at);
}
