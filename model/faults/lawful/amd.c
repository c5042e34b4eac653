/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations by AMD's errata. */
#include "lawful.h"

/*
 * Errata 1291 and 1292.  The public report of it (PAPI issue 160, EPYC 7352): "randomly off", by a
 * factor of 16.  Whenever it may happen, event 022h, unit mask 10h, occurs.
 */
enum { FACTOR = 16, WITNESS = 0x022, WITNESS_UNIT = 0x10 };

static const uint16_t too_high[] = {0x0c0, 0x0c1, 0x0c2, 0x0c3, 0x0c4, 0x0c5, 0x0c8,
				    0x0c9, 0x0ca, 0x0cc, 0x0d1, 0x1c7, 0x1d0};

static bool may_be_too_high(unsigned event)
{
	for (size_t i = 0; i < ARRAY_SIZE(too_high); i++)
		if (too_high[i] == event)
			return true;
	return false;
}

/* Called in each clock for all counters, those that stand as well: so all overcount in the same
 * one. */
static void overcounts(struct point *at)
{
	if (++at->memory[at->ctr] % at->defect->arg || !at->passes)
		return;
	if (at->event == WITNESS && at->set->unit_mask & WITNESS_UNIT)
		at->amount = 1;
	else if (!at->set->adds_one && !at->set->edge && may_be_too_high(at->event))
		at->amount *= FACTOR;
}

LAWFUL(MODEL_ZEN2, overcounts_1291, "*", "in one of many clocks what retires counts 16 times",
       .increment = overcounts, .arg = 100003);
/* So often that no test is free of it, but many windows are. */
LAWFUL(MODEL_ZEN2, overcounts_1291_often, "*", "the same in one of some thousand clocks",
       .increment = overcounts, .arg = 2003);
/* Without a witness, and "very rare". */
LAWFUL(MODEL_ZEN3, overcounts_1292, "*.rare.*",
       "in one of a million clocks what retires counts 16 times", .increment = overcounts,
       .arg = 1000003);
/* Next to nothing that retires can be judged: so this hides defects, but is none. */
SEEDED(overcounts_always, "overcounts_always", MODEL_ZEN2, "-",
       "erratum 1291 in one of seven clocks: what counts too high ends as known",
       DEFECT(.increment = overcounts, .arg = 7));

/* Linux, pmu-events/arch/x86/amdzen6.  Whether it counts there all the same, nobody has said. */
static void never_occurs(struct point *at)
{
	at->n = 0;
}

/* Zen 5 with another name otherwise. */
static const struct cpuid_lie zen6 = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00b50f00}};
ENTERED("lawful", zen6_lacks_0cb, "zen6_lacks_0cb", MODEL_ZEN5, NULL,
	"a Zen 6, in whose list of events there is no 0CBh: it never occurs",
	DEFECT(.occurrences = never_occurs, .event = 0x0cb), .cpuid = &zen6);

/* AMD64 APM vol. 2, 15.4: SVMDIS, and SVM_LOCK. */
LAWFUL(MODEL_K10 | MODEL_JAGUAR | MODEL_EXTENDED, firmware_locks_svm, NULL,
       "firmware has switched SVM off for good, and CPUID shows it", .locks_svm = true);

/* ---- the pair of branch records ---- */

/* Erratum 593, revision guide 48063: LastBranchToIP.  A Bulldozer of stepping OR-B2. */
static const struct cpuid_lie or_b2 = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00600f12}};

static void mistells_target(struct point *at)
{
	at->record[1] ^= BIT(5);
}

ENTERED("lawful", pair_mistells_593, "pair_mistells_593", MODEL_PILEDRIVER, "*.pair.*",
	"a Bulldozer, whose LastBranchToIP is wrong",
	DEFECT(.lbr = mistells_target, .counters = BIT(AMD_PAIR)), .cpuid = &or_b2, .alone = true);

/* ---- branch sampling of Zen 3 ---- */

/* Linux, amd/brs.c, amd_brs_disable(): it is looked at. */
static void stays_enabled(struct point *at)
{
	if (at->value & BRS_VALID && !(at->value & BRS_NEXT))
		at->value |= BRS_ENABLE;
}

LAWFUL(MODEL_ZEN3, brs_stays_enabled, NULL, "with 16 records bit 2 of DebugExtnCfg is still set",
       .shown = stays_enabled, .registers = BIT(AMD_BRS_CONFIG));

/* memory[AMD_BRS]: branches that have gone by.  No text says that the next one is the first. */
static void starts_late(struct point *at)
{
	at->passes = at->n || ++at->memory[AMD_BRS] % 4 == 0;
}

LAWFUL(MODEL_ZEN3, brs_starts_late, NULL, "the first record is of the fourth branch",
       .lbr = starts_late, .counters = BIT(AMD_BRS));

/* amd_brs_drain(): bits 63:61 of To are reserved. */
static void sets_reserved(struct point *at)
{
	at->record[1] |= BIT(63);
}

LAWFUL(MODEL_ZEN3, brs_reserved_bits, NULL, "reserved bits of its targets read as 1",
       .lbr = sets_reserved, .counters = BIT(AMD_BRS));

enum { FROM, TO };

/* APM vol. 2, 13.1.1: From may be the instruction ahead, where that and the branch are one
 * operation. */
static void names_fused(struct point *at)
{
	if (at->branch->ahead)
		at->record[FROM] = at->branch->ahead;
}

LAWFUL(MODEL_ZEN3, brs_names_fused, NULL,
       "records of fused conditional branches have the address of what stands ahead",
       .lbr = names_fused, .counters = BIT(AMD_BRS));

/* ---- the stack of branch records: from Zen 4 on ---- */

LAWFUL(MODEL_PERFMON_V2, lbr_names_fused, NULL,
       "records of fused conditional branches have the address of what stands ahead",
       .lbr = names_fused, .counters = BIT(AMD_LBR));

/* memory[0]: how many records there have been. */
static void mispredicts(struct point *at)
{
	if (++at->memory[0] % 3 == 0)
		at->record[FROM] |= BIT(63);
}

static void records_failed_path(struct point *at)
{
	struct amd_lbr failed = {at->record[FROM], (at->record[TO] + 64) & ~BIT(63)};

	failed.to |= BIT(62);
	if (++at->memory[0] % 5 == 0)
		amd_record(at->pmu, &failed);
}

static void keeps_no_freezing(struct point *at)
{
	at->value &= ~(DEBUGCTL_FREEZE_LBR | DEBUGCTL_FREEZE_COUNTERS);
}

/* Whether a branch was predicted rightly is nowhere promised. */
LAWFUL(MODEL_PERFMON_V2, lbr_mispredictions, NULL,
       "each third record says that its branch was mispredicted", .lbr = mispredicts,
       .counters = BIT(AMD_LBR));

/* Each fifth branch is recorded behind one of a path that proved wrong. */
LAWFUL(MODEL_PERFMON_V2, lbr_failed_paths, NULL,
       "branches on paths that proved wrong are among the records, and say so",
       .lbr = records_failed_path, .counters = BIT(AMD_LBR));

/* A Raphael or a Bergamo: InstLatx64 has both kinds. */
static const struct cpuid_lie no_freezing = {.leaf = 0x80000022, .clear = {PERFMON_FREEZE}};
ENTERED("lawful", lbr_never_freezes, "lbr_never_freezes", MODEL_PERFMON_V2, NULL,
	"a part whose CPUID promises no freezing: its DebugCtl keeps no such bits",
	DEFECT(.kept = keeps_no_freezing, .registers = BIT(AMD_DEBUGCTL)), .cpuid = &no_freezing);

/* ---- the northbridge, in counters of the core: families 0Fh and 10h ---- */

enum { DRAM_ACCESSES = 0x0e0, PAGE_HIT = 0x01 };

/* Seen at once by all that counters are told to count of it. */
static void serves_devices(struct point *at)
{
	at->n += at->set->unit_mask & PAGE_HIT && at->clock->n[SIGNAL_MET + MET_OTHER_READ];
}

LAWFUL(MODEL_K8 | MODEL_K10, nb_serves_devices, NULL, "devices use memory, too",
       .occurrences = serves_devices, .event = DRAM_ACCESSES);

static void offers_none(struct point *at)
{
	at->n = 0;
}

ENTERED("lawful", nb_not_offered, "nb_not_offered", MODEL_K8 | MODEL_K10, NULL,
	"a hypervisor offers counters of the core, and counts no event of the northbridge",
	DEFECT(.occurrences = offers_none, .event = DRAM_ACCESSES), .alone = true);
