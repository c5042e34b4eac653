/* SPDX-License-Identifier: BSD-2-Clause */
/* Snapshots: the registers that the program is to leave as they were. */
#include "snapshot.h"

#include "kernel/lib/fmt.h"

/* Where the registers of boxes are in the configuration space of a function. */
enum { BUSES = 256, FUNCTIONS = 256, OFFSETS = 0x380 };
#define NOTHING_THERE UINT32_C(0xffffffff)

static void add(struct snapshot *snapshot, const struct snapshot_entry *entry)
{
	if (snapshot->count < SNAPSHOT_MAX)
		snapshot->entry[snapshot->count++] = *entry;
}

static void take_range(struct silicon *s, const struct msr_range *range, struct snapshot *snapshot)
{
	for (uint32_t msr = range->first; msr <= range->last; msr++) {
		struct snapshot_entry entry = {.address = msr};

		if (silicon_rdmsr(s, msr, &entry.value) != ACCESS_DONE)
			continue;
		entry.advances = silicon_advances(s, msr);
		add(snapshot, &entry);
	}
}

static void take_function(struct silicon *s, unsigned bus, unsigned df, struct snapshot *snapshot)
{
	struct pci_access access = {(uint8_t)bus, (uint8_t)df, 0, 4};
	uint32_t value;

	if (!silicon_pci_read(s, &access, &value) || value == NOTHING_THERE)
		return;
	for (unsigned offset = 0; offset < OFFSETS; offset += 4) {
		access.offset = (uint16_t)offset;
		if (silicon_pci_read(s, &access, &value))
			add(snapshot,
			    &(struct snapshot_entry){.place = IN_PCI,
						     .address = bus << 24 | df << 16 | offset,
						     .advances = silicon_pci_advances(s, &access),
						     .value = value});
	}
}

static void take_bus(struct silicon *s, unsigned bus, struct snapshot *snapshot)
{
	for (unsigned df = 0; df < FUNCTIONS; df++)
		if (silicon_is_boxes_function((uint8_t)df))
			take_function(s, bus, df, snapshot);
}

/* A counter that runs and a meter are not read: a meter that was read is watched. */
static void take_window(struct silicon *s, struct snapshot *snapshot)
{
	uint64_t first, size;
	uint32_t value;

	if (!silicon_window(s, &first, &size))
		return;
	for (uint64_t at = first; at < first + size; at += sizeof(value)) {
		struct snapshot_entry entry = {.place = IN_MEMORY, .address = (uint32_t)at};

		if (!silicon_window_register(s, at, &entry.advances))
			continue;
		if (!entry.advances && silicon_window_read(s, at, &value))
			entry.value = value;
		add(snapshot, &entry);
	}
}

void snapshot_take(struct silicon *s, struct snapshot *snapshot)
{
	const struct msr_range *range;

	snapshot->count = 0;
	for (unsigned i = 0; (range = silicon_msr_range(i)); i++)
		take_range(s, range, snapshot);
	for (unsigned bus = 0; bus < BUSES; bus++)
		if (silicon_is_boxes_bus((uint8_t)bus))
			take_bus(s, bus, snapshot);
	take_window(s, snapshot);
}

static void name(const struct snapshot_entry *entry, char text[SNAPSHOT_NAME])
{
	uint32_t at = entry->address;

	switch (entry->place) {
	case IN_MSRS:
		fmt_print(text, SNAPSHOT_NAME, "MSR %xh", at);
		break;
	case IN_PCI:
		fmt_print(text, SNAPSHOT_NAME, "PCI %02x:%02x.%u %03xh", at >> 24, at >> 19 & 0x1f,
			  at >> 16 & 7, at & 0xffff);
		break;
	case IN_MEMORY:
		fmt_print(text, SNAPSHOT_NAME, "memory %xh", at);
		break;
	}
}

/* Which of two comes first, in the order of snapshot_take(); 0: the same register. */
static int order(const struct snapshot_entry *a, const struct snapshot_entry *b)
{
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static bool same(const struct snapshot_entry *before, const struct snapshot_entry *after)
{
	return before && after && (before->advances || before->value == after->value);
}

unsigned snapshot_compare(const struct snapshot *before, const struct snapshot *after,
			  snapshot_report *report, void *arg)
{
	char text[SNAPSHOT_NAME];
	unsigned changes = 0;
	size_t i = 0, k = 0;

	while (i < before->count || k < after->count) {
		const struct snapshot_entry *old = i < before->count ? &before->entry[i] : NULL;
		const struct snapshot_entry *new = k < after->count ? &after->entry[k] : NULL;
		int which = !old ? 1 : !new ? -1 : order(old, new);

		i += which <= 0;
		k += which >= 0;
		old = which <= 0 ? old : NULL;
		new = which >= 0 ? new : NULL;
		if (same(old, new))
			continue;
		name(old ? old : new, text);
		report(text, old ? old->value : 0, new ? new->value : 0, arg);
		changes++;
	}
	return changes;
}
