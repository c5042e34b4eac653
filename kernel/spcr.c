/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACPI Serial Port Console Redirection table: which port the firmware itself uses.
 * Microsoft, "Serial Port Console Redirection Table (SPCR)", revision 2. */
#include "spcr.h"

#include <stdbool.h>

#include "string.h"

#define SPCR_INTERFACE      36
#define SPCR_ADDRESS_SPACE  40 /* ACPI generic address structure, 12 bytes */
#define SPCR_ADDRESS        44
#define SPCR_ADDRESS_END    52

#define INTERFACE_16550     0x00
#define INTERFACE_16450     0x01
#define INTERFACE_16550_GAS 0x12
#define SPACE_IO            1

uint16_t spcr_port(struct acpi_table spcr)
{
	uint64_t address;
	uint8_t interface;

	if (!spcr.bytes || spcr.length < SPCR_ADDRESS_END)
		return 0;
	interface = spcr.bytes[SPCR_INTERFACE];
	if (interface != INTERFACE_16550 && interface != INTERFACE_16450 &&
	    interface != INTERFACE_16550_GAS)
		return 0;
	memcpy(&address, spcr.bytes + SPCR_ADDRESS, sizeof(address));
	if (spcr.bytes[SPCR_ADDRESS_SPACE] != SPACE_IO || address > UINT16_MAX - 7)
		return 0;
	return (uint16_t)address;
}
