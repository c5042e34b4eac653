/* SPDX-License-Identifier: BSD-2-Clause */
/* What a guest begins with: AMD64 APM vol. 2, 15.5.1 and appendix B. */
#include "svm.h"

#include "kernel/lib/string.h"

#define CPUID_8000_0001_ECX_SVM BIT(2)
#define MSR_VM_CR               0xC0010114u
#define VM_CR_SVMDIS            BIT(4)
#define MSR_VM_HSAVE_PA         0xC0010117u

#define PAGE_SIZE               4096

#define INTERCEPT_NMI           UINT32_C(2)
#define INTERCEPT_SHUTDOWN      UINT32_C(0x80000000)
#define INTERCEPT_VMRUN         UINT32_C(1)
#define INTERCEPT_VMMCALL       UINT32_C(2)
#define FLUSH_ALL               1u
#define EXIT_VMMCALL            0x81u
#define RESERVED_FLAG           BIT(1)
/* After a reset. */
#define DR6 UINT64_C(0xffff0ff0)
#define DR7 UINT64_C(0x400)

struct segment {
	uint16_t selector, attributes;
	uint32_t limit;
	uint64_t base;
};

struct vmcb {
	uint32_t unused_000[2];
	uint32_t exceptions, intercepts, intercepts_svm; /* 008h, 00Ch, 010h */
	uint32_t unused_014[17];
	uint32_t asid, flush; /* 058h */
	uint32_t unused_060[4];
	uint64_t exit_code; /* 070h */
	uint64_t unused_078[113];
	struct segment es, cs, ss, ds; /* 400h */
	struct segment unused_440[2];
	struct segment gdtr, unused_470, idtr; /* 460h */
	uint64_t unused_490[8];
	uint64_t efer; /* 4D0h */
	uint64_t unused_4d8[14];
	uint64_t cr4, cr3, cr0, dr7, dr6, flags, ip; /* 548h */
	uint64_t unused_580[11];
	uint64_t sp; /* 5D8h */
	uint8_t unused_5e0[PAGE_SIZE - 0x5e0];
};
_Static_assert(sizeof(struct vmcb) == PAGE_SIZE, "VMCB layout");
_Static_assert(offsetof(struct vmcb, exit_code) == 0x70, "VMCB layout");
_Static_assert(offsetof(struct vmcb, es) == 0x400, "VMCB layout");
_Static_assert(offsetof(struct vmcb, efer) == 0x4d0, "VMCB layout");
_Static_assert(offsetof(struct vmcb, cr4) == 0x548, "VMCB layout");
_Static_assert(offsetof(struct vmcb, sp) == 0x5d8, "VMCB layout: also in vmrun.asm");

/* Where VMRUN keeps the host, in a form that nobody knows. */
static uint8_t host[PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));

static struct {
	bool begun;
	uint64_t efer, hsave_pa; /* of before */
	uintptr_t dr7; /* behind VMRUN it breaks nothing */
} kept;

/* ---- vmrun.asm ---- */

#pragma GCC visibility push(hidden)
/* What VMRUN is told, and what the guest calls. */
extern struct vmcb svm_vmcb;
extern asm_code *svm_entry;
/* Runs the guest, which begins at svm_guest on this stack with these arguments. */
extern asm_code svm_run;
extern const char svm_guest[];
#pragma GCC visibility pop

struct vmcb svm_vmcb __attribute__((aligned(PAGE_SIZE)));
asm_code *svm_entry;

/* ---- begin and end ---- */

static bool has_svm(void)
{
	return cpuid_if_there(CPUID_EXTENDED + 1, 0).ecx & CPUID_8000_0001_ECX_SVM;
}

const char *svm_begin(void)
{
	uint64_t vm_cr;

	if (!has_svm())
		return "this processor has no SVM";
	if (rdmsr_safe(MSR_VM_CR, &vm_cr) != FAULT_NONE || vm_cr & VM_CR_SVMDIS)
		return "the firmware has disabled SVM";
	kept.efer = rdmsr(MSR_EFER);
	__asm__ volatile("mov %%dr7, %0" : "=r"(kept.dr7));
	if (wrmsr_safe(MSR_EFER, kept.efer | EFER_SVME) != FAULT_NONE)
		return "EFER.SVME cannot be set";
	kept.begun = true;
	if (rdmsr_safe(MSR_VM_HSAVE_PA, &kept.hsave_pa) == FAULT_NONE &&
	    wrmsr_safe(MSR_VM_HSAVE_PA, (uintptr_t)host) == FAULT_NONE)
		return NULL;
	svm_end();
	return "VM_HSAVE_PA cannot be set";
}

void svm_end(void)
{
	if (!kept.begun)
		return;
	kept.begun = false;
	wrmsr_safe(MSR_VM_HSAVE_PA, kept.hsave_pa);
	wrmsr(MSR_EFER, kept.efer);
	__asm__ volatile("mov %0, %%dr7" : : "r"(kept.dr7));
}

/* ---- the guest ---- */

/* As the processor has it loaded: flat, so that the base is 0. */
static struct segment segment_of(uint16_t selector)
{
	uintptr_t rights = 0, limit = 0;

	__asm__("lar %1, %0" : "+r"(rights) : "r"((uintptr_t)selector) : "cc");
	__asm__("lsl %1, %0" : "+r"(limit) : "r"((uintptr_t)selector) : "cc");
	return (struct segment){
		.selector = selector,
		.attributes = (uint16_t)((rights >> 8 & 0xff) | (rights >> 12 & 0xf00)),
		.limit = (uint32_t)limit,
	};
}

#define SEGMENT(name)                                                                              \
	({                                                                                         \
		uint16_t selector;                                                                 \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(selector));                          \
		segment_of(selector);                                                              \
	})
#define TABLE(store)                                                                               \
	({                                                                                         \
		struct table_pointer table;                                                        \
                                                                                                   \
		__asm__ volatile(store " %0" : "=m"(table));                                       \
		(struct segment){.limit = table.limit, .base = table.base};                        \
	})

static void make_like_host(void)
{
	memset(&svm_vmcb, 0, sizeof(struct vmcb));
	svm_vmcb.es = SEGMENT(es);
	svm_vmcb.cs = SEGMENT(cs);
	svm_vmcb.ss = SEGMENT(ss);
	svm_vmcb.ds = SEGMENT(ds);
	svm_vmcb.gdtr = TABLE("sgdt");
	svm_vmcb.idtr = TABLE("sidt");
	svm_vmcb.efer = rdmsr(MSR_EFER);
	svm_vmcb.cr0 = read_cr0();
	svm_vmcb.cr3 = read_cr3();
	svm_vmcb.cr4 = read_cr4();
	svm_vmcb.dr6 = DR6;
	svm_vmcb.dr7 = DR7;
	svm_vmcb.flags = RESERVED_FLAG;
	svm_vmcb.ip = (uintptr_t)svm_guest;
}

bool svm_call(asm_code *entry, uint64_t di, void *si)
{
	const uintptr_t flags = read_rflags();

	make_like_host();
	/* Our handlers are the host's, and end what goes wrong: not within the guest. */
	svm_vmcb.exceptions = UINT32_MAX;
	svm_vmcb.intercepts = INTERCEPT_NMI | INTERCEPT_SHUTDOWN;
	svm_vmcb.intercepts_svm = INTERCEPT_VMRUN | INTERCEPT_VMMCALL;
	svm_vmcb.asid = 1;
	svm_vmcb.flush = FLUSH_ALL;
	svm_entry = entry;
	irq_disable();
	kernel_call(svm_run, di, si);
	if (flags & RFLAGS_IF)
		irq_enable();
	return svm_vmcb.exit_code == EXIT_VMMCALL;
}
