/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's debug store, where the Pentium 4 and later parts write samples; and what a record has. */
#include "kernel/kernel.h"
#include "kernel/lib/lib.h"
#include "records.h"

#define CPUID_1_ECX_DTES64 BIT(2)

/* Words of the management area, behind those for branches; reset values begin at the last one. */
enum { AREA_BASE = 4, AREA_INDEX, AREA_MAXIMUM, AREA_THRESHOLD, AREA_RESET };

static const struct pmu_sample_layout narrow = {
	.word = 4,
	.gprs = 8,
	.size = 0x28,
	.flags = 0,
	.ip = 0x04,
	.gpr = {0x08, 0x10, 0x14, 0x0c, 0x24, 0x20, 0x18, 0x1c},
};

const struct pmu_sample_layout *pmu_store_layout(const struct pmu_sample_layout *wide)
{
	bool is_wide = sizeof(void *) == 8 || (cpuid(1, 0).ecx & CPUID_1_ECX_DTES64) != 0;

	return is_wide ? wide : &narrow;
}

void pmu_store_adopt(struct pmu_store *store, const struct pmu_sample_layout *l,
		     struct pmu_sampler *sampler)
{
	store->layout = l;
	sampler->size = l->size;
	sampler->has = SAMPLE_IP | SAMPLE_REGISTERS | (l->event_ip ? SAMPLE_EVENT_IP : 0) |
		       (l->counters ? SAMPLE_COUNTERS : 0);
}

static uint64_t get(const struct pmu_sample_layout *layout, const uint8_t *from)
{
	uint64_t value = 0;

	memcpy(&value, from, layout->word);
	return value;
}

static void put(struct pmu_store *store, unsigned word, uint64_t value)
{
	memcpy(store->area + word * store->layout->word, &value, store->layout->word);
}

void pmu_store_prepare(struct pmu_store *store, const struct pmu_sampling *what)
{
	const uint64_t base = (uintptr_t)store->records;
	const struct pmu_sample_layout *layout = store->layout;

	if (what->room * layout->size > PMU_STORE_SIZE)
		panic("no room for %u samples", what->room);
	memset(store, 0, sizeof(*store));
	store->layout = layout;
	put(store, AREA_BASE, base);
	put(store, AREA_INDEX, base);
	put(store, AREA_MAXIMUM, base + what->room * layout->size);
	put(store, AREA_THRESHOLD,
	    base + (what->interrupt_at ? what->interrupt_at : what->room + 1) * layout->size);
}

void pmu_store_preset(struct pmu_store *store, unsigned slot, uint64_t value)
{
	memcpy(store->area + AREA_RESET * store->layout->word + slot * sizeof(value), &value,
	       sizeof(value));
}

uint64_t pmu_store_written(const struct pmu_store *store)
{
	return get(store->layout, store->area + AREA_INDEX * store->layout->word) -
	       (uintptr_t)store->records;
}

struct pmu_sample pmu_sample_at(const struct pmu_sample_layout *l, const uint8_t *record)
{
	struct pmu_sample sample = {
		.size = l->size_field ? field_get(l->size_field, get(l, record)) : l->size,
		.ip = get(l, record + l->ip),
		.event_ip = l->event_ip ? get(l, record + l->event_ip) : 0,
		.counters = l->counters ? get(l, record + l->counters) : 0,
		.flags = get(l, record + l->flags),
	};

	for (unsigned i = 0; i < l->gprs; i++)
		sample.gpr[i] = get(l, record + l->gpr[i]);
	return sample;
}

struct pmu_sample pmu_store_take(const struct pmu_store *store, unsigned record)
{
	return pmu_sample_at(store->layout, store->records + record * store->layout->size);
}
