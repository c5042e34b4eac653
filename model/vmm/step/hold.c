/* SPDX-License-Identifier: BSD-2-Clause */
/* When counters that firmware left enabled stand still, as nobody asks what they count: only in a
 * stage.  What the program enables itself counts for as long as it runs. */
#include "step.h"

/* Instructions after which they stand still until the next access to an MSR: a screen that scrolls
 * meanwhile takes minutes. */
enum { STRETCH = 20000 };

bool hold_starting;
static uint64_t firmware_idt; /* 0: nothing stands still */
static bool
	untouched; /* the program has written to no register since: all counters are firmware's */
static unsigned stretch; /* instructions counted since the last access to an MSR */

void hold_firmware(uint64_t idt)
{
	firmware_idt = idt;
	untouched = idt;
	stretch = 0;
}

static bool is_forgotten(void)
{
	return untouched && stretch >= STRETCH;
}

bool hold_is_on(const struct guest *g)
{
	return hold_starting ||
	       (firmware_idt && (g->vmcb->idtr.base == firmware_idt || is_forgotten()));
}

bool hold_is_possible(void)
{
	return hold_starting || firmware_idt;
}

void hold_accessed(struct guest *g, bool write)
{
	stretch = 0;
	untouched &= !write;
	if (firmware_idt)
		step_update(g);
}

void hold_counted(void)
{
	stretch++;
}
