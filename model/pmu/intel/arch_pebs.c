/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: records in a buffer at a physical address.  Linux, struct arch_pebs_header.
 */
#include "model/pmu/pebs.h"
#include "record.h"

/* Of CFG_C, and of a record's header, which says what the record has. */
#define ALLOWS         BIT(35)
#define GENERAL        BIT(36)
#define FIXED          BIT(37)
#define METRICS        BIT(38)
#define LBRS           FIELD(41, 40)
#define XMMS           BIT(49)
#define YMMS           BIT(50)
#define GPR            BIT(61)
#define AUX            BIT(62)
#define RECORDS        BIT(63)

#define HEADER_64_BITS BIT(30)
#define HEADER_BASIC   BIT(63)

/* Of IA32_PEBS_INDEX. */
#define WR     FIELD(26, 4)
#define FULL   BIT(31)
#define EN     BIT(32)
#define THRESH (FIELD(58, 36) >> 32)

enum { WORD = 8 };

bool intel_arch_pebs_records(const struct pmu_intel *p, unsigned ctr)
{
	return p->traits->recorded & intel_bit(ctr) && intel_cfg_c(p, ctr) & RECORDS &&
	       (p->pebs.index & (EN | FULL)) == EN;
}

void intel_arch_pebs_look(struct pmu_intel *p)
{
	p->core.precise = false;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++) {
		bool records = intel_arch_pebs_records(p, i);

		p->core.precise |= records;
		p->pebs.armed[i] = records ? p->pebs.armed[i] : 0;
	}
}

/* ---- a record ---- */

/* Each with a header of its own. */
static void put_vectors(struct record *record, const struct machine *machine, uint64_t groups)
{
	if (groups & XMMS) {
		put_zeros(record, 2);
		put_halves(record, machine->xmm);
	}
	if (groups & YMMS) {
		put_zeros(record, 2);
		put_halves(record, machine->upper);
	}
}

/* So many as the field says, the last time all. */
static void put_branches(const struct pmu_intel *p, struct record *record, uint64_t groups)
{
	static const unsigned entries[] = {0, 8, 16, INTEL_LBR_DEPTH};

	put(record, 0);
	put(record, p->lbr_ctl);
	put(record, intel_lbr_depth(p));
	put(record, p->ler.from);
	put(record, p->ler.to);
	put(record, p->ler.info);
	put_lbrs(p, record, entries[field_get(LBRS, groups)]);
}

/* Those that allow it, of the kinds that the record is to have. */
static uint64_t allowed(const struct pmu_intel *p, uint64_t groups)
{
	uint64_t counters = 0;

	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (groups & (i < INTEL_GENERAL ? GENERAL : FIXED) && intel_cfg_c(p, i) & ALLOWS)
			counters |= intel_bit(i);
	return counters;
}

static void put_all(const struct pmu_intel *p, unsigned ctr, const struct machine *machine,
		    struct record *record)
{
	uint64_t groups = intel_cfg_c(p, ctr) & p->traits->cfg_c & ~(ALLOWS | RECORDS);

	put(record, groups | HEADER_BASIC | (machine->legacy ? 0 : HEADER_64_BITS));
	put(record, 0);
	put(record, machine->before.ip);
	put(record, intel_bit(ctr));
	put(record, machine->tsc);
	put_zeros(record, 3);
	if (groups & AUX)
		put_memory(record, machine, 8);
	if (groups & GPR) {
		put_gprs(record, &machine->after);
		put_zeros(record, 2);
	}
	put_vectors(record, machine, groups);
	if (groups & LBRS)
		put_branches(p, record, groups);
	if (groups & (GENERAL | FIXED | METRICS))
		put_values(p, record, allowed(p, groups), groups & METRICS);
	record->words += record->words % 2;
	record->word[0] |= WORD * record->words;
}

/* ---- the buffer ---- */

static struct pebs_area area_of(const struct pmu_intel *p, unsigned ctr)
{
	uint64_t base = p->pebs.base & FIELD(45, 12);

	return (struct pebs_area){
		.base = base,
		.index = base + (p->pebs.index & WR),
		.maximum = base + (UINT64_C(4096) << (p->pebs.base & FIELD(3, 0))),
		.threshold = base + (p->pebs.index >> 32 & THRESH),
		.reset = (uint64_t)(int64_t)(int32_t)(uint32_t)intel_cfg_c(p, ctr),
		.word = WORD,
	};
}

/* False: there is no room for it, and there will be none.  What is no memory takes it and forgets
 * it. */
static bool store(struct pmu_intel *p, const struct machine *machine, struct point *at)
{
	const struct pebs_area *area = at->area;

	if (area->index + WORD * at->words > area->maximum) {
		p->pebs.index |= FULL;
		intel_arch_pebs_look(p);
		return false;
	}
	machine->write_physical(machine->arg, area->index, at->record, WORD * at->words);
	p->pebs.index += WORD * at->words;
	return true;
}

bool intel_arch_pebs_write(struct pmu_intel *p, unsigned ctr, const struct machine *machine)
{
	struct record record = {{0}, 0};
	struct pebs_area area = area_of(p, ctr);
	struct point at = core_point(&p->core, ctr);

	put_all(p, ctr, machine, &record);
	at.machine = machine;
	at.area = &area;
	at.record = record.word;
	at.words = record.words;
	REACH(&at, p->core.active, pebs);
	if (!store(p, machine, &at))
		return false;
	p->core.counter[ctr].value = area.reset & p->core.mask;
	p->status &= ~intel_bit(ctr);
	return area.base + (p->pebs.index & WR) >= area.threshold;
}
