/* SPDX-License-Identifier: BSD-2-Clause */
/* The PIC and the I/O APICs: their inputs are masked while the machine is ours.
 * Intel 82093AA data sheet; ACPI names the I/O APICs. */
#include "apic.h"

#define PIC_MASK_1   0x21u
#define PIC_MASK_2   0xA1u

#define IOREGSEL     0u /* in 32-bit words from the base */
#define IOWIN        4u
#define IOAPICVER    1u
#define MAX_ENTRY    FIELD(23, 16)
#define IOREDTBL(n)  (0x10u + 2 * (n))
#define RTE_MODE     FIELD(10, 8)
#define RTE_MODE_SMI 2u
#define RTE_MODE_NMI 4u
#define RTE_MASKED   BIT(16)

void controllers_find(void)
{
	struct controllers *c = &machine->controllers;
	uint64_t addresses[IO_APICS_MAX] = {0};
	struct acpi_table madt = machine_table("APIC");

	if (madt.bytes != NULL)
		c->io_apics_listed = acpi_io_apics(madt, addresses, IO_APICS_MAX);
	c->io_apics = c->io_apics_listed < IO_APICS_MAX ? c->io_apics_listed : IO_APICS_MAX;
	for (unsigned i = 0; i < c->io_apics; i++)
		c->io_apic[i].base = addresses[i];
}

static uint32_t io_apic_read(const struct io_apic *a, uint32_t reg)
{
	volatile uint32_t *base = (volatile uint32_t *)(uintptr_t)a->base;

	base[IOREGSEL] = reg;
	return base[IOWIN];
}

bool machine_read_io_apic(void)
{
	const struct controllers *c = &machine->controllers;

	if (c->io_apics == 0)
		return false;
	(void)((volatile uint32_t *)(uintptr_t)c->io_apic[0].base)[IOREGSEL];
	return true;
}

static void io_apic_write(const struct io_apic *a, uint32_t reg, uint32_t val)
{
	volatile uint32_t *base = (volatile uint32_t *)(uintptr_t)a->base;

	base[IOREGSEL] = reg;
	base[IOWIN] = val;
}

/* Calls change() for every pin; the register that firmware had selected stays selected. */
static void io_apic_pins(struct io_apic *a, void (*change)(struct io_apic *a, unsigned pin))
{
	volatile uint32_t *base = (volatile uint32_t *)(uintptr_t)a->base;
	uint32_t selected = base[IOREGSEL];
	uint64_t last = field_get(MAX_ENTRY, io_apic_read(a, IOAPICVER));

	for (unsigned pin = 0; pin <= last && IOREDTBL(pin) + 1 < 0x100; pin++)
		change(a, pin);
	base[IOREGSEL] = selected;
}

static void pin_mask(struct io_apic *a, unsigned pin)
{
	uint32_t entry = io_apic_read(a, IOREDTBL(pin));
	uint64_t mode = field_get(RTE_MODE, entry);

	/* SMI and NMI pins stay open: the platform reports its errors through them. */
	a->masked[pin] = (entry & RTE_MASKED) == 0 && mode != RTE_MODE_SMI && mode != RTE_MODE_NMI;
	if (a->masked[pin])
		io_apic_write(a, IOREDTBL(pin), (uint32_t)(entry | RTE_MASKED));
}

static void pin_restore(struct io_apic *a, unsigned pin)
{
	if (a->masked[pin])
		io_apic_write(a, IOREDTBL(pin),
			      (uint32_t)(io_apic_read(a, IOREDTBL(pin)) & ~RTE_MASKED));
}

void controllers_mask(void)
{
	struct controllers *c = &machine->controllers;

	c->pic[0] = inb(PIC_MASK_1);
	c->pic[1] = inb(PIC_MASK_2);
	outb(PIC_MASK_1, 0xFF);
	outb(PIC_MASK_2, 0xFF);
	for (unsigned i = 0; i < c->io_apics; i++)
		io_apic_pins(&c->io_apic[i], pin_mask);
}

void controllers_restore(void)
{
	struct controllers *c = &machine->controllers;

	for (unsigned i = 0; i < c->io_apics; i++)
		io_apic_pins(&c->io_apic[i], pin_restore);
	outb(PIC_MASK_1, c->pic[0]);
	outb(PIC_MASK_2, c->pic[1]);
}
