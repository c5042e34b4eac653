/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-stepping: while a counter is enabled, the trap flag makes the guest exit after every
 * instruction, unless the VMM can execute it itself (native.c).  The guest never sees that flag:
 * what would store or clear it is done by hand.
 */
#include "io.h"
#include "native.h"

/* SYSCALL and SYSRET may clear TF.  Without EFER.SCE they exit with #UD instead. */
#define STEP_EXCEPTIONS (~(uint32_t)BIT(VECTOR_NMI))
#define STEP_INTERCEPTS (INTERCEPT_INTR | INTERCEPT_NMI | INTERCEPT_SWINT | INTERCEPT_HLT)

/* An interrupt from outside waits no longer than these instructions. */
enum { UNSEEN_MAX = 1000, UNSEEN_AHEAD_MAX = 200 };

/* The instruction under way, and what it may change of the state before it. */
static struct {
	const struct insn *insn;
	const struct plan *plan;
	const uint8_t *code;
	uint64_t rip, dr6;
	bool iflag;
	bool tf; /* the guest's own: it expects #DB after this instruction */
	bool shadow; /* STI or MOV SS went before */
	bool loaded; /* what follows is of the instruction at RIP */
	bool look; /* an interrupt may be pending: enter the guest, whatever the instruction */
	bool device; /* it stores to what is no RAM, so perhaps the EOI */
	unsigned unseen; /* instructions since the guest could last take an interrupt */
} now;

struct step_tally step_tally;
static uint64_t began; /* TSC */

static void load_instruction(struct guest *g, uint64_t rip)
{
	const struct known *known;
	unsigned available;

	now.loaded = true;
	now.rip = rip;
	now.code = guest_code(g, rip, &available);
	now.iflag = g->vmcb->rflags & RFLAGS_IF;
	known = native_known(rip, now.code, available);
	now.insn = &known->insn;
	now.plan = &known->plan;
	/* What the VMM executes itself changes no translation. */
	if (now.insn->serializing && now.plan->kind == PLAN_STEP)
		guest_forget_pages();
}

const struct insn *step_loaded(const struct guest *g, const uint8_t **code)
{
	*code = now.code;
	return now.loaded && now.rip == g->vmcb->rip ? now.insn : NULL;
}

static uint64_t next_rip(void)
{
	return now.rip + now.insn->length;
}

/* What follows a REX prefix; the instructions looked for have no others. */
static const uint8_t *opcode(void)
{
	return now.code + ((now.code[0] & 0xf0) == 0x40);
}

void step_look(void)
{
	now.look = true;
}

static void raise_due(void)
{
	if (pmi_raise_due())
		step_look();
}

/* ---- start and end ---- */

static void step_begin(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	g->stepping = true;
	began = read_tsc();
	now.look = true;
	now.shadow = false;
	now.tf = v->rflags & RFLAGS_TF;
	v->intercept_exceptions |= STEP_EXCEPTIONS;
	v->intercept |= STEP_INTERCEPTS;
	v->efer &= ~EFER_SCE;
	guest_forget_pages();
}

static void step_end(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	silicon_flush(&silicon_cpu);
	raise_due();
	g->stepping = false;
	step_tally.tsc += read_tsc() - began;
	v->intercept_exceptions &= ~STEP_EXCEPTIONS;
	v->intercept_exceptions |= (uint32_t)BIT(VECTOR_GP);
	v->intercept &= ~STEP_INTERCEPTS;
	v->efer |= g->efer_sce;
}

void step_update(struct guest *g)
{
	bool counting = silicon_counting(&silicon_cpu) && !stage_holds(g);

	if (counting && !g->stepping)
		step_begin(g);
	else if (!counting && g->stepping)
		step_end(g);
}

/* ---- around one step ---- */

static bool port_without_entry(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint16_t port = (uint16_t)vmm_gpr[RDX];

	if (!port_exits(port))
		return false;
	v->exit_code = EXIT_IOIO;
	v->exit_info_1 = now.plan->port | field_put(IOIO_PORT, port);
	vmm_handle_exit(g);
	return true;
}

/* It shuts interrupts off, or leaves them as they are. */
static bool int_without_entry(struct guest *g)
{
	if (!g->stepping)
		return false;
	g->vmcb->exit_code = EXIT_SWINT;
	vmm_handle_exit(g);
	return true;
}

/* Instructions that exit do so by the way they are decoded, unless they fault first. */
static bool exit_without_entry(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	enum plan_kind kind = now.plan->kind;

	if (kind == PLAN_INT)
		return int_without_entry(g);
	if (v->cpl != 0 && kind != PLAN_CPUID && !(kind == PLAN_RDPMC && v->cr4 & CR4_PCE))
		return false;
	if (kind == PLAN_PORT)
		return port_without_entry(g);
	v->exit_code = kind == PLAN_CPUID ? EXIT_CPUID : kind == PLAN_RDPMC ? EXIT_RDPMC : EXIT_MSR;
	v->exit_info_1 = kind == PLAN_WRMSR;
	vmm_handle_exit(g);
	return true;
}

/* True: done without the guest. */
static bool try_shortcut(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	if (g->single_step || now.look || now.tf || now.shadow ||
	    ++now.unseen > (g->stepping ? UNSEEN_MAX : UNSEEN_AHEAD_MAX) ||
	    now.plan->kind == PLAN_STEP || !(v->cs.attributes & SEGMENT_LONG) ||
	    v->dr7 & DR7_ENABLED || !guest_code_allowed(g))
		return false;
	if (now.plan->kind >= PLAN_CPUID)
		return exit_without_entry(g);
	if (!native_execute(g, now.plan, now.insn->length))
		return false;
	if (g->stepping) {
		watch_retired(g);
		if (step_count(g))
			raise_due();
	}
	return true;
}

/* Registers are often accessed in a row, and an exit costs more than what lies between two. */
bool step_ahead(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	now.loaded = false;
	if ((v->exit_code != EXIT_MSR && v->exit_code != EXIT_IOIO && v->exit_code != EXIT_NPF) ||
	    v->event_inject & EVENT_VALID)
		return false;
	if (!now.unseen)
		guest_forget_pages();
	load_instruction(g, v->rip);
	now.tf = v->rflags & RFLAGS_TF;
	now.shadow = v->int_state & INT_STATE_SHADOW;
	now.look = false;
	if (try_shortcut(g))
		return true;
	now.unseen = 0;
	now.loaded = false;
	return false;
}

bool step_prepare(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	load_instruction(g, v->rip);
	assist_prepare(g);
	watch_prepare(g, now.insn, now.plan);
	now.dr6 = v->dr6;
	now.tf = v->rflags & RFLAGS_TF;
	if (try_shortcut(g))
		return false;
	now.device = now.plan->writes && !native_may_access(g, now.plan);
	now.unseen = 0;
	step_tally.entries++;
	v->rflags |= RFLAGS_TF;
	/* QEMU's VMRUN does not load the interrupt shadow: IF of the VMM, which is 0, stands in. */
	if (now.shadow)
		v->int_control |= INT_MASKING;
	return true;
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

	if (now.insn->class != INSN_MOV_SS && now.insn->class != INSN_STI)
		return;
	if (is_step(g) ? v->int_state & INT_STATE_SHADOW : v->rip != next_rip())
		return;
	silicon_retire(&silicon_cpu, now.insn, v->cpl, false, now.iflag);
	load_instruction(g, next_rip());
}

/* Gives the guest its own TF back: as it was, or as POPF or IRET loaded it. */
static void restore_tf(struct guest *g)
{
	bool loads = now.insn->class == INSN_POPF || opcode()[0] == 0xcf;

	if (is_step(g) && loads)
		return;
	g->vmcb->rflags &= ~RFLAGS_TF;
	if (now.tf)
		g->vmcb->rflags |= RFLAGS_TF;
}

/* DR6 shows the guest's own traps only. */
static void restore_dr6(struct guest *g)
{
	bool writes_dr = opcode()[0] == 0x0f && opcode()[1] == 0x23;

	if (!is_step(g) || now.tf)
		return;
	g->vmcb->dr6 &= ~DR6_BS;
	if (!writes_dr)
		g->vmcb->dr6 |= now.dr6 & DR6_BS;
}

/* After what may have let an interrupt through.  If something else does, such as MOV CR8 or an EOI
 * by a string instruction, the interrupt comes a little later. */
static bool look_again(const struct guest *g)
{
	switch (now.insn->class) {
	case INSN_PLAIN:
	case INSN_JCC:
	case INSN_JMP:
	case INSN_CALL:
	case INSN_RET:
	case INSN_PUSHF:
	case INSN_REP_STRING:
		return !is_step(g) || now.device;
	default:
		return true;
	}
}

void step_leave(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	v->int_control &= ~INT_MASKING;
	catch_up(g);
	now.shadow = is_step(g) && v->int_state & INT_STATE_SHADOW;
	now.look = look_again(g);
	restore_tf(g);
	restore_dr6(g);
}

/* ---- one instruction ---- */

static void report_branch(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;
	enum insn_class class = now.insn->class;
	struct branch branch = {class, now.insn->indirect, -1, now.rip, v->rip, v->cpl};

	if (class < INSN_JCC || class > INSN_SYSRET || class == INSN_INT)
		return;
	if (class != INSN_JCC || v->rip != next_rip())
		silicon_branched(&silicon_cpu, &branch);
}

bool step_count(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool requested;

	report_branch(g);
	requested = silicon_retire(&silicon_cpu, now.insn, v->cpl, v->rip != next_rip(), now.iflag);
	stage_retired();
	if (!silicon_wants_assist(&silicon_cpu))
		return requested;
	assist(g, now.rip, v->rip == now.rip ? next_rip() : v->rip);
	return true;
}

void step_settle(struct guest *g)
{
	if (now.tf) {
		g->vmcb->dr6 |= DR6_BS;
		deliver(g, VECTOR_DB, 0, DELIVERY_EXCEPTION);
	}
	raise_due();
}

/* PUSHF stored our TF. */
static void repair_pushed_flags(struct guest *g)
{
	uint64_t address = g->vmcb->rsp + 1;
	uint8_t flags;

	if (!guest_read(g, address, &flags, sizeof(flags)))
		return;
	flags = (uint8_t)((flags & ~(RFLAGS_TF >> 8)) | now.tf);
	guest_write(g, address, &flags, sizeof(flags));
}

static void stepped(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool iterating = now.insn->class == INSN_REP_STRING && v->rip == now.rip;
	bool breakpoint = v->dr6 & ~now.dr6 & DR6_BREAKPOINTS;

	watch_retired(g);
	if (!iterating)
		step_count(g);
	if (now.insn->class == INSN_PUSHF)
		repair_pushed_flags(g);
	if (breakpoint && !now.tf)
		deliver(g, VECTOR_DB, 0, DELIVERY_EXCEPTION);
	step_settle(g);
}

static void software_interrupt(struct guest *g)
{
	const uint8_t *op = opcode();
	unsigned vector = op[0] == 0xcd ? op[1] : op[0] == 0xcc ? VECTOR_BP : VECTOR_DB;

	deliver_int(g, vector, next_rip());
	raise_due();
}

static void exception(struct guest *g, unsigned vector)
{
	struct vmcb *v = g->vmcb;

	if (vector == VECTOR_UD && now.insn->class == INSN_SYSCALL && opcode()[1] == 0x05 &&
	    g->efer_sce) {
		emulate_syscall(g, next_rip());
		step_count(g);
		raise_due();
		return;
	}
	if (vector == VECTOR_UD && now.insn->class == INSN_SYSRET && opcode()[1] == 0x07 &&
	    g->efer_sce && v->cpl == 0) {
		emulate_sysret(g, opcode() != now.code);
		step_count(g);
		step_settle(g);
		return;
	}
	if (vector == VECTOR_PF)
		v->cr2 = v->exit_info_2;
	step_raise(g, vector, (uint32_t)v->exit_info_1);
}

static void interrupt(struct guest *g, unsigned wait)
{
	int vector = vmm_take_interrupt(wait);

	if (vector < 0)
		return;
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
	raise_due();
}

/* The clock passes while nothing retires: a request on its way arrives now. */
static void halt(struct guest *g)
{
	g->vmcb->rip = next_rip();
	step_count(g);
	silicon_flush(&silicon_cpu);
	raise_due();
	interrupt(g, WAIT_HALTED | (now.iflag ? WAIT_INTR : WAIT_NMI));
}

void step_raise(struct guest *g, unsigned vector, uint32_t error)
{
	deliver(g, vector, error, DELIVERY_EXCEPTION);
	raise_due();
}

bool step_exit(struct guest *g)
{
	uint64_t code = g->vmcb->exit_code;

	if (is_step(g))
		stepped(g);
	else if (code >= EXIT_EXCEPTION && code < EXIT_EXCEPTION + 32)
		exception(g, (unsigned)(code - EXIT_EXCEPTION));
	else if (code == EXIT_INTR)
		interrupt(g, WAIT_INTR);
	else if (code == EXIT_NMI)
		interrupt(g, WAIT_NMI);
	else if (code == EXIT_SWINT)
		software_interrupt(g);
	else if (code == EXIT_HLT)
		halt(g);
	else
		return false;
	return true;
}
