/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boxes with registers in memory: where the host bridge, function 0:0.0, has a window of them
 * (Intel's MCHBAR).  Its address is read and never written, so that nothing is ever sized; firmware
 * may close the window, or hide what is in it, as trusted boot does.
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

/* What is hidden reads all ones, as nothing else of it does: not all meters are ever there. */
static bool is_hidden(const struct box *box)
{
	for (const struct box_meter *row = box->kind->meters; row->name; row++)
		if ((uint32_t)pmu_get(box_register(box, row->at, 4)) != PCI_ABSENT)
			return false;
	return true;
}

/* Of one that a part need not have, too. */
static void find_global(struct box *box, uint64_t window)
{
	volatile uint32_t *global = NULL;

	if (box->kind->global_at)
		global = device_map(window + box->kind->global_at);
	if (global && *global != PCI_ABSENT)
		box->global = (uintptr_t)global;
}

const char *box_find_in_window(struct box *box, uint32_t offset)
{
	const uint64_t window = window_of(box->part);

	if (!window)
		return "the host bridge shows no address of its registers, as firmware may have it";
	box->base = (uintptr_t)device_map(window + offset);
	if (!box->base)
		return "the address that the host bridge shows cannot be mapped";
	if (is_hidden(box))
		return "its registers read all ones: the firmware hides them";
	find_global(box, window);
	return NULL;
}
