/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that tables of discovery tell of: where these are, and what is made of their units. */
#include "discovery.h"
#include "find.h"

/* ---- where a table is ---- */

/* A designated capability of Intel's, for counters, in extended configuration space.  Of its
 * dwords: */
enum { CAP_HEADER, CAP_VENDOR, CAP_ENTRY, CAP_PLACE };
#define EXTENDED_SPACE 0x100u
#define CAP_ID         FIELD(15, 0)
#define CAP_NEXT       FIELD(31, 20)
#define DESIGNATED     0x23u
#define ENTRY_ID       FIELD(7, 0)
#define ENTRY_COUNTERS 1u
#define PLACE_BIR      FIELD(2, 0)
#define PLACE_OFFSET   FIELD(31, 3) /* Linux takes none but 0 */
#define CAPS_MOST      64u /* where they point in a circle */

/* NULL: the function has none. */
static const volatile uint32_t *capability(const volatile uint32_t *space)
{
	unsigned at = EXTENDED_SPACE;

	for (unsigned i = 0; i < CAPS_MOST && at >= EXTENDED_SPACE; i++) {
		const volatile uint32_t *cap = space + at / 4;
		uint32_t header = cap[CAP_HEADER];

		if (header == PCI_ABSENT)
			return NULL;
		if (field_get(CAP_ID, header) == DESIGNATED &&
		    field_get(ENTRY_ID, cap[CAP_ENTRY]) == ENTRY_COUNTERS)
			return cap;
		at = (unsigned)field_get(CAP_NEXT, header) & ~3u;
	}
	return NULL;
}

#define BARS     6u
#define BAR(n)   (0x10u / 4 + (n))
#define BAR_IO   BIT(0)
#define BAR_64   BIT(2)
#define BAR_BASE FIELD(31, 4)

/* 0: it is of no memory. */
static uint64_t address_in(const volatile uint32_t *space, unsigned bir)
{
	uint32_t low = bir < BARS ? space[BAR(bir)] : PCI_ABSENT;
	uint64_t high = 0;

	if (low & BAR_IO)
		return 0;
	if (low & BAR_64)
		high = bir + 1 < BARS ? space[BAR(bir + 1)] : PCI_ABSENT;
	return high << 32 | (low & BAR_BASE);
}

#define PAGE UINT64_C(4096)

/* All of these bytes. */
static volatile void *map(uint64_t address, uint64_t bytes)
{
	for (uint64_t i = 0; i <= (address % PAGE + bytes - 1) / PAGE; i++)
		if (!device_map(address - address % PAGE + i * PAGE))
			return NULL;
	return (volatile void *)(uintptr_t)address;
}

/* NULL, or what is wrong with it. */
static const char *map_table(uint64_t address, struct box_table *table)
{
	const volatile uint64_t *entries = address ? map(address, sizeof(uint64_t[3])) : NULL;
	const char *why;

	if (!entries)
		return "its address cannot be mapped";
	why = box_read_table(table, entries);
	if (!why && !map(address, (uint64_t)(table->units + 1) * table->stride * sizeof(uint64_t)))
		why = "not all of it can be mapped";
	return why;
}

/* ---- its units ---- */

static bool is_of(const struct box_kind *kind, unsigned model)
{
	const unsigned last = kind->last_model ? kind->last_model : kind->model;

	return !kind->model || (model >= kind->model && model <= last);
}

/* The rows of some models stand ahead of those of all others. */
static const struct box_kind *kind_of(const struct box_part *part, unsigned type)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	for (const struct box_kind *kind = part->kinds; kind->name; kind++)
		if (kind->unit == type && is_of(kind, cpu.model))
			return kind;
	return NULL;
}

/* Some firmware lists units twice. */
static bool is_added(const struct box_kind *kind, unsigned number, unsigned socket)
{
	unsigned count;
	const struct box *box = box_added(&count);

	for (; count--; box++)
		if (box->kind == kind && box->number == number && box->socket == socket)
			return true;
	return false;
}

/* The documents' layout, which all rows here have, from box control on. */
static bool is_laid_out(const struct box_kind *kind, const struct box_unit *unit)
{
	return unit->ctl == kind->at.ctl - kind->at.gate &&
	       unit->ctr == kind->at.ctr - kind->at.gate && unit->width == kind->width &&
	       unit->counters <= kind->counters;
}

#define UNIT_BYTES 0x100u /* of one whose registers are in memory: offsets have a byte */

/* Of a function that may have such units, so that whatever a table says no other one is written. */
static uint64_t map_function(const struct box_kind *kind, const struct box_unit *unit)
{
	const uint16_t function = (uint16_t)field_get(UNIT_FUNCTION, unit->base);
	const uint64_t offset = field_get(UNIT_OFFSET, unit->base);

	if (unit->base & ~(UNIT_FUNCTION | UNIT_OFFSET) || offset != (uint64_t)kind->at.gate ||
	    !box_has_id(function, kind->unit_id))
		return 0;
	return (uintptr_t)pci_map(function);
}

/* Where the registers of the kind are, by their first one; 0: not where they are documented to be.
 */
static uint64_t base_of(const struct box *box, const struct box_unit *unit)
{
	const struct box_part *part = box->part;

	if (!is_laid_out(box->kind, unit))
		return 0;
	if (box->kind->unit_id)
		return unit->space == UNIT_PCI ? map_function(box->kind, unit) : 0;
	if (box->kind->space == REG_MMIO)
		return unit->space == UNIT_MEMORY ? (uintptr_t)map(unit->base, UNIT_BYTES) : 0;
	return unit->space == UNIT_MSR && unit->base >= part->unit_msrs.first &&
			       unit->base <= part->unit_msrs.last
		       ? unit->base
		       : 0;
}

/* Of functions and of memory: what firmware hides reads all ones. */
static bool is_hidden(const struct box *box)
{
	const struct pmu_reg gate = box_gate(box);

	return gate.space == REG_MMIO && (uint32_t)pmu_get(gate) == PCI_ABSENT;
}

static void find_registers(struct box *box, const struct box_unit *unit)
{
	box->counters = unit->counters;
	if (is_hidden(box))
		box_silence(box, "its registers read all ones: the firmware hides them");
	else
		box_say_silence(box, box_gate(box), "the table tells of a box");
}

static void fill(struct box *box, const struct box_unit *unit, const char *why)
{
	box->base = why ? 0 : base_of(box, unit);
	if (why)
		box_silence(box, "its table of discovery contradicts itself: %s", why);
	else if (!box->base)
		box_silence(box, "its table of discovery tells of other registers than are "
				 "documented");
	else
		find_registers(box, unit);
}

/* MSRs are those of the package that this processor is in. */
static bool is_in_reach(const struct box_kind *kind, const struct box_socket *socket)
{
	return kind->space != REG_MSR || socket->number == box_own_package();
}

static void add_unit(const struct box_part *part, const struct box_unit *unit,
		     const struct box_socket *socket, const char *why)
{
	const struct box_kind *kind = kind_of(part, unit->type);

	if (kind && unit->id <= UINT8_MAX && is_in_reach(kind, socket) &&
	    !is_added(kind, unit->id, socket->number))
		fill(box_add(kind, unit->id, socket), unit, why);
}

static void add_units(const struct box_part *part, const struct box_table *table,
		      const struct box_socket *socket)
{
	for (unsigned i = 0; i < table->units; i++) {
		struct box_unit unit;
		const char *why;

		if (box_read_unit(table, i, &unit, &why) || why)
			add_unit(part, &unit, socket, why);
	}
}

/* ---- tables ---- */

#define BUSES          256u
#define DEVICES        32u
#define FUNCTIONS      8u
#define HEADER_TYPE    0x0cu
#define MULTI_FUNCTION BIT(23)

static void add_tables_of(const struct box_part *part, uint16_t function, unsigned *tables)
{
	const volatile uint32_t *space = pci_map(function), *cap = space ? capability(space) : NULL;
	struct box_socket socket = {.number = (uint8_t)*tables};
	struct box_table table;

	if (!cap || field_get(PLACE_OFFSET, cap[CAP_PLACE]))
		return;
	++*tables;
	if (!map_table(address_in(space, (unsigned)field_get(PLACE_BIR, cap[CAP_PLACE])), &table))
		add_units(part, &table, &socket);
}

static unsigned functions_of(uint16_t device)
{
	if (pci_read(device, PCI_ID) == PCI_ABSENT)
		return 0;
	return pci_read(device, HEADER_TYPE) & MULTI_FUNCTION ? FUNCTIONS : 1;
}

/* One of each die, in the order of their buses, as the dies are taken to be. */
void box_find_units(const struct box_part *part)
{
	unsigned tables = 0;

	for (unsigned device = 0; device < BUSES * DEVICES; device++) {
		uint16_t function = (uint16_t)(device * FUNCTIONS);

		for (unsigned left = functions_of(function); left--; function++)
			if (box_has_id(function, part->discovery))
				add_tables_of(part, function, &tables);
	}
}
