/* SPDX-License-Identifier: BSD-2-Clause */
/* The performance interrupt, through the local APIC that the guest itself programs. */
#include "apic.h"

#define APIC_BASE_ADDRESS FIELD(51, 12)

uint32_t apic_stages;
bool apic_touched = true;

/* It is always enabled: no program could enable QEMU's again. */
uint64_t apic_find_base(void)
{
	uint64_t value = 0;

	msr_read(MSR_APIC_BASE, &value);
	return value & APIC_BASE_ADDRESS;
}

void apic_write_base(uint64_t value)
{
	uint64_t base = apic_find_base();

	msr_write(MSR_APIC_BASE, value | APIC_BASE_ENABLE);
	if (value & APIC_BASE_ENABLE) {
		apic_stages &= ~STAGE_APIC_DISABLED;
		return;
	}
	apic_stages |= STAGE_APIC_DISABLED;
	mmio_write32(base + APIC_SVR, mmio_read32(base + APIC_SVR) & ~APIC_SOFTWARE_ENABLE);
	apic_touched = true;
}

/*
 * The guest's ICR must not change under its hands, so no self-IPI.  A message-signalled interrupt
 * has no state: QEMU takes a store to register 0 of a local APIC page for one, and the number of
 * the page, counted from the APIC base, for its destination.
 */
void apic_send_message(uint32_t message)
{
	uint64_t base = apic_find_base();
	uint32_t id = mmio_read32(base + APIC_ID) >> 24;

	mmio_write32(base + ((uint64_t)id << 12), message);
}

/* The local APIC of one of the threads. */
struct local_apic {
	unsigned thread;
	uint64_t base;
};

static uint32_t get(const struct local_apic *apic, uint32_t reg)
{
	uint32_t value = 0;

	if (apic->thread == 0)
		return mmio_read32(apic->base + reg);
	second_apic_read(apic->base + reg, &value);
	return value;
}

static void mask(const struct local_apic *apic, uint32_t entry)
{
	apic_touched = true;
	if (apic->thread == 0)
		mmio_write32(apic->base + APIC_LVT_PC, entry | LVT_MASKED);
	else
		second_apic_write(apic->base + APIC_LVT_PC, entry | LVT_MASKED);
}

static void interrupt(const struct local_apic *apic, uint32_t message)
{
	if (apic->thread == 0)
		apic_send_message(message);
	else
		second_apic_accept(message);
}

/* Of vectors that a local APIC accepts.  APM vol. 2, 16.6.2. */
enum { VECTOR_FIRST = 16 };

/* By an LVT entry.  False: it is masked. */
static bool send(const struct local_apic *apic, uint32_t lvt)
{
	uint64_t mode = field_get(LVT_MODE, lvt);

	if (!(get(apic, APIC_SVR) & APIC_SOFTWARE_ENABLE) || lvt & LVT_MASKED)
		return false;
	if (mode == MODE_NMI || (mode == MODE_FIXED && (lvt & LVT_VECTOR) >= VECTOR_FIRST))
		interrupt(apic, lvt & (LVT_VECTOR | LVT_MODE));
	return true;
}

static bool raise(const struct local_apic *apic, const struct pmi *pmi)
{
	uint32_t entry = get(apic, APIC_LVT_PC);

	if (!send(apic, silicon_lvt(&silicon_cpu, entry)))
		return false;
	if (pmi->masks_lvt)
		mask(apic, entry);
	return true;
}

/* Of a sample. */
static bool announce(const struct local_apic *apic, const struct pmi *pmi)
{
	uint32_t lvt = silicon_extended_lvt(&silicon_cpu, extended_apic_entry(pmi->entry));

	if (!send(apic, lvt))
		return false;
	if (pmi->masks_entry)
		extended_apic_mask(pmi->entry);
	return true;
}

/* Does its entry still mask what is held?  That of the first thread is in a device, and so is
 * looked at once behind each write that may have been to it. */
static bool stays_masked(const struct local_apic *apic)
{
	static bool masked;

	if (apic->thread != 0)
		return get(apic, APIC_LVT_PC) & LVT_MASKED;
	if (apic_touched || !masked)
		masked = get(apic, APIC_LVT_PC) & LVT_MASKED;
	apic_touched = false;
	return masked;
}

static bool raise_due(unsigned thread)
{
	static bool passed[THREADS]; /* the held request was raised since it was made */
	struct pmi pmi = silicon_take_pmi(&silicon_cpu, thread);
	struct local_apic apic = {.thread = thread};
	bool raised = false;

	passed[thread] &= pmi.held;
	if ((!pmi.due && !pmi.held && !pmi.announced) || apic_stages & STAGE_APIC_DISABLED)
		return false;
	apic.base = apic_find_base();
	while (pmi.due--)
		raised |= raise(&apic, &pmi);
	while (pmi.announced--)
		raised |= announce(&apic, &pmi);
	/* Again only once the guest has unmasked the entry, even if a fault ignores the mask. */
	if (pmi.held && (!passed[thread] || !stays_masked(&apic)))
		raised |= passed[thread] = raise(&apic, &pmi);
	if (raised)
		silicon_raised(&silicon_cpu);
	return raised;
}

AT_EXIT bool apic_raise_due(void)
{
	bool raised = raise_due(0);

	return (second_apic_exists() && raise_due(1)) || raised;
}

void apic_show_entry(void)
{
	const uint32_t entry = mmio_read32(apic_find_base() + APIC_LVT_PC);

	silicon_show_entry(&silicon_cpu, (uint8_t)field_get(LVT_VECTOR, entry),
			   field_get(LVT_MODE, entry) == MODE_NMI);
}

void apic_drain(void)
{
	while (vmm_take_interrupt(WAIT_INTR) >= 0)
		mmio_write32(apic_find_base() + APIC_EOI, 0);
}
