/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's console. */
#include "uefi.h"

#define REST_100NS 100000u

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
