/* SPDX-License-Identifier: BSD-2-Clause */
/* Ground truth: the constants that the assembler made are what this processor executes, counted by
 * its own trap flag, without the PMU. */
#include "core.h"

#define GROUP     "truth", ""
#define TRAP_FLAG "AMD64 APM vol. 2, 13.1.4: single stepping"

/* One payload being stepped through. */
struct steps {
	uint64_t rip; /* of the instruction that runs next; 0: the payload has not begun */
	bool done;
	struct payload_counts seen;
	const struct payload *payload;
};

static bool in_payload(uint64_t rip)
{
	return rip >= (uintptr_t)user_text_start && rip < (uintptr_t)user_text_end &&
	       rip != (uintptr_t)user_return;
}

/* In ring 3 the first trap comes after the payload's first instruction; in ring 0 the call before
 * it traps too, with the payload's entry as what comes next. */
static bool step(struct trap_frame *frame, void *arg)
{
	struct steps *s = arg;

	if (!s->rip) {
		if (frame->ip == (uintptr_t)s->payload->entry)
			s->rip = frame->ip;
		return true;
	}
	if (!s->done)
		payload_step(&s->seen, s->rip, frame->ip);
	s->rip = frame->ip;
	if (!in_payload(frame->ip)) {
		s->done = true;
		frame->flags &= ~RFLAGS_TF;
	}
	return true;
}

static void step_through(struct steps *s, uint64_t iterations, enum ring ring)
{
	if (ring == RING_3) {
		s->rip = (uintptr_t)s->payload->entry;
		user_call(s->payload->entry, iterations, user_buffer(), RFLAGS_TF);
	} else {
		kernel_call_stepped(s->payload->entry, iterations, user_buffer());
	}
}

static bool check_payload(struct run *t, const struct payload *payload, uint64_t n, enum ring ring)
{
	const struct payload_counts want = payload_total(payload, n);
	const uint64_t either_way = n * payload_does(payload, "either_way");
	struct steps s = {.payload = payload};

	trap_set_handler(VECTOR_DB, step, &s);
	step_through(&s, n, ring);
	trap_set_handler(VECTOR_DB, NULL, NULL);
	return CHECK(t, s.done) &&
	       CHECK_EQ(t, (uint64_t)s.seen.instructions, (uint64_t)want.instructions) &&
	       CHECK_EQ(t, (uint64_t)s.seen.branches, (uint64_t)want.branches) &&
	       CHECK_IS(t, (uint64_t)(s.seen.taken - want.taken), <=, either_way) &&
	       CHECK_EQ(t, (uint64_t)s.seen.near_returns, (uint64_t)want.near_returns) &&
	       CHECK_EQ(t, (uint64_t)s.seen.twice, (uint64_t)want.twice);
}

static void check_payloads(struct run *t, enum ring ring)
{
	FOR_EACH_PAYLOAD (p) {
		if (payload_missing(p))
			continue;
		for (uint64_t n = 1; n <= 3; n++)
			if (!check_payload(t, p, n, ring)) {
				report_diag("payload %s, %llu iterations", p->name,
					    (unsigned long long)n);
				return;
			}
	}
}

TEST(counts_ring0, "stepped through in ring 0, each payload executes what the assembler counted",
     .clause = TRAP_FLAG)
{
	check_payloads(t, RING_0);
}

TEST(counts_ring3, "stepped through in ring 3, each payload executes what the assembler counted",
     .clause = TRAP_FLAG)
{
	check_payloads(t, RING_3);
}
