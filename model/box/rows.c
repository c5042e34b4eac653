/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a part: finds boxes, events, registers and fields in them. */
#include "box.h"

/* ---- boxes ---- */

const struct uncore_kind *uncore_kind_at(const struct uncore_part *part, unsigned place,
					 unsigned *number)
{
	for (const struct uncore_kind *kind = part->kinds; kind->boxes; kind++) {
		*number = place;
		if (place < kind->boxes)
			return kind;
		place -= kind->boxes;
	}
	return NULL;
}

/* ---- events ---- */

const struct uncore_event uncore_clock_event = {.counters = BIT(UNCORE_FIXED),
						.counting = COUNTS_CLOCK};

const struct uncore_event *uncore_find_event(const struct uncore_kind *kind, unsigned code)
{
	for (const struct uncore_event *event = kind->events; event->counters; event++)
		if (event->code == code)
			return event;
	return NULL;
}

/* ---- registers ---- */

bool uncore_has(const struct uncore_kind *kind, struct reg_id reg)
{
	switch (reg.kind) {
	case UNCORE_FILTER:
		return reg.number < UNCORE_FILTERS && kind->filter[reg.number];
	case UNCORE_BOX_CTL:
		return !reg.number && (kind->field[GATE_FREEZE] || kind->field[GATE_ENABLES]);
	case UNCORE_STATUS:
	case UNCORE_OVERFLOWS:
	case UNCORE_CLEAR:
		return !reg.number && kind->field[STATUS_OVERFLOWS];
	case UNCORE_METER:
		return kind->meters && reg.number < UNCORE_METERS;
	default:
		return reg.number == UNCORE_FIXED ? kind->field[FIXED_ENABLE] != 0
						  : reg.number < kind->counters;
	}
}

bool uncore_find(const struct uncore_kind *kind, const struct uncore_place *rows, unsigned offset,
		 struct reg_id *reg)
{
	for (const struct uncore_place *row = rows; row->count; row++)
		if (offset >= row->first &&
		    offset < row->first + (unsigned)row->stride * row->count &&
		    (!kind->by_turns || (offset - row->first) % row->stride == 0)) {
			*reg = (struct reg_id){.kind = row->kind,
					       .number = row->number +
							 (offset - row->first) / row->stride};
			return uncore_has(kind, *reg);
		}
	return false;
}

bool uncore_is_high(const struct uncore_place *rows, unsigned offset)
{
	for (const struct uncore_place *row = rows; row->count; row++)
		if (offset >= row->first &&
		    offset < row->first + (unsigned)row->stride * row->count)
			return (offset - row->first) % row->stride >= sizeof(uint32_t);
	return false;
}

static enum uncore_register register_of(enum uncore_field field)
{
	return field <= FIXED_RESET       ? UNCORE_CTL
	       : field <= GATE_IGNORED    ? UNCORE_BOX_CTL
	       : field < STATUS_OVERFLOWS ? UNCORE_FILTER
					  : UNCORE_CLEAR;
}

uint64_t uncore_field_in(const struct uncore_kind *kind, enum uncore_field field, struct reg_id reg)
{
	bool fixed = field >= FIXED_ENABLE && field <= FIXED_RESET;

	if (register_of(field) != reg.kind)
		return 0;
	switch (reg.kind) {
	case UNCORE_CTL:
		return fixed == (reg.number == UNCORE_FIXED) ? kind->field[field] : 0;
	case UNCORE_FILTER:
		return reg.number < 2 ? kind->field[field] >> 32 * reg.number & FIELD(31, 0) : 0;
	default:
		return kind->field[field];
	}
}

uint64_t uncore_fields_in(const struct uncore_kind *kind, struct reg_id reg,
			  enum uncore_field first, enum uncore_field end)
{
	uint64_t bits = 0;

	for (unsigned field = first; field < end; field++)
		bits |= uncore_field_in(kind, field, reg);
	return bits;
}

uint64_t uncore_writable(const struct uncore_kind *kind, struct reg_id reg)
{
	switch (reg.kind) {
	case UNCORE_CTR:
		return uncore_mask(kind, reg.number);
	case UNCORE_FILTER:
		return kind->filter[reg.number];
	case UNCORE_METER:
		return ~UINT64_C(0);
	case UNCORE_OVERFLOWS:
		return kind->field[STATUS_OVERFLOWS] | kind->field[STATUS_FIXED];
	default:
		return uncore_fields_in(kind, reg, CTL_EVENT, UNCORE_FIELDS);
	}
}

uint64_t uncore_held(const struct uncore_kind *kind, struct reg_id reg)
{
	return uncore_writable(kind, reg) &
	       ~(uncore_field_in(kind, CTL_RESET, reg) | uncore_field_in(kind, FIXED_RESET, reg) |
		 uncore_fields_in(kind, reg, GATE_RESET_CONTROLS, FILTER_THREAD));
}

/* The fixed counter's bit is behind those of the others. */
uint64_t uncore_allowed(const struct uncore_kind *kind, uint64_t value)
{
	uint64_t bits = uncore_gather(kind->field[GATE_ENABLES], value);

	if (!kind->field[GATE_ENABLES])
		return UINT64_MAX;
	return (bits & (BIT(kind->counters) - 1)) | (bits >> kind->counters & 1) << UNCORE_FIXED;
}

/* ---- defects ---- */

/* Has the register all that the defect is about? */
static bool is_about(const struct defect *defect, const struct uncore_kind *kind, struct reg_id reg)
{
	uint64_t bits = defect->twist.clear | defect->twist.set | defect->twist.flip;
	uint64_t registers = defect->registers ? defect->registers : BIT(UNCORE_CTR);

	if (!uncore_has(kind, reg) || !(registers >> reg.kind & 1) ||
	    (defect->counters && !(defect->counters >> reg.number & 1)))
		return false;
	return !defect->registers || !bits || uncore_writable(kind, reg) & bits;
}

static bool is_about_any(const struct defect *defect, const struct uncore_kind *kind)
{
	for (unsigned reg = UNCORE_CTR; reg <= UNCORE_CLEAR; reg++)
		for (unsigned number = 0; number < UNCORE_ALL_COUNTERS; number++)
			if (is_about(defect, kind, (struct reg_id){reg, number, false}))
				return true;
	return false;
}

bool uncore_concerns(const struct defect *defect, const struct uncore_kind *kind, unsigned place,
		     unsigned number)
{
	if ((defect->roles && !(defect->roles >> kind->role & 1)) ||
	    (defect->box && defect->box - 1 != number) ||
	    (defect->place && defect->place - 1 != place))
		return false;
	if ((defect->field && !kind->field[defect->field]) ||
	    (defect->event && !uncore_find_event(kind, defect->event)))
		return false;
	return is_about_any(defect, kind);
}
