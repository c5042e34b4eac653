/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests for memory of another socket, as packets on a QPI link: the core's socket is 0, the
 * memory's 1.  Message classes and opcodes: uncore guide 327043-001, 2.10.
 */

#include "layout.h"

/* Clocks until the home agent has answered. */
enum { LINK_LATENCY = 40 };
enum { STALL_REASONS = 8 };

enum { HOM0 = 0, NDR = 2, DRS = 14 };
enum { RD_DATA = 2, RD_INV_OWN = 4, NON_SNP_WR = 7, WB_M_TO_I = 12 };
enum { DATA_C = 0, WB_I_DATA = 4, NON_SNP_WR_DATA = 7, NON_SNP_WR_DATA_PTL = 11 };
enum { CMP = 0 };
enum { DATA_STATE_E = 4, VNA = 2 };
enum { NODE_OF_CORE = 0, NODE_OF_MEMORY = 1 };

/* Bits of the unit masks of G0, G1 and G2. */
enum { FLITS_IDLE = 0, FLITS_DATA = 1, FLITS_NON_DATA = 2 };
enum { HOM_REQ = 1, DRS_DATA = 3, DRS_NONDATA = 4, NDR_AD = 0 };

struct packet {
	uint8_t class, opcode;
	bool to_memory;
	uint8_t data, non_data; /* flits */
};

static struct packet request_of(const struct uncore_request *r)
{
	unsigned read = r->ha_opcode == RD_INV_OWN ? RD_INV_OWN : RD_DATA;
	unsigned write = r->wb ? WB_M_TO_I : NON_SNP_WR;

	return (struct packet){HOM0, (uint8_t)(r->write ? write : read), true, 0, 1};
}

/* A line; a part of one has byte enables with it, in two flits more. */
static struct packet data_of(const struct uncore_request *r)
{
	unsigned written = r->wb ? WB_I_DATA : r->partial ? NON_SNP_WR_DATA_PTL : NON_SNP_WR_DATA;

	return (struct packet){DRS, (uint8_t)(r->write ? written : DATA_C), r->write, 8,
			       r->partial ? 3 : 1};
}

static const struct packet completion = {NDR, CMP, false, 0, 1};

static struct uncore_header header_of(const struct packet *packet)
{
	bool has_state = packet->class == DRS && packet->opcode == DATA_C;
	unsigned node = packet->to_memory ? NODE_OF_MEMORY : NODE_OF_CORE;

	return (struct uncore_header){
		(uint32_t)(node << 13 | (unsigned)packet->class << 9 |
			   (unsigned)packet->opcode << 5 | VNA << 3),
		has_state ? DATA_STATE_E << 16 : 0,
	};
}

/* Flits of one clock, in one direction, of so many slots. */
static void add_flits(struct uncore_segment *s, const struct packet *packet, bool sent,
		      unsigned slots, unsigned data, unsigned non_data)
{
	uint8_t *g0 = &s->n[sent ? LINK_TX_G0 : LINK_RX_G0];
	uint8_t *g1 = &s->n[sent ? LINK_TX_G1 : LINK_RX_G1];
	uint8_t *g2 = &s->n[sent ? LINK_TX_G2 : LINK_RX_G2];

	g0[FLITS_IDLE] = (uint8_t)(slots - data - non_data);
	g0[FLITS_DATA] = (uint8_t)data;
	g0[FLITS_NON_DATA] = (uint8_t)non_data;
	if (packet->class == DRS) {
		g1[DRS_DATA] = (uint8_t)data;
		g1[DRS_NONDATA] = (uint8_t)non_data;
	} else if (packet->class == HOM0) {
		g1[HOM_REQ] = (uint8_t)non_data;
	} else {
		g2[NDR_AD] = (uint8_t)non_data;
	}
}

/* A packet comes in; its header can be matched. */
static void receive(struct uncore_layout *l, struct uncore_segment *s, const struct packet *packet,
		    bool begins)
{
	struct uncore_header *header = &l->headers[l->count - 1];

	s->n[LINK_RX_NE] = s->n[LINK_RX_OCCUPANCY] = 1;
	s->n[LINK_RX_INSERTS] = begins;
	if (begins) {
		*header = header_of(packet);
		s->headers = header;
		s->header_count = 1;
	}
}

/* Stalls for one clock before a packet is received, for one reason or the other: which ones there
 * are, and when, is up to both sockets. */
static void stall(struct uncore_layout *l, uint64_t address)
{
	struct uncore_segment *s = uncore_append(l, 1);

	s->n[LINK_RX_STALLS + address / (UNCORE_LINE * l->links) % STALL_REASONS] = 1;
}

static void carry(struct uncore_layout *l, uint64_t address, struct packet packet)
{
	bool sent = packet.to_memory == (l->box->socket == NODE_OF_CORE), begins = true;
	unsigned data = packet.data, non_data = packet.non_data, slots = l->box->kind->slots;

	if (!sent)
		stall(l, address);
	while (data + non_data) {
		struct uncore_segment *s = uncore_append(l, 1);
		unsigned others = non_data < slots ? non_data : slots;
		unsigned words = data < slots - others ? data : slots - others;

		add_flits(s, &packet, sent, slots, words, others);
		if (!sent)
			receive(l, s, &packet, begins);
		begins = false;
		data -= words;
		non_data -= others;
	}
}

void uncore_lay_out_link(struct uncore_layout *l)
{
	const struct uncore_request *pending = l->queue->pending;

	for (unsigned i = 0; i < l->queue->count; i++) {
		carry(l, pending[i].address, request_of(&pending[i]));
		if (pending[i].write)
			carry(l, pending[i].address, data_of(&pending[i]));
	}
	uncore_append(l, LINK_LATENCY);
	for (unsigned i = 0; i < l->queue->count; i++)
		carry(l, pending[i].address, pending[i].write ? completion : data_of(&pending[i]));
}
