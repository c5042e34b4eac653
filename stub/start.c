/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Start of a packed program by the firmware's own loader: whatever that demands of a program's
 * pages, the unpacked one gets it as if it had been on the disk.
 */
#include "start.h"

#include "gzip.h"

/* EFI_SHELL_PARAMETERS_PROTOCOL_GUID (UEFI shell specification 2.2, 2.4). */
static const EFI_GUID shell_parameters = {
	0x752f3136, 0x4e16, 0x4fdc, {0xa2, 0x2a, 0xe5, 0xf4, 0x68, 0x12, 0xf4, 0xca}};

static void *protocol(const EFI_SYSTEM_TABLE *table, EFI_HANDLE handle, EFI_GUID guid)
{
	void *interface;

	if (table->BootServices->HandleProtocol(handle, &guid, &interface))
		return NULL;
	return interface;
}

static EFI_STATUS complain(const EFI_SYSTEM_TABLE *table, EFI_STATUS status)
{
	const CHAR16 *why = L"the firmware does not load what is packed in this file";

	if (status == EFI_LOAD_ERROR)
		why = L"this file is damaged, copy it anew";
	else if (status == EFI_OUT_OF_RESOURCES)
		why = L"the firmware has not enough memory";
	else if (status == EFI_SECURITY_VIOLATION || status == EFI_ACCESS_DENIED)
		why = L"Secure Boot refuses what is packed in this file, switch it off";
	if (table->ConOut) {
		table->ConOut->OutputString(table->ConOut, (CHAR16 *)L"pmutest86: error: ");
		table->ConOut->OutputString(table->ConOut, (CHAR16 *)why);
		table->ConOut->OutputString(table->ConOut, (CHAR16 *)L"\r\n");
	}
	return status;
}

/* The path is that of the packed file, for those who look at it: the firmware's log, and a policy
 * that depends on where a program comes from. */
static EFI_STATUS load(EFI_HANDLE image, const EFI_SYSTEM_TABLE *table, void *program, size_t size,
		       EFI_HANDLE *child)
{
	EFI_DEVICE_PATH *path =
		protocol(table, image, (EFI_GUID)EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL_GUID);
	EFI_STATUS status =
		table->BootServices->LoadImage(FALSE, image, path, program, size, child);

	/* This one has loaded it all the same, not to be started (UEFI specification 2.10, 7.4.1).
	 */
	if (status == EFI_SECURITY_VIOLATION)
		table->BootServices->UnloadImage(*child);
	return status;
}

static EFI_STATUS unpack_and_load(EFI_HANDLE image, const EFI_SYSTEM_TABLE *table,
				  const uint8_t *packed, size_t size, EFI_HANDLE *child)
{
	size_t program_size = gzip_unpacked_size(packed, size);
	EFI_STATUS status = EFI_LOAD_ERROR;
	void *program;

	if (!program_size)
		return status;
	if (table->BootServices->AllocatePool(EfiLoaderData, program_size, &program))
		return EFI_OUT_OF_RESOURCES;
	if (gzip_unpack(packed, size, program))
		status = load(image, table, program, program_size, child);
	table->BootServices->FreePool(program);
	return status;
}

/* Not the FilePath: the firmware has made a copy for the child, and frees it with the child. */
static void copy_loaded_image(EFI_LOADED_IMAGE *to, const EFI_LOADED_IMAGE *from)
{
	to->DeviceHandle = from->DeviceHandle;
	to->LoadOptions = from->LoadOptions;
	to->LoadOptionsSize = from->LoadOptionsSize;
}

/* The firmware unloads an application that has ended. */
static EFI_STATUS run(EFI_HANDLE image, const EFI_SYSTEM_TABLE *table, EFI_HANDLE child)
{
	EFI_BOOT_SERVICES *services = table->BootServices;
	void *parameters = protocol(table, image, shell_parameters);
	EFI_GUID guid = shell_parameters;
	CHAR16 *exit_data = NULL;
	UINTN exit_data_size = 0;
	EFI_STATUS status;

	if (parameters)
		services->InstallProtocolInterface(&child, &guid, EFI_NATIVE_INTERFACE, parameters);
	status = services->StartImage(child, &exit_data_size, &exit_data);
	if (parameters)
		services->UninstallProtocolInterface(child, &guid, parameters);
	if (exit_data)
		services->Exit(image, status, exit_data_size, exit_data);
	return status;
}

EFI_STATUS start_packed(EFI_HANDLE image, EFI_SYSTEM_TABLE *table, const uint8_t *packed,
			size_t size)
{
	EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
	EFI_LOADED_IMAGE *own = protocol(table, image, guid), *inner;
	EFI_HANDLE child = NULL;
	EFI_STATUS status;

	if (!own)
		return complain(table, EFI_UNSUPPORTED);
	status = unpack_and_load(image, table, packed, size, &child);
	if (status)
		return complain(table, status);
	inner = protocol(table, child, guid);
	if (!inner) {
		table->BootServices->UnloadImage(child);
		return complain(table, EFI_UNSUPPORTED);
	}
	copy_loaded_image(inner, own);
	return run(image, table, child);
}
