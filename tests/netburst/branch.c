/* SPDX-License-Identifier: BSD-2-Clause */
/* branch_retired and its four kinds: not taken or taken, predicted or mispredicted. */
#include "netburst.h"

#define GROUP    "branch", "count"
#define BRANCHES "SDM vol. 3B, 19: branch_retired, mispred_branch_retired"

enum kind { MMNP = 1, MMNM = 2, MMTP = 4, MMTM = 8 };

static const uint64_t iterations = 8;

/* How a branch is predicted differs from run to run, so that only kinds of one run add up: one kind
 * on the counter, the other on a counter of the other half, with another ESCR. */
static uint64_t sum_of(struct run *t, unsigned ctr, unsigned one, unsigned other,
		       const struct payload *payload)
{
	struct window w =
		nb_window(ctr, nb_user(NB_BRANCH_RETIRED, one), in_ring3(payload, iterations));

	nb_add(&w, netburst_counters[ctr].half ? 12 : 14, nb_user(NB_BRANCH_RETIRED, other));
	window_difference(t, &w);
	return (w.c[0].out + w.c[1].out) & pmu_mask(t->pmu, ctr);
}

static void check_kinds(struct run *t, unsigned ctr, const struct payload *payload)
{
	const int64_t all = payload->per_iteration.branches, taken = payload->per_iteration.taken;
	const struct {
		unsigned one, other;
		int64_t each;
	} sums[] = {
		{MMTP, MMTM, taken},
		{MMTM, MMTP, taken},
		{MMNP, MMNM, all - taken},
		{MMNM, MMNP, all - taken},
		{MMTP | MMTM, MMNP | MMNM, all},
		{MMNP | MMNM | MMTP | MMTM, 0, all},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(sums); i++)
		CHECK_EQ(t, sum_of(t, ctr, sums[i].one, sums[i].other, payload),
			 iterations * (uint64_t)sums[i].each);
}

NB_TEST(four_masks, "each branch is of one kind: taken ones add up, not taken ones, and all",
	.clause = BRANCHES)
{
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		check_kinds(t, ctr, &payload_branches);
		check_kinds(t, ctr, &payload_mix);
	}
}

/* "Within a few" is all that is known of hardware: two mechanisms at the edges of the window. */
#define FEW 4u

NB_TEST(mispredicted, "mispred_branch_retired counts the mispredicted kinds of branch_retired",
	.clause = BRANCHES)
{
	for (unsigned ctr = 12; ctr < NETBURST_COUNTERS; ctr++) {
		struct window w = nb_window(ctr, nb_user(NB_MISPRED_BRANCH_RETIRED, 1),
					    in_ring3(&payload_branches, 40));

		nb_add(&w, nb_third(ctr, ctr), nb_user(NB_BRANCH_RETIRED, MMNM | MMTM));
		window_run(t, &w);
		CHECK_IS(t, w.c[0].out, <=, w.c[1].out + FEW);
		CHECK_IS(t, w.c[1].out, <=, w.c[0].out + FEW);
	}
}

#define RETURN BIT(3)

/* The stack of return addresses predicts returns, so that few are mispredicted. */
NB_TEST(mispredicted_type,
	"retired_mispred_branch_type counts fewer returns than retired_branch_type",
	.clause = "SDM vol. 3B, 19: retired_mispred_branch_type")
{
	const struct netburst_config all = nb_user(NB_RETIRED_BRANCH_TYPE, RETURN);
	const struct netburst_config mispredicted = nb_user(NB_RETIRED_MISPRED_BRANCH_TYPE, RETURN);
	const struct work calls = in_ring3(&payload_calls, 40);

	for (unsigned ctr = 4; ctr < 8; ctr++)
		CHECK_IS(t, nb_count(t, ctr, mispredicted, calls), <, nb_count(t, ctr, all, calls));
}
