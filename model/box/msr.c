/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes behind MSRs, all of the socket that the program runs on, and the part's other MSRs. */
#include "box.h"

#define BITS_READ FIELD(47, 0) /* by RDPMC */

/* Finds an MSR of no box; its number among these is that of its state. */
static const struct uncore_msr *find_plain(const struct uncore_part *part, uint32_t msr)
{
	for (const struct uncore_msr *row = part->msrs; row->msr; row++)
		if (row->msr == msr)
			return row;
	return NULL;
}

/* All boxes of the core's socket. */
static void advance_all(struct uncore *u)
{
	uncore_drain(u);
	for (unsigned place = 0; place < u->boxes; place++)
		uncore_advance(u, &u->box[u->home][place]);
}

static bool is_status(const struct uncore_part *part, uint32_t msr)
{
	return msr - part->global_status < part->global_statuses;
}

/* From the first of its MSRs on; UINT32_MAX: it is none of them. */
static uint32_t offset_of(const struct uncore_kind *kind, uint32_t msr)
{
	if (!kind->msr || msr < kind->msr)
		return UINT32_MAX;
	return uncore_without_gap(kind, msr - kind->msr, kind->msrs_apart, kind->gap);
}

/* The register of a box, by the place of the box. */
static bool find_register(const struct uncore_part *part, uint32_t msr, struct reg_id *reg,
			  unsigned *place)
{
	unsigned first = 0;

	for (const struct uncore_kind *kind = part->kinds; kind->boxes; kind++) {
		const uint32_t offset = offset_of(kind, msr);

		if (offset < (uint32_t)kind->boxes * kind->msrs_apart &&
		    uncore_find(kind, kind->registers, offset % kind->msrs_apart, reg)) {
			*place = first + offset / kind->msrs_apart;
			return true;
		}
		first += kind->boxes;
	}
	return false;
}

/* Of a box that there is, or that other parts of the kind have. */
static bool is_listed(const struct uncore_kind *kind, uint32_t msr)
{
	const uint32_t offset = offset_of(kind, msr),
		       boxes = kind->listed ? kind->listed : kind->boxes;
	struct reg_id reg;

	return offset < boxes * kind->msrs_apart &&
	       uncore_find(kind, kind->registers, offset % kind->msrs_apart, &reg);
}

bool uncore_is_msr(const void *of, uint32_t msr)
{
	const struct uncore_part *part = of;

	for (const struct uncore_kind *kind = part->kinds; kind->boxes; kind++)
		if (is_listed(kind, msr))
			return true;
	return find_plain(part, msr) || uncore_is_meter(part, msr);
}

static bool is_in_range(const struct uncore_part *part, uint32_t msr)
{
	for (const struct msr_range *range = part->ranges; range->first; range++)
		if (msr >= range->first && msr <= range->last)
			return true;
	return false;
}

/* The register of a box; ACCESS_DONE: there is one. */
static enum access find_box_register(struct uncore *u, uint32_t msr, struct uncore_box **box,
				     struct reg_id *reg)
{
	unsigned place;

	if (!is_in_range(u->part, msr))
		return ACCESS_NOT_MINE;
	if (!find_register(u->part, msr, reg, &place))
		return ACCESS_GP;
	*box = &u->box[u->home][place];
	return ACCESS_DONE;
}

/* Of a box that is not there, where such MSRs do not fault. */
static bool is_hollow(const struct uncore *u, uint32_t msr)
{
	return uncore_varies(u, UNCORE_HOLLOW) && uncore_is_msr(u->part, msr);
}

static enum access read_nothing(uint64_t *value)
{
	*value = 0;
	return ACCESS_DONE;
}

bool uncore_msr_advances(void *uncore, uint32_t msr)
{
	struct uncore_box *box;
	struct reg_id reg;

	if (uncore_find_meter(uncore, msr, &reg.number))
		return true;
	return find_box_register(uncore, msr, &box, &reg) == ACCESS_DONE &&
	       uncore_advances(box, reg);
}

enum access uncore_rdmsr(void *uncore, uint32_t msr, uint64_t *value)
{
	struct uncore *u = uncore;
	const struct uncore_msr *plain = find_plain(u->part, msr);
	struct uncore_box *box;
	struct reg_id reg;
	enum access access;

	if (plain) {
		if (is_status(u->part, msr))
			advance_all(u);
		*value = u->msr[plain - u->part->msrs];
		return ACCESS_DONE;
	}
	box = uncore_find_meter(u, msr, &reg.number);
	if (box) {
		*value = uncore_read_meter(u, box, reg.number);
		return ACCESS_DONE;
	}
	access = find_box_register(u, msr, &box, &reg);
	if (access == ACCESS_DONE)
		*value = uncore_read(u, box, reg);
	else if (is_hollow(u, msr))
		return read_nothing(value);
	return access;
}

/* The counter that RDPMC reads by the index; false: the kind has none. */
static bool find_index(const struct uncore_kind *kind, uint32_t index, struct reg_id *reg)
{
	*reg = (struct reg_id){UNCORE_CTR, UNCORE_COUNTERS, false};
	if (kind->rdpmc && index >= kind->rdpmc && index < kind->rdpmc + (unsigned)UNCORE_FIRST)
		reg->number = index - kind->rdpmc;
	else if (kind->rdpmc_others && index >= kind->rdpmc_others)
		reg->number = index - kind->rdpmc_others + UNCORE_FIRST;
	return reg->number < kind->counters;
}

enum access uncore_rdpmc(void *uncore, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value)
{
	struct uncore *u = uncore;
	struct reg_id reg;

	for (unsigned place = 0; place < u->boxes; place++) {
		struct uncore_box *box = &u->box[u->home][place];
		struct point at = uncore_point(u, box, 0);

		at.index = index;
		at.access = cpl == 0 || cr4_pce ? ACCESS_DONE : ACCESS_GP;
		if (!find_index(box->kind, index, &reg))
			continue;
		at.value = uncore_read(u, box, reg) & BITS_READ;
		REACH(&at, uncore_active(box), rdpmc);
		*value = at.value;
		return at.access;
	}
	return ACCESS_GP;
}

/* With both bits which one wins is not documented. */
static void write_global(struct uncore *u, uint64_t value)
{
	const struct uncore_part *part = u->part;

	advance_all(u);
	u->stopped = part->global_enable && !(value & part->global_enable);
	if (value & part->global_freeze)
		uncore_freeze(u);
	else if (value & part->global_unfreeze)
		uncore_unfreeze(u);
}

static enum access write_plain(struct uncore *u, const struct uncore_msr *plain, uint64_t value)
{
	uint64_t *kept = &u->msr[plain - u->part->msrs];

	if (!plain->writable || value & ~plain->writable)
		return ACCESS_GP;
	if (plain->msr == u->part->global)
		write_global(u, value);
	if (is_status(u->part, plain->msr))
		*kept &= ~value;
	else
		*kept = value & ~(u->part->global_freeze | u->part->global_unfreeze);
	return ACCESS_DONE;
}

/* Box control may take one bit more at a time. */
static bool is_too_much(const struct uncore *u, const struct uncore_box *box, struct reg_id reg,
			uint64_t value)
{
	uint64_t more = value & ~box->box_ctl_written;

	return box->kind->gate_bit_by_bit && !uncore_varies(u, UNCORE_LENIENT) &&
	       reg.kind == UNCORE_BOX_CTL && more & (more - 1);
}

/* Reserved bits are refused, but for those above a counter's width, which are dropped. */
enum access uncore_wrmsr(void *uncore, uint32_t msr, uint64_t value)
{
	struct uncore *u = uncore;
	const struct uncore_msr *plain = find_plain(u->part, msr);
	struct uncore_box *box;
	struct reg_id reg;
	enum access access;

	if (plain)
		return write_plain(u, plain, value);
	access = find_box_register(u, msr, &box, &reg);
	if (access != ACCESS_DONE)
		return is_hollow(u, msr) ? ACCESS_DONE : access;
	if (reg.kind != UNCORE_CTR && !u->part->drops_reserved &&
	    value & ~uncore_writable(box->kind, reg))
		return ACCESS_GP;
	if (is_too_much(u, box, reg, value))
		return ACCESS_GP;
	uncore_write(u, box, reg, value, false);
	return ACCESS_DONE;
}
