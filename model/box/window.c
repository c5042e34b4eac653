/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of boxes in a window of memory, and its address, which firmware has locked; or a table
 * that says where they are. */
#include "box.h"

enum { HOST_BRIDGE = DF(0, 0), IS_OPEN = 1 };

#define HIDDEN UINT32_C(0xffffffff)

bool uncore_window_address(const struct uncore *u, const struct pci_access *access, uint32_t *value)
{
	const struct uncore_window *window = &u->part->window;
	const uint64_t shown = window->base | (u->closed_window ? 0 : IS_OPEN);
	const unsigned offset = access->offset - window->at;

	if (!window->size || window->table || access->bus || access->df != HOST_BRIDGE ||
	    offset >= sizeof(shown))
		return false;
	*value = (uint32_t)(shown >> 8 * offset & (BIT(8 * access->size) - 1));
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

/* ---- a table of discovery: a first entry of it all, and one for each box ---- */

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
		return kind->counters | first_of(kind, UNCORE_CTL) << 8 | kind->width << 16 |
		       (uint64_t)first_of(kind, UNCORE_CTR) << 24 | UINT64_C(1) << 32;
	case 1:
		return kind->msr + number * kind->msrs_apart;
	default:
		return kind->unit | number << 16;
	}
}

static uint32_t table_dword(const struct uncore *u, uint64_t offset)
{
	const unsigned entry = (unsigned)(offset / ENTRY),
		       quad = (unsigned)(offset % ENTRY / sizeof(uint64_t));
	const uint64_t value = !entry                 ? global_quad(u, quad)
			       : entry > units_of(u)  ? 0
			       : entry > 2 * u->boxes ? UINT64_MAX
						      : unit_quad(u, (entry - 1) % u->boxes, quad);

	return (uint32_t)(value >> (offset & 4 ? 32 : 0));
}

/* ---- both ---- */

/* All else in it reads 0. */
bool uncore_window_read(void *uncore, uint64_t physical, uint32_t *value)
{
	struct uncore *u = uncore;
	struct uncore_box *box;
	struct reg_id reg;
	bool high;

	if (!is_in_window(u, physical))
		return false;
	if (u->part->window.table) {
		*value =
			u->hidden_window ? HIDDEN : table_dword(u, physical - u->part->window.base);
		return true;
	}
	box = find_register(u, physical - u->part->window.base, &reg, &high);
	if (u->hidden_window || u->closed_window)
		*value = HIDDEN;
	else
		*value = box ? (uint32_t)(uncore_read(u, box, reg) >> (high ? 32 : 0)) : 0;
	return true;
}

/* Meters are not written. */
bool uncore_window_write(void *uncore, uint64_t physical, uint32_t value)
{
	(void)value;
	return is_in_window(uncore, physical);
}
