/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of instruction-based sampling: of its engines, and of what a sample says. */
#include "amd.h"

#undef MODELS
#define FROM_ZEN (MODEL_ZEN2 | MODEL_ZEN4)
#define FROM_15H (MODEL_PILEDRIVER | MODEL_JAGUAR | FROM_ZEN)
#define MODELS   (MODEL_K10 | FROM_15H)

static struct pmu_amd *amd(const struct point *at)
{
	return at->pmu;
}

#define OPS     .counters = BIT(AMD_IBS_OPS)
#define FETCHES .counters = BIT(AMD_IBS_FETCHES)

/* ---- the control of ops ---- */

FAULT(ibs_period_bit_stuck, "ibs_op.*.samples.control_bits", "bit 13 of IbsOpMaxCnt cannot be set",
      KEEPS(AMD_IBS_OP_CTL, .clear = BIT(13)));
FAULT_ON(FROM_15H, ibs_period_high_stuck, "ibs_op.*.samples.control_bits",
	 "IbsOpMaxCnt has 20 bits", KEEPS(AMD_IBS_OP_CTL, .clear = OP_MAX_CNT_HIGH));
FAULT(ibs_cnt_ctl_stuck, "ibs_op.*.samples.control_bits", "IbsOpCntCtl cannot be set",
      KEEPS(AMD_IBS_OP_CTL, .clear = OP_CNT_CTL));
FAULT(ibs_en_reads_0, "ibs_op.*.samples.control_bits", "IbsOpEn reads as 0",
      SHOWS(AMD_IBS_OP_CTL, .clear = OP_EN));
FAULT_ON(MODEL_ZEN4, ibs_l3_miss_only_stuck, "ibs_op.*.samples.control_bits",
	 "IbsOpL3MissOnly cannot be set", KEEPS(AMD_IBS_OP_CTL, .clear = OP_L3_MISS_ONLY));

/* ---- the period of ops ---- */

FAULT_DO(ibs_period_halved, "ibs_op.*.samples.not_early", "the period of ops is half as long",
	 engine, at->value /= 2, OPS);
FAULT(ibs_period_loses_bit_8, "ibs_op.*.samples.not_early", "bit 8 of the period of ops is ignored",
      ACTS(AMD_IBS_OP_CTL, .clear = BIT(4)));
FAULT_ON(FROM_15H, ibs_period_high_dead, "ibs_op.*.samples.not_early",
	 "the period of ops has 20 bits", ACTS(AMD_IBS_OP_CTL, .clear = OP_MAX_CNT_HIGH));
FAULT_DO(ibs_counts_twice, "ibs_op.*.samples.not_early", "each op counts twice", engine,
	 at->amount *= 2, OPS);
FAULT_DO(ibs_period_eight_times, "ibs_op.*.samples.in_time", "the period of ops is 8 times as long",
	 engine, at->value *= 8, OPS);
FAULT_DO(ibs_never_counts, "ibs_op.*.samples.in_time", "no op is ever counted", engine,
	 at->amount = 0, OPS);
FAULT_ON(FROM_15H, ibs_count_not_loaded, "ibs_op.*.samples.in_time",
	 "IbsOpCurCnt is not loaded by a write", KEEPS(AMD_IBS_OP_CTL, .clear = OP_CUR_CNT));
FAULT(ibs_counts_clocks, "ibs_op.*.samples.of_ops_or_clocks",
      "clocks are counted, whatever IbsOpCntCtl says", ACTS(AMD_IBS_OP_CTL, .clear = OP_CNT_CTL));
FAULT(ibs_counts_ops, "ibs_op.*.samples.of_ops_or_clocks",
      "ops are counted, whatever IbsOpCntCtl says", ACTS(AMD_IBS_OP_CTL, .set = OP_CNT_CTL));

/* ---- when there is a sample ---- */

FAULT(ibs_val_reads_0, "ibs_op.*.samples.in_time", "IbsOpVal reads as 0",
      SHOWS(AMD_IBS_OP_CTL, .clear = OP_VAL));
FAULT(ibs_goes_on_with_val, "ibs_op.*.samples.sticky",
      "the engine samples on while there is a sample", ACTS(AMD_IBS_OP_CTL, .clear = OP_VAL));
FAULT_BODY(ibs_read_clears_val, "ibs_op.*.samples.sticky", "a read of IbsOpCtl clears IbsOpVal",
	   shown, .registers = BIT(AMD_IBS_OP_CTL))
{
	amd(at)->ibs.op_ctl &= ~OP_VAL;
}
FAULT_BODY(ibs_val_stays, "ibs_op.*.samples.sticky", "a write does not clear IbsOpVal", kept,
	   .registers = BIT(AMD_IBS_OP_CTL))
{
	at->value |= at->old & OP_VAL;
}
FAULT_ON(MODEL_ZEN4, ibs_l3_miss_only_dead, "ibs_op.*.samples.misses_only",
	 "IbsOpL3MissOnly filters nothing", ACTS(AMD_IBS_OP_CTL, .clear = OP_L3_MISS_ONLY));

FAULT_BODY_ON(MODEL_ZEN4, ibs_l3_miss_only_drops_all, "ibs_op.*.samples.misses",
	      "with IbsOpL3MissOnly there is no sample", sample, OPS)
{
	at->passes &= !(amd(at)->ibs.op_ctl & OP_L3_MISS_ONLY);
}
FAULT_DO_ON(MODEL_ZEN4, ibs_miss_lost, "ibs_op.*.samples.misses", "IbsDcMiss is never set", sample,
	    at->record[OP_DATA3] &= ~DATA3_DC_MISS, OPS);

/* ---- the filter by latency ---- */

FAULT_ON(MODEL_ZEN5, ibs_latency_bit_stuck, "ibs_op.*.samples.control_bits",
	 "bit 60 of IbsOpCtl cannot be set", KEEPS(AMD_IBS_OP_CTL, .clear = BIT(60)));
FAULT_ON(MODEL_ZEN5, ibs_latency_en_dead, "ibs_op.*.samples.latency",
	 "no load is filtered by its latency", ACTS(AMD_IBS_OP_CTL, .clear = OP_LDLAT_EN));
FAULT_ON(MODEL_ZEN5, ibs_latency_bit_dead, "ibs_op.*.samples.latency",
	 "bit 61 of IbsOpCtl, of the latency, is ignored", ACTS(AMD_IBS_OP_CTL, .clear = BIT(61)));
FAULT_ON(MODEL_ZEN5, ibs_latency_most, "ibs_op.*.samples.latency",
	 "the filter by latency takes its threshold for the longest",
	 ACTS(AMD_IBS_OP_CTL, .set = OP_LDLAT_THRESHOLD));
FAULT_DO_ON(MODEL_ZEN5, ibs_latency_halved, "ibs_op.*.samples.latency",
	    "IbsDcMissLat is of every second clock", sample,
	    at->record[OP_DATA3] = (at->record[OP_DATA3] & ~DATA3_LATENCY) |
				   field_put(DATA3_LATENCY,
					     field_get(DATA3_LATENCY, at->record[OP_DATA3]) / 2),
	    OPS);

/* ---- where ---- */

FAULT_DO(ibs_rip_one_more, "ibs_op.*.samples.place", "IbsOpRip is one byte behind the instruction",
	 sample, at->record[OP_RIP]++, OPS);
FAULT_DO(ibs_rip_of_line, "ibs_op.*.samples.place", "IbsOpRip has no bits 5:0", sample,
	 at->record[OP_RIP] &= ~FIELD(5, 0), OPS);
FAULT_DO(ibs_rip_32_bits, "ibs_op.*.samples.place", "IbsOpRip has bits 23:0 alone", sample,
	 at->record[OP_RIP] &= FIELD(23, 0), OPS);
FAULT_DO(ibs_rip_of_next, "ibs_op.*.samples.branches", "IbsOpRip is of the instruction behind it",
	 sample, at->record[OP_RIP] = at->machine->after.ip, OPS);

/* ---- branches ---- */

FAULT_DO(ibs_branch_lost, "ibs_op.*.samples.branches", "no sample is of a branch", sample,
	 at->record[OP_DATA] &= ~DATA_BRANCH, OPS);
FAULT_DO(ibs_all_branch, "ibs_op.*.samples.branches", "each sample is of a branch", sample,
	 at->record[OP_DATA] |= DATA_BRANCH, OPS);
FAULT_DO(ibs_taken_lost, "ibs_op.*.samples.branches", "no branch is taken", sample,
	 at->record[OP_DATA] &= ~DATA_TAKEN, OPS);
FAULT_DO(ibs_taken_always, "ibs_op.*.samples.branches", "each branch is taken", sample,
	 at->record[OP_DATA] |= DATA_TAKEN, OPS);
FAULT_DO(ibs_return_lost, "ibs_op.*.samples.branches", "no branch is a return", sample,
	 at->record[OP_DATA] &= ~DATA_RETURN, OPS);
FAULT_BODY(ibs_call_is_return, "ibs_op.*.samples.branches", "a call is a return", sample, OPS)
{
	if (at->machine->insn->class == INSN_CALL)
		at->record[OP_DATA] |= DATA_RETURN;
}
FAULT_DO_ON(FROM_15H, ibs_target_off, "ibs_op.*.samples.branches",
	    "IbsBrTarget is 16 bytes behind the target", sample, at->record[OP_TARGET] += 16, OPS);
FAULT_DO_ON(FROM_15H, ibs_target_is_rip, "ibs_op.*.samples.branches", "IbsBrTarget is IbsOpRip",
	    sample, at->record[OP_TARGET] = at->record[OP_RIP], OPS);
FAULT_DO_ON(FROM_15H, ibs_target_stale, "ibs_op.*.samples.branches",
	    "IbsBrTarget is that of the sample before", sample,
	    at->record[OP_TARGET] = amd(at)->ibs.op[OP_TARGET], OPS);
FAULT_DO_ON(FROM_15H, ibs_target_lost, "ibs_op.*.samples.branches", "IbsBrTarget is always 0",
	    sample, at->record[OP_TARGET] = 0, OPS);

/* ---- accesses ---- */

FAULT_DO(ibs_load_lost, "ibs_op.*.samples.accesses", "no sample is of a load", sample,
	 at->record[OP_DATA3] &= ~DATA3_LOAD, OPS);
FAULT_DO(ibs_store_lost, "ibs_op.*.samples.accesses", "no sample is of a store", sample,
	 at->record[OP_DATA3] &= ~DATA3_STORE, OPS);
FAULT_DO(ibs_all_load, "ibs_op.*.samples.accesses", "each sample is of a load", sample,
	 at->record[OP_DATA3] |= DATA3_LOAD, OPS);
FAULT_DO(ibs_lock_lost, "ibs_op.*.samples.accesses", "no sample is of a locked access", sample,
	 at->record[OP_DATA3] &= ~DATA3_LOCKED, OPS);
FAULT_BODY(ibs_both_is_locked, "ibs_op.*.samples.accesses",
	   "what loads and stores is a locked access", sample, OPS)
{
	if ((at->record[OP_DATA3] & (DATA3_LOAD | DATA3_STORE)) == (DATA3_LOAD | DATA3_STORE))
		at->record[OP_DATA3] |= DATA3_LOCKED;
}

/* ---- operands ---- */

FAULT_DO(ibs_linear_off, "ibs_op.*.samples.operands", "IbsDcLinAd is 64 bytes behind the operand",
	 sample, at->record[OP_LINEAR] += 64, OPS);
FAULT_DO(ibs_linear_of_line, "ibs_op.*.samples.operands", "IbsDcLinAd has no bits 5:0", sample,
	 at->record[OP_LINEAR] &= ~FIELD(5, 0), OPS);
FAULT_DO(ibs_linear_stale, "ibs_op.*.samples.operands",
	 "IbsDcLinAdValid is set, and IbsDcLinAd is that of the sample before", sample,
	 at->record[OP_LINEAR] = amd(at)->ibs.op[OP_LINEAR], OPS);
FAULT_DO(ibs_linear_never_valid, "ibs_op.*.samples.operands", "IbsDcLinAdValid is never set",
	 sample, at->record[OP_DATA3] &= ~DATA3_LINEAR, OPS);
FAULT_DO(ibs_physical_of_page, "ibs_op.*.samples.operands", "IbsDcPhysAd has no bits 11:0", sample,
	 at->record[OP_PHYSICAL] &= ~FIELD(11, 0), OPS);
FAULT_DO(ibs_physical_next_page, "ibs_op.*.samples.operands", "IbsDcPhysAd is of the next page",
	 sample, at->record[OP_PHYSICAL] += 4096, OPS);
FAULT_DO(ibs_physical_stale, "ibs_op.*.samples.operands",
	 "IbsDcPhysAdValid is set, and IbsDcPhysAd is that of the sample before", sample,
	 at->record[OP_PHYSICAL] = amd(at)->ibs.op[OP_PHYSICAL], OPS);
FAULT_DO(ibs_physical_never_valid, "ibs_op.*.samples.operands", "IbsDcPhysAdValid is never set",
	 sample, at->record[OP_DATA3] &= ~DATA3_PHYSICAL, OPS);
FAULT_BODY_ON(FROM_ZEN, ibs_width_off, "ibs_op.*.samples.operands",
	      "IbsOpMemWidth is twice as wide", sample, OPS)
{
	if (at->record[OP_DATA3] & DATA3_WIDTH)
		at->record[OP_DATA3] += field_put(DATA3_WIDTH, 1);
}
FAULT_DO_ON(FROM_ZEN, ibs_width_lost, "ibs_op.*.samples.operands", "IbsOpMemWidth is 0", sample,
	    at->record[OP_DATA3] &= ~DATA3_WIDTH, OPS);

/* ---- clocks: of Zen 2 an erratum publishes that these may be wrong ---- */

FAULT_DO_ON(MODELS & ~MODEL_ZEN2, ibs_tag_to_ret_lost, "ibs_op.*.samples.retirement",
	    "IbsTagToRetCtr is 0", sample, at->record[OP_DATA] &= ~DATA_TAG_TO_RET, OPS);

/* ---- what counters are told: judged on Zen 6 alone ---- */

static const struct cpuid_lie zen6 = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00b50f00}};
#define FATE_FAULT(name_, says_, statement_)                                                       \
	HOOK(name_, statement_)                                                                    \
	SEEDED(name_, #name_, MODEL_ZEN5, "ibs_op.*.samples.fates", says_,                         \
	       DEFECT(.occurrences = do_##name_, .event = 0x1cf), .cpuid = &zen6)

FATE_FAULT(ibs_fates_lost, "event 1CFh counts nothing", at->n = 0);
FATE_FAULT(ibs_fates_twice, "event 1CFh counts all twice", at->n *= 2);
FATE_FAULT(ibs_recorded_is_tagged, "mask 10h of event 1CFh counts each op that was tagged",
	   at->n += at->set->unit_mask == 0x10 && at->clock->n[SIGNAL_FATES + FATE_TAGGED]);

/* ---- the second controls, which no known part has ---- */

static const struct cpuid_lie has_ctl2 = {.leaf = 0x8000001b, .set = {(uint32_t)IBS_CTL2}};
#define BOTH_CTL2 BIT(AMD_IBS_OP_CTL2) | BIT(AMD_IBS_FETCH_CTL2)
#define CTL2_FAULT(name_, says_, ...)                                                              \
	SEEDED(name_, #name_, MODEL_ZEN5, "ibs_*.samples.stopper", says_,                          \
	       DEFECT(.ibs_ctl2 = true, __VA_ARGS__), .cpuid = &has_ctl2)

CTL2_FAULT(ibs_op_dis_ignored, "an engine of ops samples while IbsOpCtl2 disables it",
	   ACTS(AMD_IBS_OP_CTL2, .clear = CTL2_DIS));
CTL2_FAULT(ibs_fetch_dis_ignored, "an engine of fetches samples while IbsFetchCtl2 disables it",
	   ACTS(AMD_IBS_FETCH_CTL2, .clear = CTL2_DIS));
CTL2_FAULT(ibs_dis_reads_0, "Dis of IbsOpCtl2 reads as 0",
	   SHOWS(AMD_IBS_OP_CTL2, .clear = CTL2_DIS));
CTL2_FAULT(ibs_dis_stuck, "IbsOpCtl2 cannot enable the engine",
	   KEEPS(AMD_IBS_OP_CTL2, .set = CTL2_DIS));

static void cannot_stop(struct point *at)
{
	if (amd(at)->ibs.op_ctl & OP_EN)
		at->value &= ~CTL2_DIS;
}

CTL2_FAULT(ibs_dis_too_late, "IbsOpCtl2 does not stop an engine that runs", .kept = cannot_stop,
	   .registers = BIT(AMD_IBS_OP_CTL2));

static void of_other_engine(struct point *at)
{
	at->reg.kind = AMD_IBS_OP_CTL2 + AMD_IBS_FETCH_CTL2 - at->reg.kind;
}

CTL2_FAULT(ibs_ctl2_of_other_engine, "IbsOpCtl2 disables the engine of fetches, and vice versa",
	   .address = of_other_engine, .registers = BOTH_CTL2);

/* ---- fetches ---- */

FAULT(ibs_fetch_period_bit_stuck, "ibs_fetch.*.samples.control_bits",
      "bit 5 of IbsFetchMaxCnt cannot be set", KEEPS(AMD_IBS_FETCH_CTL, .clear = BIT(5)));
FAULT(ibs_rand_en_stuck, "ibs_fetch.*.samples.control_bits", "IbsRandEn cannot be set",
      KEEPS(AMD_IBS_FETCH_CTL, .clear = FETCH_RAND_EN));
FAULT_DO(ibs_fetch_never_counts, "ibs_fetch.*.samples.fetched", "no fetch is ever counted", engine,
	 at->amount = 0, FETCHES);
FAULT(ibs_fetch_val_reads_0, "ibs_fetch.*.samples.fetched", "IbsFetchVal reads as 0",
      SHOWS(AMD_IBS_FETCH_CTL, .clear = FETCH_VAL));
FAULT_BODY(ibs_ops_exclude_fetches, "ibs_op.*.samples.both_at_once",
	   "no fetch is sampled while the engine of ops is enabled", acts,
	   .registers = BIT(AMD_IBS_FETCH_CTL))
{
	if (amd(at)->ibs.op_ctl & OP_EN)
		at->value &= ~FETCH_EN;
}
FAULT(ibs_fetch_goes_on_with_val, "ibs_fetch.*.samples.sticky",
      "the engine samples on while there is a sample", ACTS(AMD_IBS_FETCH_CTL, .clear = FETCH_VAL));
FAULT_DO(ibs_fetch_linear_off, "ibs_fetch.*.samples.fetched", "IbsFetchLinAd is of the page before",
	 sample, at->record[FETCH_LINEAR] -= 4096, FETCHES);
FAULT_DO(ibs_fetch_linear_stale, "ibs_fetch.*.samples.fetched", "IbsFetchLinAd is never written",
	 sample, at->record[FETCH_LINEAR] = amd(at)->ibs.fetch[FETCH_LINEAR], FETCHES);
FAULT_DO(ibs_fetch_physical_of_page, "ibs_fetch.*.samples.fetched",
	 "IbsFetchPhysAd has no bits 11:0", sample, at->record[FETCH_ADDRESS] &= ~FIELD(11, 0),
	 FETCHES);
FAULT_DO(ibs_fetch_physical_stale, "ibs_fetch.*.samples.fetched", "IbsFetchPhysAd is never written",
	 sample, at->record[FETCH_ADDRESS] = amd(at)->ibs.fetch[FETCH_ADDRESS], FETCHES);
FAULT_DO(ibs_fetch_never_valid, "ibs_fetch.*.samples.fetched", "IbsPhyAddrValid is never set",
	 sample, at->record[FETCH_STATUS] &= ~FETCH_PHYSICAL, FETCHES);
