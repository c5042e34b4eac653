/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of AMD's instruction-based sampling: what its errata publish. */
#include "lawful.h"

#define OPS     .counters = BIT(AMD_IBS_OPS)
#define FETCHES .counters = BIT(AMD_IBS_FETCHES)

static struct ibs *ibs(const struct point *at)
{
	return &((struct pmu_amd *)at->pmu)->ibs;
}

static bool is_one_in(struct point *at, unsigned n)
{
	return ++at->memory[at->ctr] % n == 0;
}

/* ---- family 10h: revision guide 41322 ---- */

/* An Agena, which has no leaf that tells of its engines. */
static const struct cpuid_lie no_leaf = {
	.leaf = 0x80000000, .clear = {UINT32_MAX}, .set = {0x8000001a}};
static const struct cpuid_lie revision_b = {
	.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00100f22}, .next = &no_leaf};
#define OF_REVISION_B(name_, known_, says_, sample_)                                               \
	ENTERED("lawful", name_, #name_, MODEL_K10, known_, says_, DEFECT(.sample = sample_, OPS), \
		.cpuid = &revision_b, .alone = true)

static void rolls_over(struct point *at)
{
	at->passes &= is_one_in(at, 8);
}

OF_REVISION_B(ibs_336, NULL, "only each eighth period of ops has a sample (erratum 336)",
	      rolls_over);

static void tells_anything(struct point *at)
{
	if (!is_one_in(at, 3))
		return;
	at->record[OP_RIP] += 16;
	at->record[OP_DATA] |= DATA_COMP_TO_RET;
	at->record[OP_DATA3] |= DATA3_LOAD | DATA3_STORE | DATA3_LOCKED;
}

OF_REVISION_B(ibs_337, "ibs_op.*.samples.*",
	      "each third sample of an op is 16 bytes late, and wrong (erratum 337)",
	      tells_anything);

/* No tag is under way where IbsOpMaxCnt is 0.  What stays is seen with the next sample that may
 * interrupt.  memory[0]: it has happened. */
static void never_clears(struct point *at)
{
	bool under_way = (at->old & (OP_EN | OP_VAL)) == OP_EN && at->old & OP_MAX_CNT;

	at->memory[0] |= under_way && !(at->value & OP_EN);
}

static void interrupts_on(struct point *at)
{
	at->requests += at->memory[0] ? 100 : 0;
}

LAWFUL(MODEL_K10, ibs_420, NULL,
       "an engine of ops that is stopped with its period set interrupts on and on (erratum 420)",
       .kept = never_clears, .announce = interrupts_on, .registers = BIT(AMD_IBS_OP_CTL));

static void misses_store(struct point *at)
{
	if (at->record[OP_DATA3] & DATA3_LOAD)
		at->record[OP_DATA3] &= ~DATA3_STORE;
}

LAWFUL(MODEL_K10, ibs_443, NULL, "what loads and stores is told as a load alone (erratum 443)",
       .sample = misses_store, OPS);

/* ---- family 15h: revision guides 48063 and 48931 ---- */

static const struct cpuid_lie or_b2 = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00600f12}};

static void tells_wrong_target(struct point *at)
{
	at->record[OP_TARGET] += is_one_in(at, 2) ? 64 : 0;
}

ENTERED("lawful", ibs_717, "ibs_717", MODEL_PILEDRIVER, "ibs_op.*.samples.branches",
	"each second target of a sampled branch is wrong (erratum 717)",
	DEFECT(.sample = tells_wrong_target, OPS), .cpuid = &or_b2, .alone = true);

#define STICKY FIELD(6, 4) /* flags of IbsOpData3, of the TLB */

static void sticks(struct point *at)
{
	if (at->ctr == AMD_IBS_OPS) {
		at->record[OP_DATA3] |= BIT(4) | (ibs(at)->op[OP_DATA3] & STICKY);
		return;
	}
	ibs(at)->op[OP_DATA2] = 0x12;
	at->record[FETCH_LINEAR] += is_one_in(at, 9) ? 0x100000 : 0;
}

LAWFUL(MODEL_PILEDRIVER, ibs_718, "ibs_fetch.*.samples.fetched",
       "flags of an op stay set, and each ninth fetch tells a wrong address (erratum 718)",
       .sample = sticks);

/* ---- Zen 3: 56683 ---- */

static void tells_wrong_fetch(struct point *at)
{
	at->record[FETCH_STATUS] |= BIT(51) | field_put(FIELD(54, 53), 3);
}

LAWFUL(MODEL_ZEN3, ibs_1238, NULL,
       "fetches tell of misses that were hits, and other page sizes (errata 1238, 1347)",
       .sample = tells_wrong_fetch, FETCHES);

static void tells_wrong_misses(struct point *at)
{
	at->record[OP_DATA2] = 0x13;
	at->record[OP_DATA3] |= BIT(16) | BIT(20) | FIELD(31, 26);
}

LAWFUL(MODEL_ZEN3, ibs_1293, NULL,
       "what an op tells of its source and of misses is wrong (erratum 1293)",
       .sample = tells_wrong_misses, OPS);

/* ---- family 1Ah: Zen 5 ---- */

static void needs_misses_only(struct point *at)
{
	if (!(at->value & OP_L3_MISS_ONLY))
		at->value &= ~OP_LDLAT_EN;
}

LAWFUL(MODEL_ZEN5, ibs_1606, NULL,
       "loads are filtered by latency only where misses alone are recorded (erratum 1606)",
       .acts = needs_misses_only, .registers = BIT(AMD_IBS_OP_CTL));
