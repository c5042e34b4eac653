/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program executes, by the trap flag and what its maker knows of each instruction. */
#include "random.h"

const struct truth truth_of_empty = {
	.instructions = 1, .branches = 1, .taken = 1, .near_returns = 1};

struct steps {
	uintptr_t ip; /* of the instruction that runs next; 0: the program has not begun */
	unsigned up_to; /* the place that ends it */
	bool done;
	enum ring ring;
	struct truth *truth;
};

static unsigned place_of(uintptr_t ip)
{
	return (unsigned)(ip - (uintptr_t)user_code);
}

const struct note *note_at(uintptr_t ip)
{
	static const struct note none;

	return place_of(ip) < USER_CODE_SIZE ? &image_now.note[place_of(ip)] : &none;
}

bool is_fused(uint64_t ip, const struct pmu_branch *branch)
{
	const struct note *note = note_at((uintptr_t)ip);

	return branch->kind == BRANCH_CONDITIONAL && note->is == IS_INSTRUCTION &&
	       ip + note->length == branch->from;
}

static bool crosses(const struct crossing *way, uintptr_t ip)
{
	unsigned begin = crossing_begins(way);

	return !memcmp((const void *)ip, way->code + begin, way->length - begin);
}

/* By its code: no way is as another one. */
static unsigned crossing_of(uintptr_t ip)
{
	unsigned i = 0;

	while (!crosses(crossing(i), ip))
		i++;
	return i;
}

static void note_step(struct truth *truth, uintptr_t from, uintptr_t to);

/* The instruction that crosses, and what is behind it in ring 0, are counted apart.  IRET sets the
 * flag again, which takes effect behind the instruction that follows; SYSRET does so at once, as do
 * SYSEXIT and a far return, across which it is set all the time. */
static void note_crossing(struct truth *truth, uintptr_t from, uintptr_t to)
{
	const uintptr_t behind = from + note_at(from)->length;
	const unsigned i = crossing_of(from);
	const struct crossing *way = crossing(i);

	truth->times[i]++;
	truth->crossings += way->returns;
	truth->handlers += way->handler;
	truth->in_c |= !way->handler;
	if (to != behind)
		note_step(truth, behind, to);
}

/* ---- the branches taken ---- */

struct route route_now;

static enum pmu_branch_kind kind_of(uintptr_t from, unsigned is)
{
	if (is & IS_CALL)
		return *(const uint8_t *)from == 0xff ? BRANCH_INDIRECT_CALL : BRANCH_RELATIVE_CALL;
	if (is & IS_RETURN)
		return BRANCH_RETURN;
	return is & IS_JUMP ? BRANCH_RELATIVE_JMP : BRANCH_CONDITIONAL;
}

static void note_branch(uintptr_t from, uintptr_t to, unsigned is)
{
	route_now.at[route_now.taken++ % ROUTE_MAX] =
		(struct pmu_branch){.from = from, .to = to, .kind = kind_of(from, is)};
}

/* ---- steps ---- */

static void note_step(struct truth *truth, uintptr_t from, uintptr_t to)
{
	const struct note *note = note_at(from);
	unsigned is = note->is;

	if (is & IS_CROSSING) {
		note_crossing(truth, from, to);
		return;
	}
	truth->instructions++;
	truth->branches += (is & IS_BRANCH) != 0;
	truth->conditional += (is & IS_CONDITIONAL) != 0;
	truth->near_returns += (is & IS_RETURN) != 0;
	if (is & IS_BRANCH && (!(is & IS_CONDITIONAL) || to != from + note->length)) {
		truth->taken++;
		note_branch(from, to, is);
	}
}

/* In ring 3 the first trap comes after the program's first instruction; in ring 0 the call before
 * it traps, too, with the program's begin as what comes next. */
static bool step(struct trap_frame *frame, void *arg)
{
	struct steps *s = arg;

	/* On the way through ring 0. */
	if (s->ring == RING_3 && !(frame->cs & 3))
		return true;
	if (!s->ip) {
		if (frame->ip == (uintptr_t)user_code)
			s->ip = frame->ip;
		return true;
	}
	if (!s->done)
		note_step(s->truth, s->ip, frame->ip);
	s->ip = frame->ip;
	if (!note_at(frame->ip)->is || place_of(frame->ip) == s->up_to) {
		route_now.place = s->done ? route_now.place : place_of(frame->ip);
		s->done = true;
		frame->flags &= ~RFLAGS_TF;
	}
	return true;
}

bool truth_up_to(struct truth *truth, enum ring ring, unsigned place)
{
	asm_code *entry = (asm_code *)(uintptr_t)user_code;
	struct steps s = {.ring = ring, .up_to = place, .truth = truth};

	*truth = (struct truth){.ways = image_now.ways};
	route_now.taken = 0;
	image_prepare_buffer();
	trap_set_handler(VECTOR_DB, step, &s);
	crossings_open(image_now.ways);
	if (ring == RING_3) {
		s.ip = (uintptr_t)user_code;
		user_call(entry, image_now.turns, user_buffer(), RFLAGS_TF);
	} else {
		kernel_call_stepped(entry, image_now.turns, user_buffer());
	}
	crossings_close();
	trap_set_handler(VECTOR_DB, NULL, NULL);
	return s.done;
}

bool truth_of(struct truth *truth, enum ring ring)
{
	return truth_up_to(truth, ring, USER_CODE_SIZE);
}
