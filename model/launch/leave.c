/* SPDX-License-Identifier: BSD-2-Clause */
/* State that firmware may leave to a program, and whether the program leaves it as it was. */
#include "launch.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/cpu/cpu.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/vmm.h"

/* Holds back every interrupt but the PIC's, which firmware needs. */
#define TPR_ALL  0xf0u
#define ICR_SELF (uint32_t) BIT(18)

/* Interrupts that the program lets pass, or holds back, while it has the machine. */
enum { VECTOR_PMI = 0xe8, VECTOR_HIGH = 0xf5, VECTOR_LOW = 0x35 };
enum { SPINS = 1000000 };

static struct snapshot pmu_before LARGE, pmu_after LARGE;
static struct machine_state before, after;
static uint32_t tpr, svr, lvt_pc; /* of the firmware */
static unsigned run_number;

uint64_t launch_interrupts_off(void)
{
	uint64_t flags;

	__asm__ volatile("pushfq\npop %0\ncli" : "=r"(flags) : : "memory");
	return flags;
}

void launch_interrupts_restore(uint64_t flags)
{
	if (flags & RFLAGS_IF)
		__asm__ volatile("sti" : : : "memory");
}

static bool is_pending(unsigned vector)
{
	return apic_read(APIC_IRR + vector / 32 * 16) >> vector % 32 & 1;
}

static void self_ipi(unsigned vector)
{
	apic_write(APIC_ICR, ICR_SELF | vector);
}

/* The counters run already. */
static void await_pmi(void)
{
	for (unsigned i = 0; i < SPINS && !is_pending(VECTOR_PMI); i++)
		;
	if (!is_pending(VECTOR_PMI))
		serial_print("silicon: error: no interrupt of the counter that overflowed\n");
}

static void set_stage(const struct silicon_setup *setup)
{
	if (setup->stages & (STAGE_PMI_PENDING | STAGE_INTERRUPTS_PENDING))
		apic_write(APIC_TPR, TPR_ALL);
	if (setup->stages & STAGE_PMI_PENDING)
		apic_write(APIC_LVT_PC, VECTOR_PMI);
	if (setup->stages & STAGE_INTERRUPTS_PENDING) {
		self_ipi(VECTOR_HIGH);
		self_ipi(VECTOR_LOW);
	}
	if (setup->stages & (STAGE_APIC_SOFT_DISABLED | STAGE_APIC_DISABLED))
		apic_write(APIC_SVR, svr & ~APIC_SOFTWARE_ENABLE);
	vmm_hypercall(HYPERCALL_STAGE, setup);
	if (setup->stages & STAGE_PMI_PENDING)
		await_pmi();
}

void launch_enter_stage(const struct silicon_setup *setup)
{
	uint64_t flags = launch_interrupts_off();

	tpr = apic_read(APIC_TPR);
	svr = apic_read(APIC_SVR);
	lvt_pc = apic_read(APIC_LVT_PC);
	set_stage(setup);
	state_take(&before);
	vmm_hypercall(HYPERCALL_SNAPSHOT, &pmu_before);
	launch_interrupts_restore(flags);
}

/* ---- afterwards ---- */

static void report(const char *where, uint64_t old, uint64_t new, void *arg)
{
	(void)arg;
	serial_print("silicon: run %u left %s changed: %llx -> %llx\n", run_number, where,
		     (unsigned long long)old, (unsigned long long)new);
}

/* A null task register cannot be loaded back. */
static bool may_change(unsigned i)
{
	return before.entry[i].value == 0 && !memcmp(before.entry[i].name, "tr", sizeof("tr"));
}

static void compare_machine(void)
{
	for (unsigned i = 0; i < before.count; i++)
		if (before.entry[i].value != after.entry[i].value && !may_change(i))
			report(before.entry[i].name, before.entry[i].value, after.entry[i].value,
			       NULL);
}

/* Drops interrupts that still wait: the firmware has no handler for them. */
static void end_stage(const struct silicon_setup *setup)
{
	uint8_t mask_1 = inb(PIC_MASK_1), mask_2 = inb(PIC_MASK_2);

	vmm_hypercall(HYPERCALL_RESET, setup);
	apic_write(APIC_LVT_PC, lvt_pc);
	apic_write(APIC_SVR, svr);
	apic_write(APIC_TPR, 0);
	outb(PIC_MASK_1, 0xff);
	outb(PIC_MASK_2, 0xff);
	if (setup->stages & (STAGE_PMI_PENDING | STAGE_INTERRUPTS_PENDING))
		vmm_hypercall(HYPERCALL_DRAIN, NULL);
	outb(PIC_MASK_1, mask_1);
	outb(PIC_MASK_2, mask_2);
	apic_write(APIC_TPR, tpr);
}

void launch_leave_stage(const struct silicon_setup *setup, unsigned run)
{
	uint64_t flags = launch_interrupts_off();

	run_number = run;
	vmm_hypercall(HYPERCALL_SNAPSHOT, &pmu_after);
	state_take(&after);
	snapshot_compare(&pmu_before, &pmu_after, report, NULL);
	compare_machine();
	end_stage(setup);
	launch_interrupts_restore(flags);
}
