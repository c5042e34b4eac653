/* SPDX-License-Identifier: BSD-2-Clause */
/* The windows of a trial: a RET alone, the program, and the program once more with interrupts. */
#include "random.h"

/* ---- windows ---- */

static struct {
	unsigned at; /* in user_code[] */
	enum ring ring;
	uint64_t flagged; /* behind it: counters whose overflow flag is set */
} now;

/* Conditions depend on the buffer.  Where ring 0 is counted, this is, too, alike for all windows.
 */
static void run_now(void)
{
	const struct payload payload = {.entry = (asm_code *)((uintptr_t)user_code + now.at)};

	image_prepare_buffer();
	crossings_open(image_now.ways);
	work_do(&(struct work){
		.payload = &payload, .iterations = image_now.turns, .ring = now.ring});
	crossings_close();
}

static void count_code(struct run *t, const struct trial *trial, unsigned at, struct window *w)
{
	now.at = at;
	now.ring = trial->level;
	w->work = (struct work){.act = run_now};
	window_run(t, w);
	now.flagged = pmu_flagged(t->pmu, BIT(t->pmu->counters) - 1);
	/* Nobody else does so where nobody was interrupted. */
	pmu_acknowledge(t->pmu, t->programmed);
}

static struct window count_stub(struct run *t, const struct trial *trial, unsigned at)
{
	struct window w = trial->w;

	for (unsigned i = 0; i < w.n; i++)
		w.c[i].from = 0;
	count_code(t, trial, at, &w);
	return w;
}

/* What a crossing adds to each slot, where no manual says it. */
static uint64_t crossed[PMU_COUNTERS_MAX][CROSSINGS_MAX];

static void count_crossing(struct run *t, const struct trial *trial, const struct window *empty,
			   unsigned way)
{
	const uint8_t *setup = crossing(way)->setup;
	const struct truth ahead = {.instructions = (setup[0] != 0) + (setup[1] != 0)};
	struct window w = count_stub(t, trial, AT_CROSSING(way));

	for (unsigned i = 0; i < w.n; i++) {
		int64_t own = truth_of_event(t->pmu, w.c[i].cfg.event, &ahead);

		t->counter = w.c[i].ctr;
		crossed[i][way] =
			slot_counted(t, &w.c[i]) - slot_counted(t, &empty->c[i]) - (uint64_t)own;
	}
}

static void count_crossings(struct run *t, const struct trial *trial, const struct window *empty,
			    uint32_t ways)
{
	for (ways &= ~crossings_published(t->pmu); ways; ways &= ways - 1)
		count_crossing(t, trial, empty, lowest_bit(ways));
}

/* ---- counts ---- */

static struct wrong judge_slots(struct run *t, const struct trial *trial, const struct truth *truth,
				const struct window *w, const struct window *empty)
{
	const bool interrupts = w->lvt != 0;
	struct seen seen = {.ring = trial->ring, .interrupts = interrupts ? t->log.count : 0};
	uint64_t back = 1 + seen.interrupts + (uint64_t)truth->crossings;
	struct wrong wrong = {0};

	seen.late = seen.interrupts && !taken_in_ring3(t);
	/* What is hidden from a counter depends on which one it is. */
	t->counter = w->c[trial->partitions ? CLOCKS : 0].ctr;
	if (trial->partitions)
		wrong = law_of_partition(t, w, GATE_CHANGES * back);
	for (unsigned i = trial->partitions ? PARTS : 0; !wrong.what && i < w->n; i++) {
		seen.slot = &w->c[i];
		t->counter = seen.slot->ctr;
		seen.empty = &empty->c[i];
		seen.crossed = crossed[i];
		wrong = law_of_slot(t, truth, &seen);
		wrong.slot = i;
	}
	return wrong;
}

/* ---- interrupts ---- */

/* Of so many events; 0: they are too few for any. */
static uint64_t period_of(const struct run *t, const struct trial *trial, uint64_t events)
{
	const uint64_t least = period_from(t, 2), unseen = unseen_by_interrupt(t);

	if (events < least + unseen)
		return 0;
	if (trial->moment == NEVER)
		return events + 1;
	if (trial->moment == AT_THE_LAST)
		return events - unseen;
	return least + ((events - unseen - least) * trial->share >> 16);
}

static void arm_slot(struct run *t, struct slot *slot, uint64_t period)
{
	t->counter = slot->ctr;
	slot->from = preset_for(t, period);
	slot->cfg.interrupt = true;
}

/* Each that is to interrupt has been found to do so once; two may come as one. */
static struct wrong judge_interrupts(const struct run *t, const struct trial *trial,
				     const struct window *w)
{
	const int of[] = {trial->interrupter, trial->second};
	const uint64_t due = trial->moment != NEVER;
	struct wrong wrong = {.what = "interrupts"};
	uint64_t sum = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(of) && of[i] != NO_SLOT; i++) {
		wrong.slot = (unsigned)of[i];
		wrong.got = t->log.per_counter[w->c[of[i]].ctr];
		wrong.least = wrong.most = due;
		sum += wrong.got;
		/* By an erratum it may come again while it waits. */
		if (pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD) && wrong.got > due)
			wrong.got = due;
		if (wrong.got != due)
			return wrong;
	}
	wrong.got = t->log.count;
	wrong.least = due;
	wrong.most = sum;
	if ((wrong.got >= due && wrong.got <= sum) ||
	    pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD))
		wrong.what = NULL;
	return wrong;
}

static struct wrong judge_interrupted(struct run *t, const struct trial *trial,
				      const struct truth *truth, const struct window *plain,
				      const struct window *empty)
{
	const struct slot *slot = &plain->c[trial->interrupter];
	struct window w = trial->w;
	struct wrong wrong;
	uint64_t period;

	t->counter = slot->ctr;
	period = period_of(t, trial,
			   slot->cfg.event == EV_CYCLES ? least_clocks(t, &slot->cfg, truth, 1)
							: slot_counted(t, slot));
	if (!period)
		return (struct wrong){0};
	arm_slot(t, &w.c[trial->interrupter], period);
	if (trial->second != NO_SLOT)
		arm_slot(t, &w.c[trial->second], period);
	w.lvt = trial->lvt;
	count_code(t, trial, AT_PROGRAM, &w);
	wrong = judge_interrupts(t, trial, &w);
	/* In ring 0 the handler counts, too. */
	if (!wrong.what && trial->ring == RING_3)
		wrong = judge_slots(t, trial, truth, &w, empty);
	return wrong;
}

struct wrong trial_judge(struct run *t, const struct trial *trial, const struct truth *truth)
{
	struct window empty, plain = trial->w;
	struct wrong wrong;

	idle_fill(t, trial);
	empty = count_stub(t, trial, AT_RET);
	count_crossings(t, trial, &empty, truth->ways);
	count_code(t, trial, AT_PROGRAM, &plain);
	wrong = judge_flags(t, &plain, now.flagged);
	if (!wrong.what)
		wrong = judge_names(t, trial, &plain);
	if (!wrong.what)
		wrong = judge_slots(t, trial, truth, &plain, &empty);
	if (!wrong.what && trial->interrupter != NO_SLOT)
		wrong = judge_interrupted(t, trial, truth, &plain, &empty);
	return wrong.what ? wrong : idle_judge(t, trial);
}
