/* SPDX-License-Identifier: BSD-2-Clause */
/* Nehalem's uncore: worked examples. */
#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "pmu/box/box.h"

extern const struct box_part box_part_nhm;

int main(void)
{
	const struct box_kind *kind = &box_part_nhm.kinds[0];
	const struct box box = {
		.kind = kind, .part = &box_part_nhm, .base = box_part_nhm.places[0].base};
	const struct box_config reads = {.event = WHOLE_READS}, clocks = {.event = BOX_CLOCKS},
				limited = {.event = BOX_CLOCKS, .at_least = 1};

	OK(box_gate(&box).address == 0x391);
	OK(box_ctl(&box, 1).address == 0x3c1 && box_ctr(&box, 1).address == 0x3b1);
	OK(box_ctl(&box, 7).address == 0x3c7 && box_ctr(&box, 7).address == 0x3b7);
	/* Four counters, the fixed one, and interrupts of core 0. */
	OK(((kind->gate->run & ~FIELD(7, 4)) | field_put(kind->interrupts->cores, 1)) ==
	   UINT64_C(0x100010000000f));
	OK(box_encode(kind, &reads) == 0x40072c);
	OK((0x500f09 & kind->select->interrupt) != 0);
	/* Fewer than 255, and no other threshold beside that. */
	OK(box_encode(kind, &clocks) == 0xffc00100);
	OK(box_lacks(kind, &limited) && !box_lacks(kind, &clocks));
	return tap_end();
}
