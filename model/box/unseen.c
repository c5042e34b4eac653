/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of boxes' registers: which ones are documented to do something. */
#include "box.h"

/* Bits of the control register that events of the counter have in their number and unit mask. */
struct used {
	uint64_t bits;
	bool codes; /* some unit mask is a code, of which each bit matters */
	bool threads; /* some event is of a thread */
};

static struct used used_by(const struct uncore_kind *kind, unsigned ctr)
{
	struct used used = {0};

	for (const struct uncore_event *event = kind->events; event->counters; event++) {
		if (!(event->counters >> ctr & 1))
			continue;
		used.bits |= field_put(kind->field[CTL_EVENT], event->code & 0xff);
		used.bits |= uncore_scatter(kind->field[CTL_UMASK], event->umask);
		used.codes |= event->counting == COUNTS_TOR_INSERTS ||
			      event->counting == COUNTS_TOR_OCCUPANCY;
		used.threads |= uncore_tells_ids(event);
	}
	/* For an occupancy these fields mean something else, and are used, too. */
	if (kind->field[CTL_OCCUPANCY])
		used.bits |= kind->field[CTL_OCCUPANCY] | kind->field[CTL_UMASK];
	return used;
}

static const char *unseen_in_control(const struct uncore_kind *kind, unsigned ctr, uint64_t bit,
				     bool inverted)
{
	struct used used = used_by(kind, ctr);

	if (bit & kind->field[CTL_OTHER])
		return "this bit is of what does not happen here, or not documented";
	if (bit == kind->field[CTL_THREAD] && !used.threads)
		return "no event of this counter is documented to be of a thread";
	if (bit & kind->field[CTL_EVENT] && !(used.bits & bit) && !inverted)
		return "no documented event of this counter has this bit in its event select";
	if (bit & kind->field[CTL_UMASK] && !(used.bits & bit) && !(inverted && used.codes))
		return "no documented event of this counter has this bit in its unit mask";
	return NULL;
}

/* ---- AMD ---- */

static const char *unseen_in_event(const struct uncore_kind *kind, uint64_t bit, bool inverted)
{
	unsigned code = uncore_get(kind, CTL_EVENT, bit), local = kind->instance_bit;

	for (const struct uncore_event *event = kind->events; event->counters; event++)
		if (event->code & code)
			return NULL;
	if (inverted)
		return NULL;
	if (!local || code < 1u << local)
		return "no documented event has this bit in its event select";
	return code >> local < kind->instances
		       ? NULL
		       : "no channel of memory has an instance with this bit in its number";
}

/* All that is counted is of one thread, whose number is the same in each clock. */
enum { THREAD_BIT_17H = 4, THREAD_BIT_19H = 0 };

static const char *unseen_in_scope(const struct uncore_kind *kind, uint64_t bit, bool inverted)
{
	const unsigned mine = kind->field[CTL_CORE] ? THREAD_BIT_19H : THREAD_BIT_17H;

	if (bit & kind->field[CTL_THREADS] && uncore_get(kind, CTL_THREADS, bit) != 1u << mine)
		return "the program does not run on the thread that this bit stands for";
	if (inverted && bit & (kind->field[CTL_SLICE] | kind->field[CTL_CORE]))
		return "which number is which is not documented: another one is as good";
	if (bit & kind->field[CTL_OTHER])
		return "this bit is of interrupts, which are not driven, or not documented";
	return NULL;
}

/* The unit mask of a cache that lets any state pass counts all hits. */
static const char *unseen_in_amd(const struct uncore_kind *kind, uint64_t bit, bool inverted)
{
	if (bit & kind->field[CTL_EVENT])
		return unseen_in_event(kind, bit, inverted);
	if (!(bit & kind->field[CTL_UMASK]))
		return unseen_in_scope(kind, bit, inverted);
	for (const struct uncore_event *event = kind->events; event->counters; event++)
		if (event->umask & uncore_get(kind, CTL_UMASK, bit))
			return NULL;
	if (kind->role == ROLE_CACHE)
		return inverted ? NULL
				: "which hits this bit of the unit mask stands for is not "
				  "documented";
	return "nothing here is of the sort that this bit of the unit mask stands for";
}

const char *uncore_unseen(const struct uncore_kind *kind, struct reg_id reg, uint64_t bit,
			  bool inverted)
{
	uint64_t nodes = uncore_field_in(kind, FILTER_NODE, reg);
	const uint64_t of_all = uncore_field_in(kind, CTL_OVERFLOW, reg) |
				uncore_field_in(kind, FIXED_OVERFLOW, reg) |
				uncore_fields_in(kind, reg, GATE_LISTENS, GATE_RESET_CONTROLS);

	if (bit & of_all)
		return "overflows of boxes, and what has functions listen to their package, are "
		       "not driven";
	if (reg.kind == UNCORE_CTL && kind->by_turns)
		return unseen_in_amd(kind, bit, inverted);
	if (reg.kind == UNCORE_CTL && reg.number != UNCORE_FIXED)
		return unseen_in_control(kind, reg.number, bit, inverted);
	if (reg.kind != UNCORE_FILTER)
		return NULL;
	if (bit & nodes && bit >= field_put(nodes, 1u << UNCORE_SOCKETS))
		return "no request has a third node as its target where there are two sockets";
	if (kind->role == ROLE_SLICE &&
	    !(bit & uncore_fields_in(kind, reg, FILTER_THREAD, UNCORE_FIELDS)))
		return "no request here is of the sort that this bit lets through";
	if (kind->role == ROLE_LINK && bit & (reg.number % 2 ? MATCH_HIGH_RNID : MATCH_LOW_RNID))
		return "whether RNID takes part in the matching is not documented";
	if (kind->role == ROLE_HOME && reg.number == FILTER_OPCODEMATCH && inverted)
		return "how the opcodes of home agents are coded is not documented for this part: "
		       "another number is as good";
	return NULL;
}
