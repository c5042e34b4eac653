/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of AMD's instruction-based sampling: what its manuals leave open. */
#include "lawful.h"

#define PARTS_OF_ZEN   (MODEL_ZEN2 | MODEL_ZEN3 | MODEL_PERFMON_V2)
#define PARTS_FROM_15H (MODEL_PILEDRIVER | MODEL_JAGUAR | PARTS_OF_ZEN)
#define PARTS_WITH_IBS (MODEL_K10 | PARTS_FROM_15H)

#define OPS            .counters = BIT(AMD_IBS_OPS)
#define FETCHES        .counters = BIT(AMD_IBS_FETCHES)

/* memory: how many there have been. */
static bool is_one_in(struct point *at, unsigned n)
{
	return ++at->memory[at->ctr] % n == 0;
}

/* ---- when ---- */

/* PPR17, 2.1.13: there is no sample of a tagged op that is thrown away, and another period passes.
 */
static void throws_away(struct point *at)
{
	if (is_one_in(at, 3))
		at->passes = false;
}

LAWFUL(PARTS_WITH_IBS, ibs_flushes, NULL, "each third tagged op or fetch is thrown away",
       .sample = throws_away);

/* Of the same line of dispatch another op may be the one; so the period is a floor. */
static void tags_later(struct point *at)
{
	at->value += 11;
}

LAWFUL(PARTS_WITH_IBS, ibs_tags_later, NULL, "a tag is 11 ops, clocks or fetches late",
       .engine = tags_later);

/* Dispatched is not retired: ops of a path that proved wrong count, too. */
static void counts_others(struct point *at)
{
	at->value -= at->value > 1024 ? 120 : 0;
}

LAWFUL(PARTS_WITH_IBS, ibs_counts_wrong_paths, NULL,
       "120 ops of paths that proved wrong are counted in a long period", .engine = counts_others,
       OPS);

/* ---- what no valid bit vouches for ---- */

#define JUNK UINT64_C(0x5a5a5a5a5a40)

static void leaves_junk(struct point *at)
{
	uint64_t *r = at->record;

	r[OP_DATA2] = 0x13;
	r[OP_LINEAR] = r[OP_DATA3] & DATA3_LINEAR ? r[OP_LINEAR] : JUNK;
	r[OP_PHYSICAL] = r[OP_DATA3] & DATA3_PHYSICAL ? r[OP_PHYSICAL] : JUNK;
	r[OP_TARGET] = r[OP_DATA] & DATA_BRANCH ? r[OP_TARGET] : r[OP_RIP];
}

LAWFUL(PARTS_WITH_IBS, ibs_stale_data, NULL, "what no valid bit vouches for is something else",
       .sample = leaves_junk, OPS);

static void loses_physical(struct point *at)
{
	if (!is_one_in(at, 2))
		return;
	at->record[OP_DATA3] &= ~DATA3_PHYSICAL;
	at->record[OP_PHYSICAL] = JUNK;
}

LAWFUL(PARTS_WITH_IBS, ibs_loses_physical, NULL,
       "every second sample of an op has no physical address", .sample = loses_physical, OPS);

static void loses_rip(struct point *at)
{
	if (!is_one_in(at, 5))
		return;
	at->record[OP_DATA] |= BIT(38);
	at->record[OP_RIP] = JUNK;
}

LAWFUL(PARTS_FROM_15H, ibs_loses_rip, NULL, "every fifth sample of an op says that RIP is invalid",
       .sample = loses_rip, OPS);

/* A fetch that was given up may be of a path that proved wrong. */
static void gives_up(struct point *at)
{
	if (!is_one_in(at, 3))
		return;
	at->record[FETCH_STATUS] &= ~(FETCH_COMP | FETCH_PHYSICAL);
	at->record[FETCH_LINEAR] = JUNK;
}

LAWFUL(PARTS_WITH_IBS, ibs_gives_up_fetches, NULL,
       "every third fetch was given up, on a path that proved wrong", .sample = gives_up, FETCHES);

/* ---- one of several ops ---- */

/* A call or a return is several ops, one of which branches; what loads and stores, too.  Which one
 * it is follows no pattern: in step with the periods it would always be the same. */
static void is_another_op(struct point *at)
{
	const struct insn *insn = at->machine->insn;

	if (++at->memory[at->ctr] * UINT32_C(0x9e3779b9) & BIT(31))
		return;
	if (insn->class == INSN_CALL || insn->class == INSN_RET)
		at->record[OP_DATA] &= ~(DATA_BRANCH | DATA_TAKEN | DATA_RETURN);
	if (insn->loads + insn->stores > 1)
		at->record[OP_DATA3] &= ~(DATA3_LOAD | DATA3_STORE | DATA3_LOCKED | DATA3_LINEAR |
					  DATA3_PHYSICAL | DATA3_WIDTH);
}

LAWFUL(PARTS_WITH_IBS, ibs_other_ops, NULL,
       "of what is several ops half of the samples are of one that neither branches nor "
       "accesses memory",
       .sample = is_another_op, OPS);

/* SUB ECX with a conditional branch behind it: CPUID 8000_001B EAX[8]. */
static void fuses(struct point *at)
{
	static const uint8_t sub_ecx[] = {0x83, 0xe9};
	uint64_t before = at->machine->before.ip - 3;
	uint8_t code[sizeof(sub_ecx)] = {0};

	if (at->machine->insn->class != INSN_JCC)
		return;
	at->machine->read(at->machine->arg, before, code, sizeof(code));
	if (code[0] != sub_ecx[0] || code[1] != sub_ecx[1])
		return;
	at->record[OP_RIP] = before;
	at->record[OP_DATA] |= BIT(39);
}

LAWFUL(PARTS_OF_ZEN, ibs_fuses, NULL, "a subtraction is one op with the branch behind it",
       .sample = fuses, OPS);

/* ---- clocks ---- */

static void takes_long(struct point *at)
{
	uint64_t tag = ++at->memory[at->ctr] * 977 % 40000;

	at->record[OP_DATA] &= ~(DATA_TAG_TO_RET | DATA_COMP_TO_RET);
	at->record[OP_DATA] |=
		field_put(DATA_TAG_TO_RET, tag) | field_put(DATA_COMP_TO_RET, tag / 3);
}

LAWFUL(PARTS_WITH_IBS, ibs_takes_long, NULL, "ops take very different times up to retirement",
       .sample = takes_long, OPS);

/* AMD 56323: erratum 1212. */
static void tells_wrong_clocks(struct point *at)
{
	at->record[OP_DATA] &= ~DATA_TAG_TO_RET;
}

LAWFUL(MODEL_ZEN2, ibs_1212, "ibs_op.*.samples.retirement",
       "the clocks from tag to retirement are 0 (erratum 1212)", .sample = tells_wrong_clocks, OPS);

/* ---- interrupts ---- */

/* Linux, perf_ibs_stop(), and AMD: one may come of a tag that came to nothing, up to 50 us behind
 * the stop. */
static void announces_stop(struct point *at)
{
	const uint64_t enable = at->reg.kind == AMD_IBS_OP_CTL ? OP_EN : FETCH_EN;
	const uint64_t valid = at->reg.kind == AMD_IBS_OP_CTL ? OP_VAL : FETCH_VAL;
	struct ibs *ibs = &((struct pmu_amd *)at->pmu)->ibs;

	ibs->announced += (at->old & (enable | valid)) == enable && !(at->value & enable);
}

LAWFUL(PARTS_WITH_IBS, ibs_interrupts_behind_stop, NULL,
       "an interrupt comes, without a sample, of an engine that is stopped",
       .written = announces_stop, .registers = BIT(AMD_IBS_OP_CTL) | BIT(AMD_IBS_FETCH_CTL));

/* Both engines have one LVT entry: one interrupt can be for both. */
static void announces_one_of_two(struct point *at)
{
	const struct ibs *ibs = &((struct pmu_amd *)at->pmu)->ibs;

	at->requests *= !(ibs->op_ctl & OP_VAL && ibs->fetch_ctl & FETCH_VAL);
}

LAWFUL(PARTS_WITH_IBS, ibs_one_for_both, NULL,
       "what is sampled while there is a sample of the other engine does not interrupt again",
       .announce = announces_one_of_two);

/* APM vol. 2, 16.4.1 does not say. */
LAWFUL(PARTS_WITH_IBS, ibs_masks_entry, NULL, "delivery masks the LVT entry of samples",
       .masks_extended_lvt = true);

/* Which entry it is, firmware says: IbsControl. */
static void says_another_entry(struct point *at)
{
	at->value = CONTROL_ENTRY_VALID | 2;
}

static void takes_another_entry(struct point *at)
{
	at->value = 2;
}

LAWFUL(PARTS_WITH_IBS, ibs_entry_2, NULL, "samples interrupt through entry 2",
       .shown = says_another_entry, .announce = takes_another_entry,
       .registers = BIT(AMD_IBS_CONTROL));

/* Or it has set up none. */
static void says_no_entry(struct point *at)
{
	at->value = 0;
}

static void announces_nothing(struct point *at)
{
	at->requests = 0;
}

ENTERED("lawful", ibs_no_entry, "ibs_no_entry", PARTS_WITH_IBS, NULL,
	"firmware has set up no interrupt of samples",
	DEFECT(.shown = says_no_entry, .announce = announces_nothing,
	       .registers = BIT(AMD_IBS_CONTROL)),
	.alone = true);

/* ---- other parts ---- */

/* InstLatx64: a Rembrandt. */
static const struct cpuid_lie no_fetches = {.leaf = 0x8000001b, .clear = {IBS_FETCHES}};
ENTERED("lawful", ibs_without_fetches, "ibs_without_fetches", MODEL_ZEN3, NULL,
	"a part that samples ops and no fetches, whose registers fault",
	DEFECT(.address = missing, .registers = BIT(AMD_IBS_FETCH_CTL) | BIT(AMD_IBS_FETCH_LINEAR) |
						BIT(AMD_IBS_FETCH_PHYSICAL) |
						BIT(AMD_IBS_FETCH_EXTD)),
	.cpuid = &no_fetches, .alone = true);

/* PPR17: firmware hides it by default. */
static const struct cpuid_lie hidden = {.leaf = 0x80000001, .clear = {0, 0, AMD_IBS}};
ENTERED("lawful", ibs_hidden, "ibs_hidden", MODEL_ZEN2, NULL,
	"firmware hides instruction-based sampling, whose registers fault",
	DEFECT(.address = missing, .registers = FIELD(AMD_IBS_FETCH_EXTD, AMD_IBS_FETCH_CTL)),
	.cpuid = &hidden, .alone = true);

/* Linux, 28063f05f38b and e267b4178134: bits 16:13, of parts after Zen 5. */
static const struct cpuid_lie has_ctl2 = {.leaf = 0x8000001b, .set = {(uint32_t)IBS_CTL2}};
ENTERED("lawful", ibs_ctl2, "ibs_ctl2", MODEL_ZEN5, NULL,
	"engines that firmware has left disabled by a control more", DEFECT(.ibs_ctl2 = true),
	.cpuid = &has_ctl2, .alone = true);
