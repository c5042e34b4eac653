/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS of NetBurst: counter 16 writes records of the registers into memory. */
#include "faults_netburst.h"

enum { CRU_ESCR2 = 0x2c, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

static bool is_precise(const struct escr *escr)
{
	return escr->number == CRU_ESCR2 &&
	       (escr->event == FRONT_END_EVENT || escr->event == REPLAY_EVENT ||
		escr->event == EXECUTION_EVENT);
}

bool netburst_takes_records(const struct pmu_netburst *p, unsigned ctr)
{
	int escr = p->counter[ctr].escr;

	return ctr == NETBURST_PEBS_COUNTER && p->other[PEBS_ENABLE] & PEBS_ENABLE_MY_THR &&
	       escr >= 0 && is_precise(&p->escr[escr]);
}

static bool armed(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return p->record == RECORD_ARMED;
}

static bool due(const void *pmu, uint64_t *ds_area)
{
	const struct pmu_netburst *p = pmu;

	*ds_area = p->other[DS_AREA];
	return p->record == RECORD_DUE;
}

/* A full buffer does not end the counting, it only takes no more records. */
static unsigned record(void *pmu, struct pebs_area *area, struct pebs_record *registers)
{
	struct pmu_netburst *p = pmu;
	uint64_t before = area->index;

	p->record = RECORD_NONE;
	if (p->hooks->record)
		p->hooks->record(p, area, registers);
	p->counter[NETBURST_PEBS_COUNTER].value = area->reset & NETBURST_MASK;
	if (before + sizeof(*registers) <= area->maximum)
		area->index += sizeof(*registers);
	return before < area->threshold && area->index >= area->threshold;
}

const struct sampling_ops netburst_sampling = {
	.armed = armed,
	.due = due,
	.record = record,
};
