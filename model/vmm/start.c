/* SPDX-License-Identifier: BSD-2-Clause */
/* The start: the running processor becomes a guest in the same state, with the VMM beneath it. */
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { PAGE = 4096, STACK = 16384, MSRPM = 8192, IDT_ENTRIES = 256, HOST_CODE = 8 };

#define LEAF_EXT1_ECX_SVM    BIT(2)
#define LEAF_EXT1_EDX_GIGA   BIT(26) /* 1 GiB pages */
#define VM_CR_SVMDIS         BIT(4)
#define PTE_PRESENT_WRITABLE FIELD(1, 0)
#define PTE_LARGE            BIT(7)

/* Everything that the VMM needs when the firmware has gone. */
static struct {
	struct vmcb vmcb, extra, host_save;
	uint64_t pml4[512], pdpt[512];
	uint8_t msrpm[MSRPM];
	uint8_t stack[STACK];
	uint64_t idt[IDT_ENTRIES][2];
} page_aligned __attribute__((aligned(PAGE)));

static uint64_t gdt[3];
static struct guest guest;

/* ---- the VMM's own tables ---- */

/* One to one, 512 GiB: all RAM and every device of the machines that QEMU makes. */
static void build_page_tables(void)
{
	for (uint64_t i = 0; i < 512; i++)
		page_aligned.pdpt[i] = i << 30 | PTE_LARGE | PTE_PRESENT_WRITABLE;
	page_aligned.pml4[0] = (uint64_t)(uintptr_t)page_aligned.pdpt | PTE_PRESENT_WRITABLE;
	guest_share(page_aligned.pml4);
}

static void build_descriptor_tables(void)
{
	gdt[1] = UINT64_C(0x00209a0000000000); /* 64-bit code */
	gdt[2] = UINT64_C(0x0000920000000000); /* data */
	vmm_gdtr = (struct table_register){sizeof(gdt) - 1, (uint64_t)(uintptr_t)gdt};
	for (unsigned i = 0; i < IDT_ENTRIES; i++) {
		uint64_t stub = (uint64_t)(uintptr_t)vmm_stubs + 16 * i;

		/* Present interrupt gate: IF stays clear until the VMM opens it again. */
		page_aligned.idt[i][0] = (stub & 0xffff) | HOST_CODE << 16 |
					 UINT64_C(0x8e00) << 32 | (stub >> 16 & 0xffff) << 48;
		page_aligned.idt[i][1] = stub >> 32;
	}
	vmm_idtr = (struct table_register){sizeof(page_aligned.idt) - 1,
					   (uint64_t)(uintptr_t)page_aligned.idt};
}

/* ---- MSR permissions ---- */

static const uint32_t msrpm_bases[] = {0x00000000, 0xc0000000, 0xc0010000};
enum { MSRPM_RANGE = 0x2000 };

static bool intercepts_msr(uint32_t msr)
{
	return msr == MSR_TSC || msr == MSR_EFER || (msr >= MSR_VM_CR && msr <= MSR_VM_HSAVE_PA) ||
	       silicon_intercepts_msr(msr);
}

static void build_msrpm(void)
{
	for (unsigned range = 0; range < ARRAY_SIZE(msrpm_bases); range++)
		for (unsigned i = 0; i < MSRPM_RANGE; i++) {
			unsigned bit =
				2 * (range * MSRPM_RANGE + i); /* one to read, one to write */

			if (intercepts_msr(msrpm_bases[range] + i))
				page_aligned.msrpm[bit / 8] |= (uint8_t)(3 << bit % 8);
		}
}

/* ---- the guest begins in the state that the processor is in ---- */

static void save_segment(struct vmcb_segment *segment, uint16_t selector)
{
	const struct vmcb_segment *gdtr = &page_aligned.vmcb.gdtr;
	uint64_t descriptor = *(uint64_t *)(uintptr_t)(gdtr->base + (selector & ~7u));

	/* Firmware runs in flat segments, in 64-bit mode: base and limit count for nothing. */
	*segment = (struct vmcb_segment){
		.selector = selector,
		.attributes = selector ? segment_attributes(descriptor) : 0,
		.limit = 0xffffffff,
	};
}

static void save_tables(struct vmcb *v)
{
	struct table_register table;

	__asm__ volatile("sgdt %0" : "=m"(table));
	v->gdtr = (struct vmcb_segment){.limit = table.limit, .base = table.base};
	__asm__ volatile("sidt %0" : "=m"(table));
	v->idtr = (struct vmcb_segment){.limit = table.limit, .base = table.base};
}

static void save_segments(struct vmcb *v)
{
	uint16_t cs, ds, es, ss;

	__asm__ volatile("mov %%cs, %0\nmov %%ds, %1\nmov %%es, %2\nmov %%ss, %3"
			 : "=r"(cs), "=r"(ds), "=r"(es), "=r"(ss));
	save_segment(&v->cs, cs);
	save_segment(&v->ds, ds);
	save_segment(&v->es, es);
	save_segment(&v->ss, ss);
}

static void save_registers(struct vmcb *v)
{
	uint64_t value;

	__asm__ volatile("mov %%cr0, %0" : "=r"(v->cr0));
	__asm__ volatile("mov %%cr2, %0" : "=r"(v->cr2));
	__asm__ volatile("mov %%cr3, %0" : "=r"(v->cr3));
	__asm__ volatile("mov %%cr4, %0" : "=r"(v->cr4));
	__asm__ volatile("mov %%dr6, %0" : "=r"(v->dr6));
	__asm__ volatile("mov %%dr7, %0" : "=r"(v->dr7));
	msr_read(MSR_EFER, &value);
	v->efer = value;
	msr_read(MSR_PAT, &value);
	v->g_pat = value;
	v->rflags = RFLAGS_RESERVED_1;
}

static void set_controls(struct vmcb *v)
{
	v->intercept = INTERCEPT_SMI | INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_INVLPGA |
		       INTERCEPT_MSR | INTERCEPT_SHUTDOWN;
	v->intercept_svm = INTERCEPT_SVM_ALL;
	v->intercept_dr_write = (uint16_t)FIELD(7, 0);
	v->intercept_exceptions = UNSTEPPED_EXCEPTIONS;
	v->msrpm_base = (uint64_t)(uintptr_t)page_aligned.msrpm;
}

/* ---- entry ---- */

static const char *reason_against(void)
{
	uint32_t r[4];
	uint64_t vm_cr;

	cpu_id(0x80000001, 0, r);
	if (!(r[2] & LEAF_EXT1_ECX_SVM))
		return "this processor has no AMD-V; QEMU needs -cpu max and no accelerator";
	if (!(r[3] & LEAF_EXT1_EDX_GIGA))
		return "this processor has no 1 GiB pages";
	if (msr_read(MSR_VM_CR, &vm_cr) < 0 && vm_cr & VM_CR_SVMDIS)
		return "AMD-V is disabled by the firmware";
	return NULL;
}

const char *vmm_start(void)
{
	struct vmcb *v = &page_aligned.vmcb;
	const char *reason = reason_against();
	uint64_t efer;

	if (reason)
		return reason;
	build_page_tables();
	build_descriptor_tables();
	build_msrpm();
	msr_read(MSR_EFER, &efer);
	msr_write(MSR_EFER, efer | EFER_SVME | EFER_NXE); /* shared page tables may have NX */
	msr_write(MSR_VM_HSAVE_PA, (uint64_t)(uintptr_t)&page_aligned.host_save);
	save_tables(v);
	save_segments(v);
	save_registers(v);
	set_controls(v);
	pci_start(v);
	holes_update(v);
	guest.vmcb = v;
	guest.extra = &page_aligned.extra;
	vmm_launch(&guest, v, (uint64_t)(uintptr_t)page_aligned.pml4,
		   page_aligned.stack + sizeof(page_aligned.stack), vmm_loop);
	return NULL;
}
