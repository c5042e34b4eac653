/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of a box's control registers, by the rows of its kind. */
#include "box.h"

const struct box_event *box_event(const struct box_kind *kind, enum box_event_id event)
{
	for (const struct box_event *row = kind->events; row->name && event; row++)
		if (row->is == event)
			return row;
	return NULL;
}

const struct box_event *box_row(const struct box_kind *kind, const struct box_config *cfg)
{
	return cfg->row ? &kind->events[cfg->row - 1] : box_event(kind, cfg->event);
}

static const struct box_select *select_of(const struct box_kind *kind, const struct box_event *row)
{
	return row->event & kind->select->other_if ? kind->select->other : kind->select;
}

const char *box_lacks(const struct box_kind *kind, const struct box_config *cfg)
{
	const struct box_event *row = box_row(kind, cfg);
	const struct box_select *select;
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;

	if (!row)
		return "boxes of this kind have no such event";
	select = select_of(kind, row);
	if (row->below && (cfg->at_least || cfg->below || cfg->edge))
		return "the event itself takes the threshold";
	if (cfg->below && !select->invert)
		return "boxes of this kind cannot invert a threshold";
	if (cfg->thread && !select->thread)
		return "boxes of this kind do not filter by thread";
	if (cfg->interrupts && !select->interrupt)
		return "a counter of such a box interrupts nobody";
	if (threshold > box_max_threshold(kind))
		return "threshold too large for its field";
	return NULL;
}

unsigned box_max_threshold(const struct box_kind *kind)
{
	return kind->select->threshold ? (unsigned)field_max(kind->select->threshold) : 0;
}

/* The bits of value, from the lowest one on, in the bits of field. */
static uint64_t spread(uint64_t field, uint64_t value)
{
	const uint64_t lowest = field & -field;
	uint64_t out = 0;

	if (!(field & (field + lowest)))
		return value * lowest & field;
	for (; field; field &= field - 1, value >>= 1)
		if (value & 1)
			out |= field & -field;
	return out;
}

/* The field that says of whom: of all, of none, or of one by its number. */
static uint64_t encode_scope(const struct box_scope *scope, unsigned of)
{
	unsigned bits;

	if (of == NONE_OF_THEM)
		return 0;
	if (of == ALL_OF_THEM)
		return scope->all | scope->mask;
	bits = scope->mask ? bits_in(scope->mask) : 1;
	of -= FIRST_OF_THEM;
	return spread(scope->number, of / bits) | spread(scope->mask, BIT(of % bits));
}

static uint64_t encode_scopes(const struct box_select *select, const struct box_config *cfg)
{
	const struct box_scopes *scopes = select->scopes;

	if (!scopes)
		return 0;
	return encode_scope(&scopes->slices, cfg->slice) |
	       encode_scope(&scopes->threads, cfg->thread_of) |
	       (cfg->interrupts ? scopes->one_core | field_put(scopes->core, cfg->interrupts - 1u)
				: 0);
}

uint64_t box_encode(const struct box_kind *kind, const struct box_config *cfg)
{
	const struct box_event *row = box_row(kind, cfg);
	const char *lacks = box_lacks(kind, cfg);
	const struct box_select *select;

	if (lacks)
		panic("%s: %s", kind->name, lacks);
	select = select_of(kind, row);
	return select->enable | (row->below ? select->invert : 0) |
	       spread(select->threshold, row->below) | (cfg->interrupts ? select->interrupt : 0) |
	       encode_scopes(select, cfg) |
	       spread(select->event, row->event | (uint32_t)cfg->instance << kind->instance_bit) |
	       spread(select->unit_mask, cfg->bit ? BIT(cfg->bit - 1) : row->unit_mask) |
	       spread(select->threshold, cfg->below ? cfg->below : cfg->at_least) |
	       (cfg->below ? select->invert : 0) | (cfg->edge ? select->edge : 0) |
	       (cfg->thread ? select->thread : 0);
}

#define NODES     8u
#define NODE_BITS 3u

int box_socket(uint32_t node, uint32_t map)
{
	for (unsigned i = 0; i < NODES; i++)
		if (field_get(BOX_NODE, map >> (NODE_BITS * i)) == field_get(BOX_NODE, node))
			return (int)i;
	return -1;
}
