/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's TSC.  While a counter counts its ticks, it goes by the clocks of the model, which are
 * slower than the machine's: it falls behind. */
#include "stepping.h"

static struct {
	bool own;
	uint64_t base, first_tick;
} tsc;

void tsc_stop(struct guest *g)
{
	if (!tsc.own)
		return;
	g->vmcb->tsc_offset = tsc_read(g) - read_tsc();
	g->vmcb->intercept &= ~INTERCEPT_RDTSC;
	tsc.own = false;
}

void tsc_update(struct guest *g)
{
	if (!g->stepping || !silicon_counts_tsc(&silicon_cpu)) {
		tsc_stop(g);
	} else if (!tsc.own) {
		tsc.base = tsc_read(g);
		tsc.first_tick = silicon_tsc_ticks(&silicon_cpu);
		g->vmcb->intercept |= INTERCEPT_RDTSC;
		tsc.own = true;
	}
}

uint64_t tsc_read(const struct guest *g)
{
	if (!tsc.own)
		return read_tsc() + g->vmcb->tsc_offset;
	return tsc.base + silicon_tsc_ticks(&silicon_cpu) - tsc.first_tick;
}
