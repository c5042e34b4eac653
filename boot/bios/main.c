/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows the entry, the console, and the options of a loader. */
#include "bios.h"

static struct firmware firmware;
static uint16_t cells[SCREEN_CELLS_MAX];

/* entry.asm: which loader this is, and what it tells. */
_Noreturn void bios_main(uint32_t magic, uintptr_t address);

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

_Noreturn void bios_main(uint32_t magic, uintptr_t address)
{
	const char *error = multiboot_read(&firmware, magic, address);

	if (!error && !firmware.screen_told)
		firmware.framebuffer = vga_text();
	screen_open(&firmware.framebuffer, cells);
	scroll_open(0, screen_rows());
	if (error) {
		console_add(firmware_console_write);
		console_print("pmutest86: %s\n", error);
	} else {
		/* It comes back if the options are wrong, or asked for a list: to be read. */
		qemu_exit(program_main(&firmware));
	}
	for (;;)
		__asm__ volatile("cli\n\thlt");
}
