/* SPDX-License-Identifier: BSD-2-Clause */
/* MSR accesses that must not fault. */
#include "state.h"

/* During a test the machine has failed, and so has the test; in the runner it is our bug. */
_Noreturn static void refused(const char *insn, uint32_t msr, int fault)
{
	struct processor *p = this_processor();

	fmt_print(p->reason, sizeof(p->reason), "%s %x raised vector %d", insn, msr, fault);
	if (guard_active())
		guard_abort(p->reason);
	panic("%s", p->reason);
}

/* Tests measure across these: what does not fault must cost nothing but the access.  So a fault
 * goes elsewhere, where the access, which faults again, says by which vector. */
uint64_t rdmsr(uint32_t msr)
{
	uint32_t lo = 0, hi = 0;
	uint64_t val;

	__asm__ goto volatile("1: rdmsr\n" CATCH("1b", "%l[faulted]")
			      : "=a"(lo), "=d"(hi)
			      : "c"(msr)
			      : "rsi", "memory"
			      : faulted);
	return (uint64_t)hi << 32 | lo;
faulted:
	refused("RDMSR", msr, rdmsr_safe(msr, &val));
}

void wrmsr(uint32_t msr, uint64_t val)
{
	__asm__ goto volatile("1: wrmsr\n" CATCH("1b", "%l[faulted]")
			      :
			      : "c"(msr), "a"((uint32_t)val), "d"((uint32_t)(val >> 32))
			      : "rsi", "memory"
			      : faulted);
	return;
faulted:
	refused("WRMSR", msr, wrmsr_safe(msr, val));
}
