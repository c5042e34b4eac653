/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traffic: transactions become clocks of the boxes that they pass, a slice of the LLC, the home
 * agent and a memory channel.  Each unit takes them in bursts of one to four, so that queues fill
 * up to several depths; a burst begins when its last transaction comes, and the program waits until
 * all of it has been counted.
 */
#include "layout.h"

enum { REGIONS = 8 }; /* that target address decoders tell apart */

/* Clocks from the last arrival in a unit to the first answer; of slices for each that waits, so
 * that no depth of a queue is rarer than a smaller one. */
enum { SLICE_LATENCY = 16, HOME_LATENCY = 12 };
enum { WAYS_OF_RING = 4 };

/* Bits of unit masks. */
enum { WC_ALIASING = 1, AK_CORE = 5, BL_CORE = 6, NOT_TAKEN = 1, NO_SNP = 1 };
enum { DRS_CORE = 1, DRS_QPI = 2 };
enum { LOCAL_READS = 0, LOCAL_WRITES = 2, FULL = 0, PARTIAL = 1 };
enum { REMOTE = 1 }; /* from local to remote ones */

enum { THREAD = 2 << 1 }; /* whose requests they are: the first one of core 2 */

#define REQUEST(opc_, lookup_, state_) .opc = opc_, .lookup = lookup_, .state = state_
#define READ(opc_, state_)             REQUEST(opc_, 0x02, state_)
#define WRITE(opc_, state_)            REQUEST(opc_, 0x04, state_), .write = true

/* A state of 0 is any clean one. */
static const struct uncore_request types[] = {
	[TRANSACTION_DRD] = {READ(0x182, LINE_I), .ha_opcode = 0x02, .miss = true},
	[TRANSACTION_RFO] = {READ(0x180, LINE_I), .ha_opcode = 0x04, .miss = true},
	[TRANSACTION_WBMTOI] = {WRITE(0x1c4, LINE_M), .ha_opcode = 0x08, .wb = true},
	[TRANSACTION_WCILF] = {WRITE(0x18c, LINE_I), .ha_opcode = 0x07, .miss = true},
	[TRANSACTION_WCILF_HIT_M] = {WRITE(0x18c, LINE_M), .ha_opcode = 0x07, .miss = true,
				     .alias = true},
	[TRANSACTION_WCIL] = {WRITE(0x18d, LINE_I), .ha_opcode = 0x07, .partial = true,
			      .miss = true},
	[TRANSACTION_DRD_HIT] = {READ(0x182, 0), .cached = true},
	[TRANSACTION_DRD_HIT_M] = {READ(0x182, LINE_M), .cached = true},
	[TRANSACTION_RFO_HIT] = {READ(0x180, 0), .cached = true},
	[TRANSACTION_RFO_HIT_M] = {READ(0x180, LINE_M), .cached = true},
	[TRANSACTION_EVICTION] = {WRITE(0x1c4, LINE_M), .wb = true, .cached = true},
};

/* ---- a burst laid out in time ---- */

/* The way of a request on a ring: one of its halves, one direction.  Lines of a slice take all in
 * turn. */
static unsigned way_of(const struct uncore_layout *l, const struct uncore_request *request)
{
	return (unsigned)(request->address / UNCORE_LINE / l->slices % WAYS_OF_RING);
}

/* What a slice takes as the home of a line. */
static void add_home(struct uncore_segment *segment, const struct uncore_request *request)
{
	if (request->cached || request->remote)
		return;
	segment->n[SLICE_REQUESTS + (request->write ? LOCAL_WRITES : LOCAL_READS)] = 1;
	if (request->write)
		segment->n[SLICE_IMC_WRITES + (request->partial ? PARTIAL : FULL)] = 1;
	else
		segment->n[SLICE_IMC_READS] = 1;
}

static void lay_out_slice(struct uncore_layout *l)
{
	const struct uncore_request *pending = l->queue->pending;
	unsigned n = l->queue->count;

	for (unsigned i = 0; i < n; i++) {
		struct uncore_segment *segment = uncore_append_tor(l, 1, 0, i + 1);

		segment->arrival = &pending[i];
		segment->n[SLICE_RXR] = segment->n[SLICE_RXR_OCCUPANCY] = 1;
		segment->n[SLICE_RING_AD + way_of(l, &pending[i])] = 1;
		segment->n[SLICE_MISC + WC_ALIASING] = pending[i].alias;
		add_home(segment, &pending[i]);
	}
	uncore_append_tor(l, SLICE_LATENCY * n, 0, n);
	for (unsigned i = 0; i < n; i++) {
		struct uncore_segment *segment = uncore_append_tor(l, 1, i, n);
		unsigned out = pending[i].write ? AK_CORE : BL_CORE, ring;

		segment->n[SLICE_TXR + out] = 1;
		ring = pending[i].write ? SLICE_RING_AK : SLICE_RING_BL;
		segment->n[ring + way_of(l, &pending[i])] = 1;
		uncore_append_tor(l, 4 + i, i + 1, n);
	}
}

static void arrive_at_home(struct uncore_layout *l, const struct uncore_request *request)
{
	struct uncore_segment *segment = uncore_append(l, 1);

	segment->arrival = request;
	segment->n[HOME_REQUESTS + (request->write ? LOCAL_WRITES : LOCAL_READS) +
		   (request->remote ? REMOTE : 0)] = 1;
	segment->n[HOME_TRACKER] = 1;
	segment->n[HOME_TAD + REGIONS - 1 - request->address / UNCORE_REGION % REGIONS] = 1;
	segment->n[HOME_RING_AD + way_of(l, request)] = 1;
	if (request->write) {
		segment->n[HOME_IMC_WRITES + (request->partial ? PARTIAL : FULL)] = 1;
	} else {
		segment->n[HOME_DIRECTORY + NO_SNP] = 1;
		segment->n[HOME_BYPASS + NOT_TAKEN] = 1;
	}
}

static void lay_out_home(struct uncore_layout *l)
{
	bool remote = l->queue->pending[0].remote;
	unsigned reads = 0;

	for (unsigned i = 0; i < l->queue->count; i++) {
		arrive_at_home(l, &l->queue->pending[i]);
		reads += !l->queue->pending[i].write;
	}
	uncore_append(l, HOME_LATENCY);
	for (unsigned i = 0; i < reads; i++) {
		struct uncore_segment *segment = uncore_append(l, 1);

		segment->n[HOME_BL + (remote ? DRS_QPI : DRS_CORE)] = 1;
		segment->n[HOME_D2C] = !remote;
		segment->n[HOME_BL_INSERTS] = segment->n[HOME_BL_NE] = 1;
		segment->n[HOME_BL_OCCUPANCY] = (uint8_t)(i + 1);
	}
	for (unsigned left = reads; left; left--) {
		struct uncore_segment *segment = uncore_append(l, 2);

		segment->n[HOME_RING_BL + (left + l->queue->bursts) % WAYS_OF_RING] =
			segment->n[HOME_BL_NE] = 1;
		segment->n[HOME_BL_OCCUPANCY] = (uint8_t)left;
	}
	uncore_append(l, 1);
}

/* Bits of unit masks: all reads, and all writes. */
enum { NORMAL_READS = 0, ALL_READS = 2, ALL_WRITES = 4 };

static void lay_out_mesh(struct uncore_layout *l)
{
	for (unsigned i = 0; i < l->queue->count; i++) {
		const struct uncore_request *request = &l->queue->pending[i];
		struct uncore_segment *segment = uncore_append(l, 1);

		segment->arrival = request;
		if (request->write) {
			segment->n[MESH_WRITES + (request->partial ? PARTIAL : FULL)] = 1;
			segment->n[MESH_WRITES + ALL_WRITES] = 1;
		} else {
			segment->n[MESH_READS + NORMAL_READS] = 1;
			segment->n[MESH_READS + ALL_READS] = segment->n[MESH_DIRECTORY] = 1;
			segment->n[MESH_DIRECT] = !request->remote;
		}
		uncore_append(l, HOME_LATENCY);
	}
}

/* ---- queues ---- */

static void send(struct uncore *u, struct uncore_box *box, struct uncore_queue *queue)
{
	static void (*const lay_out[UNCORE_ROLES])(struct uncore_layout *) = {
		[ROLE_SLICE] = lay_out_slice,
		[ROLE_HOME] = lay_out_home,
		[ROLE_CHANNEL] = uncore_lay_out_channel,
		[ROLE_LINK] = uncore_lay_out_link,
		[ROLE_CACHE] = uncore_lay_out_arrivals,
		[ROLE_L2] = uncore_lay_out_arrivals,
		[ROLE_FABRIC] = uncore_lay_out_arrivals,
		[ROLE_CONTROLLER] = uncore_lay_out_controller,
		[ROLE_NORTHBRIDGE] = uncore_lay_out_node,
		[ROLE_CORE_SLICE] = uncore_lay_out_arrivals,
		[ROLE_ARBITER] = uncore_lay_out_arrivals,
		[ROLE_MESH_MEMORY] = lay_out_mesh,
		[ROLE_WHOLE] = uncore_lay_out_whole,
		[ROLE_MEMORY] = uncore_lay_out_memory,
	};
	static struct uncore_layout l LARGE;
	uint64_t done;

	if (!queue->count)
		return;
	l.box = box;
	l.queue = queue;
	l.slices = u->role[ROLE_SLICE].count;
	l.links = u->role[ROLE_LINK].count;
	l.count = 0;
	lay_out[box->kind->role](&l);
	uncore_advance(u, box);
	for (unsigned i = 0; i < l.count; i++)
		uncore_run(u, box, &l.segments[i]);
	done = uncore_tsc_of(u, box);
	if (done > u->memory.busy_until)
		u->memory.busy_until = done;
	u->waiting -= queue->count;
	queue->count = 0;
	queue->bursts++;
}

static void enqueue(struct uncore *u, struct uncore_box *box, const struct uncore_request *request)
{
	static const uint8_t lengths[] = {2, 4, 1, 3};
	bool writes = request->write && box->kind->role == ROLE_CHANNEL;
	struct uncore_queue *queue = writes ? &box->writes : &box->queue;

	queue->pending[queue->count++] = *request;
	u->waiting++;
	if (queue->count >= lengths[queue->bursts % ARRAY_SIZE(lengths)])
		send(u, box, queue);
}

/* How often it comes to the box: a defect may let it come twice or not at all, or change it. */
static unsigned arrivals(struct uncore *u, struct uncore_box *box, struct uncore_request *request)
{
	struct point at = uncore_point(u, box, 0);

	at.ctr = NO_COUNTER;
	at.request = request;
	at.n = 1;
	REACH(&at, &box->active, arrives);
	return at.n;
}

static void deliver_with_defect(struct uncore *u, struct uncore_box *box,
				struct uncore_request request)
{
	for (unsigned n = arrivals(u, box, &request); n; n--)
		enqueue(u, box, &request);
}

/* Delivers a request to a box of the role: the boxes take turns, by number. */
static void deliver(struct uncore *u, unsigned socket, enum uncore_role role, uint64_t number,
		    const struct uncore_request *request)
{
	unsigned count = uncore_in_use(u, role);
	struct uncore_box *box;

	if (!count)
		return;
	box = &u->box[socket][u->role[role].first + number % count];
	if (box->watching && box->active.defect)
		deliver_with_defect(u, box, *request);
	else if (box->watching)
		enqueue(u, box, request);
}

/* Sends a request over one of the links between the sockets; both ends see it. */
static void cross(struct uncore *u, const struct uncore_request *request)
{
	for (unsigned socket = 0; socket < u->sockets; socket++)
		deliver(u, socket, ROLE_LINK, request->address / UNCORE_LINE, request);
}

/* What its controller counts by itself. */
static void go_through(struct uncore *u, struct uncore_request request)
{
	unsigned count = u->role[ROLE_MEMORY].count, n = 1;
	struct uncore_box *box;

	if (!count)
		return;
	box = &u->box[request.nid][u->role[ROLE_MEMORY].first +
				   uncore_stop_of(u, ROLE_MEMORY, request.address) % count];
	if (box->active.defect)
		n = arrivals(u, box, &request);
	for (; n; n--) {
		uncore_meter_line(box, &request);
		if (box->watching)
			enqueue(u, box, &request);
	}
}

static void reach_memory(struct uncore *u, const struct uncore_request *request)
{
	if (request->remote)
		cross(u, request);
	deliver(u, request->nid, ROLE_HOME, request->address / UNCORE_LINE, request);
	deliver(u, request->nid, ROLE_CHANNEL, request->address / UNCORE_LINE, request);
	deliver(u, request->nid, ROLE_FABRIC, 0, request);
	deliver(u, request->nid, ROLE_CONTROLLER, request->channel, request);
	deliver(u, request->nid, ROLE_NORTHBRIDGE, 0, request);
	deliver(u, request->nid, ROLE_ARBITER, 0, request);
	deliver(u, request->nid, ROLE_MESH_MEMORY,
		uncore_stop_of(u, ROLE_MESH_MEMORY, request->address), request);
	go_through(u, *request);
}

/* The state of a clean line, which is up to all caches of the machine. */
static uint8_t clean_state(uint64_t address)
{
	static const uint8_t states[] = {LINE_E, LINE_S, LINE_F};

	return states[address / UNCORE_LINE % ARRAY_SIZE(states)];
}

void uncore_request(struct uncore *u, enum uncore_type type, uint64_t address)
{
	struct uncore_request request = types[type];

	request.address = address;
	request.opc = (uint16_t)(request.opc + u->part->opcodes);
	if (!request.state)
		request.state = clean_state(address);
	request.tid = THREAD;
	uncore_place(u, &request);
	deliver(u, u->home, ROLE_SLICE, uncore_slice_of(address), &request);
	deliver(u, u->home, ROLE_CACHE, 0, &request);
	deliver(u, u->home, ROLE_L2, 0, &request);
	deliver(u, u->home, ROLE_CORE_SLICE, uncore_slice_of(address), &request);
	deliver(u, u->home, ROLE_WHOLE, 0, &request);
	if (!request.cached)
		reach_memory(u, &request);
}

void uncore_count_lock(struct uncore *u)
{
	static const struct uncore_segment lock = {.clocks = 1, .n = {[SYSTEM_LOCK] = 1}};

	for (unsigned i = 0; i < u->role[ROLE_SYSTEM].count; i++) {
		struct uncore_box *box = &u->box[u->home][u->role[ROLE_SYSTEM].first + i];

		uncore_advance(u, box);
		uncore_run(u, box, &lock);
	}
}

uint64_t uncore_drain(struct uncore *u)
{
	for (unsigned socket = 0; u->waiting && socket < u->sockets; socket++)
		for (unsigned i = 0; i < u->boxes; i++) {
			struct uncore_box *box = &u->box[socket][i];

			send(u, box, &box->queue);
			send(u, box, &box->writes);
		}
	return u->memory.busy_until;
}
