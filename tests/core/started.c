/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of a counter that an interrupt starts before all else, and stops at once; or stops alone.
 */
#include "core.h"

#define GROUP "interrupt", "overflow"
#define STARTED                                                                                    \
	"AMD64 APM vol. 2, 13.2.1 and 8.7; SDM vol. 3B: performance event select "                 \
	"registers, IA32_PERF_GLOBAL_CTRL, counter overflow"

/* The counter under test; one that interrupts; one that counts the same, if one write starts both.
 */
enum { TESTED, SOURCE, TWIN, ROLES };

/* Instructions ahead of the interrupt, and the most by which it may be late. */
#define PERIOD UINT64_C(100)
#define LATE   40u /* delays */

static struct {
	const struct pmu *pmu;
	struct msr_switch by;
	unsigned tested;
	uint64_t value; /* of that counter, where it has stopped */
	uint64_t far; /* from its overflow: by this value nothing shows but the status */
	uint64_t all, over; /* counters; those of them that it has found overflowed */
	uint32_t lvt;
	unsigned count;
} task;

/* It sends the EOI itself, so that who called it need not, whether that was an interrupt or an
 * instruction. */
static bool answer(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	pmu_stop(task.pmu, task.all);
	if (!task.count)
		task.value = pmu_read(task.pmu, task.tested);
	pmu_write(task.pmu, task.tested, task.far);
	task.over |= pmu_overflowed(task.pmu, task.all);
	pmu_acknowledge(task.pmu, task.all);
	task.count++;
	apic_write_lvtpc(task.lvt);
	apic_eoi();
	return true;
}

static void wait_for_it(enum ring ring)
{
	const struct work work = work_for(&payload_straight, PERIOD);

	for (unsigned i = 0; i < LATE && !task.count; i++) {
		if (ring == RING_3)
			work_do(&work);
		else
			__asm__ volatile(".rept 100\n\tnop\n\t.endr");
	}
}

/* ---- windows ---- */

static bool has_twin(const struct pmu *pmu)
{
	return pmu->bank->gate.space == REG_MSR;
}

/* The source counts in the ring of what it interrupts. */
static const char *assign(const struct pmu *pmu, unsigned ctr, unsigned event, enum ring ring,
			  struct window *w)
{
	*w = (struct window){.n = ROLES};
	w->c[TESTED].cfg = w->c[TWIN].cfg = in_all_rings(event);
	w->c[SOURCE].cfg = (struct pmu_config){.event = EV_INSTRUCTIONS,
					       .user = ring == RING_3,
					       .kernel = ring == RING_0,
					       .interrupt = true};
	if (has_twin(pmu) && !window_unfit(pmu, ctr, w, TESTED) && !opens_late(pmu, w->c[TWIN].ctr))
		return NULL;
	w->n = TWIN;
	return window_unfit(pmu, ctr, w, TESTED);
}

/* The start of the counter under test: by which interrupt or instruction, of which ring, from which
 * value on, and whether it goes on until the handler stops it.  Or its stop. */
struct start {
	uint32_t lvt;
	enum ring ring;
	bool by_instruction;
	uint64_t from;
	bool goes_on;
	bool stops; /* the interrupt, before all else, what has been started ahead of it */
};

struct seen {
	uint64_t count, twin;
};

static struct seen run_once(struct run *t, struct window *w, struct start by)
{
	const unsigned source = w->c[SOURCE].ctr;
	const unsigned vector = by.lvt == VECTOR_PMI ? VECTOR_PMI : VECTOR_NMI;
	uint64_t tested = BIT(w->c[TESTED].ctr), on;

	if (w->n > TWIN)
		tested |= BIT(w->c[TWIN].ctr);
	task.pmu = t->pmu;
	task.all = tested | BIT(source);
	task.tested = w->c[TESTED].ctr;
	task.far = preset_for(t, BIT(30));
	task.lvt = by.lvt;
	task.count = 0;
	task.over = 0;
	pmi_arm(t, by.lvt, BIT(source));
	trap_set_handler(vector, answer, NULL);
	window_program(t, w);
	task.by = start_by_one(t, tested);
	on = task.by.on;
	if (by.goes_on)
		task.by.off = task.by.on;
	if (by.stops)
		task.by.on = task.by.off;
	for (unsigned i = 0; i < w->n; i++)
		pmu_write(t->pmu, w->c[i].ctr, i == TESTED ? by.from : 0);
	msr_switch_by_trap(vector, &task.by);
	if (by.stops)
		wrmsr(task.by.msr, on);
	if (by.by_instruction) {
		interrupt_by_instruction(by.lvt != VECTOR_PMI, NULL);
	} else {
		pmu_write(t->pmu, source, preset_for(t, PERIOD));
		pmu_start(t->pmu, BIT(source));
		wait_for_it(by.ring);
	}
	msr_switch_by_trap(vector, NULL);
	window_close(t, w);
	pmi_disarm(t);
	return (struct seen){task.value, w->c[TWIN].out};
}

static struct seen run(struct run *t, struct window *w, struct start by)
{
	struct window_tries tries = window_tries(t);
	struct seen seen;

	do
		seen = run_once(t, w, by);
	while (window_spoilt(t, &tries));
	if (task.count != 1)
		test_cannot_judge(t, "the interrupt comes later than the code that waits for it "
				     "ends");
	return seen;
}

/* ---- the test ---- */

static bool is_exact(const struct pmu *pmu, unsigned event)
{
	return event != EV_CYCLES && pmu_is_exact(pmu, event);
}

/* Less than is ever reached, which is so in each clock: no counter need wait for its first event.
 */
static struct pmu_config at_once(const struct pmu *pmu, unsigned ctr, struct pmu_config cfg)
{
	if (cfg.event != EV_CYCLES && pmu_features(pmu, ctr) & PMU_THRESHOLD)
		cfg.below = pmu->max_threshold;
	return cfg;
}

/* One is mostly enough; long stalls and misses may take some more. */
#define CLOCKS_TRIES 20u

/* Between two writes that serialize the same few instructions take the same time, but for misses
 * and what else costs more, which comes now and then: so the longest time of some behind an
 * interrupt is no shorter than the shortest of some without.  Two times: neither write says in
 * which of its clocks it acts. */
static void check_clocks(struct run *t, unsigned event, struct start by)
{
	const struct start instruction = {.lvt = by.lvt, .by_instruction = true};

	uint64_t longest = 0, shortest = UINT64_MAX;
	struct window w;

	if (has_twin(t->pmu) || assign(t->pmu, t->counter, event, by.ring, &w))
		return;
	w.c[TESTED].cfg = at_once(t->pmu, t->counter, w.c[TESTED].cfg);
	for (unsigned i = 0; i < CLOCKS_TRIES && 2 * longest < shortest; i++) {
		uint64_t behind = run(t, &w, by).count, without = run(t, &w, instruction).count;

		longest = behind > longest ? behind : longest;
		shortest = without < shortest ? without : shortest;
	}
	CHECK_IS(t, 2 * longest, >=, shortest);
}

static void check_event(struct run *t, unsigned event, struct start by)
{
	struct window w;
	struct seen interrupt, instruction;

	if (!pmu_can_count(t->pmu, t->counter, event) ||
	    assign(t->pmu, t->counter, event, by.ring, &w))
		return;
	w.c[TESTED].cfg.user = w.c[TWIN].cfg.user = by.lvt == VECTOR_PMI; /* no ring but 0 */
	interrupt = run(t, &w, by);
	if (w.n > TWIN)
		CHECK_COUNT(t, interrupt.count, interrupt.twin);
	if (!is_exact(t->pmu, event))
		return;
	instruction = run(t, &w, (struct start){.lvt = by.lvt, .by_instruction = true});
	CHECK_IS(t, interrupt.count, >, 0);
	CHECK_COUNT(t, interrupt.count, instruction.count);
}

/* One write starts both, and one stops both, of all rings. */
static void check_stop(struct run *t, unsigned event, struct start by)
{
	struct window w;
	struct seen seen;

	if (!pmu_can_count(t->pmu, t->counter, event) ||
	    assign(t->pmu, t->counter, event, by.ring, &w) || w.n <= TWIN)
		return;
	by.stops = true;
	seen = run(t, &w, by);
	CHECK_COUNT(t, seen.count, seen.twin);
}

/* Its first event, if one comes, is an overflow, which may interrupt for itself.  A write that
 * stops the counter could clear its flag.  Without a status the top bit would tell, which says no
 * more than that it has counted. */
static void check_overflow(struct run *t, unsigned event, struct start by)
{
	const uint64_t last = pmu_mask(t->pmu, t->counter);
	struct window w;
	struct seen seen;

	if (!t->pmu->counting->overflowed || !pmu_can_count(t->pmu, t->counter, event) ||
	    assign(t->pmu, t->counter, event, by.ring, &w))
		return;
	by.from = last;
	by.goes_on = true;
	w.n = TWIN;
	w.c[TESTED].cfg = at_once(t->pmu, t->counter, w.c[TESTED].cfg);
	w.c[TESTED].cfg.interrupt = true;
	seen = run_once(t, &w, by);
	if (task.count && seen.count != last)
		CHECK(t, task.over & BIT(t->counter));
}

static bool is_comparable(const struct pmu *pmu, unsigned ctr)
{
	return (is_exact(pmu, EV_INSTRUCTIONS) && pmu_can_count(pmu, ctr, EV_INSTRUCTIONS)) ||
	       (has_twin(pmu) && pmu_can_count(pmu, ctr, EV_CYCLES)) || pmu->counting->overflowed;
}

static const char *nothing_known(const struct pmu *pmu, unsigned ctr)
{
	struct window w;

	if (pmu->features & PMU_SINGLE_ENABLE)
		return "the register that starts one counter starts the others, too";
	if (opens_late(pmu, ctr))
		return "by an erratum a fixed counter counts too much behind its start";
	if (!is_comparable(pmu, ctr))
		return "nothing is known exactly of what the counter counts in a handler";
	return assign(pmu, ctr, first_event(pmu, ctr), RING_0, &w);
}

TEST(started_by_handler,
     "a counter that a handler starts counts what it counts outside of one, and what its twin does",
     .clause = STARTED, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = TWIN,
     .per_counter = true, .absent = nothing_known)
{
	static const struct start starts[] = {{.lvt = VECTOR_PMI, .ring = RING_0},
					      {.lvt = VECTOR_PMI, .ring = RING_3},
					      {.lvt = APIC_LVT_MODE_NMI, .ring = RING_0}};
	const unsigned first = first_event(t->pmu, t->counter);

	for (unsigned i = 0; i < ARRAY_SIZE(starts) && !t->skip; i++) {
		check_event(t, EV_INSTRUCTIONS, starts[i]);
		check_event(t, EV_CYCLES, starts[i]);
		check_event(t, EV_BRANCHES, starts[i]);
		check_clocks(t, first, starts[i]);
		check_overflow(t, first, starts[i]);
		check_stop(t, EV_CYCLES, starts[i]);
	}
}
