/* SPDX-License-Identifier: BSD-2-Clause */
/* UARTs on PCI.  PCI Local Bus Specification 3.0, 6.1 and 6.2.5, and appendix D: class 07h,
 * subclass 00h, of which programming interface 01h and up are a 16450 and what came after it. */
#include "console.h"

#define COMMAND          0x04u
#define CLASS            0x08u
#define BAR0             0x10u
#define BAR1             0x14u

#define COMMAND_IO       BIT(0)
#define COMMAND_MEMORY   BIT(1)
#define CLASS_CODE       FIELD(31, 16)
#define CLASS_SERIAL     0x0700u
#define BAR_IS_IO        BIT(0)
#define BAR_IO           FIELD(31, 2)
#define BAR_TYPE         FIELD(2, 1)
#define BAR_TYPE_64_BITS 2u
#define BAR_MEMORY       FIELD(31, 4)

static const struct serial_uart nowhere;

/* Of cards that it does not know Linux takes these as well: drivers/tty/serial/8250/8250_pci.c. */
static struct serial_uart at_ports(uint32_t bar)
{
	uint64_t port = bar & BAR_IO;

	return port > UINT16_MAX - 7 ? nowhere
				     : serial_at_port((uint16_t)port, SERIAL_BAUD_DEFAULT);
}

static struct serial_uart in_memory(uint32_t low, uint32_t high)
{
	bool wide = field_get(BAR_TYPE, low) == BAR_TYPE_64_BITS;
	uint64_t address = (low & BAR_MEMORY) | (wide ? (uint64_t)high << 32 : 0);
	struct serial_uart uart = serial_in_memory(address, 1);

	uart.maybe_dwords = true;
	return uart;
}

struct serial_uart serial_pci(uint32_t (*read)(uint16_t function, unsigned offset),
			      uint16_t function)
{
	uint32_t bar, command;

	if (field_get(CLASS_CODE, read(function, CLASS)) != CLASS_SERIAL)
		return nowhere;
	command = read(function, COMMAND);
	bar = read(function, BAR0);
	if (bar & BAR_IS_IO)
		return command & COMMAND_IO ? at_ports(bar) : nowhere;
	return command & COMMAND_MEMORY ? in_memory(bar, read(function, BAR1)) : nowhere;
}
