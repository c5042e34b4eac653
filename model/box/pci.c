/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore's buses in PCI configuration space: the functions with counters, and their kin. */
#include "box.h"

enum { BUS_OF_SOCKET_0 = 0x3f, BUSES_APART = 0x40 };
enum { CONFIG_ID = 0x00, CONFIG_CLASS = 0x08, CONFIG_HEADER = 0x0c };
enum { VENDOR_INTEL = 0x8086, REVISION_C2 = 7, NO_BOX = UNCORE_BOXES };

#define CLASS_PERFORMANCE    (uint32_t)0x11010000
#define CLASS_SYSTEM         (uint32_t)0x08800000
#define MULTI_FUNCTION       (uint32_t)0x00800000
#define NOTHING_THERE        UINT32_C(0xffffffff)

#define DF(device, function) ((device) << 3 | (function))

/* The registers of a box, each a dword unless it is a counter. */
static const struct uncore_place counters[] = {
	{0xa0, 8, UNCORE_COUNTERS, UNCORE_CTR, 0}, {0xd0, 8, 1, UNCORE_CTR, UNCORE_FIXED},
	{0xd8, 4, UNCORE_COUNTERS, UNCORE_CTL, 0}, {0xf0, 4, 1, UNCORE_CTL, UNCORE_FIXED},
	{0xf4, 4, 1, UNCORE_BOX_CTL, 0},
};
static const struct uncore_place ha_filters[] = {{0x40, 4, 3, UNCORE_FILTER, 0}};
static const struct uncore_place qpi_filters[] = {
	{0x228, 4, 2, UNCORE_FILTER, FILTER_MATCH0},
	{0x238, 4, 2, UNCORE_FILTER, FILTER_MASK0},
};

enum { OFFSET_NODE_ID = 0x40, OFFSET_GIDNIDMAP = 0x54, OFFSET_QPI_RATE = 0xd4, RATE_8_GT = 5 };

static const struct function {
	uint8_t df;
	uint8_t box; /* whose counters it has, or for QPI whose filters */
	uint16_t id;
} functions[] = {
	{DF(8, 0), NO_BOX, 0x3c80},         {DF(8, 2), BOX_QPI, 0x3c41},
	{DF(8, 6), BOX_QPI, 0x3c86},        {DF(9, 0), NO_BOX, 0x3c90},
	{DF(9, 2), BOX_QPI + 1, 0x3c42},    {DF(9, 6), BOX_QPI + 1, 0x3c96},
	{DF(10, 0), NO_BOX, 0x3cc0},        {DF(10, 1), NO_BOX, 0x3cc1},
	{DF(10, 2), NO_BOX, 0x3cc2},        {DF(10, 3), NO_BOX, 0x3cd0},
	{DF(11, 0), NO_BOX, 0x3ce0},        {DF(11, 3), NO_BOX, 0x3ce3},
	{DF(12, 6), NO_BOX, 0x3cf4},        {DF(12, 7), NO_BOX, 0x3cf6},
	{DF(13, 6), NO_BOX, 0x3cf5},        {DF(14, 0), NO_BOX, 0x3ca0},
	{DF(14, 1), BOX_HA, 0x3c46},        {DF(15, 0), NO_BOX, 0x3ca8},
	{DF(15, 1), NO_BOX, 0x3c71},        {DF(15, 2), NO_BOX, 0x3caa},
	{DF(15, 3), NO_BOX, 0x3cab},        {DF(15, 4), NO_BOX, 0x3cac},
	{DF(15, 5), NO_BOX, 0x3cad},        {DF(16, 0), BOX_IMC, 0x3cb0},
	{DF(16, 1), BOX_IMC + 1, 0x3cb1},   {DF(16, 2), NO_BOX, 0x3cb2},
	{DF(16, 3), NO_BOX, 0x3cb3},        {DF(16, 4), BOX_IMC + 2, 0x3cb4},
	{DF(16, 5), BOX_IMC + 3, 0x3cb5},   {DF(16, 6), NO_BOX, 0x3cb6},
	{DF(16, 7), NO_BOX, 0x3cb7},        {DF(17, 0), NO_BOX, 0x3cb8},
	{DF(19, 0), NO_BOX, 0x3ce4},        {DF(19, 1), BOX_R2PCIE, 0x3c43},
	{DF(19, 4), NO_BOX, 0x3ce6},        {DF(19, 5), BOX_R3QPI, 0x3c44},
	{DF(19, 6), BOX_R3QPI + 1, 0x3c45},
};

/* ---- where an access goes ---- */

/* The socket that has the bus, or -1. */
static int socket_of(const struct uncore *u, unsigned bus)
{
	for (unsigned socket = 0; socket < u->sockets; socket++)
		if (bus == BUS_OF_SOCKET_0 + socket * BUSES_APART)
			return (int)socket;
	return -1;
}

bool uncore_is_bus(unsigned bus)
{
	return bus >= BUS_OF_SOCKET_0 && bus % BUSES_APART == BUS_OF_SOCKET_0 &&
	       bus < BUS_OF_SOCKET_0 + UNCORE_SOCKETS * BUSES_APART;
}

bool uncore_is_function(uint8_t df)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].df == df)
			return true;
	return false;
}

static const struct function *find_function(const struct uncore *u, uint8_t df)
{
	for (unsigned i = 0; i < u->hidden_count; i++)
		if (u->hidden[i] == df)
			return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].df == df)
			return &functions[i];
	return NULL;
}

/* offset: of a dword. */
static bool find_register(const struct function *function, const struct uncore_traits *traits,
			  unsigned offset, struct reg_id *reg)
{
	if (traits->kind == UNCORE_QPI && (function->df & 7) == 6)
		return uncore_find(qpi_filters, ARRAY_SIZE(qpi_filters), offset, reg);
	if (traits->kind == UNCORE_HA &&
	    uncore_find(ha_filters, ARRAY_SIZE(ha_filters), offset, reg))
		return true;
	return uncore_find(counters, ARRAY_SIZE(counters), offset, reg) && uncore_has(traits, *reg);
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

static uint32_t header_of(const struct uncore *u, const struct function *function, unsigned socket,
			  unsigned offset)
{
	bool counts = function->df == DF(19, 1) || function->df == DF(19, 5);

	switch (offset) {
	case CONFIG_ID:
		return (uint32_t)function->id << 16 | VENDOR_INTEL;
	case CONFIG_CLASS:
		return (counts ? CLASS_PERFORMANCE : CLASS_SYSTEM) | REVISION_C2;
	case CONFIG_HEADER:
		return MULTI_FUNCTION;
	}
	if (function->df == DF(11, 0))
		return offset == OFFSET_NODE_ID     ? socket
		       : offset == OFFSET_GIDNIDMAP ? gidnidmap(u)
						    : 0;
	if ((function->df == DF(8, 0) || function->df == DF(9, 0)) && offset == OFFSET_QPI_RATE)
		return RATE_8_GT;
	return 0;
}

/* The register of a box there, and the box; NULL: there is none. */
static struct uncore_box *find_box_register(struct uncore *u, unsigned socket,
					    const struct function *function, unsigned offset,
					    struct reg_id *reg)
{
	struct uncore_box *box;

	if (!function || function->box == NO_BOX)
		return NULL;
	*reg = (struct reg_id){0};
	box = &u->box[socket][function->box];
	return find_register(function, box->traits, offset, reg) ? box : NULL;
}

static uint32_t read_dword(struct uncore *u, unsigned socket, uint8_t df, unsigned offset)
{
	const struct function *function = find_function(u, df);
	struct uncore_box *box;
	struct reg_id reg;
	uint64_t value;

	if (!function)
		return NOTHING_THERE;
	box = find_box_register(u, socket, function, offset, &reg);
	if (!box)
		return header_of(u, function, socket, offset);
	value = uncore_read(u, box, reg);
	return (uint32_t)(reg.kind == UNCORE_CTR && offset & 4 ? value >> 32 : value);
}

static void write_dword(struct uncore *u, unsigned socket, uint8_t df, unsigned offset,
			uint32_t dword)
{
	struct reg_id reg;
	struct uncore_box *box = find_box_register(u, socket, find_function(u, df), offset, &reg);
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
	int socket = socket_of(u, access->bus);
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
	int socket = socket_of(u, access->bus);
	struct uncore_box *box;
	struct reg_id reg;

	if (socket < 0)
		return false;
	box = find_box_register(u, (unsigned)socket, find_function(u, access->df),
				access->offset & ~3u, &reg);
	return box && uncore_advances(box, reg);
}

bool uncore_pci_write(void *uncore, const struct pci_access *access, uint32_t value)
{
	struct uncore *u = uncore;
	int socket = socket_of(u, access->bus);
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
