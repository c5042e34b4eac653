/* SPDX-License-Identifier: BSD-2-Clause */
/* A P-core beside E-cores, by CPUID: leaf 0AH tells what both kinds have, leaf 23H what this one
 * has. */
#include "lawful.h"

#define ALL UINT32_MAX

/* ACRN passes the PMU through to virtual machines for which that is configured.  It keeps subleaf 0
 * of leaf 23H, and answers so for all subleaves: set_vcpuid_entries(). */
static const struct cpuid_lie acrn_signature = {.leaf = 0x40000000,
						.clear = {0, ALL, ALL, ALL},
						.set = {0, 0x4e524341, 0x4e524341, 0x4e524341}};

#define AS_SUBLEAF_0(name_, subleaf_, next_)                                                       \
	static const struct cpuid_lie name_ = {.leaf = 0x23,                                       \
					       .subleaf = (subleaf_),                              \
					       .clear = {ALL, ALL, ALL, ALL},                      \
					       .set = {0xb},                                       \
					       .next = (next_)}

AS_SUBLEAF_0(subleaf_3, 3, &acrn_signature);
AS_SUBLEAF_0(subleaf_1, 1, &subleaf_3);

ENTERED("lawful", acrn_has_one_subleaf, "acrn_has_one_subleaf", MODEL_REDWOOD, NULL,
	"ACRN answers with subleaf 0 of leaf 23H for each of its subleaves", .cpuid = &subleaf_1,
	.alone = true);
