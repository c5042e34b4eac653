/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of architectural branch records: SDM vol. 3B, chapter 19; leaf 1CH. */
#include "lawful.h"

#define PARTS_WITH_ARCH_LBR (GOLDEN_COVES | MODEL_GRACEMONT)
#define ARCH_LBR(...)       LAWFUL(PARTS_WITH_ARCH_LBR, __VA_ARGS__)

enum { INFO = 2 };
#define INFO_TYPE   FIELD(59, 56)
#define INFO_CYCLES FIELD(15, 0)

static void never_timed(struct point *at)
{
	at->record[INFO] &= ~(LBR_INFO_TIMED | INFO_CYCLES);
}

/* The bit says whether the number means something. */
ARCH_LBR(arch_lbr_never_timed, NULL, "no record tells its clocks, and says so", .lbr = never_timed);

static void times_first(struct point *at)
{
	if (!(at->record[INFO] & LBR_INFO_TIMED))
		at->record[INFO] |= LBR_INFO_TIMED | 0x1234;
}

/* Linux, lbr.c: of the first behind a start there is nothing to count from. */
ARCH_LBR(arch_lbr_first_is_timed, NULL,
	 "the first record behind a start tells clocks that mean nothing", .lbr = times_first);

/* memory[0]: how many records there have been. */
static void tells_otherwise(struct point *at)
{
	if (field_get(INFO_TYPE, at->record[INFO]) > 5)
		at->record[INFO] |= INFO_TYPE;
	if (++at->memory[0] % 3 == 0)
		at->record[INFO] |= LBR_INFO_MISSED;
}

/* No manual says how a branch is predicted, and which of the types above 5 is of which far one. */
ARCH_LBR(arch_lbr_tells_otherwise, NULL,
	 "each third record is mispredicted, and far branches are of type 15",
	 .lbr = tells_otherwise);

enum { EAX, EBX, ECX, EDX };

static const struct cpuid_lie only_32 = {.leaf = 0x1c, .clear[EAX] = FIELD(1, 0)};

static void refuses_less(struct point *at)
{
	if (at->raw != INTEL_LBR_DEPTH)
		at->access = ACCESS_GP;
}

ENTERED("lawful", arch_lbr_32_alone, "arch_lbr_32_alone", PARTS_WITH_ARCH_LBR, NULL,
	"by leaf 1CH branch records are 32 deep, and no less",
	DEFECT(.refused = refuses_less, .registers = BIT(INTEL_ARCH_LBR_DEPTH)), .cpuid = &only_32);

/* As silicon has it; the processor underneath has no XSAVES, and so the model does not show it. */
static const struct cpuid_lie xsave_lbr = {
	.leaf = 0xd, .subleaf = 15, .clear[EAX] = UINT32_MAX, .set[EAX] = 0x328};
static const struct cpuid_lie xss_lbr = {
	.leaf = 0xd, .subleaf = 1, .set[ECX] = BIT(15), .next = &xsave_lbr};

ENTERED("lawful", arch_lbr_in_xsave, "arch_lbr_in_xsave", PARTS_WITH_ARCH_LBR, NULL,
	"XSAVES saves branch records", .cpuid = &xss_lbr);
