/* SPDX-License-Identifier: BSD-2-Clause */
/* The local APIC of a processor while the machine's is another one's. */
#include "apic.h"

/* In an order in which they may be written. */
static const uint32_t registers[APIC_ASIDE_REGISTERS] = {
	APIC_SVR, APIC_TPR, APIC_LVT_TIMER,    0x330, APIC_LVT_PC, 0x350,
	0x360,    0x370,    APIC_TIMER_DIVIDE,
};

static uint32_t extended(unsigned entry)
{
	return APIC_EXTENDED_LVT + 0x10 * entry;
}

/* Those that wait are no interrupts of the one that has its turn next. */
static void take_waiting(struct apic_aside *aside)
{
	int vector;

	aside->waiting_count = 0;
	while (aside->waiting_count < APIC_ASIDE_WAITING &&
	       (vector = vmm_take_interrupt(WAIT_INTR)) >= 0) {
		mmio_write32(apic_find_base() + APIC_EOI, 0);
		aside->waiting[aside->waiting_count++] = (uint8_t)vector;
	}
}

void apic_set_aside(struct apic_aside *aside)
{
	uint64_t base = apic_find_base();

	for (unsigned i = 0; i < APIC_ASIDE_REGISTERS; i++)
		aside->value[i] = mmio_read32(base + registers[i]);
	/* One that runs once goes on where it stood; a periodic one begins a period. */
	aside->timer = mmio_read32(base + (mmio_read32(base + APIC_LVT_TIMER) & LVT_TIMER_PERIODIC
						   ? APIC_TIMER_INITIAL
						   : APIC_TIMER_COUNT));
	for (unsigned i = 0; i < APIC_EXTENDED_ENTRIES; i++)
		aside->extended[i] = extended_apic_read(extended(i));
	take_waiting(aside);
}

void apic_bring_back(const struct apic_aside *aside)
{
	uint64_t base = apic_find_base();

	for (unsigned i = 0; i < APIC_ASIDE_REGISTERS; i++)
		mmio_write32(base + registers[i], aside->value[i]);
	mmio_write32(base + APIC_TIMER_INITIAL, aside->timer);
	for (unsigned i = 0; i < APIC_EXTENDED_ENTRIES; i++)
		extended_apic_write(extended(i), aside->extended[i]);
	for (unsigned i = 0; i < aside->waiting_count; i++)
		apic_send_message(aside->waiting[i]);
	apic_touched = true;
}
