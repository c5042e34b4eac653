/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and programs on the volume that the image came from. */

#include "kernel/lib/string.h"
#include "launch.h"

void *launch_protocol(const struct launch *l, EFI_HANDLE handle, EFI_GUID guid)
{
	void *interface;

	if (l->table->BootServices->HandleProtocol(handle, &guid, &interface))
		return NULL;
	return interface;
}

EFI_LOADED_IMAGE *launch_loaded_image(const struct launch *l, EFI_HANDLE image)
{
	return launch_protocol(l, image, (EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID);
}

bool launch_find_volume(struct launch *l)
{
	EFI_LOADED_IMAGE *loaded = launch_loaded_image(l, l->image);

	if (!loaded)
		return false;
	l->volume = loaded->DeviceHandle;
	return launch_protocol(l, l->volume, (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
}

static bool read_all(EFI_FILE_HANDLE file, char *text, size_t *size)
{
	UINTN length = *size;

	if (file->Read(file, &length, text) || length == *size)
		return false;
	text[length] = '\0';
	*size = length;
	return true;
}

/* NULL: it is not there. */
static EFI_FILE_HANDLE open_file(const struct launch *l, const CHAR16 *path, EFI_FILE_HANDLE *root)
{
	EFI_FILE_IO_INTERFACE *volume =
		launch_protocol(l, l->volume, (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
	EFI_FILE_HANDLE file;

	if (!volume || volume->OpenVolume(volume, root))
		return NULL;
	if (!(*root)->Open(*root, &file, (CHAR16 *)path, EFI_FILE_MODE_READ, 0))
		return file;
	(*root)->Close(*root);
	return NULL;
}

static void close_file(EFI_FILE_HANDLE file, EFI_FILE_HANDLE root)
{
	file->Close(file);
	root->Close(root);
}

bool launch_read_file(const struct launch *l, const CHAR16 *path, char *text, size_t *size)
{
	EFI_FILE_HANDLE root, file = open_file(l, path, &root);
	bool read;

	if (!file)
		return false;
	read = read_all(file, text, size);
	close_file(file, root);
	return read;
}

/* ---- programs ---- */

enum { OPTIONS_MAX = 1024, PROGRAM_MAX = 1024 * 1024, DEVICE_PATH_MAX = 256 };

static void set_options(EFI_LOADED_IMAGE *loaded, const char *options)
{
	static CHAR16 wide[OPTIONS_MAX];
	UINT32 length = 0;

	for (; length < OPTIONS_MAX - 1 && options[length]; length++)
		wide[length] = (uint8_t)options[length];
	wide[length] = 0;
	loaded->LoadOptions = length ? wide : NULL;
	loaded->LoadOptionsSize = length ? (length + 1) * (UINT32)sizeof(*wide) : 0;
}

/* A name as firmware wants it, at the root. */
static const CHAR16 *path_of(const char *name)
{
	static CHAR16 path[32];
	unsigned length = 0;

	path[length++] = '\\';
	while (*name && length < sizeof(path) / sizeof(*path) - 1)
		path[length++] = (uint8_t)*name++;
	path[length] = 0;
	return path;
}

const char *launch_read_program(const struct launch *l, const char *name, size_t *size)
{
	static char file[PROGRAM_MAX];

	*size = sizeof(file);
	return launch_read_file(l, path_of(name), file, size) ? file : NULL;
}

bool launch_has_file(const struct launch *l, const char *name)
{
	EFI_FILE_HANDLE root, file = open_file(l, path_of(name), &root);

	if (file)
		close_file(file, root);
	return file;
}

/* The volume's own nodes, the file's, and the end; NULL: no room. */
static EFI_DEVICE_PATH *device_path(const struct launch *l, const char *name)
{
	static uint8_t nodes[DEVICE_PATH_MAX] __attribute__((aligned(8)));
	const CHAR16 *path = path_of(name);
	EFI_DEVICE_PATH *volume =
		launch_protocol(l, l->volume, (EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID);
	EFI_DEVICE_PATH *end = volume;
	const uint16_t text = (uint16_t)((strlen(name) + 2) * sizeof(*path));
	EFI_DEVICE_PATH file = {.Type = MEDIA_DEVICE_PATH, .SubType = MEDIA_FILEPATH_DP};
	size_t before;

	while (end && !IsDevicePathEnd(end))
		end = NextDevicePathNode(end);
	before = (size_t)((uint8_t *)end - (uint8_t *)volume);
	if (!volume || before + 2 * sizeof(file) + text > sizeof(nodes))
		return NULL;
	SetDevicePathNodeLength(&file, (uint16_t)(sizeof(file) + text));
	memcpy(nodes, volume, before);
	memcpy(nodes + before, &file, sizeof(file));
	memcpy(nodes + before + sizeof(file), path, text);
	memcpy(nodes + before + sizeof(file) + text, end, sizeof(*end));
	return (EFI_DEVICE_PATH *)(void *)nodes;
}

EFI_STATUS launch_load(const struct launch *l, const char *name, const char *options,
		       EFI_HANDLE *program)
{
	EFI_DEVICE_PATH *path = device_path(l, name);
	EFI_LOADED_IMAGE *loaded;
	EFI_STATUS status;

	if (!path)
		return EFI_NOT_FOUND;
	status = l->table->BootServices->LoadImage(FALSE, l->image, path, NULL, 0, program);
	if (status)
		return status;
	loaded = launch_loaded_image(l, *program);
	if (!loaded)
		return EFI_NOT_FOUND;
	set_options(loaded, options);
	return EFI_SUCCESS;
}
