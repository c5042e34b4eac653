/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's protocols, console and boot services. */
#include "firmware.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

#define CONSOLES_MAX 2048u /* bytes: of 20 consoles and more */

static SIMPLE_TEXT_OUTPUT_INTERFACE *console;

void *firmware_protocol(const struct firmware *fw, EFI_HANDLE handle, EFI_GUID guid)
{
	void *protocol = NULL;

	if (!handle || fw->table->BootServices->HandleProtocol(handle, &guid, &protocol))
		return NULL;
	return protocol;
}

void firmware_console_open(const struct firmware *fw)
{
	console = fw->table->ConOut;
}

void firmware_console_write(const char *text, size_t length)
{
	CHAR16 buffer[128];
	unsigned n = 0;

	if (!console)
		return;
	for (; length; length--, text++) {
		if (*text == '\n')
			buffer[n++] = '\r';
		buffer[n++] = (CHAR16)*text;
		if (n + 3 > ARRAY_SIZE(buffer) || length == 1) {
			buffer[n] = 0;
			console->OutputString(console, buffer);
			n = 0;
		}
	}
}

/* UEFI specification 2.10, 3.3 and 10.3: ConOut holds the device path of each console in use; all
 * of them end, and that of a serial line has a node for its UART. */
bool firmware_console_is_serial(const struct firmware *fw)
{
	EFI_GUID guid = EFI_GLOBAL_VARIABLE;
	uint8_t paths[CONSOLES_MAX];
	UINTN size = sizeof(paths), at, length;
	EFI_DEVICE_PATH node;

	if (fw->table->RuntimeServices->GetVariable((CHAR16 *)L"ConOut", &guid, NULL, &size, paths))
		return false;
	for (at = 0; at + sizeof(node) <= size; at += length) {
		memcpy(&node, paths + at, sizeof(node));
		if (node.Type == MESSAGING_DEVICE_PATH && node.SubType == MSG_UART_DP)
			return true;
		length = node.Length[0] | (UINTN)node.Length[1] << 8;
		if (length < sizeof(node))
			return false;
	}
	return false;
}

const char *firmware_exit(const struct firmware *fw, void *map)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	UINTN size, key, entry_size;
	EFI_STATUS status;
	UINT32 version;
	unsigned tries;

	/* An event handler of the firmware may change the map between the two calls: ask again. */
	for (tries = 0; tries < 4; tries++) {
		size = MEMORY_MAP_SIZE;
		status = services->GetMemoryMap(&size, map, &key, &entry_size, &version);
		if (status)
			return "the firmware does not give its memory map";
		status = services->ExitBootServices(fw->image, key);
		if (!status) {
			console = NULL;
			return NULL;
		}
	}
	return "the firmware refuses ExitBootServices";
}
