/* SPDX-License-Identifier: BSD-2-Clause */
/* Files on the volume that the image came from.  A struct file is an EFI_FILE. */
#include "uefi.h"

static EFI_FILE *efi_file(struct file *file)
{
	return (EFI_FILE *)(void *)file;
}

/* The root directory, which the caller closes; or NULL. */
static EFI_FILE *volume_open(const struct firmware *fw)
{
	EFI_FILE_IO_INTERFACE *volume = uefi_protocol(
		fw, fw->loaded->DeviceHandle, (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
	EFI_FILE *root;

	return !volume || volume->OpenVolume(volume, &root) ? NULL : root;
}

enum volume volume_find(const struct firmware *fw)
{
	EFI_GUID guid = EFI_FILE_SYSTEM_INFO_ID;
	union {
		EFI_FILE_SYSTEM_INFO info;
		char room[512]; /* the volume's name follows info */
	} buffer;
	UINTN size = sizeof(buffer);
	EFI_FILE *root = volume_open(fw);
	EFI_STATUS status;

	if (!root)
		return VOLUME_NONE;
	status = root->GetInfo(root, &guid, &size, &buffer);
	root->Close(root);
	return !status && buffer.info.ReadOnly ? VOLUME_READ_ONLY : VOLUME_WRITABLE;
}

/* EFI can open a directory as a file, which then reads as binary entries. */
static bool is_directory(EFI_FILE *file)
{
	EFI_GUID guid = EFI_FILE_INFO_ID;
	union {
		EFI_FILE_INFO info;
		char room[512]; /* the file's name follows info */
	} buffer;
	UINTN size = sizeof(buffer);

	return !file->GetInfo(file, &guid, &size, &buffer) &&
	       buffer.info.Attribute & EFI_FILE_DIRECTORY;
}

enum file_found file_open(const struct firmware *fw, const char *name, bool write,
			  struct file **file)
{
	UINT64 mode = write ? EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE
			    : EFI_FILE_MODE_READ;
	EFI_FILE *root = write && uefi_from_network(fw) ? NULL : volume_open(fw), *opened;
	CHAR16 path[32] = {'\\'};
	EFI_STATUS status;

	*file = NULL;
	if (!root)
		return FILE_NO_VOLUME;
	for (unsigned i = 0; i + 2 < ARRAY_SIZE(path) && name[i]; i++)
		path[i + 1] = (CHAR16)name[i];
	status = root->Open(root, &opened, path, mode, 0);
	root->Close(root);
	if (status)
		return status == EFI_NOT_FOUND ? FILE_ABSENT : FILE_REFUSED;
	if (is_directory(opened)) {
		opened->Close(opened);
		return FILE_REFUSED;
	}
	*file = (struct file *)(void *)opened;
	return FILE_OPEN;
}

size_t file_read(struct file *file, uint64_t position, void *data, size_t size)
{
	EFI_FILE *f = efi_file(file);
	UINTN length = size;

	return f->SetPosition(f, position) || f->Read(f, &length, data) ? 0 : length;
}

bool file_write(struct file *file, uint64_t position, const void *data, size_t size)
{
	EFI_FILE *f = efi_file(file);
	UINTN length = size;

	return !f->SetPosition(f, position) && !f->Write(f, &length, (void *)(uintptr_t)data) &&
	       length == size;
}

bool file_flush(struct file *file)
{
	return !efi_file(file)->Flush(efi_file(file));
}

void file_close(struct file *file)
{
	efi_file(file)->Close(efi_file(file));
}

void file_delete(struct file *file)
{
	efi_file(file)->Delete(efi_file(file));
}
