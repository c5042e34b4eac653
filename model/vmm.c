/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the hypervisor: run the guest, do for it what it must not do itself. */
#include "vmm.h"
#include "io.h"
#include "profiles.h"
#include "snapshot.h"
#include "vmm_thread.h"

#define EFER_LMA           BIT(10)
#define EFER_WRITABLE      (BIT(0) | BIT(8) | BIT(11) | BIT(14)) /* SCE LME NXE FFXSR */
#define CR4_OSXSAVE        BIT(18)
#define LEAF1_OSXSAVE      (uint32_t) BIT(27)
#define LEAF1_APIC_ID      FIELD(31, 24) /* that of the machine's one CPU is 0 */
#define LEAF1_APIC         (uint32_t) BIT(9)
#define LEAF1_X2APIC       (uint32_t) BIT(21)
#define APIC_BASE_EXTD     BIT(10)
#define APIC_BASE_ENABLE   BIT(11)

#define EXIT_INT_TYPE      FIELD(10, 8)
#define EXIT_INT_VECTOR    FIELD(7, 0)
#define EXIT_INT_EXCEPTION 3

static void decode(const struct guest *g, struct insn *insn, const uint8_t **code)
{
	const struct insn *loaded = step_loaded(g, code);
	unsigned available;

	if (loaded) {
		*insn = *loaded;
		return;
	}
	if (!g->stepping)
		guest_forget_pages();
	*code = guest_code(g, g->vmcb->rip, &available);
	insn_decode(*code, available, insn);
}

/* ---- faults and traps ---- */

static void inject(struct guest *g, unsigned vector, uint32_t error)
{
	g->vmcb->event_inject = EVENT_VALID | EVENT_EXCEPTION | vector |
				(vector_has_error(vector) ? EVENT_HAS_ERROR : 0);
	g->vmcb->event_error = error;
}

void vmm_raise(struct guest *g, unsigned vector, uint32_t error)
{
	if (g->stepping)
		step_raise(g, vector, error);
	else
		inject(g, vector, error);
}

/* The instruction at RIP, which the VMM has executed, ends: with the trap, if the guest steps. */
static void finish(struct guest *g, const struct insn *insn)
{
	struct vmcb *v = g->vmcb;

	v->rip += insn->length;
	if (g->stepping) {
		step_settle(g);
	} else if (v->rflags & RFLAGS_TF) {
		v->dr6 |= DR6_BS;
		inject(g, VECTOR_DB, 0);
	}
}

/* ---- the instructions ---- */

static void set_pair(struct guest *g, uint64_t value)
{
	g->vmcb->rax = (uint32_t)value;
	vmm_gpr[RDX] = value >> 32;
}

static bool do_cpuid(struct guest *g)
{
	uint32_t leaf = (uint32_t)g->vmcb->rax, subleaf = (uint32_t)vmm_gpr[RCX];
	uint32_t r[4];

	cpu_id(leaf, subleaf, r);
	if (leaf == 1) { /* this bit mirrors CR4, and CR4 was the VMM's */
		r[2] &= ~LEAF1_OSXSAVE;
		if (g->vmcb->cr4 & CR4_OSXSAVE)
			r[2] |= LEAF1_OSXSAVE;
	}
	silicon_cpuid(&silicon_cpu, leaf, subleaf, r);
	if (leaf == 1)
		r[1] |= (uint32_t)field_put(LEAF1_APIC_ID, thread_now());
	if (leaf == 1 && stage_apic_disabled())
		r[3] &= ~LEAF1_APIC;
	if (leaf == 1 && x2apic_staged())
		r[2] |= LEAF1_X2APIC;
	g->vmcb->rax = r[0];
	vmm_gpr[RBX] = r[1];
	vmm_gpr[RCX] = r[2];
	vmm_gpr[RDX] = r[3];
	return true;
}

static bool is_svm_msr(uint32_t msr)
{
	return msr >= MSR_VM_CR && msr <= MSR_VM_HSAVE_PA;
}

static void check_foreign(const struct guest *g, uint32_t msr, enum access access)
{
	if (access != ACCESS_NOT_MINE && !silicon_is_own_pmu(&silicon_cpu))
		panic("MSR %x of the second thread, which is not modelled", msr);
	if (access != ACCESS_DONE && silicon_is_foreign_msr(&silicon_cpu, msr))
		log_foreign("to MSR", msr, g->vmcb->rip);
}

static bool do_rdmsr(struct guest *g)
{
	uint32_t msr = (uint32_t)vmm_gpr[RCX];
	uint64_t value = 0;
	enum access access;

	silicon_set_tsc(&silicon_cpu, read_tsc());
	access = silicon_rdmsr(&silicon_cpu, msr, &value);
	check_foreign(g, msr, access);
	if (access == ACCESS_NOT_MINE)
		access = x2apic_rdmsr(msr, &value);
	if (msr == MSR_EFER)
		value = (g->vmcb->efer & ~(EFER_SVME | EFER_SCE)) | g->efer_sce;
	else if (access == ACCESS_GP || is_svm_msr(msr))
		return false;
	else if (access == ACCESS_NOT_MINE && msr_read(msr, &value) >= 0)
		return false;
	if (msr == MSR_APIC_BASE && stage_apic_disabled())
		value &= ~APIC_BASE_ENABLE;
	if (msr == MSR_APIC_BASE && x2apic_staged())
		value |= APIC_BASE_EXTD;
	set_pair(g, value);
	return true;
}

static bool write_efer(struct guest *g, uint64_t value)
{
	struct vmcb *v = g->vmcb;

	if (value & ~(EFER_WRITABLE | EFER_LMA))
		return false;
	guest_forget_pages();
	g->efer_sce = value & EFER_SCE;
	v->efer = (value & EFER_WRITABLE & ~EFER_SCE) | EFER_SVME | (v->efer & EFER_LMA);
	if (!g->stepping)
		v->efer |= g->efer_sce;
	return true;
}

static bool do_wrmsr(struct guest *g)
{
	uint32_t msr = (uint32_t)vmm_gpr[RCX];
	uint64_t value = vmm_gpr[RDX] << 32 | (uint32_t)g->vmcb->rax;
	enum access access;

	if (msr == MSR_EFER)
		return write_efer(g, value);
	if (is_svm_msr(msr))
		return false;
	silicon_set_tsc(&silicon_cpu, read_tsc());
	access = silicon_wrmsr(&silicon_cpu, msr, value);
	check_foreign(g, msr, access);
	if (access == ACCESS_NOT_MINE)
		access = x2apic_wrmsr(msr, value);
	if (access == ACCESS_NOT_MINE)
		return msr_write(msr, value) < 0;
	return access == ACCESS_DONE;
}

static bool do_rdpmc(struct guest *g)
{
	uint64_t value;
	struct vmcb *v = g->vmcb;

	if (silicon_rdpmc(&silicon_cpu, (uint32_t)vmm_gpr[RCX], v->cpl, v->cr4 & CR4_PCE, &value) !=
	    ACCESS_DONE)
		return false;
	set_pair(g, value);
	return true;
}

static bool do_rdtsc(struct guest *g)
{
	set_pair(g, tsc_read(g));
	return true;
}

/* ---- the exits ---- */

/* What reads state shows it as before its own retirement. */
static void emulate(struct guest *g, bool (*instruction)(struct guest *))
{
	const uint8_t *code;
	struct insn insn;

	decode(g, &insn, &code);
	if (!instruction(g)) {
		vmm_raise(g, VECTOR_GP, 0);
		return;
	}
	if (g->stepping)
		step_count(g);
	finish(g, &insn);
}

/* An access to configuration space may begin or end the stepping. */
static void emulate_config(struct guest *g, void (*access)(struct guest *))
{
	const uint8_t *code;
	struct insn insn;

	decode(g, &insn, &code);
	if (g->stepping)
		step_count(g);
	access(g);
	step_update(g);
	finish(g, &insn);
}

/* WRMSR takes effect when it retires, and then the write that enables a counter is not counted by
 * it, the one that disables it is; or before, and then it is the other way round. */
static void emulate_wrmsr(struct guest *g)
{
	bool first = silicon_writes_first(&silicon_cpu);
	const uint8_t *code;
	struct insn insn;

	decode(g, &insn, &code);
	if (g->stepping && !first)
		step_count(g);
	if (!do_wrmsr(g)) {
		vmm_raise(g, VECTOR_GP, 0);
		return;
	}
	step_update(g);
	if (g->stepping && first)
		silicon_retire(&silicon_cpu, &insn, g->vmcb->cpl, false,
			       g->vmcb->rflags & RFLAGS_IF);
	finish(g, &insn);
}

static void reset(struct guest *g, const struct silicon_setup *setup)
{
	struct uncore_config uncore = setup->uncore;

	stage_end(g);
	tsc_stop(g);
	silicon_reset(&silicon_cpu, setup->profile, setup->fault);
	silicon_vary(&silicon_cpu, setup->seed);
	uncore.tsc = read_tsc();
	silicon_configure_uncore(&silicon_cpu, &uncore);
	g->single_step = setup->single_step;
	step_tally = (struct step_tally){0};
	pci_update(g->vmcb);
	thread_reset(g, profile_has_two_threads(setup->profile));
}

static bool do_hypercall(struct guest *g, uint64_t number, void *rbx)
{
	switch (number) {
	case HYPERCALL_RESET:
		reset(g, rbx);
		return true;
	case HYPERCALL_STAGE:
		stage_begin(g, rbx);
		return true;
	case HYPERCALL_SNAPSHOT:
		stage_hold();
		silicon_set_tsc(&silicon_cpu, read_tsc());
		snapshot_take(&silicon_cpu, rbx);
		return true;
	case HYPERCALL_DRAIN:
		apic_drain();
		return true;
	default:
		return false;
	}
}

static void hypercall(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	const uint8_t *code;
	struct insn insn;

	decode(g, &insn, &code);
	if (v->cpl != 0 || !do_hypercall(g, v->rax, (void *)(uintptr_t)vmm_gpr[RBX])) {
		vmm_raise(g, VECTOR_UD, 0);
		return;
	}
	step_update(g);
	finish(g, &insn);
}

/* The processor refuses RDPMC before it exits, but the modelled one may not: a fault of it. */
static bool was_rdpmc(struct guest *g, struct insn *insn)
{
	const uint8_t *code;

	decode(g, insn, &code);
	return insn->length >= 2 && code[insn->length - 2] == 0x0f &&
	       code[insn->length - 1] == 0x33;
}

static void general_protection(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	struct insn insn;

	if (was_rdpmc(g, &insn) && do_rdpmc(g)) {
		if (g->stepping)
			step_count(g);
		finish(g, &insn);
		return;
	}
	/* On the way to another handler: its delivery is void, and this is a double fault. */
	if (v->exit_int_info & EVENT_VALID &&
	    field_get(EXIT_INT_TYPE, v->exit_int_info) == EXIT_INT_EXCEPTION) {
		if (field_get(EXIT_INT_VECTOR, v->exit_int_info) == VECTOR_DF)
			panic("the guest shut down: triple fault at %llx",
			      (unsigned long long)v->rip);
		vmm_raise(g, VECTOR_DF, 0);
		return;
	}
	vmm_raise(g, VECTOR_GP, (uint32_t)v->exit_info_1);
}

static bool do_nothing(struct guest *g)
{
	(void)g;
	return true;
}

/* What may pass the turn to the other thread of the core; false: it has no part in this exit. */
static bool pass_turn(struct guest *g)
{
	switch (g->vmcb->exit_code) {
	case EXIT_PAUSE:
		emulate(g, do_nothing);
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

void vmm_handle_exit(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	switch (v->exit_code) {
	case EXIT_CPUID:
		emulate(g, do_cpuid);
		break;
	case EXIT_RDTSC:
		emulate(g, do_rdtsc);
		break;
	case EXIT_RDPMC:
		emulate(g, do_rdpmc);
		break;
	case EXIT_MSR:
		if (v->exit_info_1 & 1)
			emulate_wrmsr(g);
		else
			emulate(g, do_rdmsr);
		stage_msr_exit(g);
		if (thread_started)
			thread_look(g);
		break;
	case EXIT_IOIO:
		emulate_config(g, do_port);
		break;
	case EXIT_NPF:
		emulate_config(g, do_nested_fault);
		break;
	case EXIT_VMMCALL:
		hypercall(g);
		break;
	case EXIT_EXCEPTION + VECTOR_GP:
		general_protection(g);
		break;
	case EXIT_SHUTDOWN:
		panic("the guest shut down: triple fault at %llx", (unsigned long long)v->rip);
	default:
		if (v->exit_code == EXIT_INVLPGA ||
		    (v->exit_code >= EXIT_VMRUN && v->exit_code <= EXIT_SKINIT))
			vmm_raise(g, VECTOR_UD, 0);
		else if (!pass_turn(g) && (!g->stepping || !step_exit(g)))
			panic("impossible exit %llx at %llx", (unsigned long long)v->exit_code,
			      (unsigned long long)v->rip);
	}
}

void vmm_loop(struct guest *g)
{
	for (;;) {
		if (g->stepping && stage_holds(g))
			step_update(g);
		if (thread_started)
			thread_take_interrupt(g);
		if (g->stepping ? !step_prepare(g) : step_ahead(g))
			continue;
		if (thread_started)
			thread_prepare(g);
		vmm_enter((uint64_t)(uintptr_t)g->vmcb);
		g->vmcb->int_control &= ~INT_MASKING;
		if (g->stepping)
			step_leave(g);
		vmm_handle_exit(g);
	}
}

void vmm_host_exception(unsigned vector, const uint64_t *frame)
{
	unsigned has_error = vector_has_error(vector);

	panic("exception %u in the VMM at %llx", vector, (unsigned long long)frame[has_error]);
}
