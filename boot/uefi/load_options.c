/* SPDX-License-Identifier: BSD-2-Clause */
/* The options handed over by shell or boot manager. */
#include "firmware.h"

/* EFI_SHELL_PARAMETERS_PROTOCOL_GUID (UEFI shell specification 2.2, 2.4): a shell puts it on the
 * images that it starts. */
static const EFI_GUID shell_parameters = {
	0x752f3136, 0x4e16, 0x4fdc, {0xa2, 0x2a, 0xe5, 0xf4, 0x68, 0x12, 0xf4, 0xca}};

const char *load_options_read(const struct firmware *fw, char text[OPTIONS_TEXT_MAX], bool *binary)
{
	EFI_LOADED_IMAGE *loaded = fw->loaded;
	bool from_shell = firmware_protocol(fw, fw->image, shell_parameters);

	*binary = false;
	text[0] = '\0';
	if (!loaded->LoadOptions || !loaded->LoadOptionsSize)
		return NULL;
	return options_of_caller(text, loaded->LoadOptions, loaded->LoadOptionsSize, from_shell,
				 binary);
}
