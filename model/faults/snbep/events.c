/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what the uncore's events are: selection, filters, memory traffic. */
#include "snbep.h"

static unsigned code_of(const struct uncore_box *box, const struct uncore_setting *set)
{
	uint32_t ctl = box->ctl[set->counter];

	return (unsigned)field_get(CTL_EV_SEL, ctl) | (ctl & CTL_EV_SEL_EXT ? EV_EXT : 0);
}

/* ---- selection ---- */

static void ext_ignored(const struct uncore_box *box, struct uncore_setting *set)
{
	if (!set->occupancy)
		set->event = uncore_find_event(box->traits, code_of(box, set) & ~EV_EXT);
}

static void event_bit_5_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_IMC))
		set->event = uncore_find_event(box->traits, code_of(box, set) & ~0x20u);
}

static void umask_bit_2_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_HA))
		set->umask &= (uint8_t)~4u;
}

static void umask_any_is_all(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_HA) && set->umask)
		set->umask = 0xff;
}

static void umask_first_bit_only(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_QPI))
		set->umask &= (uint8_t)-set->umask;
}

/* ---- filters of a slice ---- */

static bool has_rule(const struct uncore_setting *set, enum uncore_counting counting)
{
	return set->event->counting == counting;
}

static void opc_low_bits_ignored(const struct uncore_box *box, const struct uncore_setting *set,
				 uint32_t filter[UNCORE_FILTERS])
{
	(void)set;
	if (is_kind(box, UNCORE_CBO))
		filter[0] |= (uint32_t)field_put(FILTER_OPC, 2);
}

static bool opc_ignored(const struct uncore_box *box, const struct uncore_setting *set,
			const struct uncore_request *request, bool passes)
{
	(void)box, (void)request;
	return passes || (has_rule(set, COUNTS_TOR_INSERTS) && (set->umask & 0xf) == 1);
}

static void state_ignored(const struct uncore_box *box, const struct uncore_setting *set,
			  uint32_t filter[UNCORE_FILTERS])
{
	(void)set;
	if (is_kind(box, UNCORE_CBO))
		filter[0] |= (uint32_t)FILTER_STATE;
}

static void lookup_without_bit_0(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_CBO) && set->event && has_rule(set, COUNTS_LOOKUP))
		set->umask |= 1;
}

static void nid_ignored(const struct uncore_box *box, struct uncore_setting *set)
{
	if (is_kind(box, UNCORE_CBO))
		set->umask &= (uint8_t)~0x40u;
}

static bool misses_lost(const struct uncore_box *box, const struct uncore_setting *set,
			const struct uncore_request *request, bool passes)
{
	(void)box, (void)request;
	return passes && !(has_rule(set, COUNTS_TOR_INSERTS) && set->umask & 2);
}

static unsigned lookups_lost(const struct uncore_box *box, const struct uncore_setting *set,
			     const struct uncore_segment *segment, unsigned n)
{
	(void)segment;
	return box->number == BOX_CBO + 6 && has_rule(set, COUNTS_LOOKUP) ? 0 : n;
}

static unsigned replay_dead(const struct uncore_box *box, const struct uncore_setting *set,
			    const struct uncore_segment *segment, unsigned n)
{
	(void)box, (void)segment;
	return has_rule(set, COUNTS_REPLAY) ? 0 : n;
}

/* ---- other filters ---- */

static unsigned match_ignores_line(const struct uncore_box *box, const struct uncore_setting *set,
				   const struct uncore_segment *segment, unsigned n)
{
	const unsigned page = 12;

	if (!has_rule(set, COUNTS_ADDR_OPC_MATCH) || !segment->arrival)
		return n;
	return segment->arrival->address >> page == box->filter[FILTER_ADDRMATCH0] >> page;
}

static void mask_ignored(const struct uncore_box *box, const struct uncore_setting *set,
			 uint32_t filter[UNCORE_FILTERS])
{
	(void)set;
	if (is_kind(box, UNCORE_QPI))
		filter[FILTER_MASK0] = filter[FILTER_MASK1] = 0;
}

static unsigned idle_flits_lost(const struct uncore_box *box, const struct uncore_setting *set,
				const struct uncore_segment *segment, unsigned n)
{
	bool idle = is_kind(box, UNCORE_QPI) && has_rule(set, COUNTS_UMASK) &&
		    set->event->signal == QPI_TX_G0 && set->umask & 1;

	return idle ? n - segment->n[QPI_TX_G0] : n;
}

static void bands_rotated(const struct uncore_box *box, const struct uncore_setting *set,
			  uint32_t filter[UNCORE_FILTERS])
{
	(void)set;
	if (is_kind(box, UNCORE_PCU))
		filter[0] = filter[0] << 8 | filter[0] >> 24;
}

static unsigned band_is_below(const struct uncore_box *box, const struct uncore_setting *set,
			      const struct uncore_segment *segment, unsigned n)
{
	(void)box, (void)segment;
	return has_rule(set, COUNTS_BAND) ? !n : n;
}

static void occ_sel_dead(const struct uncore_box *box, struct uncore_setting *set)
{
	(void)box;
	set->occ_sel = 0;
}

/* ---- traffic ---- */

static unsigned tor_inserts_doubled(struct uncore *u, struct uncore_box *box,
				    struct uncore_request *request)
{
	(void)u, (void)request;
	return is_kind(box, UNCORE_CBO) ? 2 : 1;
}

static unsigned slice_2_deaf(struct uncore *u, struct uncore_box *box,
			     struct uncore_request *request)
{
	(void)u, (void)request;
	return box->number != BOX_CBO + 2;
}

static unsigned cas_reads_doubled(struct uncore *u, struct uncore_box *box,
				  struct uncore_request *request)
{
	(void)u;
	return is_kind(box, UNCORE_IMC) && !request->write ? 2 : 1;
}

static unsigned channel_3_deaf(struct uncore *u, struct uncore_box *box,
			       struct uncore_request *request)
{
	(void)u, (void)request;
	return box->number != BOX_IMC + 3;
}

static unsigned streams_are_partial(struct uncore *u, struct uncore_box *box,
				    struct uncore_request *request)
{
	(void)u, (void)box;
	request->partial |= request->write && !request->wb;
	return 1;
}

static unsigned rfo_is_drd(struct uncore *u, struct uncore_box *box, struct uncore_request *request)
{
	(void)u;
	if (is_kind(box, UNCORE_CBO) && request->opc == 0x180)
		request->opc = 0x182;
	return 1;
}

static unsigned requests_swapped(const struct uncore_box *box, const struct uncore_setting *set,
				 const struct uncore_segment *segment, unsigned n)
{
	bool requests = is_kind(box, UNCORE_HA) && has_rule(set, COUNTS_UMASK) &&
			set->event->signal == HA_REQUESTS;

	return requests && segment->arrival ? !n : n;
}

static void writes_count_as_reads(const struct uncore_box *box, struct uncore_segment *segments,
				  unsigned count)
{
	for (unsigned i = 0; is_kind(box, UNCORE_IMC) && i < count; i++) {
		uint8_t *cas = segments[i].n + IMC_CAS;

		cas[0] = (uint8_t)(cas[0] + cas[2] + cas[3]);
		cas[2] = cas[3] = 0;
	}
}

static unsigned inserts_lost(const struct uncore_box *box, const struct uncore_setting *set,
			     const struct uncore_segment *segment, unsigned n)
{
	bool inserts = is_kind(box, UNCORE_IMC) && has_rule(set, COUNTS_SIGNAL) &&
		       set->event->signal == IMC_RPQ_INSERTS;

	return inserts && segment->n[IMC_RPQ_OCCUPANCY] > 1 ? 0 : n;
}

static unsigned inserts_are_clocks(const struct uncore_box *box, const struct uncore_setting *set,
				   const struct uncore_segment *segment, unsigned n)
{
	bool inserts = is_kind(box, UNCORE_IMC) && has_rule(set, COUNTS_SIGNAL) &&
		       set->event->signal == IMC_WPQ_INSERTS;

	return inserts ? segment->n[IMC_WPQ_NE] : n;
}

const struct fault faults_uncore_events[] = {
	UNCORE_FAULT(ext_ignored, "pcu.*.count.event_select,qpi0.*.count.event_select",
		     "ev_sel_ext has no effect", .setting = ext_ignored),
	UNCORE_FAULT(event_bit_5_dead, "imc0.*.traffic.queue_inserts",
		     "bit 5 of a channel's event select counts for nothing",
		     .setting = event_bit_5_dead),
	UNCORE_FAULT(umask_bit_2_dead, "ha.*.traffic.requests",
		     "bit 2 of the home agent's unit mask counts for nothing",
		     .setting = umask_bit_2_dead),
	UNCORE_FAULT(umask_any_is_all, "ha.*.count.unit_mask",
		     "any unit mask of the home agent counts all sub-events",
		     .setting = umask_any_is_all),
	UNCORE_FAULT(umask_first_bit_only, "qpi0.*.traffic.remote_reads",
		     "of a QPI unit mask only the lowest bit counts",
		     .setting = umask_first_bit_only, .sockets = 2),
	UNCORE_FAULT(opc_low_bits_ignored, "cbo0.*.traffic.rfo",
		     "bit 1 of the opcode filter is taken as set", .filter = opc_low_bits_ignored),
	UNCORE_FAULT(opc_ignored, "cbo0.*.traffic.tor_inserts,cbo0.*.traffic.rfo",
		     "TOR_INSERTS.OPCODE counts all opcodes", .passes = opc_ignored),
	UNCORE_FAULT(state_ignored, "cbo0.*.traffic.lookup_needs_state",
		     "the state filter is taken as all states", .filter = state_ignored),
	UNCORE_FAULT(lookup_without_bit_0, "cbo0.*.traffic.lookup_needs_bit0",
		     "LLC_LOOKUP counts without bit 0 of its unit mask",
		     .setting = lookup_without_bit_0),
	UNCORE_FAULT(nid_ignored, "cbo0.*.traffic.nid_filter",
		     "the node filter of a slice has no effect", .setting = nid_ignored),
	UNCORE_FAULT(misses_lost, "cbo0.*.traffic.tor_misses", "TOR_INSERTS counts no misses",
		     .passes = misses_lost),
	UNCORE_FAULT(lookups_lost, "cbo0.*.traffic.lookups", "slice 6 counts no lookups",
		     .occurrences = lookups_lost),
	UNCORE_FAULT(replay_dead, "cbo0.*.traffic.tor_occupancy", "COUNTER0_OCCUPANCY is always 0",
		     .occurrences = replay_dead),
	UNCORE_FAULT(match_ignores_line, "ha.*.traffic.address_match",
		     "ADDRMATCH0 compares the page, not the line",
		     .occurrences = match_ignores_line),
	UNCORE_FAULT(mask_ignored, "qpi0.*.traffic.packets", "PKT_MASK is taken as 0",
		     .filter = mask_ignored, .sockets = 2),
	UNCORE_FAULT(idle_flits_lost, "qpi0.*.traffic.flits", "idle flits are not counted",
		     .occurrences = idle_flits_lost),
	UNCORE_FAULT(bands_rotated, "pcu.*.traffic.bands", "each band is compared for the next one",
		     .filter = bands_rotated),
	UNCORE_FAULT(band_is_below, "pcu.*.traffic.bands",
		     "FREQ_BAND events count clocks below their band",
		     .occurrences = band_is_below),
	UNCORE_FAULT(occ_sel_dead, "pcu.*.traffic.occupancy", "occ_sel counts cores in no state",
		     .setting = occ_sel_dead),
	UNCORE_FAULT(tor_inserts_doubled, "cbo0.*.traffic.tor_inserts",
		     "each request is inserted twice into the TOR", .arrives = tor_inserts_doubled),
	UNCORE_FAULT(slice_2_deaf, "cbo0.*.traffic.slices_share", "slice 2 counts no traffic",
		     .arrives = slice_2_deaf),
	UNCORE_FAULT(cas_reads_doubled, "imc0.*.traffic.cas_reads",
		     "each CAS read is counted twice", .arrives = cas_reads_doubled),
	UNCORE_FAULT(channel_3_deaf, "imc0.*.traffic.cas_reads", "channel 3 counts no traffic",
		     .arrives = channel_3_deaf),
	UNCORE_FAULT(streams_are_partial, "imc0.*.traffic.streamed_writes,ha.*.traffic.imc_writes",
		     "full lines that are streamed count as partial writes",
		     .arrives = streams_are_partial),
	UNCORE_FAULT(rfo_is_drd, "cbo0.*.traffic.rfo", "a read for ownership has the opcode of DRd",
		     .arrives = rfo_is_drd),
	UNCORE_FAULT(requests_swapped, "ha.*.traffic.requests",
		     "the home agent counts reads as writes and writes as reads",
		     .occurrences = requests_swapped),
	UNCORE_FAULT(writes_count_as_reads, "imc0.*.traffic.cas_writes",
		     "CAS writes are counted as reads", .pattern = writes_count_as_reads),
	UNCORE_FAULT(inserts_lost, "imc0.*.traffic.queue_inserts",
		     "inserts into a read queue that is not empty are not counted",
		     .occurrences = inserts_lost),
	UNCORE_FAULT(inserts_are_clocks, "imc0.*.traffic.queue_inserts",
		     "WPQ_INSERTS counts the clocks of the entries",
		     .occurrences = inserts_are_clocks),
	{0},
};
