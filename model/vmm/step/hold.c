/* SPDX-License-Identifier: BSD-2-Clause */
/* Held counters: those that firmware left enabled, or that a fault lets run on behind a program
 * that has given the machine back, stand still at times, as nobody asks what they count.  Counters
 * that a program enables count for as long as it runs. */
#include "step.h"

/* Instructions after which they stand still until the next access to an MSR: a screen that scrolls
 * meanwhile takes minutes. */
enum { STRETCH = 20000 };

bool hold_starting;
static uint64_t firmware_idt; /* 0: nothing stands still */
static bool untouched; /* no register has been written to since: all counters are firmware's */
static bool given_back; /* where the IDT is the firmware's, it has the machine, and not a program */
static unsigned stretch; /* instructions counted since the last access to an MSR */

void hold_firmware(uint64_t idt, bool left_running)
{
	firmware_idt = idt;
	untouched = given_back = left_running;
	stretch = 0;
}

static bool is_forgotten(void)
{
	return untouched && stretch >= STRETCH;
}

static bool is_firmware(const struct guest *g)
{
	bool is_its_idt = g->vmcb->idtr.base == firmware_idt;

	given_back |= !is_its_idt;
	return is_its_idt && given_back;
}

AT_EXIT bool hold_is_on(const struct guest *g)
{
	return hold_starting || (firmware_idt && (is_firmware(g) || is_forgotten()));
}

bool hold_may_begin(void)
{
	return hold_starting || untouched;
}

AT_EXIT bool hold_accessed(bool write)
{
	stretch = 0;
	untouched &= !write;
	return firmware_idt != 0;
}

void hold_counted(void)
{
	stretch++;
}
