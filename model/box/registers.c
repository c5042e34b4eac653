/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of one uncore box, however they are reached. */
#include "box.h"
#include "kernel/lib/string.h"

/* ---- control registers ---- */

/* The value as which the register acts while it holds value: a defect may make them differ. */
static uint64_t acting(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value)
{
	struct point at = uncore_point(u, box, reg.number);

	at.reg = reg;
	at.value = value;
	REACH(&at, uncore_active(box), acts);
	return at.value;
}

/* The part of the event's number that is behind the bit for occupancies. */
static unsigned decode_occupancy(const struct uncore_kind *kind, struct uncore_selection *selection,
				 unsigned code, uint64_t ctl)
{
	unsigned bit = (unsigned)kind->field[CTL_OCCUPANCY];

	selection->occupancy = true;
	selection->companion = uncore_get(kind, CTL_EVENT, ctl) & ~bit;
	selection->companion_inverted = uncore_get(kind, CTL_INVERT, ctl);
	return code & ~bit;
}

static struct uncore_selection select(const struct uncore_kind *kind, unsigned ctr, uint64_t ctl)
{
	unsigned code = uncore_get(kind, CTL_EVENT, ctl) |
			(uncore_get(kind, CTL_EXTENSION, ctl) ? EV_EXT : 0);
	struct uncore_selection selection = {
		.umask = uncore_get(kind, CTL_UMASK, ctl),
		.thread = uncore_get(kind, CTL_THREAD, ctl),
	};
	const struct uncore_event *event;

	selection.ctl = ctl;
	if (kind->instance_bit) {
		selection.instance = (uint8_t)(code >> kind->instance_bit);
		code &= (1u << kind->instance_bit) - 1;
	}
	if (code & kind->field[CTL_OCCUPANCY])
		code = decode_occupancy(kind, &selection, code, ctl);
	event = ctr == UNCORE_FIXED ? &uncore_clock_event : uncore_find_event(kind, code);
	if (event && event->counters >> ctr & 1)
		selection.event = event;
	return selection;
}

static void compare(const struct uncore_kind *kind, struct counter *c, uint64_t ctl, bool occupancy)
{
	static const struct comparison comparison = {.more = false, .edge_alone = false};
	unsigned threshold = uncore_get(kind, CTL_THRESHOLD, ctl);

	setting_compare(&c->set, &comparison, threshold, threshold,
			uncore_get(kind, occupancy ? CTL_OCCUPANCY_INVERT : CTL_INVERT, ctl),
			uncore_get(kind, occupancy ? CTL_OCCUPANCY_EDGE : CTL_EDGE, ctl));
}

/* Without an enable bit any event does it. */
static bool is_enabled(const struct uncore_kind *kind, bool fixed, uint64_t ctl)
{
	const enum uncore_field enable = fixed ? FIXED_ENABLE : CTL_ENABLE;

	return uncore_get(kind, fixed || kind->field[enable] ? enable : CTL_EVENT, ctl);
}

static void decode_control(struct uncore *u, struct uncore_box *box, unsigned ctr)
{
	const struct uncore_kind *kind = box->kind;
	struct counter *c = &box->counter[ctr];
	uint64_t ctl = acting(u, box, (struct reg_id){UNCORE_CTL, ctr, false}, c->control);
	bool fixed = ctr == UNCORE_FIXED;
	struct point at = uncore_point(u, box, ctr);

	box->selection[ctr] = select(kind, ctr, ctl);
	c->set = (struct setting){.enable = is_enabled(kind, fixed, ctl)};
	compare(kind, c, fixed ? 0 : ctl, box->selection[ctr].occupancy);
	REACH(&at, uncore_active(box), setting);
	box->enabled = (box->enabled & ~BIT(ctr)) | (c->set.enable ? BIT(ctr) : 0);
}

/* The edge detector starts anew with each write. */
static void write_control(struct uncore *u, struct uncore_box *box, unsigned ctr, uint64_t ctl)
{
	struct counter *c = &box->counter[ctr];

	if (uncore_get(box->kind, ctr == UNCORE_FIXED ? FIXED_RESET : CTL_RESET, ctl))
		c->value = 0;
	c->control = ctl & uncore_held(box->kind, (struct reg_id){UNCORE_CTL, ctr, false});
	c->condition = false;
	decode_control(u, box, ctr);
}

void uncore_clear_by(struct uncore *u, struct uncore_box *box, uint64_t value)
{
	for (unsigned i = 0; i < box->kind->counters; i++) {
		if (uncore_get(box->kind, GATE_RESET_CONTROLS, value))
			write_control(u, box, i, 0);
		if (uncore_get(box->kind, GATE_RESET_COUNTERS, value))
			box->counter[i].value = 0;
	}
}

static void write_box_ctl(struct uncore *u, struct uncore_box *box, uint64_t value)
{
	const struct uncore_kind *kind = box->kind;
	const struct reg_id reg = {UNCORE_BOX_CTL, 0, false};
	uint64_t ignored = uncore_varies(u, UNCORE_ALLOWED) ? kind->field[GATE_IGNORED] : 0;
	uint64_t freezes = kind->field[GATE_FREEZE] | kind->field[GATE_FREEZE_ENABLE];

	uncore_clear_by(u, box, value);
	box->box_ctl_written = value;
	box->box_ctl = value & uncore_held(kind, reg);
	box->acting_box_ctl = acting(u, box, reg, box->box_ctl);
	box->allowed = uncore_allowed(kind, box->acting_box_ctl);
	box->frozen = freezes && (box->acting_box_ctl & freezes) == freezes &&
		      (value & ignored) == ignored;
}

static void write_filter(struct uncore *u, struct uncore_box *box, unsigned i, uint32_t value)
{
	box->filter[i] = value;
	box->acting_filter[i] =
		(uint32_t)acting(u, box, (struct reg_id){UNCORE_FILTER, i, false}, value);
}

/* ---- all registers ---- */

enum { COUNTER_FULL = 48 }; /* bit of a counter that stops at its largest value */

bool uncore_advances(const struct uncore_box *box, struct reg_id reg)
{
	return reg.kind == UNCORE_CTR && box->counter[reg.number].set.enable;
}

static uint64_t value_of(const struct uncore_box *box, struct reg_id reg)
{
	switch (reg.kind) {
	case UNCORE_CTR:
		return box->counter[reg.number].value |
		       (box->full >> reg.number & 1 ? BIT(COUNTER_FULL) : 0);
	case UNCORE_CTL:
		return box->counter[reg.number].control;
	case UNCORE_FILTER:
		return box->filter[reg.number];
	case UNCORE_STATUS:
	case UNCORE_OVERFLOWS:
		return box->status;
	case UNCORE_CLEAR:
		return 0;
	default:
		return box->box_ctl;
	}
}

/* The register that answers, at the present. */
static struct point reach(struct uncore *u, struct uncore_box *box, struct reg_id reg)
{
	struct point at = uncore_point(u, box, reg.number);

	uncore_drain(u);
	at.reg = reg;
	REACH(&at, uncore_active(box), address);
	at.ctr = at.reg.number;
	uncore_advance(u, at.box);
	return at;
}

uint64_t uncore_read(struct uncore *u, struct uncore_box *box, struct reg_id reg)
{
	struct point at;

	if (reg.kind == UNCORE_METER)
		return uncore_read_meter(u, box, reg.number);
	at = reach(u, box, reg);

	at.value = value_of(at.box, at.reg);
	REACH(&at, uncore_active(box), shown);
	return at.value;
}

static void put(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value)
{
	box->learnt = 0;
	switch (reg.kind) {
	case UNCORE_CTR:
		box->counter[reg.number].value = value;
		box->full &= ~(uint32_t)BIT(reg.number);
		break;
	case UNCORE_CTL:
		write_control(u, box, reg.number, value);
		break;
	case UNCORE_FILTER:
		write_filter(u, box, reg.number, (uint32_t)value);
		break;
	case UNCORE_OVERFLOWS:
	case UNCORE_CLEAR:
		box->status &= ~value;
		break;
	default:
		write_box_ctl(u, box, value);
		break;
	}
}

/* Which counters run, for a defect that looks at it. */
static uint64_t running(struct uncore *u, struct uncore_box *box)
{
	const struct defect *defect = box->active.defect;

	return defect && defect->written ? uncore_running(u, box) : 0;
}

static bool is_lost(const struct uncore *u, const struct uncore_box *box, struct reg_id reg)
{
	return reg.kind == UNCORE_CTR &&
	       (box->kind->read_only ||
		(box->kind->sleeps && !uncore_varies(u, UNCORE_AWAKE) && !box->enabled));
}

void uncore_write(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value,
		  bool high_half)
{
	const struct active *active = uncore_active(box);
	struct point at = reach(u, box, reg);

	box = at.box;
	at.old = value_of(box, at.reg);
	at.value = value & uncore_writable(box->kind, at.reg);
	at.high_half = high_half;
	at.running = running(u, box);
	if (is_lost(u, box, at.reg))
		return;
	REACH(&at, active, kept);
	if (at.reg.kind == UNCORE_CTR)
		datapath_write(&at, active);
	put(u, box, at.reg, at.value);
	at.running = running(u, box);
	REACH(&at, active, written);
	uncore_update_watching(u, box);
}

void uncore_write_dword(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint32_t dword,
			bool high_half)
{
	uint64_t value = dword;

	if (high_half)
		value = value << 32 | (uint32_t)uncore_read(u, box, reg);
	else if (reg.kind == UNCORE_CTR || reg.kind == UNCORE_CTL)
		value |= uncore_read(u, box, reg) & FIELD(63, 32);
	uncore_write(u, box, reg, value, high_half);
}

void uncore_box_reset(struct uncore *u, struct uncore_box *box, unsigned socket, unsigned place)
{
	*box = (struct uncore_box){.socket = socket, .place = place};
	box->kind = uncore_kind_at(u->part, place, &box->number);
	if (u->defect && uncore_concerns(u->defect, box->kind, place, box->number))
		box->active = active_of(u->defect, box->memory, NULL);
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		decode_control(u, box, i);
	for (unsigned i = 0; i < UNCORE_FILTERS; i++)
		write_filter(u, box, i, 0);
	write_box_ctl(u, box, box->kind->field[GATE_LISTENS] | box->kind->field[GATE_TELLS]);
}
