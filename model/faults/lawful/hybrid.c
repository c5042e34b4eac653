/* SPDX-License-Identifier: BSD-2-Clause */
/* A P-core beside E-cores, by CPUID: leaf 0AH tells what both kinds have, leaf 23H what this one
 * has. */
#include "lawful.h"

#define ALL UINT32_MAX

/* A Meteor Lake instead of the Alder Lake: InstLatx64, a dump of 000A06A4. */
static const struct cpuid_lie redwood_cove = {.leaf = 0x1a, .clear = {ALL}, .set = {0x40000002}};
static const struct cpuid_lie with_8_and_3 = {
	.leaf = 0xa, .clear = {ALL}, .set = {0x07300805}, .next = &redwood_cove};
static const struct cpuid_lie has_23h = {
	.leaf = 7, .subleaf = 1, .set = {BIT(8)}, .next = &with_8_and_3};
static const struct cpuid_lie has_7_1 = {.leaf = 7, .clear = {ALL}, .set = {2}, .next = &has_23h};
static const struct cpuid_lie meteor_lake = {
	.leaf = 1, .clear = {ALL}, .set = {0x000a06a4}, .next = &has_7_1};
static const struct cpuid_lie last_is_23h = {
	.leaf = 0, .clear = {ALL}, .set = {0x23}, .next = &meteor_lake};

#define LEAF_23H(name_, subleaf_, eax_, ebx_, next_)                                               \
	static const struct cpuid_lie name_ = {.leaf = 0x23,                                       \
					       .subleaf = (subleaf_),                              \
					       .clear = {ALL, ALL, ALL, ALL},                      \
					       .set = {eax_, ebx_},                                \
					       .next = (next_)}

/* Subleaves 0, 1 and 3; counters 7:0, and fixed ones 3:0. */
LEAF_23H(subleaf_0, 0, 0xb, 0, &last_is_23h);
LEAF_23H(subleaf_3, 3, 0xdff, 0, &subleaf_0);
LEAF_23H(subleaf_1, 1, 0xff, 0xf, &subleaf_3);

ENTERED("lawful", mtl_tells_in_23h, "mtl_tells_in_23h", MODEL_ALDERLAKE, NULL,
	"leaf 23H tells of a fixed counter that leaf 0AH hides", .cpuid = &subleaf_1,
	.alone = true);

/* ACRN passes the PMU through to virtual machines for which that is configured.  It keeps subleaf 0
 * of leaf 23H, and answers so for all subleaves: set_vcpuid_entries(). */
static const struct cpuid_lie acrn_signature = {.leaf = 0x40000000,
						.clear = {0, ALL, ALL, ALL},
						.set = {0, 0x4e524341, 0x4e524341, 0x4e524341},
						.next = &subleaf_0};
LEAF_23H(as_subleaf_0, 1, 0xb, 0, &acrn_signature);

ENTERED("lawful", acrn_has_one_subleaf, "acrn_has_one_subleaf", MODEL_ALDERLAKE, NULL,
	"ACRN answers with subleaf 0 of leaf 23H for each of its subleaves", .cpuid = &as_subleaf_0,
	.alone = true);
