/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's protocols, console and boot services. */
#include "firmware.h"

#include "bits.h"

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
