/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's last branch records and PEBS. */
#include "intel.h"

/* ---- last branch records ---- */

enum { FROM, TO };

FAULT_ON(MODEL_V2 | MODEL_ARCH_LBR, lbr_from_and_to_swapped, "*.lbr.from_to",
	 "a last branch record has FROM and TO exchanged", .lbr = record_swaps, .arg = FROM);
FAULT_DO_ON(MODEL_V2 | MODEL_ARCH_LBR, lbr_to_loses_low_bits, "*.lbr.from_to",
	    "TO of a last branch record has no bits 11:0", lbr, at->record[TO] &= ~FIELD(11, 0));

FAULT_DO_ON(MODEL_V2 | MODEL_ARCH_LBR, lbr_records_untaken, "*.lbr.untaken",
	    "branches not taken leave last branch records", untaken, at->passes = true);
FAULT_BODY_ON(MODEL_V3 | MODEL_ARCH_LBR, lbr_misses_conditional, "*.lbr.from_to",
	      "conditional branches leave empty records", lbr)
{
	if (at->branch->class == INSN_JCC)
		at->record[FROM] = at->record[TO] = 0;
}

FAULT_DO_ON(MODEL_V2, lbr_half_as_deep, "*.lbr.depth",
	    "the upper half of the last branch records is never used", lbr,
	    intel(at)->lbr_tos %= intel(at)->traits->lbr.depth / 2);
FAULT_DO_ON(MODEL_V2, lbr_tos_runs_backwards, "*.lbr.from_to", "last branch records fill downwards",
	    lbr, intel(at)->lbr_tos = (intel(at)->lbr_tos - 2) % intel(at)->traits->lbr.depth);
/* The stack itself is as it should be. */
FAULT_DO_ON(MODEL_V2, lbr_tos_one_ahead, "*.lbr.from_to", "TOS shows the next entry, not the last",
	    shown, at->value = (at->value + 1) % intel(at)->traits->lbr.depth,
	    .registers = BIT(INTEL_LBR_TOS));
FAULT_BODY_ON(MODEL_V4 | MODEL_ARCH_LBR, lbr_call_stack_keeps_returned, "*.lbr.call_stack",
	      "a return takes no call from the call stack", branch)
{
	if (intel_lbr_is_call_stack(intel(at)) && at->branch->class == INSN_RET)
		at->passes = false;
}
FAULT_BODY_ON(MODEL_SANDY_ON | MODEL_ARCH_LBR, lbr_misses_interrupts, "*.lbr.interrupt",
	      "interrupts from outside leave no records", branch)
{
	if (at->branch->vector > 0x81)
		at->passes = false;
}

/* ---- PEBS: RIP of the old formats, EventingIP of the adaptive one ---- */

#define WITH_PEBS (MODEL_V2 | MODEL_ARCH_PEBS | MODEL_STORE_6)
#define ADAPTIVE  (MODEL_ICELAKE | MODEL_STORE_6)

enum {
	RECORD_FLAGS = 0,
	RECORD_IP = 1,
	RECORD_RAX = 2,
	RECORD_R13 = 15,
	RECORD_COUNTERS = 18,
	RECORD_EVENTING_IP = 22,
	ADAPTIVE_COUNTERS = 2,
	ADAPTIVE_FLAGS = 4,
	ADAPTIVE_R13 = 19,
};

FAULT_DO_ON(WITH_PEBS, pebs_record_twice, "*.pebs.record_count",
	    "each record takes the room of two", pebs, at->words *= at->words <= 32 ? 2 : 1);
FAULT_DO_ON(WITH_PEBS, pebs_record_none, "*.pebs.record_count", "no record is written", pebs,
	    at->words = 0);
FAULT_DO_ON(MODEL_V2, pebs_ip_off, "*.pebs.record_contents",
	    "the IP of a record is 64 bytes too high", pebs, at->record[RECORD_IP] += 64);
FAULT_DO_ON(MODEL_SKYLAKE, hsd167_eventing_ip_wrong, "*.pebs.record_contents",
	    "EventingIP is the instruction after the event (as errata HSD167, SKL120)", pebs,
	    at->record[RECORD_EVENTING_IP] = at->machine->after.ip);
FAULT_ON(MODEL_V2 & ~MODEL_ICELAKE, pebs_swaps_registers, "*.pebs.record_contents",
	 "a record has RAX and RBX exchanged", .pebs = record_swaps, .arg = RECORD_RAX);
FAULT_DO_ON(MODEL_V2 & ~MODEL_ICELAKE, pebs_r13_wrong, "*.pebs.record_contents",
	    "R13 of a record is cut to 32 bits", pebs, at->record[RECORD_R13] &= UINT32_MAX,
	    .of_64_bits = true);
FAULT_DO_ON(ADAPTIVE, pebs_adaptive_r13_wrong, "*.pebs.record_contents",
	    "R13 of a record is cut to 32 bits", pebs, at->record[ADAPTIVE_R13] &= UINT32_MAX,
	    .of_64_bits = true);
FAULT_DO_ON(MODEL_V2 & ~MODEL_ICELAKE, pebs_flags_wrong, "*.pebs.record_contents",
	    "CF of a record is clear", pebs, at->record[RECORD_FLAGS] &= ~BIT(0));
FAULT_DO_ON(ADAPTIVE, pebs_adaptive_flags_wrong, "*.pebs.record_contents",
	    "CF of a record is clear", pebs, at->record[ADAPTIVE_FLAGS] &= ~BIT(0));
FAULT_DO_ON(ADAPTIVE, pebs_fixed1_no_registers, "*.pebs.adaptive_groups",
	    "the general registers are 0 in records of fixed counter 1", pebs,
	    at->record[ADAPTIVE_R13] = 0, .counters = BIT(INTEL_GENERAL + 1), .of_64_bits = true);
FAULT_DO_ON(MODEL_V3 | MODEL_ARCH_PEBS | MODEL_LIONCOVE, pebs_counter2_dead, "*.pebs.each_counter",
	    "counter 2 writes no records", pebs, at->words = 0, .counters = BIT(2));
FAULT_DO_ON(MODEL_SKYLAKE, pebs_record_names_counter0, "*.pebs.each_counter",
	    "each record says that it is of counter 0", pebs, at->record[RECORD_COUNTERS] = 1);
FAULT_DO_ON(MODEL_ICELAKE | MODEL_LIONCOVE, pebs_adaptive_names_counter0, "*.pebs.each_counter",
	    "each record says that it is of counter 0", pebs, at->record[ADAPTIVE_COUNTERS] = 1);
FAULT_DO_ON(MODEL_V3, pebs_reload_of_neighbour, "*.pebs.each_counter",
	    "counter 1 is preset by the reset value of counter 2", pebs,
	    at->machine->read(at->machine->arg, intel(at)->pebs.ds_area + 0x50, &at->area->reset,
			      sizeof(at->area->reset)),
	    .counters = BIT(1));
FAULT_DO_ON(WITH_PEBS, pebs_reload_zero, "*.pebs.reset_value",
	    "a record leaves 0 in the counter, not the reset value", pebs, at->area->reset = 0);
/* Of a Skymont's counter 0 nobody says whether it records the event that overflows it. */
FAULT_DO_ON(WITH_PEBS & ~MODEL_SKYMONT, pebs_reload_one_more, "*.pebs.reset_value",
	    "a record leaves the reset value and one more in the counter", pebs, at->area->reset++,
	    .as_lawful = "a counter that is armed one event later leaves the same");
FAULT_DO_ON(ADAPTIVE | MODEL_ARCH_PEBS, pebs_never_ahead, "*.pebs.precise_distribution",
	    "no counter is armed for its record ahead of its overflow", arms, at->n = 1);
FAULT_DO_ON(WITH_PEBS, pebs_threshold_must_be_passed, "*.pebs.threshold",
	    "the interrupt comes a record after the threshold", pebs, at->area->threshold++);
FAULT_ON(WITH_PEBS, pebs_threshold_ignored, "*.pebs.threshold",
	 "each record interrupts, whatever the threshold", .pebs = records_interrupt);
FAULT_DO_ON(MODEL_V2, ag69_buffer_status_needs_freeze, "*.pebs.threshold",
	    "status bit 62 is set with Freeze_PerfMon_On_PMI only (erratum AG69)", freeze,
	    intel(at)->status &=
	    at->value & DEBUGCTL_FREEZE_PERFMON_ON_PMI ? ~UINT64_C(0) : ~STATUS_OVF_BUFFER);
