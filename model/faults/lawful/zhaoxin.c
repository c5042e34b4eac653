/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of Zhaoxin's counters: what Linux, the only source, leaves open. */
#include "lawful.h"

LAWFUL(MODEL_ZHAOXIN, zx_copies_bit31, NULL,
       "a write of a general counter takes 32 bits and copies the last upwards",
       .kept = extends_bit31, .registers = BIT(INTEL_PMC));

static void cuts(struct point *at)
{
	at->access = ACCESS_DONE;
}

LAWFUL(MODEL_ZHAOXIN, zx_cuts_wide_writes, NULL,
       "registers drop reserved bits, and counters what is wider than they are", .refused = cuts,
       .registers = BIT(INTEL_EVTSEL) | BIT(INTEL_FIXED_CTR) | BIT(INTEL_FIXED_CTR_CTRL) |
		    BIT(INTEL_GLOBAL_CTRL) | BIT(INTEL_STATUS_RESET));

LAWFUL(MODEL_ZHAOXIN, zx_has_no_threshold, NULL,
       "E, PC, INV and CMASK of a select register read 0 and do nothing",
       KEEPS(INTEL_EVTSEL, .clear = SELECT_EDGE | SELECT_PC | SELECT_INV | SELECT_CMASK));

LAWFUL(MODEL_ZHAOXIN, zx_overcounts, NULL, "a taken branch counts twice as an instruction",
       .occurrences = counts_too, .event = INTEL_EVENT(SIGNAL_INSTRUCTIONS), .arg = SIGNAL_TAKEN);

LAWFUL(MODEL_ZHAOXIN, zx_branches_as_predicted, NULL,
       "a mispredicted branch counts again where it is executed", .occurrences = counts_too,
       .event = INTEL_EVENT(SIGNAL_BRANCHES), .arg = SIGNAL_OUTCOME + TAKEN_MISPREDICTED);

/* Linux lists no more than cycles and instructions of it: InstLatx64, a dump of 000607B1. */
static const struct cpuid_lie kx7000 = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x000607b1}};

ENTERED("lawful", zx_is_later, "zx_is_later", MODEL_ZHAOXIN, NULL,
	"the same as a KX-7000, of which no events but two are known", .cpuid = &kx7000,
	.alone = true);

static const struct cpuid_lie other_name = {
	.leaf = 0, .clear = {0, ~0u, ~0u, ~0u}, .set = {0, 0x68532020, 0x20206961, 0x68676e61}};

ENTERED("lawful", zx_is_shanghai, "zx_is_shanghai", MODEL_ZHAOXIN, NULL,
	"the same under the maker's other name", .cpuid = &other_name, .alone = true);
