/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that are counted. */
#include "random.h"

#define GROUP "random", "rare"

/* What has been executed by all programs, for the reader. */
static struct {
	int64_t instructions, crossings;
	uint64_t interrupts;
} all;

/* ---- one program ---- */

static struct truth truth_now; /* of the program that was tried last */

static struct wrong try(struct run *t, const struct program *program, const struct trial *trial)
{
	image_load(program);
	if (!truth_of(&truth_now, trial->ring))
		return (struct wrong){.what = "single steps", .least = 1, .most = 1};
	return trial_judge(t, trial, &truth_now);
}

/* How far it is out of its bounds. */
static uint64_t distance(const struct run *t, const struct trial *trial, const struct wrong *wrong)
{
	const uint64_t mask = pmu_mask(t->pmu, trial->w.c[wrong->slot].ctr);
	const uint64_t above = (wrong->got - wrong->most) & mask;
	const uint64_t below = (wrong->least - wrong->got) & mask;

	return above < below ? above : below;
}

/* Among so many programs a miscount that is published, and that nothing tells of, comes each time
 * in some: the test goes on, and ends as known if there is nothing else. */
static bool may_be_known(struct run *t, const struct trial *trial, const struct wrong *wrong)
{
	const unsigned event = trial->w.c[wrong->slot].cfg.event;
	const struct pmu_overcount *published = pmu_overcount(t->pmu, BIT(event));

	/* The IRET of the gate, of each crossing, and of an interrupt. */
	const uint64_t irets = 2 + (uint64_t)truth_now.crossings;
	const uint64_t off = distance(t, trial, wrong);

	if (!wrong->is_count)
		return false;
	if (published && !published->witness && off <= published->at_once + 1)
		t->known = published->erratum;
	else if (off > irets || !test_iret_twice(t, event))
		return false;
	return true;
}

/* As often as it may be a published miscount that nothing tells of. */
static struct wrong try_again(struct run *t, const struct program *program,
			      const struct trial *trial)
{
	struct wrong wrong = try(t, program, trial);

	for (unsigned tries = tries_for(t, t->events); wrong.what && tries > 1; tries--)
		wrong = try(t, program, trial);
	if (wrong.what && may_be_known(t, trial, &wrong))
		wrong.what = NULL;
	return wrong;
}

static bool fails(struct run *t, const struct program *program, const void *trial)
{
	return try(t, program, trial).what;
}

static void report(struct run *t, const struct program *program, const struct trial *trial,
		   const struct wrong *wrong, unsigned of)
{
	const struct slot *slot = &trial->w.c[wrong->slot];
	const struct pmu_config *cfg = &slot->cfg;
	const char *rings = !cfg->kernel ? "ring 3" : cfg->user ? "all rings" : "ring 0";

	t->counter = slot->ctr;
	report_diag("%s of counter %u, %s in %s%s:", wrong->what, slot->ctr,
		    t->pmu->events[cfg->event].name, rings, cfg->edge ? ", edges" : "");
	report_diag("%u of %u operations, %u turns, in ring %u:", program->ops, of, program->turns,
		    trial->ring == RING_3 ? 3 : 0);
	program_report(program);
	if (wrong->least == wrong->most) {
		CHECK_COUNT(t, wrong->got, wrong->least);
	} else {
		CHECK_COUNT_LEAST(t, wrong->got, wrong->least);
		CHECK_COUNT_MOST(t, wrong->got, wrong->most);
	}
}

/* ---- the test ---- */

static void run_program(struct run *t, unsigned number, bool filtered)
{
	struct draw draw = draw_of(programs_seed(), number);
	const enum ring ring = draw_once_in(&draw, 4) ? RING_0 : RING_3;
	const uint32_t ways = ring == RING_3 && draw_once_in(&draw, 2) ? crossings_of(t->pmu) : 0;
	struct program program = program_draw(&draw, ways), least;
	struct truth truth;
	struct trial trial;
	struct wrong wrong, again;

	image_load(&program);
	REQUIRE(t, truth_of(&truth, ring));
	trial = trial_draw(t, &draw, ring, filtered, &truth);
	all.instructions += truth.instructions;
	all.crossings += truth.crossings;
	if (!trial.w.n)
		return;
	wrong = try_again(t, &program, &trial);
	all.interrupts += trial.interrupter != NO_SLOT ? t->log.count : 0;
	if (!wrong.what)
		return;
	report_diag("program %u of seed %llu", number, (unsigned long long)programs_seed());
	least = program_shrink(t, program, fails, &trial);
	again = try(t, &least, &trial);
	report(t, again.what ? &least : &program, &trial, again.what ? &again : &wrong,
	       program.ops);
}

/* AMD does not say whether a clock outside of the privilege filter is one without an occurrence. */
static bool filters_inverted(struct run *t)
{
	struct pmu_config none = gated(EV_INSTRUCTIONS);

	none.below = 1;
	for (unsigned ctr = 0; ctr < t->pmu->counters; ctr++)
		if (pmu_features(t->pmu, ctr) & PMU_THRESHOLD &&
		    pmu_can_count(t->pmu, ctr, EV_INSTRUCTIONS) && !pmu_is_deaf(t->pmu, ctr, &none))
			return !count(t, ctr, none, in_ring0(&payload_straight, 1));
	return false;
}

TEST(programs, "programs drawn by a seed are counted as they are single-stepped, whatever is drawn",
     .clause = "AMD 22007 appendix D; BKDG/PPR of each family: PMCx0C0, 0C2, 0C4; SDM vol. "
	       "3B: events of each family; AMD64 APM vol. 2, 13.1.4: single stepping",
     .needs = PMU_PRIVILEGE, .drawn = true)
{
	const bool filtered = filters_inverted(t);

	memset(&all, 0, sizeof(all));
	for (unsigned n = 0; n < programs_drawn() && !t->failed; n++)
		run_program(t, n, filtered);
	if (!t->failed)
		report_diag("seed %llu, %u programs: %lld instructions, %lld crossings, %llu "
			    "interrupts",
			    (unsigned long long)programs_seed(), programs_drawn(),
			    (long long)all.instructions, (long long)all.crossings,
			    (unsigned long long)all.interrupts);
}
