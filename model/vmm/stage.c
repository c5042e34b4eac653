/* SPDX-License-Identifier: BSD-2-Clause */
/* What the VMM itself does for a stage, while the program runs. */
#include "io.h"
#include "model/cpu/cpu.h"
#include "vmm.h"

/* Deep in the battery, and well apart. */
enum { NMI_EVERY = 2000 /* accesses to MSRs */, NMIS = 3 };
/* Instructions after which counters that nobody has touched stand still until the next access: a
 * screen that scrolls while each instruction is stepped through takes minutes. */
enum { STRETCH = 20000 };
enum { SMI_EVERY = 20000 /* instructions counted, on average */, SMI_PER_SECOND = 100 };

static struct {
	uint32_t stages;
	uint64_t firmware_idt;
	bool held; /* its code is not stepped through */
	uint64_t tsc_hz;
	unsigned stretch; /* instructions counted since the last access to an MSR */
	bool forgotten; /* too many, while every counter is enabled */
	unsigned msr_exits, nmis;
	unsigned until_smi;
	uint32_t random;
} now;

static unsigned draw(unsigned limit)
{
	now.random = now.random * 1664525u + 1013904223u;
	return (now.random >> 8) % limit;
}

static void forget_stretch(void)
{
	now.stretch = 0;
	now.forgotten = false;
}

/* Two bits an MSR: of reads, of writes. */
static void intercept(struct guest *g, unsigned bit, bool on)
{
	uint8_t *map = (uint8_t *)(uintptr_t)g->vmcb->msrpm_base;

	map[bit / 8] = (uint8_t)((map[bit / 8] & ~(1u << bit % 8)) | (unsigned)on << bit % 8);
}

/* Only where it must: the program reads IA32_APIC_BASE often. */
static void stage_apic(struct guest *g, uint32_t stages)
{
	bool x2apic = stages & STAGE_X2APIC;

	intercept(g, 2 * MSR_APIC_BASE, stages & (STAGE_APIC_DISABLED | STAGE_X2APIC));
	for (unsigned msr = MSR_X2APIC_FIRST; msr <= MSR_X2APIC_LAST; msr++) {
		intercept(g, 2 * msr, x2apic);
		intercept(g, 2 * msr + 1, x2apic);
	}
	x2apic_stage(x2apic);
}

void stage_begin(struct guest *g, const struct silicon_setup *setup)
{
	now.stages = setup->stages;
	now.firmware_idt = g->vmcb->idtr.base;
	now.tsc_hz = setup->boxes.tsc_hz;
	stage_apic(g, now.stages);
	now.msr_exits = now.nmis = 0;
	now.random = setup->seed;
	now.until_smi = 1 + draw(2 * SMI_EVERY);
	if (now.stages & (STAGE_COUNTERS_RUNNING | STAGE_PMI_PENDING))
		stage_counters(&silicon_cpu, setup->profile, now.stages & STAGE_PMI_PENDING);
}

void stage_end(struct guest *g)
{
	now.stages = 0;
	now.held = false;
	forget_stretch();
	stage_apic(g, 0);
}

void stage_hold(void)
{
	now.held = true;
}

bool stage_holds(const struct guest *g)
{
	return now.held && (g->vmcb->idtr.base == now.firmware_idt || now.forgotten);
}

bool stage_apic_disabled(void)
{
	return now.stages & STAGE_APIC_DISABLED;
}

/* Firmware's handler would end the machine: it wants none that it did not ask for. */
void stage_msr_exit(struct guest *g)
{
	forget_stretch();
	if (now.held)
		step_update(g);
	if (!(now.stages & STAGE_NMI) || now.nmis == NMIS ||
	    g->vmcb->idtr.base == now.firmware_idt || ++now.msr_exits % NMI_EVERY)
		return;
	now.nmis++;
	apic_send_nmi();
}

void stage_retired(void)
{
	uint64_t began, stall = now.tsc_hz / SMI_PER_SECOND;

	if (++now.stretch == STRETCH)
		now.forgotten = silicon_all_count(&silicon_cpu);
	if (!(now.stages & STAGE_SMI) || --now.until_smi)
		return;
	now.until_smi = 1 + draw(2 * SMI_EVERY);
	for (began = read_tsc(); read_tsc() - began < stall;)
		;
	silicon_smi(&silicon_cpu);
}
