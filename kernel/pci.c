/* SPDX-License-Identifier: BSD-2-Clause */
/* PCI configuration space by mechanism 1, and by ECAM if the firmware's tables list it. */
#include "state.h"

#define CONFIG_ADDRESS       0xcf8u
#define CONFIG_DATA          0xcfcu
#define CONFIG_ENABLE        BIT(31)
#define CONFIG_FUNCTION      FIELD(23, 8)
#define CONFIG_REGISTER      FIELD(7, 0)

#define CPUID_ADDRESS_SIZES  0x80000008u
#define CPUID_PHYSICAL_BITS  FIELD(7, 0)
#define PHYSICAL_BITS_MAX    52u /* of the architecture */
#define FUNCTION_SPACE_SHIFT 12u

static void select_address(uint16_t function, unsigned offset)
{
	outl(CONFIG_ADDRESS, (uint32_t)(CONFIG_ENABLE | field_put(CONFIG_FUNCTION, function) |
					field_put(CONFIG_REGISTER, offset)));
}

/* Selects the register.  Interrupts are off until unselect(), so that nothing else is selected
 * before the data is read or written. */
static uint64_t select_register(uint16_t function, unsigned offset)
{
	uint64_t flags = read_rflags();

	irq_disable();
	if (!machine->pci_used)
		machine->pci_address = inl(CONFIG_ADDRESS);
	machine->pci_used = true;
	select_address(function, offset);
	return flags;
}

static void unselect(uint64_t flags)
{
	if ((flags & RFLAGS_IF) != 0)
		irq_enable();
}

uint32_t pci_read(uint16_t function, unsigned offset)
{
	uint64_t flags = select_register(function, offset);
	uint32_t value = inl(CONFIG_DATA);

	unselect(flags);
	return value;
}

void pci_write(uint16_t function, unsigned offset, uint32_t value)
{
	uint64_t flags = select_register(function, offset);

	outl(CONFIG_DATA, value);
	unselect(flags);
}

uint32_t pci_peek(uint16_t function, unsigned offset)
{
	uint64_t flags = read_rflags();
	uint32_t before, value;

	irq_disable();
	before = inl(CONFIG_ADDRESS);
	select_address(function, offset);
	value = inl(CONFIG_DATA);
	outl(CONFIG_ADDRESS, before);
	unselect(flags);
	return value;
}

void pci_restore(void)
{
	if (machine->pci_used)
		outl(CONFIG_ADDRESS, machine->pci_address);
}

static uint64_t physical_limit(void)
{
	uint64_t bits = field_get(CPUID_PHYSICAL_BITS, cpuid(CPUID_ADDRESS_SIZES, 0).eax);

	return UINT64_C(1) << (bits < PHYSICAL_BITS_MAX ? bits : PHYSICAL_BITS_MAX);
}

volatile uint32_t *device_map(uint64_t address)
{
	uint64_t limit = physical_limit();

	if (limit > WORD_ADDRESS_LIMIT)
		limit = WORD_ADDRESS_LIMIT;
	return address < limit && memory_map_uncached(address)
		       ? (volatile uint32_t *)(uintptr_t)address
		       : NULL;
}

volatile uint32_t *pci_map(uint16_t function)
{
	uint64_t page = acpi_ecam(machine_table("MCFG"), PCI_BUS(function), physical_limit());
	volatile uint32_t *space;

	if (page == 0)
		return NULL;
	page += (uint64_t)(function & 0xff) << FUNCTION_SPACE_SHIFT;
	space = device_map(page);
	return space != NULL && space[PCI_ID] == pci_read(function, PCI_ID) ? space : NULL;
}
