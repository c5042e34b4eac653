/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways into ring 0 that lead past the stubs of trap.asm.  AMD64 APM vol. 2, 6.1.1; Intel SDM vol.
 * 3A, 5.8.8 and 6.11. */
#include "descriptors.h"

#define CPUID_8000_0001_EDX_SYSCALL BIT(11)

#define EFER_SCE                    BIT(0)
#define MSR_STAR                    0xC0000081u
#define MSR_LSTAR                   0xC0000082u
#define MSR_SFMASK                  0xC0000084u
#define STAR_SYSCALL                FIELD(47, 32) /* CS; SS is 8 more */
#define STAR_SYSRET                 FIELD(63, 48) /* SS is 8 more, and CS of 64-bit code 16 more */
/* Arithmetic flags, TF, IF, DF. */
#define FLAGS_CLEARED (BIT(0) | BIT(2) | BIT(4) | FIELD(11, 6))

_Static_assert(KERNEL_DATA == KERNEL_CODE + 8 && USER_CODE == USER_DATA + 8, "as SYSCALL has them");

static const uint32_t syscall_msrs[] = {MSR_EFER, MSR_STAR, MSR_LSTAR, MSR_SFMASK};
_Static_assert(ARRAY_SIZE(syscall_msrs) == SYSCALL_MSRS, "each is saved");

void entrance_set(unsigned vector, const char *entry, bool open)
{
	struct processor *p = this_processor();

	p->entrances[vector / 64] |= BIT(vector % 64);
	gate_set(p->context, vector, entry, GATE_INTERRUPT | (open ? GATE_DPL_3 : 0));
}

bool entrance_has_syscall(void)
{
	return sizeof(void *) == 8 && cpuid(CPUID_EXTENDED, 0).eax > CPUID_EXTENDED &&
	       (cpuid(CPUID_EXTENDED + 1, 0).edx & CPUID_8000_0001_EDX_SYSCALL) != 0;
}

void entrance_set_syscall(const char *entry)
{
	struct processor *p = this_processor();

	for (unsigned i = 0; !p->has_syscall && i < SYSCALL_MSRS; i++)
		p->syscall[i] = rdmsr(syscall_msrs[i]);
	p->has_syscall = true;
	wrmsr(MSR_STAR,
	      field_put(STAR_SYSCALL, KERNEL_CODE) | field_put(STAR_SYSRET, USER_DATA - 8));
	wrmsr(MSR_LSTAR, (uintptr_t)entry);
	wrmsr(MSR_SFMASK, FLAGS_CLEARED);
	wrmsr(MSR_EFER, p->syscall[0] | EFER_SCE);
}

void entrances_restore(void)
{
	struct processor *p = this_processor();

	for (unsigned i = 0; i < ARRAY_SIZE(p->entrances); i++)
		for (; p->entrances[i]; p->entrances[i] &= p->entrances[i] - 1) {
			unsigned vector = 64 * i + lowest_bit(p->entrances[i]);

			gate_set(p->context, vector, stub_of(vector), GATE_INTERRUPT);
		}
	for (unsigned i = 0; p->has_syscall && i < SYSCALL_MSRS; i++)
		wrmsr(syscall_msrs[i], p->syscall[i]);
	p->has_syscall = false;
}
