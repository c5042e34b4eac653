/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of one uncore box, however they are reached. */
#include "box.h"
#include "kernel/lib/string.h"

/* ---- control registers ---- */

static const struct comparison comparison = {.more = false, .edge_alone = false};

/* What value, which the register holds, acts as. */
static uint32_t acting(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint32_t value)
{
	struct point at = uncore_point(u, box, reg.number);

	at.reg = reg;
	at.value = value;
	REACH(&at, uncore_active(u, box), acts);
	return (uint32_t)at.value;
}

static unsigned decode_occupancy(struct uncore_selection *selection, unsigned code, uint32_t ctl)
{
	selection->occupancy = true;
	selection->companion = ctl & CTL_EV_SEL & ~EV_SEL_OCCUPANCY;
	selection->companion_inverted = ctl & CTL_INVERT;
	selection->occ_sel = (uint8_t)field_get(CTL_OCC_SEL, ctl);
	return code & ~EV_SEL_OCCUPANCY;
}

static struct uncore_selection select(const struct uncore_traits *traits, unsigned ctr,
				      uint32_t ctl)
{
	unsigned code = (unsigned)field_get(CTL_EV_SEL, ctl) | (ctl & CTL_EV_SEL_EXT ? EV_EXT : 0);
	struct uncore_selection selection = {
		.umask = (uint8_t)field_get(CTL_UMASK, ctl),
		.tid_en = ctl & CTL_TID_EN,
	};
	const struct uncore_event *event;

	if (traits->kind == UNCORE_PCU && code & EV_SEL_OCCUPANCY)
		code = decode_occupancy(&selection, code, ctl);
	event = ctr == UNCORE_FIXED ? &uncore_clock_event : uncore_find_event(traits, code);
	if (event && event->counters >> ctr & 1)
		selection.event = event;
	return selection;
}

static void decode_control(struct uncore *u, struct uncore_box *box, unsigned ctr)
{
	const struct uncore_traits *traits = box->traits;
	struct counter *c = &box->counter[ctr];
	uint32_t ctl =
		acting(u, box, (struct reg_id){UNCORE_CTL, ctr, false}, (uint32_t)c->control);
	unsigned threshold = ctr == UNCORE_FIXED ? 0 : (unsigned)field_get(traits->thresh, ctl);
	struct uncore_selection *selection = &box->selection[ctr];
	struct point at = uncore_point(u, box, ctr);

	*selection = select(traits, ctr, ctl);
	c->set = (struct setting){.enable = ctl & CTL_EN};
	setting_compare(&c->set, &comparison, threshold, threshold,
			ctl & (selection->occupancy ? CTL_OCC_INVERT : CTL_INVERT),
			ctl & (selection->occupancy ? CTL_OCC_EDGE_DET : CTL_EDGE_DET));
	REACH(&at, uncore_active(u, box), setting);
}

/* The edge detector starts anew with each write. */
static void write_control(struct uncore *u, struct uncore_box *box, unsigned ctr, uint32_t ctl)
{
	const uint32_t rst = (uint32_t)(ctr == UNCORE_FIXED ? FIXED_CTL_RST : CTL_RST);
	struct counter *c = &box->counter[ctr];

	if (ctl & rst)
		c->value = 0;
	c->control = ctl & ~rst;
	c->condition = false;
	decode_control(u, box, ctr);
}

static void write_box_ctl(struct uncore *u, struct uncore_box *box, uint32_t value)
{
	unsigned counters = box->traits->box_resets ? box->traits->counters : 0;

	for (unsigned i = 0; i < counters; i++) {
		if (value & BOX_CTL_RST_CTRL)
			write_control(u, box, i, 0);
		if (value & BOX_CTL_RST_CTRS)
			box->counter[i].value = 0;
	}
	box->box_ctl = value & (uint32_t)(BOX_CTL_FRZ | BOX_CTL_FRZ_EN);
	box->acting_box_ctl =
		acting(u, box, (struct reg_id){UNCORE_BOX_CTL, 0, false}, box->box_ctl);
}

static void write_filter(struct uncore *u, struct uncore_box *box, unsigned i, uint32_t value)
{
	box->filter[i] = value;
	box->acting_filter[i] = acting(u, box, (struct reg_id){UNCORE_FILTER, i, false}, value);
}

/* ---- all registers ---- */

bool uncore_find(const struct uncore_place *rows, size_t count, unsigned offset, struct reg_id *reg)
{
	for (const struct uncore_place *row = rows; row < rows + count; row++)
		if (offset >= row->first &&
		    offset < row->first + (unsigned)row->stride * row->count) {
			reg->kind = row->kind;
			reg->number = row->number + (offset - row->first) / row->stride;
			return true;
		}
	return false;
}

bool uncore_has(const struct uncore_traits *traits, struct reg_id reg)
{
	switch (reg.kind) {
	case UNCORE_FILTER:
		return reg.number < UNCORE_FILTERS && traits->filter_bits[reg.number];
	case UNCORE_BOX_CTL:
		return !reg.number && traits->box_ctl;
	default:
		return reg.number == UNCORE_FIXED ? traits->fixed : reg.number < traits->counters;
	}
}

bool uncore_advances(const struct uncore_box *box, struct reg_id reg)
{
	return reg.kind == UNCORE_CTR && box->counter[reg.number].set.enable;
}

uint64_t uncore_writable(const struct uncore_traits *traits, struct reg_id reg)
{
	bool fixed = reg.number == UNCORE_FIXED;

	switch (reg.kind) {
	case UNCORE_CTR:
		return uncore_mask(traits, reg.number);
	case UNCORE_CTL:
		return fixed ? traits->fixed_ctl_bits : traits->ctl_bits;
	case UNCORE_FILTER:
		return traits->filter_bits[reg.number];
	default:
		return BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS | BOX_CTL_FRZ | BOX_CTL_FRZ_EN;
	}
}

static uint64_t value_of(const struct uncore_box *box, struct reg_id reg)
{
	switch (reg.kind) {
	case UNCORE_CTR:
		return box->counter[reg.number].value;
	case UNCORE_CTL:
		return box->counter[reg.number].control;
	case UNCORE_FILTER:
		return box->filter[reg.number];
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
	REACH(&at, uncore_active(u, box), address);
	at.ctr = at.reg.number;
	uncore_advance(u, at.box);
	return at;
}

uint64_t uncore_read(struct uncore *u, struct uncore_box *box, struct reg_id reg)
{
	struct point at = reach(u, box, reg);

	at.value = value_of(at.box, at.reg);
	REACH(&at, uncore_active(u, box), shown);
	return at.value;
}

static void put(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value)
{
	switch (reg.kind) {
	case UNCORE_CTR:
		box->counter[reg.number].value = value;
		break;
	case UNCORE_CTL:
		write_control(u, box, reg.number, (uint32_t)value);
		break;
	case UNCORE_FILTER:
		write_filter(u, box, reg.number, (uint32_t)value);
		break;
	default:
		write_box_ctl(u, box, (uint32_t)value);
		break;
	}
}

void uncore_write(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value,
		  bool high_half)
{
	const struct active *active = uncore_active(u, box);
	struct point at = reach(u, box, reg);

	box = at.box;
	at.old = value_of(box, at.reg);
	at.value = value & uncore_writable(box->traits, at.reg);
	at.high_half = high_half;
	at.running = uncore_running(u, box);
	REACH(&at, active, kept);
	if (at.reg.kind == UNCORE_CTR)
		datapath_write(&at, active);
	put(u, box, at.reg, at.value);
	at.running = uncore_running(u, box);
	REACH(&at, active, written);
	uncore_update_watching(u);
}

const struct uncore_traits *uncore_traits_of(unsigned number)
{
	static const enum uncore_kind kinds[UNCORE_BOXES] = {
		[BOX_UBOX] = UNCORE_UBOX,   [BOX_PCU] = UNCORE_PCU,
		[BOX_HA] = UNCORE_HA,       [BOX_IMC] = UNCORE_IMC,
		[BOX_IMC + 1] = UNCORE_IMC, [BOX_IMC + 2] = UNCORE_IMC,
		[BOX_IMC + 3] = UNCORE_IMC, [BOX_QPI] = UNCORE_QPI,
		[BOX_QPI + 1] = UNCORE_QPI, [BOX_R2PCIE] = UNCORE_R2PCIE,
		[BOX_R3QPI] = UNCORE_R3QPI, [BOX_R3QPI + 1] = UNCORE_R3QPI,
	};

	_Static_assert(UNCORE_CBO == 0, "all others are CBos");
	return &uncore_traits[kinds[number]];
}

void uncore_box_reset(struct uncore *u, struct uncore_box *box, unsigned socket, unsigned number)
{
	*box = (struct uncore_box){
		.traits = uncore_traits_of(number), .socket = socket, .number = number};
	if (u->defect)
		box->active = active_of(u->defect, box->memory, NULL);
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		decode_control(u, box, i);
	for (unsigned i = 0; i < UNCORE_FILTERS; i++)
		write_filter(u, box, i, 0);
	write_box_ctl(u, box, 0);
}
