/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the hypervisor: run the guest, do for it what it must not do itself. */
#include "vmm.h"

#include "model/vmm/apic/apic.h"
#include "model/vmm/nest/nest.h"
#include "model/vmm/step/step.h"

enum { EVENT_TYPE_EXCEPTION = 3 };

/* ---- faults and traps ---- */

static void inject(struct guest *g, unsigned vector, uint32_t error)
{
	g->vmcb->event_inject = EVENT_VALID | EVENT_EXCEPTION | vector |
				(vector_has_error(vector) ? EVENT_HAS_ERROR : 0);
	g->vmcb->event_error = error;
}

void vmm_raise(struct guest *g, unsigned vector, uint32_t error)
{
	if (g->stepping || g->nest.inside)
		step_raise(g, vector, error);
	else
		inject(g, vector, error);
}

static void trap_if_stepped(struct guest *g)
{
	if (!(g->vmcb->rflags & RFLAGS_TF))
		return;
	g->vmcb->dr6 |= DR6_BS;
	vmm_raise(g, VECTOR_DB, 0);
}

AT_EXIT void vmm_finish(struct guest *g, const struct insn *insn)
{
	struct vmcb *v = g->vmcb;

	v->rip += insn->length;
	v->rflags &= ~RFLAGS_RF;
	if (g->stepping)
		step_settle(g);
	else
		trap_if_stepped(g);
}

/* ---- the exits ---- */

/* Emulates the instruction that has exited.  State that it reads is as before its own retirement.
 */
AT_EXIT static void emulate(struct guest *g, bool (*instruction)(struct guest *))
{
	const struct insn *insn = step_insn(g);

	if (!instruction(g)) {
		vmm_raise(g, VECTOR_GP, 0);
		return;
	}
	if (g->stepping)
		step_count(g);
	vmm_finish(g, insn);
}

/* A write may begin or end the stepping.  It takes effect when its instruction retires: a counter
 * does not count the write that enables it, and counts the one that disables it.  With first, it
 * takes effect before, and the counter does the opposite. */
AT_EXIT static void emulate_write(struct guest *g, bool (*instruction)(struct guest *), bool first)
{
	const struct insn *insn = step_insn(g);

	if (g->stepping && !first)
		step_count(g);
	if (!instruction(g)) {
		vmm_raise(g, VECTOR_GP, 0);
		return;
	}
	step_update(g);
	if (g->stepping && first)
		silicon_retire(&silicon_cpu, insn, g->vmcb->cpl, false,
			       g->vmcb->rflags & RFLAGS_IF);
	vmm_finish(g, insn);
}

/* The processor refuses RDPMC before it exits, but the modelled one may not: a fault of it. */
static bool was_rdpmc(const struct guest *g, const struct insn *insn)
{
	unsigned available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);

	return insn->length >= 2 && code[insn->length - 2] == 0x0f &&
	       code[insn->length - 1] == 0x33;
}

/* RDTSCP is 0F 01 F9; RDTSC is two bytes. */
static bool is_rdtscp(struct guest *g)
{
	return step_insn(g)->length > 2;
}

static void shut_down(struct guest *g)
{
	if (!program_shuts_down(g))
		panic("the guest shut down: triple fault at %llx",
		      (unsigned long long)g->vmcb->rip);
}

static void general_protection(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	const struct insn *insn = step_insn(g);

	if (was_rdpmc(g, insn) && registers_rdpmc(g)) {
		if (g->stepping)
			step_count(g);
		vmm_finish(g, insn);
		return;
	}
	/* On the way to another handler: its delivery is void, and this is a double fault. */
	if (v->exit_int_info & EVENT_VALID &&
	    field_get(EVENT_TYPE, v->exit_int_info) == EVENT_TYPE_EXCEPTION) {
		if (field_get(EVENT_VECTOR, v->exit_int_info) == VECTOR_DF)
			shut_down(g);
		else
			vmm_raise(g, VECTOR_DF, 0);
		return;
	}
	vmm_raise(g, VECTOR_GP, (uint32_t)v->exit_info_1);
}

/* Handles a #DB of the guest's own, while it is not stepped through. */
static void debug_exception(struct guest *g)
{
	repeat_end(g);
	vmm_raise(g, VECTOR_DB, 0);
}

/* Handles a #UD while the guest is not stepped through. */
static void undefined_opcode(struct guest *g)
{
	if (step_lend(g))
		trap_if_stepped(g);
	else
		vmm_raise(g, VECTOR_UD, 0);
}

/* The machine's system management mode is entered from the VMM.  Entered from the guest, its code
 * would exit by the guest's intercepts, with an EFER that VMRUN refuses. */
static void let_smi_in(struct guest *g)
{
	step_interrupt(g, WAIT_NMI); /* behind STGI an NMI may come, too */
}

static bool do_nothing(struct guest *g)
{
	(void)g;
	return true;
}

/* Passes the turn to the other thread of the core, if this exit is one that may; false: it is not.
 */
static bool pass_turn(struct guest *g)
{
	switch (g->vmcb->exit_code) {
	case EXIT_PAUSE:
		emulate(g, do_nothing);
		if (turns_on)
			hypercall_turned(g, turns_pause(g));
		else
			thread_paused(g);
		return true;
	case EXIT_HLT:
		if (!thread_halts())
			return false;
		emulate(g, do_nothing);
		thread_halted(g);
		return true;
	case EXIT_INTR:
	case EXIT_NMI:
		return thread_interrupted(g);
	default:
		return false;
	}
}

AT_EXIT static void msr_exit(struct guest *g, bool write)
{
	if (write)
		emulate_write(g, registers_wrmsr, silicon_writes_first(&silicon_cpu));
	else
		emulate(g, registers_rdmsr);
	stage_msr_exit(g, write);
	if (thread_started)
		thread_look(g);
}

static void write_debug(struct guest *g)
{
	unsigned number = (unsigned)(g->vmcb->exit_code - EXIT_WRITE_DR);

	if ((number == 4 || number == 5) && g->vmcb->cr4 & CR4_DE)
		vmm_raise(g, VECTOR_UD, 0);
	else
		emulate(g, registers_write_debug);
}

static bool is_svm_instruction(uint64_t code)
{
	return code == EXIT_INVLPGA || (code >= EXIT_VMRUN && code <= EXIT_SKINIT);
}

static void svm_instruction(struct guest *g)
{
	if (!nest_is_on() || g->vmcb->exit_code == EXIT_SKINIT)
		vmm_raise(g, VECTOR_UD, 0);
	else if (g->vmcb->exit_code != EXIT_VMRUN)
		emulate(g, nest_execute);
	else if (!nest_run(g, step_insn(g)))
		vmm_raise(g, VECTOR_GP, 0);
}

static void other_exit(struct guest *g)
{
	const struct vmcb *v = g->vmcb;

	if (v->exit_code >= EXIT_WRITE_DR && v->exit_code < EXIT_EXCEPTION) {
		write_debug(g);
		return;
	}
	if (is_svm_instruction(v->exit_code))
		svm_instruction(g);
	else if (!pass_turn(g) && !(g->stepping && step_exit(g)) && !(g->system && coast_exit(g)))
		panic("impossible exit %llx at %llx", (unsigned long long)v->exit_code,
		      (unsigned long long)v->rip);
}

AT_EXIT static void handle_exit(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	if (g->coasting)
		coast_pass(g);
	if (nest_is_on() && nest_exit(g))
		return;
	switch (v->exit_code) {
	case EXIT_CPUID:
		emulate(g, registers_cpuid);
		break;
	case EXIT_RDTSC:
		emulate(g, is_rdtscp(g) ? registers_rdtscp : registers_rdtsc);
		break;
	case EXIT_RDPMC:
		emulate(g, registers_rdpmc);
		break;
	case EXIT_MSR:
		msr_exit(g, v->exit_info_1 & 1);
		break;
	case EXIT_IOIO:
		if (!program_ends_by_port(g))
			emulate_write(g, pci_port, false);
		break;
	case EXIT_NPF:
		emulate_write(g, mmio_fault, false);
		break;
	case EXIT_VMMCALL:
		hypercall(g);
		break;
	case EXIT_SMI:
		let_smi_in(g);
		break;
	case EXIT_EXCEPTION + VECTOR_DB:
		if (g->stepping)
			step_exit(g);
		else
			debug_exception(g);
		break;
	case EXIT_EXCEPTION + VECTOR_UD:
		if (g->stepping)
			step_exit(g);
		else
			undefined_opcode(g);
		break;
	case EXIT_EXCEPTION + VECTOR_GP:
		general_protection(g);
		break;
	case EXIT_HLT:
		if (turns_on && hypercall_turned(g, turns_halt(g)))
			break;
		if (!processor_halts(g) && !program_halts(g))
			other_exit(g);
		break;
	case EXIT_SHUTDOWN:
		shut_down(g);
		break;
	default:
		other_exit(g);
	}
}

/* True: the instruction at RIP has exited, or is done. */
HOT static bool go_on_alone(struct guest *g)
{
	enum step step;

	if (g->stepping && (hold_is_on(g) || linger_is_over()))
		step_update(g);
	if (thread_started)
		thread_take_interrupt(g);
	step = g->stepping ? step_prepare(g) : step_ahead(g);
	if (step == STEP_EXIT)
		handle_exit(g);
	return step != STEP_ENTER;
}

HOT PAGED void vmm_loop(struct guest *g)
{
	bool watched, open;

	for (;;) {
		if (g->nest.due)
			nest_settle(g);
		if (go_on_alone(g))
			continue;
		if (thread_started)
			thread_prepare(g);
		if (processor_entered)
			processor_prepare(g);
		if (turns_on)
			turns_prepare(g);
		if (program_entered)
			program_prepare(g);
		if (g->system)
			g->vmcb->intercept |= INTERCEPT_HLT;
		watched = breakpoint_is_set(g);
		if (watched)
			breakpoint_enter(g);
		open = nest_is_on() && nest_prepare(g);
		vmm_enter((uint64_t)(uintptr_t)g->vmcb, open);
		if (watched)
			breakpoint_leave();
		step_bases_changed();
		g->vmcb->int_control &= ~INT_MASKING;
		nest_entered(g);
		if (g->stepping)
			step_leave(g);
		else
			guest_forget_pages();
		handle_exit(g);
	}
}
