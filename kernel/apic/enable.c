/* SPDX-License-Identifier: BSD-2-Clause */
/* A local APIC that the firmware has left disabled, which then even CPUID denies. */
#include "apic.h"

/* Intel's from P6 and AMD's from K7 on have the register; others may have anything there. */
static bool has_base_register(void)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	return (cpuid(1, 0).edx & BIT(5)) != 0 && cpu.family >= 6 &&
	       (!strcmp(cpu.vendor, "GenuineIntel") || !strcmp(cpu.vendor, "AuthenticAMD"));
}

/* Some of P6 need a reset for it: their CPUID goes on to say no. */
void apic_enable(void)
{
	struct apic_state *s = &this_processor()->apic;
	uint64_t base;

	if (!machine->facts.enable_apic || apic_present() || !has_base_register() ||
	    rdmsr_safe(MSR_APIC_BASE, &base) != FAULT_NONE ||
	    wrmsr_safe(MSR_APIC_BASE, base | APIC_BASE_ENABLE) != FAULT_NONE)
		return;
	s->was_disabled = apic_present();
	s->base = base;
	if (!s->was_disabled)
		wrmsr_safe(MSR_APIC_BASE, base);
}

void apic_disable(void)
{
	const struct apic_state *s = &this_processor()->apic;

	if (s->was_disabled)
		wrmsr(MSR_APIC_BASE, s->base);
}

bool apic_was_disabled(void)
{
	return this_processor()->apic.was_disabled;
}
