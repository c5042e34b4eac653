/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of discovery by whatever firmware.  The input is the table, which goes on with zeros up to
 * where its first entry says that it ends.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "pmu/box/discovery.h"

enum { FIRST = 24, UNITS_MAX = 1023, STRIDE_MAX = 255 };

/* Of exactly so many bytes. */
static const uint64_t *table_of(const uint8_t *data, size_t size, size_t bytes)
{
	uint8_t *table = fuzz_block(bytes);

	memset(table, 0, bytes);
	memcpy(table, data, size < bytes ? size : bytes);
	return (const uint64_t *)(const void *)table;
}

static bool is_same(const struct box_unit *a, const struct box_unit *b)
{
	return a->type == b->type && a->id == b->id && a->space == b->space &&
	       a->counters == b->counters && a->width == b->width && a->ctl == b->ctl &&
	       a->ctr == b->ctr && a->base == b->base;
}

static void must_be_unit(const struct box_unit *unit)
{
	MUST(unit->space < UNIT_SPACES && unit->base);
	MUST(unit->counters && unit->ctl && unit->ctr && unit->ctl != unit->ctr);
	MUST(unit->width && unit->width <= 64);
	MUST(unit->space != UNIT_MSR || unit->base + unit->ctr <= UINT32_MAX);
}

static void read_units(const struct box_table *table)
{
	for (unsigned i = 0; i < table->units; i++) {
		struct box_unit unit, again;
		const char *why, *still;
		bool there = box_read_unit(table, i, &unit, &why);

		MUST(there == box_read_unit(table, i, &again, &still) && why == still);
		if (why)
			must_be_sentence(why);
		if (there)
			must_be_unit(&unit);
		MUST(!there || (!why && is_same(&unit, &again)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct box_table table;
	const char *why = box_read_table(&table, table_of(data, size, FIRST));

	if (why) {
		must_be_sentence(why);
	} else {
		MUST(table.units && table.units <= UNITS_MAX && table.stride <= STRIDE_MAX);
		why = box_read_table(
			&table,
			table_of(data, size, (table.units + 1) * table.stride * sizeof(uint64_t)));
		MUST(!why);
		read_units(&table);
	}
	fuzz_free_all();
	return 0;
}
