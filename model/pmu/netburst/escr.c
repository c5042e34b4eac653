/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ESCR a counter reaches, and what the events of each one count. */

#include "netburst.h"

/* ---- routes ---- */

/* Counters that reach the same ESCRs, by select value; 0: none answers. */
static const struct route {
	uint32_t counters; /* as bits */
	uint16_t escr[8];
} routes[] = {
	{0x00003, {0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0}},
	{0x0000c, {0x3b3, 0x3b5, 0x3ab, 0x3b7, 0x3ad, 0x3c9, 0x3a3, 0x3a1}},
	{0x00030, {0x3c0, 0x3c4, 0x3c2}},
	{0x000c0, {0x3c1, 0x3c5, 0x3c3}},
	{0x00300, {0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8}},
	{0x00c00, {0x3a7, 0x3a5, 0x3af, 0x3b1, 0, 0x3a9}},
	{0x13000, {0x3ba, 0x3ca, 0x3bc, 0x3be, 0x3b8, 0x3cc, 0x3e0}},
	{0x2c000, {0x3bb, 0x3cb, 0x3bd, 0, 0x3b9, 0x3cd, 0x3e1}},
};

int netburst_route(unsigned ctr, unsigned select)
{
	for (unsigned i = 0; i < ARRAY_SIZE(routes); i++)
		if (routes[i].counters >> ctr & 1 && routes[i].escr[select])
			return (int)(routes[i].escr[select] - MSR_NETBURST_ESCR);
	return -1;
}

static const struct route *route_to(unsigned escr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(routes); i++)
		for (unsigned select = 0; select < 8; select++)
			if (routes[i].escr[select] == MSR_NETBURST_ESCR + escr)
				return &routes[i];
	return NULL;
}

static bool is_iq(unsigned escr)
{
	return escr + MSR_NETBURST_ESCR == 0x3ba || escr + MSR_NETBURST_ESCR == 0x3bb;
}

bool netburst_escr_exists(const struct netburst_traits *traits, unsigned escr)
{
	return route_to(escr) && (traits->iq_escrs || !is_iq(escr));
}

/* A counter of either half of a group will do.  The halves are neighbours in the table. */
uint32_t netburst_power(unsigned escr)
{
	size_t i = (size_t)(route_to(escr) - routes) & ~(size_t)1;

	return routes[i].counters | routes[i + 1].counters;
}

/* ---- events ---- */

/* ESCR pairs, by the number of the first. */
enum {
	BSU = 0x00,
	FSB = 0x02,
	FIRM = 0x04,
	DAC = 0x08,
	MOB = 0x0a,
	PMH = 0x0c,
	SAAT = 0x0e,
	BPU = 0x12,
	ITLB = 0x16,
	RAT = 0x1c,
	MS = 0x20,
	TBPU = 0x22,
	TC = 0x24,
	ALF = 0x2a,
	CRU = 0x18, /* CRU_ESCR0, CRU_ESCR1 */
	CRU_HIGH = 0x2c, /* CRU_ESCR2, CRU_ESCR3 */
};

/* TC_deliver_mode with one thread has it deliver or build while the other one is inactive. */
enum { MODE_DI = BIT(2), MODE_BI = BIT(5) };

/* Bits of an event mask that count the same.  A bit that is not listed stands for something that
 * never occurs: pages are always mapped, assists not needed. */
static const struct sub_event {
	uint8_t pair, select;
	uint16_t bits;
	uint8_t signal;
	bool thread_independent;
} sub_events[] = {
	/* BSQ_cache_reference RD_2ndL_MISS */
	{BSU, 0x0c, BIT(8), SIGNAL_MET + MET_LINE_MISS, false},
	{BSU, 0x0c, BIT(8), SIGNAL_MET + MET_THROUGH_READ, false},
	{BSU, 0x0c, BIT(8), SIGNAL_MET + MET_PROTECTED_READ, false},
	{FSB, 0x13, BIT(0), SIGNAL_CYCLES, false}, /* global_power_events RUNNING */
	/* FSB_data_activity DRDY_DRV, OWN, OTHER; DBSY_DRV, for whole lines alone, DBSY_OWN. */
	{FSB, 0x17, BIT(0), SIGNAL_MET + MET_WC_EVICT, true},
	{FSB, 0x17, BIT(3) | BIT(0), SIGNAL_MET + MET_WRITE_BACK, true},
	{FSB, 0x17, BIT(0), SIGNAL_MET + MET_THROUGH_WRITE, true},
	{FSB, 0x17, BIT(0), SIGNAL_MET + MET_PROTECTED_WRITE, true},
	{FSB, 0x17, BIT(4) | BIT(1), SIGNAL_MET + MET_LINE_MISS, true},
	{FSB, 0x17, BIT(4) | BIT(1), SIGNAL_MET + MET_THROUGH_READ, true},
	{FSB, 0x17, BIT(4) | BIT(1), SIGNAL_MET + MET_PROTECTED_READ, true},
	{FSB, 0x17, BIT(4) | BIT(1), SIGNAL_MET + MET_PREFETCH, true},
	{FSB, 0x17, BIT(2), SIGNAL_MET + MET_OTHER_READ, true},
	{FIRM, 0x08, BIT(15), SIGNAL_COMPUTE + COMPUTE_PACKED_SP, true}, /* packed_SP_uop ALL */
	{FIRM, 0x0c, BIT(15), SIGNAL_COMPUTE + COMPUTE_PACKED_DP, true},
	{FIRM, 0x0a, BIT(15), SIGNAL_COMPUTE + COMPUTE_SCALAR_SP, true},
	{FIRM, 0x0e, BIT(15), SIGNAL_COMPUTE + COMPUTE_SCALAR_DP, true},
	{FIRM, 0x02, BIT(15), SIGNAL_COMPUTE + COMPUTE_MMX, true}, /* 64bit_MMX_uop */
	{FIRM, 0x1a, BIT(15), SIGNAL_COMPUTE + COMPUTE_INTEGER_128, true},
	{FIRM, 0x04, BIT(15), SIGNAL_COMPUTE + COMPUTE_X87, true}, /* x87_FP_uop */
	/* x87_SIMD_moves_uop ALLP0 */
	{FIRM, 0x2e, BIT(3), SIGNAL_COMPUTE + COMPUTE_VECTOR_MOVE, true},
	{FIRM, 0x2e, BIT(4), SIGNAL_COMPUTE + COMPUTE_VECTOR_LOAD, true}, /* ALLP2 */
	{DAC, 0x02, BIT(2), SIGNAL_MET + MET_STORES_FULL, false}, /* memory_cancel ST_RB_FULL */
	{DAC, 0x02, BIT(3), SIGNAL_MET + MET_64K_CONFLICT, false}, /* 64K_CONF */
	{DAC, 0x05, BIT(0), SIGNAL_MET + MET_WC_EVICT, true}, /* WC_Buffer WCB_EVICTS */
	{DAC, 0x05, BIT(1), SIGNAL_MET + MET_WC_FULL, true}, /* WCB_FULL_EVICT */
	{MOB, 0x03, BIT(1), SIGNAL_MET + MET_NO_STORE_ADDRESS, false}, /* MOB_load_replay NO_STA */
	{MOB, 0x03, BIT(3), SIGNAL_MET + MET_NO_STORE_DATA, false}, /* NO_STD */
	{MOB, 0x03, BIT(4), SIGNAL_MET + MET_PARTIAL_DATA, false},
	{MOB, 0x03, BIT(5), SIGNAL_MET + MET_UNALIGNED_DATA, false}, /* UNALGN_ADDR */
	{PMH, 0x01, BIT(0), SIGNAL_MET + MET_DATA_WALK, true}, /* page_walk_type DTMISS */
	{PMH, 0x01, BIT(1), SIGNAL_MET + MET_CODE_WALK, true}, /* ITMISS */
	{SAAT, 0x08, BIT(0), SIGNAL_MET + MET_SPLIT_LOAD, false}, /* memory_complete LSC */
	{SAAT, 0x08, BIT(1), SIGNAL_MET + MET_SPLIT_STORE, false}, /* SSC */
	/* Assumed: the manual names USC and ULC but does not describe them. */
	{SAAT, 0x08, BIT(2), SIGNAL_MET + MET_SPLIT_UC_STORE, false},
	{SAAT, 0x08, BIT(3), SIGNAL_MET + MET_SPLIT_UC_LOAD, false},
	{SAAT, 0x04, BIT(1), SIGNAL_MET + MET_SPLIT_LOAD, false}, /* load_port_replay SPLIT_LD */
	{SAAT, 0x05, BIT(1), SIGNAL_MET + MET_SPLIT_STORE, false}, /* store_port_replay SPLIT_ST */
	{BPU, 0x03, BIT(0), SIGNAL_MET + MET_TRACE_MISS, false}, /* BPU_fetch_request TCMISS */
	{ITLB, 0x18, BIT(0), SIGNAL_MET + MET_CODE_HIT, false}, /* ITLB_reference HIT */
	{ITLB, 0x18, BIT(1), SIGNAL_MET + MET_CODE_WALK, false}, /* MISS */
	{ITLB, 0x18, BIT(2), SIGNAL_MET + MET_CODE_UNCACHEABLE, false}, /* HIT_UC */
	/* TC_deliver_mode DD, DB, DI, BD, BB, BI, ID, IB: of T0 and T1. */
	{TC, 0x01, FIELD(7, 0), DERIVED_MODE, true},
	{TC, 0x06, BIT(4), SIGNAL_MET + MET_TRACE_FLUSH, false}, /* TC_misc FLUSH: two each */
	{MS, 0x05, BIT(0), SIGNAL_MICROCODED, false}, /* tc_ms_xfer CISC */
	{MS, 0x09, BIT(0), DERIVED_BUILT_UOPS, false}, /* uop_queue_writes FROM_TC_BUILD */
	{MS, 0x09, BIT(1), DERIVED_TRACE_CACHE_UOPS, false}, /* FROM_TC_DELIVER */
	{MS, 0x09, BIT(2), SIGNAL_ROM_UOPS, false}, /* FROM_ROM */
	{ALF, 0x01, BIT(5), SIGNAL_MET + MET_STORES_FULL, false}, /* resource_stall SBFULL */
	{TBPU, 0x04, BIT(0), SIGNAL_UNCONDITIONAL, false}, /* retired_branch_type */
	{TBPU, 0x04, BIT(1), SIGNAL_BRANCH_TYPE + TYPE_CONDITIONAL, false},
	{TBPU, 0x04, BIT(2), SIGNAL_BRANCH_TYPE + TYPE_CALL, false},
	{TBPU, 0x04, BIT(3), SIGNAL_BRANCH_TYPE + TYPE_RETURN, false},
	{TBPU, 0x04, BIT(4), SIGNAL_BRANCH_TYPE + TYPE_INDIRECT, false},
	{TBPU, 0x05, BIT(1), SIGNAL_MISPREDICTED_TYPE + TYPE_CONDITIONAL, false},
	{TBPU, 0x05, BIT(2), SIGNAL_MISPREDICTED_TYPE + TYPE_CALL, false},
	{TBPU, 0x05, BIT(3), SIGNAL_MISPREDICTED_TYPE + TYPE_RETURN, false},
	{TBPU, 0x05, BIT(4), SIGNAL_MISPREDICTED_TYPE + TYPE_INDIRECT, false},
	{CRU, 0x02, BIT(0), DERIVED_UNTAGGED, false}, /* instr_retired NBOGUSNTAG */
	{CRU, 0x02, BIT(1), DERIVED_TAGGED, false}, /* NBOGUSTAG */
	{CRU, 0x02, BIT(2), OF_BOGUS | DERIVED_UNTAGGED, false}, /* BOGUSNTAG */
	{CRU, 0x02, BIT(3), OF_BOGUS | DERIVED_TAGGED, false}, /* BOGUSTAG */
	{CRU, 0x01, BIT(0), SIGNAL_UOPS, false}, /* uops_retired NBOGUS */
	{CRU, 0x01, BIT(1), OF_BOGUS | SIGNAL_UOPS, false}, /* BOGUS */
	/* mispred_branch_retired */
	{CRU, 0x03, BIT(0), SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED, false},
	{CRU, 0x03, BIT(0), SIGNAL_OUTCOME + TAKEN_MISPREDICTED, false},
	{CRU, 0x07, BIT(0), SIGNAL_INSTRUCTIONS, false}, /* instr_completed NBOGUS */
	{CRU, 0x07, BIT(1), OF_BOGUS | SIGNAL_INSTRUCTIONS, false}, /* BOGUS */
	{CRU_HIGH, 0x06, BIT(0), SIGNAL_OUTCOME + NOT_TAKEN_PREDICTED, false}, /* branch_retired */
	{CRU_HIGH, 0x06, BIT(1), SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED, false},
	{CRU_HIGH, 0x06, BIT(2), SIGNAL_OUTCOME + TAKEN_PREDICTED, false},
	{CRU_HIGH, 0x06, BIT(3), SIGNAL_OUTCOME + TAKEN_MISPREDICTED, false},
	{CRU_HIGH, 0x08, BIT(0), DERIVED_FRONT_END, false}, /* front_end_event NBOGUS */
	{CRU_HIGH, 0x08, BIT(1), OF_BOGUS | DERIVED_FRONT_END, false}, /* BOGUS */
	{CRU_HIGH, 0x0c, FIELD(3, 0), DERIVED_EXECUTION, false}, /* execution_event NBOGUS0 to 3 */
	{CRU_HIGH, 0x0c, FIELD(7, 4), OF_BOGUS | DERIVED_EXECUTION, false}, /* BOGUS0 to 3 */
	{CRU_HIGH, 0x09, BIT(0), DERIVED_REPLAY, false}, /* replay_event NBOGUS */
};

/* BSQ_allocation of BSU_ESCR0 and bsq_active_entries of BSU_ESCR1: the mask has fields, all
 * of which must fit the request.  Bit 4 is not used.  Assumed: reads of memory have no ordering
 * properties, uncacheable ones have. */
enum { BSQ_ALLOCATION = 0x05, BSQ_FIELDS = 0x3fef };
static const struct request {
	uint16_t mask;
	uint8_t signal;
} requests[] = {
	{0x328c, SIGNAL_MET + MET_LINE_READ}, /* read, 8 chunks, cacheable, demand, WB */
	{0x0604, SIGNAL_MET + MET_UC_READ}, /* read, 1 chunk, demand, ordered, UC */
};

/* IOQ_allocation of FSB_ESCR0, and later of FSB_ESCR1, and IOQ_active_entries of FSB_ESCR1.  No
 * other processor is on the bus.  Assumed: writes past the caches are write-combining. */
enum { IOQ_ALLOCATION = 0x03, IOQ_ACTIVE_ENTRIES = 0x1a };
enum { REQ_TYPE = 0x1f, REQ_A0 = 1, ALL_READ = BIT(5), ALL_WRITE = BIT(6) };
enum { MEM_UC = BIT(7), MEM_WC = BIT(8), MEM_WT = BIT(9), MEM_WP = BIT(10), MEM_WB = BIT(11) };
enum { OWN = BIT(13), OTHER = BIT(14), PREFETCH = BIT(15) };
static const struct transaction {
	uint16_t direction, type;
	uint8_t signal;
	uint16_t needs; /* all of these bits */
} transactions[] = {
	{ALL_READ, MEM_WB, SIGNAL_MET + MET_OTHER_READ, OTHER},
	{ALL_READ, MEM_WB, SIGNAL_MET + MET_PREFETCH, OWN | PREFETCH},
	{ALL_READ, MEM_WP, SIGNAL_MET + MET_PROTECTED_READ, OWN},
	{ALL_WRITE, MEM_WP, SIGNAL_MET + MET_PROTECTED_WRITE, OWN},
	{ALL_READ, MEM_WB, SIGNAL_MET + MET_LINE_MISS, OWN},
	{ALL_READ, MEM_WT, SIGNAL_MET + MET_THROUGH_READ, OWN},
	{ALL_WRITE, MEM_WT, SIGNAL_MET + MET_THROUGH_WRITE, OWN},
	{ALL_READ, MEM_UC, SIGNAL_MET + MET_UC_BUS_READ, OWN},
	{ALL_WRITE, MEM_WB, SIGNAL_MET + MET_WRITE_BACK, OWN},
	{ALL_WRITE, MEM_WC, SIGNAL_MET + MET_WC_EVICT, OWN},
};

/* instr_completed came with model 3. */
static bool has_event(const struct netburst_traits *traits, const struct sub_event *sub)
{
	return traits->instr_completed || sub->pair != CRU || sub->select != 0x07;
}

/* Whatever its tag bits, a micro-op counts once. */
static void add_signal(struct escr *escr, uint8_t signal)
{
	for (unsigned i = 0; i < escr->signal_count; i++)
		if (escr->signals[i] == signal)
			return;
	escr->signals[escr->signal_count++] = signal;
}

static void find_requests(struct escr *escr)
{
	if ((escr->number & ~1u) != BSU || escr->event != BSQ_ALLOCATION + escr->number)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		if ((escr->mask & BSQ_FIELDS) == requests[i].mask)
			add_signal(escr, requests[i].signal);
}

static bool counts_transactions(const struct netburst_traits *traits, const struct escr *escr)
{
	if (escr->number == FSB)
		return escr->event == IOQ_ALLOCATION;
	return escr->number == FSB + 1 && (escr->event == IOQ_ACTIVE_ENTRIES ||
					   (escr->event == IOQ_ALLOCATION && traits->ioq_on_both));
}

static bool is_asked_for(const struct netburst_traits *traits, unsigned mask,
			 const struct transaction *t)
{
	bool direction = mask & t->direction, type = mask & t->type;

	if ((mask & t->needs) != t->needs)
		return false;
	if (traits->ioq_needs_all)
		return (mask & REQ_TYPE) == REQ_A0 && direction && type;
	return direction || (type && !(mask & (ALL_READ | ALL_WRITE)));
}

static void find_transactions(const struct netburst_traits *traits, struct escr *escr)
{
	if (!counts_transactions(traits, escr))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(transactions); i++)
		if (is_asked_for(traits, escr->mask, &transactions[i]))
			add_signal(escr, transactions[i].signal);
}

static void find_signals(const struct netburst_traits *traits, struct escr *escr)
{
	escr->signal_count = 0;
	find_requests(escr);
	find_transactions(traits, escr);
	for (size_t i = 0; i < ARRAY_SIZE(sub_events); i++) {
		const struct sub_event *sub = &sub_events[i];

		if (sub->pair != (escr->number & ~1u) || sub->select != escr->event ||
		    !has_event(traits, sub))
			continue;
		escr->thread_independent = sub->thread_independent;
		if (escr->mask & sub->bits)
			add_signal(escr, sub->signal);
	}
}

/* The bits of either logical processor will do for a thread-independent event. */
static void find_modes(struct escr *escr)
{
	static const uint64_t modes[THREADS][2] = {
		{ESCR_T0_OS, ESCR_T0_USR},
		{ESCR_T1_OS, ESCR_T1_USR},
	};

	for (unsigned ring = 0; ring < 2; ring++)
		for (unsigned thread = 0; thread < THREADS; thread++)
			escr->passes[thread][ring] =
				escr->modes & modes[thread][ring] ||
				(escr->thread_independent && escr->modes & modes[1 - thread][ring]);
}

void netburst_take_apart_escr(const struct pmu_netburst *p, struct escr *escr, uint32_t value)
{
	value = (uint32_t)core_acting(&p->core, NETBURST_ESCR, escr->number, value);
	*escr = (struct escr){
		.number = escr->number,
		.power = escr->power,
		.event = (unsigned)field_get(ESCR_EVENT_SELECT, value),
		.mask = (unsigned)field_get(ESCR_EVENT_MASK, value),
		.tag_value = (unsigned)field_get(ESCR_TAG_VALUE, value),
		.tag_enable = value & ESCR_TAG_ENABLE,
		.modes = value & (ESCR_T0_OS | ESCR_T0_USR | ESCR_T1_OS | ESCR_T1_USR),
	};
	find_signals(p->traits, escr);
	find_modes(escr);
}

/* ---- what is documented ---- */

static unsigned documented_bits(const struct netburst_traits *traits, const struct sub_event *sub)
{
	if (!has_event(traits, sub))
		return 0;
	if (sub->signal == DERIVED_MODE && !traits->hyper_threading)
		return MODE_DI | MODE_BI;
	return sub->bits;
}

/* All bits of the selects and masks of the documented events of an ESCR. */
struct documented {
	uint32_t selects, mask;
};

static struct documented documented(const struct netburst_traits *traits, unsigned escr)
{
	struct documented all = {0, 0};
	const uint32_t of_requests = REQ_TYPE | ALL_READ | ALL_WRITE | MEM_UC | MEM_WC | MEM_WT |
				     MEM_WP | MEM_WB | OWN | OTHER | PREFETCH;
	unsigned pair = escr & ~1u;

	for (size_t i = 0; i < ARRAY_SIZE(sub_events); i++) {
		const struct sub_event *sub = &sub_events[i];
		unsigned bits = sub->pair == pair ? documented_bits(traits, sub) : 0;

		all.selects |= bits ? sub->select : 0u;
		all.mask |= bits;
	}
	if (pair == BSU) {
		all.selects |= BSQ_ALLOCATION + escr;
		all.mask |= BSQ_FIELDS;
	} else if (pair == FSB) {
		all.selects |= escr == FSB || traits->ioq_on_both ? IOQ_ALLOCATION : 0u;
		all.selects |= escr == FSB ? 0u : IOQ_ACTIVE_ENTRIES;
		all.mask |= of_requests;
	} else if (pair == RAT) {
		all.selects |= NETBURST_UOP_TYPE;
		all.mask |= NETBURST_TAGLOADS | NETBURST_TAGSTORES;
	}
	return all;
}

/* Bits of the select field that lead to a documented ESCR. */
static uint64_t used_selects(const struct netburst_traits *traits, unsigned ctr)
{
	uint64_t bits = 0;

	for (unsigned select = 0; select < 8; select++) {
		int escr = netburst_route(ctr, select);

		if (escr >= 0 && documented(traits, (unsigned)escr).mask)
			bits |= field_put(CCCR_ESCR_SELECT, select);
	}
	return bits;
}

static const char *unseen_in_cccr(const struct netburst_traits *traits, unsigned ctr, uint64_t bit,
				  bool inverted)
{
	/* Its higher bit. */
	if (bit & CCCR_ACTIVE_THREAD && bit > field_put(CCCR_ACTIVE_THREAD, 1) &&
	    !traits->hyper_threading)
		return "without Hyper-Threading the field for the active thread is reserved";
	if (bit & CCCR_ESCR_SELECT && !(used_selects(traits, ctr) & bit) && !inverted)
		return "no documented ESCR of this counter has this bit in its select";
	return NULL;
}

static const char *unseen_in_escr(const struct netburst_traits *traits, unsigned escr, uint64_t bit,
				  bool inverted)
{
	struct documented all = documented(traits, escr);

	if (!all.mask)
		return "no manual documents an event of this ESCR: what it counts is undefined";
	if (bit & (ESCR_TAG_ENABLE | ESCR_TAG_VALUE) && (escr & ~1u) != FIRM)
		return "tag enable and tag value are documented for the upstream ESCRs of "
		       "execution_event alone";
	if (bit & ESCR_EVENT_SELECT && !(field_put(ESCR_EVENT_SELECT, all.selects) & bit) &&
	    !inverted)
		return "no documented event of this ESCR has this bit in its select";
	if (bit & ESCR_EVENT_MASK && !(field_put(ESCR_EVENT_MASK, all.mask) & bit))
		return "no documented event of this ESCR has this bit in its mask";
	return NULL;
}

const char *netburst_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			    bool inverted)
{
	if (reg->counter >= 0)
		return unseen_in_cccr(traits, (unsigned)reg->counter, bit, inverted);
	return unseen_in_escr(traits, reg->address - MSR_NETBURST_ESCR, bit, inverted);
}
