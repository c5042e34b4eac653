/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of Intel's core counters, overflow, and the interrupt that it requests. */
#include "intel.h"

#define RDPMC_FIXED UINT32_C(0x40000000)

/* ---- the cells of a counter ---- */

#define PMCS .registers = BIT(INTEL_PMC) | BIT(INTEL_A_PMC)

FAULT_ON(MODEL_SANDY_ON, pmc_keeps_32_bits, "*.access.counter_width",
	 "a full-width write loads 32 bits", KEEPS(INTEL_A_PMC, .clear = FIELD(63, 32)));
FAULT_ON(MODEL_SANDY_ON, pmc_keeps_40_bits, "*.access.counter_width",
	 "a full-width write loads 40 bits", KEEPS(INTEL_A_PMC, .clear = FIELD(63, 40)));
FAULT(pmc_bit17_stuck, "1.access.counter_bits", "bit 17 of counter 1 is stuck at 0",
      .kept = twisted, PMCS, .twist = {.clear = BIT(17)}, .counters = BIT(1));
FAULT(legacy_write_zero_extends, "*.access.legacy_write",
      "a legacy write clears what is above bit 31", KEEPS(INTEL_PMC, .clear = FIELD(63, 32)));
FAULT_DO(legacy_write_takes_edx, "*.access.legacy_write", "a legacy write loads what is in EDX",
	 kept, at->value = at->raw & at->mask, .registers = BIT(INTEL_PMC));
FAULT_ON(MODEL_SANDY_ON, full_width_write_extends_bit31, "*.access.counter_bits",
	 "a full-width write extends the sign of its low half", .kept = extends_bit31,
	 .registers = BIT(INTEL_A_PMC));

/* ---- select registers ---- */

FAULT(evtsel_loses_inv, "*.access.control_bits", "INV of the select register cannot be set",
      KEEPS(INTEL_EVTSEL, .clear = SELECT_INV));
FAULT_ON(MODEL_SANDY, bv080_evtsel_reads_wrong, "4.access.control_bits",
	 "select registers 4 to 7 read other than written (errata BV080, BU081)",
	 SHOWS(INTEL_EVTSEL, .flip = BIT(8)), .counters = FIELD(7, 4),
	 .as_lawful = "an Ivy Bridge does the same");
FAULT_DO_ON(MODEL_CORE2, af49_en0_acts_for_both, "1.count.instructions",
	    "EN of counter 1 has no function (errata AE49, AN49, AF49)", runs,
	    at->enabled = at->counter[0].set.enable && intel(at)->global_ctrl & intel_bit(1),
	    .counters = BIT(1));
FAULT_ON(MODEL_P6, p6_en0_only_counter0, "1.count.instructions",
	 "EN of counter 0 does not start counter 1", ACTS(INTEL_EVTSEL, .clear = SELECT_EN),
	 .counters = BIT(1));
FAULT_ON(MODEL_P6, p6_en0_never_stops_counter1, "*.select.single_enable",
	 "EN of counter 0 does not stop counter 1",
	 ACTS(INTEL_EVTSEL, .some = SELECT_CODE, .set = SELECT_EN), .counters = BIT(1));
FAULT_ON(MODEL_V2, en_ignored, "*.global.gates_each", "EN has no effect",
	 ACTS(INTEL_EVTSEL, .some = SELECT_CODE, .set = SELECT_EN));

/* ---- addresses ---- */

FAULT(pmc_1_is_pmc_0, "*.access.no_aliasing", "counters 0 and 1 are the same register",
      .address = answers_for, PMCS, .arg = 0, .counters = BIT(1));
FAULT(evtsel_1_missing, "1.access.registers_present", "select register 1 faults",
      .address = missing, .registers = BIT(INTEL_EVTSEL), .counters = BIT(1));
FAULT_DO_ON(MODEL_SANDY_ON, a_pmc_shifted, "*.access.no_aliasing",
	    "the full-width name of a counter reaches the next counter", address,
	    at->reg.number = (at->reg.number + 1) % at->count, .registers = BIT(INTEL_A_PMC));

/* ---- RDPMC ---- */

static void reads_counter_0(struct point *at)
{
	at->access = ACCESS_DONE;
	at->value = at->counter[0].value;
}

FAULT_BODY_ON(MODEL_V2, rdpmc_fixed_is_general, "*.access.rdpmc_equals_rdmsr",
	      "RDPMC of a fixed counter returns the general one of its number", rdpmc)
{
	if (at->access == ACCESS_DONE && at->index >= RDPMC_FIXED)
		at->value = at->counter[at->index - RDPMC_FIXED].value;
}

FAULT_DO_ON(MODEL_V2, rdpmc_fixed_refused, "*.access.rdpmc_equals_rdmsr",
	    "RDPMC of a fixed counter faults", rdpmc,
	    at->access = at->index & RDPMC_FIXED ? ACCESS_GP : at->access);

FAULT_ON(MODELS_V2, rdpmc_fast_accepted, "*.access.rdpmc_forms",
	 "RDPMC takes NetBurst's bit for a fast read", .rdpmc = takes_fast_rdpmc);

FAULT_BODY_ON(MODELS_V2, rdpmc_past_last, "*.access.rdpmc_forms",
	      "RDPMC of the index behind the last general counter reads counter 0", rdpmc)
{
	if (at->index == at->count)
		reads_counter_0(at);
}

FAULT_BODY_ON(MODELS_V2, rdpmc_past_last_fixed, "*.access.rdpmc_forms",
	      "RDPMC of the index behind the last fixed counter reads counter 0", rdpmc)
{
	if (at->index == RDPMC_FIXED + 32u - (unsigned)__builtin_clz(intel(at)->traits->fixed))
		reads_counter_0(at);
}

/* ---- when a counter overflows ---- */

FAULT_ON(MODEL_V2, overflow_of_bit31, "*.overflow.width_boundary",
	 "a carry out of bit 31 is taken for an overflow", .overflow = overflows_into, .arg = 32);
FAULT(overflow_of_counter0_only, "1.overflow.exact_period", "only counter 0 ever overflows",
      .overflow = never_overflows, .counters = ~BIT(0));
FAULT(overflow_changes_neighbour, "*.overflow.all_at_once",
      "an overflow clears the next counter's top bit", .overflow = overflow_clears_neighbours_top);
FAULT_DO(overflow_loses_events, "*.overflow.beside_another", "events beyond the overflow are lost",
	 hold, at->value = at->value < at->old ? 0 : at->value);

/* ---- what becomes of the request ---- */

FAULT(requests_every_second_lost, "*.overflow.rearm", "every second interrupt is lost",
      .requests = every_second_lost);
FAULT(delivery_leaves_lvt_open, "*.lvt.masked_by_delivery", "delivery does not mask the LVT entry",
      .flips_lvt_mask = true);

/* ---- CPUID and IA32_MISC_ENABLE: no test can see what is absurd there, the program must ---- */

enum { EAX, EBX, ECX, EDX };

#define CPUID_FAULT(name_, says_, ...)                                                             \
	SEEDED(name_, #name_, MODEL_V2, "-", says_, .cpuid = &(const struct cpuid_lie){__VA_ARGS__})
#define CPUID_0A(name_, says_, ...)                                                                \
	CPUID_FAULT(cpuid_0a_##name_, "CPUID 0AH " says_, .leaf = 0xa, __VA_ARGS__)

CPUID_0A(version_255, "names version 255", .set[EAX] = 0xff);
CPUID_0A(0_counters, "names no general counters", .clear[EAX] = 0xff00);
CPUID_0A(255_counters, "names 255 general counters", .set[EAX] = 0xff00);
CPUID_0A(width_0, "names counters of no bits", .clear[EAX] = 0xff0000);
CPUID_0A(width_64, "names counters of 64 bits", .clear[EAX] = 0xff0000, .set[EAX] = 0x400000);
CPUID_0A(no_events, "says that no event is available", .set[EBX] = ~0u);
CPUID_0A(event_length_0, "names a list of no events", .clear[EAX] = 0xff000000);
CPUID_0A(no_instructions, "says it does not count instructions", .clear[EBX] = ~0u, .set[EBX] = 2);
CPUID_0A(31_fixed, "names 31 fixed counters", .set[EDX] = 0x1f);
CPUID_0A(fixed_width_255, "names fixed counters of 255 bits", .set[EDX] = 0x1fe0);
CPUID_0A(all_ones, "is all ones", .set = {~0u, ~0u, ~0u, ~0u});
CPUID_FAULT(cpuid_ends_before_0a, "the last leaf of CPUID is 9", .leaf = 0, .clear[EAX] = ~0u,
	    .set[EAX] = 9);
SEEDED(misc_enable_no_perfmon, "misc_enable_no_perfmon", MODEL_V2, "-",
       "IA32_MISC_ENABLE says that there is no performance monitoring",
       DEFECT(SHOWS(INTEL_MISC_ENABLE, .clear = MISC_PERFMON)));
