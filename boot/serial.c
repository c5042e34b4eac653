/* SPDX-License-Identifier: BSD-2-Clause */
/* Serial lines on which the report may go: where the machine's console is, or where the user says.
 */
#include "boot.h"

#define COM1           0x3f8

#define LOW_4G         UINT64_C(0x100000000)

#define PCI_HEADER     0x0cu
#define HEADER_SEVERAL BIT(23) /* functions of this device */

static bool is_far(const struct serial_uart *uart)
{
	return uart->memory && serial_end(uart) > LOW_4G;
}

/* Before the machine is ours the firmware's page tables are in force, which need not have devices
 * above 4 GiB; ours have one. */
static bool is_in_reach(const struct program *program, const struct serial_uart *uart, bool ours)
{
	return !is_far(uart) || (ours && serial_end(uart) <= WORD_ADDRESS_LIMIT &&
				 uart->address == program->facts.uart.from);
}

bool program_open_serial(const struct program *program, bool ours)
{
	struct serial_places places = {0};

	for (unsigned i = 0; i < program->serial.count; i++)
		if (is_in_reach(program, &program->serial.uart[i], ours))
			serial_add(&places, &program->serial.uart[i]);
	return serial_open(&places);
}

/* ---- where they are ---- */

static void add_device(struct serial_places *places, uint16_t first)
{
	unsigned functions = pci_peek(first, PCI_HEADER) & HEADER_SEVERAL ? 8 : 1;
	struct serial_uart uart;

	if (pci_peek(first, PCI_ID) == PCI_ABSENT)
		return;
	for (unsigned f = 0; f < functions; f++) {
		uart = serial_pci(pci_peek, (uint16_t)(first + f));
		serial_add(places, &uart);
	}
}

static void add_all_devices(struct serial_places *places)
{
	for (unsigned bus = 0; bus < 256; bus++)
		for (unsigned device = 0; device < 32; device++)
			add_device(places, PCI_FUNCTION(bus, device, 0));
}

/* With one above 4 GiB only the run itself can tell. */
static bool is_silent(const struct program *program)
{
	for (unsigned i = 0; i < program->serial.count; i++)
		if (is_far(&program->serial.uart[i]))
			return false;
	if (!program_open_serial(program, false))
		return true;
	serial_close();
	return false;
}

/* The firmware's words first; what nobody named, last. */
static void find_all(struct program *program)
{
	struct serial_places *places = &program->serial;
	const struct serial_uart com1 = serial_at_port(COM1, SERIAL_BAUD_DEFAULT);
	struct serial_uart spcr =
		spcr_uart(acpi_find(acpi_identity, (uintptr_t)program->facts.rsdp, "SPCR"));

	serial_add(places, &spcr);
	firmware_serial(program->fw, places);
	serial_add(places, &com1);
	if (is_silent(program))
		add_all_devices(places);
}

void program_find_serial(struct program *program)
{
	const struct serial_config *config = &program->options.serial;
	struct serial_uart uart = config->uart;

	program->serial.count = 0;
	program->facts.uart = (struct memory_range){0};
	if (config->mode == SERIAL_AUTO)
		find_all(program);
	if (config->mode == SERIAL_PCI)
		uart = serial_pci(pci_peek, config->function);
	if (config->mode == SERIAL_UART || config->mode == SERIAL_PCI)
		serial_add(&program->serial, &uart);
	for (unsigned i = program->serial.count; i--;)
		if (is_far(&program->serial.uart[i]))
			program->facts.uart =
				(struct memory_range){program->serial.uart[i].address,
						      serial_end(&program->serial.uart[i])};
}

const char *program_lacks_serial(const struct program *program)
{
	if (program->options.serial.mode == SERIAL_NONE || !is_silent(program))
		return NULL;
	if (program->options.serial.mode != SERIAL_AUTO)
		return "nothing answers there";
	return "no UART answers where the firmware says, at COM1, or on PCI: serial=PORT, "
	       "serial=mmio32:ADDRESS and serial=pci:BUS:DEVICE.FUNCTION name another";
}
