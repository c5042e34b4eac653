/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts while interrupts are handled, and right after they came. */
#include "core.h"
#include "mode.h"

#define GROUP "interrupt", "overflow"
#define HANDLER                                                                                    \
	"AMD64 APM vol. 2, 13.2.1 and 8.7; SDM vol. 3B: performance event select "                 \
	"registers, "                                                                              \
	"counter overflow; events of each family"

/* The counter under test; one that interrupts; one whose condition never holds, if there is room.
 */
enum { TESTED, SOURCE, NEVER, ROLES };

/* Instructions; and as many may an interrupt be late. */
#define PERIOD UINT64_C(1000)
_Static_assert(4 * PERIOD <= MSR_SWITCH_NOPS, "twice, and late");

/* ---- the handler ---- */

enum { CALLS = 20, MOST = 2 };

static struct {
	const struct pmu *pmu;
	unsigned ctr;
	uint32_t lvt;
	uint64_t from; /* preset of the counter, so many times */
	unsigned again;
	unsigned count;
	bool early; /* the calls are ahead of the delay */
	bool stops; /* the counters first of all, by this register */
	bool flags; /* alone tell of overflows: this counter is far from one when they are read */
	unsigned tested;
	struct msr_switch by;
	asm_code *idle; /* made before any counter runs */
	uint64_t all, over; /* counters; those of them that it has found overflowed */
} answers;

/* Longer than anything that an interrupt could leave behind it for a while, without a branch. */
static void delay(void)
{
	__asm__ volatile(".rept 400\n\tnop\n\t.endr");
}

static void call(void)
{
	kernel_call(payload_calls.entry, CALLS, user_buffer());
}

/* As many branches and returns whichever way it goes.  It sends the EOI itself, so that who called
 * it need not, whether that was an interrupt or an instruction. */
static bool answer(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	if (answers.stops)
		wrmsr(answers.by.msr, answers.by.off);
	if (answers.early)
		call();
	delay();
	if (!answers.early)
		call();
	pmu_write(answers.pmu, answers.ctr, answers.count < answers.again ? answers.from : 0);
	if (answers.flags)
		pmu_write(answers.pmu, answers.tested,
			  pmu_mask(answers.pmu, answers.tested) & ~UINT64_C(0xffff));
	/* All: by an erratum a request stands until its status bit is cleared. */
	answers.over |= pmu_overflowed(answers.pmu, answers.all);
	pmu_acknowledge(answers.pmu, answers.all);
	answers.count++;
	apic_write_lvtpc(answers.lvt);
	apic_eoi();
	return true;
}

uint64_t interrupt_by_instruction(uint64_t nmi, void *unused)
{
	(void)unused;
	if (nmi)
		__asm__ volatile("int %0" : : "i"(VECTOR_NMI) : "memory");
	else
		__asm__ volatile("int %0" : : "i"(VECTOR_PMI) : "memory");
	return 0;
}

/* ---- windows ---- */

static unsigned event_for(const struct pmu *pmu, unsigned ctr)
{
	static const unsigned known[] = {EV_NEAR_RETURNS, EV_BRANCHES};

	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (pmu_can_count(pmu, ctr, known[i]) && mode_event(pmu, known[i]).exact)
			return known[i];
	return EV_NONE;
}

static struct window roles(unsigned event, unsigned n)
{
	struct pmu_config kernel = {.event = event, .kernel = true};
	struct window w = {.n = n, .c = {[TESTED] = {.cfg = kernel}}};

	w.c[SOURCE].cfg =
		(struct pmu_config){.event = EV_INSTRUCTIONS, .kernel = true, .interrupt = true};
	w.c[NEVER].cfg = (struct pmu_config){.event = EV_CYCLES, .kernel = true, .at_least = 2};
	return w;
}

/* With the third role if that fits. */
static const char *assign(const struct pmu *pmu, unsigned ctr, struct window *w)
{
	unsigned event = event_for(pmu, ctr);

	if (event == EV_NONE)
		return "the counter counts neither branches nor returns exactly";
	*w = roles(event, ROLES);
	if (!window_unfit(pmu, ctr, w, TESTED))
		return NULL;
	*w = roles(event, NEVER);
	return window_unfit(pmu, ctr, w, TESTED);
}

static const char *no_roles(const struct pmu *pmu, unsigned ctr)
{
	struct window w;

	return assign(pmu, ctr, &w);
}

static uint64_t counters_of(const struct window *w)
{
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < w->n; i++)
		ctrs |= BIT(w->c[i].ctr);
	return ctrs;
}

/* Ready for so many interrupts, none of which has come; returns what starts all counters. */
static struct msr_switch prepare(struct run *t, const struct window *w, uint32_t lvt,
				 unsigned interrupts)
{
	const unsigned source = w->c[SOURCE].ctr;
	const uint64_t from = (t->pmu->interrupt_after - PERIOD) & pmu_mask(t->pmu, source);
	struct msr_switch s;

	answers.idle = msr_switch_idle();
	answers.pmu = t->pmu;
	answers.ctr = source;
	answers.lvt = lvt;
	answers.from = from;
	answers.again = interrupts ? interrupts - 1 : 0;
	answers.count = 0;
	answers.tested = t->counter;
	answers.all = counters_of(w);
	answers.over = 0;
	pmi_arm(t, lvt, BIT(source));
	trap_set_handler(lvt == VECTOR_PMI ? VECTOR_PMI : VECTOR_NMI, answer, NULL);
	window_program(t, w);
	s = start_by_one(t, counters_of(w));
	answers.by = s;
	pmu_write(t->pmu, t->counter, 0);
	pmu_write(t->pmu, source, interrupts ? from : 0);
	return s;
}

/* Returns what the counter under test has counted, all of it in the handler. */
static uint64_t finish(struct run *t, struct window *w, unsigned interrupts)
{
	window_close(t, w);
	pmi_disarm(t);
	if (answers.count != interrupts)
		test_cannot_judge(t,
				  "interrupts come later than the code that waits for them ends");
	if (w->n > NEVER)
		CHECK_EQ(t, w->c[NEVER].out, 0);
	return w->c[TESTED].out;
}

static uint64_t take(struct run *t, struct window w, uint32_t lvt, unsigned interrupts, bool early)
{
	struct window_tries tries = window_tries(t);
	uint64_t counted;

	do {
		struct msr_switch s = prepare(t, &w, lvt, interrupts);

		answers.early = early;
		kernel_call(answers.idle, (uintptr_t)&s, NULL);
		counted = finish(t, &w, interrupts);
	} while (window_spoilt(t, &tries));
	return counted;
}

/* The same handler, but no interrupt. */
static uint64_t take_instruction(struct run *t, struct window w, uint32_t lvt)
{
	struct window_tries tries = window_tries(t);
	uint64_t counted;

	do {
		struct msr_switch s = prepare(t, &w, lvt, 0);

		answers.early = true;
		msr_switch_call(&s, interrupt_by_instruction, lvt != VECTOR_PMI, NULL);
		counted = finish(t, &w, 1);
	} while (window_spoilt(t, &tries));
	return counted;
}

/* Its first event in the handler is an overflow, which is answered as soon as the handler is left:
 * where delivery masks the LVT entry, the status tells of it. */
static void check_overflow(struct run *t, struct window w, uint32_t lvt)
{
	bool masks = t->pmu->features & PMU_LVT_MASKS;
	struct msr_switch s;

	w.n = NEVER;
	w.c[TESTED].cfg.interrupt = true;
	s = prepare(t, &w, lvt, 1);
	pmu_write(t->pmu, t->counter, pmu_mask(t->pmu, t->counter));
	answers.flags = masks && t->pmu->counting->overflowed;
	kernel_call(answers.idle, (uintptr_t)&s, NULL);
	window_close(t, &w);
	pmi_settle();
	answers.flags = false;
	if (answers.count && masks)
		CHECK(t, answers.over & BIT(t->counter));
	else if (answers.count)
		CHECK_EQ(t, answers.count, 2);
	pmi_disarm(t);
}

/* A threshold that no clock reaches is reached in none of the handler's. */
static void check_never(struct run *t, struct window w, uint32_t lvt)
{
	w.c[TESTED].cfg.at_least = t->pmu->max_threshold;
	/* No processor has so many returns or branches in a clock. */
	if (pmu_features(t->pmu, t->counter) & PMU_THRESHOLD && t->pmu->max_threshold > 8)
		CHECK_EQ(t, take(t, w, lvt, 1, true), 0);
}

static void check_handler(struct run *t, const struct window *w, uint32_t lvt)
{
	uint64_t once = take(t, *w, lvt, 1, true);

	check_never(t, *w, lvt);
	CHECK_COUNT(t, take(t, *w, lvt, 1, false), once);
	CHECK_COUNT(t, take(t, *w, lvt, MOST, true), MOST * once);
	/* INT and IRET may be branches. */
	if (w->c[TESTED].cfg.event == EV_NEAR_RETURNS) {
		CHECK_COUNT(t, take_instruction(t, *w, lvt), once + 1);
		answers.stops = true;
		CHECK_COUNT(t, take_instruction(t, *w, lvt), take(t, *w, lvt, 1, true));
		answers.stops = false;
	}
	check_overflow(t, *w, lvt);
}

TEST(handlers,
     "a handler's events are counted each time that it runs, at its beginning as at its end",
     .clause = HANDLER, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = NEVER,
     .per_counter = true, .absent = no_roles)
{
	static const uint32_t lvts[] = {VECTOR_PMI, APIC_LVT_MODE_NMI};
	struct window w;

	SKIP_IF(t, assign(t->pmu, t->counter, &w), "no counters for all roles");
	for (unsigned i = 0; i < ARRAY_SIZE(lvts) && !t->skip; i++)
		check_handler(t, &w, lvts[i]);
}
