/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACPI Serial Port Console Redirection table: which UART the firmware itself uses.
 * Microsoft, "Serial Port Console Redirection Table (SPCR)", revision 4; the address as in the ACPI
 * specification 6.5, 5.2.3.2, Generic Address Structure. */
#include "console.h"

#define SPCR_REVISION       8
#define SPCR_INTERFACE      36
#define SPCR_ADDRESS_SPACE  40
#define SPCR_REGISTER_BITS  41
#define SPCR_ACCESS_SIZE    43
#define SPCR_ADDRESS        44
#define SPCR_ADDRESS_END    52
#define SPCR_BAUD           58
#define SPCR_CLOCK          76 /* Hz, from revision 3 on */
#define SPCR_CLOCK_END      80

#define INTERFACE_16550     0x00
#define INTERFACE_16450     0x01
#define INTERFACE_16550_GAS 0x12
#define SPACE_MEMORY        0
#define SPACE_IO            1
#define ACCESS_DWORD        3

#define PC_CLOCK            1843200u

static uint32_t baud_rate(struct acpi_table spcr)
{
	static const uint32_t rates[] = {[3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200};
	uint8_t code = spcr.length > SPCR_BAUD ? spcr.bytes[SPCR_BAUD] : 0;

	return code < ARRAY_SIZE(rates) ? rates[code] : 0;
}

static uint32_t clock_rate(struct acpi_table spcr)
{
	uint32_t hertz = 0;

	if (spcr.bytes[SPCR_REVISION] >= 3 && spcr.length >= SPCR_CLOCK_END)
		memcpy(&hertz, spcr.bytes + SPCR_CLOCK, sizeof(hertz));
	return hertz;
}

/* In I/O space each register is one port. */
static bool describe_ports(struct serial_uart *uart)
{
	uart->stride = uart->width = 1;
	if (!uart->clock)
		uart->clock = PC_CLOCK;
	return uart->address <= UINT16_MAX - 7;
}

/* A register is at least as wide as the accesses to it: many tables give only one of the two. */
static bool describe_memory(struct serial_uart *uart, uint8_t bits, uint8_t access)
{
	unsigned bytes = bits / 8;

	uart->memory = true;
	uart->width = (uint8_t)(access ? 1u << (access - 1) : 1);
	uart->stride = (uint8_t)(bytes > uart->width ? bytes : uart->width);
	return uart->stride <= 8 && uart->stride % uart->width == 0 &&
	       uart->address % uart->width == 0 && uart->address <= UINT32_MAX - 8u * uart->stride;
}

struct serial_uart spcr_uart(struct acpi_table spcr)
{
	const struct serial_uart none = {0};
	struct serial_uart uart = {0};
	uint8_t interface, access;

	if (!spcr.bytes || spcr.length < SPCR_ADDRESS_END)
		return none;
	interface = spcr.bytes[SPCR_INTERFACE];
	access = spcr.bytes[SPCR_ACCESS_SIZE];
	if (interface != INTERFACE_16550 && interface != INTERFACE_16450 &&
	    interface != INTERFACE_16550_GAS)
		return none;
	memcpy(&uart.address, spcr.bytes + SPCR_ADDRESS, sizeof(uart.address));
	uart.baud = baud_rate(spcr);
	uart.clock = clock_rate(spcr);
	switch (spcr.bytes[SPCR_ADDRESS_SPACE]) {
	case SPACE_IO:
		return describe_ports(&uart) ? uart : none;
	case SPACE_MEMORY:
		if (access > ACCESS_DWORD)
			return none;
		return describe_memory(&uart, spcr.bytes[SPCR_REGISTER_BITS], access) ? uart : none;
	default:
		return none;
	}
}
