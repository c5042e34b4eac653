/* SPDX-License-Identifier: BSD-2-Clause */
/* VMRUN and #VMEXIT. */
#include "kernel/lib/string.h"
#include "model/vmm/step/step.h"
#include "state.h"

#define DR7_EXIT        UINT64_C(0x400)
#define INTERCEPT_VMRUN (uint32_t) BIT(0)
#define INTERCEPT_CR8   (uint16_t) BIT(8)
enum { INNER_ASID = 4, PAGE = 4096 };

/* The inner guest runs by a VMCB of the VMM's own. */
static struct {
	struct vmcb vmcb;
	uint8_t msrs[MSR_MAP], ports[PORT_MAP];
} inner __attribute__((aligned(PAGE)));

/* ---- from one world to the other ---- */

static void change(struct guest *g, struct vmcb *to, enum world world)
{
	step_suspend(g);
	silicon_enter_world(&silicon_cpu, world);
	g->vmcb = to;
	g->nest.inside = world == WORLD_GUEST;
	g->nest.deaf = !g->nest.inside;
	g->nest.exceptions = g->nest.inside ? nest.theirs->intercept_exceptions : 0;
	g->nest.by_step = g->nest.inside && wants_plain_instructions(nest.theirs);
	g->size = guest_code_size(g);
	guest_forget_pages();
	step_restart(g);
}

/* The VMM's controls are those that it has of the host; merge_intercepts() adds the host's own. */
static void make_controls(struct vmcb *v, const struct vmcb *outer, const struct vmcb *theirs)
{
	memcpy(v, outer, offsetof(struct vmcb, es));
	memcpy(&v->es, &theirs->es, sizeof(*v) - offsetof(struct vmcb, es));
	merge_map(inner.msrs, (const uint8_t *)(uintptr_t)outer->msrpm_base,
		  (const uint8_t *)(uintptr_t)theirs->msrpm_base, MSR_MAP);
	merge_map(inner.ports, (const uint8_t *)(uintptr_t)outer->iopm_base,
		  (const uint8_t *)(uintptr_t)theirs->iopm_base, PORT_MAP);
	v->msrpm_base = (uint64_t)(uintptr_t)inner.msrs;
	v->iopm_base = (uint64_t)(uintptr_t)inner.ports;
	v->intercept |= INTERCEPT_VINTR;
	v->intercept_cr_write |= INTERCEPT_CR8;
	v->tsc_offset += theirs->tsc_offset;
	v->asid = INNER_ASID;
	v->tlb_control = theirs->tlb_control;
	v->int_control = theirs->int_control;
	v->int_state = theirs->int_state;
	v->exit_code = 0;
	v->event_inject = 0;
	v->nested_control = 0;
}

/* #VMEXIT: the host goes on behind VMRUN, with GIF clear.  To its counters that is an exception:
 * what changes the world counts in the one that it leads to (AMD, 2023). */
void nest_leave(struct guest *g)
{
	struct vmcb *v = g->vmcb, *to = nest.theirs, *outer = nest.outer;

	memcpy(&to->es, &v->es, sizeof(*v) - offsetof(struct vmcb, es));
	to->int_control = v->int_control;
	to->int_state = v->int_state;
	to->exit_code = v->exit_code;
	to->exit_info_1 = v->exit_info_1;
	to->exit_info_2 = v->exit_info_2;
	to->exit_int_info = v->exit_int_info;
	to->exit_int_error = v->exit_int_error;
	to->event_inject = 0;
	change(g, outer, WORLD_HOST);
	outer->tsc_offset = v->tsc_offset - to->tsc_offset;
	g->nest.ahead = 0;
	outer->dr7 = DR7_EXIT;
	step_update(g);
	if (g->stepping)
		silicon_delivered(&silicon_cpu, DELIVERY_EXCEPTION, 0);
}

void nest_leave_with(struct guest *g, uint64_t code, uint64_t info_1, uint64_t info_2)
{
	struct vmcb *v = g->vmcb;

	v->exit_code = code;
	v->exit_info_1 = info_1;
	v->exit_info_2 = info_2;
	nest_leave(g);
}

/* ---- VMRUN ---- */

/* The processor's own delivery would show the trap flag that the guest is stepped through by, and
 * QEMU's may come twice (coast.c).  Left to it is what no counter runs through: virtual-8086 mode
 * and segments that are not flat. */
static void inject(struct guest *g, uint32_t event)
{
	static const enum delivery causes[8] = {
		[3] = DELIVERY_EXCEPTION,
		[4] = DELIVERY_SOFTWARE,
	};
	struct vmcb *v = g->vmcb;
	unsigned type = (unsigned)field_get(EVENT_TYPE, event);
	unsigned vector = type == 2 ? VECTOR_NMI : (unsigned)field_get(EVENT_VECTOR, event);

	if (!deliver_is_possible(g)) {
		v->event_inject = event;
		v->event_error = nest.theirs->event_error;
		return;
	}
	nest.event = event;
	g->nest.exceptions = 0; /* what is injected does not exit */
	deliver(g, vector, nest.theirs->event_error, causes[type]);
	g->nest.exceptions = nest.theirs->intercept_exceptions;
}

/* It retires in the guest, at the level that it enters, as IRET does: it counts where it leads to
 * (AMD, 2023). */
static void count_run(const struct guest *g, const struct insn *insn)
{
	struct insn run = *insn;

	run.class = INSN_FAR;
	silicon_retire(&silicon_cpu, &run, g->vmcb->cpl, true, g->vmcb->rflags & RFLAGS_IF);
}

static void enter(struct guest *g, const struct insn *insn)
{
	struct vmcb *v = &inner.vmcb;

	make_controls(v, nest.outer, nest.theirs);
	change(g, v, WORLD_GUEST);
	g->nest.ahead = nest.theirs->tsc_offset;
	v->cpl = v->cr0 & CR0_PE ? (uint8_t)field_get(SEGMENT_DPL, v->ss.attributes) : 0;
	step_update(g);
	if (g->stepping)
		count_run(g, insn);
	nest.event = 0;
	if (!(nest.theirs->intercept_svm & INTERCEPT_VMRUN) || !nest.theirs->asid)
		nest_leave_with(g, EXIT_INVALID, 0, 0);
	else if (nest.theirs->event_inject & EVENT_VALID)
		inject(g, nest.theirs->event_inject);
	g->nest.due |= g->nest.nmi;
}

bool nest_run(struct guest *g, const struct insn *insn)
{
	struct vmcb *v = g->vmcb;

	if (v->cpl || v->rax % PAGE)
		return false;
	step_suspend(g);
	v->rip += insn->length;
	v->rflags &= ~RFLAGS_RF;
	v->int_state = 0;
	nest.outer = v;
	nest.theirs = (struct vmcb *)(uintptr_t)v->rax;
	enter(g, insn);
	return true;
}
