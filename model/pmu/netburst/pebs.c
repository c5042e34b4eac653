/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS of NetBurst: counter 16 writes records of the registers into memory. */
#include "hooks.h"
#include "kernel/lib/string.h"

enum { CRU_ESCR2 = 0x2c, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

_Static_assert(sizeof(struct pebs_record) == 144 && offsetof(struct pebs_record, rsi) == 0x30,
	       "64-bit PEBS record");

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

bool netburst_precise(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return p->record == RECORD_ARMED;
}

bool netburst_wants_assist(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return p->record == RECORD_DUE;
}

static struct pebs_record record_of(const struct registers *r)
{
	struct pebs_record record = {
		.rflags = r->flags,
		.rip = r->ip,
		.rax = r->gpr[RAX],
		.rbx = r->gpr[RBX],
		.rcx = r->gpr[RCX],
		.rdx = r->gpr[RDX],
		.rsi = r->gpr[RSI],
		.rdi = r->gpr[RDI],
		.rbp = r->gpr[RBP],
		.rsp = r->gpr[RSP],
	};

	memcpy(record.r8_to_r15, r->gpr + R8, sizeof(record.r8_to_r15));
	return record;
}

/* What is not mapped stays unwritten: the guest has to keep it resident. */
static void store(const struct machine *machine, uint64_t index, const struct pebs_record *record,
		  uint64_t index_at)
{
	uint64_t next = index + sizeof(*record);

	if (machine->write(machine->arg, index, record, sizeof(*record)))
		machine->write(machine->arg, index_at, &next, sizeof(next));
}

/* A full buffer does not end the counting, it only takes no more records. */
unsigned netburst_assist(void *pmu, const struct machine *machine)
{
	struct pmu_netburst *p = pmu;
	uint64_t at = p->other[DS_AREA] + PEBS_AREA_OFFSET, index;
	struct pebs_record record = record_of(&machine->before);
	struct pebs_area area;

	if (!machine->read(machine->arg, at, &area, sizeof(area)))
		memset(&area, 0, sizeof(area));
	index = area.index;
	p->record = RECORD_NONE;
	if (p->hooks->record)
		p->hooks->record(p, &area, &record);
	p->counter[NETBURST_PEBS_COUNTER].value = area.reset & NETBURST_MASK;
	if (index + sizeof(record) > area.maximum)
		return 0;
	store(machine, index, &record, at + offsetof(struct pebs_area, index));
	return index < area.threshold && index + sizeof(record) >= area.threshold;
}
