/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts by itself in a box. */
#include "find.h"

#define METERS_MAX  9u /* of a box */
#define BOXES_MAX   22u /* that have them: six stacks of a package, and of four four controllers */
#define CLOCKS_MOST 2u /* in a tick of the TSC */

static struct {
	struct pmu_meters meters;
	struct pmu_meter meter[METERS_MAX];
} room[BOXES_MAX];

/* In memory it is as long as its width. */
static struct pmu_reg register_of(const struct box *box, const struct box_meter *row)
{
	if (box->kind->space != REG_MSR)
		return box_register(box, row->at, row->width > 32 ? 8 : 4);
	return pmu_msr((row->of == METERED_CLOCKS ? (uint32_t)box->base : box->meters) + row->at);
}

static struct pmu_meter meter_of(const struct box *box, const struct box_meter *row)
{
	const bool clocks = row->of == METERED_CLOCKS;

	return (struct pmu_meter){
		.name = row->name,
		.reg = register_of(box, row),
		.of = row->of,
		.width = row->width,
		.moves = clocks,
		.most = clocks ? CLOCKS_MOST : row->most,
		.by_tsc = clocks,
	};
}

/* One in memory has been read already. */
static bool reads(struct pmu_reg reg)
{
	return reg.space != REG_MSR || box_reads(reg);
}

/* So many of those that were found before it have some. */
static unsigned room_of(const struct box *box)
{
	unsigned count, taken = 0;

	for (const struct box *other = box_added(&count); count-- && other != box; other++)
		taken += other->kind->meters != NULL;
	return taken;
}

void box_fill_meters(struct pmu *pmu, const struct box *box)
{
	const unsigned n = box->kind->meters ? room_of(box) : BOXES_MAX;
	struct pmu_meters *meters;
	struct pmu_meter *meter;

	if (n >= BOXES_MAX)
		return;
	meters = &room[n].meters;
	meter = room[n].meter;
	meters->count = 0;
	meters->meter = meter;
	for (const struct box_meter *row = box->kind->meters; row->name; row++) {
		meter[meters->count] = meter_of(box, row);
		meters->count += reads(meter[meters->count].reg);
	}
	if (meters->count)
		pmu->meters = meters;
}
