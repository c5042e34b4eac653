/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of branch records, whose bits are the same in Intel's MSR_LBR_SELECT and AMD's
 * LastBranchStackSelect; of architectural ones, by what their control leaves out. */
#include "common.h"

#define FILTER_FAULT(name_, test_, says_, ...)                                                     \
	AMD_FAULT(MODEL_PERFMON_V2, v2_##name_, test_, says_, __VA_ARGS__);                        \
	INTEL_FAULT(MODEL_V3 | MODEL_GOLDENCOVE, name_, test_, says_, __VA_ARGS__)
#define FILTER_FAULT_DO(name_, test_, says_, statement_)                                           \
	HOOK(name_, statement_)                                                                    \
	FILTER_FAULT(name_, test_, says_, .branch = do_##name_)

FILTER_FAULT_DO(lbr_filter_dead, "*.lbr.filter", "the filter of branches has no effect",
		at->passes = true);
FILTER_FAULT_DO(lbr_filter_misses_cpl, "*.lbr.filter",
		"the filter of branches does not filter privilege levels",
		at->passes = !(at->raw & at->value & ~FIELD(1, 0)));
FILTER_FAULT_DO(lbr_filter_inverted, "*.lbr.filter",
		"a set bit of the filter lets its branches pass, and only those",
		at->passes = !at->raw || at->raw & at->value);
FILTER_FAULT_DO(lbr_cpl1_is_0, "*.lbr.filter", "the filter of branches takes ring 1 for ring 0",
		if (at->branch->cpl == 1) at->passes = !(at->raw & (at->value ^ 3)));

/* Bits of the filter: one that does nothing, and one that does its neighbour's, too. */
static void ignores_bit(struct point *at)
{
	at->passes = !(at->raw & ~at->defect->arg & at->value);
}

static void drops_neighbour(struct point *at)
{
	uint64_t bit = at->defect->arg;

	if (at->raw & bit && at->value & bit << 1)
		at->passes = false;
}

#define IGNORED(name_, bit_)                                                                       \
	FILTER_FAULT(lbr_filter_ignores_##name_, "*.lbr.each_kind",                                \
		     "bit " #bit_ " of the filter of branches has no effect",                      \
		     .branch = ignores_bit, .arg = BIT(bit_))
#define FILTER_BIT(name_, bit_)                                                                    \
	IGNORED(name_, bit_);                                                                      \
	FILTER_FAULT(lbr_filter_##name_##_drops_next, "*.lbr.each_kind",                           \
		     "bit " #bit_ " of the filter keeps out what the next bit does",               \
		     .branch = drops_neighbour, .arg = BIT(bit_))

FILTER_BIT(jcc, 2);
FILTER_BIT(relative_call, 3);
FILTER_BIT(indirect_call, 4);
IGNORED(return, 5);
IGNORED(far, 8);
