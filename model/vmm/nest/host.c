/* SPDX-License-Identifier: BSD-2-Clause */
/* What the host has of AMD-V besides VMRUN: its registers and instructions. */
#include "model/vmm/step/step.h"
#include "state.h"

#define VM_CR 0x00u /* nothing is disabled, nothing locked */
enum { PAGE = 4096 };

struct nest nest;

void nest_reset(struct guest *g)
{
	nest.on = false;
	nest.save_area = 0;
	g->nest = (struct inner){0};
}

bool nest_is_on(void)
{
	return nest.on;
}

void nest_turn(struct guest *g, bool on)
{
	if (on == nest.on)
		return;
	nest.on = on;
	silicon_enter_world(&silicon_cpu, on ? WORLD_HOST : WORLD_WITHOUT_SVM);
	step_update(g);
}

bool nest_rdmsr(uint32_t msr, uint64_t *value)
{
	*value = nest.save_area;
	return silicon_lends_svm(&silicon_cpu) && msr == MSR_VM_HSAVE_PA;
}

bool nest_wrmsr(uint32_t msr, uint64_t value)
{
	if (msr == MSR_VM_HSAVE_PA)
		nest.save_area = value;
	return silicon_lends_svm(&silicon_cpu) && ((msr == MSR_VM_CR && value == VM_CR) ||
						   (msr == MSR_VM_HSAVE_PA && !(value % PAGE)));
}

/* ---- instructions ---- */

static void set_gif(struct guest *g, bool on)
{
	g->nest.deaf = !on;
	g->nest.due |= g->nest.nmi;
	g->look = true;
	if (on && !g->stepping)
		g->vmcb->intercept &= ~INTERCEPT_NMI;
}

bool nest_execute(struct guest *g)
{
	struct vmcb *v = g->vmcb;

	if (v->cpl)
		return false;
	switch (v->exit_code) {
	case EXIT_VMLOAD:
		extra_load(v->rax);
		step_bases_changed();
		break;
	case EXIT_VMSAVE:
		extra_save(v->rax);
		break;
	case EXIT_INVLPGA:
		invlpga(v->rax, (uint32_t)vmm_gpr[RCX]);
		guest_forget_pages();
		break;
	default:
		set_gif(g, v->exit_code == EXIT_STGI);
	}
	return true;
}
