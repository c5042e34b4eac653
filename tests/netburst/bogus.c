/* SPDX-License-Identifier: BSD-2-Clause */
/* Bogus micro-ops and instructions: those that lay on a mispredicted path. */
#include "tag.h"

#define GROUP "bogus", "tag"
#define AT    "SDM vol. 3B, 18.15: At-Retirement Counting"

enum { HALF_0 = 12, HALF_1 = 14 }; /* counters with CRU_ESCR0 and 2, and with CRU_ESCR1 and 3 */

#define ITERATIONS UINT64_C(64)

/* An event with a bit for what retires and one for what is thrown away. */
struct both {
	enum netburst_event_id event;
	uint64_t retires, bogus;
	const char *quantity; /* of payload_guess: what retires */
};

/* How much is thrown away differs from run to run, so one ESCR counts all of it, and the other
 * half's, in the same run, what is thrown away.  Returns the latter. */
static uint64_t check_halves(struct run *t, const struct both *both, unsigned all, unsigned some)
{
	struct window w = nb_window(all, nb_user(both->event, both->retires | both->bogus),
				    in_ring3(&payload_guess, ITERATIONS));

	nb_add(&w, some, nb_user(both->event, both->bogus));
	nb_feed(&w, NB_FEEDER);
	window_difference(t, &w);
	CHECK_EQ(t, (w.c[0].out - w.c[1].out) & pmu_mask(t->pmu, t->counter),
		 payload_does(&payload_guess, both->quantity) * ITERATIONS);
	window_run(t, &w);
	return w.c[1].out;
}

static void check_both(struct run *t, const struct both *both,
		       const struct netburst_config *upstream)
{
	uint64_t thrown_away = 0;

	for (unsigned half = 0; half < 2; half++) {
		pmu_reset(t->pmu);
		if (upstream)
			nb_upstream(t, half, upstream);
		thrown_away += half ? check_halves(t, both, HALF_1, HALF_0)
				    : check_halves(t, both, HALF_0, HALF_1);
	}
	if (!thrown_away)
		test_cannot_judge(t, "nothing is thrown away after mispredicted branches");
}

NB_TEST(instructions,
	"each instruction is bogus or retires: all less the bogus ones are those that retire",
	.clause = AT)
{
	const struct netburst_config loads = nb_user(NB_UOP_TYPE, TAG_LOADS);

	check_both(t, &(struct both){NB_INSTR_RETIRED, NBOGUSNTAG, BOGUSNTAG, "instructions"},
		   NULL);
	check_both(t, &(struct both){NB_INSTR_RETIRED, NBOGUSTAG, BOGUSTAG, "loads"}, &loads);
}

NB_TEST(tag_values, "BOGUS0 to BOGUS3 count by the tag bit that NBOGUS0 to NBOGUS3 count by",
	.clause = AT ": Tagging Mechanism for Execution_event")
{
	for (unsigned bit = 0; bit < 4; bit++) {
		const struct netburst_config upstream = nb_tagger(NB_64BIT_MMX_UOP, 1u << bit);

		check_both(t,
			   &(struct both){NB_EXECUTION_EVENT, NBOGUS0 << bit, BOGUS0 << bit, "mmx"},
			   &upstream);
	}
}
