/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-stepping: while a counter is enabled, the trap flag makes the guest exit after every
 * instruction, unless the VMM can execute it itself (native.c).  The guest never sees that flag:
 * what would store or clear it is done by hand.
 */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

#define STEP_EXCEPTIONS (~(uint32_t)BIT(VECTOR_NMI))
#define STEP_INTERCEPTS (INTERCEPT_INTR | INTERCEPT_NMI | INTERCEPT_SWINT | INTERCEPT_HLT)

static uint64_t began; /* TSC */

/* The opcode, behind a REX prefix; the instructions looked for have no others. */
static const uint8_t *opcode(const struct guest *g)
{
	return under_way.code + (g->size == CODE_64 && (under_way.code[0] & 0xf0) == 0x40);
}

void step_restart(struct guest *g)
{
	under_way.loaded = false;
	g->shadow = false;
	g->look = true;
	step_bases_changed();
}

/* ---- start and end ---- */

static void step_begin(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	g->stepping = true;
	frequency_step(g);
	began = read_tsc();
	g->look = apic_touched = true;
	g->shadow = false;
	under_way.tf = v->rflags & RFLAGS_TF;
	v->intercept_exceptions |= STEP_EXCEPTIONS;
	v->intercept |= STEP_INTERCEPTS;
	guest_forget_pages();
}

static void step_end(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	silicon_flush(&silicon_cpu);
	step_raise_due(g);
	frequency_run(g);
	g->stepping = false;
	step_tally.tsc += read_tsc() - began;
	v->intercept_exceptions = UNSTEPPED_EXCEPTIONS;
	v->intercept &= ~STEP_INTERCEPTS;
}

AT_EXIT void step_update(struct guest *g)
{
	bool counting = silicon_counting(&silicon_cpu) && !hold_is_on(g);
	bool steady = counting && coast_is_possible(g);
	bool lingering = linger_is_on(g, counting && !steady);
	bool coasting = steady && !lingering;
	bool stepping = (counting && !steady) || lingering;

	if (!coasting)
		coast_update(g, false);
	if (stepping && !g->stepping)
		step_begin(g);
	else if (!stepping && g->stepping)
		step_end(g);
	if (coasting)
		coast_update(g, true);
	if (!g->stepping)
		timer_give(g);
	time_update(g);
	if (g->stepping)
		timer_take(g);
}

void step_suspend(struct guest *g)
{
	coast_update(g, false);
	if (g->stepping)
		step_end(g);
	timer_give(g);
	time_update(g);
}

/* ---- around one step ---- */

/* Raises what a breakpoint on the instruction at RIP does; false: there is none. */
COLD static bool meets_breakpoint(struct guest *g)
{
	uint64_t hits = breakpoint_before(g);

	breakpoint_show(g, hits);
	if (hits)
		step_raise(g, VECTOR_DB, 0);
	return hits;
}

HOT APART enum step step_prepare(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	enum step step;

	step_load(g, v->rip);
	under_way.hits = 0;
	if (breakpoint_is_set(g) && meets_breakpoint(g))
		return STEP_DONE;
	assist_prepare(g);
	watch_prepare(g, under_way.insn, under_way.plan);
	under_way.dr6 = v->dr6;
	under_way.tf = v->rflags & RFLAGS_TF;
	step = step_shortcut(g);
	if (step != STEP_ENTER)
		return step;
	under_way.device = under_way.plan->writes && !native_may_access(g, under_way.plan);
	under_way.unseen = 0;
	step_tally.entries++;
	v->rflags |= RFLAGS_TF;
	/* QEMU's VMRUN does not load the interrupt shadow: IF of the VMM, which is 0, stands in. */
	if (g->shadow)
		v->int_control |= INT_MASKING;
	return STEP_ENTER;
}

static bool is_step(const struct guest *g)
{
	return g->vmcb->exit_code == EXIT_EXCEPTION + VECTOR_DB;
}

/* No trap follows what opens an interrupt shadow (MOV SS; in some versions of QEMU STI too), so
 * the exit may belong to the instruction after it. */
static void catch_up(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	if (under_way.insn->class != INSN_MOV_SS && under_way.insn->class != INSN_STI)
		return;
	if (is_step(g) ? v->int_state & INT_STATE_SHADOW : v->rip != step_next_rip())
		return;
	silicon_retire(&silicon_cpu, under_way.insn, v->cpl, false, under_way.iflag);
	step_load(g, step_next_rip());
}

/* Gives the guest its own TF back: as it was, or as POPF or IRET loaded it. */
static void restore_tf(struct guest *g)
{
	bool loads = under_way.insn->class == INSN_POPF || opcode(g)[0] == 0xcf;

	if (is_step(g) && loads)
		return;
	g->vmcb->rflags &= ~RFLAGS_TF;
	if (under_way.tf)
		g->vmcb->rflags |= RFLAGS_TF;
}

/* May the instruction have let an interrupt through?  If another one does, such as MOV CR8 or an
 * EOI by a string instruction, the interrupt comes a little later. */
static bool look_again(const struct guest *g)
{
	switch (under_way.insn->class) {
	case INSN_PLAIN:
	case INSN_JCC:
	case INSN_JMP:
	case INSN_CALL:
	case INSN_RET:
	case INSN_PUSHF:
	case INSN_REP_STRING:
		return !is_step(g) || under_way.device;
	default:
		return true;
	}
}

/* DR6 shows the guest's own traps only. */
static void leave_dr6(struct guest *g)
{
	under_way.hits = breakpoint_is_set(g) ? breakpoint_behind(g) : 0;
	g->vmcb->dr6 = under_way.dr6;
	breakpoint_show(g, under_way.hits);
}

AT_EXIT void step_leave(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	apic_touched = true;
	catch_up(g);
	if (is_step(g))
		repeat_end(g);
	g->look = g->shadow || look_again(g);
	g->shadow = is_step(g) && v->int_state & INT_STATE_SHADOW;
	restore_tf(g);
	if (is_step(g))
		leave_dr6(g);
}

/* ---- one instruction ---- */

/* PUSHF stored our TF. */
static void repair_pushed_flags(struct guest *g)
{
	uint64_t address = g->vmcb->rsp + 1;
	uint8_t flags;

	if (!guest_read(g, address, &flags, sizeof(flags)))
		return;
	flags = (uint8_t)((flags & ~(RFLAGS_TF >> 8)) | under_way.tf);
	guest_write(g, address, &flags, sizeof(flags));
}

static void stepped(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool iterating = under_way.insn->class == INSN_REP_STRING && v->rip == under_way.rip;

	watch_retired(g);
	if (!iterating)
		step_count(g);
	if (under_way.insn->class == INSN_PUSHF)
		repair_pushed_flags(g);
	step_settle(g);
}

static void software_interrupt(struct guest *g)
{
	const uint8_t *op = opcode(g);
	unsigned vector = op[0] == 0xcd ? op[1] : op[0] == 0xcc ? VECTOR_BP : VECTOR_DB;

	deliver_int(g, vector, step_next_rip());
	step_raise_due(g);
}

static void exception(struct guest *g, unsigned vector)
{
	if (vector == VECTOR_PF)
		g->vmcb->cr2 = g->vmcb->exit_info_2;
	step_raise(g, vector, (uint32_t)g->vmcb->exit_info_1);
}

/* Time passes while nothing retires: a request on its way arrives. */
static void halt(struct guest *g)
{
	uint64_t halted;

	g->vmcb->rip = step_next_rip();
	step_count(g);
	silicon_flush(&silicon_cpu);
	step_raise_due(g);
	timer_give(g);
	halted = read_tsc();
	step_interrupt(g, WAIT_HALTED | (under_way.iflag ? WAIT_INTR : WAIT_NMI));
	halted = read_tsc() - halted;
	time_waited(halted);
	frequency_halted(halted);
	timer_take(g);
}

bool step_lend(struct guest *g)
{
	const struct insn *insn = step_insn(g);
	const struct plan *plan = under_way.plan;

	return (plan->kind == PLAN_SYSENTER || plan->kind == PLAN_SYSEXIT) && guest_has_size(g) &&
	       native_execute(g, plan, insn->length);
}

bool step_exit(struct guest *g)
{
	uint64_t code = g->vmcb->exit_code;

	if (is_step(g))
		stepped(g);
	else if (code >= EXIT_EXCEPTION && code < EXIT_EXCEPTION + 32)
		exception(g, (unsigned)(code - EXIT_EXCEPTION));
	else if (code == EXIT_INTR)
		step_interrupt(g, WAIT_INTR);
	else if (code == EXIT_NMI)
		step_interrupt(g, WAIT_NMI);
	else if (code == EXIT_SWINT)
		software_interrupt(g);
	else if (code == EXIT_HLT)
		halt(g);
	else
		return false;
	return true;
}
