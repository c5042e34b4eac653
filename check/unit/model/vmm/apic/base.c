/* SPDX-License-Identifier: BSD-2-Clause */
/* An operating system that disables its local APIC, and enables it again. */
#include "model/cpu/stage.h"
#include "model/vmm/apic/apic.h"

#include "check/unit/tap.h"

static uint32_t page[1024] __attribute__((aligned(4096)));
static uint64_t base;

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = msr == MSR_APIC_BASE ? base : 0;
	return -1;
}

int msr_write(uint32_t msr, uint64_t value)
{
	if (msr == MSR_APIC_BASE)
		base = value;
	return -1;
}

int vmm_take_interrupt(unsigned wait)
{
	(void)wait;
	return -1;
}

int main(void)
{
	const uint64_t enabled = (uintptr_t)page | APIC_BASE_ENABLE, disabled = (uintptr_t)page;

	base = enabled;
	page[APIC_SVR / 4] = 0x1ff;
	apic_write_base(enabled);
	OK(!apic_stages && page[APIC_SVR / 4] == 0x1ff);
	apic_write_base(disabled);
	OK(apic_stages == STAGE_APIC_DISABLED && page[APIC_SVR / 4] == 0xff);
	OK(base == enabled);
	apic_write_base(enabled);
	OK(!apic_stages && page[APIC_SVR / 4] == 0xff && base == enabled);
	return tap_end();
}
