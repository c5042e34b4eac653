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
	return uncore_varies(u, UNCORE_TWICE) ? 2 * u->boxes + 1 : u->boxes;
}

static uint64_t global_quad(const struct uncore *u, unsigned quad)
{
	return quad == 0   ? (uint64_t)units_of(u) << 16 | QUADS << 8
	       : quad == 1 ? u->part->window.table
			   : 0;
}

enum { IN_MSRS, IN_MEMORY, IN_FUNCTION, IN_FROM = 62 };

/* Of a box in a function: bus, device and function, register. */
static uint64_t function_of(const struct uncore *u, unsigned socket, const struct uncore_kind *kind,
			    unsigned number)
{
	const struct uncore_function *function = u->part->functions;
	unsigned bus;

	while (function->role != kind->role || function->number != number)
		function++;
	bus = u->part->bus[function->df >> 8] + socket * UNCORE_BUSES_APART;
	return bus << 20 | (function->df & 0xffu) << 12 | first_of(kind, UNCORE_BOX_CTL);
}

static uint64_t space_of(const struct uncore_kind *kind)
{
	return kind->msr ? IN_MSRS : kind->window ? IN_MEMORY : IN_FUNCTION;
}

/* Its box control's. */
static uint64_t address_of(const struct uncore *u, unsigned socket, const struct uncore_kind *kind,
			   unsigned number)
{
	const struct uncore_window *window = &u->part->window;

	switch (space_of(kind)) {
	case IN_MSRS:
		return kind->msr + number * kind->msrs_apart;
	case IN_MEMORY:
		return window->base + socket * window->size + kind->window +
		       number * kind->window_apart;
	default:
		return function_of(u, socket, kind, number);
	}
}

/* Counters, controls' offset, width, counters' offset, status's, space; the box control; type and
 * id.  Offsets are from the box control on. */
static uint64_t unit_quad(const struct uncore *u, unsigned socket, unsigned place, unsigned quad)
{
	unsigned number = 0;
	const struct uncore_kind *kind = uncore_kind_at(u->part, place, &number);
	const unsigned from = first_of(kind, UNCORE_BOX_CTL);

	switch (quad) {
	case 0:
		return kind->counters | (first_of(kind, UNCORE_CTL) - from) << 8 |
		       (unsigned)kind->width << 16 |
		       (uint64_t)(first_of(kind, UNCORE_CTR) - from) << 24 | UINT64_C(1) << 32 |
		       space_of(kind) << IN_FROM;
	case 1:
		return address_of(u, socket, kind, number);
	default:
		return kind->unit | number << 16;
	}
}

uint32_t uncore_table_dword(const struct uncore *u, unsigned socket, uint64_t offset)
{
	const unsigned entry = (unsigned)(offset / ENTRY),
		       quad = (unsigned)(offset % ENTRY / sizeof(uint64_t));
	const uint64_t value = !entry                ? global_quad(u, quad)
			       : entry > units_of(u) ? 0
			       : entry > 2 * u->boxes
				       ? UINT64_MAX
				       : unit_quad(u, socket, (entry - 1) % u->boxes, quad);

	return (uint32_t)(value >> (offset & 4 ? 32 : 0));
}
