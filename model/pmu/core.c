/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to the registers of a core's PMU, and what runs by them. */
#include "pmu.h"

#include "kernel/lib/string.h"

/* ---- what control registers mean ---- */

uint64_t core_twisted(const struct core_pmu *core, unsigned kind, unsigned number, uint64_t old,
		      uint64_t value)
{
	struct point at = core_point(core, number);

	at.reg = (struct reg_id){kind, number, false};
	at.old = old;
	at.value = value;
	REACH(&at, core->active, acts);
	return at.value;
}

uint64_t core_select(struct core_pmu *core, unsigned ctr, uint64_t value)
{
	struct counter *c = &core->counter[ctr];
	struct point at = core_point(core, ctr);
	uint64_t acts = core_twisted(core, CORE_SELECT, ctr, c->control, value);
	bool was_enabled = c->set.enable;

	c->control = value;
	c->set = setting_of_select(acts);
	REACH(&at, core->active, setting);
	/* The edge detector takes the condition as false before the first clock. */
	if (!was_enabled)
		c->condition = false;
	return acts;
}

/* ---- life ---- */

void core_begin(struct core_pmu *core, size_t size, const struct core_kind *kind,
		const struct fault *fault)
{
	memset(core, 0, size);
	core->kind = kind;
	if (fault && fault->core)
		core_deviate(core, fault->core);
}

bool core_enabled(const void *pmu, unsigned counter)
{
	const struct core_pmu *core = pmu;
	const struct setting *set = &core->counter[counter].set;

	return (set->user || set->os) && core->kind->runs(pmu, counter);
}

AT_EXIT bool core_counting(const void *pmu)
{
	const struct core_pmu *core = pmu;

	for (uint32_t left = core->enabled; left; left &= left - 1)
		if (core_enabled(pmu, (unsigned)__builtin_ctz(left)))
			return true;
	return false;
}

uint64_t *core_cell(void *pmu, unsigned counter)
{
	return &((struct core_pmu *)pmu)->counter[counter].value;
}

bool core_masks_lvt(const void *pmu)
{
	const struct core_pmu *core = pmu;

	bool flips = false;

	for (const struct active *a = core->active; a; a = a->next)
		flips |= a->defect->flips_lvt_mask;
	return core->kind->masks_lvt != flips;
}

/* APM vol. 2, 16.4.1 says so of no entry: assumed, that it does not. */
bool core_masks_extended(const struct core_pmu *core)
{
	for (const struct active *a = core->active; a; a = a->next)
		if (a->defect->masks_extended_lvt)
			return true;
	return false;
}

AT_EXIT void core_update_running(struct core_pmu *core)
{
	core->enabled = 0;
	for (uint32_t left = core->watched; left; left &= left - 1)
		if (core->kind->runs(core, (unsigned)__builtin_ctz(left)))
			core->enabled |= left & -left;
	core->running = core->enabled | (core->woken & core->present);
}

/* One that was never written to has vector 0, as one has that delivers NMIs. */
void core_show_entry(struct core_pmu *core, uint8_t vector, bool nmi)
{
	core->entry.nmi = nmi;
	core->entry.vector = vector;
	if (!core->entry.first)
		core->entry.first = vector;
}

/* ---- registers ---- */

void core_lay_out(struct core_pmu *core, const struct register_range *ranges, size_t count)
{
	memcpy(core->range, ranges, count * sizeof(*ranges));
}

const struct register_range *core_range(const struct core_pmu *core, unsigned kind)
{
	const struct register_range *range = core->range;

	while (range->kind != kind)
		range++;
	return range;
}

static uint64_t *cell_of(struct core_pmu *core, const struct reg_id *reg)
{
	const struct register_range *range = core_range(core, reg->kind);

	return (uint64_t *)((char *)core + range->cell + reg->number * range->stride);
}

/* Is there a register number index in the range? */
static bool exists(const struct core_pmu *core, const struct register_range *range, unsigned index)
{
	return index < range->count &&
	       (!core->kind->exists ||
		core->kind->exists(core, range->kind, range->number + index));
}

static uint32_t address_of(const struct register_range *range, unsigned index)
{
	return range->first + index * (range->gap + 1);
}

/* False: no register has that address. */
static bool decode(const struct core_pmu *core, uint32_t msr, struct reg_id *reg)
{
	for (const struct register_range *range = core->range; range->kind; range++) {
		unsigned index = (msr - range->first) / (range->gap + 1);

		*reg = (struct reg_id){range->kind, range->number + index, range->alias};
		if (exists(core, range, index) && address_of(range, index) == msr)
			return true;
	}
	return false;
}

/* The number of the next one of the range. */
static unsigned next_of(const struct core_pmu *core, const struct register_range *range,
			unsigned index)
{
	do
		index = (index + 1) % range->count;
	while (!exists(core, range, index));
	return range->number + index;
}

static bool has_select(const struct core_pmu *core, unsigned ctr)
{
	for (const struct register_range *range = core->range; range->kind; range++)
		if (range->kind == CORE_SELECT && ctr - range->number < range->count)
			return true;
	return false;
}

static struct pmu_register describe(const struct core_pmu *core, const struct register_range *range,
				    unsigned index)
{
	bool cells = core->kind->cells >> range->kind & 1;
	unsigned number = range->number + index;

	return (struct pmu_register){
		.reg = {.kind = range->kind, .number = number},
		.address = address_of(range, index),
		.next = next_of(core, range, index),
		.counter = cells || range->kind == CORE_SELECT ? (int)number : -1,
		.cells = cells,
		.fixed = cells && !has_select(core, number),
		.bits = cells ? core->mask : range->writable,
		.runs = range->runs,
		.interrupts = core->kind->interrupts,
	};
}

bool core_register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct core_pmu *core = pmu;

	for (const struct register_range *range = core->range; range->kind; range++) {
		if (range->alias || !(core->kind->programmed >> range->kind & 1))
			continue;
		for (unsigned i = 0; i < range->count; i++)
			if (exists(core, range, i) && index-- == 0) {
				*reg = describe(core, range, i);
				return true;
			}
	}
	return false;
}

static uint64_t get(struct core_pmu *core, const struct reg_id *reg)
{
	uint64_t value = *cell_of(core, reg);

	return core->kind->shows ? core->kind->shows(core, reg, value) : value;
}

static uint64_t kept(const struct core_pmu *core, const struct reg_id *reg, uint64_t value)
{
	value &= core_range(core, reg->kind)->writable;
	return core->kind->keeps ? core->kind->keeps(core, reg, value) : value;
}

/* Sets access by whether a register has that address. */
AT_EXIT static struct point find(const struct core_pmu *core, uint32_t msr)
{
	struct reg_id reg;
	bool found = decode(core, msr, &reg);
	struct point at = core_point(core, reg.number);

	at.reg = reg;
	at.access = core->kind->faults_elsewhere ? ACCESS_GP : ACCESS_NOT_MINE;
	if (found) {
		at.access = ACCESS_DONE;
		REACH(&at, core->active, address);
		at.ctr = at.reg.number;
	}
	return at;
}

AT_EXIT enum access core_rdmsr(void *pmu, uint32_t msr, uint64_t *value)
{
	struct core_pmu *core = pmu;
	struct point at = find(core, msr);

	if (at.access != ACCESS_DONE)
		return at.access;
	at.value = get(core, &at.reg);
	REACH(&at, core->active, shown);
	*value = at.value;
	return ACCESS_DONE;
}

/* Only defects ask. */
static uint64_t enabled_counters(const struct core_pmu *core)
{
	uint64_t enabled = 0;

	for (uint64_t left = core->active ? core->present : 0; left; left &= left - 1)
		if (core_enabled(core, (unsigned)__builtin_ctzll(left)))
			enabled |= left & -left;
	return enabled;
}

AT_EXIT enum access core_wrmsr(void *pmu, uint32_t msr, uint64_t value)
{
	struct core_pmu *core = pmu;
	const struct core_kind *kind = core->kind;
	struct point at = find(core, msr);

	if (at.access != ACCESS_DONE)
		return at.access;
	at.raw = value;
	at.old = get(core, &at.reg);
	if (kind->refuses && kind->refuses(pmu, &at.reg, value))
		at.access = ACCESS_GP;
	REACH(&at, core->active, refused);
	if (at.access != ACCESS_DONE)
		return at.access;
	at.value = kept(core, &at.reg, value);
	at.running = enabled_counters(core);
	REACH(&at, core->active, kept);
	if (kind->cells >> at.reg.kind & 1)
		datapath_write(&at, core->active);
	if (!kind->put(pmu, &at.reg, at.value))
		*cell_of(core, &at.reg) = at.value;
	at.running = enabled_counters(core);
	REACH(&at, core->active, written);
	/* What a healthy counter holds does not let it run. */
	if (core->active || !(kind->cells >> at.reg.kind & 1))
		core_update_running(core);
	return ACCESS_DONE;
}

/* Sets the value that RDPMC reads.  False: there is none. */
static bool find_rdpmc(struct core_pmu *core, struct point *at)
{
	const struct core_kind *kind = core->kind;
	int ctr = at->index < core->count ? (int)at->index : -1;

	if (kind->indexed)
		ctr = kind->indexed(core, at->index);
	if (ctr < 0)
		return kind->reads_other && kind->reads_other(core, at->index, &at->value);
	at->value = core->counter[ctr].value & (at->fast ? UINT32_MAX : at->mask);
	return true;
}

enum access core_rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value)
{
	struct core_pmu *core = pmu;
	struct point at = core_point(core, NO_COUNTER);

	at.index = index & ~core->kind->fast_bit;
	at.fast = index & core->kind->fast_bit;
	at.cpl = cpl;
	at.access = cpl == 0 || cr4_pce ? ACCESS_DONE : ACCESS_GP;
	if (at.access == ACCESS_DONE && !find_rdpmc(core, &at))
		at.access = ACCESS_GP;
	REACH(&at, core->active, rdpmc);
	*value = at.value;
	return at.access;
}

/* ---- one clock of all counters ---- */

uint64_t core_status(struct core_pmu *core, uint64_t overflowed, uint64_t interrupting)
{
	struct point at = core_point(core, NO_COUNTER);

	at.value = overflowed;
	at.overflowed = interrupting;
	REACH(&at, core->active, status);
	return at.value;
}

/* One line to the local APIC: two counters in one clock are one request. */
unsigned core_requests(struct core_pmu *core, const struct clock *clock, uint64_t interrupting)
{
	struct point at = core_point(core, NO_COUNTER);

	at.clock = clock;
	at.overflowed = interrupting;
	at.requests = interrupting != 0;
	REACH(&at, core->active, requests);
	return at.requests;
}

/* Defects that have no hook there do nothing in a clock. */
uint64_t core_room(const struct core_pmu *core)
{
	uint64_t room = core->in_clocks ? 0 : UINT64_MAX;

	for (uint32_t left = core->running; left; left &= left - 1) {
		const struct counter *c = &core->counter[__builtin_ctz(left)];
		uint64_t before = core->mask - c->value;

		room = before < room ? before : room;
	}
	return room;
}

bool core_has_edges(const struct core_pmu *core)
{
	for (uint32_t left = core->watched; left; left &= left - 1)
		if (core->counter[__builtin_ctz(left)].set.edge)
			return true;
	return false;
}
