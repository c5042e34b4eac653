/* SPDX-License-Identifier: BSD-2-Clause */
/* The image's entry. */
#include "uefi.h"

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	static const EFI_STATUS statuses[] = {
		[VERDICT_PASS] = EFI_SUCCESS,
		[VERDICT_FAIL] = EFI_ABORTED,
		[VERDICT_SKIP] = EFI_SUCCESS,
		[VERDICT_ERROR] = EFI_DEVICE_ERROR,
		[PROGRAM_REFUSED] = EFI_INVALID_PARAMETER,
	};
	struct firmware fw = {.image = image, .table = table};

	fw.loaded = uefi_protocol(&fw, image, (EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID);
	if (!fw.loaded)
		return EFI_UNSUPPORTED;
	uefi_console = table->ConOut;
	/* Unless it is turned off, this timer resets the machine five minutes after the start. */
	table->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
	return statuses[program_main(&fw)];
}
