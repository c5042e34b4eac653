/* SPDX-License-Identifier: BSD-2-Clause */
/* The performance interrupt, through the local APIC that the guest itself programs. */
#include "io.h"
#include "vmm.h"

#define APIC_BASE_ENABLE  BIT(11)
#define APIC_BASE_ADDRESS FIELD(51, 12)

enum { APIC_ID = 0x20, APIC_EOI = 0xb0, APIC_SPURIOUS = 0xf0, APIC_LVT_PC = 0x340 };

#define APIC_SOFTWARE_ENABLE (uint32_t) BIT(8)

#define LVT_VECTOR           (uint32_t) FIELD(7, 0)
#define LVT_MODE             (uint32_t) FIELD(10, 8)
#define LVT_MASKED           (uint32_t) BIT(16)

enum { MODE_FIXED = 0, MODE_NMI = 4 };

/*
 * The guest's ICR must not change under its hands, so no self-IPI.  A message-signalled interrupt
 * has no state: QEMU takes a store to register 0 of a local APIC page for one, and the number of
 * the page, counted from the APIC base, for its destination.
 */
static void send_message(uint64_t base, uint32_t message)
{
	uint32_t id = mmio_read32(base + APIC_ID) >> 24;

	mmio_write32(base + ((uint64_t)id << 12), message);
}

/* False: the entry is masked. */
static bool raise(uint64_t base, const struct pmi *pmi)
{
	uint32_t entry = mmio_read32(base + APIC_LVT_PC);
	uint32_t lvt = pmi->lvt ? pmi->lvt(entry) : entry;
	uint64_t mode = field_get(LVT_MODE, lvt);

	if (!(mmio_read32(base + APIC_SPURIOUS) & APIC_SOFTWARE_ENABLE) || lvt & LVT_MASKED)
		return false;
	if (mode == MODE_FIXED || mode == MODE_NMI)
		send_message(base, lvt & (LVT_VECTOR | LVT_MODE));
	if (pmi->masks_lvt)
		mmio_write32(base + APIC_LVT_PC, entry | LVT_MASKED);
	return true;
}

bool pmi_raise_due(void)
{
	static bool passed; /* the request that is held has, since it was made */
	struct pmi pmi = silicon_take_pmi(&silicon_cpu, 0);
	uint64_t base;
	bool raised = false;

	passed &= pmi.held;
	if ((!pmi.due && !pmi.held) || stage_apic_disabled() ||
	    msr_read(MSR_APIC_BASE, &base) >= 0 || !(base & APIC_BASE_ENABLE))
		return false;
	base &= APIC_BASE_ADDRESS;
	while (pmi.due--)
		raised |= raise(base, &pmi);
	/* Again only once the guest has unmasked the entry, even if a fault ignores the mask. */
	if (pmi.held && (!passed || !(mmio_read32(base + APIC_LVT_PC) & LVT_MASKED)))
		raised |= passed = raise(base, &pmi);
	if (raised)
		silicon_raised(&silicon_cpu);
	return raised;
}

void apic_send_nmi(void)
{
	uint64_t base;

	if (msr_read(MSR_APIC_BASE, &base) < 0)
		send_message(base & APIC_BASE_ADDRESS, (uint32_t)field_put(LVT_MODE, MODE_NMI));
}

void apic_drain(void)
{
	uint64_t base;

	if (msr_read(MSR_APIC_BASE, &base) >= 0)
		return;
	base &= APIC_BASE_ADDRESS;
	while (vmm_take_interrupt(WAIT_INTR) >= 0)
		mmio_write32(base + APIC_EOI, 0);
}
