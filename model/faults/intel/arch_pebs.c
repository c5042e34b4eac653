/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: registers, and what a record of it has. */
#include "intel.h"

#define PEBS     MODEL_ARCH_PEBS
#define CFG_C_EN BIT(63)
#define INDEX_EN BIT(32)
#define FULL     BIT(31)

/* Words of a record of the general registers. */
enum { HEADER = 0, IP = 2, COUNTERS = 3, TSC = 4, FLAGS = 8, R13 = 23 };

/* ---- what a record has ---- */

FAULT_DO_ON(PEBS, apebs_size_without_header, "*.pebs.each_group",
	    "a record's size leaves its header out", pebs, at->record[HEADER] -= 16);
FAULT_DO_ON(PEBS, apebs_gpr_not_said, "*.pebs.each_group",
	    "a record does not say that it has general registers", pebs,
	    at->record[HEADER] &= ~BIT(61));
FAULT_DO_ON(PEBS, apebs_basic_not_said, "*.pebs.each_group",
	    "a record does not say that it has the basic group", pebs,
	    at->record[HEADER] &= ~BIT(63));
FAULT_DO_ON(PEBS, apebs_names_counter0, "*.pebs.each_group",
	    "each record says that it is of counter 0", pebs, at->record[COUNTERS] = 1);
FAULT_DO_ON(PEBS, apebs_tsc_stands, "*.pebs.each_group", "each record has the same time", pebs,
	    at->record[TSC] = 1);
FAULT_DO_ON(PEBS, apebs_ip_off, "*.pebs.record_contents", "the IP of a record is 64 bytes too high",
	    pebs, at->record[IP] += 64);
FAULT_DO_ON(PEBS, apebs_r13_wrong, "*.pebs.record_contents", "R13 of a record is cut to 32 bits",
	    pebs, at->record[R13] &= UINT32_MAX, .of_64_bits = true);
FAULT_DO_ON(PEBS, apebs_flags_wrong, "*.pebs.record_contents", "CF of a record is clear", pebs,
	    at->record[FLAGS] &= ~BIT(0));
FAULT_DO_ON(PEBS, apebs_fixed1_dead, "*.pebs.each_group", "fixed counter 1 writes no records", pebs,
	    at->words = 0, .counters = BIT(INTEL_GENERAL + 1));

/* ---- registers ---- */

FAULT_DO_ON(PEBS, apebs_reload_not_extended, "*.pebs.reset_value",
	    "bit 31 of a reset value does not go on upwards", pebs, at->area->reset &= UINT32_MAX);
FAULT_ON(PEBS, apebs_records_all, "*.pebs.asked_for",
	 "counters make records whether they ask for them or not",
	 KEEPS(INTEL_CFG_C, .set = CFG_C_EN));
FAULT_ON(PEBS, apebs_enable_stuck, "*.pebs.asked_for", "recording cannot be switched off",
	 KEEPS(INTEL_PEBS_INDEX, .set = INDEX_EN));
FAULT_DO_ON(PEBS, apebs_full_not_shown, "*.pebs.full", "FULL reads 0", shown, at->value &= ~FULL,
	    .registers = BIT(INTEL_PEBS_INDEX));
FAULT_DO_ON(PEBS, apebs_buffer_halved, "*.pebs.full", "half of the buffer is used", pebs,
	    at->area->maximum -= 2048);
FAULT_DO_ON(PEBS, apebs_status_of_store, "*.pebs.threshold",
	    "a buffer that is full sets the status bit of the debug store, not its own", freeze,
	    intel(at)->status = (intel(at)->status & ~STATUS_OVF_PEBS) | STATUS_OVF_BUFFER);

static void takes_reserved(struct point *at)
{
	if (!(at->raw & ~(BIT(34) | BIT(27))))
		at->access = ACCESS_DONE;
}

FAULT_ON(PEBS, apebs_cfg_c_34_taken, "*.pebs.reserved_faults", "bit 34 of CFG_C can be written",
	 .refused = takes_reserved, .registers = BIT(INTEL_CFG_C));
FAULT_ON(PEBS, apebs_index_27_taken, "*.pebs.reserved_faults",
	 "bit 27 of IA32_PEBS_INDEX can be written", .refused = takes_reserved,
	 .registers = BIT(INTEL_PEBS_INDEX));
