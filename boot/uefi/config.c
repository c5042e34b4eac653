/* SPDX-License-Identifier: BSD-2-Clause */
/* The options on the boot volume: \pmutest86.cfg. */
#include "firmware.h"

/* Twice the text, for a file in UCS-2, with its byte order mark. */
#define FILE_MAX (2 * OPTIONS_TEXT_MAX + 2)

/* A directory is a file too, and reads as binary entries. */
static bool is_directory(EFI_FILE_HANDLE file)
{
	EFI_GUID guid = EFI_FILE_INFO_ID;
	union {
		EFI_FILE_INFO info;
		char room[512]; /* with the file's name behind it */
	} buffer;
	UINTN size = sizeof(buffer);

	return !file->GetInfo(file, &guid, &size, &buffer) &&
	       buffer.info.Attribute & EFI_FILE_DIRECTORY;
}

static const char *read_file(EFI_FILE_HANDLE file, char text[OPTIONS_TEXT_MAX])
{
	uint8_t bytes[FILE_MAX];
	UINTN size = sizeof(bytes);

	if (is_directory(file) || file->Read(file, &size, bytes))
		return "the file cannot be read";
	return options_of_file(text, bytes, size);
}

const char *config_read(const struct firmware *fw, char text[OPTIONS_TEXT_MAX])
{
	EFI_FILE_HANDLE root = volume_open(fw), file;
	const char *error = NULL;
	EFI_STATUS status;

	text[0] = '\0';
	if (!root)
		return NULL;
	status = root->Open(root, &file, (CHAR16 *)L"\\pmutest86.cfg", EFI_FILE_MODE_READ, 0);
	root->Close(root);
	if (status == EFI_NOT_FOUND)
		return NULL;
	if (status)
		return "the file cannot be opened";
	error = read_file(file, text);
	file->Close(file);
	return error;
}
