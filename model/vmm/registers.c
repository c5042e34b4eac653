/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that read or write registers of the processor, as the modelled one has them. */
#include "model/vmm/apic/apic.h"
#include "model/vmm/nest/nest.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

#define EFER_WRITABLE    (BIT(0) | BIT(8) | BIT(11) | BIT(14)) /* SCE LME NXE FFXSR */
#define CR4_OSXSAVE      BIT(18)
#define LEAF1_OSXSAVE    (uint32_t) BIT(27)
#define LEAF1_APIC       (uint32_t) BIT(9)
#define LEAF1_X2APIC     (uint32_t) BIT(21)
#define LEAF1_HYPERVISOR (uint32_t) BIT(31)
#define APIC_BASE_EXTD   BIT(10)

AT_EXIT static void set_pair(struct guest *g, uint64_t value)
{
	g->vmcb->rax = (uint32_t)value;
	vmm_gpr[RDX] = value >> 32;
}

static void hide_hypervisor(uint32_t leaf, uint32_t r[4])
{
	if (leaf == 1)
		r[2] &= ~LEAF1_HYPERVISOR;
	else if (leaf >> 28 == 4)
		r[0] = r[1] = r[2] = r[3] = 0;
}

bool registers_cpuid(struct guest *g)
{
	uint32_t leaf = (uint32_t)g->vmcb->rax, subleaf = (uint32_t)vmm_gpr[RCX], r[4];

	cpu_id(silicon_cpuid_leaf(&silicon_cpu, leaf), subleaf, r);
	if (leaf == 1) { /* this bit mirrors CR4, and CR4 was the VMM's */
		r[2] &= ~LEAF1_OSXSAVE;
		if (g->vmcb->cr4 & CR4_OSXSAVE)
			r[2] |= LEAF1_OSXSAVE;
	}
	silicon_cpuid(&silicon_cpu, leaf, subleaf, r);
	if (g->hides_hypervisor)
		hide_hypervisor(leaf, r);
	if (leaf == 1 && apic_stages & STAGE_APIC_DISABLED)
		r[3] &= ~LEAF1_APIC;
	if (leaf == 1 && apic_stages & STAGE_X2APIC)
		r[2] |= LEAF1_X2APIC;
	g->vmcb->rax = r[0];
	vmm_gpr[RBX] = r[1];
	vmm_gpr[RCX] = r[2];
	vmm_gpr[RDX] = r[3];
	return true;
}

AT_EXIT static bool is_svm_msr(uint32_t msr)
{
	return msr >= MSR_VM_CR && msr <= MSR_VM_HSAVE_PA;
}

AT_EXIT static void check_foreign(const struct guest *g, uint32_t msr, enum access access)
{
	uint64_t value;

	if (access != ACCESS_NOT_MINE && !silicon_is_part_msr(msr) &&
	    !silicon_is_own_pmu(&silicon_cpu))
		panic("MSR %x of the second thread, which is not modelled", msr);
	/* Its core may have one of that number, and refuse some values. */
	if (access != ACCESS_DONE && silicon_is_foreign_msr(&silicon_cpu, msr) &&
	    silicon_rdmsr(&silicon_cpu, msr, &value) != ACCESS_DONE)
		pci_log_foreign(g, "to MSR", msr);
}

AT_EXIT bool registers_rdmsr(struct guest *g)
{
	uint32_t msr = (uint32_t)vmm_gpr[RCX];
	uint64_t value = 0;
	enum access access;

	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	access = silicon_rdmsr(&silicon_cpu, msr, &value);
	check_foreign(g, msr, access);
	if (access == ACCESS_NOT_MINE)
		access = x2apic_rdmsr(msr, &value);
	if (access == ACCESS_DONE)
		frequency_rdmsr(g, msr, &value);
	if (msr == MSR_TSC) {
		value = time_tsc(g) + g->nest.ahead;
		access = ACCESS_DONE;
	}
	if (msr == MSR_EFER && !silicon_has_efer(&silicon_cpu))
		return false;
	if (msr == MSR_EFER)
		value = (g->vmcb->efer & ~EFER_SVME) | (nest_is_on() ? EFER_SVME : 0);
	else if (access == ACCESS_NOT_MINE && is_svm_msr(msr))
		access = nest_rdmsr(msr, &value) ? ACCESS_DONE : ACCESS_GP;
	if (access == ACCESS_GP ||
	    (access == ACCESS_NOT_MINE && msr != MSR_EFER && msr_read(msr, &value) >= 0))
		return false;
	if (msr == MSR_APIC_BASE && apic_stages & STAGE_APIC_DISABLED)
		value &= ~APIC_BASE_ENABLE;
	if (msr == MSR_APIC_BASE && apic_stages & STAGE_X2APIC)
		value |= APIC_BASE_EXTD;
	set_pair(g, value);
	return true;
}

static uint64_t writable_efer(void)
{
	if (silicon_shows_32(&silicon_cpu))
		return 0;
	return EFER_WRITABLE | EFER_LMA | (silicon_lends_svm(&silicon_cpu) ? EFER_SVME : 0);
}

static bool write_efer(struct guest *g, uint64_t value)
{
	struct vmcb *v = g->vmcb;

	if (value & ~writable_efer())
		return false;
	guest_forget_pages();
	if (!g->nest.inside)
		nest_turn(g, value & EFER_SVME);
	v->efer = (value & EFER_WRITABLE) | EFER_SVME | (v->efer & EFER_LMA);
	return true;
}

AT_EXIT bool registers_wrmsr(struct guest *g)
{
	uint32_t msr = (uint32_t)vmm_gpr[RCX];
	uint64_t value = vmm_gpr[RDX] << 32 | (uint32_t)g->vmcb->rax;
	enum access access;

	if (msr == MSR_EFER)
		return silicon_has_efer(&silicon_cpu) && write_efer(g, value);
	if (is_svm_msr(msr))
		return nest_wrmsr(msr, value);
	if (msr == MSR_APIC_BASE && g->system) {
		apic_write_base(value);
		return true;
	}
	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	access = silicon_wrmsr(&silicon_cpu, msr, value);
	check_foreign(g, msr, access);
	if (access == ACCESS_DONE)
		frequency_wrmsr(g, msr, value);
	if (access == ACCESS_DONE && silicon_sees_entry(&silicon_cpu))
		apic_show_entry();
	if (access == ACCESS_NOT_MINE) {
		access = x2apic_wrmsr(msr, value);
		/* An interrupt that a task priority or another one in service held back may come.
		 */
		g->look |= access == ACCESS_DONE;
	}
	if (access != ACCESS_NOT_MINE)
		return access == ACCESS_DONE;
	step_bases_changed();
	return msr_write(msr, value) < 0;
}

bool registers_rdpmc(struct guest *g)
{
	uint64_t value;
	struct vmcb *v = g->vmcb;

	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	if (silicon_rdpmc(&silicon_cpu, (uint32_t)vmm_gpr[RCX], v->cpl, v->cr4 & CR4_PCE, &value) !=
	    ACCESS_DONE)
		return false;
	set_pair(g, value);
	return true;
}

bool registers_rdtsc(struct guest *g)
{
	set_pair(g, time_tsc(g) + g->nest.ahead);
	return true;
}

bool registers_rdtscp(struct guest *g)
{
	uint64_t number = 0;

	msr_read(MSR_TSC_AUX, &number);
	vmm_gpr[RCX] = (uint32_t)number;
	return registers_rdtsc(g);
}

/* 0Fh 23h: MOV from a general register to DR0 to DR7; DR4 and DR5 are other names of two of them.
 */
bool registers_write_debug(struct guest *g)
{
	unsigned number = (unsigned)(g->vmcb->exit_code - EXIT_WRITE_DR), available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);
	struct decoder d;

	decode_raw(&d, code, available, g->size);
	return breakpoint_write(g, number == 4 || number == 5 ? number + 2 : number,
				guest_address(g, guest_gpr(g, d.rm)));
}
