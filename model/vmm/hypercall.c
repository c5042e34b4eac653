/* SPDX-License-Identifier: BSD-2-Clause */
/* What the firmware asks of the hypervisor: processors that start, change and run together. */
#include "vmm.h"

#include "model/vmm/apic/apic.h"
#include "model/vmm/nest/nest.h"
#include "model/vmm/step/step.h"

/* ---- a processor ---- */

static void update(struct guest *g, const struct silicon_setup *setup)
{
	pci_begin_log();
	extended_apic_reset(silicon_has_extended_apic(&silicon_cpu), !(setup->seed & 1));
	holes_update(g->vmcb);
	thread_reset(g, cpuid_has_two_threads(setup->profile));
}

static void power_on(struct guest *g, const struct silicon_setup *setup)
{
	struct boxes_config boxes = setup->boxes;

	silicon_reset(&silicon_cpu, setup->profile, setup->fault);
	silicon_seat(&silicon_cpu, &setup->seat);
	silicon_vary(&silicon_cpu, setup->seed);
	silicon_remember(&silicon_cpu, !setup->forgets);
	if (setup->lends_svm || (!setup->system && silicon_may_lend_svm(setup->profile)))
		silicon_lend_svm(&silicon_cpu);
	for (uint64_t left = setup->lawful; left; left &= left - 1)
		silicon_deviate(&silicon_cpu,
				lawful_number(setup->profile, (unsigned)__builtin_ctzll(left)));
	boxes.tsc = read_tsc();
	boxes.seed = setup->seed;
	boxes.missing = setup->stages & STAGE_NO_BOXES;
	silicon_configure_boxes(&silicon_cpu, &boxes);
	update(g, setup);
}

static void reset(struct guest *g, const struct silicon_setup *setup)
{
	g->single_step = setup->single_step;
	g->system = setup->system;
	g->hides_hypervisor = setup->hides_hypervisor;
	stage_end(g);
	time_start(g, setup->boxes.tsc_hz);
	pci_set_pm_timer(setup->pm_timer);
	frequency_start();
	step_tally = (struct step_tally){0};
	nest_reset(g);
	power_on(g, setup);
}

static void enter(struct guest *g, const struct processor_entry *entry)
{
	silicon_park(&silicon_cpu);
	power_on(g, entry->setup);
	silicon_join(&silicon_cpu);
	processor_enter(g, entry);
}

static void leave(struct guest *g, const struct silicon_setup *first)
{
	processor_leave(g);
	silicon_unpark(&silicon_cpu);
	update(g, first);
}

/* ---- others that run together ---- */

static const struct silicon_setup *together_first; /* the setup of the one that waits for them */

static void begin_together(struct guest *g, struct together *together)
{
	together_first = together->setup;
	silicon_meet(true);
	silicon_set_aside(&silicon_cpu, 0);
	silicon_park(&silicon_cpu);
	for (unsigned n = 1; n < together->count; n++) {
		if (!(together->start >> n & 1))
			continue;
		power_on(g, &together->setup[n]);
		silicon_join(&silicon_cpu);
		silicon_set_aside(&silicon_cpu, n);
	}
	silicon_unpark(&silicon_cpu);
	update(g, together_first);
	turns_begin(g, together);
}

static void end_one(struct guest *g)
{
	if (!turns_over(g))
		return;
	g->vmcb->intercept &= ~INTERCEPT_HLT;
	update(g, together_first);
}

bool hypercall_turned(struct guest *g, enum turns_result result)
{
	if (result == TURNS_LOST)
		end_one(g);
	return result != TURNS_NOTHING;
}

/* ---- the hypercalls ---- */

static bool do_hypercall(struct guest *g, uint64_t number, void *rbx)
{
	switch (number) {
	case HYPERCALL_RESET:
		reset(g, rbx);
		return true;
	case HYPERCALL_ENTER:
		enter(g, rbx);
		return true;
	case HYPERCALL_LEAVE:
		leave(g, rbx);
		return true;
	case HYPERCALL_STAGE:
		stage_begin(g, rbx);
		return true;
	case HYPERCALL_SNAPSHOT:
		stage_hold();
		silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
		snapshot_take(&silicon_cpu, rbx);
		return true;
	case HYPERCALL_DRAIN:
		apic_drain();
		return true;
	case HYPERCALL_PROGRAM: /* behind it */
		return true;
	default:
		return false;
	}
}

/* Behind it another one has its turn; false: it is none of these. */
static bool do_turn(struct guest *g, uint64_t number, void *rbx)
{
	bool begins = number == HYPERCALL_TOGETHER && !turns_on;

	if (!begins && !(number == HYPERCALL_OVER && turns_on))
		return false;
	g->vmcb->rip += step_insn(g)->length;
	if (begins)
		begin_together(g, rbx);
	else
		end_one(g);
	return true;
}

/* Hypercalls come from the firmware alone, which is 64-bit code. */
void hypercall(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint64_t number = v->rax;
	void *rbx = (void *)(uintptr_t)vmm_gpr[RBX];
	const struct insn *insn = step_insn(g);

	if (v->cpl == 0 && !program_entered && do_turn(g, number, rbx))
		return;
	if (v->cpl != 0 || program_entered || !do_hypercall(g, number, rbx)) {
		vmm_raise(g, VECTOR_UD, 0);
		return;
	}
	step_update(g);
	vmm_finish(g, insn);
	if (number == HYPERCALL_PROGRAM)
		program_enter(g, rbx);
}
