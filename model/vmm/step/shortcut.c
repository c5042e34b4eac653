/* SPDX-License-Identifier: BSD-2-Clause */
/* Shortcuts: instructions without an entry into the guest, as the VMM executes them itself or they
 * would exit at once. */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

/* An access to a port that the guest may do itself: a step through it would take longer. */
AT_EXIT static enum step port_without_entry(struct guest *g)
{
	uint64_t port = (uint16_t)vmm_gpr[RDX];
	uint64_t byte = ((const uint8_t *)(uintptr_t)g->vmcb->iopm_base)[port / 8];

	if (!g->stepping && !(byte >> port % 8 & 1))
		return STEP_ENTER;
	g->vmcb->exit_code = EXIT_IOIO;
	g->vmcb->exit_info_1 = under_way.plan->port | field_put(IOIO_PORT, port);
	return STEP_EXIT;
}

/* PORT has a way of its own.  INT lets no interrupt in: it clears IF, or leaves it as it is. */
static const uint8_t exits[] = {
	[PLAN_PAUSE - PLAN_PAUSE] = EXIT_PAUSE,
	[PLAN_CPUID - PLAN_PAUSE] = EXIT_CPUID,
	[PLAN_RDMSR - PLAN_PAUSE] = EXIT_MSR,
	[PLAN_WRMSR - PLAN_PAUSE] = EXIT_MSR,
	[PLAN_RDPMC - PLAN_PAUSE] = EXIT_RDPMC,
	[PLAN_RDTSC - PLAN_PAUSE] = EXIT_RDTSC,
	[PLAN_INT - PLAN_PAUSE] = EXIT_SWINT,
	[PLAN_UNDEFINED - PLAN_PAUSE] = EXIT_EXCEPTION + VECTOR_UD,
};

/* Instructions that exit do so by the way they are decoded, unless they fault first. */
AT_EXIT static enum step exit_without_entry(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	enum plan_kind kind = under_way.plan->kind;
	bool anywhere = kind == PLAN_CPUID || kind == PLAN_INT || kind == PLAN_PAUSE ||
			kind == PLAN_UNDEFINED;

	if ((kind == PLAN_RDTSC || kind >= PLAN_INT) && !g->stepping)
		return STEP_ENTER;
	if (v->cpl != 0 && !anywhere && !(kind == PLAN_RDPMC && v->cr4 & CR4_PCE))
		return STEP_ENTER;
	if (kind == PLAN_PORT)
		return port_without_entry(g);
	v->exit_code = exits[kind - PLAN_PAUSE];
	v->exit_info_1 = kind == PLAN_WRMSR;
	return STEP_EXIT;
}

HOT static bool may_exit(const struct guest *g)
{
	enum plan_kind kind = under_way.plan->kind;

	return kind == PLAN_PAUSE ? g->vmcb->intercept & INTERCEPT_PAUSE : kind >= PLAN_CPUID;
}

/* Nothing comes between instructions but a request of the PMU. */
HOT static bool is_undisturbed(void)
{
	return !smi_is_staged() && !hold_may_begin();
}

static enum step execute(struct guest *g)
{
	/* A read of what only the model knows exits as if its page were left out of nested paging.
	 */
	if (native_asks_time(g, under_way.plan)) {
		g->vmcb->exit_code = EXIT_NPF;
		g->vmcb->exit_info_2 = apic_find_base() + APIC_TIMER_COUNT;
		return STEP_EXIT;
	}
	if (!native_execute(g, under_way.plan, under_way.insn->length))
		return STEP_ENTER;
	watch_retired(g);
	/* SYSCALL clears TF before it would trap, and SYSRET loads it; across SYSENTER it stays. */
	under_way.tf = g->vmcb->rflags & RFLAGS_TF;
	if (step_count(g) || under_way.tf)
		step_settle(g);
	return STEP_DONE;
}

/* May the next instruction follow without being asked again what those before it were asked? */
HOT static bool goes_on(const struct guest *g)
{
	return !g->look && is_undisturbed() && !g->second;
}

/* Executes this run and those behind it: none changes what else must_enter() and go_on() ask. */
HOT static enum step take_runs(struct guest *g)
{
	if (step_take_run(g) != STEP_DONE)
		return STEP_ENTER;
	while (goes_on(g) && ++under_way.unseen <= UNSEEN_MAX && step_take_run(g) == STEP_DONE)
		;
	return STEP_DONE;
}

/* Does an interrupt come now?  To enter the guest for that would cost a hundred times as much. */
static bool interrupts_now(struct guest *g)
{
	g->look = false;
	under_way.unseen = 0;
	timer_look(g);
	if (g->nest.deaf)
		return false;
	return step_interrupt(g, under_way.iflag ? WAIT_INTR : WAIT_NMI);
}

/* Is the instruction one that the guest must not execute with our TF? */
static bool must_not_enter(void)
{
	return under_way.plan->kind >= PLAN_SYSCALL && under_way.plan->kind <= PLAN_SYSEXIT;
}

/* RF, which suppresses one, ends with the instruction that it is set for. */
static bool may_meet_breakpoint(const struct guest *g)
{
	return g->vmcb->rflags & RFLAGS_RF ||
	       (breakpoint_is_set(g) && (!g->stepping || breakpoint_watches(g, under_way.insn)));
}

/* Only guest mode tells whether such an instruction of an inner guest exits, and to whom. */
static bool must_enter_inner(const struct guest *g)
{
	return g->nest.inside && (g->nest.by_step || under_way.plan->kind >= PLAN_PAUSE);
}

/* The first fetch from a page is noted in the tables: by guest mode, where that may have it. */
static bool may_fetch(const struct guest *g)
{
	return must_not_enter() ? guest_code_fetched(g) : guest_code_allowed(g);
}

static bool must_enter(const struct guest *g)
{
	return must_enter_inner(g) ||
	       ((g->single_step || under_way.tf || may_meet_breakpoint(g)) && !must_not_enter()) ||
	       under_way.plan->kind == PLAN_STEP || !guest_has_size(g) || !may_fetch(g);
}

/* Executes it and what may follow, or takes an interrupt. */
static enum step go_on(struct guest *g)
{
	if (g->look || ++under_way.unseen > UNSEEN_MAX) {
		/* Only behind an exit it is known whose interrupt it is. */
		if (g->second || g->nest.inside) {
			timer_look(g);
			return STEP_ENTER;
		}
		if (interrupts_now(g))
			return STEP_DONE;
	}
	if (may_exit(g))
		return exit_without_entry(g);
	if (is_undisturbed() && !breakpoint_is_set(g) && take_runs(g) == STEP_DONE)
		return STEP_DONE;
	return execute(g);
}

/* One instruction, behind which interrupts may come again. */
static enum step leave_shadow(struct guest *g)
{
	enum step step = STEP_ENTER;

	g->shadow = false;
	if (!may_exit(g))
		step = execute(g);
	g->shadow = step == STEP_ENTER;
	g->look = step != STEP_ENTER;
	return step;
}

/* The next instruction needs none of what step_prepare() does for the first one. */
HOT static bool load_next(struct guest *g)
{
	if (!goes_on(g) || silicon_precise(&silicon_cpu) || breakpoint_is_set(g))
		return false;
	step_load(g, g->vmcb->rip);
	watch_prepare(g, under_way.insn, under_way.plan);
	return true;
}

HOT enum step step_shortcut(struct guest *g)
{
	enum step step;

	do {
		if (under_way.plan->kind == PLAN_UNDEFINED && guest_has_size(g))
			return exit_without_entry(g);
		if (must_enter(g))
			return STEP_ENTER;
		step = g->shadow ? leave_shadow(g) : go_on(g);
	} while (step == STEP_DONE && load_next(g));
	return step;
}

/* ---- ahead of the guest: from one access to the next ---- */

/* Instructions ahead at most: as many as an entry costs. */
enum { AHEAD_MAX = 60 };

/* Runs ahead that begin at the same place, as deep in calls: how many in a row came to no access,
 * and how many are left out for that. */
static struct ahead {
	uint8_t failures, rest;
} aheads[4096], *ahead;
static unsigned passed; /* instructions of this run */

static bool begin_ahead(const struct guest *g)
{
	ahead = &aheads[(g->vmcb->rip ^ g->vmcb->rsp >> 3) % ARRAY_SIZE(aheads)];
	if (!ahead->rest)
		return true;
	ahead->rest--;
	under_way.unseen = 0;
	return false;
}

static void end_ahead(bool reached)
{
	ahead->failures = reached ? 0 : ahead->failures < 5 ? ahead->failures + 1 : 5;
	ahead->rest = (uint8_t)(BIT(ahead->failures) - 1);
	passed = 0;
	if (!reached)
		under_way.unseen = 0;
}

/* Executes the run at RIP, as far as it can be executed; false: not at all. */
AT_EXIT static bool run_ahead(struct guest *g)
{
	const struct insn_run *run = run_find(g, g->vmcb->rip);
	bool changes = false;
	unsigned n = 0;

	if (!guest_code_allowed(g) || (run->fpu && !native_fpu_is_quiet(g)))
		return false;
	while (n < run->count && !changes) {
		const struct piece *piece = &run->piece[n];

		if (piece->straight)
			run_straight(g, piece, piece->straight);
		else if (!run_other(g, run, piece, &changes))
			break;
		n += piece->straight ? piece->straight : 1;
	}
	passed += n;
	under_way.unseen += n;
	return n;
}

static enum step ahead_shortcut(struct guest *g)
{
	if (must_enter(g) || under_way.unseen > UNSEEN_MAX)
		return STEP_ENTER;
	if (may_exit(g))
		return exit_without_entry(g);
	if (run_ahead(g)) {
		while (passed < AHEAD_MAX && under_way.unseen <= UNSEEN_MAX && run_ahead(g))
			;
		return STEP_DONE;
	}
	passed++;
	under_way.unseen++;
	return native_execute(g, under_way.plan, under_way.insn->length) ? STEP_DONE : STEP_ENTER;
}

static bool may_go_ahead(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;

	return (v->exit_code == EXIT_MSR || v->exit_code == EXIT_IOIO ||
		v->exit_code == EXIT_NPF) &&
	       !(v->event_inject & EVENT_VALID) && (passed || begin_ahead(g));
}

static enum step go_ahead(struct guest *g)
{
	step_load(g, g->vmcb->rip);
	if (passed >= AHEAD_MAX || g->vmcb->int_state & INT_STATE_SHADOW)
		return STEP_ENTER;
	return ahead_shortcut(g);
}

/* Registers are often accessed in a row, and an exit costs more than what lies between two. */
AT_EXIT APART enum step step_ahead(struct guest *g)
{
	enum step step;

	under_way.loaded = false;
	if (!may_go_ahead(g))
		return STEP_ENTER;
	under_way.tf = g->vmcb->rflags & RFLAGS_TF;
	g->look = false;
	do
		step = go_ahead(g);
	while (step == STEP_DONE && !g->second);
	if (step != STEP_DONE)
		end_ahead(step == STEP_EXIT);
	under_way.loaded = step != STEP_ENTER;
	return step;
}
