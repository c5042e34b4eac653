/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and programs on the volume that the image came from. */
#include <stdint.h>

#include "kernel/lib/string.h"
#include "launch.h"

static void *protocol(const struct launch *l, EFI_HANDLE handle, EFI_GUID guid)
{
	void *interface;

	if (l->table->BootServices->HandleProtocol(handle, &guid, &interface))
		return NULL;
	return interface;
}

static EFI_LOADED_IMAGE *loaded_image(const struct launch *l, EFI_HANDLE image)
{
	return protocol(l, image, (EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID);
}

bool launch_find_volume(struct launch *l)
{
	EFI_LOADED_IMAGE *loaded = loaded_image(l, l->image);

	if (!loaded)
		return false;
	l->volume = loaded->DeviceHandle;
	return protocol(l, l->volume, (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
}

static bool read_all(EFI_FILE_HANDLE file, char *text, size_t size)
{
	UINTN length = size;

	if (file->Read(file, &length, text) || length == size)
		return false;
	text[length] = '\0';
	return true;
}

bool launch_read_file(const struct launch *l, const CHAR16 *path, char *text, size_t size)
{
	EFI_FILE_IO_INTERFACE *volume =
		protocol(l, l->volume, (EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID);
	EFI_FILE_HANDLE root, file;
	bool read;

	if (!volume || volume->OpenVolume(volume, &root))
		return false;
	if (root->Open(root, &file, (CHAR16 *)path, EFI_FILE_MODE_READ, 0)) {
		root->Close(root);
		return false;
	}
	read = read_all(file, text, size);
	file->Close(file);
	root->Close(root);
	return read;
}

/* ---- programs ---- */

static size_t node_length(const EFI_DEVICE_PATH *node)
{
	return (size_t)(node->Length[0] | node->Length[1] << 8);
}

static void set_node(EFI_DEVICE_PATH *node, uint8_t type, uint8_t subtype, size_t length)
{
	*node = (EFI_DEVICE_PATH){.Type = type, .SubType = subtype};
	node->Length[0] = (uint8_t)length;
	node->Length[1] = (uint8_t)(length >> 8);
}

static size_t path_size(const CHAR16 *path)
{
	size_t size = sizeof(*path);

	while (*path++)
		size += sizeof(*path);
	return size;
}

/* The volume's device path, extended by the file's path. */
static bool build_path(const struct launch *l, const CHAR16 *path, uint8_t *room, size_t size)
{
	const uint8_t *volume = protocol(l, l->volume, (EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID);
	const EFI_DEVICE_PATH *node = (const EFI_DEVICE_PATH *)volume;
	size_t length = 0, text = path_size(path);

	if (!volume)
		return false;
	for (; node->Type != END_DEVICE_PATH_TYPE;
	     node = (const EFI_DEVICE_PATH *)(volume + length))
		length += node_length(node);
	if (length + text + 2 * sizeof(*node) > size)
		return false;
	memcpy(room, volume, length);
	set_node((EFI_DEVICE_PATH *)(room + length), MEDIA_DEVICE_PATH, MEDIA_FILEPATH_DP,
		 sizeof(*node) + text);
	memcpy(room + length + sizeof(*node), path, text);
	set_node((EFI_DEVICE_PATH *)(room + length + sizeof(*node) + text), END_DEVICE_PATH_TYPE,
		 END_ENTIRE_DEVICE_PATH_SUBTYPE, sizeof(*node));
	return true;
}

enum { OPTIONS_MAX = 1024, PATH_MAX = 1024 };

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

EFI_STATUS launch_load(const struct launch *l, const CHAR16 *path, const char *options,
		       EFI_HANDLE *program)
{
	static uint8_t device_path[PATH_MAX];
	EFI_LOADED_IMAGE *loaded;
	EFI_STATUS status;

	if (!build_path(l, path, device_path, sizeof(device_path)))
		return EFI_NOT_FOUND;
	status = l->table->BootServices->LoadImage(FALSE, l->image, (EFI_DEVICE_PATH *)device_path,
						   NULL, 0, program);
	if (status)
		return status;
	loaded = loaded_image(l, *program);
	if (!loaded)
		return EFI_NOT_FOUND;
	set_options(loaded, options);
	return EFI_SUCCESS;
}
