/* SPDX-License-Identifier: BSD-2-Clause */
/* branch_retired and its four kinds: not taken or taken, predicted or mispredicted. */
#include "netburst.h"

#define GROUP    "branch"
#define BRANCHES "Intel SDM vol. 3B, 19: branch_retired, mispred_branch_retired"

enum kind { MMNP = 1, MMNM = 2, MMTP = 4, MMTM = 8 };

static const uint64_t iterations = 8;

static struct netburst_config branches(unsigned mask)
{
	return (struct netburst_config){.event = NB_BRANCH_RETIRED, .mask = mask, .user = true};
}

/* How a branch is predicted differs from run to run, so that only kinds of one run add up: one on
 * the counter, the other on one that has an ESCR of its own. */
static uint64_t sum_of(struct run *t, unsigned ctr, unsigned one, unsigned other,
		       const struct payload *payload)
{
	unsigned elsewhere = netburst_counters[ctr].half ? 12 : 14;
	struct window w = {
		NB_WINDOW, .n = 2,
		.c = {{.ctr = ctr, .nb = branches(one)}, {.ctr = elsewhere, .nb = branches(other)}},
		.work = in_ring3(payload, iterations)};

	window_difference(t, &w);
	return (w.c[0].out + w.c[1].out) & pmu_mask(t->pmu, ctr);
}

static void check_kinds(struct run *t, unsigned ctr, const struct payload *payload)
{
	uint64_t all = iterations * (uint64_t)payload->per_iteration.branches;
	uint64_t taken = iterations * (uint64_t)payload->per_iteration.taken;

	CHECK_EQ(t, sum_of(t, ctr, MMTP, MMTM, payload), taken);
	CHECK_EQ(t, sum_of(t, ctr, MMTM, MMTP, payload), taken);
	CHECK_EQ(t, sum_of(t, ctr, MMNP, MMNM, payload), all - taken);
	CHECK_EQ(t, sum_of(t, ctr, MMNM, MMNP, payload), all - taken);
	CHECK_EQ(t, sum_of(t, ctr, MMTP | MMTM, MMNP | MMNM, payload), all);
	CHECK_EQ(t, sum_of(t, ctr, MMNP | MMNM | MMTP | MMTM, 0, payload), all);
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
		struct window w = {
			NB_WINDOW, .n = 2,
			.c = {{.ctr = ctr,
			       .nb = {.event = NB_MISPRED_BRANCH_RETIRED, .mask = 1, .user = true}},
			      {.ctr = nb_third(ctr, ctr), .nb = branches(MMNM | MMTM)}},
			.work = in_ring3(&payload_branches, 40)};

		window_run(t, &w);
		CHECK(t, w.c[0].out <= w.c[1].out + FEW);
		CHECK(t, w.c[1].out <= w.c[0].out + FEW);
	}
}

#define RETURN BIT(3)

/* What the stack of returns predicts. */
NB_TEST(mispredicted_type,
	"retired_mispred_branch_type counts fewer returns than retired_branch_type",
	.clause = "Intel SDM vol. 3B, 19: retired_mispred_branch_type")
{
	struct netburst_config all = {
		.event = NB_RETIRED_BRANCH_TYPE, .mask = RETURN, .user = true};
	struct netburst_config mispredicted = all;
	struct work calls = in_ring3(&payload_calls, 40);

	mispredicted.event = NB_RETIRED_MISPRED_BRANCH_TYPE;
	for (unsigned ctr = 4; ctr < 8; ctr++)
		CHECK(t, nb_count(t, ctr, mispredicted, calls) < nb_count(t, ctr, all, calls));
}
