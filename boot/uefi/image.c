/* SPDX-License-Identifier: BSD-2-Clause */
/* The image as the firmware describes it, and the ways out of the firmware. */
#include "uefi.h"

/* EFI_SHELL_PARAMETERS_PROTOCOL_GUID (UEFI shell specification 2.2, 2.4): a shell puts it on the
 * images that it starts. */
static const EFI_GUID shell_parameters = {
	0x752f3136, 0x4e16, 0x4fdc, {0xa2, 0x2a, 0xe5, 0xf4, 0x68, 0x12, 0xf4, 0xca}};

#define IMAGE_NAME_MAX 64u

void *uefi_protocol(const struct firmware *fw, EFI_HANDLE handle, EFI_GUID guid)
{
	void *protocol = NULL;

	if (!handle || fw->table->BootServices->HandleProtocol(handle, &guid, &protocol))
		return NULL;
	return protocol;
}

const char *firmware_options(const struct firmware *fw, char text[OPTIONS_TEXT_MAX], bool *binary)
{
	char image[IMAGE_NAME_MAX];
	const struct options_caller caller = {
		.options = fw->loaded->LoadOptions,
		.size = fw->loaded->LoadOptionsSize,
		.is_shell = uefi_protocol(fw, fw->image, shell_parameters),
		.image = image,
	};

	*binary = false;
	text[0] = '\0';
	if (!caller.options || !caller.size)
		return NULL;
	uefi_image_name(fw, image, sizeof(image));
	return options_of_caller(text, &caller, binary);
}

void firmware_options_default(struct options *options)
{
	(void)options;
}

const char *firmware_options_refuse(const struct options *options)
{
	(void)options;
	return NULL;
}

const char *firmware_exit(const struct firmware *fw)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	UINTN size, key, entry_size;
	UINT32 map_version;

	/* An event handler of the firmware may change the map between the two calls: ask again. */
	for (unsigned tries = 0; tries < 4; tries++) {
		size = MEMORY_MAP_SIZE;
		if (services->GetMemoryMap(&size, fw->map, &key, &entry_size, &map_version))
			return "the firmware does not give its memory map";
		if (!services->ExitBootServices(fw->image, key)) {
			uefi_console = NULL;
			return NULL;
		}
	}
	return "the firmware refuses ExitBootServices";
}

void firmware_power_off(const struct firmware *fw)
{
	fw->table->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
}

void firmware_reset(const struct firmware *fw)
{
	fw->table->RuntimeServices->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
}
