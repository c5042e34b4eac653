/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore's buses in PCI configuration space: the functions with counters, and their kin. */
#include "box.h"

enum { CONFIG_ID = 0x00, CONFIG_CLASS = 0x08, CONFIG_HEADER = 0x0c, CONFIG_BAR_0 = 0x10 };
enum { VENDOR_INTEL = 0x8086 };

#define CLASS_SYSTEM   (uint32_t)0x08800000
#define MULTI_FUNCTION (uint32_t)0x00800000
#define NOTHING_THERE  UINT32_C(0xffffffff)

/* ---- where an access goes ---- */

/* A function of a part: bus << 8 | device << 3 | function. */
static const struct uncore_function *find_function(const struct uncore_part *part, unsigned df)
{
	for (const struct uncore_function *function = part->functions; function->id; function++)
		if (function->df == df)
			return function;
	return NULL;
}

/* 0: there is no such function. */
static uint16_t id_of(const struct uncore_part *part, unsigned df)
{
	const struct uncore_function *function = find_function(part, df);

	if (function)
		return function->id;
	for (const uint32_t *other = part->others; *other; other++)
		if (*other >> 16 == df)
			return (uint16_t)*other;
	return 0;
}

/* Has the device that function? */
static bool has_device(const struct uncore_part *part, unsigned df)
{
	for (unsigned function = 0; function < 8; function++)
		if (id_of(part, (df & ~7u) | function))
			return true;
	return false;
}

/* The socket that has the function there, and which of the part's it is; or -1. */
static int socket_of(const struct uncore *u, const struct pci_access *access, unsigned *df)
{
	const struct uncore_part *part = u->part;

	for (unsigned i = 0; part->functions && i < part->buses; i++)
		for (unsigned socket = 0; socket < u->sockets; socket++) {
			*df = i << 8 | access->df;
			if (access->bus == part->bus[i] + socket * UNCORE_BUSES_APART &&
			    (part->bus[i] || has_device(part, *df)))
				return (int)socket;
		}
	return -1;
}

/* Bus 0 is the machine's own.  Where any part has a bus no other part may. */
bool uncore_is_bus(const void *part, unsigned bus)
{
	static const uint8_t buses[] = {0x3f, 0x17, 0x2d};

	for (unsigned i = 0; ((const struct uncore_part *)part)->functions && i < ARRAY_SIZE(buses);
	     i++)
		for (unsigned socket = 0; socket < UNCORE_SOCKETS; socket++)
			if (bus == buses[i] + socket * UNCORE_BUSES_APART)
				return true;
	return false;
}

bool uncore_is_function(const void *of, uint8_t df)
{
	const struct uncore_part *part = of;

	for (unsigned i = 0; part->functions && i < part->buses; i++)
		if (id_of(part, i << 8 | df))
			return true;
	return false;
}

static bool is_hidden(const struct uncore *u, unsigned df)
{
	for (unsigned i = 0; i < u->hidden_count; i++)
		if (u->hidden[i] == (uint8_t)df)
			return true;
	return false;
}

/* ---- dwords ---- */

/* Field i is the node of package i. */
static uint32_t gidnidmap(const struct uncore *u)
{
	uint32_t map = 0;

	for (unsigned socket = 0; socket < u->sockets; socket++)
		map |= socket << 3 * socket;
	return map;
}

/* The constant that the part has at offset; 0: none. */
static uint32_t constant_at(const struct uncore_part *part, unsigned df, unsigned offset)
{
	for (const struct uncore_dword *row = part->dwords; row->offset; row++)
		if (row->df == df && row->offset == offset)
			return row->value;
	return 0;
}

static uint32_t header_of(const struct uncore *u, unsigned df, unsigned socket, unsigned offset)
{
	const struct uncore_window *window = &u->part->window;
	uint32_t constant = constant_at(u->part, df, offset);

	switch (offset) {
	case CONFIG_ID:
		return (uint32_t)id_of(u->part, df) << 16 | VENDOR_INTEL;
	case CONFIG_CLASS:
		return (constant ? constant : CLASS_SYSTEM) | u->part->revision;
	case CONFIG_HEADER:
		return MULTI_FUNCTION;
	case CONFIG_BAR_0:
		if (window->table && df == window->table_df)
			return (uint32_t)window->base + socket * window->size;
	}
	if (u->part->window.controllers && df == u->part->window.shown_by)
		return uncore_window_shown(u, socket, offset);
	if (df == u->part->nodes_df && offset == u->part->node_at)
		return socket;
	return df == u->part->nodes_df && offset == u->part->map_at ? gidnidmap(u) : constant;
}

/* The register of a box there, and the box; NULL: there is none. */
static struct uncore_box *find_box_register(struct uncore *u, unsigned socket, unsigned df,
					    unsigned offset, struct reg_id *reg)
{
	const struct uncore_function *function = find_function(u->part, df);
	struct uncore_box *box;

	if (!function || is_hidden(u, df))
		return NULL;
	box = &u->box[socket][u->role[function->role].first + function->number];
	return uncore_find(box->kind, function->registers, offset, reg) ? box : NULL;
}

static uint32_t read_dword(struct uncore *u, unsigned socket, unsigned df, unsigned offset)
{
	struct uncore_box *box;
	struct reg_id reg;
	uint64_t value;

	if (is_hidden(u, df) || !id_of(u->part, df))
		return NOTHING_THERE;
	box = find_box_register(u, socket, df, offset, &reg);
	if (!box)
		return header_of(u, df, socket, offset);
	value = uncore_read(u, box, reg);
	return (uint32_t)(uncore_is_high(find_function(u->part, df)->registers, offset)
				  ? value >> 32
				  : value);
}

static void write_dword(struct uncore *u, unsigned socket, unsigned df, unsigned offset,
			uint32_t dword)
{
	struct reg_id reg;
	struct uncore_box *box = find_box_register(u, socket, df, offset, &reg);

	if (box)
		uncore_write_dword(u, box, reg, dword,
				   uncore_is_high(find_function(u->part, df)->registers, offset));
}

/* ---- accesses of any size within a dword ---- */

bool uncore_pci_read(void *uncore, const struct pci_access *access, uint32_t *value)
{
	struct uncore *u = uncore;
	unsigned shift = 8 * (access->offset & 3), df = 0;
	int socket = socket_of(u, access, &df);

	if (uncore_window_config(u, access, value))
		return true;
	if (socket < 0)
		return false;
	*value = read_dword(u, (unsigned)socket, df, access->offset & ~3u) >> shift;
	if (access->size < 4)
		*value &= (uint32_t)(BIT(8 * access->size) - 1);
	return true;
}

bool uncore_pci_advances(void *uncore, const struct pci_access *access)
{
	struct uncore *u = uncore;
	unsigned df;
	int socket = socket_of(u, access, &df);
	struct uncore_box *box;
	struct reg_id reg;

	if (socket < 0)
		return false;
	box = find_box_register(u, (unsigned)socket, df, access->offset & ~3u, &reg);
	return box && uncore_advances(box, reg);
}

bool uncore_pci_write(void *uncore, const struct pci_access *access, uint32_t value)
{
	struct uncore *u = uncore;
	unsigned shift = 8 * (access->offset & 3), df = 0;
	int socket = socket_of(u, access, &df);
	uint32_t mask = (uint32_t)((BIT(8 * access->size) - 1) << shift), old = 0;

	if (uncore_window_config(u, access, &old))
		return true;
	if (socket < 0)
		return false;
	if (access->size < 4)
		old = read_dword(u, (unsigned)socket, df, access->offset & ~3u);
	write_dword(u, (unsigned)socket, df, access->offset & ~3u,
		    (old & ~mask) | (value << shift & mask));
	return true;
}
