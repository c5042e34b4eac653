/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program executes, by the trap flag and what its maker knows of each instruction. */
#include "random.h"

#include "tests/crossings/crossings.h"

const struct truth truth_of_empty = {
	.instructions = 1, .branches = 1, .taken = 1, .near_returns = 1};

struct steps {
	uintptr_t ip; /* of the instruction that runs next; 0: the program has not begun */
	bool done;
	struct truth *truth;
};

static unsigned place_of(uintptr_t ip)
{
	return (unsigned)(ip - (uintptr_t)user_code);
}

static const struct note *note_at(uintptr_t ip)
{
	static const struct note none;

	return place_of(ip) < USER_CODE_SIZE ? &image_now.note[place_of(ip)] : &none;
}

/* By its code: no way begins as another one does. */
static const struct crossing *crossing_of(uintptr_t ip)
{
	const struct crossing *way;
	unsigned i = 0;

	do
		way = crossing(i++);
	while (memcmp((const void *)ip, way->code, way->length));
	return way;
}

static void note_step(struct truth *truth, uintptr_t from, uintptr_t to);

/* The instruction that crosses, and what is behind it in ring 0, are counted apart.  IRET sets the
 * flag again, which takes effect behind the instruction that follows; SYSRET does so at once. */
static void note_crossing(struct truth *truth, uintptr_t from, uintptr_t to)
{
	const uintptr_t behind = from + note_at(from)->length;

	truth->crossings++;
	truth->handlers += crossing_of(from)->handler;
	if (to != behind)
		note_step(truth, behind, to);
}

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
	truth->taken +=
		(is & IS_BRANCH) != 0 && (!(is & IS_CONDITIONAL) || to != from + note->length);
	truth->near_returns += (is & IS_RETURN) != 0;
}

/* In ring 3 the first trap comes after the program's first instruction; in ring 0 the call before
 * it traps, too, with the program's begin as what comes next. */
static bool step(struct trap_frame *frame, void *arg)
{
	struct steps *s = arg;

	if (!s->ip) {
		if (frame->ip == (uintptr_t)payload_drawn.entry)
			s->ip = frame->ip;
		return true;
	}
	if (!s->done)
		note_step(s->truth, s->ip, frame->ip);
	s->ip = frame->ip;
	if (!note_at(frame->ip)->is) {
		s->done = true;
		frame->flags &= ~RFLAGS_TF;
	}
	return true;
}

bool truth_of(struct truth *truth, enum ring ring)
{
	struct steps s = {.truth = truth};

	*truth = (struct truth){.ways = image_now.ways};
	image_prepare_buffer();
	trap_set_handler(VECTOR_DB, step, &s);
	crossings_open(image_now.ways);
	if (ring == RING_3) {
		s.ip = (uintptr_t)payload_drawn.entry;
		user_call(payload_drawn.entry, image_now.turns, user_buffer(), RFLAGS_TF);
	} else {
		kernel_call_stepped(payload_drawn.entry, image_now.turns, user_buffer());
	}
	crossings_close();
	trap_set_handler(VECTOR_DB, NULL, NULL);
	return s.done;
}
