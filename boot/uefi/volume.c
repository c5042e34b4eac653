/* SPDX-License-Identifier: BSD-2-Clause */
/* The volume that the image came from. */
#include "firmware.h"

EFI_FILE_HANDLE volume_open(const struct firmware *fw)
{
	EFI_FILE_IO_INTERFACE *volume;
	EFI_FILE_HANDLE root;

	volume = firmware_protocol(fw, fw->loaded->DeviceHandle,
				   (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
	if (!volume || volume->OpenVolume(volume, &root))
		return NULL;
	return root;
}
