/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the NetBurst driver share. */
#include "netburst.h"

static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	return netburst_program(pmu, slot->ctr, &slot->nb);
}

const struct window_ops nb_ops = {.program = program};

struct window nb_window(unsigned ctr, struct netburst_config cfg, struct work work)
{
	return (struct window){NB_WINDOW, .n = 1, .c = {{.ctr = ctr, .nb = cfg}}, .work = work};
}

uint64_t nb_count(struct run *t, unsigned ctr, struct netburst_config cfg, struct work work)
{
	struct window w = nb_window(ctr, cfg, work);

	window_run(t, &w);
	return w.c[0].out;
}

void nb_upstream(struct run *t, unsigned half, const struct netburst_config *cfg)
{
	const char *impossible = netburst_program_upstream(t->pmu, half, cfg);

	if (impossible)
		test_refused(t, impossible);
}

struct netburst_config nb_event(unsigned ctr)
{
	static const struct netburst_config events[NB_GROUPS] = {
		[NB_BPU] = {.event = NB_GLOBAL_POWER_EVENTS, .mask = 1, .user = true},
		[NB_MS] = {.event = NB_RETIRED_BRANCH_TYPE, .mask = BIT(3), .user = true},
		[NB_FLAME] = {.event = NB_64BIT_MMX_UOP, .mask = BIT(15), .user = true},
		[NB_IQ] = {.event = NB_BRANCH_RETIRED, .mask = 0xf, .user = true},
	};

	return events[netburst_counters[ctr].group];
}

bool nb_counts_clocks(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_BPU;
}

bool nb_repeats(unsigned ctr)
{
	unsigned group = netburst_counters[ctr].group;

	return group == NB_MS || group == NB_IQ;
}

unsigned nb_third(unsigned a, unsigned b)
{
	unsigned ctr = NETBURST_COUNTERS - 1;

	while (ctr == a || ctr == b || !nb_same_group(ctr, a))
		ctr--;
	return ctr;
}
