/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore's buses in PCI configuration space: the functions with counters, and their kin. */
#include "box.h"

/* A socket's devices lie behind the uncore of the socket below. */
enum { BUS_OF_SOCKET_0 = 0x3f, IO_BUS_OF_SOCKET_0 = 0, BUSES_APART = 0x40 };
enum { CONFIG_ID = 0x00, CONFIG_CLASS = 0x08, CONFIG_HEADER = 0x0c };
enum { OFFSET_NODE_ID = 0x40, OFFSET_GIDNIDMAP = 0x54 };
enum { VENDOR_INTEL = 0x8086 };

#define CLASS_SYSTEM   (uint32_t)0x08800000
#define MULTI_FUNCTION (uint32_t)0x00800000
#define NOTHING_THERE  UINT32_C(0xffffffff)

/* ---- where an access goes ---- */

/* The socket that has the function there, or -1. */
static int socket_of(const struct uncore *u, const struct pci_access *access)
{
	bool io = u->part->io_device && access->df >> 3 == u->part->io_device;
	unsigned first = io ? IO_BUS_OF_SOCKET_0 : BUS_OF_SOCKET_0;

	for (unsigned socket = 0; u->part->functions && socket < u->sockets; socket++)
		if (access->bus == first + socket * BUSES_APART)
			return (int)socket;
	return -1;
}

/* Devices' buses are the machine's own. */
bool uncore_is_bus(const void *part, unsigned bus)
{
	return ((const struct uncore_part *)part)->functions && bus >= BUS_OF_SOCKET_0 &&
	       bus % BUSES_APART == BUS_OF_SOCKET_0 &&
	       bus < BUS_OF_SOCKET_0 + UNCORE_SOCKETS * BUSES_APART;
}

static const struct uncore_function *find_function(const struct uncore_part *part, uint8_t df)
{
	for (const struct uncore_function *function = part->functions; function->id; function++)
		if (function->df == df)
			return function;
	return NULL;
}

/* 0: there is no such function. */
static uint16_t id_of(const struct uncore_part *part, uint8_t df)
{
	const struct uncore_function *function = find_function(part, df);

	if (function)
		return function->id;
	for (const uint32_t *other = part->others; *other; other++)
		if (*other >> 16 == df)
			return (uint16_t)*other;
	return 0;
}

bool uncore_is_function(const void *part, uint8_t df)
{
	return ((const struct uncore_part *)part)->functions && id_of(part, df);
}

static bool is_hidden(const struct uncore *u, uint8_t df)
{
	for (unsigned i = 0; i < u->hidden_count; i++)
		if (u->hidden[i] == df)
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
static uint32_t constant_at(const struct uncore_part *part, uint8_t df, unsigned offset)
{
	for (const struct uncore_dword *row = part->dwords; row->offset; row++)
		if (row->df == df && row->offset == offset)
			return row->value;
	return 0;
}

static uint32_t header_of(const struct uncore *u, uint8_t df, unsigned socket, unsigned offset)
{
	uint32_t constant = constant_at(u->part, df, offset);

	switch (offset) {
	case CONFIG_ID:
		return (uint32_t)id_of(u->part, df) << 16 | VENDOR_INTEL;
	case CONFIG_CLASS:
		return (constant ? constant : CLASS_SYSTEM) | u->part->revision;
	case CONFIG_HEADER:
		return MULTI_FUNCTION;
	}
	if (df == u->part->nodes_df && offset == OFFSET_NODE_ID)
		return socket;
	return df == u->part->nodes_df && offset == OFFSET_GIDNIDMAP ? gidnidmap(u) : constant;
}

/* The register of a box there, and the box; NULL: there is none. */
static struct uncore_box *find_box_register(struct uncore *u, unsigned socket, uint8_t df,
					    unsigned offset, struct reg_id *reg)
{
	const struct uncore_function *function = find_function(u->part, df);
	struct uncore_box *box;

	if (!function || is_hidden(u, df))
		return NULL;
	box = &u->box[socket][u->role[function->role].first + function->number];
	return uncore_find(box->kind, function->registers, offset, reg) ? box : NULL;
}

static uint32_t read_dword(struct uncore *u, unsigned socket, uint8_t df, unsigned offset)
{
	struct uncore_box *box;
	struct reg_id reg;
	uint64_t value;

	if (is_hidden(u, df) || !uncore_is_function(u->part, df))
		return NOTHING_THERE;
	box = find_box_register(u, socket, df, offset, &reg);
	if (!box)
		return header_of(u, df, socket, offset);
	value = uncore_read(u, box, reg);
	return (uint32_t)(reg.kind == UNCORE_CTR && offset & 4 ? value >> 32 : value);
}

static void write_dword(struct uncore *u, unsigned socket, uint8_t df, unsigned offset,
			uint32_t dword)
{
	struct reg_id reg;
	struct uncore_box *box = find_box_register(u, socket, df, offset, &reg);
	bool high = offset & 4;
	uint64_t value = dword;

	if (!box)
		return;
	if (reg.kind != UNCORE_CTR)
		high = false;
	else if (high)
		value = value << 32 | (uint32_t)uncore_read(u, box, reg);
	else
		value |= uncore_read(u, box, reg) & FIELD(63, 32);
	uncore_write(u, box, reg, value, high);
}

/* ---- accesses of any size within a dword ---- */

bool uncore_pci_read(void *uncore, const struct pci_access *access, uint32_t *value)
{
	struct uncore *u = uncore;
	int socket = socket_of(u, access);
	unsigned shift = 8 * (access->offset & 3);

	if (socket < 0)
		return false;
	*value = read_dword(u, (unsigned)socket, access->df, access->offset & ~3u) >> shift;
	if (access->size < 4)
		*value &= (uint32_t)(BIT(8 * access->size) - 1);
	return true;
}

bool uncore_pci_advances(void *uncore, const struct pci_access *access)
{
	struct uncore *u = uncore;
	int socket = socket_of(u, access);
	struct uncore_box *box;
	struct reg_id reg;

	if (socket < 0)
		return false;
	box = find_box_register(u, (unsigned)socket, access->df, access->offset & ~3u, &reg);
	return box && uncore_advances(box, reg);
}

bool uncore_pci_write(void *uncore, const struct pci_access *access, uint32_t value)
{
	struct uncore *u = uncore;
	int socket = socket_of(u, access);
	unsigned shift = 8 * (access->offset & 3);
	uint32_t mask = (uint32_t)((BIT(8 * access->size) - 1) << shift), old = 0;

	if (socket < 0)
		return false;
	if (access->size < 4)
		old = read_dword(u, (unsigned)socket, access->df, access->offset & ~3u);
	write_dword(u, (unsigned)socket, access->df, access->offset & ~3u,
		    (old & ~mask) | (value << shift & mask));
	return true;
}
