/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS of NetBurst: counter 16 writes records of the registers into memory. */
#include "netburst.h"

enum { CRU_ESCR2 = 0x2c, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

static bool is_precise(const struct escr *escr)
{
	return escr->number == CRU_ESCR2 &&
	       (escr->event == FRONT_END_EVENT || escr->event == REPLAY_EVENT ||
		escr->event == EXECUTION_EVENT);
}

bool netburst_takes_records(const struct pmu_netburst *p, unsigned ctr)
{
	int escr = p->cccr[ctr].escr;

	return ctr == NETBURST_PEBS_COUNTER && p->pebs_enable & PEBS_ENABLE_MY_THR && escr >= 0 &&
	       is_precise(&p->escr[escr]);
}

/* Without DTES64 the area is as wide as the mode.  The guest has to keep the area mapped, else
 * nothing is written.  If the buffer is full, counting goes on without records. */
unsigned netburst_assist(void *pmu, const struct machine *machine)
{
	struct pmu_netburst *p = pmu;
	struct point at = core_point(&p->core, NETBURST_PEBS_COUNTER);
	uint64_t ds = p->ds_area, record[PEBS_LEGACY_WORDS], index;
	struct pebs_area area = {0};
	bool narrow = machine->legacy && !p->traits->dtes64;

	pebs_read_area(machine, ds, 0, narrow ? 4 : 8, &area);
	index = area.index;
	p->core.wants_assist = false;
	at.machine = machine;
	at.area = &area;
	at.record = record;
	at.words = pebs_put_registers(record, &machine->before);
	if (narrow)
		at.words = PEBS_WORDS_32;
	REACH(&at, p->core.active, pebs);
	p->core.counter[NETBURST_PEBS_COUNTER].value = area.reset & NETBURST_MASK;
	if (!pebs_write(machine, ds, &area, record, at.words))
		return 0;
	return index < area.threshold && area.index >= area.threshold;
}
