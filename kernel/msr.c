/* SPDX-License-Identifier: BSD-2-Clause */
/* MSR accesses that must not fault. */
#include "state.h"

/* During a test the machine has failed, and so has the test; in the runner it is our bug. */
static void refused(const char *insn, uint32_t msr, int fault)
{
	struct processor *p = this_processor();

	fmt_print(p->reason, sizeof(p->reason), "%s %x raised vector %d", insn, msr, fault);
	if (guard_active())
		guard_abort(p->reason);
	panic("%s", p->reason);
}

uint64_t rdmsr(uint32_t msr)
{
	uint64_t val;
	int fault = rdmsr_safe(msr, &val);

	if (fault != FAULT_NONE)
		refused("RDMSR", msr, fault);
	return val;
}

void wrmsr(uint32_t msr, uint64_t val)
{
	int fault = wrmsr_safe(msr, val);

	if (fault != FAULT_NONE)
		refused("WRMSR", msr, fault);
}
