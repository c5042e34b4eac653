/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst's counters as the manual has them wired: mates, and who starts whom. */
#include "check/unit/tap.h"
#include "pmu/netburst/netburst.h"

static void check_wiring(void)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		const struct netburst_counter *c = &netburst_counters[i];
		const struct netburst_counter *mate = &netburst_counters[c->pair_mate];
		const struct netburst_counter *source = &netburst_counters[c->cascade_source];

		OK(c->pair_mate != i && mate->group == c->group && mate->half == c->half);
		OK(source->group == c->group && c->cascade_source < 16);
		/* Counters 16 and 17 are only started; the others start each other, across the
		 * halves. */
		OK(i >= 16 || (source->half != c->half && source->cascade_source == (int)i));
	}
	OK(netburst_counters[12].extended_source == 16);
	OK(netburst_counters[15].extended_source == 17);
	OK(netburst_counters[16].extended_source == 17);
	OK(netburst_counters[17].extended_source == 16);
}

int main(void)
{
	check_wiring();
	return tap_end();
}
