/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's debug store: where the Pentium 4 and later parts write samples. */
#include "kernel/lib/lib.h"
#include "records.h"

_Static_assert(offsetof(struct pmu_store, area.base) == 0x20 &&
		       offsetof(struct pmu_store, area.reset) == 0x40,
	       "DS management area");

void pmu_store_prepare(struct pmu_store *store, const struct pmu_sample_layout *layout,
		       const struct pmu_sampling *what)
{
	const uint64_t base = (uintptr_t)store->records;

	if (what->room * layout->size > PMU_STORE_SIZE)
		panic("no room for %u samples", what->room);
	memset(store, 0, sizeof(*store));
	store->area.base = store->area.index = base;
	store->area.maximum = base + what->room * layout->size;
	store->area.threshold =
		base + (what->interrupt_at ? what->interrupt_at : what->room + 1) * layout->size;
}

uint64_t pmu_store_written(const struct pmu_store *store)
{
	return store->area.index - store->area.base;
}

static uint64_t word(const struct pmu_store *store, uint64_t record, uint16_t offset)
{
	uint64_t value;

	memcpy(&value, store->records + record + offset, sizeof(value));
	return value;
}

struct pmu_sample pmu_store_take(const struct pmu_store *store, const struct pmu_sample_layout *l,
				 unsigned record)
{
	const uint64_t at = record * l->size;
	struct pmu_sample sample = {
		.size = l->says_size ? word(store, at, 0) >> 48 : l->size,
		.ip = word(store, at, l->ip),
		.event_ip = l->event_ip ? word(store, at, l->event_ip) : 0,
		.counters = l->counters ? word(store, at, l->counters) : 0,
		.flags = word(store, at, l->flags),
	};

	for (unsigned i = 0; i < SAMPLE_GPRS; i++)
		sample.gpr[i] = word(store, at, l->gpr[i]);
	return sample;
}
