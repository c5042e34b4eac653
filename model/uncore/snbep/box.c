/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of one uncore box, however they are reached. */
#include <stddef.h>

#include "hooks.h"
#include "kernel/lib/string.h"

/* ---- control registers ---- */

/* The event that the counter has, or NULL. */
static const struct uncore_event *event_of(const struct uncore *u, const struct uncore_box *box,
					   const struct uncore_setting *set, unsigned code)
{
	const struct uncore_event *event = uncore_find_event(box->traits, code);
	bool has = event && event->counters >> set->counter & 1;

	if (event && u->hooks->has_event)
		has = u->hooks->has_event(box, set, event, has);
	return has ? event : NULL;
}

static void decode_occupancy(struct uncore_setting *set, uint32_t ctl)
{
	set->occupancy = true;
	set->companion = ctl & CTL_EV_SEL & ~EV_SEL_OCCUPANCY;
	set->occ_sel = (uint8_t)field_get(CTL_OCC_SEL, ctl);
	set->occ_invert = ctl & CTL_OCC_INVERT;
	set->occ_edge = ctl & CTL_OCC_EDGE_DET;
}

static void decode_control(const struct uncore *u, struct uncore_box *box, unsigned i)
{
	uint32_t ctl = box->ctl[i];
	unsigned code = (unsigned)field_get(CTL_EV_SEL, ctl) | (ctl & CTL_EV_SEL_EXT ? EV_EXT : 0);
	struct uncore_setting set = {
		.counter = i,
		.umask = (uint8_t)field_get(CTL_UMASK, ctl),
		.threshold = (uint8_t)field_get(box->traits->thresh, ctl),
		.en = ctl & CTL_EN,
		.invert = ctl & CTL_INVERT,
		.edge = ctl & CTL_EDGE_DET,
		.tid_en = ctl & CTL_TID_EN,
	};

	if (box->traits->kind == UNCORE_PCU && code & EV_SEL_OCCUPANCY) {
		decode_occupancy(&set, ctl);
		code &= ~EV_SEL_OCCUPANCY;
	}
	set.event = event_of(u, box, &set, code);
	if (u->hooks->setting)
		u->hooks->setting(box, &set);
	box->set[i] = set;
}

/* The edge detector starts anew with each write. */
static void write_control(const struct uncore *u, struct uncore_box *box, unsigned i, uint32_t ctl)
{
	if (ctl & CTL_RST)
		box->ctr[i] = 0;
	box->ctl[i] = ctl & ~(uint32_t)CTL_RST;
	box->condition[i] = false;
	decode_control(u, box, i);
}

static void write_box_ctl(const struct uncore *u, struct uncore_box *box, uint32_t value)
{
	if (box->traits->box_resets && value & BOX_CTL_RST_CTRL)
		for (unsigned i = 0; i < box->traits->counters; i++)
			write_control(u, box, i, 0);
	if (box->traits->box_resets && value & BOX_CTL_RST_CTRS)
		memset(box->ctr, 0, sizeof(box->ctr));
	box->box_ctl = value & (uint32_t)(BOX_CTL_FRZ | BOX_CTL_FRZ_EN);
}

static void write_fixed_ctl(struct uncore_box *box, uint32_t value)
{
	if (value & FIXED_CTL_RST)
		box->fixed = 0;
	box->fixed_ctl = value & (uint32_t)FIXED_CTL_EN;
}

/* ---- all registers ---- */

bool uncore_has(const struct uncore_reg *reg)
{
	const struct uncore_traits *traits = reg->box->traits;

	switch (reg->kind) {
	case UNCORE_CTR:
	case UNCORE_CTL:
		return reg->number < traits->counters;
	case UNCORE_FILTER:
		return reg->number < UNCORE_FILTERS && traits->filter_bits[reg->number];
	case UNCORE_BOX_CTL:
		return !reg->number && traits->box_ctl;
	case UNCORE_FIXED_CTL:
	case UNCORE_FIXED_CTR:
		return !reg->number && traits->fixed;
	}
	return false;
}

bool uncore_advances(const struct uncore_reg *reg)
{
	switch (reg->kind) {
	case UNCORE_CTR:
		return reg->box->set[reg->number].en;
	case UNCORE_FIXED_CTR:
		return reg->box->fixed_ctl & FIXED_CTL_EN;
	default:
		return false;
	}
}

uint64_t uncore_writable(const struct uncore_reg *reg)
{
	const struct uncore_traits *traits = reg->box->traits;

	switch (reg->kind) {
	case UNCORE_CTR:
		return uncore_counter_mask(reg->box);
	case UNCORE_CTL:
		return traits->ctl_bits;
	case UNCORE_FILTER:
		return traits->filter_bits[reg->number];
	case UNCORE_BOX_CTL:
		return BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS | BOX_CTL_FRZ | BOX_CTL_FRZ_EN;
	case UNCORE_FIXED_CTL:
		return traits->fixed_ctl_bits;
	case UNCORE_FIXED_CTR:
		return FIELD(47, 0);
	}
	return 0;
}

static uint64_t value_of(const struct uncore_reg *reg)
{
	const struct uncore_box *box = reg->box;

	switch (reg->kind) {
	case UNCORE_CTR:
		return box->ctr[reg->number];
	case UNCORE_CTL:
		return box->ctl[reg->number];
	case UNCORE_FILTER:
		return box->filter[reg->number];
	case UNCORE_BOX_CTL:
		return box->box_ctl;
	case UNCORE_FIXED_CTL:
		return box->fixed_ctl;
	case UNCORE_FIXED_CTR:
		return box->fixed;
	}
	return 0;
}

uint64_t uncore_read(struct uncore *u, struct uncore_reg reg)
{
	uint64_t value;

	uncore_drain(u);
	if (u->hooks->address)
		u->hooks->address(u, &reg);
	uncore_advance(u, reg.box);
	value = value_of(&reg);
	return u->hooks->shown ? u->hooks->shown(u, &reg, value) : value;
}

static void write_value(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	struct uncore_box *box = reg->box;

	switch (reg->kind) {
	case UNCORE_CTR:
		box->ctr[reg->number] = value;
		break;
	case UNCORE_CTL:
		write_control(u, box, reg->number, (uint32_t)value);
		break;
	case UNCORE_FILTER:
		box->filter[reg->number] = (uint32_t)value;
		break;
	case UNCORE_BOX_CTL:
		write_box_ctl(u, box, (uint32_t)value);
		break;
	case UNCORE_FIXED_CTL:
		write_fixed_ctl(box, (uint32_t)value);
		break;
	case UNCORE_FIXED_CTR:
		box->fixed = value;
		break;
	}
}

void uncore_write(struct uncore *u, struct uncore_reg reg, uint64_t value)
{
	uncore_drain(u);
	if (u->hooks->address)
		u->hooks->address(u, &reg);
	uncore_advance(u, reg.box);
	value &= uncore_writable(&reg);
	if (u->hooks->keep)
		value = u->hooks->keep(u, &reg, value);
	write_value(u, &reg, value);
	if (u->hooks->written)
		u->hooks->written(u, &reg, value);
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
	for (unsigned i = 0; i < box->traits->counters; i++)
		decode_control(u, box, i);
}
