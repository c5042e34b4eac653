/* SPDX-License-Identifier: BSD-2-Clause */
/* Processor event-based sampling: records that the processor itself writes into memory. */
#include "record.h"

/* By what came with them: the fields of a record; groups; slots for 32 general counters. */
enum {
	FORMAT_STATUS = 1,
	FORMAT_EVENTING_IP,
	FORMAT_APPLICABLE,
	FORMAT_ADAPTIVE,
	FORMAT_SLOTS,
};

enum { WORD = 8 }; /* in every mode: all of these models have DTES64 */

/* MSR_PEBS_DATA_CFG. */
#define DATA_CFG_MEMORY  BIT(0)
#define DATA_CFG_GPRS    BIT(1)
#define DATA_CFG_XMMS    BIT(2)
#define DATA_CFG_LBRS    BIT(3)
#define DATA_CFG_VALUES  BIT(4)
#define DATA_CFG_METRICS BIT(5)
#define DATA_CFG_ENTRIES FIELD(31, 24) /* of LBRs, minus 1 */
#define DATA_CFG_GENERAL FIELD(47, 32) /* counters of which there are values */
#define DATA_CFG_FIXED   FIELD(55, 48)

/* Counters that PEBS would record, were they enabled, with what ctr counts. */
static uint64_t recording(const struct pmu_intel *p, unsigned ctr)
{
	bool instructions = field_get(SELECT_EVENT, p->core.counter[ctr].control) == 0xc0;

	return p->traits->pebs_counters & ~(instructions ? p->traits->pebs_without_c0 : 0);
}

uint64_t intel_pebs_enable(const struct pmu_intel *p)
{
	return core_acting(&p->core, INTEL_PEBS_ENABLE, 0, p->pebs.enable);
}

bool intel_records(const struct pmu_intel *p, unsigned ctr)
{
	if (p->traits->recorded)
		return intel_arch_pebs_records(p, ctr);
	if (!(intel_pebs_enable(p) & recording(p, ctr) & intel_bit(ctr)))
		return false;
	return p->counted[ctr].precise || p->traits->capabilities & CAPS_PEBS_BASELINE;
}

static bool is_distributed_precisely(const struct pmu_intel *p, unsigned ctr)
{
	const struct intel_traits *traits = p->traits;

	return traits->precise_distribution & intel_bit(ctr) && p->counted[ctr].precise &&
	       (!traits->precise_event ||
		traits->precise_event == field_get(SELECT_CODE, p->core.counter[ctr].control));
}

/* The overflow arms the counter, and the event after it makes the record; with precise distribution
 * the overflow makes it. */
static unsigned arm(const struct pmu_intel *p, unsigned ctr)
{
	struct point at = core_point(&p->core, ctr);

	at.n = !is_distributed_precisely(p, ctr);
	REACH(&at, p->core.active, arms);
	return at.n;
}

void intel_pebs_event(struct pmu_intel *p, unsigned ctr, bool overflowed)
{
	unsigned *armed = &p->pebs.armed[ctr];
	bool comes = *armed && --*armed == 0;

	if (!comes && overflowed && !*armed) {
		*armed = arm(p, ctr);
		comes = !*armed;
	}
	if (comes) {
		p->pebs.due |= (uint32_t)BIT(ctr);
		p->core.wants_assist = true;
	}
}

/* ---- the record ---- */

static void put_legacy(const struct pmu_intel *p, unsigned ctr, const struct machine *machine,
		       struct record *record)
{
	uint64_t format = field_get(CAPS_PEBS_FMT, p->traits->capabilities);

	record->words = pebs_put_registers(record->word, &machine->after);
	if (format >= FORMAT_STATUS) {
		put(record, format >= FORMAT_APPLICABLE ? intel_bit(ctr) : p->status);
		put_zeros(record, 3); /* data address, data source, latency */
	}
	if (format >= FORMAT_EVENTING_IP) {
		put(record, machine->before.ip);
		put_zeros(record, 1); /* transactions */
	}
	if (format >= FORMAT_APPLICABLE)
		put(record, machine->tsc);
}

static uint64_t data_cfg_of(const struct pmu_intel *p, unsigned ctr)
{
	bool adaptive = ctr < INTEL_GENERAL ? p->core.counter[ctr].control & SELECT_ADAPTIVE
					    : p->fixed_ctrl >> (32 + 4 * (ctr - INTEL_GENERAL)) & 1;

	return adaptive ? core_acting(&p->core, INTEL_PEBS_DATA_CFG, 0, p->pebs.data_cfg) : 0;
}

/* As bits of the global registers. */
static uint64_t valued(uint64_t groups)
{
	if (!(groups & DATA_CFG_VALUES))
		return 0;
	return field_get(DATA_CFG_GENERAL, groups) | field_get(DATA_CFG_FIXED, groups) << 32;
}

static void put_adaptive(const struct pmu_intel *p, unsigned ctr, const struct machine *machine,
			 struct record *record)
{
	uint64_t groups = data_cfg_of(p, ctr);

	put(record, groups & UINT32_MAX);
	put(record, machine->before.ip);
	put(record, intel_bit(ctr));
	put(record, machine->tsc);
	if (groups & DATA_CFG_MEMORY)
		put_memory(record, machine, 4);
	if (groups & DATA_CFG_GPRS)
		put_gprs(record, &machine->after);
	if (groups & DATA_CFG_XMMS)
		put_halves(record, machine->xmm);
	if (groups & DATA_CFG_LBRS)
		put_lbrs(p, record, (unsigned)field_get(DATA_CFG_ENTRIES, groups) + 1);
	if (groups & (DATA_CFG_VALUES | DATA_CFG_METRICS))
		put_values(p, record, valued(groups), groups & DATA_CFG_METRICS);
	record->word[0] |= (uint64_t)(8 * record->words) << 48;
}

/* ---- the assist ---- */

/* Reset values of fixed counters lie behind those of eight general ones, or of 32. */
static unsigned slot_of(const struct pmu_intel *p, unsigned ctr)
{
	bool later = field_get(CAPS_PEBS_FMT, p->traits->capabilities) >= FORMAT_SLOTS;

	return ctr < INTEL_GENERAL ? ctr : (later ? 32 : INTEL_OLD_NAMES) + ctr - INTEL_GENERAL;
}

/* Does the record get into the buffer? */
static bool store(struct pmu_intel *p, unsigned ctr, const struct machine *machine,
		  struct record *record, struct pebs_area *area)
{
	struct point at = core_point(&p->core, ctr);
	uint64_t ds = p->pebs.ds_area;

	if (!pebs_read_area(machine, ds, slot_of(p, ctr), WORD, area))
		return false;
	at.machine = machine;
	at.area = area;
	at.record = record->word;
	at.words = record->words;
	REACH(&at, p->core.active, pebs);
	return pebs_write(machine, ds, area, record->word, at.words);
}

/* A record that has no room is dropped, and the next event tries again. */
static bool write_record(struct pmu_intel *p, unsigned ctr, const struct machine *machine)
{
	struct record record = {{0}, 0};
	struct pebs_area area;

	if (field_get(CAPS_PEBS_FMT, p->traits->capabilities) >= FORMAT_ADAPTIVE)
		put_adaptive(p, ctr, machine, &record);
	else
		put_legacy(p, ctr, machine, &record);
	if (!store(p, ctr, machine, &record, &area)) {
		p->pebs.armed[ctr] = 1;
		return false;
	}
	p->core.counter[ctr].value = area.reset & p->core.mask;
	p->status &= ~intel_bit(ctr);
	return area.index >= area.threshold;
}

/* Returns the interrupts that it requests. */
static unsigned record_of(struct pmu_intel *p, unsigned ctr, const struct machine *machine)
{
	bool arch = p->traits->recorded;

	if (!(arch ? intel_arch_pebs_write : write_record)(p, ctr, machine))
		return 0;
	p->status |= arch ? STATUS_OVF_PEBS : STATUS_OVF_BUFFER;
	intel_freeze(p);
	return 1;
}

unsigned intel_assist(void *pmu, const struct machine *machine)
{
	struct pmu_intel *p = pmu;
	uint32_t due = p->pebs.due;
	unsigned requests = 0;

	p->pebs.due = 0;
	p->core.wants_assist = false;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (due >> i & 1)
			requests |= record_of(p, i, machine);
	return requests;
}
