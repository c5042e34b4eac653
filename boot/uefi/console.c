/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's console. */
#include "uefi.h"

#define CONSOLES_MAX 2048u /* bytes: of 20 consoles and more */
#define REST_100NS   100000u

SIMPLE_TEXT_OUTPUT_INTERFACE *uefi_console;

void firmware_console_write(const char *text, size_t length)
{
	CHAR16 buffer[128];
	unsigned n = 0;

	if (!uefi_console)
		return;
	for (; length; length--, text++) {
		if (*text == '\n')
			buffer[n++] = '\r';
		buffer[n++] = (CHAR16)*text;
		if (n + 3 > ARRAY_SIZE(buffer) || length == 1) {
			buffer[n] = 0;
			uefi_console->OutputString(uefi_console, buffer);
			n = 0;
		}
	}
}

int firmware_key(const struct firmware *fw)
{
	SIMPLE_INPUT_INTERFACE *input = fw->table->ConIn;
	EFI_INPUT_KEY key;

	if (!input || input->ReadKeyStroke(input, &key))
		return -1;
	return key.UnicodeChar < 0x80 && key.UnicodeChar ? key.UnicodeChar : ' ';
}

/* While nothing is to be done the firmware halts the processor until its timer's next interrupt. */
void firmware_rest(const struct firmware *fw)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	EFI_EVENT timer;
	UINTN index;

	if (services->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &timer))
		return;
	if (!services->SetTimer(timer, TimerRelative, REST_100NS))
		services->WaitForEvent(1, &timer, &index);
	services->CloseEvent(timer);
}

/* The I/O port of a serial line, by the node of its path in the ACPI name space: firmware numbers
 * them from 0, in the order of PCs.  0: it is none of these. */
static uint16_t port_of(const uint8_t *at, UINTN size)
{
	static const uint16_t ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};
	ACPI_HID_DEVICE_PATH node;

	if (size < sizeof(node))
		return 0;
	memcpy(&node, at, sizeof(node));
	return node.HID == EISA_PNP_ID(0x501) && node.UID < ARRAY_SIZE(ports) ? ports[node.UID] : 0;
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

/* UEFI specification 2.10, 3.3 and 10.3: the variable ConOut holds the device path of each console
 * in use, with an end to each; the path of a serial line has a node for its UART, behind the one in
 * the ACPI name space that says which it is. */
bool firmware_console_is_at(const struct firmware *fw, const struct serial_uart *uart)
{
	EFI_GUID guid = EFI_GLOBAL_VARIABLE;
	uint8_t paths[CONSOLES_MAX];
	UINTN size = sizeof(paths), at, length;
	EFI_DEVICE_PATH node;
	uint16_t port = 0;

	if (fw->table->RuntimeServices->GetVariable((CHAR16 *)L"ConOut", &guid, NULL, &size, paths))
		return is_u_boot_console(fw, uart);
	for (at = 0; at + sizeof(node) <= size; at += length) {
		memcpy(&node, paths + at, sizeof(node));
		if (node.Type == ACPI_DEVICE_PATH && node.SubType == ACPI_DP)
			port = port_of(paths + at, size - at);
		if (node.Type == MESSAGING_DEVICE_PATH && node.SubType == MSG_UART_DP &&
		    (!port || uart->memory || uart->address == port))
			return true;
		length = node.Length[0] | (UINTN)node.Length[1] << 8;
		if (length < sizeof(node))
			return false;
	}
	return false;
}
