/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways into ring 0 that lead past the stubs of trap.asm.  AMD64 APM vol. 2, 6.1.1; Intel SDM vol.
 * 3A, 5.8.3, 5.8.7, 5.8.8 and 6.11. */
#include "descriptors.h"

#define CPUID_1_EDX_SEP             BIT(11)
#define CPUID_8000_0001_EDX_SYSCALL BIT(11)

#define EFER_SCE                    BIT(0)
#define MSR_STAR                    0xC0000081u
#define MSR_LSTAR                   0xC0000082u
#define MSR_SFMASK                  0xC0000084u
#define STAR_SYSCALL                FIELD(47, 32) /* CS; SS is 8 more */
#define STAR_SYSRET                 FIELD(63, 48) /* SS is 8 more, and CS of 64-bit code 16 more */
#define MSR_SYSENTER_CS             0x174u
#define MSR_SYSENTER_ESP            0x175u
#define MSR_SYSENTER_EIP            0x176u
/* Arithmetic flags, TF, IF, DF. */
#define FLAGS_CLEARED (BIT(0) | BIT(2) | BIT(4) | FIELD(11, 6))

_Static_assert(KERNEL_DATA == KERNEL_CODE + 8 && USER_CODE == USER_DATA + 8, "as SYSCALL has them");
_Static_assert((SYSEXIT_CODE & ~3u) == KERNEL_CODE + 16 && (USER_DATA & ~3u) == KERNEL_CODE + 24,
	       "as SYSEXIT to 32-bit code has them");
_Static_assert((USER_CODE & ~3u) == KERNEL_CODE + 32 && (SYSEXIT_DATA & ~3u) == KERNEL_CODE + 40,
	       "as SYSEXIT to 64-bit code has them");

static const uint32_t syscall_msrs[] = {MSR_STAR, MSR_LSTAR, MSR_SFMASK, MSR_EFER},
		      sysenter_msrs[] = {MSR_SYSENTER_CS, MSR_SYSENTER_ESP, MSR_SYSENTER_EIP};
_Static_assert(ARRAY_SIZE(syscall_msrs) == ENTRANCE_MSRS, "each is saved");

static void keep(struct kept_msrs *kept, const uint32_t *msrs, unsigned n)
{
	for (unsigned i = 0; !kept->taken && i < n; i++)
		kept->value[i] = rdmsr(msrs[i]);
	kept->taken = true;
}

static void put_back(struct kept_msrs *kept, const uint32_t *msrs, unsigned n)
{
	for (unsigned i = 0; kept->taken && i < n; i++)
		wrmsr(msrs[i], kept->value[i]);
	kept->taken = false;
}

void entrance_set(unsigned vector, const char *entry, bool open)
{
	struct processor *p = this_processor();

	p->entrances[vector / 64] |= BIT(vector % 64);
	gate_set(p->context, vector, entry ? entry : stub_of(vector),
		 GATE_INTERRUPT | (open ? GATE_DPL_3 : 0));
}

bool entrance_has_syscall(void)
{
	return sizeof(void *) == 8 &&
	       (cpuid_if_there(CPUID_EXTENDED + 1, 0).edx & CPUID_8000_0001_EDX_SYSCALL) != 0;
}

void entrance_set_syscall(const char *entry)
{
	keep(&this_processor()->syscall, syscall_msrs, ARRAY_SIZE(syscall_msrs));
	wrmsr(MSR_STAR,
	      field_put(STAR_SYSCALL, KERNEL_CODE) | field_put(STAR_SYSRET, USER_DATA - 8));
	wrmsr(MSR_LSTAR, (uintptr_t)entry);
	wrmsr(MSR_SFMASK, FLAGS_CLEARED);
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
}

/* The Pentium Pro has the bit, and not the instruction: Intel SDM vol. 2B, SYSENTER.  AMD64 APM
 * vol. 3: in long mode it raises #UD. */
bool entrance_has_sysenter(void)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	return (cpuid(1, 0).edx & CPUID_1_EDX_SEP) != 0 &&
	       !(cpu.family == 6 && cpu.model < 3 && cpu.stepping < 3) &&
	       (sizeof(void *) == 4 || !strcmp(cpu.vendor, "GenuineIntel"));
}

void entrance_set_sysenter(const char *entry)
{
	const uintptr_t stack = (uintptr_t)__builtin_frame_address(0) - PAGE_SIZE;

	keep(&this_processor()->sysenter, sysenter_msrs, ARRAY_SIZE(sysenter_msrs));
	wrmsr(MSR_SYSENTER_CS, KERNEL_CODE);
	wrmsr(MSR_SYSENTER_ESP, stack & ~(uintptr_t)15);
	wrmsr(MSR_SYSENTER_EIP, (uintptr_t)entry);
}

void entrance_set_call_gate(const char *entry)
{
	call_gate_set(this_processor()->context, entry);
}

void entrances_restore(void)
{
	struct processor *p = this_processor();

	for (unsigned i = 0; i < ARRAY_SIZE(p->entrances); i++)
		for (; p->entrances[i]; p->entrances[i] &= p->entrances[i] - 1) {
			unsigned vector = 64 * i + lowest_bit(p->entrances[i]);

			gate_set(p->context, vector, stub_of(vector), GATE_INTERRUPT);
		}
	put_back(&p->syscall, syscall_msrs, ARRAY_SIZE(syscall_msrs));
	put_back(&p->sysenter, sysenter_msrs, ARRAY_SIZE(sysenter_msrs));
	call_gate_set(p->context, NULL);
}
