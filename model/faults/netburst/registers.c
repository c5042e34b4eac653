/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst's registers: what they hold, which of them answers, routes, and RDPMC. */
#include "netburst.h"

/* ---- the cells of a counter ---- */

FAULT(counter_width_32, "*.access.counter_width", "the counters keep 32 bits",
      HOLDS(.clear = FIELD(39, 32)));
FAULT(counter_width_39, "*.access.counter_width", "counters keep 39 bits", HOLDS(.clear = BIT(39)));
FAULT(counter_bit_stuck_0, "14.access.counter_bits", "bit 17 of counter 14 is stuck at 0",
      HOLDS(.clear = BIT(17)), .counters = BIT(14));
FAULT(counter_bit_stuck_1, "13.access.counter_bits", "bit 33 of counter 13 is stuck at 1",
      HOLDS(.set = BIT(33)), .counters = BIT(13));

/* ---- CCCRs and ESCRs ---- */

FAULT(cccr_force_ovf_stuck, "*.access.control_bits", "FORCE_OVF cannot be set",
      KEEPS(NETBURST_CCCR, .clear = CCCR_FORCE_OVF));
FAULT(cccr_edge_sets_complement, "*.access.control_bits", "setting EDGE sets COMPLEMENT as well",
      KEEPS(NETBURST_CCCR, .when = CCCR_EDGE, .set = CCCR_COMPLEMENT));
FAULT(cccr_compare_sets_reserved, "*.access.reserved_bits", "COMPARE sets reserved bit 28 as well",
      KEEPS(NETBURST_CCCR, .when = CCCR_COMPARE, .set = BIT(28)));
FAULT(escr_mask_bit_dead, "*.access.escr_bits", "bit 11 of the event mask cannot be set",
      KEEPS(NETBURST_ESCR, .clear = BIT(20)));
FAULT(stop_clears_counter, "*.count.instructions", "clearing ENABLE clears the counter",
      .written = stop_clears_counter, .registers = BIT(NETBURST_CCCR), .arg = CCCR_ENABLE);

/* ---- addresses ---- */

FAULT_DO(cru_escr4_missing, "*.access.escr_present", "CRU_ESCR4 does not exist", address,
	 at->access = at->reg.number == CRU_ESCR4 ? ACCESS_GP : ACCESS_DONE,
	 .registers = BIT(NETBURST_ESCR));
FAULT(cru_escrs_are_one, "*.access.escr_*", "CRU_ESCR1 is CRU_ESCR0", .address = answers_for,
      .arg = CRU_ESCR0, .registers = BIT(NETBURST_ESCR), .counters = BIT(CRU_ESCR1));
FAULT(counters_14_and_15_are_one, "*.access.no_aliasing", "counters 14 and 15 are the same",
      .address = answers_for, .arg = 14, .registers = BIT(NETBURST_COUNTER), .counters = BIT(15));
FAULT_DO(write_disturbs_mate, "*.access.no_aliasing", "a write to a counter adds 1 to its mate",
	 written, at->counter[at->ctr ^ 1].value++, .registers = BIT(NETBURST_COUNTER));

/* ---- routes ---- */

FAULT(routes_4_and_5_swapped, "*.access.escr_routing",
      "ESCR selects 4 and 5 of counters 12, 13 and 16 are exchanged",
      ACTS(NETBURST_CCCR, .when = BIT(15), .unless = BIT(14), .flip = BIT(13)),
      .counters = BIT(12) | BIT(13) | BIT(16));

FAULT_BODY(halves_swapped, "*.access.escr_routing", "counters reach the ESCRs of the other half",
	   setting)
{
	int *escr = &netburst(at)->cccr[at->ctr].escr;

	if (*escr >= 0 && netburst(at)->escr[*escr ^ 1].power)
		*escr ^= 1;
}

FAULT(select_of_13_dead, "*.access.escr_routing", "counter 13 counts CRU_ESCR0 whatever it selects",
      ACTS(NETBURST_CCCR, .clear = CCCR_ESCR_SELECT, .set = BIT(15)), .counters = BIT(13));

/* ---- RDPMC ---- */

/* A fast read returns bits of the counter from arg on. */
static void rdpmc_fast_shifted(struct point *at)
{
	if (at->fast && at->access == ACCESS_DONE)
		at->value = at->counter[at->index].value >> at->defect->arg;
}

FAULT(rdpmc_fast_is_full, "*.access.rdpmc_fast", "fast RDPMC returns all 40 bits",
      .rdpmc = rdpmc_fast_shifted, .arg = 0);
FAULT(rdpmc_fast_upper, "*.access.rdpmc_fast", "fast RDPMC returns the upper half",
      .rdpmc = rdpmc_fast_shifted, .arg = 32);
FAULT_DO(rdpmc_fast_refused, "*.access.rdpmc_fast", "fast RDPMC faults", rdpmc,
	 at->access = at->fast ? ACCESS_GP : at->access);
FAULT_DO(rdpmc_index_4_bits, "*.access.rdpmc_equals_rdmsr", "RDPMC reads 0 and 1 for 16 and 17",
	 rdpmc, at->value = at->index < at->count ? at->counter[at->index & 15].value : 0);
