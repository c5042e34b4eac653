/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of boxes in a window of memory, and its address, which firmware has locked; or a table
 * that says where they are. */
#include "box.h"

enum { HOST_BRIDGE = DF(0, 0), IS_OPEN = 1, VENDOR_INTEL = 0x8086 };

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
		       shown = window->base | (u->closed_window ? 0 : IS_OPEN);
	const unsigned offset = access->offset - window->at;

	if (!window->size || window->table || access->bus || access->df != HOST_BRIDGE)
		return false;
	if (access->offset < sizeof(uint32_t))
		*value = bytes_of(id, access->offset, access);
	else if (offset < sizeof(shown))
		*value = bytes_of(shown, offset, access);
	else
		return false;
	return true;
}

bool uncore_window(const void *part, uint64_t *first, uint64_t *size)
{
	const struct uncore_window *window = &((const struct uncore_part *)part)->window;

	*first = window->base;
	*size = window->size;
	return window->size;
}

static bool is_in_window(const struct uncore *u, uint64_t physical)
{
	return physical - u->part->window.base < u->part->window.size;
}

static bool is_global(const struct uncore *u, uint64_t physical)
{
	const struct uncore_window *window = &u->part->window;

	return window->global && physical == window->base + window->global;
}

/* The register at that offset, and the box; NULL: there is none. */
static struct uncore_box *find_register(struct uncore *u, uint64_t offset, struct reg_id *reg,
					bool *high)
{
	unsigned first = 0;

	for (const struct uncore_kind *kind = u->part->kinds; kind->boxes; kind++) {
		const uint64_t from = offset - kind->window;
		const unsigned at = kind->window ? (unsigned)(from % kind->window_apart) : 0;

		if (kind->window && offset >= kind->window &&
		    from / kind->window_apart < kind->boxes &&
		    uncore_find(kind, kind->registers, at, reg)) {
			*high = uncore_is_high(kind->registers, at);
			return &u->box[u->home][first + from / kind->window_apart];
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

static bool is_in_table(const struct uncore *u, uint64_t physical)
{
	return u->part->window.table && physical - u->part->window.base < TABLE_SIZE;
}

/* All else in it reads 0. */
bool uncore_window_read(void *uncore, uint64_t physical, uint32_t *value)
{
	struct uncore *u = uncore;
	struct uncore_box *box;
	struct reg_id reg;
	bool high;

	if (!is_in_window(u, physical))
		return false;
	box = find_register(u, physical - u->part->window.base, &reg, &high);
	if (u->hidden_window || u->closed_window)
		*value = HIDDEN;
	else if (is_in_table(u, physical))
		*value = uncore_table_dword(u, physical - u->part->window.base);
	else if (is_global(u, physical))
		*value = u->window_global;
	else
		*value = box ? (uint32_t)(uncore_read(u, box, reg) >> (high ? 32 : 0)) : 0;
	return true;
}

/* Meters are not written. */
bool uncore_window_write(void *uncore, uint64_t physical, uint32_t value)
{
	struct uncore *u = uncore;
	struct uncore_box *box;
	struct reg_id reg;
	bool high;

	if (!is_in_window(u, physical))
		return false;
	if (is_global(u, physical))
		write_global(u, value);
	box = find_register(u, physical - u->part->window.base, &reg, &high);
	if (box && reg.kind != UNCORE_METER && !u->hidden_window && !u->closed_window)
		uncore_write_dword(u, box, reg, value, high);
	return true;
}
