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
#define SPCR_PRECISE_BAUD   80 /* from revision 4 on; 0: the code stands */

#define INTERFACE_16550     0x00
#define INTERFACE_16450     0x01
#define INTERFACE_16550_GAS 0x12
#define SPACE_MEMORY        0
#define SPACE_IO            1
#define ACCESS_DWORD        3

/* A field that tables have from this revision on; 0: this one has none. */
static uint32_t newer_field(struct acpi_table spcr, unsigned revision, unsigned offset)
{
	uint32_t value = 0;

	if (spcr.bytes[SPCR_REVISION] >= revision && spcr.length >= offset + sizeof(value))
		memcpy(&value, spcr.bytes + offset, sizeof(value));
	return value;
}

static uint32_t baud_rate(struct acpi_table spcr)
{
	static const uint32_t rates[] = {[3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200};
	uint8_t code = spcr.length > SPCR_BAUD ? spcr.bytes[SPCR_BAUD] : 0;
	uint32_t precise = newer_field(spcr, 4, SPCR_PRECISE_BAUD);

	if (precise)
		return precise;
	return code < ARRAY_SIZE(rates) ? rates[code] : 0;
}

/* In I/O space each register is one port. */
static bool describe_ports(struct serial_uart *uart)
{
	uart->stride = uart->width = 1;
	if (!uart->clock)
		uart->clock = SERIAL_PC_CLOCK;
	return uart->address <= UINT16_MAX - 7;
}

/* Eight registers, each an access of its own. */
static bool is_possible(const struct serial_uart *uart)
{
	return uart->stride <= 8 && uart->stride % uart->width == 0 &&
	       uart->address % uart->width == 0 &&
	       uart->address <= SERIAL_ADDRESS_MAX - 8u * uart->stride;
}

/*
 * A register is at least as wide as the accesses to it: many tables give only one of the two.
 * Firmware of AMD's FCH says 8 bits and no size of access, though its registers are 4 bytes apart:
 * these are then the bits that a register holds, as in Intel's LPSS, which has the same UART.
 */
static bool describe_memory(struct serial_uart *uart, uint8_t bits, uint8_t access)
{
	unsigned bytes = bits / 8;
	struct serial_uart apart;

	uart->memory = true;
	uart->width = (uint8_t)(access ? 1u << (access - 1) : 1);
	uart->stride = (uint8_t)(bytes > uart->width ? bytes : uart->width);
	apart = serial_dwords(uart);
	uart->maybe_dwords = bits == 8 && !access && is_possible(&apart);
	return is_possible(uart);
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
	uart.clock = newer_field(spcr, 3, SPCR_CLOCK);
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
