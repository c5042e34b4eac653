/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages, as far as the VMM itself brings them about while the program runs. */
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

/* Deep in the battery, and well apart. */
enum { NMI_EVERY = 2000 /* accesses to MSRs */, NMIS = 3 };
enum { SMI_PER_SECOND = 100 };

/* Counters run from the begin. */
#define RUNNING (STAGE_COUNTERS_RUNNING | STAGE_PMI_PENDING)

static struct {
	uint32_t stages;
	bool faulty;
	uint64_t firmware_idt;
	unsigned msr_exits, nmis;
} now;

/* Two bits an MSR: of reads, of writes. */
static void intercept(struct guest *g, unsigned bit, bool on)
{
	uint8_t *map = (uint8_t *)(uintptr_t)g->vmcb->msrpm_base;

	map[bit / 8] = (uint8_t)((map[bit / 8] & ~(1u << bit % 8)) | (unsigned)on << bit % 8);
}

/* Intercepts only where a stage needs it: the program reads IA32_APIC_BASE often. */
static void stage_apic(struct guest *g, uint32_t stages)
{
	bool x2apic = stages & STAGE_X2APIC;

	apic_stages = stages & (STAGE_APIC_DISABLED | STAGE_X2APIC);
	intercept(g, 2 * MSR_APIC_BASE, apic_stages || g->system);
	intercept(g, 2 * MSR_APIC_BASE + 1, g->system);
	for (unsigned msr = MSR_X2APIC_FIRST; msr <= MSR_X2APIC_LAST; msr++) {
		intercept(g, 2 * msr, x2apic);
		intercept(g, 2 * msr + 1, x2apic);
	}
}

void stage_begin(struct guest *g, const struct silicon_setup *setup)
{
	now.stages = setup->stages;
	now.faulty = setup->fault;
	now.firmware_idt = g->vmcb->idtr.base;
	stage_apic(g, now.stages);
	now.msr_exits = now.nmis = x2apic_accesses = 0;
	smi_stage(now.stages & STAGE_SMI ? setup->boxes.tsc_hz / SMI_PER_SECOND : 0, setup->seed);
	if (now.stages & RUNNING)
		stage_counters(&silicon_cpu, setup->profile, now.stages & STAGE_PMI_PENDING);
}

void stage_end(struct guest *g)
{
	now.stages = 0;
	hold_firmware(0, false);
	smi_stage(0, 0);
	stage_apic(g, 0);
}

void stage_hold(void)
{
	if (now.stages & RUNNING || now.faulty)
		hold_firmware(now.firmware_idt, now.stages & RUNNING);
}

/* No NMI while the firmware has the machine: its handler would end it. */
AT_EXIT void stage_msr_exit(struct guest *g, bool write)
{
	if (hold_accessed(write))
		step_update(g);
	if (!(now.stages & STAGE_NMI) || now.nmis == NMIS ||
	    g->vmcb->idtr.base == now.firmware_idt || ++now.msr_exits % NMI_EVERY)
		return;
	now.nmis++;
	apic_send_message((uint32_t)field_put(LVT_MODE, MODE_NMI));
}
