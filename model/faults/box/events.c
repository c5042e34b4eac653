/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what the uncore's events are: selection, filters, memory traffic. */
#include "box.h"

/* Events: uncore guide 327043-001. */
enum {
	COUNTER0_OCCUPANCY = 0x1f,
	LLC_LOOKUP = 0x34,
	TOR_INSERTS = 0x35,
	REQUESTS = 0x01,
	ADDR_OPC_MATCH = 0x20,
	CAS_COUNT = 0x04,
	RPQ_INSERTS = 0x10,
	WPQ_INSERTS = 0x20,
};

enum { OPC_RFO = 0x180, OPC_DRD = 0x182 };

/* ---- selection ---- */

BOX_FAULT(ext_ignored, ALL_BOXES,
	  "pcu.*.count.event_select,qpi0.*.count.event_select,qpi0.*.traffic.remote_reads",
	  "ev_sel_ext has no effect", CLEARS(acts, CTL_EXTENSION, ALL_OF_IT), .sockets = 2);
BOX_FAULT(event_bit_5_dead, CHANNELS, "imc0.*.traffic.queue_inserts",
	  "bit 5 of a channel's event select counts for nothing", CLEARS(acts, CTL_EVENT, BIT(5)));
BOX_FAULT(umask_bit_2_dead, HOMES, "ha*.*.traffic.requests",
	  "bit 2 of the home agent's unit mask counts for nothing",
	  CLEARS(acts, CTL_UMASK, BIT(2)));
BOX_FAULT_DO(umask_any_is_all, HOMES, "ha*.*.count.unit_mask",
	     "any unit mask of the home agent counts all sub-events", acts,
	     at->value |= at->value & field_at(at, CTL_UMASK) ? field_at(at, CTL_UMASK) : 0,
	     .field = CTL_UMASK);
BOX_FAULT(umask_first_bit_only, LINKS, "qpi0.*.traffic.remote_reads",
	  "of a QPI unit mask only the lowest bit counts", .acts = keeps_lowest, .field = CTL_UMASK,
	  .sockets = 2);

/* ---- filters of a slice ---- */

/* Does the control register that is written select the event? */
static bool selects(const struct point *at, unsigned event)
{
	uint64_t field = field_at(at, CTL_EVENT);

	return field && field_get(field, at->value) == event;
}

BOX_FAULT(opc_low_bits_ignored, SLICES, "c*0.*.traffic.rfo",
	  "bit 1 of the opcode filter is taken as set", SETS(acts, FILTER_OPCODE, BIT(1)));
BOX_FAULT_DO(opc_ignored, SLICES, "c*0.*.traffic.tor_inserts,c*0.*.traffic.rfo",
	     "TOR_INSERTS.OPCODE counts all opcodes", matches,
	     at->passes |= (selection_of(at)->umask & 0xf) == 1, .event = TOR_INSERTS,
	     .field = FILTER_OPCODE);
BOX_FAULT(state_ignored, SLICES, "c*0.*.traffic.lookup_needs_state",
	  "the state filter is taken as all states", SETS(acts, FILTER_STATE, ALL_OF_IT));
BOX_FAULT_DO(lookup_without_bit_0, SLICES, "c*0.*.traffic.lookup_needs_bit0",
	     "LLC_LOOKUP counts without bit 0 of its unit mask", acts,
	     at->value |= selects(at, LLC_LOOKUP) ? field_put(field_at(at, CTL_UMASK), 1) : 0,
	     .registers = BIT(UNCORE_CTL), .field = FILTER_STATE);
/* Slices that are homes tell no nodes apart. */
SEEDED(nid_ignored, "uncore_nid_ignored", MODEL_SANDY_SERVERS | MODEL_HASWELL_EP,
       "cbo0.*.traffic.nid_filter", "the node filter of a slice has no effect",
       .boxes = &(const struct defect){SLICES, CLEARS(acts, CTL_UMASK, BIT(6))});
/* Misses alone, by a bit of the unit mask, or by one that lets them pass and no hits. */
static bool counts_misses(const struct uncore_selection *selection)
{
	return selection->event->counting == COUNTS_SORTED_INSERTS
		       ? (selection->umask & 0x30) == 0x20
		       : selection->umask & 2;
}

BOX_FAULT_DO(misses_lost, SLICES, "c*0.*.traffic.tor_misses", "TOR_INSERTS counts no misses",
	     matches, at->passes &= !counts_misses(selection_of(at)), .event = TOR_INSERTS,
	     .field = FILTER_OPCODE);
BOX_FAULT(lookups_lost, SLICES, "c*0.*.traffic.lookups", "slice 6 counts no lookups",
	  .increment = counts_nothing, .event = LLC_LOOKUP, ONLY(6));
BOX_FAULT(replay_dead, SLICES, "c*0.*.traffic.tor_occupancy", "COUNTER0_OCCUPANCY is always 0",
	  .increment = counts_nothing, .event = COUNTER0_OCCUPANCY);

/* ---- other filters ---- */

static bool matches_page(const struct point *at)
{
	const unsigned page = 12;

	return arrival(at)->address >> page == box_of(at)->filter[FILTER_ADDRMATCH0] >> page;
}

BOX_FAULT_DO(match_ignores_line, HOMES, "ha*.*.traffic.address_match",
	     "ADDRMATCH0 compares the page, not the line", occurrences,
	     at->n = arrival(at) && matches_page(at), .event = ADDR_OPC_MATCH);
BOX_FAULT(mask_ignored, LINKS, "qpi0.*.traffic.packets", "PKT_MASK is taken as 0",
	  .counters = BIT(FILTER_MASK0) | BIT(FILTER_MASK1), .sockets = 2,
	  ACTS(UNCORE_FILTER, .clear = FIELD(31, 0)));
/* The idle flits that it counts, among the flits that are sent or that come in. */
static unsigned idle_flits(const struct point *at, unsigned flits)
{
	return counts(at, COUNTS_UMASK, flits) && selection_of(at)->umask & 1 ? signal(at, flits)
									      : 0;
}
/* Later guides no longer list all flits of one direction. */
HOOK(idle_flits_lost, at->n -= idle_flits(at, LINK_TX_G0) + idle_flits(at, LINK_RX_G0))
SEEDED(idle_flits_lost, "uncore_idle_flits_lost", MODEL_SANDY_SERVERS, "qpi0.*.traffic.flits",
       "idle flits are not counted",
       .boxes = &(const struct defect){LINKS, .occurrences = do_idle_flits_lost});
BOX_FAULT_DO(bands_rotated, POWER, "pcu.*.traffic.bands", "each band is compared for the next one",
	     acts, at->value = (at->value << 8 & FIELD(31, 8)) | at->value >> 24,
	     .registers = BIT(UNCORE_FILTER));

static bool is_band(const struct uncore_event *event)
{
	return event && event->counting == COUNTS_BAND;
}

/* Ice Lake-SP's list of events has none of these. */
HOOK(band_is_below, at->n ^= is_band(selection_of(at)->event))
SEEDED(band_is_below, "uncore_band_is_below", MODEL_SERVERS & ~MODEL_ICELAKE_SP,
       "pcu.*.traffic.bands", "FREQ_BAND events count clocks below their band",
       .boxes = &(const struct defect){POWER, .occurrences = do_band_is_below,
				       .field = CTL_OCCUPANCY});
BOX_FAULT(occ_sel_dead, POWER, "pcu.*.traffic.occupancy", "occ_sel counts cores in no state",
	  ACTS(UNCORE_CTL, .clear = FIELD(15, 14)), .field = CTL_OCCUPANCY);

/* ---- traffic ---- */

BOX_FAULT_DO(tor_inserts_doubled, SLICES, "c*0.*.traffic.tor_inserts,cha0.*.traffic.coded_inserts",
	     "each request is inserted twice into the TOR", arrives, at->n = 2);
BOX_FAULT_DO(slice_2_deaf, SLICES,
	     "cbo0.*.traffic.slices_share,cha0.*.traffic.tor_inserts,cha0.*.traffic.coded_inserts",
	     "slice 2 counts no traffic", arrives, at->n = 0, ONLY(2));
BOX_FAULT_DO(cas_reads_doubled, CHANNELS, "imc0.*.traffic.cas_reads",
	     "each CAS read is counted twice", arrives, at->n += !request_of(at)->write);
BOX_FAULT_DO(channel_3_deaf, CHANNELS, "imc0.*.traffic.cas_reads", "channel 3 counts no traffic",
	     arrives, at->n = 0, ONLY(3));
BOX_FAULT_DO(streams_are_partial, OF_MEMORY,
	     "imc0.*.traffic.streamed_writes,ha.*.traffic.imc_writes",
	     "full lines that are streamed count as partial writes", arrives,
	     request_of(at)->partial |= request_of(at)->write && !request_of(at)->wb);

static void take_rfo_for_drd(struct point *at)
{
	const unsigned opcodes = ((const struct uncore *)at->pmu)->part->opcodes;

	if (request_of(at)->opc == OPC_RFO + opcodes)
		request_of(at)->opc = (uint16_t)(OPC_DRD + opcodes);
}

BOX_FAULT(rfo_is_drd, SLICES, "c*0.*.traffic.rfo,cha0.*.traffic.coded_inserts",
	  "a read for ownership has the opcode of DRd", .arrives = take_rfo_for_drd);
BOX_FAULT_DO(requests_swapped, HOMES, "ha*.*.traffic.requests",
	     "the home agent counts reads as writes and writes as reads", occurrences,
	     at->n ^= arrival(at) != NULL, .event = REQUESTS);

static unsigned reads_and_writes(const struct point *at)
{
	return (unsigned)signal(at, CHANNEL_CAS) + signal(at, CHANNEL_CAS + 2) +
	       signal(at, CHANNEL_CAS + 3);
}

BOX_FAULT_DO(writes_count_as_reads, CHANNELS, "imc0.*.traffic.cas_writes",
	     "CAS writes are counted as reads", occurrences,
	     at->n = selection_of(at)->umask & 1 ? reads_and_writes(at) : 0, .event = CAS_COUNT);
BOX_FAULT_DO(inserts_lost, CHANNELS, "imc0.*.traffic.queue_inserts",
	     "inserts into a read queue that is not empty are not counted", occurrences,
	     at->n = signal(at, CHANNEL_RPQ_OCCUPANCY) > 1 ? 0 : at->n, .event = RPQ_INSERTS);
BOX_FAULT_DO(inserts_are_clocks, CHANNELS, "imc0.*.traffic.queue_inserts",
	     "WPQ_INSERTS counts the clocks of the entries", occurrences,
	     at->n = signal(at, CHANNEL_WPQ_NE), .event = WPQ_INSERTS);
