/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records: what they tell beside both addresses. */
#include "branches.h"

#define GROUP "lbr", "access"
#define INFO  "SDM vol. 3B, 19.1.3.3: IA32_LBR_x_INFO"

/* ---- clocks ---- */

static struct {
	struct msr_switch by;
	uintptr_t iterations;
} stretch;

static void run_stretch(void)
{
	kernel_call(branch_stretch, (uintptr_t)&stretch.by, (void *)stretch.iterations);
}

/* Clocks from one jump to the other, by the record of that one, and of all around them. */
struct timing {
	bool known;
	uint64_t by_record, around;
};

/* The branches of the loop are left out, and take their time all the same. */
static struct timing time_of(struct run *t, uint64_t iterations)
{
	const struct pmu_branches *branches = t->pmu->branches;
	const struct pmu_branching jumps = {
		.kinds = BIT(BRANCH_RELATIVE_JMP), .user = true, .kernel = true};
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter, .cfg = in_all_rings(EV_CYCLES)}},
			   .work = {.act = run_stretch}};
	const char *why = branches->prepare(t->pmu, &jumps, &stretch.by);
	struct pmu_branch second;

	if (why)
		test_refused(t, why);
	branches->clear(t->pmu);
	stretch.iterations = (uintptr_t)iterations;
	window_run(t, &w);
	branches->stop(t->pmu);
	REQUIRE_EQ(t, branches_recorded(t->pmu), 2);
	second = branches->read(t->pmu, 0);
	return (struct timing){second.timed, second.clocks, w.c[0].out};
}

static const char *no_clocks(const struct pmu *pmu, unsigned ctr)
{
	const char *why = no_branch_filter(pmu, ctr);

	return why || pmu->branches->has & BRANCH_HAS_CLOCKS
		       ? why
		       : "these branch records tell no clocks";
}

/* As much longer as the loop takes the record tells, but that what surrounds the loop takes longer
 * or shorter from time to time: far less than half of it. */
static void check_longer(struct run *t, const struct timing *few, const struct timing *many)
{
	CHECK_IS(t, few->by_record, <=, few->around);
	CHECK_IS(t, many->by_record, <=, many->around);
	CHECK_IS(t, many->by_record - few->by_record, >=, (many->around - few->around) / 2);
}

TEST(clocks, "a record tells the clocks since the record before, or that they are more than fit",
     .clause = INFO, .needs = PMU_BRANCHES, .counts = EV_CYCLES, .absent = no_clocks)
{
	const uint64_t n = 3000, most = t->pmu->branches->clocks_most;
	const struct timing few = time_of(t, 1), some = time_of(t, n);
	struct timing many, more;
	uint64_t fit; /* iterations whose clocks a record has room for */

	REQUIRE_IS(t, some.around, >, few.around);
	fit = n * most / (some.around - few.around);
	many = time_of(t, fit / 2);
	more = time_of(t, 2 * fit);
	if (!few.known || !many.known || !more.known) {
		test_cannot_judge(t, "the record says that it does not know");
		return;
	}
	check_longer(t, &few, &many);
	if (more.around - few.around > most)
		CHECK_EQ(t, more.by_record, most);
}

/* ---- mispredictions ---- */

ABSENT_UNLESS(no_mispredictions, pmu->branches->has &BRANCH_HAS_MISPREDICTED,
	      "these branch records do not tell of mispredictions")

/* What a predictor makes of a branch is documented nowhere; but it is there to be right. */
TEST(predicted, "not each branch of a loop that goes on alike is recorded as mispredicted",
     .clause = INFO, .needs = PMU_BRANCHES, .absent = no_mispredictions)
{
	const struct pmu_branches *branches = t->pmu->branches;
	unsigned recorded, mispredicted = 0;

	branches_start(t, &all_branches);
	kernel_call(payload_branches.entry, 1000, user_buffer());
	branches->stop(t->pmu);
	recorded = branches_recorded(t->pmu);
	for (unsigned age = 0; age < branches->entries; age++)
		mispredicted += branches->read(t->pmu, age).mispredicted;
	REQUIRE_EQ(t, recorded, branches->entries);
	CHECK_IS(t, mispredicted, <, recorded);
}
