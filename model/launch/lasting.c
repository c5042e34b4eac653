/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model stays beneath an operating system, which takes all memory but that of runtime drivers.
 * Firmware boots no runtime driver: so what it boots is an application, which starts itself as one.
 */
#include "kernel/lib/string.h"
#include "launch.h"

/* Where a PE image says what it is: PE/COFF specification, "Optional Header Windows-Specific
 * Fields". */
enum { PE_HEADER = 0x3c, PE_SUBSYSTEM = 0x5c, RUNTIME_DRIVER = 12 };

bool launch_is_lasting(const struct launch *l)
{
	const EFI_LOADED_IMAGE *loaded = launch_loaded_image(l, l->image);

	return loaded && loaded->ImageCodeType == EfiRuntimeServicesCode;
}

static void make_driver(char *file)
{
	uint32_t header;

	memcpy(&header, file + PE_HEADER, sizeof(header));
	file[header + PE_SUBSYSTEM] = RUNTIME_DRIVER;
}

EFI_STATUS launch_start_lasting(const struct launch *l)
{
	static char file[2 * 1024 * 1024];
	const FILEPATH_DEVICE_PATH *path = (const void *)launch_loaded_image(l, l->image)->FilePath;
	EFI_DEVICE_PATH *volume =
		launch_protocol(l, l->volume, (EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID);
	size_t size = sizeof(file);
	EFI_HANDLE lasting;
	EFI_STATUS status;

	if (!volume || !launch_read_file(l, path->PathName, file, &size))
		return EFI_NOT_FOUND;
	make_driver(file);
	status = l->table->BootServices->LoadImage(FALSE, l->image, volume, file, size, &lasting);
	return status ? status : l->table->BootServices->StartImage(lasting, NULL, NULL);
}
