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

struct under_way under_way;
struct step_tally step_tally;
static uint64_t began; /* TSC */

HOT void step_load(struct guest *g, uint64_t rip)
{
	const struct known *known;
	unsigned available;

	under_way.loaded = true;
	under_way.rip = rip;
	under_way.code = guest_code(g, rip, &available);
	silicon_fetches(&silicon_cpu, guest_code_uncacheable());
	under_way.iflag = g->vmcb->rflags & RFLAGS_IF;
	if (!native_has_room(RUN_MOST))
		step_forget_code();
	known = native_known(rip, under_way.code, available, g->size);
	under_way.insn = &known->insn;
	under_way.plan = &known->plan;
	/* What the VMM executes itself changes no translation. */
	if (under_way.insn->serializing && under_way.plan->kind == PLAN_STEP)
		guest_forget_pages();
}

AT_EXIT const struct insn *step_insn(struct guest *g)
{
	if (!under_way.loaded || under_way.rip != g->vmcb->rip)
		step_load(g, g->vmcb->rip);
	return under_way.insn;
}

static uint64_t next_rip(void)
{
	return under_way.rip + under_way.insn->length;
}

/* What follows a REX prefix; the instructions looked for have no others. */
static const uint8_t *opcode(const struct guest *g)
{
	return under_way.code + (g->size == CODE_64 && (under_way.code[0] & 0xf0) == 0x40);
}

void step_forget_code(void)
{
	native_forget();
	run_forget();
}

void step_restart(struct guest *g)
{
	under_way.loaded = false;
	g->shadow = false;
	g->look = true;
	step_bases_changed();
}

AT_EXIT void step_raise_due(struct guest *g)
{
	if (apic_raise_due())
		g->look = true;
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

/* ---- around one step ---- */

HOT APART enum step step_prepare(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	enum step step;

	step_load(g, v->rip);
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
	if (is_step(g) ? v->int_state & INT_STATE_SHADOW : v->rip != next_rip())
		return;
	silicon_retire(&silicon_cpu, under_way.insn, v->cpl, false, under_way.iflag);
	step_load(g, next_rip());
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

/* After what may have let an interrupt through.  If something else does, such as MOV CR8 or an EOI
 * by a string instruction, the interrupt comes a little later. */
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
	/* DR6 shows the guest's own traps only.  What runs here sets no debug register. */
	if (is_step(g) && !under_way.tf)
		v->dr6 = under_way.dr6;
}

/* ---- one instruction ---- */

HOT static void report_branch(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;
	enum insn_class class = under_way.insn->class;
	struct branch branch = {class, under_way.insn->indirect, -1, under_way.rip, v->rip, v->cpl};

	if (class < INSN_JCC || class > INSN_SYSRET || class == INSN_INT)
		return;
	if (class != INSN_JCC || v->rip != next_rip())
		silicon_branched(&silicon_cpu, &branch);
}

enum { DISCARDED_MOST = 8 };

/* The branch under way was mispredicted: reports what the processor began on the wrong path before
 * it knew better. */
COLD static void discard(const struct guest *g)
{
	uint64_t target = (uint64_t)under_way.plan->displacement;
	uint64_t rip = g->vmcb->rip == next_rip() ? target : next_rip();

	if (under_way.plan->kind != PLAN_JCC)
		return;
	for (unsigned i = 0; i < DISCARDED_MOST; i++) {
		unsigned available;
		const uint8_t *code = guest_code(g, rip, &available);
		struct insn insn;

		insn_decode(code, available, g->size, &insn);
		if (!silicon_discard(&silicon_cpu, &insn))
			return;
		rip = guest_address(g, rip + insn.length);
	}
}

HOT bool step_count(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool requested;

	report_branch(g);
	requested = silicon_retire(&silicon_cpu, under_way.insn, v->cpl, v->rip != next_rip(),
				   under_way.iflag);
	if (silicon_mispredicted(&silicon_cpu))
		discard(g);
	hold_counted();
	smi_counted();
	if (!silicon_wants_assist(&silicon_cpu))
		return requested;
	assist_do(g, under_way.rip, v->rip == under_way.rip ? next_rip() : v->rip);
	return true;
}

AT_EXIT void step_settle(struct guest *g)
{
	if (under_way.tf) {
		g->vmcb->dr6 |= DR6_BS;
		deliver(g, VECTOR_DB, 0, DELIVERY_EXCEPTION);
	}
	step_raise_due(g);
}

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

	deliver_int(g, vector, next_rip());
	step_raise_due(g);
}

static void exception(struct guest *g, unsigned vector)
{
	if (vector == VECTOR_PF)
		g->vmcb->cr2 = g->vmcb->exit_info_2;
	step_raise(g, vector, (uint32_t)g->vmcb->exit_info_1);
}

bool step_interrupt(struct guest *g, unsigned wait)
{
	int vector = vmm_take_interrupt(wait);

	if (vector < 0)
		return false;
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
	step_raise_due(g);
	return true;
}

/* Time passes while nothing retires: a request on its way arrives. */
static void halt(struct guest *g)
{
	uint64_t halted;

	g->vmcb->rip = next_rip();
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

void step_raise(struct guest *g, unsigned vector, uint32_t error)
{
	deliver(g, vector, error, DELIVERY_EXCEPTION);
	step_raise_due(g);
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
