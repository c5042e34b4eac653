/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boxes with registers in memory: where the host bridge, function 0:0.0, has a window of them
 * (Intel's MCHBAR), or a function of each die shows where controllers of memory have theirs.
 * Addresses are read and never written, so that nothing is ever sized; firmware may close a window,
 * or hide what is in it, as trusted boot does.
 */
#include "box.h"

#define HOST_BRIDGE PCI_FUNCTION(0, 0, 0)
#define IS_OPEN     BIT(0)
#define ADDRESS     FIELD(51, 15)

/* 0: the host bridge shows none. */
static uint64_t window_of(const struct box_part *part)
{
	const uint32_t low = pci_read(HOST_BRIDGE, part->window_at),
		       high = pci_read(HOST_BRIDGE, part->window_at + 4u);

	if (low == PCI_ABSENT || !(low & IS_OPEN))
		return 0;
	return ((uint64_t)high << 32 | low) & ADDRESS;
}

static bool all_read(const struct box *box, uint32_t value)
{
	for (const struct box_meter *row = box->kind->meters; row && row->name; row++)
		if ((uint32_t)pmu_get(box_register(box, row->at, 4)) != value)
			return false;
	return box->kind->meters || (uint32_t)pmu_get(box_gate(box)) == value;
}

/* What is hidden reads all ones, as nothing else of it does: not all meters are ever there. */
static bool is_hidden(const struct box *box)
{
	return all_read(box, PCI_ABSENT);
}

/* Of one that a part need not have, too. */
static void find_global(struct box *box, uint64_t window)
{
	volatile uint32_t *global = NULL;

	if (box_gating(box->kind)->global_at)
		global = device_map(window + box_gating(box->kind)->global_at);
	if (global && *global != PCI_ABSENT)
		box->global = (uintptr_t)global;
}

static const char *map(struct box *box, uint64_t address)
{
	box->base = (uintptr_t)device_map(address);
	if (!box->base)
		return "the address of its registers cannot be mapped";
	return is_hidden(box) ? "its registers read all ones: the firmware hides them" : NULL;
}

const char *box_find_in_window(struct box *box, uint32_t offset)
{
	const uint64_t window = window_of(box->part);
	const char *why;

	if (!window)
		return "the host bridge shows no address of its registers, as firmware may have it";
	why = map(box, window + offset);
	if (!why)
		find_global(box, window);
	return why;
}

/* ---- blocks of controllers: Linux, uncore_snbep.c: snr_uncore_mmio_map() ---- */

#define BASE_AT     0xd0u
#define BASE        FIELD(28, 0) /* of those of the die, in units of 8 MiB, */
#define BASE_SHIFT  23
#define BLOCK       FIELD(10, 0) /* and behind it of a controller's, in pages; 0: it has none */
#define BLOCK_SHIFT 12

uint64_t box_block(uint32_t base, uint32_t block)
{
	if (base == PCI_ABSENT || block == PCI_ABSENT || !field_get(BLOCK, block))
		return 0;
	return (field_get(BASE, base) << BASE_SHIFT) + (field_get(BLOCK, block) << BLOCK_SHIFT);
}

/* One of a channel that is not in use reads 0, and ignores what is written. */
static bool is_there(const struct box *box)
{
	return box->kind->counters ? box_acts(box) : !all_read(box, 0);
}

const char *box_find_in_block(struct box *box, uint16_t function, unsigned bar_at, uint32_t offset)
{
	const uint64_t block = box_block(pci_read(function, BASE_AT), pci_read(function, bar_at));
	const char *why = block ? map(box, block + offset) : "no address of its registers is shown";

	return why || is_there(box) ? why : "nothing there acts as one";
}
