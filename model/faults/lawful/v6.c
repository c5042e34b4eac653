/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of version 6: other parts, and what no part is known to have. */
#include "lawful.h"

#include "model/faults/intel/intel.h"

#define ALL UINT32_MAX

/* How soon behind the overflow a counter is reloaded is not said: events until then are lost. */
enum { LATE = 9 };

static void is_due(struct point *at)
{
	if (at->overflowed)
		at->memory[at->ctr] = LATE;
}

static void comes_late(struct point *at)
{
	uint64_t *late = &at->memory[at->ctr];
	uint64_t lost = at->amount < *late ? at->amount : *late;

	*late -= lost;
	at->amount -= lost;
}

LAWFUL(MODEL_SKYMONT | MODEL_DARKMONT, acr_comes_late, NULL,
       "a counter is reloaded some events behind the overflow", .reload = is_due,
       .increment = comes_late);

/* A Lunar Lake: InstLatx64, a dump of 000B06D1. */
static const struct cpuid_lie lunar_lake = {.leaf = 1, .clear = {ALL}, .set = {0x000b06d1}};

ENTERED("lawful", lnl_is_the_same, "lnl_is_the_same", ARROW_LAKE, NULL, "the same as a Lunar Lake",
	.cpuid = &lunar_lake, .alone = true);

/* An Arrow Lake-H says version 5, and has leaf 23H: a dump of 000C0652. */
static const struct cpuid_lie arrow_lake_h = {.leaf = 1, .clear = {ALL}, .set = {0x000c0652}};
static const struct cpuid_lie version_5 = {.leaf = 0xa,
					   .clear = {ALL, ALL, ALL, ALL},
					   .set = {0x07300805, 0, 7, 0x8603},
					   .next = &arrow_lake_h};

ENTERED("lawful", arl_h_is_version_5, "arl_h_is_version_5", ARROW_LAKE, NULL,
	"an Arrow Lake-H, which says version 5, and tells of its counters in leaf 23H",
	.cpuid = &version_5, .alone = true);

/* ---- a hole among general counters, which no known part has ---- */

enum { HOLE = 3 };

static bool has_counter_bits(unsigned kind)
{
	return kind == INTEL_GLOBAL_CTRL || kind == INTEL_STATUS_RESET || kind == INTEL_STATUS_SET;
}

static void has_a_hole(struct point *at)
{
	if (at->reg.number == HOLE && (at->reg.kind == INTEL_EVTSEL || at->reg.kind == INTEL_PMC ||
				       at->reg.kind == INTEL_A_PMC))
		at->access = ACCESS_GP;
}

static void refuses_hole(struct point *at)
{
	if (has_counter_bits(at->reg.kind) && at->raw & BIT(HOLE))
		at->access = ACCESS_GP;
}

static void hides_hole(struct point *at)
{
	if (has_counter_bits(at->reg.kind))
		at->value &= ~BIT(HOLE);
}

static void reads_no_hole(struct point *at)
{
	if (at->index == HOLE)
		at->access = ACCESS_GP;
}

static const struct cpuid_lie shows_3 = {.leaf = 0xa, .clear = {0xff00}, .set = {HOLE << 8}};
static const struct cpuid_lie tells_of_hole = {
	.leaf = 0x23, .subleaf = 1, .clear = {BIT(HOLE)}, .next = &shows_3};

ENTERED("lawful", v6_has_a_hole, "v6_has_a_hole", MODEL_LIONCOVE, NULL,
	"by leaf 23H there is no general counter 3, and there are those above it",
	DEFECT(.address = has_a_hole, .refused = refuses_hole, .shown = hides_hole,
	       .rdpmc = reads_no_hole),
	.cpuid = &tells_of_hole, .alone = true);

/* ---- RDPMC user disable: documented, and of no known part ---- */

ENTERED("lawful", v6_disables_rdpmc, "v6_disables_rdpmc", ARROW_LAKE, NULL,
	"by leaf 23H counters can be hidden from RDPMC in ring 3",
	DEFECT(.refused = intel_takes_disable, .kept = intel_keeps_disable, .rdpmc = intel_hides),
	.cpuid = &intel_tells_of_disable, .alone = true);
