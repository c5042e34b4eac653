/* SPDX-License-Identifier: BSD-2-Clause */
/* Device paths: where the image came from, and how it is named there.  UEFI specification 2.10,
 * 10.3. */
#include "uefi.h"

static size_t node_length(const EFI_DEVICE_PATH *node)
{
	return node->Length[0] | (size_t)node->Length[1] << 8;
}

/* The last node in front of the end; NULL: there is none, or this is no path. */
static const EFI_DEVICE_PATH *last_node(const EFI_DEVICE_PATH *path)
{
	const EFI_DEVICE_PATH *last = NULL;

	if (!path)
		return NULL;
	for (; path->Type != END_DEVICE_PATH_TYPE;
	     path = (const void *)((const char *)path + node_length(path))) {
		if (node_length(path) < sizeof(*path))
			return NULL;
		last = path;
	}
	return last;
}

/* Behind a network card, and no disk that one leads to. */
bool uefi_from_network(const struct firmware *fw)
{
	const EFI_DEVICE_PATH *node = last_node(uefi_protocol(
		fw, fw->loaded->DeviceHandle, (EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID));

	if (!node || node->Type != MESSAGING_DEVICE_PATH)
		return false;
	switch (node->SubType) {
	case MSG_MAC_ADDR_DP:
	case MSG_IPv4_DP:
	case MSG_IPv6_DP:
	case MSG_VLAN_DP:
	case MSG_URI_DP:
		return true;
	default:
		return false;
	}
}

void uefi_image_name(const struct firmware *fw, char *name, size_t size)
{
	const EFI_DEVICE_PATH *node = last_node(fw->loaded->FilePath);
	size_t n = 0;
	CHAR16 c;

	if (node && node->Type == MEDIA_DEVICE_PATH && node->SubType == MEDIA_FILEPATH_DP)
		for (size_t at = sizeof(*node); at + sizeof(c) <= node_length(node) && n + 1 < size;
		     at += sizeof(c)) {
			memcpy(&c, (const char *)node + at, sizeof(c));
			if (!c)
				break;
			if (c == '\\')
				n = 0;
			else
				name[n++] = c < 0x80 ? (char)c : 0x7f;
		}
	name[n] = '\0';
}
