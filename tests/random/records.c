/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records of drawn programs, with filters that are drawn, too, up to a place where UD2 has
 * been put and recording ends. */
#include "random.h"

#define GROUP         "random", "rare"
#define LAST_BRANCHES "SDM vol. 3B, 17.4, 17.9, 17.12, 19.1; AMD64 APM vol. 2, 13.1.1"

/* More than there are records of. */
enum { DUE_MAX = 80, KINDS_ALL = (1 << BRANCH_KINDS) - 1 };

struct recording {
	unsigned ring;
	struct pmu_branching what;
	unsigned entries;
	uint32_t where; /* it ends; 0: behind all */
};

/* ---- what is to be recorded ---- */

static struct due {
	unsigned n;
	struct pmu_branch at[DUE_MAX]; /* the newest first; .from: 0, outside of the program */
} due;

static void add(const struct recording *r, bool user, const struct pmu_branch *branch)
{
	const bool ring = user ? r->what.user : r->what.kernel;

	if (due.n < DUE_MAX && ring && r->what.kinds >> branch->kind & 1)
		due.at[due.n++] = *branch;
}

/* Calls that have not returned; the oldest first. */
static void add_open_calls(const struct recording *r)
{
	for (unsigned i = 0; i < route_now.taken; i++)
		if (route_now.at[i].kind == BRANCH_RETURN)
			due.n--;
		else
			add(r, r->ring, &route_now.at[i]);
}

static void reverse(void)
{
	for (unsigned i = 0; i < due.n / 2; i++) {
		struct pmu_branch older = due.at[i];

		due.at[i] = due.at[due.n - 1 - i];
		due.at[due.n - 1 - i] = older;
	}
}

static void find_due(const struct recording *r, unsigned place)
{
	const unsigned oldest = route_now.taken > ROUTE_MAX ? route_now.taken - ROUTE_MAX : 0;
	const struct pmu_branch end = {.from = (uintptr_t)user_code + place,
				       .to = (uintptr_t)msr_switch_trap,
				       .kind = BRANCH_FAR};
	const struct pmu_branch begin = {.to = (uintptr_t)user_code,
					 .kind = r->ring ? BRANCH_FAR : BRANCH_INDIRECT_CALL};

	due.n = 0;
	if (r->what.call_stack) {
		add(r, r->ring, &begin);
		add_open_calls(r);
		reverse();
		return;
	}
	add(r, false, &end);
	for (unsigned i = route_now.taken; i-- > oldest;)
		add(r, r->ring, &route_now.at[i % ROUTE_MAX]);
	add(r, r->ring, &begin);
}

/* ---- what has been recorded ---- */

static bool in_program(uint64_t ip)
{
	return ip - (uintptr_t)user_code < USER_CODE_SIZE;
}

/* From a ring that is left out, or from a place that is not known: no manual says which one it is
 * of an exception. */
static uint64_t source(const struct run *t, const struct recording *r,
		       const struct pmu_branch *branch, uint64_t got)
{
	const bool user = r->ring && branch->from;
	const bool excepts = branch->to == (uintptr_t)msr_switch_trap;

	if (t->pmu->branches->fuses && is_fused(got, branch))
		return got;
	if (t->pmu->branches->hides && !(user ? r->what.user : r->what.kernel))
		return ~UINT64_C(0);
	if (branch->from && !excepts)
		return branch->from;
	return got && in_program(got) == excepts ? got : branch->from;
}

static struct wrong judge_record(const struct run *t, const struct recording *r, unsigned age,
				 const struct pmu_branch *branch)
{
	const struct pmu_branch got = t->pmu->branches->read(t->pmu, age);
	struct wrong wrong = {.slot = age};

	wrong_unless(&wrong, "from", got.from, source(t, r, branch, got.from));
	wrong_unless(&wrong, "to", got.to, branch->to);
	if (t->pmu->branches->has & BRANCH_HAS_KIND)
		wrong_unless(&wrong, "the kind", got.kind, branch->kind);
	return wrong;
}

/* What has led into ring 3, where ring 0 is recorded, too. */
static bool may_be_older(const struct recording *r, const struct pmu_branch *got)
{
	return r->ring && r->what.kernel && !in_program(got->from) && !in_program(got->to);
}

/* Only Intel says that interrupts are among the records. */
static struct wrong judge_records(const struct run *t, const struct recording *r)
{
	const struct pmu_branches *branches = t->pmu->branches;
	const bool left_out = due.n && due.at[0].to == (uintptr_t)msr_switch_trap &&
			      !branches->interrupts && branches->read(t->pmu, 0).to != due.at[0].to;
	const unsigned kept = branches_kept(t->pmu, r->entries, due.n - left_out);
	struct wrong wrong = {0};

	for (unsigned age = 0; age < kept && !wrong.what; age++)
		wrong = judge_record(t, r, age, &due.at[age + left_out]);
	for (unsigned age = kept; age < branches->entries && !wrong.what; age++) {
		struct pmu_branch got = branches->read(t->pmu, age);

		wrong.slot = age;
		if (!may_be_older(r, &got))
			wrong_unless(&wrong, "no more", got.from | got.to, 0);
	}
	return wrong;
}

/* ---- a run ---- */

static struct wrong try(struct run *t, const struct program *program, const struct recording *r)
{
	const struct pmu_branches *branches = t->pmu->branches;
	struct msr_switch by;
	unsigned place;

	image_load(program);
	if (!reach_find(r->ring ? RING_3 : RING_0, r->where, &place))
		return (struct wrong){.what = "single steps", .least = 1, .most = 1};
	if ((r->what.call_stack && route_now.taken > ROUTE_MAX) ||
	    branches->prepare(t->pmu, &r->what, &by))
		return (struct wrong){0};
	branches->clear(t->pmu);
	reach_run(place, r->ring, &by);
	branches->stop(t->pmu);
	find_due(r, place);
	return judge_records(t, r);
}

static bool fails(struct run *t, const struct program *program, const void *trial)
{
	return try(t, program, trial).what;
}

/* ---- drawing ---- */

static uint32_t draw_kinds(struct draw *draw)
{
	const uint32_t one = (UINT32_C(1) << draw_below(draw, BRANCH_KINDS + 1)) & KINDS_ALL;

	switch (draw_below(draw, 4)) {
	case 0:
		return KINDS_ALL;
	case 1:
		return KINDS_ALL & ~one;
	case 2:
		return one;
	default:
		return draw_below(draw, KINDS_ALL + 1);
	}
}

static void draw_rings(struct draw *draw, struct recording *r)
{
	const unsigned which = draw_below(draw, 8);
	const bool own = which<6, other = which> 3 && which < 7;

	r->what.user = r->ring ? own : other;
	r->what.kernel = r->ring ? other : own;
}

static unsigned draw_entries(struct draw *draw, const struct pmu_branches *branches)
{
	unsigned n;

	if (!branches->sizes || draw_once_in(draw, 2))
		return branches->entries;
	do
		n = draw_below(draw, 8);
	while (!(branches->sizes >> n & 1));
	return 8 * (n + 1);
}

static struct recording recording_draw(const struct run *t, struct draw *draw)
{
	const struct pmu_branches *branches = t->pmu->branches;
	struct recording r = {.what = all_branches};

	r.ring = branches->rings ? draw_below(draw, 8) : 3 * draw_below(draw, 2);
	if (r.ring > 3)
		r.ring = r.ring & 1 ? 3 : 0;
	r.what.call_stack = branches->call_stack && draw_once_in(draw, 4);
	if (branches->filters)
		r.what.kinds = draw_kinds(draw);
	if (branches->rings)
		draw_rings(draw, &r);
	if (r.what.call_stack) {
		r.what.kinds = FIELD(BRANCH_RETURN, BRANCH_RELATIVE_CALL);
		r.what.kernel = !r.ring;
		r.what.user = r.ring;
	}
	r.entries = r.what.entries = draw_entries(draw, branches);
	r.where = draw_once_in(draw, 2) ? 0 : draw_below(draw, 1 << 16);
	return r;
}

/* Crossings leave no records then. */
static uint32_t ways_for(const struct run *t, const struct recording *r)
{
	uint32_t ways = 0;

	if (r->ring != 3 || r->what.kernel || r->what.kinds >> BRANCH_FAR & 1)
		return 0;
	for (unsigned i = 0; crossing(i); i++)
		ways |= (uint32_t)(crossing(i)->vector != FAULT_UD) << i;
	return ways & crossings_of(t->pmu);
}

/* ---- the test ---- */

static void report(struct run *t, const struct program *program, const struct recording *r,
		   const struct wrong *wrong)
{
	report_diag("%s of record %u; kinds %x%s%s%s, %u entries; %u turns, in ring %u, up to %x:",
		    wrong->what, wrong->slot, r->what.kinds, r->what.user ? ", user" : "",
		    r->what.kernel ? ", kernel" : "", r->what.call_stack ? ", call stack" : "",
		    r->entries, program->turns, r->ring, r->where);
	program_report(program);
	CHECK_EQ(t, wrong->got, wrong->least);
}

/* An interrupt of others may be among the records, but not twice. */
static void run_program(struct run *t, unsigned number)
{
	struct draw draw = draw_of(programs_seed(), number);
	const struct recording r = recording_draw(t, &draw);
	struct program program = program_draw(&draw, ways_for(t, &r));
	struct wrong wrong = try(t, &program, &r);

	if (wrong.what)
		wrong = try(t, &program, &r);
	if (!wrong.what)
		return;
	report_diag("program %u of seed %llu", number, (unsigned long long)programs_seed());
	program = program_shrink(t, program, fails, &r);
	wrong = try(t, &program, &r);
	report(t, &program, &r, &wrong);
}

TEST(records, "the last branches that drawn programs take are recorded as they are single-stepped",
     .clause = LAST_BRANCHES, .needs = PMU_BRANCHES, .drawn = true)
{
	for (unsigned n = 0; n < programs_drawn() && !t->failed; n++)
		run_program(t, n);
}
