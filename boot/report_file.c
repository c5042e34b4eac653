/* SPDX-License-Identifier: BSD-2-Clause */
/* The report on the boot volume: \pmutest86-N.tap, never over an older one. */
#include "boot/uefi/firmware.h"

#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

#define FILES_MAX 9999u

static void make_name(CHAR16 name[32], unsigned number)
{
	char text[32];
	unsigned i = 0;

	fmt_print(text, sizeof(text), "\\pmutest86-%u.tap", number);
	do
		name[i] = (CHAR16)text[i];
	while (text[i++]);
}

/* 0: all are taken, or the volume cannot be searched. */
static unsigned first_free(EFI_FILE_HANDLE root)
{
	EFI_FILE_HANDLE file;
	EFI_STATUS status;
	CHAR16 name[32];
	unsigned number;

	for (number = 1; number <= FILES_MAX; number++) {
		make_name(name, number);
		status = root->Open(root, &file, name, EFI_FILE_MODE_READ, 0);
		if (status == EFI_NOT_FOUND)
			return number;
		/* What exists but cannot be opened is taken too. */
		if (!status)
			file->Close(file);
	}
	return 0;
}

static EFI_STATUS write_all(EFI_FILE_HANDLE file, const char *text, size_t length)
{
	UINTN written = length;
	EFI_STATUS status = file->Write(file, &written, (void *)text);

	return status || written == length ? status : EFI_VOLUME_FULL;
}

static const char *write_file(EFI_FILE_HANDLE root, unsigned number, const char *head,
			      const char *text, size_t length)
{
	EFI_FILE_HANDLE file;
	EFI_STATUS status;
	CHAR16 name[32];

	make_name(name, number);
	if (root->Open(root, &file, name,
		       EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0))
		return "its volume is write-protected or full";
	status = write_all(file, head, strlen(head));
	if (!status)
		status = write_all(file, text, length);
	/* Close() flushes, but has no error to return. */
	if (!status)
		status = file->Flush(file);
	file->Close(file);
	return status ? "writing failed, the file is incomplete" : NULL;
}

const char *report_file_write(const struct firmware *fw, const char *head, const char *text,
			      size_t length, unsigned *number)
{
	EFI_FILE_HANDLE root = volume_open(fw);
	const char *error;

	if (!root)
		return "the image did not come from a volume";
	if (!*number)
		*number = first_free(root);
	error = *number ? write_file(root, *number, head, text, length)
			: "pmutest86-1 to -9999 are taken";
	root->Close(root);
	return error;
}
