/* SPDX-License-Identifier: BSD-2-Clause */
/* The console, and the options of a loader. */
#include "bios.h"

void firmware_console_write(const char *text, size_t length)
{
	scroll_write(text, length);
}

int firmware_key(const struct firmware *fw)
{
	(void)fw;
	return input_key();
}

/* No interrupt would end a HLT. */
void firmware_rest(const struct firmware *fw)
{
	(void)fw;
	cpu_pause();
}

void firmware_serial(const struct firmware *fw, struct serial_places *places)
{
	(void)fw;
	(void)places;
}

bool firmware_console_is_at(const struct firmware *fw, const struct serial_uart *uart)
{
	(void)fw;
	(void)uart;
	return false;
}

const char *firmware_options(const struct firmware *fw, char text[OPTIONS_TEXT_MAX], bool *binary)
{
	*binary = false;
	memcpy(text, fw->command_line, OPTIONS_TEXT_MAX);
	return fw->cut ? "they are too long: allowed are 4095 characters" : NULL;
}

void firmware_options_default(struct options *options)
{
	options->ending = ENDING_POWEROFF;
}

const char *firmware_options_refuse(const struct options *options)
{
	if (options->ending == ENDING_RETURN)
		return "option \"end=return\": the loader is gone, there is nobody to return to: "
		       "allowed is end=poweroff, end=reset or end=halt";
	if (options->exit_boot_services)
		return "option \"takeover=exit\" is for UEFI: there are no boot services to leave "
		       "here: allowed is takeover=return";
	return NULL;
}

const char *firmware_exit(const struct firmware *fw)
{
	(void)fw;
	return NULL;
}
