/* SPDX-License-Identifier: BSD-2-Clause */
/* What a table of discovery says.  Pure, but that it reads the table, which is in a device, by
 * aligned quadwords alone. */
#include "discovery.h"

#define ALL_ONES UINT64_MAX

/* Of the first quadword of the global entry, */
#define GLOBAL_STRIDE FIELD(15, 8)
#define GLOBAL_UNITS  FIELD(25, 16)
/* and of those of a unit. */
#define UNIT_COUNTERS FIELD(7, 0)
#define UNIT_CTL      FIELD(15, 8)
#define UNIT_WIDTH    FIELD(23, 16)
#define UNIT_CTR      FIELD(31, 24)
#define UNIT_SPACE    FIELD(63, 62)
#define UNIT_TYPE     FIELD(15, 0)
#define UNIT_ID       FIELD(31, 16)
enum { QUADS = 3 };

const char *box_read_table(struct box_table *table, const volatile uint64_t *entries)
{
	const uint64_t first = entries[0], control = entries[1];

	*table = (struct box_table){.entries = entries,
				    .stride = (unsigned)field_get(GLOBAL_STRIDE, first),
				    .units = (unsigned)field_get(GLOBAL_UNITS, first)};
	if (!first || first == ALL_ONES || !control || control == ALL_ONES)
		return "its first entry is empty";
	if (table->stride < QUADS)
		return "its entries are shorter than 24 bytes";
	return table->units ? NULL : "it has no entries";
}

/* Linux leaves these out. */
static bool is_empty(const uint64_t quad[QUADS])
{
	for (unsigned i = 0; i < QUADS; i++)
		if (quad[i] == ALL_ONES)
			return true;
	return !quad[0] || !quad[1] || !field_get(UNIT_COUNTERS, quad[0]) ||
	       !field_get(UNIT_CTL, quad[0]) || !field_get(UNIT_CTR, quad[0]);
}

/* Registers of one kind lie side by side: no more of them fit than lie between both. */
static const char *contradiction(const struct box_unit *unit)
{
	unsigned apart = unit->ctl < unit->ctr ? unit->ctr - unit->ctl : unit->ctl - unit->ctr;

	if (unit->space >= UNIT_SPACES)
		return "its registers are in a space that there is not";
	if (unit->counters > apart)
		return "its controls and counters overlap";
	if (!unit->width || unit->width > 64)
		return "its counters have no width that there is";
	if (unit->space == UNIT_MSR && unit->base > UINT32_MAX - UINT8_MAX)
		return "its first MSR has no number of 32 bits";
	if (unit->space != UNIT_MSR && unit->base % 4)
		return "its registers do not begin at a multiple of four bytes";
	return NULL;
}

bool box_read_unit(const struct box_table *table, unsigned i, struct box_unit *unit,
		   const char **why)
{
	const volatile uint64_t *entry = table->entries + (size_t)(i + 1) * table->stride;
	const uint64_t quad[QUADS] = {entry[0], entry[1], entry[2]};

	*why = NULL;
	if (is_empty(quad))
		return false;
	*unit = (struct box_unit){
		.type = (uint16_t)field_get(UNIT_TYPE, quad[2]),
		.id = (uint16_t)field_get(UNIT_ID, quad[2]),
		.space = (uint8_t)field_get(UNIT_SPACE, quad[0]),
		.counters = (uint8_t)field_get(UNIT_COUNTERS, quad[0]),
		.width = (uint8_t)field_get(UNIT_WIDTH, quad[0]),
		.ctl = (uint8_t)field_get(UNIT_CTL, quad[0]),
		.ctr = (uint8_t)field_get(UNIT_CTR, quad[0]),
		.base = quad[1],
	};
	*why = contradiction(unit);
	return !*why;
}
