/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operating system whose enabled counters go on by the same in each clock is not stepped
 * through: its NMI watchdog has a counter run all the time.  The system runs by itself, and a clock
 * is a tick of the machine's TSC in which it does not halt; where a counter counts ticks of the
 * TSC, its tick is one.  An overflow is seen at the next exit: each interrupt is one, and so it
 * comes no later than the system's own ticks.
 *
 * The interrupt of an overflow is delivered by hand.  As an event to inject (EVENTINJ) QEMU, from
 * 7.2 to 11, delivers it and lets it stand as an exception under way, since helper_vmrun() leaves
 * exception_index set: if its processor is interrupted before the next exception or exit, it comes
 * again, wherever the guest is by then.
 */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

#define COAST_INTERCEPTS (INTERCEPT_INTR | INTERCEPT_HLT)

static uint64_t since; /* machine's TSC, up to which clocks are counted */

/* What a host counts of its guest alone is counted as exactly as the guest's own counts are. */
bool coast_is_possible(const struct guest *g)
{
	return g->system && !g->single_step &&
	       !(g->nest.inside && silicon_counts_guests(&silicon_cpu)) &&
	       silicon_is_steady(&silicon_cpu);
}

void coast_update(struct guest *g, bool on)
{
	if (on == g->coasting)
		return;
	g->coasting = on;
	since = read_tsc();
	if (on)
		g->vmcb->intercept |= COAST_INTERCEPTS;
	else
		g->vmcb->intercept &= ~COAST_INTERCEPTS;
}

AT_EXIT void coast_pass(struct guest *g)
{
	uint64_t now = read_tsc();

	if (silicon_counts_tsc(&silicon_cpu))
		silicon_pass_ticks(&silicon_cpu, now - since, g->vmcb->cpl);
	else
		silicon_pass(&silicon_cpu, now - since, g->vmcb->cpl);
	since = now;
	silicon_flush(&silicon_cpu);
	apic_touched = true;
	step_raise_due(g);
}

/* Halts the guest; no clock passes meanwhile. */
static void halt(struct guest *g)
{
	uint64_t began = read_tsc();

	g->vmcb->rip += step_insn(g)->length;
	step_interrupt(g, WAIT_HALTED | (g->vmcb->rflags & RFLAGS_IF ? WAIT_INTR : WAIT_NMI));
	since = read_tsc();
	frequency_halted(since - began);
}

bool coast_exit(struct guest *g)
{
	uint64_t code = g->vmcb->exit_code;

	if (code != EXIT_INTR && code != EXIT_HLT)
		return false;
	/* An overflow may have started or stopped a counter. */
	step_update(g);
	if (g->stepping) {
		step_insn(g);
		return step_exit(g);
	}
	if (code == EXIT_HLT)
		halt(g);
	else if (g->coasting)
		step_interrupt(g, WAIT_INTR);
	return true;
}
