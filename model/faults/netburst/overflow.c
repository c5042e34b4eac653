/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow on NetBurst: OVF, its interrupt, FORCE_OVF, PEBS records. */
#include "netburst.h"

/* ---- OVF ---- */

FAULT(ovf_never, "*.ovf.sticky", "OVF is never set", .overflow = never_overflows);
FAULT(ovf_early, "*.ovf.pmi_on_next_event", "OVF is set one event before the counter wraps",
      .overflow = overflows_at, .arg = UINT64_MAX);
FAULT(ovf_on_carry_into_39, "*.overflow.width_boundary", "a carry into bit 39 sets OVF",
      .overflow = overflows_into, .arg = 39);
FAULT_DO(ovf_cleared_by_reading, "*.ovf.sticky", "reading a CCCR clears its OVF", shown,
	 netburst(at)->ovf &= ~bit_of(at), .registers = BIT(NETBURST_CCCR));
FAULT_DO(ovf_on_neighbour, "*.overflow.right_counter", "OVF is set in the CCCR of the pair mate",
	 status, at->value = BIT(at->ctr ^ 1));
FAULT_DO(ovf_stays, "*.ovf.cleared_by_writing", "writing 0 to OVF does not clear it", written,
	 netburst(at)->ovf |= at->old & CCCR_OVF ? bit_of(at) : 0, .registers = BIT(NETBURST_CCCR));
FAULT_DO(ovf_cleared_by_one, "*.ovf.write_back_keeps", "writing 1 to OVF clears it", written,
	 netburst(at)->ovf &= ~bit_of(at), .registers = BIT(NETBURST_CCCR));

/* ---- the interrupt ---- */

FAULT_BODY(requests_cancel_out, "*.overflow.all_at_once",
	   "all requests are lost if another request stands", requests)
{
	if (netburst(at)->requested & ~bit_of(at))
		netburst(at)->requested = at->requests = 0;
}

FAULT_BODY(pmi_on_overflow, "*.ovf.pmi_on_next_event",
	   "the interrupt is requested by the overflow, not by the event after it", status)
{
	netburst(at)->requested |= netburst(at)->armed & bit_of(at);
	netburst(at)->armed &= ~bit_of(at);
}

/* memory: one event has passed since the overflow. */
FAULT_BODY(pmi_late_by_one, "*.ovf.pmi_on_next_event",
	   "the interrupt is requested by the second event after the overflow", requests)
{
	at->memory[at->ctr] ^= 1;
	if (at->memory[at->ctr]) {
		at->requests = 0;
		netburst(at)->armed |= bit_of(at);
	}
}

FAULT_DO(pmi_doubled, "*.overflow.exact_period", "every interrupt comes again when OVF is cleared",
	 written, netburst(at)->pulses |= at->old & ~at->value & CCCR_OVF ? 2 : 0,
	 .registers = BIT(NETBURST_CCCR));
FAULT(pmi_without_flag, "*.ovf.no_pmi_without_flag", "an overflow interrupts with OVF_PMI clear",
      ACTS(NETBURST_CCCR, .set = CCCR_OVF_PMI_T0));
FAULT(pmi_flag_dead, "*.overflow.exact_period", "OVF_PMI has no effect: nothing interrupts",
      ACTS(NETBURST_CCCR, .clear = CCCR_OVF_PMI_T0));
FAULT_DO(pmi_from_upper_half_lost, "14.overflow.exact_period",
	 "no counter on the ESCR1 side interrupts", requests, at->requests = 0,
	 .counters = 0x2cccc);
FAULT(lvt_not_masked, "*.ovf.lvt_is_masked",
      "delivery does not mask the LVT entry, and a request is not held", .flips_lvt_mask = true);

/* memory: has made a request, which the first write to the CCCR does not withdraw. */
static void keep_request(struct point *at)
{
	if (!(at->old & ~at->value & CCCR_OVF))
		return;
	if (at->memory[at->ctr])
		netburst(at)->requested |= bit_of(at);
	at->memory[at->ctr] = 0;
}

FAULT_DO(request_outlives_ovf, "*.ovf.held_while_masked",
	 "a request stands though OVF has been cleared", requests, at->memory[at->ctr] = 1,
	 .written = keep_request, .registers = BIT(NETBURST_CCCR));

/* ---- FORCE_OVF; memory: increments since ENABLE was set ---- */

static void forces_one_in(struct point *at)
{
	if (netburst(at)->cccr[at->ctr].force_ovf)
		at->carry = at->memory[at->ctr]++ % at->defect->arg == 0 ||
			    at->old + at->amount > at->mask;
}

static void forget_increments(struct point *at)
{
	if (!(at->old & CCCR_ENABLE))
		at->memory[at->ctr] = 0;
}

#define FORCES_ONE_IN(n)                                                                           \
	.overflow = forces_one_in, .arg = (n), .written = forget_increments,                       \
	.registers = BIT(NETBURST_CCCR)

FAULT(force_ovf_ignored, "*.force_ovf.sets_ovf", "FORCE_OVF has no effect",
      ACTS(NETBURST_CCCR, .clear = CCCR_FORCE_OVF));
FAULT(force_ovf_first_only, "*.force_ovf.every_increment",
      "FORCE_OVF overflows at the first increment only", FORCES_ONE_IN(UINT64_MAX));
FAULT(force_ovf_every_fourth, "*.force_ovf.every_increment",
      "FORCE_OVF overflows at every fourth increment", FORCES_ONE_IN(4));
FAULT(force_ovf_interrupts, "*.force_ovf.no_interrupt_without_pmi",
      "FORCE_OVF interrupts though OVF_PMI is clear",
      ACTS(NETBURST_CCCR, .when = CCCR_FORCE_OVF, .set = CCCR_OVF_PMI_T0));

/* ---- PEBS records ---- */

enum { RECORD_RIP = 1, RECORD_RSI = 6 };

FAULT_DO(pebs_rip_lost, "*.tag.pebs", "RIP of PEBS records is 0", pebs, at->record[RECORD_RIP] = 0);
FAULT(pebs_rsi_and_rdi_swapped, "*.tag.pebs", "a PEBS record has RSI and RDI exchanged",
      .pebs = record_swaps, .arg = RECORD_RSI);
FAULT_DO(pebs_reset_ignored, "*.tag.pebs", "the counter goes on from 0 after a PEBS record", pebs,
	 at->area->reset = at->counter[at->ctr].value);
FAULT_DO(pebs_threshold_ignored, "*.tag.pebs", "PEBS never interrupts", pebs,
	 at->area->threshold = UINT64_MAX);
FAULT(pebs_interrupts_each, "*.tag.pebs", "each PEBS record interrupts", .pebs = records_interrupt);
FAULT_DO(pebs_writes_nothing, "*.tag.pebs", "PEBS writes no records", pebs, at->area->maximum = 0);

FAULT_DO(pmi_first_of_each_lost, "*.first.interrupts",
	 "of each counter the first interrupt since power-on is lost", requests,
	 at->requests *= at->memory[at->ctr]++ > 0);
