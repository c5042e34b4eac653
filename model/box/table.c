/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of discovery: a first entry of it all, and one for each box. */
#include "box.h"

enum { QUADS = 3, ENTRY = QUADS * sizeof(uint64_t) };

/* Where the registers of a kind begin. */
static unsigned first_of(const struct uncore_kind *kind, enum uncore_register reg)
{
	const struct uncore_place *row = kind->registers;

	while (row->count && (row->kind != reg || row->number))
		row++;
	return row->first;
}

/* If each is there twice, and behind them an entry that is empty. */
static unsigned units_of(const struct uncore *u)
{
	return u->twice ? 2 * u->boxes + 1 : u->boxes;
}

static uint64_t global_quad(const struct uncore *u, unsigned quad)
{
	return quad == 0   ? (uint64_t)units_of(u) << 16 | QUADS << 8
	       : quad == 1 ? u->part->window.table
			   : 0;
}

/* Counters, controls' offset, width, counters' offset, status's; the box control; type and id. */
static uint64_t unit_quad(const struct uncore *u, unsigned place, unsigned quad)
{
	unsigned number = 0;
	const struct uncore_kind *kind = uncore_kind_at(u->part, place, &number);

	switch (quad) {
	case 0:
		return kind->counters | first_of(kind, UNCORE_CTL) << 8 |
		       (unsigned)kind->width << 16 | (uint64_t)first_of(kind, UNCORE_CTR) << 24 |
		       UINT64_C(1) << 32;
	case 1:
		return kind->msr + number * kind->msrs_apart;
	default:
		return kind->unit | number << 16;
	}
}

uint32_t uncore_table_dword(const struct uncore *u, uint64_t offset)
{
	const unsigned entry = (unsigned)(offset / ENTRY),
		       quad = (unsigned)(offset % ENTRY / sizeof(uint64_t));
	const uint64_t value = !entry                 ? global_quad(u, quad)
			       : entry > units_of(u)  ? 0
			       : entry > 2 * u->boxes ? UINT64_MAX
						      : unit_quad(u, (entry - 1) % u->boxes, quad);

	return (uint32_t)(value >> (offset & 4 ? 32 : 0));
}
