/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's northbridges: accesses to memory, by what they find there. */
#include "box.h"

#define GROUP "traffic", "count"
#define ON_NB .clause = "AMD BKDG 42301, 3.24: NBPMCx0E0", .kinds = BOX_NORTHBRIDGE

/* Devices, and other processors, add to them. */
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT

#define PAGES                                                                                      \
	{.event = NODE_PAGE_HITS}, {.event = NODE_PAGE_MISSES},                                    \
	{                                                                                          \
		.event = NODE_PAGE_CONFLICTS                                                       \
	}

/* In windows that hold each other: the whole first, and last. */
TRIALS(pages, "each access to memory finds its page open, or none, or another one", (ON_NB),
       {LOADED, .around = true, COUNTS(.event = NODE_DRAM, ALL_LINES)},
       {LOADED, .around = true, .nested = true, .cfg = {{.event = NODE_DRAM_0}, PAGES},
	.law = {{{1, -1, -1, -1}, AT_LEAST(0)}}},
       {LOADED, .around = true, .nested = true, .cfg = {PAGES, {.event = NODE_DRAM_0}},
	.law = {{{1, 1, 1, -1}, AT_LEAST(0)}}})

static const char *one_controller(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return box_event(box_of(pmu)->kind, NODE_DRAM_1)
		       ? NULL
		       : "this northbridge has one memory controller";
}

TRIALS(controllers, "each access to memory is of one of both controllers",
       (ON_NB, .absent = one_controller),
       {LOADED, .around = true, .nested = true,
	.cfg = {{.event = NODE_DRAM}, {.event = NODE_DRAM_0}, {.event = NODE_DRAM_1}},
	.law = {{{1, -1, -1}, AT_LEAST(0)}}},
       {LOADED, .around = true, .nested = true,
	.cfg = {{.event = NODE_DRAM_0}, {.event = NODE_DRAM_1}, {.event = NODE_DRAM}},
	.law = {{{1, 1, -1}, AT_LEAST(0)}}})
