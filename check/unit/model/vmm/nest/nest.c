/* SPDX-License-Identifier: BSD-2-Clause */
/* From VMRUN to #VMEXIT: what the inner guest, its host and the counters get. */
#include "model/vmm/nest/nest.h"
#include "model/profiles/profiles.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/native.h"

#include "check/unit/tap.h"

/* ---- the machine underneath ---- */

uint64_t vmm_gpr[GPRS];
const uint8_t native_exit[1];
static int waiting; /* the vector that vmm_take_interrupt() takes; -1: none */

void native_enter(const uint8_t *slot, struct vmcb *v)
{
	v->rip += slot[0];
}

int vmm_take_interrupt(unsigned wait)
{
	int vector = wait == WAIT_NMI ? waiting : -1;

	waiting = -1;
	return vector;
}

void invlpga(uint64_t address, uint32_t asid)
{
	vmm_gpr[RDX] = address + asid;
}

void vmm_flush_translations(void)
{
}

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = msr;
	return 13;
}

int msr_write(uint32_t msr, uint64_t value)
{
	return msr || value ? 13 : -1;
}

/* ---- a host and its guest ---- */

enum { HOST_RIP = 0x1000, INNER_RIP = 0x2000, VMRUN_LENGTH = 3, OFFSET = 5000 };
#define EN    UINT64_C(0x00430000) /* EN, USR, OS */
#define EVENT UINT64_C(0xc0)
#define CTL   UINT32_C(0xc0010000)
#define CTR   UINT32_C(0xc0010004)

static uint8_t msrs[MSR_MAP] __attribute__((aligned(4096)));
static uint8_t ports[PORT_MAP] __attribute__((aligned(4096)));
static struct vmcb outer, theirs __attribute__((aligned(4096)));
static struct guest guest;
static const struct insn vmrun = {.length = VMRUN_LENGTH, .uops = 1, .class = INSN_PLAIN};

static void begin(uint64_t select)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	silicon_lend_svm(&silicon_cpu);
	memset(&outer, 0, sizeof(outer));
	memset(&theirs, 0, sizeof(theirs));
	guest = (struct guest){.vmcb = &outer, .extra = &outer, .size = CODE_64};
	nest_reset(&guest);
	nest_turn(&guest, true);
	outer.rip = HOST_RIP;
	outer.rax = (uintptr_t)&theirs;
	outer.rflags = RFLAGS_RESERVED_1 | RFLAGS_IF;
	outer.efer = EFER_LMA;
	outer.cs.attributes = SEGMENT_LONG;
	outer.tsc_offset = 100;
	outer.dr7 = 0x455;
	outer.intercept = INTERCEPT_MSR;
	outer.msrpm_base = theirs.msrpm_base = (uintptr_t)msrs;
	outer.iopm_base = theirs.iopm_base = (uintptr_t)ports;
	theirs.intercept = INTERCEPT_INTR | INTERCEPT_NMI;
	theirs.intercept_svm = INTERCEPT_SVM_ALL;
	theirs.int_control = INT_MASKING | 3;
	theirs.asid = 1;
	theirs.tsc_offset = OFFSET;
	theirs.rip = INNER_RIP;
	theirs.ss.attributes = (uint16_t)field_put(SEGMENT_DPL, 3);
	theirs.cr0 = CR0_PE;
	theirs.cs.attributes = SEGMENT_BIG;
	waiting = -1;
	silicon_wrmsr(&silicon_cpu, CTL, EN | EVENT | select);
}

static bool is_inside(void)
{
	return guest.nest.inside && !guest.nest.deaf && guest.vmcb != &outer;
}

static bool is_outside(uint64_t code)
{
	return !guest.nest.inside && guest.nest.deaf && guest.vmcb == &outer &&
	       theirs.exit_code == code && outer.rip == HOST_RIP + VMRUN_LENGTH;
}

static bool exit_by(uint64_t code)
{
	guest.vmcb->exit_code = code;
	return nest_exit(&guest);
}

static void test_there(void)
{
	begin(0);
	OK(nest_run(&guest, &vmrun) && is_inside());
	OK(guest.vmcb->rip == INNER_RIP && guest.vmcb->cpl == 3 && guest.size == CODE_32);
	OK(guest.vmcb->tsc_offset == 100 + OFFSET && guest.nest.ahead == OFFSET);
	OK(guest.vmcb->asid && !guest.vmcb->nested_control);
	OK(nest_prepare(&guest));
	OK(guest.vmcb->intercept & INTERCEPT_MSR && guest.vmcb->intercept & INTERCEPT_INTR);
	outer.rflags = RFLAGS_RESERVED_1;
	OK(!nest_prepare(&guest));
}

static void test_and_back(void)
{
	begin(BIT(40));
	nest_run(&guest, &vmrun);
	guest.vmcb->rip = INNER_RIP + 8;
	guest.vmcb->int_control = INT_MASKING | 5;
	guest.vmcb->exit_info_1 = 0x11;
	guest.vmcb->tsc_offset -= 40; /* its clocks fell behind */
	OK(!exit_by(EXIT_CPUID) && is_inside());
	OK(exit_by(EXIT_INTR) && is_outside(EXIT_INTR));
	OK(theirs.rip == INNER_RIP + 8 && theirs.int_control == (INT_MASKING | 5));
	OK(theirs.exit_info_1 == 0x11 && theirs.cpl == 3);
	OK(outer.tsc_offset == 60 && !guest.nest.ahead && outer.dr7 == 0x400);
	OK(outer.intercept == INTERCEPT_MSR && guest.size == CODE_64);
	nest_prepare(&guest);
	OK(outer.int_control & INT_MASKING && outer.intercept & INTERCEPT_NMI);
}

static void test_refusals(void)
{
	begin(0);
	theirs.asid = 0;
	OK(nest_run(&guest, &vmrun) && is_outside(EXIT_INVALID));
	begin(0);
	theirs.intercept_svm = 0;
	OK(nest_run(&guest, &vmrun) && is_outside(EXIT_INVALID));
	begin(0);
	outer.rax++;
	OK(!nest_run(&guest, &vmrun) && outer.rip == HOST_RIP);
	begin(0);
	outer.cpl = 3;
	OK(!nest_run(&guest, &vmrun) && outer.rip == HOST_RIP);
}

static uint64_t counted(void)
{
	uint64_t value = 0;

	silicon_rdmsr(&silicon_cpu, CTR, &value);
	return value;
}

/* VMRUN counts for the guest; and each is stepped through where it is counted. */
static void test_worlds(void)
{
	begin(BIT(40));
	OK(!guest.stepping);
	nest_run(&guest, &vmrun);
	OK(guest.stepping && counted() == 1);
	exit_by(EXIT_INTR);
	OK(!guest.stepping && counted() == 1);
	begin(BIT(41));
	nest_turn(&guest, false);
	OK(!guest.stepping);
	nest_turn(&guest, true);
	OK(guest.stepping);
	nest_run(&guest, &vmrun);
	OK(!guest.stepping && counted() == 0);
}

/* It is the host's, whose GIF is clear, and so it comes behind STGI, by hand. */
static void test_nmi(void)
{
	begin(0);
	nest_run(&guest, &vmrun);
	waiting = VECTOR_NMI;
	OK(exit_by(EXIT_NMI) && is_inside() && guest.nest.due);
	nest_settle(&guest);
	OK(is_outside(EXIT_NMI) && guest.nest.nmi);
	outer.exit_code = EXIT_STGI;
	OK(nest_execute(&guest) && !guest.nest.deaf && guest.nest.due);
	outer.exit_code = EXIT_CLGI;
	OK(nest_execute(&guest) && guest.nest.deaf);
	nest_settle(&guest);
	OK(guest.nest.nmi);
}

static void test_virtual(void)
{
	begin(0);
	theirs.int_state = INT_STATE_SHADOW;
	theirs.int_control = INT_REQUEST;
	nest_run(&guest, &vmrun);
	OK(!nest_prepare(&guest) && !(guest.vmcb->int_control & INT_REQUEST));
	OK(guest.vmcb->int_control & INT_MASKING);
	guest.vmcb->int_control &= ~INT_MASKING;
	guest.vmcb->int_state = 0;
	nest_entered(&guest);
	OK(guest.vmcb->int_control == INT_REQUEST);
	nest_prepare(&guest);
	OK(guest.vmcb->int_control == INT_REQUEST);
}

/* An event that cannot be delivered yet is told of, and none is any more. */
static void test_injection(void)
{
	begin(0);
	theirs.event_inject = EVENT_VALID | 0x20;
	theirs.intercept_exceptions = BIT(VECTOR_PF);
	theirs.efer = EFER_LMA;
	theirs.cr0 |= CR0_PG;
	theirs.cr3 = (uintptr_t)ports; /* no entry is present */
	theirs.idtr.limit = 0xffff;
	nest_run(&guest, &vmrun);
	OK(guest.nest.due);
	nest_settle(&guest);
	OK(is_outside(EXIT_EXCEPTION + VECTOR_PF) && theirs.exit_info_2 == 0x20 * 16);
	OK(theirs.exit_int_info == (EVENT_VALID | 0x20) && !theirs.event_inject);
}

static void test_msrs(void)
{
	uint64_t value = 1;

	begin(0);
	OK(silicon_rdmsr(&silicon_cpu, MSR_VM_CR, &value) == ACCESS_DONE && value == 0);
	OK(nest_wrmsr(MSR_VM_HSAVE_PA, 0x5000) && nest_rdmsr(MSR_VM_HSAVE_PA, &value));
	OK(value == 0x5000 && !nest_wrmsr(MSR_VM_HSAVE_PA, 0x5001) && !nest_wrmsr(MSR_VM_CR, 1));
	OK(!nest_rdmsr(MSR_VM_CR + 1, &value) && !nest_wrmsr(MSR_VM_CR + 1, 0));
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	OK(silicon_rdmsr(&silicon_cpu, MSR_VM_CR, &value) == ACCESS_DONE && value);
	OK(!nest_wrmsr(MSR_VM_CR, 0) && !nest_wrmsr(MSR_VM_HSAVE_PA, 0x5000));
}

int main(void)
{
	test_there();
	test_and_back();
	test_refusals();
	test_worlds();
	test_nmi();
	test_virtual();
	test_injection();
	test_msrs();
	return tap_end();
}
