/* SPDX-License-Identifier: BSD-2-Clause */
/* When counters stand still although they are enabled, since nobody asks what they count. */
#include "step.h"

/* Instructions after which counters that nobody has touched stand still until the next access: a
 * screen that scrolls while each instruction is stepped through takes minutes. */
enum { STRETCH = 20000 };

bool hold_starting;
static uint64_t firmware_idt; /* 0: firmware is stepped through */
static unsigned stretch; /* instructions counted since the last access to an MSR */
static bool forgotten; /* too many, while every counter is enabled */

static void forget_stretch(void)
{
	stretch = 0;
	forgotten = false;
}

void hold_firmware(uint64_t idt)
{
	firmware_idt = idt;
	if (!idt)
		forget_stretch();
}

bool hold_is_on(const struct guest *g)
{
	return hold_starting || (firmware_idt && (g->vmcb->idtr.base == firmware_idt || forgotten));
}

void hold_accessed(struct guest *g)
{
	forget_stretch();
	if (firmware_idt)
		step_update(g);
}

void hold_counted(void)
{
	if (++stretch == STRETCH)
		forgotten = silicon_all_count(&silicon_cpu);
}
