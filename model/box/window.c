/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of boxes in a window of memory, and its address, which firmware has locked; or a table
 * that says where they are. */
#include "box.h"

enum { HOST_BRIDGE = DF(0, 0), IS_OPEN = 1, VENDOR_INTEL = 0x8086 };

enum { EIGHT_MIB = 8 << 20, PAGE = 4096 };

#define HIDDEN UINT32_C(0xffffffff)

/* What is in it from that byte on, for as long as the access is. */
static uint32_t bytes_of(uint64_t qword, unsigned byte, const struct pci_access *access)
{
	return (uint32_t)(qword >> 8 * byte & (BIT(8 * access->size) - 1));
}

bool uncore_window_config(const struct uncore *u, const struct pci_access *access, uint32_t *value)
{
	const struct uncore_window *window = &u->part->window;
	const uint64_t id = (uint32_t)window->id << 16 | VENDOR_INTEL,
		       shown = window->base | (uncore_varies(u, UNCORE_CLOSED) ? 0 : IS_OPEN);
	const unsigned offset = access->offset - window->at;

	if (!window->size || !window->id || access->bus || access->df != HOST_BRIDGE)
		return false;
	if (access->offset < sizeof(uint32_t))
		*value = bytes_of(id, access->offset, access);
	else if (offset < sizeof(shown))
		*value = bytes_of(shown, offset, access);
	else
		return false;
	return true;
}

uint32_t uncore_window_shown(const struct uncore *u, unsigned socket, unsigned offset)
{
	const struct uncore_window *window = &u->part->window;
	const unsigned controller = (offset - window->blocks_at) / sizeof(uint32_t);
	const uint64_t block = (uint64_t)socket * window->size + window->first_block +
			       (uint64_t)controller * window->controllers_apart;

	if (offset == window->at)
		return (uint32_t)(window->base / EIGHT_MIB);
	if (offset < window->blocks_at || controller >= window->controllers ||
	    uncore_varies(u, UNCORE_CLOSED))
		return 0;
	return (uint32_t)(block / PAGE);
}

bool uncore_window(const void *part, uint64_t *first, uint64_t *size)
{
	const struct uncore_window *window = &((const struct uncore_part *)part)->window;

	*first = window->base;
	*size = (uint64_t)window->size * UNCORE_SOCKETS;
	return window->size;
}

/* Of a socket's window; where that has blocks of controllers, in one of these. */
struct place {
	unsigned socket, controller;
	uint64_t offset;
};

/* Below the first block there is none. */
static void find_block(const struct uncore_window *window, struct place *at)
{
	if (at->offset < window->first_block) {
		at->controller = window->controllers;
		return;
	}
	at->offset -= window->first_block;
	at->controller = (unsigned)(at->offset / window->controllers_apart);
	at->offset %= window->controllers_apart;
}

static bool is_in_window(const struct uncore *u, uint64_t physical, struct place *at)
{
	const struct uncore_window *window = &u->part->window;

	if (!window->size || physical < window->base)
		return false;
	at->socket = (unsigned)((physical - window->base) / window->size);
	at->controller = 0;
	at->offset = (physical - window->base) % window->size;
	if (window->controllers)
		find_block(window, at);
	return at->socket < u->sockets;
}

static bool is_global(const struct uncore *u, const struct place *at)
{
	return u->part->window.global && at->offset == u->part->window.global;
}

/* The box of the kind there, and where in its registers; or -1. */
static int box_at(const struct uncore_kind *kind, const struct place *at, unsigned *offset)
{
	const unsigned each = kind->of_controller ? kind->of_controller : kind->boxes;
	uint64_t from, n;

	if (!kind->window || at->offset < kind->window)
		return -1;
	from = at->offset - kind->window;
	n = from / kind->window_apart;
	*offset = (unsigned)(from % kind->window_apart);
	return n < each && at->controller * each + n < kind->boxes
		       ? (int)(at->controller * each + n)
		       : -1;
}

/* The register there, and the box; NULL: there is none. */
static struct uncore_box *find_register(struct uncore *u, const struct place *at,
					struct reg_id *reg, bool *high)
{
	unsigned first = 0, offset;

	for (const struct uncore_kind *kind = u->part->kinds; kind->boxes; kind++) {
		const int n = box_at(kind, at, &offset);

		if (n >= 0 && uncore_find(kind, kind->registers, offset, reg)) {
			*high = uncore_is_high(kind->registers, offset);
			return &u->box[at->socket][first + (unsigned)n];
		}
		first += kind->boxes;
	}
	return NULL;
}

/* ---- all boxes at once ---- */

static void write_global(struct uncore *u, uint32_t value)
{
	uncore_drain(u);
	for (unsigned place = 0; place < u->boxes; place++) {
		struct uncore_box *box = &u->box[u->home][place];

		if (!box->kind->window)
			continue;
		uncore_advance(u, box);
		uncore_clear_by(u, box, value);
		u->window_global = (uint32_t)(value & box->kind->field[GATE_FREEZE]);
	}
}

/* ---- accesses ---- */

enum { TABLE_SIZE = 4096 };

static bool is_in_table(const struct uncore *u, const struct place *at)
{
	return u->part->window.table && at->offset < TABLE_SIZE;
}

/* What an access reaches; box: NULL where no register of one is there. */
struct reached {
	struct place at;
	struct uncore_box *box;
	struct reg_id reg;
	bool high;
};

static bool reach(struct uncore *u, uint64_t physical, struct reached *to)
{
	if (!is_in_window(u, physical, &to->at))
		return false;
	to->box = find_register(u, &to->at, &to->reg, &to->high);
	return true;
}

/* All else in it reads 0. */
bool uncore_window_read(void *uncore, uint64_t physical, uint32_t *value)
{
	struct uncore *u = uncore;
	struct reached to;

	if (!reach(u, physical, &to))
		return false;
	if (uncore_varies(u, UNCORE_HIDDEN) || uncore_varies(u, UNCORE_CLOSED))
		*value = HIDDEN;
	else if (is_in_table(u, &to.at))
		*value = uncore_table_dword(u, to.at.socket, to.at.offset);
	else if (is_global(u, &to.at))
		*value = u->window_global;
	else
		*value = to.box ? (uint32_t)(uncore_read(u, to.box, to.reg) >> (to.high ? 32 : 0))
				: 0;
	return true;
}

/* Meters are not written. */
bool uncore_window_write(void *uncore, uint64_t physical, uint32_t value)
{
	struct uncore *u = uncore;
	struct reached to;

	if (!reach(u, physical, &to))
		return false;
	if (is_global(u, &to.at))
		write_global(u, value);
	if (to.box && to.reg.kind != UNCORE_METER && !uncore_varies(u, UNCORE_HIDDEN) &&
	    !uncore_varies(u, UNCORE_CLOSED))
		uncore_write_dword(u, to.box, to.reg, value, to.high);
	return true;
}

bool uncore_window_register(void *uncore, uint64_t physical, bool *advances)
{
	struct uncore *u = uncore;
	struct reached to;

	if (!reach(u, physical, &to))
		return false;
	*advances = to.box && (to.reg.kind == UNCORE_METER || uncore_advances(to.box, to.reg));
	return to.box || is_global(u, &to.at);
}
