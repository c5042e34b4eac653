/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that the tests of the NetBurst driver share. */
#include "netburst.h"

static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	struct slot copy = *slot;

	return netburst_program(pmu, slot->ctr, nb(&copy));
}

static struct traits traits(const struct pmu *pmu, const struct slot *slot)
{
	struct slot copy = *slot;
	const struct netburst_config *cfg = nb(&copy);
	bool user = cfg->user || cfg->other_user, kernel = cfg->kernel || cfg->other_kernel;
	bool other = cfg->other_user || cfg->other_kernel || cfg->active_thread != NB_ANY_THREAD;

	(void)pmu;
	return (struct traits){
		.events = cause_event(netburst_event_name(cfg->event)),
		.modes = trait_if(cfg->edge, TRAIT_EDGE) |
			 trait_if(cfg->compare && !cfg->complement, TRAIT_THRESHOLD) |
			 trait_if(cfg->complement, TRAIT_INVERSION) |
			 traits_of_rings(user, kernel) | trait_if(other, TRAIT_OTHER_THREAD) |
			 trait_if(cfg->cascade || cfg->extended_cascade, TRAIT_CASCADE) |
			 trait_if(cfg->force_ovf, TRAIT_FORCE_OVF) |
			 trait_if(cfg->tag_enable, TRAIT_TAG),
	};
}

const struct window_ops nb_ops = {.program = program, .traits = traits};

struct slot nb_slot(unsigned ctr, struct netburst_config cfg)
{
	struct slot slot = {.ctr = ctr};

	*nb(&slot) = cfg;
	return slot;
}

struct window nb_window(unsigned ctr, struct netburst_config cfg, struct work work)
{
	return (struct window){NB_WINDOW, .n = 1, .c = {nb_slot(ctr, cfg)}, .work = work};
}

struct slot *nb_add(struct window *w, unsigned ctr, struct netburst_config cfg)
{
	struct slot *slot = &w->c[w->n++];

	*slot = nb_slot(ctr, cfg);
	return slot;
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
	switch (netburst_counters[ctr].group) {
	case NB_BPU:
		return nb_user(NB_GLOBAL_POWER_EVENTS, 1);
	case NB_MS:
		return nb_user(NB_RETIRED_BRANCH_TYPE, BIT(3));
	case NB_FLAME:
		return nb_user(NB_64BIT_MMX_UOP, BIT(15));
	default:
		return nb_user(NB_BRANCH_RETIRED, 0xf);
	}
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
