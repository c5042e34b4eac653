/* SPDX-License-Identifier: BSD-2-Clause */
/* Serial lines of the firmware's console.  UEFI specification 2.10, 3.3 and 10.3: the variable
 * ConOut holds the device path of each console in use, with an end to each; the path of a serial
 * line has a node for its UART, behind the one that says which it is. */
#include "uefi.h"

#define CONSOLES_MAX  2048u /* bytes: of 20 consoles and more */

#define PCI_BUSES     0x18u /* of a bridge: the one behind it in bits 15:8 */
#define PCI_BUS_BELOW FIELD(15, 8)

/* Where a path has led to. */
struct place {
	uint8_t bus;
	bool lost; /* to a root bridge whose buses are not known */
	struct serial_uart uart; /* address 0: to none that is known */
};

/* Firmware numbers the serial lines from 0, in the order of PCs. */
static void pass_acpi(struct place *place, const ACPI_HID_DEVICE_PATH *node)
{
	static const uint16_t ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};

	if (node->HID == EISA_PNP_ID(0x501) && node->UID < ARRAY_SIZE(ports))
		place->uart = serial_at_port(ports[node->UID], 0);
	else
		place->lost = node->UID != 0;
}

static void pass_pci(struct place *place, const PCI_DEVICE_PATH *node)
{
	uint16_t function = PCI_FUNCTION(place->bus, node->Device, node->Function);

	if (place->lost)
		return;
	place->uart = serial_pci(pci_peek, function);
	place->bus = (uint8_t)field_get(PCI_BUS_BELOW, pci_peek(function, PCI_BUSES));
}

/* A node, cut or filled up to a size.  A packed copy, because nodes lie at any address. */
union node {
	EFI_DEVICE_PATH head;
	ACPI_HID_DEVICE_PATH acpi;
	PCI_DEVICE_PATH pci;
	UART_DEVICE_PATH uart;
};

/* Does the node end the path at a UART?  Its rate is the one that the firmware has told the
 * terminal's user. */
static bool pass(struct place *place, const union node *node)
{
	if (node->head.Type == END_DEVICE_PATH_TYPE)
		*place = (struct place){0};
	else if (node->head.Type == ACPI_DEVICE_PATH && node->head.SubType == ACPI_DP)
		pass_acpi(place, &node->acpi);
	else if (node->head.Type == HARDWARE_DEVICE_PATH && node->head.SubType == HW_PCI_DP)
		pass_pci(place, &node->pci);
	if (node->head.Type != MESSAGING_DEVICE_PATH || node->head.SubType != MSG_UART_DP)
		return false;
	place->uart.baud = node->uart.BaudRate <= UINT32_MAX ? (uint32_t)node->uart.BaudRate : 0;
	return true;
}

/* All of ConOut's; false: there is no such variable.  *unknown: some of them are elsewhere. */
static bool find_lines(const struct firmware *fw, struct serial_places *places, bool *unknown)
{
	EFI_GUID guid = EFI_GLOBAL_VARIABLE;
	uint8_t paths[CONSOLES_MAX];
	UINTN size = sizeof(paths), length;
	struct place place = {0};
	union node node;

	*unknown = false;
	if (fw->table->RuntimeServices->GetVariable((CHAR16 *)L"ConOut", &guid, NULL, &size, paths))
		return false;
	for (UINTN at = 0; at + sizeof(node.head) <= size; at += length) {
		memset(&node, 0, sizeof(node));
		memcpy(&node, paths + at, size - at < sizeof(node) ? size - at : sizeof(node));
		if (pass(&place, &node)) {
			*unknown |= !place.uart.address;
			serial_add(places, &place.uart);
		}
		length = node.head.Length[0] | (UINTN)node.head.Length[1] << 8;
		if (length < sizeof(node.head))
			break;
	}
	return true;
}

void firmware_serial(const struct firmware *fw, struct serial_places *places)
{
	bool unknown;

	find_lines(fw, places, &unknown);
}

/* U-Boot keeps no variable ConOut.  Its console is on its serial line, whatever else it is on,
 * unless somebody has told it otherwise; on PCs that is COM1. */
static bool is_u_boot_console(const struct firmware *fw, const struct serial_uart *uart)
{
	static const CHAR16 name[] = L"Das U-Boot";
	const CHAR16 *vendor = fw->table->FirmwareVendor;

	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		if (!vendor || vendor[i] != name[i])
			return false;
	return uart->memory || uart->address == 0x3f8;
}

bool firmware_console_is_at(const struct firmware *fw, const struct serial_uart *uart)
{
	struct serial_places places = {0};
	bool found;

	if (!find_lines(fw, &places, &found))
		return is_u_boot_console(fw, uart);
	for (unsigned i = 0; i < places.count; i++)
		found |= places.uart[i].memory == uart->memory &&
			 places.uart[i].address == uart->address;
	return found;
}
