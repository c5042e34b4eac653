/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the northbridge's events in counters of the core: families 0Fh and 10h. */
#include "amd.h"

enum { DRAM_ACCESSES = 0x0e0, PAGE_HIT = 1, PAGE_MISS = 2, PAGE_CONFLICT = 4 };
enum { DCT1 = 0x38 }; /* unit mask of all that the second controller does */

static bool asks_for(const struct point *at, unsigned unit_mask)
{
	return at->set->unit_mask == unit_mask;
}

static unsigned met(const struct point *at, unsigned page)
{
	const uint8_t *n = &at->clock->n[SIGNAL_MET + MET_MEMORY];

	return n[page] + n[page + MEMORY_PAGES];
}

#define NB_FAULT(models_, name_, test_, says_, statement_)                                         \
	FAULT_DO_ON(models_, name_, test_, says_, occurrences, statement_, .event = DRAM_ACCESSES)

NB_FAULT(MODEL_K8 | MODEL_K10, nb_conflicts_lost, "nb.*.traffic.pages",
	 "no access to memory conflicts with an open page",
	 at->n = asks_for(at, PAGE_CONFLICT) ? 0 : at->n);
NB_FAULT(MODEL_K8 | MODEL_K10, nb_hit_and_miss, "nb.*.traffic.pages",
	 "an access to an open page counts as a miss, too",
	 at->n += asks_for(at, PAGE_MISS) ? met(at, 0) : 0);
NB_FAULT(MODEL_K8 | MODEL_K10, nb_mask_ignored, "nb.*.traffic.pages",
	 "all accesses to memory are counted, whatever the unit mask",
	 at->n = met(at, 0) + met(at, 1) + met(at, 2));
NB_FAULT(MODEL_K8 | MODEL_K10, nb_every_second, "nb.*.traffic.pages",
	 "of accesses to memory every second one is counted",
	 at->n = at->n && ++at->memory[at->ctr] % 2);
NB_FAULT(MODEL_K8 | MODEL_K10, nb_dead_in_counter_3, "nb.3.count.counters_agree",
	 "counter 3 counts no event of the northbridge", at->n = at->ctr == 3 ? 0 : at->n);
NB_FAULT(MODEL_K10, nb_second_controller_lost, "nb.*.traffic.controllers",
	 "accesses by the second memory controller are not counted",
	 at->n = asks_for(at, DCT1) ? 0 : at->n);
NB_FAULT(MODEL_K10, nb_first_controller_in_both, "nb.*.traffic.controllers",
	 "accesses by the first memory controller are counted as those of the second, too",
	 at->n = asks_for(at, DCT1) ? met(at, 0) + met(at, 1) + met(at, 2) : at->n);

/* Where nothing at all is counted, a hypervisor may be why: so there is none. */
static const struct cpuid_lie no_hypervisor = {.leaf = 1, .clear = {0, 0, (uint32_t)BIT(31)}};

HOOK(nb_in_ring_3, at->n = at->clock->cpl ? at->n : 0)
SEEDED(nb_in_ring_3, "nb_in_ring_3", MODEL_K8 | MODEL_K10, "nb.*.traffic.pages",
       "in ring 0 no access to memory is counted",
       DEFECT(.occurrences = do_nb_in_ring_3, .event = DRAM_ACCESSES), .cpuid = &no_hypervisor);
