/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of Intel's last branch records and of PEBS. */
#include "model/pmu/intel/hooks.h"

#define MODEL_FILTER MODEL_V3 /* those that have MSR_LBR_SELECT */

/* ---- last branch records ---- */

static void lbr_from_and_to_swapped(const struct pmu_intel *p, const struct branch *branch,
				    struct intel_lbr *entry)
{
	uint64_t from = entry->from;

	(void)p, (void)branch;
	entry->from = entry->to;
	entry->to = from;
}

static void lbr_to_loses_low_bits(const struct pmu_intel *p, const struct branch *branch,
				  struct intel_lbr *entry)
{
	(void)p, (void)branch;
	entry->to &= ~FIELD(11, 0);
}

static void lbr_misses_conditional(const struct pmu_intel *p, const struct branch *branch,
				   struct intel_lbr *entry)
{
	(void)p;
	if (branch->class == INSN_JCC)
		entry->from = entry->to = 0;
}

static unsigned lbr_half_as_deep(const struct pmu_intel *p, unsigned tos)
{
	return tos % (p->traits->lbr.depth / 2);
}

static unsigned lbr_tos_runs_backwards(const struct pmu_intel *p, unsigned tos)
{
	return (tos + p->traits->lbr.depth - 2) % p->traits->lbr.depth;
}

/* The stack itself is as it should be. */
static uint64_t lbr_tos_one_ahead(const struct pmu_intel *p, const struct intel_reg *reg,
				  uint64_t value)
{
	return reg->kind == INTEL_LBR_TOS ? (value + 1) % p->traits->lbr.depth : value;
}

static bool lbr_filter_dead(const struct pmu_intel *p, const struct branch *branch, uint64_t bits,
			    bool passes)
{
	(void)p, (void)branch, (void)bits, (void)passes;
	return true;
}

static bool lbr_filter_misses_cpl(const struct pmu_intel *p, const struct branch *branch,
				  uint64_t bits, bool passes)
{
	(void)branch, (void)passes;
	return !(p->lbr_select & bits & ~FIELD(1, 0));
}

static bool lbr_filter_inverted(const struct pmu_intel *p, const struct branch *branch,
				uint64_t bits, bool passes)
{
	(void)branch;
	return p->lbr_select ? (p->lbr_select & bits) != 0 : passes;
}

static bool lbr_always_on(const struct pmu_intel *p, bool enabled)
{
	return enabled || (p->debugctl & DEBUGCTL_LBR);
}

/* ---- PEBS ---- */

static void record_twice(const struct pmu_intel *p, const struct machine *machine, uint64_t *word,
			 unsigned *words)
{
	(void)p, (void)machine, (void)word;
	*words = *words <= 32 ? 2 * *words : *words;
}

static void record_none(const struct pmu_intel *p, const struct machine *machine, uint64_t *word,
			unsigned *words)
{
	(void)p, (void)machine, (void)word;
	*words = 0;
}

enum { RECORD_IP = 1, RECORD_RAX = 2, RECORD_RBX = 3, RECORD_EVENTING_IP = 22 };

/* RIP of the old formats, EventingIP of the adaptive one. */
static void record_ip_off(const struct pmu_intel *p, const struct machine *machine, uint64_t *word,
			  unsigned *words)
{
	(void)p, (void)machine, (void)words;
	word[RECORD_IP] += 64;
}

static void hsd167_eventing_ip_wrong(const struct pmu_intel *p, const struct machine *machine,
				     uint64_t *word, unsigned *words)
{
	(void)p, (void)words;
	word[RECORD_EVENTING_IP] = machine->after.ip;
}

static void record_swaps_registers(const struct pmu_intel *p, const struct machine *machine,
				   uint64_t *word, unsigned *words)
{
	uint64_t rax = word[RECORD_RAX];

	(void)p, (void)machine, (void)words;
	word[RECORD_RAX] = word[RECORD_RBX];
	word[RECORD_RBX] = rax;
}

static uint64_t reload_zero(const struct pmu_intel *p, unsigned ctr, uint64_t value)
{
	(void)p, (void)ctr, (void)value;
	return 0;
}

static uint64_t reload_one_more(const struct pmu_intel *p, unsigned ctr, uint64_t value)
{
	(void)p, (void)ctr;
	return value + 1;
}

static bool threshold_must_be_passed(const struct pmu_intel *p, uint64_t index, uint64_t threshold,
				     bool reached)
{
	(void)p, (void)reached;
	return index > threshold;
}

static bool threshold_ignored_by_pebs(const struct pmu_intel *p, uint64_t index, uint64_t threshold,
				      bool reached)
{
	(void)p, (void)index, (void)threshold, (void)reached;
	return true;
}

static void ag69_needs_freeze(struct pmu_intel *p)
{
	if (!(p->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		p->status &= ~STATUS_OVF_BUFFER;
}

const struct fault faults_intel_sampling[] = {
	INTEL_FAULT(lbr_from_and_to_swapped, MODEL_V2, "intel.*.lbr.from_to",
		    "a last branch record has FROM and TO exchanged",
		    .lbr_entry = lbr_from_and_to_swapped),
	INTEL_FAULT(lbr_to_loses_low_bits, MODEL_V2, "intel.*.lbr.from_to",
		    "TO of a last branch record has no bits 11:0",
		    .lbr_entry = lbr_to_loses_low_bits),
	INTEL_FAULT(lbr_misses_conditional, MODEL_V3, "intel.*.lbr.from_to",
		    "conditional branches leave empty records",
		    .lbr_entry = lbr_misses_conditional),
	INTEL_FAULT(lbr_half_as_deep, MODEL_V2, "intel.*.lbr.depth",
		    "the upper half of the last branch records is never used",
		    .lbr_tos = lbr_half_as_deep),
	INTEL_FAULT(lbr_tos_runs_backwards, MODEL_V2, "intel.*.lbr.from_to",
		    "the last branch records fill downwards", .lbr_tos = lbr_tos_runs_backwards),
	INTEL_FAULT(lbr_tos_one_ahead, MODEL_V2, "intel.*.lbr.from_to",
		    "TOS shows the next entry, not the newest", .shown = lbr_tos_one_ahead),
	INTEL_FAULT(lbr_filter_dead, MODEL_FILTER, "intel.*.lbr.filter",
		    "MSR_LBR_SELECT has no effect", .lbr_passes = lbr_filter_dead),
	INTEL_FAULT(lbr_filter_misses_cpl, MODEL_FILTER, "intel.*.lbr.filter",
		    "MSR_LBR_SELECT does not filter privilege levels",
		    .lbr_passes = lbr_filter_misses_cpl),
	INTEL_FAULT(lbr_filter_inverted, MODEL_FILTER, "intel.*.lbr.filter",
		    "a set bit of MSR_LBR_SELECT lets its branches pass, and only those",
		    .lbr_passes = lbr_filter_inverted),
	INTEL_FAULT(lbr_frz_ignored, MODEL_V4, "intel.*.freeze.lbr",
		    "branches are recorded while LBR_Frz is set", .lbr_enabled = lbr_always_on),
	INTEL_FAULT(pebs_record_twice, MODEL_V2, "intel.*.pebs.record_count",
		    "each record takes the room of two", .record = record_twice),
	INTEL_FAULT(pebs_record_none, MODEL_V2, "intel.*.pebs.record_count", "no record is written",
		    .record = record_none),
	INTEL_FAULT(pebs_ip_off, MODEL_V2, "intel.*.pebs.record_contents",
		    "the instruction pointer of a record is 64 bytes too high",
		    .record = record_ip_off),
	INTEL_FAULT(hsd167_eventing_ip_wrong, MODEL_SKYLAKE, "intel.*.pebs.record_contents",
		    "EventingIP is that of the instruction after the event (as errata HSD167, "
		    "SKL120)",
		    .record = hsd167_eventing_ip_wrong),
	INTEL_FAULT(pebs_swaps_registers, MODEL_V2 & ~MODEL_ICELAKE, "intel.*.pebs.record_contents",
		    "a record has RAX and RBX exchanged", .record = record_swaps_registers),
	INTEL_FAULT(pebs_reload_zero, MODEL_V2, "intel.*.pebs.reset_value",
		    "a record leaves 0 in the counter, not the reset value", .reload = reload_zero),
	INTEL_FAULT(pebs_reload_one_more, MODEL_V2, "intel.*.pebs.reset_value",
		    "a record leaves the reset value and one more in the counter",
		    .reload = reload_one_more),
	INTEL_FAULT(pebs_threshold_must_be_passed, MODEL_V2, "intel.*.pebs.threshold",
		    "the interrupt comes a record after the threshold",
		    .threshold = threshold_must_be_passed),
	INTEL_FAULT(pebs_threshold_ignored, MODEL_V2, "intel.*.pebs.threshold",
		    "each record interrupts, whatever the threshold",
		    .threshold = threshold_ignored_by_pebs),
	INTEL_FAULT(ag69_buffer_status_needs_freeze, MODEL_V2, "intel.*.pebs.threshold",
		    "status bit 62 is set with Freeze_PerfMon_On_PMI only (erratum AG69)",
		    .buffer_filled = ag69_needs_freeze),
	{0},
};
