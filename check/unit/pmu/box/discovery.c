/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of discovery: worked examples, and what is wrong with others. */
#include "pmu/box/discovery.h"

#include "check/unit/tap.h"

/* ---- the global entry ---- */

static void test_table(void)
{
	const uint64_t good[3] = {0x780300, 0x2ff0, 0}, empty[3] = {0, 0x2ff0, 0},
		       nothing[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX},
		       nowhere[3] = {0x780300, 0, 0}, no_units[3] = {0x000300, 0x2ff0, 0},
		       narrow[3] = {0x780200, 0x2ff0, 0};
	struct box_table table;

	OK(!box_read_table(&table, good));
	OK(table.stride == 3 && table.units == 120);
	OK(8 * table.stride * (table.units + 1) == 0xb58);
	SAME(box_read_table(&table, empty), "its first entry is empty");
	SAME(box_read_table(&table, nothing), "its first entry is empty");
	SAME(box_read_table(&table, nowhere), "its first entry is empty");
	SAME(box_read_table(&table, no_units), "it has no entries");
	SAME(box_read_table(&table, narrow), "its entries are shorter than 24 bytes");
}

/* ---- units ---- */

enum { STRIDE = 4 };

/* The second of two units, in a table whose entries are longer than they need be. */
static bool read_unit(uint64_t q0, uint64_t q1, uint64_t q2, struct box_unit *unit,
		      const char **why)
{
	const uint64_t entries[3 * STRIDE] = {0x020400, 0x2ff0, 0, 0, 0, 0, 0, 0, q0, q1, q2, 0};
	struct box_table table;

	return !box_read_table(&table, entries) && box_read_unit(&table, 1, unit, why);
}

static void test_msrs(void)
{
	struct box_unit u;
	const char *why;

	OK(read_unit(0x108300204, 0x2070, 0x70000, &u, &why));
	OK(u.type == 0 && u.id == 7 && u.space == UNIT_MSR && u.counters == 4 && u.width == 48);
	OK(u.base + u.ctl == 0x2072 && u.base + u.ctr == 0x2078);
}

static void test_memory(void)
{
	struct box_unit u;
	const char *why;

	OK(read_unit(0x4000005c08304004, 0x27949800, 0x20006, &u, &why));
	OK(u.type == 6 && u.id == 2 && u.space == UNIT_MEMORY);
	OK(u.base + u.ctl == 0x27949840 && u.base + u.ctr == 0x27949808);
}

static void test_pci(void)
{
	struct box_unit u;
	const char *why;

	OK(read_unit(0x8000000008303804, 0x7e09318, 8, &u, &why));
	OK(u.type == 8 && u.id == 0 && u.space == UNIT_PCI);
	OK(field_get(UNIT_FUNCTION, u.base) == (0x7e << 8 | 1 << 3 | 1));
	OK(field_get(UNIT_OFFSET, u.base) == 0x318);
	OK(field_get(UNIT_OFFSET, u.base) + u.ctl == 0x350 &&
	   field_get(UNIT_OFFSET, u.base) + u.ctr == 0x320);
}

static void test_empty(void)
{
	struct box_unit u;
	const char *why;

	OK(!read_unit(UINT64_MAX, 1, 0, &u, &why) && !why);
	OK(!read_unit(0, 0x2000, 0, &u, &why) && !why);
	OK(!read_unit(0x108300204, 0, 0, &u, &why) && !why);
	OK(!read_unit(0x108300204, 0x2070, UINT64_MAX, &u, &why) && !why);
	OK(!read_unit(0x108300004, 0x2070, 0, &u, &why) && !why); /* no control */
	OK(!read_unit(0x100300204, 0x2070, 0, &u, &why) && !why); /* no counter */
	OK(!read_unit(0x108300200, 0x2070, 0, &u, &why) && !why); /* none of either */
}

/* What it says cannot be. */
static void test_contradictions(void)
{
	struct box_unit u;
	const char *why;

	OK(!read_unit(0xc000000008300204, 0x2070, 0, &u, &why));
	SAME(why, "its registers are in a space that there is not");
	OK(!read_unit(0x108300207, 0x2070, 0, &u, &why));
	SAME(why, "its controls and counters overlap");
	OK(!read_unit(0x108000204, 0x2070, 0, &u, &why));
	SAME(why, "its counters have no width that there is");
	OK(!read_unit(0x108410204, 0x2070, 0, &u, &why));
	SAME(why, "its counters have no width that there is");
	OK(!read_unit(0x108300204, 0xffffff01, 0, &u, &why));
	SAME(why, "its first MSR has no number of 32 bits");
	OK(!read_unit(0x4000005c08304004, 0x27949802, 0, &u, &why));
	SAME(why, "its registers do not begin at a multiple of four bytes");
}

int main(void)
{
	test_table();
	test_msrs();
	test_memory();
	test_pci();
	test_empty();
	test_contradictions();
	return tap_end();
}
